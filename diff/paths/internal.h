/*
 * internal.h - functions and types that the parts of the search for paths share
 */
#ifndef HP_DIFF_PATHS_INTERNAL_H
#define HP_DIFF_PATHS_INTERNAL_H

#include "common/graph/tree.h"
#include "common/model/classes.h"
#include "diff/leaks/merged_tree.h"
#include "diff/paths/path_level.h"
#include "diff/paths/paths.h"

/* ----------------------------------------------------------------------
 * Find the starting points of paths: static fields, threads, the locals of
 * stack frames, and other roots
 */

struct hp_path_seed {
	/* the number in the graph of the object at which the path begins */
	uint32_t node;
	/*
	 * the row with the label of the starting point (for example "Leak.X
	 * (static)" or `thread "main"`), as an index in hp_path_tree.names
	 */
	uint32_t via;
	/* for a static field: the index of its class */
	uint32_t class_index;
	/*
	 * the kind of the starting point: a static field, a thread, ... (enum
	 * hp_path_kind)
	 */
	uint8_t kind;
};

/* the index of a seed must fit into hp_path_candidate.label */
#define HP_PATH_SEEDS_MOST ((UINT32_C(1) << HP_PATH_LABEL_BITS) - 1)

struct hp_path_seeds {
	/* the starting points of paths, numbered from 1 */
	struct hp_path_seed *list;
	/* number of entries of `list`, including entry 0, which is not used */
	size_t count;
	size_t cap;
};

/*
 * Whether a class is never unloaded. If a class is never unloaded, paths start
 * at its static fields. If it can be unloaded, paths to the class go through
 * its class loader.
 */
enum hp_class_stays {
	/*
	 * the class can be unloaded together with its class loader, so paths go
	 * through the loader
	 */
	HP_CLASS_GOES,
	/* a loader of the JVM has loaded the class, so it is never unloaded */
	HP_CLASS_LOADED,
	/* a root refers to the class, so it is not unloaded */
	HP_CLASS_ROOT,
};

/*
 * Returns the class of the instances of a kind (class and size); for a class
 * object, the class that it represents. NULL for other kinds, or if the class
 * is not known.
 */
const struct hp_class *hp_path_class_of_kind(const struct hp_graph *g,
					     const struct hp_node_kind *kind);

/**
 * hp_path_classes_stay() - find the classes that are never unloaded: those to
 * which roots refer, and those whose class loader belongs to the JVM
 *
 * @stays: receives an array with the result for each class, by its index (enum
 *   hp_class_stays); the caller frees it with hp_free(), also after a failure
 * @w: with the reachable objects, and the rows of the class names
 *
 * Other classes are unloaded together with their loader, so the paths to their
 * static fields go through the loader.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_path_classes_stay(uint8_t **stays,
						const struct hp_path_walk *w,
						const struct hp_graph *g,
						const struct hp_rows *names,
						struct hp_error *err);

/*
 * Find all starting points of paths.
 *
 * @stays: for each class, by its index: whether it is never unloaded (enum
 *   hp_class_stays)
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Call hp_path_seeds_release(), also after
 * a failure.
 */
HP_MUST_USE enum hp_status
hp_path_seeds_find(struct hp_path_seeds *s, const struct hp_graph *g,
		   const struct hp_reached *reached,
		   const struct hp_thread_roots *t, const uint8_t *stays,
		   struct hp_keys *keys, struct hp_path_tree *tree,
		   struct hp_error *err);
void hp_path_seeds_release(struct hp_path_seeds *s, struct hp_path_tree *tree);

/*
 * ----------------------------------------------------------------------
 * Mark rows of --by=path that grew only because objects moved from other paths
 *
 * --by=path assigns every object to one path, the shortest path to it. If a
 * shorter path to an object appears, this object and all objects on paths
 * through it are counted in other rows than before, although nothing grew. Such
 * rows are found by comparing numbers of objects, see match_moves.c.
 */

/**
 * hp_moved_paths_find() - set moved_count and moved_from of rows that grew
 *
 * @t: the tree of paths; the first dump is compared with dump @last
 * @row_of: for each step of @t: its row, or NULL
 * @untold: for each step of @t: true if the number of objects that it gained is
 *   not known
 * @rows: owns the texts moved_from
 *
 * A row is marked if at least half of the objects that it gained were on other
 * paths in the first dump. moved_from is the path from which most of these
 * objects came. Hidden rows are not marked. If the row of the path A -> B -> C
 * is hidden, the objects that it gained count in the row of A -> B or, if that
 * is also hidden, in the row of A.
 *
 * Arrays are not compared: almost every path has byte[] objects, so equal
 * numbers of them would often be a coincidence.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_moved_paths_find(const struct hp_path_tree *t, size_t last,
		    struct hp_row *const *row_of, const bool *untold,
		    struct hp_rows *rows, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Add the rows of saved results to the path tree
 *
 * A saved result has its paths as texts. Each text is parsed into steps. So the
 * same code hides nested paths and finds moved objects, for saved results and
 * for dumps.
 */

/**
 * hp_saved_paths_add() - for each row of a saved result, add the steps of its
 * path to the path tree, and the sums of the row
 *
 * @t: receives the steps that the tree does not have yet
 * @rows: only the rows of saved results; the rows of dumps are added later
 * @saved: for each dump: true if it is a saved result
 *
 * The sums of a row are added to the first step whose path has the text of the
 * row. A row whose key is not a path gets no step; an example is the row that
 * adds up all small paths.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_saved_paths_add(struct hp_path_tree *t,
					      const struct hp_rows *rows,
					      const bool *saved,
					      struct hp_error *err);

/**
 * hp_saved_paths_tell() - set hp_row.within of the rows whose path starts with
 * a static field
 *
 * hp_row.within has the paths that keep the class of the static field alive.
 * When this result is saved, these paths are stored in addition to the keys of
 * the rows.
 *
 * @row_of: for each step of @t: its row, or NULL
 * @rows: the rows to change
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_saved_paths_tell(const struct hp_path_tree *t,
					       struct hp_row *const *row_of,
					       struct hp_rows *rows,
					       struct hp_error *err);

#endif
