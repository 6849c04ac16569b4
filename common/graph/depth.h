/*
 * depth.h - the distance of objects from the roots
 */
#ifndef HP_GRAPH_DEPTH_H
#define HP_GRAPH_DEPTH_H

#include "common/graph/graph.h"

/*
 * The depth of each object: the number of references on a shortest path from a
 * root, plus 1. A root has depth 1.
 */
struct hp_depths {
	struct hp_big_memory *memory;
	struct hp_big_array by_node; /* uint32_t; 0: unreachable */
	uint32_t most;
	uint64_t met; /* number of reachable nodes */
};

/*
 * Find all depths by a breadth-first search. Wide levels use all threads of the
 * graph. Narrow levels use one thread, because a linked list of a million nodes
 * has a million levels of one node.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_depths_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_depths_find(struct hp_depths *d, struct hp_graph *g, struct hp_error *err);
void hp_depths_release(struct hp_depths *d);

#endif
