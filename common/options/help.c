/*
 * help.c - the text of --help, from the option tables
 *
 * Everything is wrapped, within 80 columns. Parsing is in options.c.
 */
#include "common/options/help.h"

#include "common/options/choices.h"
#include "common/options/common_options.h"

#define HP_HELP_WIDTH 79
#define HP_HELP_COLUMN 26 /* where the descriptions begin */

void
hp_text_wrap(struct hp_buf *b, const char *text, size_t width, size_t at,
	     size_t indent)
{
	bool first = true; /* no word on this line yet */

	while (*text) {
		size_t n = strcspn(text, " \n");
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

/* "  -o, --output=FILE": appends it and returns its width. */
static size_t
add_option_name(struct hp_buf *b, const struct hp_program *program,
		const struct hp_option *o)
{
	size_t begin = b->len;

	hp_buf_text(b, "  ");
	if (o->letter)
		hp_buf_printf(b, "-%c, ", o->letter);
	else
		hp_buf_text(b, "    ");
	hp_buf_printf(b, "--%s", o->name);
	if (o->argument || o->choices) {
		hp_buf_text(b, o->optional ? "[=" : "=");
		hp_option_argument(program, o, b);
		hp_buf_text(b, o->optional ? "]" : "");
	}
	return b->len - begin;
}

/* "text (default), json, sarif" behind the description of --format. */
static void
add_formats(struct hp_buf *b, const struct hp_program *program)
{
	hp_buf_text(b, ": ");
	for (const char *const *f = program->formats; *f; f++) {
		if (f != program->formats)
			hp_buf_text(b, ", ");
		hp_buf_text(b, *f);
		if (f == program->formats)
			hp_buf_text(b, " (default)");
	}
}

static void
add_option(struct hp_buf *b, const struct hp_program *program,
	   const struct hp_option *o)
{
	struct hp_buf text = {0};
	size_t at = add_option_name(b, program, o);

	hp_buf_text(&text, o->help);
	if (program->formats && o->id >= HP_OPTION_COMMON &&
	    strcmp(o->name, "format") == 0)
		add_formats(&text, program);
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

void
hp_program_help(const struct hp_program *program, struct hp_buf *b)
{
	const struct hp_option *o;

	hp_buf_printf(b, "Usage: %s %s\n\n", program->name, program->usage);
	hp_text_wrap(b, program->summary, HP_HELP_WIDTH, 0, 0);
	if (program->option_count)
		hp_buf_text(b, "\nOptions:\n");
	for (size_t i = 0; (o = hp_program_option(program, i)); i++) {
		if (i == program->option_count)
			hp_buf_text(b, "\nCommon options:\n");
		add_option(b, program, o);
	}
	if (program->epilog) {
		hp_buf_byte(b, '\n');
		hp_text_wrap(b, program->epilog, HP_HELP_WIDTH, 0, 0);
	}
}
