/*
 * bridges.h - find objects that are kept alive by exactly one reference
 *
 * A bridge is a reference that every path from the roots to its target uses. If
 * object C refers to object D by a bridge, C dominates D, and D is freed when
 * this one reference is cleared. The reverse does not hold: C also dominates D
 * if several paths lead from C to D, and then no single reference of C keeps D
 * alive.
 *
 * A reference to D is a bridge if all other references to D come from objects
 * that D itself dominates.
 *
 * Source: L. Georgiadis, G. Italiano, N. Parotsidis, "Strong Connectivity in
 *         Directed Graphs under Failures", 2020 (strong bridges)
 */
#ifndef HP_GRAPH_BRIDGES_H
#define HP_GRAPH_BRIDGES_H

#include "common/graph/tree.h"

struct hp_bridges {
	struct hp_big_memory *memory;
	struct hp_big_array places; /* uint32_t by node; 0: unreachable */
	/* three bit sets by node, in words of 64 bits */
	struct hp_big_array asked; /* the caller asked about this node */
	struct hp_big_array used;  /* the dominator of this node refers to it */
	/*
	 * another object also refers to this node, or its dominator does so a
	 * second time
	 */
	struct hp_big_array other;
	/* the caller asked about at least one node */
	bool any;
};

/**
 * hp_bridges_init() - prepare for questions, and find the place of each node in
 *                     the dominator tree
 * @b: zeroed
 * @g: must still have its edges
 *
 * Memory: 4 bytes and 3 bits for each node
 * Returns: HP_OK; HP_NOMEM; HP_IO.
 * Ownership: call hp_bridges_release() in any case, before @t is released.
 */
HP_MUST_USE enum hp_status hp_bridges_init(struct hp_bridges *b,
					   const struct hp_tree *t,
					   const struct hp_graph *g,
					   struct hp_error *err);
void hp_bridges_release(struct hp_bridges *b);

/*
 * The place of a node in the dominator tree. Returns 0 if the node is
 * unreachable or HP_NO_NODE.
 */
static inline uint32_t
hp_bridges_place(const struct hp_bridges *b, uint32_t node)
{
	return node == HP_NO_NODE ? 0 : ((const uint32_t *)b->places.at)[node];
}

/*
 * Ask about a reachable node. Its dominator must be an object, not the roots.
 */
void hp_bridges_ask(struct hp_bridges *b, uint32_t node);

/*
 * Answer all questions in one pass over the references of the graph. The pass
 * is skipped if the caller asked nothing.
 */
void hp_bridges_find(struct hp_bridges *b, const struct hp_tree *t,
		     const struct hp_graph *g);

/*
 * Whether a bridge leads to @node. If so, the only reference from its dominator
 * to it is this bridge. Returns false if hp_bridges_ask() was not called for
 * the node.
 */
bool hp_bridges_lead_to(const struct hp_bridges *b, uint32_t node);

#endif
