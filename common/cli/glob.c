/*
 * glob.c - match patterns with `*` and `?`
 *
 * If a later part of the pattern does not match, the matcher goes back only to
 * the last `*` and lets it match more text. It need not go back to an earlier
 * `*`, because the last `*` can also match any text.
 */
#include "common/cli/glob.h"

static size_t
code_point_size(const uint8_t *p, size_t left)
{
	size_t n = *p < 0xC2	? 1
		   : *p < 0xE0	? 2
		   : *p < 0xF0	? 3
		   : *p <= 0xF4 ? 4
				: 1;

	if (n > left)
		return 1;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 1;
	}
	return n;
}

bool
hp_glob_match(const char *pattern, const void *text, size_t len)
{
	const uint8_t *t = text;
	/* position in the pattern after the last `*` */
	const char *after_star = NULL;
	/*
	 * `at`: the current offset in the text. `star_at`: the offset in the
	 * text at which the match of the last `*` ends.
	 */
	size_t at = 0, star_at = 0;

	while (at < len) {
		if (*pattern == '*') {
			after_star = ++pattern;
			star_at = at;
		} else if (*pattern == '?') {
			pattern++;
			at += code_point_size(t + at, len - at);
		} else if (*pattern && (uint8_t)*pattern == t[at]) {
			pattern++;
			at++;
		} else if (after_star) {
			star_at += code_point_size(t + star_at, len - star_at);
			at = star_at;
			pattern = after_star;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}
