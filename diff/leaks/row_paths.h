/*
 * row_paths.h - how the objects of each class are reached, for the HTML report
 *
 * A row of classes that opens tells the shortest paths to its objects, merged
 * by names. Which rows matter is known once the last dump was read: until then
 * the sums of all classes are kept, a few numbers for each class and step.
 */
#ifndef HP_DIFF_LEAKS_ROW_PATHS_H
#define HP_DIFF_LEAKS_ROW_PATHS_H

#include "diff/paths/path_walk.h"

/* Objects of a class at a step, in the first and in the last dump. */
struct hp_class_at_step {
	uint32_t class_name; /* row of the tree's names */
	uint32_t step;
	uint64_t count[2], bytes[2];
};

struct hp_row_paths {
	struct hp_id_map by_pair; /* class_name and step: its place below */
	struct hp_class_at_step *list;
	size_t count, cap;
	bool have[2];
	uint64_t noted; /* bytes, for the budget */
};

/**
 * hp_row_paths_add() - take the paths of a walked dump in
 * @p:    zeroed at first
 * @last: it is the last dump, or the only one; else it is the first
 *
 * Memory:  64 bytes for each class at a step, and their hash table
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. hp_row_paths_release() in any case.
 */
HP_MUST_USE enum hp_status hp_row_paths_add(struct hp_row_paths *p,
					    const struct hp_path_walk *w,
					    const struct hp_retained *t,
					    bool last, struct hp_budget *budget,
					    struct hp_error *err);

/**
 * hp_row_paths_finish() - the paths of the rows that matter, to r->paths
 * @tree: that the dumps were walked with
 * @r:    all rows are there
 *
 * Rows that changed most (of one dump: that retain most) come first, and so do
 * a row's paths; what bounds them are constants. Without the last dump's paths,
 * or if the first dump's are missing, nothing.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_row_paths_finish(struct hp_row_paths *p,
					       struct hp_path_tree *tree,
					       struct hp_result *r,
					       struct hp_error *err);

void hp_row_paths_release(struct hp_row_paths *p);

#endif
