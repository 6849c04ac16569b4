/*
 * internal.h - parts of a saved JSON result that several files read
 */
#ifndef HP_DIFF_RESULT_INTERNAL_H
#define HP_DIFF_RESULT_INTERNAL_H

#include "common/object_ids/id_map.h"
#include "diff/result/result.h"

#include <jansson.h>
#include <string.h>

/*
 * Returns the text of the member @key of a JSON object, or NULL if the object
 * has no such text.
 */
static inline const char *
hp_saved_word(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* Whether the member @key of a JSON object is a text that equals @word. */
static inline bool
hp_saved_is_word(const json_t *object, const char *key, const char *word)
{
	const char *text = hp_saved_word(object, key);

	return text && strcmp(text, word) == 0;
}

/* Read an integer that is not negative. Returns false if @j is none. */
static inline bool
hp_saved_u64(const json_t *j, uint64_t *out)
{
	if (!json_is_integer(j) || json_integer_value(j) < 0)
		return false;
	*out = (uint64_t)json_integer_value(j);
	return true;
}

/*
 * Returns a text of a saved result with control characters escaped as in
 * cli/escape.h: the text of @j itself if nothing must be escaped, else a copy.
 * Earlier versions did not escape invisible characters and commands to CI
 * systems.
 *
 * Returns NULL if @j is not a text, if it has control characters (which no
 * version saves), or if out of memory.
 */
const char *hp_saved_text(struct hp_arena *arena, const json_t *j);

/* The state while the rows of a saved result are read. */
struct hp_saved_rows {
	struct hp_result *r;
	struct hp_rows *into;
	size_t column;
	/* the file has schema 1, in which some columns have other names */
	bool old;
	/* the columns for which the file has values, one bit for each */
	unsigned columns;
	/* for each column: the sum of the values of all rows */
	uint64_t sums[HP_COLS];
	/*
	 * the rows that were read so far, to find duplicates: a set of numbers,
	 * each 1 + the index of a row
	 */
	struct hp_id_map seen;
	bool twice; /* reading failed because a row occurs twice in the file */
};

/*
 * Read the sum of all rows. It includes rows that --heap has hidden in the
 * saved result. Returns false if a value is missing.
 */
bool hp_saved_total_read(const struct hp_saved_rows *w, const json_t *root,
			 uint64_t sums[HP_COLS]);

/*
 * Read the rows of a saved result. Returns NULL, or a text that says what is
 * wrong.
 *
 * @sums: receives the totals of the columns by which rows are sorted
 */
const char *hp_saved_rows_read(struct hp_saved_rows *w, const json_t *rows,
			       const uint64_t sums[HP_COLS]);

#endif
