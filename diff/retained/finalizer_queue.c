/*
 * finalizer_queue.c - list the objects that wait for their finalizer to run,
 * sorted by finalizer
 */
#include "diff/retained/retained.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>

/*
 * An object, given by its number in the graph, and its index in a dominator
 * tree.
 */
struct placed {
	uint32_t node, place;
};

struct maker {
	struct hp_finalizer_queue *q;
	const struct hp_graph *g;
	const struct hp_tree *t;
	/*
	 * The finalizers, sorted by `node`. `place` is the index of the
	 * finalizer in the dominator tree of the reachable objects.
	 */
	struct placed *finalizers;
	/*
	 * The children of the root in the dominator tree of the waiting
	 * objects, sorted by `node`. `place` is set to 0 when the finalizer of
	 * the object is found.
	 */
	struct placed *tops;
	size_t nfinalizers, ntops;
	/*
	 * smallest index of a finalizer in the dominator tree of the objects
	 * that are reachable from the roots; 0: there is no finalizer
	 */
	uint32_t first;
	struct hp_error *err;
};

static int
by_node(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return hp_order(x->node, y->node);
}

static struct placed *
find_node(struct placed *list, size_t n, uint32_t node)
{
	const struct placed key = {.node = node};

	return n > 0 ? bsearch(&key, list, n, sizeof(*list), by_node) : NULL;
}

static enum hp_status
make_lists(struct maker *m)
{
	struct hp_finalizer_queue *q = m->q;
	size_t nfinalizers = 0, ntops = 0;

	for (uint32_t p = 1; p < m->t->count; p++)
		nfinalizers += m->g->finalizers[hp_tree_kind(m->t, p)];
	for (uint32_t p = 1; p < q->tree.count; p = hp_tree_end(&q->tree, p))
		ntops++;
	m->finalizers = hp_calloc(nfinalizers + 1, sizeof(*m->finalizers));
	m->tops = hp_calloc(ntops + 1, sizeof(*m->tops));
	q->list = hp_calloc(ntops + 1, sizeof(*q->list));
	q->before = hp_calloc(ntops + 1, sizeof(*q->before));
	return m->finalizers && m->tops && q->list && q->before
		       ? HP_OK
		       : hp_no_memory(m->err);
}

static bool
find_places(struct maker *m)
{
	const uint32_t *nodes = m->t->nodes.at;
	const struct hp_tree *waiting = &m->q->tree;
	const uint32_t *waiting_nodes = waiting->nodes.at;

	for (uint32_t p = 1; p < m->t->count; p++) {
		if (!m->g->finalizers[hp_tree_kind(m->t, p)])
			continue;
		if (m->first == 0)
			m->first = p;
		m->finalizers[m->nfinalizers++] = (struct placed){nodes[p], p};
	}
	for (uint32_t p = 1; p < waiting->count; p = hp_tree_end(waiting, p))
		m->tops[m->ntops++] = (struct placed){waiting_nodes[p], p};
	return hp_sort(m->finalizers, m->nfinalizers, sizeof(*m->finalizers),
		       by_node) &&
	       hp_sort(m->tops, m->ntops, sizeof(*m->tops), by_node);
}

static void
add(struct hp_finalizer_queue *q, uint32_t finalizer, struct placed *top)
{
	q->list[q->count++] = (struct hp_queued){finalizer, top->place};
	top->place = 0;
}

/*
 * List the objects to which a finalizer refers directly. If several finalizers
 * refer to an object, list the object for the finalizer that comes first in the
 * dominator tree.
 */
static void
list_all(struct maker *m)
{
	for (size_t i = 0; i < m->g->nweak; i++) {
		const struct hp_graph_weak *w = &m->g->weak[i];
		const struct placed *from =
			hp_graph_is_finalizer(m->g, w)
				? find_node(m->finalizers, m->nfinalizers,
					    w->from)
				: NULL;
		struct placed *top =
			from ? find_node(m->tops, m->ntops, w->to) : NULL;

		if (top && top->place != 0)
			add(m->q, from->place, top);
	}
	for (size_t i = 0; i < m->ntops; i++)
		if (m->tops[i].place != 0)
			add(m->q, m->first, &m->tops[i]);
}

static int
by_finalizer(const void *a, const void *b)
{
	const struct hp_queued *x = a, *y = b;

	if (x->finalizer != y->finalizer)
		return hp_order(x->finalizer, y->finalizer);
	return hp_order(x->waiting, y->waiting);
}

static bool
sum_up(struct hp_finalizer_queue *q)
{
	if (!hp_sort(q->list, q->count, sizeof(*q->list), by_finalizer))
		return false;
	for (size_t i = 0; i < q->count; i++) {
		uint32_t place = q->list[i].waiting;

		q->before[i + 1].objects =
			q->before[i].objects + hp_tree_objects(&q->tree, place);
		q->before[i + 1].bytes =
			q->before[i].bytes + hp_tree_bytes(&q->tree, place);
	}
	return true;
}

enum hp_status
hp_finalizer_queue_build(struct hp_finalizer_queue *q, struct hp_graph *g,
			 const struct hp_tree *t, struct hp_error *err)
{
	struct maker m = {.q = q, .g = g, .t = t, .err = err};
	enum hp_status st = hp_tree_build_waiting(&q->tree, g, t, err);

	if (st != HP_OK || q->tree.count <= 1)
		return st;
	st = make_lists(&m);
	if (st == HP_OK && !find_places(&m))
		st = hp_no_memory(err);
	if (st == HP_OK) {
		list_all(&m);
		st = sum_up(q) ? HP_OK : hp_no_memory(err);
	}
	hp_free(m.finalizers);
	hp_free(m.tops);
	return st;
}

void
hp_finalizer_queue_release(struct hp_finalizer_queue *q)
{
	hp_tree_release(&q->tree);
	hp_free(q->list);
	hp_free(q->before);
	*q = (struct hp_finalizer_queue){0};
}

size_t
hp_finalizer_queue_from(const struct hp_finalizer_queue *q, uint32_t place)
{
	size_t from = 0, to = q->count;

	while (from < to) {
		size_t at = from + (to - from) / 2;

		if (q->list[at].finalizer < place)
			from = at + 1;
		else
			to = at;
	}
	return from;
}
