/*
 * row_paths.h - the paths that reach the objects of each class, for the HTML
 * report
 *
 * When a reader opens the row of a class, the report shows the shortest paths
 * to its objects, merged by name. Which rows the report shows is known only
 * after the last dump. Until then this module keeps sums for all classes: a few
 * numbers for each pair of class and path step.
 */
#ifndef HP_DIFF_LEAKS_ROW_PATHS_H
#define HP_DIFF_LEAKS_ROW_PATHS_H

#include "diff/paths/path_walk.h"

/*
 * The objects of one class at one step of the path tree, in the first and last
 * dump.
 */
struct hp_class_at_step {
	/* row of the class in the names of the path tree */
	uint32_t class_name;
	uint32_t step;
	uint64_t count[2], bytes[2];
};

struct hp_row_paths {
	/* key: class_name and step; value: index in list */
	struct hp_id_map by_pair;
	struct hp_class_at_step *list;
	size_t count, cap;
	bool have[2];
	uint64_t noted; /* bytes charged to the memory budget */
};

/**
 * hp_row_paths_add() - add the paths of a dump that was walked
 * @p: zeroed before the first call
 * @last: true for the last or only dump, false for the first
 *
 * Memory: 64 bytes for each pair of class and step, and their hash table
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Call hp_row_paths_release() after a
 *          failure also.
 */
HP_MUST_USE enum hp_status hp_row_paths_add(struct hp_row_paths *p,
					    const struct hp_path_walk *w,
					    const struct hp_retained *t,
					    bool last, struct hp_budget *budget,
					    struct hp_error *err);

/**
 * hp_row_paths_finish() - store the paths of the most important rows in
 * r->paths
 * @tree: the path tree of the walked dumps
 * @r: with all its rows
 *
 * The rows that changed most come first; with one dump, those that retain most.
 * The paths of a row are in the same order. Constants limit the number of rows
 * and paths. Stores nothing if the paths of the first or the last dump are
 * missing.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_row_paths_finish(struct hp_row_paths *p,
					       struct hp_path_tree *tree,
					       struct hp_result *r,
					       struct hp_error *err);

void hp_row_paths_release(struct hp_row_paths *p);

#endif
