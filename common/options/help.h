/*
 * help.h - the text of --help, from the option tables
 */
#ifndef HP_OPTIONS_HELP_H
#define HP_OPTIONS_HELP_H

#include "common/options/option_table.h"

/**
 * hp_program_help() - append the text of --help or --help=all
 * @all: list every option, by groups; otherwise only those with a brief text
 *
 * Lines have at most 79 columns. Without @all a program's help fits on a screen
 * of 40 lines; tests/cli/help.sh checks it.
 */
void hp_program_help(const struct hp_program *program, bool all,
		     struct hp_buf *b);

/**
 * hp_text_wrap() - append a text in lines of at most @width columns
 * @at:     columns that the current line already has
 * @indent: columns to indent the following lines
 *
 * A line feed in @text begins a new line. A line feed also ends the last line.
 */
void hp_text_wrap(struct hp_buf *b, const char *text, size_t width, size_t at,
		  size_t indent);

#endif
