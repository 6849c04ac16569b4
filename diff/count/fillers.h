/*
 * fillers.h - int[] that nothing references, in dumps of HotSpot
 *
 * Collectors plug dead space with arrays that dumps show as int[]. Which ones
 * these are is not said; those that nothing references are the estimate.
 */
#ifndef HP_DIFF_COUNT_FILLERS_H
#define HP_DIFF_COUNT_FILLERS_H

#include "diff/count/histogram.h"

/**
 * hp_fillers_find() - fill in g->fillers where the dump is one that has some,
 * after hp_histogram_run()
 * @src: rewound and read twice or more; it must be rewindable
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_fillers_find(struct hp_histogram *g,
					   struct hp_source *src,
					   struct hp_error *err);

#endif
