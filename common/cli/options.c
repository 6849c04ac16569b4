/*
 * options.c - parsing the command line by the option tables
 *
 * getopt_long does the splitting; the texts of errors are made here, so that
 * they are escaped like all others. --help is in help.c.
 */
#include "common/cli/common_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "common/cli/escape.h"
#include "common/cli/machine.h"
#include "common/cli/size.h"

/* What getopt_long returns for the long option of entry i. */
#define HP_LONG_BASE 256

/* One run of the parser. */
struct hp_parse {
	const struct hp_program *program;
	struct hp_options *options;
	void *context;
	FILE *out, *errors;
	struct option *longs;
	char *letters;
	size_t count;
};

int
hp_program_usage_error(const struct hp_program *program, FILE *errors,
		       const char *fmt, ...)
{
	struct hp_buf line = {0}, text = {0};
	va_list args;

	va_start(args, fmt);
	hp_buf_vprintf(&text, fmt, args);
	va_end(args);
	hp_buf_printf(&line, "%s: ", program->name);
	hp_text_clean(&line, text.data, text.len);
	hp_buf_printf(&line, "\nTry '%s --help'.\n", program->name);
	if (!hp_buf_ok(&text) || hp_buf_flush(&line, errors, NULL) != HP_OK)
		fprintf(errors, "%s: out of memory\n", program->name);
	fflush(errors);
	hp_buf_release(&text);
	hp_buf_release(&line);
	return HP_EXIT_TROUBLE;
}

static enum hp_status
hp_set_when(const char *text, enum hp_when *out, struct hp_error *err)
{
	if (hp_when_parse(text, out))
		return HP_OK;
	return hp_fail(err, HP_DAMAGED,
		       "'%.80s' is none of auto, always and never", text);
}

static enum hp_status
hp_set_format(struct hp_parse *p, const char *text, struct hp_error *err)
{
	struct hp_buf list = {0};

	for (const char *const *f = p->program->formats; *f; f++) {
		if (strcmp(text, *f) == 0) {
			p->options->format = *f;
			p->options->format_given = true;
			hp_buf_release(&list);
			return HP_OK;
		}
		hp_buf_text(&list, list.len ? ", " : "");
		hp_buf_text(&list, *f);
	}
	hp_fail(err, HP_DAMAGED, "'%.80s' is none of %s", text,
		hp_buf_string(&list));
	hp_buf_release(&list);
	return HP_DAMAGED;
}

static enum hp_status
hp_set_threads(struct hp_options *o, const char *text, struct hp_error *err)
{
	uint64_t v;
	enum hp_status s = hp_count_parse(text, 1, HP_THREADS_MAX, &v, err);

	if (s == HP_OK)
		o->threads = (unsigned)v;
	return s;
}

static enum hp_status
hp_set_size(const char *text, uint64_t *out, struct hp_error *err)
{
	uint64_t v;
	enum hp_status s = hp_size_parse(text, &v, err);

	if (s == HP_OK && v == 0)
		return hp_fail(err, HP_LIMIT, "must be more than nothing");
	if (s == HP_OK)
		*out = v;
	return s;
}

static enum hp_status
hp_set_sandbox(struct hp_options *o, const char *text, struct hp_error *err)
{
	o->sandbox = strcmp(text, "auto") == 0;
	if (o->sandbox || strcmp(text, "off") == 0)
		return HP_OK;
	return hp_fail(err, HP_DAMAGED, "'%.80s' is none of auto and off",
		       text);
}

static enum hp_status
hp_set_common(struct hp_parse *p, int id, const char *text,
	      struct hp_error *err)
{
	struct hp_options *o = p->options;

	switch ((enum hp_common_id)id) {
	case HP_COMMON_FORMAT:
		return hp_set_format(p, text, err);
	case HP_COMMON_OUTPUT:
		if (!*text)
			return hp_fail(err, HP_DAMAGED, "needs a name");
		o->output = text;
		break;
	case HP_COMMON_FORCE:
		o->force = true;
		break;
	case HP_COMMON_SYNC:
		o->sync = true;
		break;
	case HP_COMMON_DUMP:
		return hp_count_parse(text, 1, UINT64_MAX, &o->dump, err);
	case HP_COMMON_THREADS:
		return hp_set_threads(o, text, err);
	case HP_COMMON_MEMORY:
		o->memory_given = true;
		return hp_set_size(text, &o->memory, err);
	case HP_COMMON_MAX_SIZE:
		return hp_set_size(text, &o->max_size, err);
	case HP_COMMON_SANDBOX:
		return hp_set_sandbox(o, text, err);
	case HP_COMMON_PROGRESS:
		return hp_set_when(text, &o->progress, err);
	case HP_COMMON_COLOR:
		return hp_set_when(text, &o->color, err);
	case HP_COMMON_QUIET:
	case HP_COMMON_VERBOSE:
		o->quiet = id == HP_COMMON_QUIET;
		o->verbose = id == HP_COMMON_VERBOSE;
		break;
	case HP_COMMON_HELP:
	case HP_COMMON_VERSION:
		break;
	}
	return HP_OK;
}

/* --help and --version: the text, then the exit code. */
static int
hp_show(struct hp_parse *p, int id)
{
	struct hp_error err = {0};
	struct hp_buf b = {0};

	if (id == HP_COMMON_HELP)
		hp_program_help(p->program, &b);
	else
		hp_buf_printf(&b, "%s %s\n", p->program->name, HP_VERSION);
	enum hp_status status = hp_buf_flush(&b, p->out, &err);
	hp_buf_release(&b);
	if (status == HP_OK && fflush(p->out) == 0)
		return HP_EXIT_OK;
	return hp_program_usage_error(p->program, p->errors, "cannot write: %s",
				      strerror(errno ? errno : EIO));
}

/* The long options that begin as @text (up to its =) does; how many. */
static size_t
hp_list_prefix(const struct hp_parse *p, const char *text, struct hp_buf *list)
{
	size_t len = strcspn(text, "="), n = 0;

	for (size_t i = 0; i < p->count; i++)
		if (strncmp(p->longs[i].name, text, len) == 0)
			hp_buf_printf(list, "%s--%s", n++ > 0 ? ", " : "",
				      p->longs[i].name);
	return n;
}

/* A long option that is none, or the beginning of several. */
static int
hp_bad_long(const struct hp_parse *p, const char *arg)
{
	struct hp_buf list = {0};
	size_t n = strncmp(arg, "--", 2) == 0
			   ? hp_list_prefix(p, arg + 2, &list)
			   : 0;
	int status;

	if (n > 1)
		status = hp_program_usage_error(p->program, p->errors,
						"option %.200s could be %s",
						arg, hp_buf_string(&list));
	else
		status = hp_program_usage_error(p->program, p->errors,
						"unknown option %.200s", arg);
	hp_buf_release(&list);
	return status;
}

/* The entry that getopt_long's return value or optopt means, or NULL. */
static const struct hp_option *
hp_find(const struct hp_parse *p, int value)
{
	if (value >= HP_LONG_BASE)
		return hp_program_option(p->program,
					 (size_t)(value - HP_LONG_BASE));
	for (size_t i = 0; value != 0 && i < p->count; i++) {
		const struct hp_option *o = hp_program_option(p->program, i);
		if (o->letter == value)
			return o;
	}
	return NULL;
}

/* What getopt_long complains about; @arg is the word it stopped at. */
static int
hp_bad_option(const struct hp_parse *p, int result, const char *arg)
{
	const struct hp_program *program = p->program;
	const struct hp_option *o = hp_find(p, optopt);

	if (result == ':' && o)
		return hp_program_usage_error(program, p->errors,
					      "option --%s needs %s", o->name,
					      o->argument);
	if (o)
		return hp_program_usage_error(program, p->errors,
					      "option --%s takes no argument",
					      o->name);
	if (optopt != 0)
		return hp_program_usage_error(program, p->errors,
					      "unknown option -%c", optopt);
	return hp_bad_long(p, arg);
}

static int
hp_take_option(struct hp_parse *p, const struct hp_option *o, const char *text)
{
	struct hp_error err = {0};
	enum hp_status status;

	if (o->id == HP_COMMON_HELP || o->id == HP_COMMON_VERSION)
		return hp_show(p, o->id);
	if (o->id >= HP_OPTION_COMMON)
		status = hp_set_common(p, o->id, text, &err);
	else
		status = p->program->set(p->context, o->id, text, &err);
	if (status == HP_OK)
		return HP_GO_ON;
	return hp_program_usage_error(p->program, p->errors, "--%s: %s",
				      o->name, err.text);
}

/* getopt's tables from ours. False if there is no memory. */
static bool
hp_parse_prepare(struct hp_parse *p)
{
	size_t at = 0;

	while (hp_program_option(p->program, p->count))
		p->count++;
	p->longs = calloc(p->count + 1, sizeof(*p->longs));
	p->letters = calloc(p->count + 1, 3);
	if (!p->longs || !p->letters)
		return false;
	p->letters[at++] = ':';
	for (size_t i = 0; i < p->count; i++) {
		const struct hp_option *o = hp_program_option(p->program, i);
		int wants = !o->argument  ? no_argument
			    : o->optional ? optional_argument
					  : required_argument;
		p->longs[i] = (struct option){.name = o->name,
					      .has_arg = wants,
					      .val = HP_LONG_BASE + (int)i};
		if (!o->letter)
			continue;
		p->letters[at++] = o->letter;
		for (int n = 0; n < wants; n++)
			p->letters[at++] = ':';
	}
	return true;
}

/* Make getopt forget an earlier run. */
static void
hp_getopt_reset(void)
{
	opterr = 0;
#ifdef __linux__
	optind = 0;
#else
	optind = 1;
	optreset = 1;
#endif
}

static int
hp_parse_run(struct hp_parse *p, int argc, char **argv)
{
	hp_getopt_reset();
	for (;;) {
		int c = getopt_long(argc, argv, p->letters, p->longs, NULL);
		if (c == -1)
			break;
		if (c == '?' || c == ':')
			return hp_bad_option(p, c, argv[optind - 1]);
		const struct hp_option *o = hp_find(p, c);
		int result = o ? hp_take_option(p, o, optarg) : HP_EXIT_TROUBLE;
		if (result != HP_GO_ON)
			return result;
	}
	p->options->arguments = argv + optind;
	p->options->argument_count = (size_t)(argc - optind);
	return HP_GO_ON;
}

int
hp_options_parse(const struct hp_program *program, int argc, char **argv,
		 struct hp_options *options, void *context, FILE *out,
		 FILE *errors)
{
	struct hp_parse p = {.program = program,
			     .options = options,
			     .context = context,
			     .out = out,
			     .errors = errors};
	int result;

	*options = (struct hp_options){
		.format = program->formats ? program->formats[0] : NULL,
		.threads = hp_machine_threads(),
		.memory = hp_machine_budget(),
		.sandbox = true};
	if (hp_parse_prepare(&p))
		result = hp_parse_run(&p, argc, argv);
	else
		result = hp_program_usage_error(program, errors,
						"out of memory");
	free(p.longs);
	free(p.letters);
	return result;
}

const char *
hp_options_inputs(const struct hp_options *options)
{
	size_t piped = 0;

	for (size_t i = 0; i < options->argument_count; i++)
		piped += strcmp(options->arguments[i], "-") == 0;
	if (options->argument_count == 0)
		return "no dump is given";
	return piped > 1 ? "standard input can be read only once" : NULL;
}
