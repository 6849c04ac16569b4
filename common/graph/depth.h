/*
 * depth.h - how far objects are from the roots
 */
#ifndef HP_GRAPH_DEPTH_H
#define HP_GRAPH_DEPTH_H

#include "common/graph/graph.h"

/* An object's depth: references from the nearest root, plus one. */
struct hp_depths {
	struct hp_big_memory *memory;
	struct hp_big_array by_node; /* uint32_t; 0: not reachable */
	uint32_t most;
	uint64_t met; /* nodes that are reachable */
};

/*
 * On the graph's threads, where a level is wide: a list of a million nodes is a
 * million levels of one.
 * HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Release them in any case.
 */
HP_MUST_USE enum hp_status
hp_depths_find(struct hp_depths *d, struct hp_graph *g, struct hp_error *err);
void hp_depths_release(struct hp_depths *d);

#endif
