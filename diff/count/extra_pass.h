/*
 * extra_pass.h - extra passes over the chosen dump, once its classes are known
 */
#ifndef HP_DIFF_COUNT_EXTRA_PASS_H
#define HP_DIFF_COUNT_EXTRA_PASS_H

#include "diff/count/histogram.h"

/* What a pass does; @ctx is its own. */
struct hp_extra_pass {
	enum hp_need need;
	void *ctx;
	/*
	 * A sub-record, on a worker's thread. Of an array that comes in pieces
	 * @piece is the piece, with @s->data its elements here, if there are
	 * any. False: out of memory.
	 */
	bool (*sub)(void *ctx, unsigned worker, const struct hp_sub *s,
		    const struct hp_piece *piece);
	/*
	 * Instances side by side, where that is faster than one by one: as many
	 * as hp_heap_instance() finds from @at on, which moves behind them.
	 * NULL: sub() has them, too. False: out of memory.
	 */
	bool (*instances)(void *ctx, unsigned worker, struct hp_heap_iter *at);
	/* Has the batch anything for the pass? NULL: each of them has. */
	bool (*wanted)(void *ctx, const struct hp_batch *b);
	/* The Android heap of the sub-records that follow; may be NULL. */
	void (*heap)(void *ctx, unsigned worker, uint32_t heap);
	/* After each batch; may be NULL. Not HP_OK ends the pass. */
	enum hp_status (*batch)(void *ctx, unsigned worker,
				struct hp_error *err);
};

/**
 * hp_extra_pass_run() - read the dump that was counted once more
 * @src: rewound; it must be rewindable
 *
 * Framing trouble was told by the first pass and is not told again.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_extra_pass_run(const struct hp_histogram *g,
					     struct hp_source *src,
					     const struct hp_extra_pass *again,
					     struct hp_error *err);

#endif
