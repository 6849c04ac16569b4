/*
 * fillers.h - int[] that nothing references, in dumps of HotSpot
 *
 * Collectors plug dead space with arrays that dumps show as int[]. Which ones
 * these are is not said; those that nothing references are the estimate.
 */
#ifndef HP_DIFF_COUNT_FILLERS_H
#define HP_DIFF_COUNT_FILLERS_H

#include "diff/count/histogram.h"

/* Does the dump load a class of filler objects or arrays? */
bool hp_fillers_loaded(const struct hp_histogram *g);

/* Is it of a HotSpot whose fillers have no class of their own (before 19)? */
bool hp_fillers_nameless(const struct hp_histogram *g);

/**
 * hp_fillers_find() - fill in g->fillers, after hp_histogram_run()
 * @src: rewound and read twice or more; it must be rewindable
 * @old: where fillers have no class: the layout, which tells where an array
 *       ends; else NULL
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_fillers_find(struct hp_histogram *g,
					   struct hp_source *src,
					   const struct hp_size_model *old,
					   struct hp_error *err);

#endif
