/*
 * format_suffix.c - find the output format for the suffix of a file
 *
 * Each program passes the suffixes of its formats.
 */
#include "common/options/options.h"

#include <string.h>
#include <strings.h>

/*
 * Returns the length of the longest suffix in @suffixes with which the path
 * ends; 0 if there is none. @suffixes: separated by spaces, such as ".html
 * .htm".
 */
static size_t
suffix_length(const char *suffixes, const char *path, size_t len)
{
	size_t n, longest = 0;

	for (; *suffixes; suffixes += n + (suffixes[n] == ' ')) {
		n = strcspn(suffixes, " ");
		if (n < len && path[len - n - 1] != '/' &&
		    strncasecmp(path + len - n, suffixes, n) == 0 &&
		    n > longest)
			longest = n;
	}
	return longest;
}

int
hp_format_by_suffix(const char *const *suffixes, const char *path, size_t len,
		    int given)
{
	size_t longest = 0, n;
	int found = given;

	for (int i = 0; suffixes[i]; i++) {
		n = suffix_length(suffixes[i], path, len);
		if (n > 0 && i == given)
			return given;
		/*
		 * The longest suffix decides, because ".speedscope.json" is
		 * more specific than ".json".
		 */
		if (n > longest) {
			longest = n;
			found = i;
		}
	}
	return found;
}
