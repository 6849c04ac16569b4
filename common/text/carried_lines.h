/*
 * carried_lines.h - lines of the text that STRING records hold, since no record
 * has a place for them
 */
#ifndef HP_TEXT_CARRIED_LINES_H
#define HP_TEXT_CARRIED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What a STRING record begins with that holds a line of the text. */
#define HP_TEXT_CARRIED "hprof-text: "

/*
 * What a STRING record begins with that says how libhprof-agent made the file;
 * in a text the line stands in the prologue.
 */
#define HP_TEXT_SETTINGS "hprof-agent: "

/* Is the text of a STRING record such a line? */
static inline bool
hp_text_is_carried(const void *text, size_t length)
{
	const size_t n = sizeof(HP_TEXT_CARRIED) - 1;

	return length >= n && memcmp(text, HP_TEXT_CARRIED, n) == 0;
}

#endif
