/*
 * why.h - who keeps the objects of some classes: their paths, merged to a tree
 *
 * How to use it: walk each dump with hp_path_walk_run(), add up what is asked
 * about with hp_why_sums_add(), then hp_why_make() with the tree of paths.
 */
#ifndef HP_DIFF_LEAKS_WHY_H
#define HP_DIFF_LEAKS_WHY_H

#include "diff/paths/path_walk.h"
#include "diff/leaks/why_tree.h"

/**
 * hp_why_sums_add() - what of dump @column is asked about, by its steps
 * @what:  a glob for names of classes as rows have them, for classes themselves
 *         with "class " before; or the id of an object, "0x..."
 * @found: how many objects that are, of those that the roots reach
 * @known: set if there is an object with that id, whether they reach it or not
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_why_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		struct hp_path_tree *tree, size_t column, const char *what,
		uint32_t *found, bool *known, struct hp_error *err);

/**
 * hp_why_make() - the tree of all steps that lead to objects
 * @w:    zeroed
 * @tree: its sums are of what is asked about
 * @rows: those of the steps; rows that gained objects from other paths get
 *        moved_count and moved_from
 *
 * The children of a node are sorted: first the one that leads to most objects
 * of the last dump; equal ones by name. A node whose gain only moved there from
 * other paths has not grown, see match_moves.h.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Ownership: hp_why_release() in any case;
 *          the texts of the nodes are its own.
 */
HP_MUST_USE enum hp_status hp_why_make(struct hp_why *w,
				       const struct hp_path_tree *tree,
				       struct hp_rows *rows,
				       struct hp_error *err);

#endif
