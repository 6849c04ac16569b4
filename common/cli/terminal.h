/*
 * terminal.h - the abilities of a terminal (colour, width), and the width of
 * text
 */
#ifndef HP_CLI_TERMINAL_H
#define HP_CLI_TERMINAL_H

#include "common/base/buf.h"

/* The values of --color and --progress. */
enum hp_when {
	HP_AUTO,
	HP_ALWAYS,
	HP_NEVER,
};

enum hp_color {
	HP_COLOR_NONE,
	HP_COLOR_RED,	 /* errors, growth */
	HP_COLOR_GREEN,	 /* good, shrinking */
	HP_COLOR_YELLOW, /* warnings */
	HP_COLOR_CYAN,
	HP_COLOR_BOLD,
};

/*
 * Whether output to @file should be coloured. With auto: if it is a terminal,
 * TERM is set and not "dumb", and NO_COLOR is unset or empty
 * (https://no-color.org).
 */
bool hp_color_wanted(enum hp_when when, FILE *file);

/* The escape sequences that begin and end a colour; "" for HP_COLOR_NONE. */
const char *hp_color_begin(enum hp_color color);
const char *hp_color_end(enum hp_color color);

/*
 * The width of @file in columns: COLUMNS if it is a number from 20 to 10000,
 * otherwise the width of the terminal; 0 if @file is not a terminal.
 */
unsigned hp_terminal_width(FILE *file);

/*
 * Open the descriptors 0 to 2 if they are closed. Otherwise a file could get
 * one of them, and messages would be written into it. Reading and writing them
 * still fails. Call this before anything else.
 */
void hp_streams_guard(void);

/* Whether @file is a terminal that can move its cursor back. */
bool hp_terminal_live(FILE *file);

/**
 * hp_text_width() - the number of columns that a text needs
 *
 * The text is valid UTF-8 without control characters. East Asian wide and
 * full-width code points and emoji need 2 columns, combining and format
 * characters 0, and a byte that is not UTF-8 needs 1.
 *
 * Source: Unicode 14, East Asian Width and general categories Mn, Me, Cf
 */
size_t hp_text_width(const void *text, size_t len);

/*
 * The longest beginning of @text that needs at most @columns: returns its
 * length in bytes. And the longest end: returns the offset where it begins.
 */
size_t hp_text_head(const void *text, size_t len, size_t columns);
size_t hp_text_tail(const void *text, size_t len, size_t columns);

#endif
