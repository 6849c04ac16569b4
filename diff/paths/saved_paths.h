/*
 * saved_paths.h - rows of saved results as steps of the tree of paths
 *
 * A saved result has its paths as texts. Taken apart they are steps as any
 * dump's, so that what is nested in what, and what moved, is found in one way.
 */
#ifndef HP_DIFF_PATHS_SAVED_PATHS_H
#define HP_DIFF_PATHS_SAVED_PATHS_H

#include "diff/paths/path_tree.h"

/**
 * hp_saved_paths_add() - a step for each row, and its sums
 * @t:     gets the steps that no dump has
 * @rows:  those of saved results, and no others yet
 * @saved: by dump: is it a saved result?
 *
 * Counts of a row are those of the first step that is told as it. A row whose
 * key is no path (that of small ones) has no step.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_saved_paths_add(struct hp_path_tree *t,
					      const struct hp_rows *rows,
					      const bool *saved,
					      struct hp_error *err);

/**
 * hp_saved_paths_tell() - what saved results have to tell beside keys
 * @row_of: by step: its row, or NULL
 * @rows:   each whose path begins with a static field gets hp_row.within
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_saved_paths_tell(const struct hp_path_tree *t,
					       struct hp_row *const *row_of,
					       struct hp_rows *rows,
					       struct hp_error *err);

#endif
