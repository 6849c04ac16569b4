/*
 * path_rows.h - rows of --by=path: heap growth by path
 */
#ifndef HP_DIFF_PATHS_PATH_ROWS_H
#define HP_DIFF_PATHS_PATH_ROWS_H

#include "diff/paths/path_tree.h"
#include "diff/result.h"

/**
 * hp_path_rows_make() - a row for each path, once all dumps were walked
 * @t:      gets the steps of saved results, too
 * @walked: by dump: was it? A saved result has its rows already
 *
 * Counts and bytes are of the objects on the path itself, the insides of a
 * collection with it; all rows of a dump add up to what is reachable or waits
 * for a finalizer. Paths that retain less than a millionth of every dump's
 * reachable bytes, and of its objects, are one row; of saved results that have
 * it, dumps[].untold is set. Paths that did not change themselves, or begin
 * with one that did in the same direction, are hidden. A path that matches
 * --ignore-path is ignored. So is one on the built-in list, unless it leads to
 * objects of the application or grew by more than hp_ignored_most(). Returns:
 * HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_path_rows_make(struct hp_result *r,
					     struct hp_path_tree *t,
					     const bool *walked,
					     struct hp_error *err);

#endif
