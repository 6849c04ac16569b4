/*
 * texts_pass.h - the passes over a dump that was counted for texts of Strings
 */
#ifndef HP_DIFF_COUNT_TEXTS_PASS_H
#define HP_DIFF_COUNT_TEXTS_PASS_H

#include "common/model/java_texts.h"
#include "diff/count/histogram.h"

struct hp_texts_pass {
	struct hp_java_texts texts;
	const struct hp_histogram *g; /* of the dump */
	bool arrays; /* the arrays of all Strings are wanted besides */
	/* May a batch have any of what is wanted? NULL: each may. */
	bool (*may_have)(const void *context, const struct hp_batch *b);
	const void *context;
	uint64_t noted; /* bytes, for the budget; 0 at first */
};

/**
 * hp_texts_pass_run() - read what is wanted; up to two passes, one with
 * @arrays
 * @src: is rewound and read again
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; what hp_scan() returns.
 * Ownership: hp_texts_pass_release() in any case, the texts with it.
 */
HP_MUST_USE enum hp_status hp_texts_pass_run(struct hp_texts_pass *t,
					     struct hp_source *src,
					     struct hp_error *err);
void hp_texts_pass_release(struct hp_texts_pass *t);

#endif
