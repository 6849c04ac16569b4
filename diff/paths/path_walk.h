/*
 * path_walk.h - find the shortest path from the roots to each object, by name
 *
 * This is a breadth-first search in three rounds of starting points. The first
 * round starts at static fields, threads, JNI globals and other roots. The
 * second round starts at the locals and monitors of stack frames, for objects
 * without a path so far. The third round starts at interned strings and
 * internals of the VM. Last come the objects to which only a finalizer refers.
 *
 * The internals of a collection belong to the step of the collection, and all
 * nodes of a linked list belong to one step. If several paths are equally
 * short, these criteria decide in this order: the starting point, the names,
 * the class of the holder, the field, the object ids.
 */
#ifndef HP_DIFF_PATHS_PATH_WALK_H
#define HP_DIFF_PATHS_PATH_WALK_H

#include "diff/keys/keys.h"
#include "diff/paths/path_level.h"
#include "diff/leaks/thread_roots.h"
#include "diff/retained.h"

struct hp_path_walk {
	struct hp_big_memory *memory;
	struct hp_reached reached;
	/*
	 * uint32_t by node: its step in the path tree, maybe with
	 * HP_PATH_INSIDE; 0: none
	 */
	struct hp_big_array steps;
	uint32_t *class_rows; /* by kind: the row of its class name */
};

/* The objects whose paths are wanted. */
struct hp_path_wanted {
	const uint32_t *nodes; /* NULL: all reachable objects */
	size_t count;
};

/**
 * hp_path_walk_run() - find the paths of objects
 * @w: zeroed
 * @t: with the edges of the graph
 * @src: rewound and read again, for the names of threads
 * @tree: receives the steps
 * @wanted: the walk stops after the level of the last of these objects; other
 *   objects may get no path
 *
 * Memory: 4 bytes a node, 16 bytes for each object of the largest level, about
 * 100 bytes a step
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 * Ownership: call hp_path_walk_release() after a failure also, before @t is
 * released.
 */
HP_MUST_USE enum hp_status
hp_path_walk_run(struct hp_path_walk *w, struct hp_retained *t,
		 struct hp_keys *keys, struct hp_source *src,
		 struct hp_path_tree *tree, struct hp_path_wanted wanted,
		 struct hp_error *err);
void hp_path_walk_release(struct hp_path_walk *w);

/*
 * The step of a node that is reachable or waits for a finalizer. Returns 0 if
 * it has no path.
 */
static inline uint32_t
hp_path_step_of(const struct hp_path_walk *w, uint32_t node)
{
	return ((const uint32_t *)w->steps.at)[node] & ~HP_PATH_INSIDE;
}

#endif
