/*
 * preorder.h - a depth-first search over the objects that the roots reach
 *
 * The search numbers objects in preorder, from 1; number 0 stands for the
 * roots. A reference to a larger number comes from an ancestor in the
 * depth-first tree. The dominator algorithm needs only the smallest of these
 * ancestors, which semis holds. References to smaller numbers are kept, grouped
 * by target (cross.h).
 */
#ifndef HP_GRAPH_PREORDER_H
#define HP_GRAPH_PREORDER_H

#include "common/graph/cross.h"

struct hp_preorder {
	uint32_t count; /* preorder numbers, including 0 */
	/* the next four arrays are indexed by preorder number */
	struct hp_big_array nodes; /* uint32_t */
	/* uint32_t: parent in the depth-first tree */
	struct hp_big_array parents;
	struct hp_big_array kinds; /* uint32_t */
	/*
	 * uint32_t: the smallest number that refers to this number, if it is
	 * smaller than this number
	 */
	struct hp_big_array semis;
	struct hp_cross cross;
	struct hp_graph_sum reachable, weak;
	/* the part of weak that waits for a finalizer */
	struct hp_graph_sum waiting;
};

/**
 * hp_preorder_walk() - number the objects that the roots reach
 * @reached: usually NULL. Otherwise a bit for each node that the roots reach;
 *           then the function numbers the objects that wait for a finalizer:
 *           those that are reachable from the referents of finalizers, but not
 *           from the roots
 * @most:    number of objects that wait for a finalizer; only used with
 *           @reached
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_preorder_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_preorder_walk(struct hp_preorder *p, struct hp_graph *g,
		 const uint64_t *reached, uint64_t most, struct hp_error *err);
void hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m);

#endif
