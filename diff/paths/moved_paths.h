/*
 * moved_paths.h - paths that grew by what was on others before
 *
 * --by=path gives an object one path, its shortest. If a shorter path appears,
 * all that hangs on it changes its row although nothing grew. Such rows are
 * found by numbers, see match_moves.h.
 */
#ifndef HP_DIFF_PATHS_MOVED_PATHS_H
#define HP_DIFF_PATHS_MOVED_PATHS_H

#include "diff/paths/path_tree.h"

/**
 * hp_moved_paths_find() - set moved_count and moved_from of rows that grew
 * @t:      the paths; its first dump and @last are compared
 * @row_of: by step: its row, or NULL
 * @untold: by step: what it gained is not known
 * @rows:   owns moved_from
 *
 * A row is marked if at least half of the objects that it gained moved there;
 * moved_from is the path that most of them left. Hidden rows belong to the row
 * above. Arrays do not count: one byte[] is like any other.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_moved_paths_find(const struct hp_path_tree *t, size_t last,
		    struct hp_row *const *row_of, const bool *untold,
		    struct hp_rows *rows, struct hp_error *err);

#endif
