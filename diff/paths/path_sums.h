/*
 * path_sums.h - how many objects are at each step, and what they retain
 */
#ifndef HP_DIFF_PATHS_PATH_SUMS_H
#define HP_DIFF_PATHS_PATH_SUMS_H

#include "diff/paths/path_walk.h"

/**
 * hp_path_sums_add() - what the objects at each step are in dump @column
 * @t:       its queue is filled in; what a finalizer keeps counts as retained
 * by it
 * @by_kind: of the graph: which objects count; NULL: all
 * @wanted:  count this node, whatever its kind; HP_NO_NODE: none
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_path_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		 struct hp_path_tree *tree, size_t column, const bool *by_kind,
		 uint32_t wanted, struct hp_error *err);

#endif
