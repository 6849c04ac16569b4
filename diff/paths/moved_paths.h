/*
 * moved_paths.h - mark paths that grew only because objects moved from other
 * paths
 *
 * --by=path assigns every object to one path, its shortest. If a shorter path
 * appears, the object and everything below it change their row although nothing
 * grew. Such rows are found by comparing numbers, see match_moves.h.
 */
#ifndef HP_DIFF_PATHS_MOVED_PATHS_H
#define HP_DIFF_PATHS_MOVED_PATHS_H

#include "diff/paths/path_tree.h"

/**
 * hp_moved_paths_find() - set moved_count and moved_from of rows that grew
 * @t: the paths; the first dump is compared with dump @last
 * @row_of: by step: its row, or NULL
 * @untold: by step: true if the gain of this step is not known
 * @rows: owns moved_from
 *
 * A row is marked if at least half of the objects that it gained moved there
 * from other paths. moved_from is the path where most of them were before.
 * Hidden rows count for the row above them. Arrays are not matched, because
 * byte[] objects are too similar to tell moves from chance.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_moved_paths_find(const struct hp_path_tree *t, size_t last,
		    struct hp_row *const *row_of, const bool *untold,
		    struct hp_rows *rows, struct hp_error *err);

#endif
