/*
 * extra_pass.h - read the chosen dump again, once its classes are known
 */
#ifndef HP_DIFF_COUNT_EXTRA_PASS_H
#define HP_DIFF_COUNT_EXTRA_PASS_H

#include "diff/count/histogram.h"

/* The callbacks of an extra pass; @ctx is passed to each of them. */
struct hp_extra_pass {
	enum hp_need need;
	void *ctx;
	/*
	 * Called for each sub-record, in a worker's thread. If a large array
	 * comes in pieces, @piece is the piece, and @s->data has its elements,
	 * if it has any. Returns false if out of memory.
	 */
	bool (*sub)(void *ctx, unsigned worker, const struct hp_sub *s,
		    const struct hp_piece *piece);
	/*
	 * Called for a run of instances, which is faster than one call for
	 * each. It reads as many as hp_heap_instance() finds, and moves @at
	 * after them. NULL: sub() is called for instances also. Returns false
	 * if out of memory.
	 */
	bool (*instances)(void *ctx, unsigned worker, struct hp_heap_iter *at);
	/* Whether the pass needs a batch. NULL: it needs all batches. */
	bool (*wanted)(void *ctx, const struct hp_batch *b);
	/*
	 * Called with the Android heap of the sub-records that follow. NULL:
	 * not needed.
	 */
	void (*heap)(void *ctx, unsigned worker, uint32_t heap);
	/*
	 * Called after each batch. NULL: not needed. A status other than HP_OK
	 * ends the pass.
	 */
	enum hp_status (*batch)(void *ctx, unsigned worker,
				struct hp_error *err);
};

/**
 * hp_extra_pass_run() - read the counted dump once more
 * @src: rewound, so it must be rewindable
 *
 * Damaged records are not reported, because the first pass has reported them.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_extra_pass_run(const struct hp_histogram *g,
					     struct hp_source *src,
					     const struct hp_extra_pass *again,
					     struct hp_error *err);

#endif
