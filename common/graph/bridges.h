/*
 * bridges.h - objects that the roots reach through one reference alone
 *
 * A bridge is a reference that every path from the roots to its target uses.
 * If object C refers to object D by a bridge, C dominates D, and D is freed
 * when this one reference is cleared. The reverse does not hold: C also
 * dominates D if several ways lead from C to D, and then no single reference
 * of C keeps D alive.
 *
 * Source: the target's other references must come from objects that it
 * dominates; see L. Georgiadis, G. Italiano, N. Parotsidis, "Strong
 * Connectivity in Directed Graphs under Failures", 2020 (strong bridges)
 */
#ifndef HP_GRAPH_BRIDGES_H
#define HP_GRAPH_BRIDGES_H

#include "common/graph/tree.h"

struct hp_bridges {
	struct hp_big_memory *memory;
	struct hp_big_array places; /* uint32_t by node; 0: not reachable */
	/* a bit for each node, in words of 64 */
	struct hp_big_array asked; /* the caller wants to know about it */
	struct hp_big_array used;  /* its dominator refers to it */
	struct hp_big_array other; /* so does something else, or the dominator
				      by a second reference */
	bool any;		   /* any node was asked about */
};

/**
 * hp_bridges_init() - prepare for questions, and find the place of each node
 * @b: zeroed
 * @g: with its edges
 *
 * Memory:  4 bytes and 3 bits for each node
 * Returns: HP_OK; HP_NOMEM; HP_IO.
 * Ownership: hp_bridges_release() in any case, before @t is released.
 */
HP_MUST_USE enum hp_status hp_bridges_init(struct hp_bridges *b,
					   const struct hp_tree *t,
					   const struct hp_graph *g,
					   struct hp_error *err);
void hp_bridges_release(struct hp_bridges *b);

/* The place of a node in the tree; 0: not reachable, or HP_NO_NODE. */
static inline uint32_t
hp_bridges_place(const struct hp_bridges *b, uint32_t node)
{
	return node == HP_NO_NODE ? 0 : ((const uint32_t *)b->places.at)[node];
}

/* Ask about a reachable node that is not dominated by the roots alone. */
void hp_bridges_ask(struct hp_bridges *b, uint32_t node);

/*
 * Answer all questions: one pass over the references of the graph, which is
 * skipped if nothing was asked.
 */
void hp_bridges_find(struct hp_bridges *b, const struct hp_tree *t,
		     const struct hp_graph *g);

/*
 * Does a bridge lead to @node? Any reference from its dominator to it is this
 * bridge then. False if hp_bridges_ask() was not called for the node.
 */
bool hp_bridges_lead_to(const struct hp_bridges *b, uint32_t node);

#endif
