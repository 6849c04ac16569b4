/*
 * saved_paths.h - add the rows of saved results to the path tree
 *
 * A saved result has its paths as texts. They are parsed into steps like those
 * of dumps, so that the same code hides nested paths and finds moved objects.
 */
#ifndef HP_DIFF_PATHS_SAVED_PATHS_H
#define HP_DIFF_PATHS_SAVED_PATHS_H

#include "diff/paths/path_tree.h"

/**
 * hp_saved_paths_add() - add a step for each row of a saved result, and its
 * sums
 * @t: receives the steps that no dump has
 * @rows: the rows of saved results, and no others yet
 * @saved: by dump: true if it is a saved result
 *
 * The sums of a row go to the first step that has the text of the row. A row
 * whose key is no path gets no step, for example the row of small paths.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_saved_paths_add(struct hp_path_tree *t,
					      const struct hp_rows *rows,
					      const bool *saved,
					      struct hp_error *err);

/**
 * hp_saved_paths_tell() - store in rows what a saved result needs besides the
 * keys
 * @row_of: by step: its row, or NULL
 * @rows: hp_row.within is set for each path that starts with a static field, to
 *   the path that keeps the class of the field alive
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_saved_paths_tell(const struct hp_path_tree *t,
					       struct hp_row *const *row_of,
					       struct hp_rows *rows,
					       struct hp_error *err);

#endif
