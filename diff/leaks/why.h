/*
 * why.h - the shortest paths that keep objects alive, merged to a tree (--why)
 *
 * To use it, walk each dump with hp_path_walk_run(), add the wanted objects
 * with hp_why_sums_add(), then call hp_why_make() with the path tree.
 */
#ifndef HP_DIFF_LEAKS_WHY_H
#define HP_DIFF_LEAKS_WHY_H

#include "diff/paths/path_walk.h"
#include "diff/leaks/why_tree.h"

/**
 * hp_why_sums_add() - count the wanted objects of dump @column at their path
 * steps
 * @what: a glob for class names as rows show them, or for classes themselves
 *   with "class " before the name; or the id of one object, "0x..."
 * @found: receives the number of reachable objects that match
 * @known: set to true if the dump has an object with that id, even if it is
 *   unreachable
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_why_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		struct hp_path_tree *tree, size_t column, const char *what,
		uint32_t *found, bool *known, struct hp_error *err);

/**
 * hp_why_make() - build the tree of all steps that lead to the wanted objects
 * @w: zeroed
 * @tree: with sums of the wanted objects only
 * @rows: the rows of the steps; rows that gained objects from other paths get
 *   moved_count and moved_from
 *
 * The children of a node are sorted by the number of wanted objects in the last
 * dump, largest first, then by name. A node has not grown if its new objects
 * only moved there from other paths, see match_moves.h.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Call hp_why_release() after a failure
 *          also; @w owns the texts of its nodes.
 */
HP_MUST_USE enum hp_status hp_why_make(struct hp_why *w,
				       const struct hp_path_tree *tree,
				       struct hp_rows *rows,
				       struct hp_error *err);

#endif
