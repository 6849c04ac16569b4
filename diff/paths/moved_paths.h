/*
 * moved_paths.h - paths that grew by what was on others before
 *
 * An object has one path, its shortest. Where a shorter one comes to be, all
 * that hangs on it changes rows, and nothing grew. Objects of two dumps cannot
 * be told to be the same, so it is guessed by class: what a class gained on
 * some paths while it lost as many on others may have moved.
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
 * A row is said to have moved if half of the instances that it has more, or
 * most of them, may have; moved_from is the path that lost most of the class
 * that it got most of. Rows that are hidden belong to those above them. Arrays
 * are no evidence: there is no telling one byte[] from another.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_moved_paths_find(const struct hp_path_tree *t, size_t last,
		    struct hp_row *const *row_of, const bool *untold,
		    struct hp_rows *rows, struct hp_error *err);

#endif
