/*
 * path_walk.h - each object's shortest path from the roots, by names
 *
 * Paths begin at static fields, threads, JNI globals and other roots; what
 * stacks and monitors hold counts for what nothing of these keeps, and what is
 * interned or the VM's own for the rest. Last come the objects that nothing
 * reaches but the reference that a finalizer has to them. Insides of
 * collections are part of them, and so are the other nodes of a hand-made list.
 * Of several paths that are as short the one counts that comes first by how it
 * begins, its names, the holder's class and the field; ids decide last.
 */
#ifndef HP_DIFF_PATHS_PATH_WALK_H
#define HP_DIFF_PATHS_PATH_WALK_H

#include "diff/keys/keys.h"
#include "diff/paths/path_tree.h"
#include "diff/leaks/thread_roots.h"
#include "diff/retained.h"

#define HP_PATH_INSIDE (UINT32_C(1) << 31) /* of a collection */

struct hp_path_walk {
	struct hp_big_memory *memory;
	struct hp_reached reached;
	struct hp_big_array steps; /* uint32_t by node: of the tree of paths,
				      with HP_PATH_INSIDE; 0: none */
	uint32_t *class_rows;	   /* by kind: its name's row */
};

/* Objects whose paths are wanted. */
struct hp_path_wanted {
	const uint32_t *nodes; /* NULL: all that the roots reach */
	size_t count;
};

/**
 * hp_path_walk_run() - find the paths of objects
 * @w:      zeroed
 * @t:      with the graph's edges
 * @src:    is rewound and read again, for the names of threads
 * @tree:   gets the steps
 * @wanted: the walk ends with the level that the last of them is found on, so
 *          that others may be without a path
 *
 * Memory:  20 bytes a node; some 100 a step
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; what hp_scan() returns.
 * Ownership: hp_path_walk_release() in any case, before @t is released.
 */
HP_MUST_USE enum hp_status
hp_path_walk_run(struct hp_path_walk *w, struct hp_retained *t,
		 struct hp_keys *keys, struct hp_source *src,
		 struct hp_path_tree *tree, struct hp_path_wanted wanted,
		 struct hp_error *err);
void hp_path_walk_release(struct hp_path_walk *w);

/* The step of a node that the roots reach or that waits for a finalizer; 0: it
 * has none. */
static inline uint32_t
hp_path_step_of(const struct hp_path_walk *w, uint32_t node)
{
	return ((const uint32_t *)w->steps.at)[node] & ~HP_PATH_INSIDE;
}

#endif
