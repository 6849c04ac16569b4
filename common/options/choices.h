/*
 * choices.h - the possible arguments of options
 */
#ifndef HP_OPTIONS_CHOICES_H
#define HP_OPTIONS_CHOICES_H

#include "common/options/option_table.h"

/* Whether an option takes an argument, even if it is optional. */
bool hp_option_takes_argument(const struct hp_option *o);

/*
 * The possible arguments of an option, ending with NULL; NULL: anything. For
 * --format these are the program's formats.
 */
const char *const *hp_option_choices(const struct hp_program *program,
				     const struct hp_option *o);

/*
 * Append the name of the argument: "SIZE", "on|off". Appends nothing if the
 * option takes none.
 */
void hp_option_argument(const struct hp_program *program,
			const struct hp_option *o, struct hp_buf *b);

/* The index of @text in a list that ends with NULL; -1 if it is not there. */
int hp_choice_find(const char *const *choices, const char *text, size_t len);

/**
 * hp_choice_unknown() - fail because @text is not one of @choices
 *
 * The text of the failure lists the choices, and suggests a similar one if
 * there is one.
 *
 * Returns: HP_DAMAGED.
 */
enum hp_status hp_choice_unknown(const char *const *choices, const char *text,
				 size_t len, struct hp_error *err);

/**
 * hp_program_list_options() - append the table of options for shell completions
 *
 * There is one line per option. Its fields are separated by tabs: --name;
 * -letter or nothing; the shape of the argument; the choices and the values of
 * a pair, both separated by spaces; the help text. Shapes are none, text, file,
 * one, list, head and pair, followed by '?' if the argument is optional.
 */
void hp_program_list_options(const struct hp_program *program,
			     struct hp_buf *b);

#endif
