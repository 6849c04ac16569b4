/*
 * suggest.c - find the most similar word by edit distance
 */
#include "common/options/options.h"

#include <stdint.h>
#include <string.h>

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t
hp_edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	/*
	 * the last three rows of the table for dynamic programming: cell (i, j)
	 * is the edit distance between the first i bytes of one word and the
	 * first j bytes of the other word
	 */
	size_t rows[3][HP_SUGGEST_MAX + 1];

	if (a_len > HP_SUGGEST_MAX || b_len > HP_SUGGEST_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			row[j] = least(above[j], row[j - 1]) + 1;
			row[j] = least(row[j],
				       above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = least(row[j],
					       rows[(i + 1) % 3][j - 2] + 1);
		}
	}
	return rows[a_len % 3][b_len];
}

const char *
hp_suggest(const char *text, size_t len, const char *const *words)
{
	size_t nearest = len / 3 > 1 ? len / 3 : 1;
	const char *found = NULL;

	for (; *words; words++) {
		size_t n = strlen(*words);
		size_t d = hp_edit_distance(text, len, *words, n);

		if (d < nearest || (d == nearest && !found)) {
			nearest = d;
			found = *words;
		}
	}
	return found;
}
