/*
 * path_seeds.h - find the starting points of paths: static fields, threads, the
 * locals of stack frames, and other roots
 */
#ifndef HP_DIFF_PATHS_PATH_SEEDS_H
#define HP_DIFF_PATHS_PATH_SEEDS_H

#include "common/graph/tree.h"
#include "diff/paths/path_tree.h"
#include "diff/leaks/thread_roots.h"

struct hp_path_seed {
	uint32_t node; /* node of the object */
	uint32_t via;  /* row of the label, for example "Leak.X (static)" */
	uint32_t class_index; /* for a static field: the index of its class */
	uint8_t kind; /* enum hp_path_kind: the kind of the starting point */
};

struct hp_path_seeds {
	struct hp_path_seed *list; /* seeds are numbered from 1 */
	size_t count; /* number of entries with the unused entry 0 */
	size_t cap;
	uint64_t noted; /* bytes charged to the budget of the path tree */
};

/*
 * Whether paths start at a class and its static fields. They do if the class
 * can never be unloaded.
 */
enum hp_class_stays {
	/* can be unloaded with its loader: paths go through the loader */
	HP_CLASS_GOES,
	/* loaded by a loader of the VM, which is never unloaded */
	HP_CLASS_LOADED,
	HP_CLASS_ROOT, /* a root refers to the class */
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

#endif
