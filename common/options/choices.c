/*
 * choices.c - the possible arguments of options. They are used to check the
 * command line, for --help, and for shell completions
 */
#include "common/options/options.h"

#include <string.h>

bool
hp_option_takes_argument(const struct hp_option *o)
{
	return o->argument || o->choices;
}

const char *const *
hp_option_choices(const struct hp_program *program, const struct hp_option *o)
{
	return o->id == HP_COMMON_FORMAT ? program->formats : o->choices;
}

static void
join(struct hp_buf *b, const char *const *words, const char *between)
{
	for (size_t i = 0; words && words[i]; i++) {
		hp_buf_text(b, i > 0 ? between : "");
		hp_buf_text(b, words[i]);
	}
}

void
hp_option_argument(const struct hp_program *program, const struct hp_option *o,
		   struct hp_buf *b)
{
	if (o->argument)
		hp_buf_text(b, o->argument);
	else
		join(b, hp_option_choices(program, o), "|");
}

int
hp_choice_find(const char *const *choices, const char *text, size_t len)
{
	for (int i = 0; choices[i]; i++)
		if (strlen(choices[i]) == len &&
		    memcmp(choices[i], text, len) == 0)
			return i;
	return -1;
}

enum hp_status
hp_choice_unknown(const char *const *choices, const char *text, size_t len,
		  struct hp_error *err)
{
	const char *near = hp_suggest(text, len, choices);
	struct hp_buf list = {0};
	int shown = (int)(len < 80 ? len : 80);

	join(&list, choices, ", ");
	hp_fail(err, HP_DAMAGED, "'%.*s': expected one of %.200s%s%s%s", shown,
		text, hp_buf_string(&list), near ? "; did you mean '" : "",
		near ? near : "", near ? "'?" : "");
	hp_buf_release(&list);
	return HP_DAMAGED;
}

static const char *
shape_name(const struct hp_program *program, const struct hp_option *o)
{
	static const char *const names[] = {"one", "list", "head", "pair"};

	if (!hp_option_takes_argument(o))
		return "none";
	if (hp_option_choices(program, o))
		return names[o->shape];
	return strcmp(o->argument, "FILE") == 0 ? "file" : "text";
}

void
hp_program_list_options(const struct hp_program *program, struct hp_buf *b)
{
	const struct hp_option *o;

	for (size_t i = 0; (o = hp_program_option(program, i)); i++) {
		hp_buf_printf(b, "--%s\t", o->name);
		if (o->letter)
			hp_buf_printf(b, "-%c", o->letter);
		hp_buf_printf(b, "\t%s%s\t", shape_name(program, o),
			      o->optional ? "?" : "");
		join(b, hp_option_choices(program, o), " ");
		hp_buf_byte(b, '\t');
		join(b, o->values, " ");
		hp_buf_printf(b, "\t%s\n", o->help);
	}
}
