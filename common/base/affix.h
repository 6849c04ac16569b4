/*
 * affix.h - test whether a text of known length begins or ends with a string
 */
#ifndef HP_BASE_AFFIX_H
#define HP_BASE_AFFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Whether the @n bytes at @text begin, or end, with a C string. The empty
 * string always matches.
 */
static inline bool
hp_begins_with(const char *text, size_t n, const char *begin)
{
	size_t length = strlen(begin);

	return n >= length && memcmp(text, begin, length) == 0;
}

static inline bool
hp_ends_with(const char *text, size_t n, const char *end)
{
	size_t length = strlen(end);

	return n >= length && memcmp(text + n - length, end, length) == 0;
}

#endif
