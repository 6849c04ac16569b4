/*
 * depth.c - find the distance of each object from the roots, by a breadth-first
 * search
 *
 * A level is the set of objects with the same distance. The search handles one
 * level after the other, and several threads share the objects of a level. If
 * an object of the level refers to a new object, the new object belongs to the
 * next level. So the result does not depend on which thread visits an object
 * first.
 *
 * Source: E. F. Moore, "The shortest path through a maze", 1959
 *
 * Invariants:
 * I1  each object that has a distance is in the queue exactly once.
 * I2  distances in the queue do not decrease.
 */
#include "common/graph/tree.h"

#include "common/base/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
	AHEAD = 8,
	/*
	 * If a level (objects with the same distance) has fewer objects than
	 * this, only one thread handles it.
	 */
	WIDE = 4096,
	/* number of objects that a thread handles before it takes more */
	SHARE = 256,
	FOUND = 1024,
};

struct level_walk {
	const struct hp_graph *g;
	/*
	 * for each node: its depth (see struct hp_depths); 0: the node was not
	 * visited yet
	 */
	_Atomic uint32_t *depth;
	/*
	 * all nodes that were visited, one level (nodes of equal depth) after
	 * the other
	 */
	uint32_t *queue;
	_Atomic uint64_t met;
	uint32_t level; /* depth of the nodes that the search finds now */
	/*
	 * index in `queue` after the last node of the previous level (nodes of
	 * the previous depth)
	 */
	uint64_t end;
	/*
	 * index in `queue` of the first node of the previous level that no
	 * thread has taken
	 */
	_Atomic uint64_t next;
	/* only one thread works on this level (nodes of equal depth) */
	bool alone;
};

/* Nodes that a thread has found, but not appended to level_walk.queue yet. */
struct found {
	struct level_walk *w;
	unsigned n;
	uint32_t nodes[FOUND];
};

static void
queue_found(struct found *f)
{
	uint64_t at = atomic_fetch_add_explicit(&f->w->met, f->n,
						memory_order_relaxed);

	assert(at + f->n <=
	       /* invariant I1: each node is in the queue at most once */
	       (uint64_t)f->w->g->nodes.count + 1);
	memcpy(f->w->queue + at, f->nodes, f->n * sizeof(*f->nodes));
	f->n = 0;
}

static inline void
visit_node(struct found *f, uint32_t node)
{
	struct level_walk *w = f->w;
	uint32_t unmet = 0;

	if (node == HP_NO_NODE ||
	    atomic_load_explicit(&w->depth[node], memory_order_relaxed))
		return;
	if (w->alone)
		atomic_store_explicit(&w->depth[node], w->level,
				      memory_order_relaxed);
	else if (!atomic_compare_exchange_strong_explicit(
			 &w->depth[node], &unmet, w->level,
			 memory_order_relaxed, memory_order_relaxed))
		return;
	f->nodes[f->n++] = node;
	if (f->n == FOUND)
		queue_found(f);
}

static void
visit_references(struct found *f, uint32_t node)
{
	const struct hp_graph *g = f->w->g;
	const uint8_t *lists = g->edges.lists.at;
	struct hp_edge_reader r = {.base = node};
	uint32_t kind = hp_edge_kind(&g->edges, node, &r.at), to;

	visit_node(f, g->kinds.list[kind].class_node);
	if (r.at == 0)
		return;
	while ((to = hp_edge_next(lists, &r)) != HP_EDGE_END)
		visit_node(f, to);
}

/*
 * Prefetch data of two nodes that come after the index @at of the queue. For
 * the farther node, prefetch the position of its list of references; for the
 * nearer node, prefetch the list itself.
 */
HP_HOT void
fetch_ahead(const struct level_walk *w, uint64_t at)
{
	if (at + 2 * AHEAD < w->end)
		hp_edge_prefetch_start(&w->g->edges, w->queue[at + 2 * AHEAD]);
	if (at + AHEAD < w->end)
		hp_edge_prefetch_list(&w->g->edges, w->queue[at + AHEAD]);
}

static void *
walk_shares(void *argument)
{
	struct level_walk *w = argument;
	struct found f;
	uint64_t at, end;

	f.w = w;
	f.n = 0;
	while ((at = atomic_fetch_add_explicit(
			&w->next, SHARE, memory_order_relaxed)) < w->end) {
		end = w->end - at < SHARE ? w->end : at + SHARE;
		for (; at < end; at++) {
			fetch_ahead(w, at);
			visit_references(&f, w->queue[at]);
		}
	}
	queue_found(&f);
	return NULL;
}

/*
 * To find the nodes of the next level, visit all nodes of the previous level,
 * which begins at index @at of the queue. Uses all threads if the level has
 * many nodes.
 */
static void
walk_level(struct level_walk *w, uint64_t at)
{
	unsigned threads =
		hp_threads_for(w->g->o.threads, w->end - at, WIDE / 2);

	atomic_store(&w->next, at);
	w->alone = threads == 1;
	hp_threads_run(threads, walk_shares, w, 0);
}

static void
walk_all(struct level_walk *w, struct hp_depths *d)
{
	struct found roots;
	uint64_t at = 0;

	roots.w = w;
	roots.n = 0;
	w->level = 1;
	w->alone = true;
	for (size_t i = 0; i < w->g->nroots; i++)
		visit_node(&roots, w->g->roots[i].node);
	queue_found(&roots);
	while (at < w->met) {
		w->end = w->met;
		d->most = w->level++;
		walk_level(w, at);
		at = w->end;
	}
	d->met = w->met;
}

enum hp_status
hp_depths_find(struct hp_depths *d, struct hp_graph *g, struct hp_error *err)
{
	struct hp_big_array queue = {0};
	uint64_t n = (uint64_t)g->nodes.count + 1;
	struct level_walk w = {.g = g};
	enum hp_status st;

	*d = (struct hp_depths){.memory = &g->memory};
	st = hp_big_array_make(&g->memory, &d->by_node, 4 * n, HP_BIG_RANDOM,
			       err);
	if (st == HP_OK)
		st = hp_big_array_make(&g->memory, &queue, 4 * n,
				       HP_BIG_IN_ORDER, err);
	w.depth = d->by_node.at;
	w.queue = queue.at;
	if (st == HP_OK)
		walk_all(&w, d);
	hp_big_array_drop(&g->memory, &queue);
	return st;
}

void
hp_depths_release(struct hp_depths *d)
{
	if (d->memory)
		hp_big_array_drop(d->memory, &d->by_node);
	*d = (struct hp_depths){0};
}
