/*
 * internal.h - the steps of a search for paths
 */
#ifndef HP_DIFF_PATHS_INTERNAL_H
#define HP_DIFF_PATHS_INTERNAL_H

#include "common/graph/tree.h"
#include "common/model/classes.h"
#include "diff/leaks/merged_tree.h"
#include "diff/paths/paths.h"

/* ----------------------------------------------------------------------
 * Find the starting points of paths: static fields, threads, the locals of
 * stack frames, and other roots
 */

struct hp_path_seed {
	/* the object at which the path begins, as a node of the graph */
	uint32_t node;
	/*
	 * row with the label of the starting point, for example "Leak.X
	 * (static)"
	 */
	uint32_t via;
	uint32_t class_index; /* for a static field: the index of its class */
	/*
	 * what the path begins with: a static field, a thread, ... (enum
	 * hp_path_kind)
	 */
	uint8_t kind;
};

struct hp_path_seeds {
	/* the starting points of paths, numbered from 1 */
	struct hp_path_seed *list;
	/* number of entries, including entry 0, which is not used */
	size_t count;
	size_t cap;
};

/*
 * Whether paths start at a class and its static fields. They do if the class is
 * never unloaded.
 */
enum hp_class_stays {
	/*
	 * the class may be unloaded with its loader, so paths go through the
	 * loader
	 */
	HP_CLASS_GOES,
	/*
	 * the class was loaded by a loader of the JVM, so it is never unloaded
	 */
	HP_CLASS_LOADED,
	HP_CLASS_ROOT, /* a root refers to the class, so it is not unloaded */
};

/*
 * Find all starting points of paths.
 * @stays: by class index: enum hp_class_stays
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Call hp_path_seeds_release() after a
 *          failure also.
 */
HP_MUST_USE enum hp_status
hp_path_seeds_find(struct hp_path_seeds *s, const struct hp_graph *g,
		   const struct hp_reached *reached,
		   const struct hp_thread_roots *t, const uint8_t *stays,
		   struct hp_keys *keys, struct hp_path_tree *tree,
		   struct hp_error *err);
void hp_path_seeds_release(struct hp_path_seeds *s, struct hp_path_tree *tree);

/* ----------------------------------------------------------------------
 * Mark paths that grew only because objects moved from other paths
 *
 * --by=path assigns every object to one path, its shortest. If a shorter path
 * appears, the object and everything below it change their row although nothing
 * grew. Such rows are found by comparing numbers, see match_moves.c.
 */

/**
 * hp_moved_paths_find() - set moved_count and moved_from of rows that grew
 * @t: the paths; the first dump is compared with dump @last
 * @row_of: for each step: its row, or NULL
 * @untold: for each step: true if it is not known how many objects it gained
 * @rows: owns moved_from
 *
 * A row is marked if at least half of the objects that it gained moved there
 * from other paths. moved_from is the path where most of them were before. The
 * objects of hidden rows count for the nearest shown row above. Arrays are not
 * matched, because byte[] objects are too similar to tell moves from chance.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_moved_paths_find(const struct hp_path_tree *t, size_t last,
		    struct hp_row *const *row_of, const bool *untold,
		    struct hp_rows *rows, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Add the rows of saved results to the path tree
 *
 * A saved result has its paths as texts. They are parsed into steps like those
 * of dumps, so that the same code hides nested paths and finds moved objects.
 */

/**
 * hp_saved_paths_add() - add a step for each row of a saved result, and its
 * sums
 * @t: receives the steps that no dump has
 * @rows: the rows of saved results, and no others yet
 * @saved: for each dump: true if it is a saved result
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
 * @row_of: for each step: its row, or NULL
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
