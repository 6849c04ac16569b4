/*
 * path_seeds.h - where paths begin: static fields, threads and what their
 * stacks hold, and the other roots
 */
#ifndef HP_DIFF_PATHS_PATH_SEEDS_H
#define HP_DIFF_PATHS_PATH_SEEDS_H

#include "common/graph/tree.h"
#include "diff/paths/path_tree.h"
#include "diff/leaks/thread_roots.h"

struct hp_path_seed {
	uint32_t node;	      /* the object */
	uint32_t via;	      /* row of names */
	uint32_t class_index; /* of a static field's class */
	uint8_t kind;	      /* enum hp_path_kind */
};

struct hp_path_seeds {
	struct hp_path_seed *list; /* from 1 */
	size_t count;		   /* with 0 */
	size_t cap;
	uint64_t noted; /* bytes, for the tree's budget */
};

/* Does a class stay, so that paths begin at it and at its static fields? */
enum hp_class_stays {
	HP_CLASS_GOES,	 /* with its loader: paths go through that */
	HP_CLASS_LOADED, /* its loader is the VM's */
	HP_CLASS_ROOT,	 /* roots name it */
};

/*
 * @stays: by class index: enum hp_class_stays
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. hp_path_seeds_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_path_seeds_find(struct hp_path_seeds *s, const struct hp_graph *g,
		   const struct hp_reached *reached,
		   const struct hp_thread_roots *t, const uint8_t *stays,
		   struct hp_keys *keys, struct hp_path_tree *tree,
		   struct hp_error *err);
void hp_path_seeds_release(struct hp_path_seeds *s, struct hp_path_tree *tree);

#endif
