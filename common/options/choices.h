/*
 * choices.h - what the argument of an option may be
 */
#ifndef HP_OPTIONS_CHOICES_H
#define HP_OPTIONS_CHOICES_H

#include "common/options/option_table.h"

/* Has it an argument, which may be optional? */
bool hp_option_takes_argument(const struct hp_option *o);

/* What an option's argument may be; of --format that is the program's. */
const char *const *hp_option_choices(const struct hp_program *program,
				     const struct hp_option *o);

/* Appends the argument's name: "SIZE", "on|off"; nothing if it takes none. */
void hp_option_argument(const struct hp_program *program,
			const struct hp_option *o, struct hp_buf *b);

/* The place of @text in a list that ends with NULL; -1: it is not there. */
int hp_choice_find(const char *const *choices, const char *text, size_t len);

/**
 * hp_choice_unknown() - a usage error: @text is none of @choices
 *
 * Names them, and the nearest one if one is near.
 * Returns: HP_DAMAGED.
 */
enum hp_status hp_choice_unknown(const char *const *choices, const char *text,
				 size_t len, struct hp_error *err);

/**
 * hp_program_list_options() - the option table for completions
 *
 * A line for each option, with tabs between: --name, -letter or nothing, the
 * shape of its argument, the choices with spaces between, likewise the values
 * of a pair, the help. Shapes: none, text, file, one, list, head, pair; with a
 * '?' behind if the argument may be left out.
 */
void hp_program_list_options(const struct hp_program *program,
			     struct hp_buf *b);

#endif
