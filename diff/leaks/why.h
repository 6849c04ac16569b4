/*
 * why.h - who keeps the objects of some classes: their paths, merged to a tree
 *
 * How to use it: walk each dump with hp_path_walk_run(), add up what is asked
 * about with hp_path_sums_add(), which hp_why_wanted()
 * helps with, then hp_why_make() with the tree of paths.
 */
#ifndef HP_DIFF_LEAKS_WHY_H
#define HP_DIFF_LEAKS_WHY_H

#include "diff/leaks/path_walk.h"
#include "diff/leaks/why_tree.h"

/**
 * hp_why_wanted() - which objects of a walked dump are asked about
 * @what:   a glob for names of classes as rows have them, for classes
 *          themselves with "class " before; or the id of an object, "0x..."
 * @by_kind: of the graph, all false; the objects' kinds become true
 * @wanted: of an id its node
 *
 * Returns: how many there are.
 */
uint32_t hp_why_wanted(const struct hp_path_walk *w,
		       const struct hp_path_tree *tree,
		       const struct hp_retained *t, const char *what,
		       bool *by_kind, uint32_t *wanted);

/**
 * hp_why_make() - the tree of all steps that lead to objects
 * @w:    zeroed
 * @tree: its sums are of what is asked about
 *
 * Of the children of a node those come first that lead to most objects of the
 * last dump, then the order of names counts.
 * Returns: HP_OK; HP_NOMEM. Ownership: hp_why_release() in any case; texts are
 *          its own.
 */
HP_MUST_USE enum hp_status hp_why_make(struct hp_why *w,
				       const struct hp_path_tree *tree,
				       struct hp_error *err);

#endif
