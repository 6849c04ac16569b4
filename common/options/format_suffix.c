/*
 * format_suffix.c - looks a file's suffix up in the list of each format
 *
 * The lists stand in the programs' tables of formats.
 */
#include "common/options/format_suffix.h"

#include <string.h>
#include <strings.h>

/* Does the path end with one of the suffixes, which have spaces between? */
static bool
has_suffix(const char *suffixes, const char *path, size_t len)
{
	size_t n;

	for (; *suffixes; suffixes += n + (suffixes[n] == ' ')) {
		n = strcspn(suffixes, " ");
		if (n < len && path[len - n - 1] != '/' &&
		    strncasecmp(path + len - n, suffixes, n) == 0)
			return true;
	}
	return false;
}

int
hp_format_by_suffix(const char *const *suffixes, const char *path, size_t len,
		    int given)
{
	int first = -1;

	for (int i = 0; suffixes[i]; i++) {
		if (!has_suffix(suffixes[i], path, len))
			continue;
		if (i == given)
			return given;
		if (first < 0)
			first = i;
	}
	return first < 0 ? given : first;
}
