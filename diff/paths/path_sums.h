/*
 * path_sums.h - sum up the objects at each path step, and what they retain
 */
#ifndef HP_DIFF_PATHS_PATH_SUMS_H
#define HP_DIFF_PATHS_PATH_SUMS_H

#include "diff/paths/path_walk.h"

/**
 * hp_path_sums_add() - compute the sums of all steps in dump @column
 * @t: its finalizer queue is filled in; objects that a finalizer keeps alive
 *   count as retained by it
 * @by_kind: by kind: true if its objects count; NULL: all objects count
 * @wanted: count this node also, whatever its kind; HP_NO_NODE: none
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_path_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		 struct hp_path_tree *tree, size_t column, const bool *by_kind,
		 uint32_t wanted, struct hp_error *err);

#endif
