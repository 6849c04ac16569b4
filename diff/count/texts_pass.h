/*
 * texts_pass.h - read the texts of String objects in extra passes over a
 * counted dump
 */
#ifndef HP_DIFF_COUNT_TEXTS_PASS_H
#define HP_DIFF_COUNT_TEXTS_PASS_H

#include "common/model/java_texts.h"
#include "diff/count/histogram.h"

struct hp_texts_pass {
	struct hp_java_texts texts;
	const struct hp_histogram *g; /* the histogram of the dump */
	/* also read the arrays of all Strings in the first pass */
	bool arrays;
	/*
	 * Whether a batch may have any wanted String or array. NULL: every
	 * batch may.
	 */
	bool (*may_have)(const void *context, const struct hp_batch *b);
	const void *context;
	uint64_t noted; /* bytes charged to the memory budget; 0 at first */
};

/**
 * hp_texts_pass_run() - read the wanted texts in up to two passes, or in one
 * pass with @arrays
 * @src: rewound and read again
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 * Ownership: call hp_texts_pass_release() after a failure also; it frees the
 * texts.
 */
HP_MUST_USE enum hp_status hp_texts_pass_run(struct hp_texts_pass *t,
					     struct hp_source *src,
					     struct hp_error *err);
void hp_texts_pass_release(struct hp_texts_pass *t);

#endif
