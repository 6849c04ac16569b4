/*
 * help.c - the texts of --help and --help=all, from the option tables
 *
 * --help shows the options that have a brief text, with examples; --help=all
 * shows all options under the headings of their groups. options.c parses the
 * command line.
 */
#include "common/options/options.h"

#include <string.h>

#define HP_HELP_WIDTH 79
/* column at which the descriptions begin, with --help=all */
#define HP_HELP_COLUMN 26
/* column at which the descriptions begin, with --help */
#define HP_BRIEF_COLUMN 28

/*
 * Returns the number of bytes of the next word of @text. A number and the unit
 * after it, such as "84 %" or "3.1 MB", are one word, so that no line begins
 * with a unit.
 */
static size_t
word_length(const char *text)
{
	static const char *const units[] = {"%", "B", "KB", "MB", "GB", "TB"};
	size_t n = strcspn(text, " \n");

	if (n == 0 || text[n] != ' ' || text[n - 1] < '0' || text[n - 1] > '9')
		return n;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		const char *unit = text + n + 1;
		size_t length = strlen(units[i]);

		if (strncmp(unit, units[i], length) == 0 &&
		    strcspn(unit, " \n,;:.)") == length)
			return n + 1 + strcspn(unit, " \n");
	}
	return n;
}

void
hp_text_wrap(struct hp_buf *b, const char *text, size_t width, size_t at,
	     size_t indent)
{
	bool first = true; /* the current line has no word yet */

	while (*text) {
		size_t n = word_length(text);
		if (!first && at + 1 + n > width) {
			hp_buf_byte(b, '\n');
			hp_buf_fill(b, ' ', indent);
			at = indent;
			first = true;
		}
		if (!first) {
			hp_buf_byte(b, ' ');
			at++;
		}
		hp_buf_add(b, text, n);
		at += n;
		text += n;
		first = n == 0 && first;
		if (*text == '\n') {
			hp_buf_byte(b, '\n');
			hp_buf_fill(b, ' ', text[1] ? indent : 0);
			at = indent;
			first = true;
		}
		if (*text)
			text++;
	}
	hp_buf_byte(b, '\n');
}

/*
 * Append the names of an option and its argument, such as " -o, --output=FILE".
 * If @argument is not NULL, it is shown instead of FILE.
 */
static void
add_option_name(struct hp_buf *b, const struct hp_program *program,
		const struct hp_option *o, const char *argument)
{
	hp_buf_text(b, "  ");
	if (o->letter)
		hp_buf_printf(b, "-%c, ", o->letter);
	else
		hp_buf_text(b, "    ");
	hp_buf_printf(b, "--%s", o->name);
	if (o->argument || o->choices) {
		hp_buf_text(b, o->optional ? "[=" : "=");
		if (argument)
			hp_buf_text(b, argument);
		else
			hp_option_argument(program, o, b);
		hp_buf_text(b, o->optional ? "]" : "");
	}
}

/*
 * Append the list of formats, such as "text (default), json, sarif". If @all is
 * false, append only the first four formats.
 */
static void
add_formats(struct hp_buf *b, const struct hp_program *program, bool all)
{
	size_t n = 0;

	for (const char *const *f = program->formats; *f; f++, n++) {
		if (!all && n == 4) {
			hp_buf_text(b, ", ...");
			break;
		}
		if (n > 0)
			hp_buf_text(b, ", ");
		hp_buf_text(b, *f);
		if (n == 0 && all)
			hp_buf_text(b, " (default)");
	}
}

static bool
is_format(const struct hp_program *program, const struct hp_option *o)
{
	return program->formats && o->id == HP_COMMON_FORMAT;
}

/*
 * Append the name of an option with the list of its choices. A list that is too
 * long for a line is broken after a '|'. Returns the length of the longest
 * line.
 */
static size_t
add_wrapped_name(struct hp_buf *b, const struct hp_program *program,
		 const struct hp_option *o)
{
	enum { INDENT = 10 };
	struct hp_buf name = {0};
	const char *text;
	size_t n, at = 0, wide = 0;

	add_option_name(&name, program, o, NULL);
	for (text = hp_buf_string(&name); *text; text += n) {
		n = strcspn(text, "|");
		n += text[n] == '|';
		if (at + n > HP_HELP_WIDTH) {
			hp_buf_byte(b, '\n');
			hp_buf_fill(b, ' ', INDENT);
			at = INDENT;
		}
		hp_buf_add(b, text, n);
		at += n;
		wide = at > wide ? at : wide;
	}
	hp_buf_inherit(b, &name);
	hp_buf_release(&name);
	return wide;
}

static void
add_option(struct hp_buf *b, const struct hp_program *program,
	   const struct hp_option *o)
{
	struct hp_buf text = {0};
	size_t at = add_wrapped_name(b, program, o);

	hp_buf_text(&text, o->help);
	if (is_format(program, o)) {
		hp_buf_text(&text, ": ");
		add_formats(&text, program, true);
	}
	if (at + 2 > HP_HELP_COLUMN) {
		hp_buf_byte(b, '\n');
		at = 0;
	}
	hp_buf_fill(b, ' ', HP_HELP_COLUMN - at);
	hp_text_wrap(b, hp_buf_string(&text), HP_HELP_WIDTH, HP_HELP_COLUMN,
		     HP_HELP_COLUMN);
	hp_buf_inherit(b, &text);
	hp_buf_release(&text);
}

static void
add_brief_option(struct hp_buf *b, const struct hp_program *program,
		 const struct hp_option *o)
{
	size_t begin = b->len, width;

	add_option_name(b, program, o, o->brief_argument);
	width = b->len - begin;
	hp_buf_fill(b, ' ',
		    width + 2 > HP_BRIEF_COLUMN ? 2 : HP_BRIEF_COLUMN - width);
	hp_buf_text(b, o->brief);
	if (is_format(program, o))
		add_formats(b, program, false);
	hp_buf_byte(b, '\n');
}

static void
add_group(struct hp_buf *b, const struct hp_program *program, const char *group)
{
	const struct hp_option *o;

	hp_buf_printf(b, "\n%s:\n", group);
	for (size_t i = 0; (o = hp_program_option(program, i)); i++)
		if (strcmp(o->group, group) == 0)
			add_option(b, program, o);
}

static void
add_examples(struct hp_buf *b, const struct hp_program *program)
{
	if (!program->examples)
		return;
	hp_buf_text(b, "\nExamples:\n");
	for (const struct hp_usage_example *e = program->examples; e->command;
	     e++)
		hp_buf_printf(b, "  %s:\n    %s\n", e->what, e->command);
}

static void
add_brief_options(struct hp_buf *b, const struct hp_program *program)
{
	const struct hp_option *o;

	hp_buf_byte(b, '\n');
	for (size_t i = 0; (o = hp_program_option(program, i)); i++)
		if (o->brief)
			add_brief_option(b, program, o);
	add_examples(b, program);
}

void
hp_program_help(const struct hp_program *program, bool all, struct hp_buf *b)
{
	hp_buf_printf(b, "Usage: %s %s\n", program->name, program->usage);
	hp_text_wrap(b, program->summary, HP_HELP_WIDTH, 0, 0);
	if (!all)
		add_brief_options(b, program);
	else
		for (const char *const *g = program->groups; *g; g++)
			add_group(b, program, *g);
	if (program->epilog) {
		hp_buf_byte(b, '\n');
		hp_text_wrap(b, program->epilog, HP_HELP_WIDTH, 0, 0);
	}
	if (!all)
		hp_buf_printf(b, "All options: %s --help=all, man %s\n",
			      program->name, program->name);
}
