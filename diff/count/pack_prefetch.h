/*
 * pack_prefetch.h - several packs counted at the same time, a thread for each
 *
 * Counting one pack (pack_histogram.h) is too little work to be divided. Who
 * compares packs begins with the next ones while one is at hand. What is said,
 * and in which order, stays the same: inputs are taken one after the other, and
 * one that cannot be counted ahead is counted again when it is its turn.
 */
#ifndef HP_DIFF_COUNT_PACK_PREFETCH_H
#define HP_DIFF_COUNT_PACK_PREFETCH_H

#include "diff/count/histogram.h"

struct hp_prefetched_pack;

struct hp_pack_prefetch {
	struct hp_budget *budget;
	uint64_t share; /* bytes for each that is counted ahead; 0: no limit */
	uint64_t taken; /* bytes that they have of the budget */
	struct hp_prefetched_pack *list; /* NULL: nothing is counted ahead */
	size_t count, started, at;
	unsigned most; /* at the same time */
};

/**
 * hp_pack_prefetch_init() - prepare to count all inputs ahead
 * @paths:   inputs, @n; they stay the caller's
 * @options: as for hp_pack_histogram_run(); as many at a time as there are
 * threads
 *
 * Nothing is counted ahead unless all inputs are packs, and some. A quarter of
 * the budget is set apart for it, as long as it lasts.
 */
void hp_pack_prefetch_init(struct hp_pack_prefetch *a, char *const *paths,
			   size_t n,
			   const struct hp_histogram_options *options);

/**
 * hp_pack_prefetch_take() - the counts of input number @i, from 0 in order
 *
 * Returns: what hp_pack_histogram_run() would have made of it, to be given back
 * with
 * hp_pack_prefetch_add() before the next one is taken; NULL: the input was
 *          not counted ahead, nor will any other be.
 */
struct hp_histogram *hp_pack_prefetch_take(struct hp_pack_prefetch *a,
					   size_t i);
void hp_pack_prefetch_add(struct hp_pack_prefetch *a);

/* Also in the midst of it. */
void hp_pack_prefetch_release(struct hp_pack_prefetch *a);

#endif
