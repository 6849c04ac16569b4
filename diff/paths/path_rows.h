/*
 * path_rows.h - rows of --by=path: heap growth by path
 */
#ifndef HP_DIFF_PATHS_PATH_ROWS_H
#define HP_DIFF_PATHS_PATH_ROWS_H

#include "diff/paths/path_tree.h"
#include "diff/result.h"

/**
 * hp_path_rows_make() - make a row for each path, after all dumps were walked
 * @t: also receives the steps of saved results
 * @walked: by dump: true if it was walked; false for a saved result, whose rows
 *   exist already
 *
 * The count and bytes of a row are those of the objects on the path itself,
 * with the internals of a collection. All rows of a dump add up to the objects
 * that are reachable or wait for a finalizer.
 *
 * Paths that are small in every dump share one row: they retain less than a
 * millionth of the reachable bytes and objects. For a saved result with such a
 * row, dumps[].untold is set.
 *
 * A path is hidden if it did not change, or if it continues a path that changed
 * in the same direction. A path that matches --ignore-path is ignored. A path
 * of the built-in list is ignored also, unless it leads to objects of the
 * application or grew by more than hp_ignored_most().
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_path_rows_make(struct hp_result *r,
					     struct hp_path_tree *t,
					     const bool *walked,
					     struct hp_error *err);

#endif
