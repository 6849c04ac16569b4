/*
 * options.c - parse the command line according to the option tables
 *
 * getopt_long() splits the words. This file creates the error messages, so that
 * they are escaped like all others. help.c prints --help.
 */
#include "common/options/options.h"

#include <errno.h>
#include <getopt.h>

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/cli/resources.h"
#include "common/cli/quantity.h"

/*
 * For the long option of table entry number i, getopt_long() returns
 * HP_LONG_BASE + i.
 */
#define HP_LONG_BASE 256

/* The state of parsing one command line. */
struct parse {
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
set_threads(struct hp_options *o, const char *text, struct hp_error *err)
{
	uint64_t v;
	enum hp_status s = hp_count_parse(text, 1, HP_THREADS_MAX, &v, err);

	if (s == HP_OK)
		o->threads = (unsigned)v;
	return s;
}

static enum hp_status
set_size(const char *text, uint64_t *out, struct hp_error *err)
{
	uint64_t v;
	enum hp_status s = hp_size_parse(text, &v, err);

	if (s == HP_OK && v == 0)
		return hp_fail(err, HP_LIMIT, "must be greater than 0");
	if (s == HP_OK)
		*out = v;
	return s;
}

/*
 * Store the value of an option whose kind is not HP_VALUE_OWN. @to: the struct
 * in which the values are stored.
 */
static enum hp_status
put_value(const struct hp_option *o, char *to, const char *text,
	  struct hp_error *err)
{
	const struct hp_option_value *v = &o->value;
	const int choice =
		o->choices ? hp_choice_find(o->choices, text, strlen(text)) : 1;

	to += v->at;
	switch (v->kind) {
	case HP_VALUE_FLAG:
		*(bool *)to = choice == 1;
		return HP_OK;
	case HP_VALUE_TEXT:
		memcpy(to, &text, sizeof(text));
		return HP_OK;
	case HP_VALUE_COUNT:
		return hp_count_parse(text, v->least, v->most,
				      (uint64_t *)(void *)to, err);
	default:
		memcpy(to, &choice, sizeof(choice));
		return HP_OK;
	}
}

static enum hp_status
set_common(struct parse *p, int id, const char *text, struct hp_error *err)
{
	struct hp_options *o = p->options;

	switch (id) {
	case HP_COMMON_FORMAT:
		o->format = text;
		o->format_given = true;
		break;
	case HP_COMMON_OUTPUT:
		if (!*text)
			return hp_fail(err, HP_DAMAGED,
				       "the file name is empty");
		o->output = text;
		break;
	case HP_COMMON_THREADS:
		return set_threads(o, text, err);
	case HP_COMMON_MEMORY:
		o->memory_given = true;
		return set_size(text, &o->memory, err);
	case HP_COMMON_MAX_SIZE:
		return set_size(text, &o->max_size, err);
	case HP_COMMON_SANDBOX:
		o->sandbox = strcmp(text, "auto") == 0;
		break;
	case HP_COMMON_QUIET:
	case HP_COMMON_VERBOSE:
		o->quiet = id == HP_COMMON_QUIET;
		o->verbose = id == HP_COMMON_VERBOSE;
		break;
	/* the value is already stored, or the program ends (--help) */
	default:
		break;
	}
	return HP_OK;
}

static int
show_and_exit(struct parse *p, int id, const char *argument)
{
	struct hp_error err = {0};
	struct hp_buf b = {0};

	if (id == HP_COMMON_HELP)
		hp_program_help(p->program, argument != NULL, &b);
	else if (id == HP_COMMON_LIST)
		hp_program_list_options(p->program, &b);
	else
		hp_buf_printf(&b, "%s %s\n", p->program->name, HP_VERSION);
	enum hp_status status = hp_buf_flush(&b, p->out, &err);
	hp_buf_release(&b);
	if (status == HP_OK && fflush(p->out) == 0)
		return HP_EXIT_OK;
	fprintf(p->errors, "%s: cannot write: %s\n", p->program->name,
		strerror(errno ? errno : EIO));
	return HP_EXIT_TROUBLE;
}

/*
 * Append the long options that begin with @text (up to its '=') to @list.
 * Returns their number.
 */
static size_t
list_by_prefix(const struct parse *p, const char *text, struct hp_buf *list)
{
	size_t len = strcspn(text, "="), n = 0;

	for (size_t i = 0; i < p->count; i++)
		if (strncmp(p->longs[i].name, text, len) == 0)
			hp_buf_printf(list, "%s--%s", n++ > 0 ? ", " : "",
				      p->longs[i].name);
	return n;
}

/*
 * The user may have written a value as an option, for example --html. Append
 * the option with this value: "format=html". Returns false if no option, or
 * more than one, accepts this value.
 */
static bool
option_of_value(const struct parse *p, const char *text, struct hp_buf *meant)
{
	size_t len = strcspn(text, "=");
	const struct hp_option *found = NULL;

	for (size_t i = 0; i < p->count; i++) {
		const struct hp_option *o = hp_program_option(p->program, i);
		const char *const *choices = hp_option_choices(p->program, o);

		if (!choices || o->shape != HP_CHOICE_ONE || o->optional ||
		    hp_choice_find(choices, text, len) < 0)
			continue;
		if (found)
			return false;
		found = o;
	}
	if (found)
		hp_buf_printf(meant, "%s=%.*s", found->name, (int)len, text);
	return found;
}

/*
 * Find the option that the user probably meant by @text (up to its '=').
 * Returns NULL if no option has a similar name.
 */
static const char *
long_meant(const struct parse *p, const char *text)
{
	const struct hp_option_alias *a = p->program->aliases;
	size_t len = strcspn(text, "=");
	const char **names;
	const char *found;

	for (; a && a->name; a++)
		if (strlen(a->name) == len && memcmp(a->name, text, len) == 0)
			return a->means;
	names = hp_calloc(p->count + 1, sizeof(*names));
	if (!names)
		return NULL;
	for (size_t i = 0; i < p->count; i++)
		names[i] = p->longs[i].name;
	found = hp_suggest(text, len, names);
	hp_free(names);
	return found;
}

static int
report_bad_long(const struct parse *p, const char *arg)
{
	bool dashes = strncmp(arg, "--", 2) == 0;
	struct hp_buf list = {0}, value = {0};
	size_t n = dashes ? list_by_prefix(p, arg + 2, &list) : 0;
	const char *meant = NULL;
	int status;

	if (dashes && option_of_value(p, arg + 2, &value))
		meant = hp_buf_string(&value);
	else if (dashes)
		meant = long_meant(p, arg + 2);

	if (n > 1)
		status = hp_program_usage_error(p->program, p->errors,
						"option %.200s could be %s",
						arg, hp_buf_string(&list));
	else if (meant)
		status = hp_program_usage_error(
			p->program, p->errors,
			"unknown option %.200s; did you mean --%s?", arg,
			meant);
	else
		status = hp_program_usage_error(p->program, p->errors,
						"unknown option %.200s", arg);
	hp_buf_release(&value);
	hp_buf_release(&list);
	return status;
}

/*
 * Find the option for @value, which getopt_long() has returned or stored in
 * optopt. Returns NULL if there is none.
 */
static const struct hp_option *
find_option(const struct parse *p, int value)
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

static int
lacks_argument(const struct parse *p, const struct hp_option *o)
{
	struct hp_buf name = {0};
	int status;

	hp_option_argument(p->program, o, &name);
	status = hp_program_usage_error(p->program, p->errors,
					"option --%s needs %s", o->name,
					hp_buf_string(&name));
	hp_buf_release(&name);
	return status;
}

/*
 * Report an error that getopt_long() has found. @arg: the word of the command
 * line with the error.
 */
static int
report_bad_option(const struct parse *p, int result, const char *arg)
{
	const struct hp_program *program = p->program;
	const struct hp_option *o = find_option(p, optopt);

	if (result == ':' && o)
		return lacks_argument(p, o);
	if (o)
		return hp_program_usage_error(program, p->errors,
					      "option --%s takes no argument",
					      o->name);
	if (optopt != 0)
		return hp_program_usage_error(program, p->errors,
					      "unknown option -%c", optopt);
	return report_bad_long(p, arg);
}

/*
 * Check that an argument is one of the choices of the option. If it is, *@text
 * receives a pointer to that choice in the table.
 */
static enum hp_status
choice_check(const struct parse *p, const struct hp_option *o,
	     const char **text, struct hp_error *err)
{
	const char *const *choices = hp_option_choices(p->program, o);
	int i;

	if (!choices || o->shape != HP_CHOICE_ONE || !*text)
		return HP_OK;
	i = hp_choice_find(choices, *text, strlen(*text));
	if (i < 0)
		return hp_choice_unknown(choices, *text, strlen(*text), err);
	*text = choices[i];
	return HP_OK;
}

static int
apply_option(struct parse *p, const struct hp_option *o, const char *text)
{
	struct hp_error err = {0};
	enum hp_status status;

	status = choice_check(p, o, &text, &err);
	if (status == HP_OK &&
	    (o->id == HP_COMMON_HELP || o->id == HP_COMMON_VERSION ||
	     o->id == HP_COMMON_LIST))
		return show_and_exit(p, o->id, text);
	if (status == HP_OK && o->value.kind != HP_VALUE_OWN)
		status =
			put_value(o,
				  o->id >= HP_OPTION_COMMON ? (char *)p->options
							    : p->context,
				  text, &err);
	else if (status == HP_OK && o->id >= HP_OPTION_COMMON)
		status = set_common(p, o->id, text, &err);
	else if (status == HP_OK)
		status = p->program->set(p->context, o->id, text, &err);
	if (status == HP_OK)
		return HP_GO_ON;
	return hp_program_usage_error(p->program, p->errors, "--%s: %s",
				      o->name, err.text);
}

static bool
prepare_getopt(struct parse *p)
{
	size_t at = 0;

	while (hp_program_option(p->program, p->count))
		p->count++;
	p->longs = hp_calloc(p->count + 1, sizeof(*p->longs));
	p->letters = hp_calloc(p->count + 1, 3);
	if (!p->longs || !p->letters)
		return false;
	p->letters[at++] = ':';
	for (size_t i = 0; i < p->count; i++) {
		const struct hp_option *o = hp_program_option(p->program, i);
		int wants = !hp_option_takes_argument(o) ? no_argument
			    : o->optional		 ? optional_argument
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

static void
reset_getopt(void)
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
run_getopt(struct parse *p, int argc, char **argv)
{
	reset_getopt();
	for (;;) {
		int c = getopt_long(argc, argv, p->letters, p->longs, NULL);
		if (c == -1)
			break;
		if (c == '?' || c == ':')
			return report_bad_option(p, c, argv[optind - 1]);
		const struct hp_option *o = find_option(p, c);
		int result = o ? apply_option(p, o, optarg) : HP_EXIT_TROUBLE;
		if (result != HP_GO_ON)
			return result;
	}
	p->options->arguments = argv + optind;
	p->options->argument_count = (size_t)(argc - optind);
	return HP_GO_ON;
}

/*
 * If the user gave no --format, choose the format by the suffix of the output
 * file. If the user gave a format that does not match the suffix of the output
 * file, report an error.
 */
static int
choose_format(struct parse *p)
{
	const struct hp_program *program = p->program;
	struct hp_options *o = p->options;
	int given = -1, chosen;

	if (!program->suffixes || !o->output)
		return HP_GO_ON;
	if (o->format_given)
		given = hp_choice_find(program->formats, o->format,
				       strlen(o->format));
	chosen = hp_format_by_suffix(program->suffixes, o->output,
				     strlen(o->output), given);
	if (chosen < 0 || chosen == given)
		return HP_GO_ON;
	if (o->format_given)
		return hp_program_usage_error(
			program, p->errors,
			"--format=%s does not suit the suffix of '%.200s', "
			"which asks for --format=%s; change one of them",
			o->format, o->output, program->formats[chosen]);
	o->format = program->formats[chosen];
	return HP_GO_ON;
}

int
hp_options_parse(const struct hp_program *program, int argc, char **argv,
		 struct hp_options *options, void *context, FILE *out,
		 FILE *errors)
{
	struct parse p = {.program = program,
			  .options = options,
			  .context = context,
			  .out = out,
			  .errors = errors};
	int result;

	*options = (struct hp_options){
		.format = program->formats ? program->formats[0] : NULL,
		.threads = hp_default_threads(),
		.memory = hp_memory_budget(),
		.sandbox = true};
	if (prepare_getopt(&p))
		result = run_getopt(&p, argc, argv);
	else
		result = hp_program_usage_error(program, errors,
						"out of memory");
	if (result == HP_GO_ON)
		result = choose_format(&p);
	hp_free(p.longs);
	hp_free(p.letters);
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
