/*
 * help.h - the text of --help, from the option tables
 */
#ifndef HP_OPTIONS_HELP_H
#define HP_OPTIONS_HELP_H

#include "common/options/option_table.h"

/* The text of --help, wrapped at 80 columns. */
void hp_program_help(const struct hp_program *program, struct hp_buf *b);

/**
 * hp_text_wrap() - append a text in lines of at most @width columns, and end it
 * @at:     where the line that is begun stands
 * @indent: where further ones begin
 *
 * A line feed in @text begins a new line.
 */
void hp_text_wrap(struct hp_buf *b, const char *text, size_t width, size_t at,
		  size_t indent);

#endif
