/*
 * format_suffix.c - find the output format for the suffix of a file
 *
 * Each program's table of formats has the suffixes.
 */
#include "common/options/options.h"

#include <string.h>
#include <strings.h>

/*
 * Whether the path ends with one of the suffixes, which are separated by
 * spaces.
 */
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
