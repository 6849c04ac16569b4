/*
 * tree.h - the dominator tree, distances from the roots, and bridges
 */
#ifndef HP_GRAPH_TREE_H
#define HP_GRAPH_TREE_H

#include "common/graph/graph.h"
#include "common/graph/near_array.h"

/*
 * ----------------------------------------------------------------------
 * The dominator tree of a graph, and retained sizes
 *
 * X dominates Y if every path from the roots to Y goes through X. If X were
 * freed, all objects that X dominates would also be freed. X retains these
 * objects. Objects are stored in preorder of the dominator tree, and the index
 * of an object in this order is its place. Place 0 stands for all roots
 * together. A parent comes before its children. So the object at place P
 * retains the objects at the places P to ends[P] - 1, and its first child, if
 * any, is at place P + 1.
 *
 * Source: L. Georgiadis, R. Tarjan, R. Werneck, "Finding Dominators in
 *         Practice", 2006 (the algorithm SEMI-NCA)
 */

enum { HP_TREE_SPAN = 16 };

struct hp_tree {
	struct hp_big_memory *memory;
	/*
	 * The number of places (indexes in the dominator tree): the number of
	 * reachable objects, plus 1 for place 0.
	 */
	uint32_t count;
	/*
	 * The arrays `nodes`, `kinds`, `ends` and `parents` are indexed by
	 * place (index in the dominator tree).
	 */
	/*
	 * uint32_t: the node (in the graph) of the object at this place
	 * (index); HP_NO_NODE for place 0
	 */
	struct hp_big_array nodes;
	/*
	 * The kind of the object at this place (index): uint32_t if
	 * `wide_kinds` is true, otherwise uint16_t. Use hp_tree_kind().
	 */
	struct hp_big_array kinds;
	bool wide_kinds; /* there are 65,536 kinds or more */
	/*
	 * the place after the last object that the object at this place
	 * retains; read it with hp_tree_end()
	 */
	struct hp_near_array ends;
	/*
	 * the place of the immediate dominator of the object; read it with
	 * hp_tree_parent()
	 */
	struct hp_near_array parents;
	/*
	 * uint64_t: element i is the sum of the shallow sizes of all objects at
	 * places (indexes in the tree) before HP_TREE_SPAN * i
	 */
	struct hp_big_array bytes_before;
	/*
	 * One bit for each node (of the graph), in words of uint64_t: set if
	 * the node is reachable, exactly one reference leads to it, and it is
	 * neither a root nor the class of an object. Only if hp_tree_build()
	 * has kept the references of the graph.
	 */
	struct hp_big_array single;
	/*
	 * The table of kinds. The elements of the array `kinds` are indexes in
	 * this table. Borrowed.
	 */
	const struct hp_node_kinds *kind_list;
	struct hp_graph_sum reachable, weak, unreachable;
	/*
	 * The number and bytes of the objects that only hidden fields keep
	 * alive; see hidden_fields.h. They are not counted in `unreachable`.
	 */
	struct hp_graph_sum hidden;
	/*
	 * The number and bytes of the objects that wait for a finalizer. They
	 * are also counted in `weak`.
	 */
	struct hp_graph_sum waiting;
};

/* Whether @node has its bit in t->single. */
static inline bool
hp_tree_is_single(const struct hp_tree *t, uint32_t node)
{
	return ((const uint64_t *)t->single.at)[node >> 6] >> (node & 63) & 1;
}

/* What hp_tree_build() does with the references of the graph. */
enum hp_tree_edges {
	/* free the references of the graph as soon as possible */
	HP_TREE_DROPS_EDGES,
	HP_TREE_KEEPS_EDGES,
	/*
	 * free the references of the graph unless an object waits for a
	 * finalizer
	 */
	HP_TREE_KEEPS_FOR_WAITING,
};

/**
 * hp_tree_build() - build the dominator tree
 * @t:     zeroed
 * @edges: whether the references of the graph are needed afterwards, for
 *         example for paths
 *
 * Memory: 16 bytes for each reachable object, or, if this is more, 8 bytes for
 *         each, 12 for each that is not folded (struct hp_kept in internal.h),
 *         and 3 for each back edge or cross edge of the depth-first tree. After
 *         the call, 9 bytes for each object remain in use, or 11 if there are
 *         65,536 kinds or more; and 4 for each end and 4 for each parent that
 *         is at least 254 places away (struct hp_near_array)
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Ownership: call hp_tree_release(),
 * even after a failure, and before the graph is released.
 */
HP_MUST_USE enum hp_status hp_tree_build(struct hp_tree *t, struct hp_graph *g,
					 enum hp_tree_edges edges,
					 struct hp_error *err);
void hp_tree_release(struct hp_tree *t);

/* Say how the tree will be read: hp_big_array_expect() describes @use. */
void hp_tree_expect(struct hp_tree *t, enum hp_big_use use);

/* Arrays of the tree that are read ahead; see struct hp_tree_window. */
enum {
	HP_TREE_NODES = 1,
	HP_TREE_KINDS = 2,
	HP_TREE_SHAPE = 4, /* the ends, the parents, and the sums of bytes */
};

/*
 * The places for which a loop has asked the kernel to read files ahead: `count`
 * places from `from` on. Zero-initialise these members.
 */
struct hp_tree_window {
	uint32_t from, count;
	/* the arrays that the loop reads (HP_TREE_NODES ...); 0: all */
	unsigned only;
};

/*
 * Used by hp_tree_ahead() if @place is not in the window: begin a new window at
 * this place. If the loop has reached the end of the last window, the new one
 * has twice as many places, and the kernel begins to read all of it.
 */
void hp_tree_next_window(struct hp_tree_window *w, const struct hp_tree *t,
			 uint32_t place);

/*
 * A loop over places of the tree in ascending order, which may leave out some,
 * calls this function for each place. After HP_BIG_RANDOM was expected
 * (hp_tree_expect()), the kernel reads each page of a file on its own; with
 * this call it reads more of them together, as long as the loop goes on from
 * place to place.
 */
static inline void
hp_tree_ahead(struct hp_tree_window *w, const struct hp_tree *t, uint32_t place)
{
	if (HP_UNLIKELY(place - w->from >= w->count))
		hp_tree_next_window(w, t, place);
}

/**
 * hp_tree_build_waiting() - build the dominator tree of the objects that wait
 *                           for a finalizer
 * @t:    zeroed; receives the tree, whose place 0 stands for all finalizer
 *        references together
 * @main: the tree that hp_tree_build() made; @g must still have its references
 *
 * An object of this tree is reachable from the referent of a finalizer
 * reference, but not from the roots. If there is no such object, @t has only
 * place 0, and no arrays.
 * Returns: as hp_tree_build().
 * Ownership: as hp_tree_build().
 */
HP_MUST_USE enum hp_status hp_tree_build_waiting(struct hp_tree *t,
						 struct hp_graph *g,
						 const struct hp_tree *main,
						 struct hp_error *err);

/* The set of all nodes that are reachable from the roots. */
struct hp_reached {
	/*
	 * one bit for each node, in words of uint64_t: set if the node is
	 * reachable
	 */
	struct hp_big_array bits;
};

/*
 * Find the nodes that are reachable from the roots: the nodes of the dominator
 * tree @t. Returns: HP_OK; HP_NOMEM; HP_IO. Ownership: call
 * hp_reached_release(), even after a failure.
 */
HP_MUST_USE enum hp_status hp_reached_find(struct hp_reached *r,
					   const struct hp_tree *t,
					   const struct hp_graph *g,
					   struct hp_error *err);
void hp_reached_release(struct hp_reached *r, struct hp_big_memory *m);

/* Whether @node is reachable from the roots. Returns false for HP_NO_NODE. */
static inline bool
hp_is_reached(const struct hp_reached *r, uint32_t node)
{
	return node != HP_NO_NODE &&
	       ((const uint64_t *)r->bits.at)[node >> 6] >> (node & 63) & 1;
}

/*
 * Returns the kind of the object at @place (index in the dominator tree), which
 * is an index in t->kind_list.
 */
static inline uint32_t
hp_tree_kind(const struct hp_tree *t, uint32_t place)
{
	return t->wide_kinds ? ((const uint32_t *)t->kinds.at)[place]
			     : ((const uint16_t *)t->kinds.at)[place];
}

/* Prefetch what hp_tree_kind() reads. */
HP_HOT void
hp_tree_prefetch_kind(const struct hp_tree *t, uint32_t place)
{
	__builtin_prefetch((const char *)t->kinds.at +
			   ((size_t)place << (t->wide_kinds ? 2 : 1)));
}

/*
 * Returns the place (index in the dominator tree) after the last object that
 * the object at @place retains. So the object retains exactly the objects at
 * the places from @place to before the returned place.
 */
static inline uint32_t
hp_tree_end(const struct hp_tree *t, uint32_t place)
{
	return hp_near_above(&t->ends, place);
}

/* Returns how many objects the object at @place retains, including itself. */
static inline uint32_t
hp_tree_objects(const struct hp_tree *t, uint32_t place)
{
	return hp_tree_end(t, place) - place;
}

/* Prefetch what hp_tree_end() and hp_tree_objects() read. */
HP_HOT void
hp_tree_prefetch_end(const struct hp_tree *t, uint32_t place)
{
	hp_near_array_prefetch(&t->ends, place);
}

/* Returns the place of the immediate dominator of the object at @place. */
static inline uint32_t
hp_tree_parent(const struct hp_tree *t, uint32_t place)
{
	return hp_near_below(&t->parents, place);
}

/* Prefetch what hp_tree_parent() reads. */
HP_HOT void
hp_tree_prefetch_parent(const struct hp_tree *t, uint32_t place)
{
	hp_near_array_prefetch(&t->parents, place);
}

/*
 * Returns the sum of the shallow sizes in bytes of all objects at the places
 * (indexes in the dominator tree) from @place to @end - 1. It is computed by a
 * loop over these places.
 */
static inline uint64_t
hp_tree_bytes_between(const struct hp_tree *t, uint32_t place, uint32_t end)
{
	uint64_t sum = 0;

	for (; place < end; place++)
		sum += t->kind_list->list[hp_tree_kind(t, place)].bytes;
	return sum;
}

/*
 * Returns the sum of the shallow sizes in bytes of all objects at places
 * (indexes in the dominator tree) before @place. If @place is t->count, the
 * result is the sum for all objects.
 */
static inline uint64_t
hp_tree_bytes_before(const struct hp_tree *t, uint32_t place)
{
	uint32_t span = place / HP_TREE_SPAN;

	return ((const uint64_t *)t->bytes_before.at)[span] +
	       hp_tree_bytes_between(t, span * HP_TREE_SPAN, place);
}

/*
 * Returns the retained size in bytes of the object at @place (index in the
 * dominator tree), including the object itself.
 */
static inline uint64_t
hp_tree_bytes(const struct hp_tree *t, uint32_t place)
{
	uint32_t end = hp_tree_end(t, place);

	/*
	 * Most objects retain only a few objects. For these, a loop over the
	 * retained objects is faster than the difference of two sums.
	 */
	if (end - place <= HP_TREE_SPAN)
		return hp_tree_bytes_between(t, place, end);
	return hp_tree_bytes_before(t, end) - hp_tree_bytes_before(t, place);
}

/**
 * hp_tree_groups() - sum the retained sizes of each group of objects; the
 *                    caller divides the kinds of objects into groups
 * @group_of: indexed by kind: the number of the group of its objects, below
 *            @ngroups; UINT32_MAX: the objects are in no group
 * @sums:     indexed by group, zeroed; receives the sums. An object is left out
 *            if another object of the same group dominates it, so no byte is
 *            counted twice in a group
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tree_groups(const struct hp_tree *t,
					  const uint32_t *group_of,
					  uint32_t ngroups,
					  struct hp_graph_sum *sums,
					  struct hp_error *err);

/* ----------------------------------------------------------------------
 * The distance of objects from the roots
 */

/*
 * The depth of each object: the number of references on a shortest path from a
 * root to the object, plus 1. A root has the depth 1.
 */
struct hp_depths {
	struct hp_big_memory *memory;
	/* uint32_t for each node: its depth; 0: unreachable */
	struct hp_big_array by_node;
	uint32_t most;
	uint64_t met; /* number of reachable nodes */
};

/*
 * Find the depth of each object by a breadth-first search. A level is the set
 * of objects with equal depth. Wide levels use all threads of the graph. Narrow
 * levels use one thread, because a linked list of a million nodes has a million
 * levels of one node.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Ownership: call
 * hp_depths_release(), even after a failure.
 */
HP_MUST_USE enum hp_status
hp_depths_find(struct hp_depths *d, struct hp_graph *g, struct hp_error *err);
void hp_depths_release(struct hp_depths *d);

/*
 * ----------------------------------------------------------------------
 * Find objects that are kept alive by exactly one reference
 *
 * A reference from object C to object D is a bridge if every path from the
 * roots to D uses it. Then C dominates D, and D is freed when this one
 * reference is cleared. But not every object that C dominates has a bridge: if
 * several paths lead from C to D, C also dominates D, but no single reference
 * of C keeps D alive.
 *
 * A reference to D is a bridge if all other references to D come from objects
 * that D itself dominates.
 *
 * Source: L. Georgiadis, G. Italiano, N. Parotsidis, "Strong Connectivity in
 *         Directed Graphs under Failures", 2020 (strong bridges)
 */

struct hp_bridges {
	struct hp_big_memory *memory;
	/*
	 * uint32_t for each node: its place (index) in the dominator tree. 0:
	 * the node is unreachable.
	 */
	struct hp_big_array places;
	/*
	 * The arrays `asked`, `used` and `other` are sets of nodes: one bit for
	 * each node, in words of 64 bits.
	 */
	/* nodes for which hp_bridges_ask() was called */
	struct hp_big_array asked;
	/* nodes to which the immediate dominator of the node refers */
	struct hp_big_array used;
	/*
	 * The nodes that a second reference can keep alive: another reference
	 * from the immediate dominator, or a reference from an object that the
	 * node does not dominate.
	 */
	struct hp_big_array other;
	/* hp_bridges_ask() was called at least once */
	bool any;
};

/**
 * hp_bridges_init() - prepare to find out which objects are kept alive by a
 *                     single reference, and find the place (index) of each node
 *                     in the dominator tree
 * @b: zeroed
 * @g: must still have its edges
 *
 * Memory: 4 bytes and 3 bits for each node
 * Returns: HP_OK; HP_NOMEM; HP_IO. Ownership: call hp_bridges_release(), even
 * after a failure, and before @t is released.
 */
HP_MUST_USE enum hp_status hp_bridges_init(struct hp_bridges *b,
					   const struct hp_tree *t,
					   const struct hp_graph *g,
					   struct hp_error *err);
void hp_bridges_release(struct hp_bridges *b);

/*
 * Returns the place (index) of a node in the dominator tree; 0 if the node is
 * unreachable or HP_NO_NODE.
 */
static inline uint32_t
hp_bridges_place(const struct hp_bridges *b, uint32_t node)
{
	return node == HP_NO_NODE ? 0 : ((const uint32_t *)b->places.at)[node];
}

/*
 * Request that hp_bridges_find() finds out whether a single reference keeps the
 * reachable node @node alive. The immediate dominator of the node must be an
 * object, not the roots.
 */
void hp_bridges_ask(struct hp_bridges *b, uint32_t node);

/*
 * For each node that was passed to hp_bridges_ask(), find out whether a bridge
 * (a reference that alone keeps the node alive) leads to the node. The function
 * reads all references of the graph once. If hp_bridges_ask() was not called,
 * it does nothing.
 */
void hp_bridges_find(struct hp_bridges *b, const struct hp_tree *t,
		     const struct hp_graph *g);

/*
 * Whether a bridge (a reference that alone keeps the object alive) leads to
 * @node. If so, the bridge is the only reference from the immediate dominator
 * to @node. Returns false if hp_bridges_ask() was not called for the node.
 */
bool hp_bridges_lead_to(const struct hp_bridges *b, uint32_t node);

#endif
