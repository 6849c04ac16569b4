/*
 * tree.h - the dominator tree of a graph, and what each object retains
 *
 * X dominates Y if every path from the roots to Y goes through X; what X
 * dominates would be freed if X went. Objects stand in the order of a walk over
 * that tree, parents first, so that all that an object dominates stands right
 * behind it: place P retains the places P to P + objects[P] - 1, and its first
 * child, if it has one, stands at P + 1. Place 0 is the roots.
 *
 * Source: L. Georgiadis, R. Tarjan, R. Werneck, "Finding Dominators in
 * Practice", 2006 (the algorithm SEMI-NCA)
 */
#ifndef HP_GRAPH_TREE_H
#define HP_GRAPH_TREE_H

#include "common/graph/graph.h"

enum { HP_TREE_SPAN = 16 };

struct hp_tree {
	struct hp_big_memory *memory;
	uint32_t count; /* places: reachable objects, and the roots */
	/* by place */
	struct hp_big_array nodes;   /* uint32_t: its node; HP_NO_NODE of 0 */
	struct hp_big_array kinds;   /* uint32_t */
	struct hp_big_array objects; /* uint32_t: retained, itself included */
	struct hp_big_array parents; /* uint32_t: the place of the dominator */
	/* uint64_t: bytes of all places before each HP_TREE_SPAN-th */
	struct hp_big_array bytes_before;
	const struct hp_node_kinds *kind_list; /* the graph's */
	struct hp_graph_sum reachable, weak, unreachable;
	struct hp_graph_sum waiting; /* of weak: that a finalizer keeps */
};

/* What becomes of the graph's references once the tree is there. */
enum hp_tree_edges {
	HP_TREE_DROPS_EDGES, /* as soon as possible */
	HP_TREE_KEEPS_EDGES,
	HP_TREE_KEEPS_FOR_WAITING, /* kept if anything waits for a finalizer */
};

/**
 * hp_tree_build() - find the dominators
 * @t: zeroed
 * @edges: are the graph's references needed afterwards, as for paths?
 *
 * Memory:  some 24 bytes a reachable object, and 3 a reference that leads back
 *          or across in the depth-first tree; 17 an object are kept
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: hp_tree_release() in any case, before the graph is released.
 */
HP_MUST_USE enum hp_status hp_tree_build(struct hp_tree *t, struct hp_graph *g,
					 enum hp_tree_edges edges,
					 struct hp_error *err);
void hp_tree_release(struct hp_tree *t);

/**
 * hp_tree_build_waiting() - the same of what waits for a finalizer
 * @t:    zeroed; its place 0 stands for all finalizers together
 * @main: the graph's tree; the references are kept
 *
 * An object of this tree is reached from the referent of a finalizer, and not
 * from the roots. If there is none, @t has place 0 alone, and no arrays.
 * Returns and ownership: as hp_tree_build().
 */
HP_MUST_USE enum hp_status hp_tree_build_waiting(struct hp_tree *t,
						 struct hp_graph *g,
						 const struct hp_tree *main,
						 struct hp_error *err);

/* Which nodes the roots reach. */
struct hp_reached {
	struct hp_big_array bits; /* uint64_t: a bit a node */
};

/* Memory: a bit a node. HP_OK; HP_NOMEM; HP_IO. Release it in any case. */
HP_MUST_USE enum hp_status hp_reached_find(struct hp_reached *r,
					   const struct hp_tree *t,
					   const struct hp_graph *g,
					   struct hp_error *err);
void hp_reached_release(struct hp_reached *r, struct hp_big_memory *m);

/* Do they reach @node? HP_NO_NODE: no. */
static inline bool
hp_is_reached(const struct hp_reached *r, uint32_t node)
{
	return node != HP_NO_NODE &&
	       ((const uint64_t *)r->bits.at)[node >> 6] >> (node & 63) & 1;
}

/* The place behind all that the object at @place retains. */
static inline uint32_t
hp_tree_end(const struct hp_tree *t, uint32_t place)
{
	return place + ((const uint32_t *)t->objects.at)[place];
}

/* Shallow bytes of the places from @place to before @end, one by one. */
static inline uint64_t
hp_tree_bytes_between(const struct hp_tree *t, uint32_t place, uint32_t end)
{
	const uint32_t *kinds = t->kinds.at;
	uint64_t sum = 0;

	for (; place < end; place++)
		sum += t->kind_list->list[kinds[place]].bytes;
	return sum;
}

/* Shallow bytes of all places before @place, which may be t->count. */
static inline uint64_t
hp_tree_bytes_before(const struct hp_tree *t, uint32_t place)
{
	uint32_t span = place / HP_TREE_SPAN;

	return ((const uint64_t *)t->bytes_before.at)[span] +
	       hp_tree_bytes_between(t, span * HP_TREE_SPAN, place);
}

/* What the object at @place retains, itself included, in bytes. */
static inline uint64_t
hp_tree_bytes(const struct hp_tree *t, uint32_t place)
{
	uint32_t end = hp_tree_end(t, place);

	/* most retain a handful of objects */
	if (end - place <= HP_TREE_SPAN)
		return hp_tree_bytes_between(t, place, end);
	return hp_tree_bytes_before(t, end) - hp_tree_bytes_before(t, place);
}

/**
 * hp_tree_groups() - what the objects of each group retain, taken one by one
 * @group_of: by kind, below @ngroups; UINT32_MAX: none
 * @sums:     by group, zeroed; what no other object of the same group dominates
 *            is summed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tree_groups(const struct hp_tree *t,
					  const uint32_t *group_of,
					  uint32_t ngroups,
					  struct hp_graph_sum *sums,
					  struct hp_error *err);

#endif
