/*
 * terminal.h - what a terminal can do: colour, width, and how wide text is
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
 * Is @file to be coloured? auto: it is a terminal, TERM is set and not
 * "dumb", and NO_COLOR is not set to something (https://no-color.org).
 */
bool hp_color_wanted(enum hp_when when, FILE *file);

/* The escape sequences; "" for HP_COLOR_NONE. End with hp_color_end(). */
const char *hp_color_begin(enum hp_color color);
const char *hp_color_end(enum hp_color color);

/*
 * The columns of @file: those of the terminal, or of COLUMNS if that is a
 * number from 20 to 10000; 0 if @file is no terminal and COLUMNS is not set.
 */
unsigned hp_terminal_width(FILE *file);

/*
 * First of all: descriptors 0 to 2 that are closed are taken, so that no file
 * gets them and messages end up in it. Using them fails as before.
 */
void hp_streams_guard(void);

/* Is @file a terminal whose cursor can be sent back? */
bool hp_terminal_live(FILE *file);

/**
 * hp_text_width() - the columns that valid UTF-8 without controls takes
 *
 * East Asian wide and full-width code points and emoji are 2, combining and
 * format ones 0, a byte that is no UTF-8 is 1.
 * Source: Unicode 14, East Asian Width and general categories Mn, Me, Cf
 */
size_t hp_text_width(const void *text, size_t len);

/*
 * The longest beginning of @text that takes at most @columns: its bytes. And
 * the longest end that does: where it begins.
 */
size_t hp_text_head(const void *text, size_t len, size_t columns);
size_t hp_text_tail(const void *text, size_t len, size_t columns);

#endif
