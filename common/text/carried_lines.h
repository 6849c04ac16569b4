/*
 * carried_lines.h - lines of a text dump that are stored in STRING records
 *
 * Some lines have no equivalent in the binary format. They are carried along as
 * text, so that nothing is lost.
 */
#ifndef HP_TEXT_CARRIED_LINES_H
#define HP_TEXT_CARRIED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The prefix of a STRING record that holds such a line. */
#define HP_TEXT_CARRIED "hprof-text: "

/*
 * The prefix of a STRING record that holds the settings of libhprof-agent. In a
 * text dump this line is in the prologue.
 */
#define HP_TEXT_SETTINGS "hprof-agent: "

/* Whether the text of a STRING record is a carried line. */
static inline bool
hp_text_is_carried(const void *text, size_t length)
{
	const size_t n = sizeof(HP_TEXT_CARRIED) - 1;

	return length >= n && memcmp(text, HP_TEXT_CARRIED, n) == 0;
}

#endif
