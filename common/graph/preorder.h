/*
 * preorder.h - a depth-first walk over what the roots reach
 *
 * For tree.c: objects are numbered in the order in which the walk meets them,
 * from 1; 0 is the roots. A reference to a higher number is one from an
 * ancestor in the walk's tree, of which the least is all that the dominators
 * ask for; references to lower numbers are kept, by whom they lead to.
 */
#ifndef HP_GRAPH_PREORDER_H
#define HP_GRAPH_PREORDER_H

#include "common/graph/cross.h"

struct hp_preorder {
	uint32_t count; /* numbers, 0 included */
	/* by number */
	struct hp_big_array nodes;   /* uint32_t */
	struct hp_big_array parents; /* uint32_t: in the walk's tree */
	struct hp_big_array kinds;   /* uint32_t */
	struct hp_big_array semis; /* uint32_t: the least number that refers to
				      it, if that is less than its own */
	struct hp_cross cross;
	struct hp_graph_sum reachable, weak;
	struct hp_graph_sum waiting; /* of weak: that a finalizer keeps */
};

/**
 * hp_preorder_walk() - number what the roots reach
 * @reached: NULL; or a bit for each node that they reach. Then what waits for a
 *           finalizer is numbered instead: what is reached from the referents
 * of finalizers, and not from the roots
 * @most:    how many objects that are, if @reached is given
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: hp_preorder_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_preorder_walk(struct hp_preorder *p, struct hp_graph *g,
		 const uint64_t *reached, uint64_t most, struct hp_error *err);
void hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m);

#endif
