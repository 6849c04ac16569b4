/*
 * fillers.h - find unreferenced int[] in dumps of HotSpot
 *
 * Garbage collectors fill dead space with filler arrays, which dumps show as
 * int[]. A dump does not mark them. Therefore all int[] to which nothing refers
 * are taken as an estimate.
 */
#ifndef HP_DIFF_COUNT_FILLERS_H
#define HP_DIFF_COUNT_FILLERS_H

#include "diff/count/histogram.h"

/**
 * hp_fillers_find() - set g->fillers if the dump can have filler arrays, after
 * hp_histogram_run()
 * @src: rewound and read at least twice; it must be rewindable
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_fillers_find(struct hp_histogram *g,
					   struct hp_source *src,
					   struct hp_error *err);

#endif
