/*
 * baseline.h - read a saved JSON result of a dump, so that other dumps can be
 * compared with it; the dump itself is not needed
 */
#ifndef HP_DIFF_RESULT_BASELINE_H
#define HP_DIFF_RESULT_BASELINE_H

#include "diff/result/result.h"

/**
 * hp_baseline_peek() - find out whether the input is a saved JSON result
 * instead of a dump
 *
 * Looks at the first bytes of the source, but does not consume them.
 *
 * Returns: HP_OK, HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_baseline_peek(struct hp_source *src, bool *saved,
					    struct hp_error *err);

/*
 * Read the measured sizes of a saved result. Returns false if they are not
 * valid, or if out of memory. @root: a json_t of jansson.
 */
struct json_t;
HP_MUST_USE bool hp_listed_sizes_read(const struct json_t *root,
				      struct hp_arena *arena,
				      struct hp_listed_sizes *out);

/**
 * hp_baseline_load() - read a saved result, and add its values to the rows
 *
 * @records: receives the rows of the saved result if they were made from ALLOC
 *   SITES records
 * @is_records: set to true if @records has received them
 *
 * Refuses a result that was saved with another schema, --by key or --normalize,
 * and a result of several dumps. The memory layouts of saved results and dumps
 * are compared later, when all inputs have been read.
 *
 * Returns: HP_EXIT_OK; HP_EXIT_TROUBLE after printing a message.
 */
int hp_baseline_load(struct hp_result *r, struct hp_rows *records,
		     bool *is_records, const struct hp_diff_options *o,
		     size_t column, const char *path, struct hp_source *src,
		     const struct hp_messages *m);

#endif
