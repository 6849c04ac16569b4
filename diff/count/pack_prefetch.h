/*
 * pack_prefetch.h - count several packs ahead, one thread for each
 *
 * Counting one pack (pack_histogram.h) is too little work to be divided between
 * threads. So a comparison of packs counts the next packs while it handles one.
 * Messages and their order do not change: inputs are taken one after the other.
 * An input that cannot be counted ahead is counted again in its turn.
 */
#ifndef HP_DIFF_COUNT_PACK_PREFETCH_H
#define HP_DIFF_COUNT_PACK_PREFETCH_H

#include "diff/count/histogram.h"

struct hp_prefetched_pack;

struct hp_pack_prefetch {
	struct hp_budget *budget;
	/* bytes for each pack that is counted ahead; 0: no limit */
	uint64_t share;
	uint64_t taken;			 /* bytes reserved in the budget */
	struct hp_prefetched_pack *list; /* NULL: nothing is counted ahead */
	size_t count, started, at;
	unsigned most; /* maximum number of packs counted at the same time */
};

/**
 * hp_pack_prefetch_init() - prepare to count all inputs ahead
 * @paths: @n inputs; borrowed
 * @options: as for hp_pack_histogram_run(); its number of threads is the number
 *   of packs counted at the same time
 *
 * Does nothing unless there are several inputs and all are packs. Reserves a
 * quarter of the memory budget.
 */
void hp_pack_prefetch_init(struct hp_pack_prefetch *a, char *const *paths,
			   size_t n,
			   const struct hp_histogram_options *options);

/**
 * hp_pack_prefetch_take() - get the counts of input @i; call it for 0, 1, 2 ...
 *
 * Returns: the result of hp_pack_histogram_run(). The caller must return it
 *          with hp_pack_prefetch_add() before it takes the next one. NULL: this
 *          input was not counted ahead, and no further one will be.
 */
struct hp_histogram *hp_pack_prefetch_take(struct hp_pack_prefetch *a,
					   size_t i);
void hp_pack_prefetch_add(struct hp_pack_prefetch *a);

/* Free everything; allowed at any time, even while threads are counting. */
void hp_pack_prefetch_release(struct hp_pack_prefetch *a);

#endif
