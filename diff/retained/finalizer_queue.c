/*
 * finalizer_queue.c - list the objects that wait for their finalizer to run,
 * sorted by finalizer
 */
#include "diff/retained/retained.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/object_ids/id_map.h"

#include <stdlib.h>

struct maker {
	struct hp_finalizer_queue *q;
	const struct hp_graph *g;
	const struct hp_tree *t;
	/*
	 * maps the graph node of a finalizer to its index in the main dominator
	 * tree
	 */
	struct hp_id_map places;
	/*
	 * for each object directly below the root of the second dominator tree
	 * (of waiting objects): its index there, or 0 if its finalizer was
	 * already found
	 */
	struct hp_id_map tops;
	/* index of the first finalizer in the main tree; 0: there is none */
	uint32_t first;
	size_t cap;
	struct hp_error *err;
};

static enum hp_status
fit(struct maker *m)
{
	/* entries count twice, because qsort() makes a copy */
	uint64_t now = hp_id_map_bytes(&m->places) + hp_id_map_bytes(&m->tops) +
		       m->cap * (2 * sizeof(struct hp_queued) +
				 sizeof(struct hp_graph_sum));

	return hp_budget_note(m->q->budget, &m->q->noted, now, m->err);
}

static bool
put_place(struct hp_id_map *map, uint32_t node, uint32_t place)
{
	uint64_t *slot = hp_id_map_put(map, node, NULL);

	if (slot)
		*slot = place;
	return slot;
}

static enum hp_status
find_places(struct maker *m)
{
	const uint32_t *kinds = m->t->kinds.at, *nodes = m->t->nodes.at;
	const struct hp_tree *waiting = &m->q->tree;
	const uint32_t *waiting_nodes = waiting->nodes.at;

	for (uint32_t p = 1; p < m->t->count; p++) {
		if (!m->g->finalizers[kinds[p]])
			continue;
		if (m->first == 0)
			m->first = p;
		if (!put_place(&m->places, nodes[p], p))
			return hp_no_memory(m->err);
	}
	for (uint32_t p = 1; p < waiting->count; p = hp_tree_end(waiting, p))
		if (!put_place(&m->tops, waiting_nodes[p], p))
			return hp_no_memory(m->err);
	return fit(m);
}

static enum hp_status
add(struct maker *m, uint32_t finalizer, uint32_t waiting)
{
	struct hp_finalizer_queue *q = m->q;

	return HP_LIST_PUSH(q->list, q->count, m->cap,
			    (struct hp_queued){finalizer, waiting})
		       ? HP_OK
		       : hp_no_memory(m->err);
}

/*
 * List the objects that a finalizer refers to directly. An object that several
 * finalizers reach is assigned to the first of them.
 */
static enum hp_status
list_all(struct maker *m)
{
	enum hp_status st = HP_OK;
	uint64_t node, place;
	size_t at = 0;

	for (size_t i = 0; i < m->g->nweak && st == HP_OK; i++) {
		const struct hp_graph_weak *w = &m->g->weak[i];
		const uint64_t *from = hp_id_map_get(&m->places, w->from);
		uint64_t *top = from && hp_graph_is_finalizer(m->g, w)
					? hp_id_map_find(&m->tops, w->to)
					: NULL;

		if (!top || *top == 0)
			continue;
		st = add(m, (uint32_t)*from, (uint32_t)*top);
		*top = 0;
	}
	while (st == HP_OK && hp_id_map_next(&m->tops, &at, &node, &place))
		if (place != 0)
			st = add(m, m->first, (uint32_t)place);
	return st == HP_OK ? fit(m) : st;
}

static int
by_finalizer(const void *a, const void *b)
{
	const struct hp_queued *x = a, *y = b;

	if (x->finalizer != y->finalizer)
		return hp_order(x->finalizer, y->finalizer);
	return hp_order(x->waiting, y->waiting);
}

static enum hp_status
sum_up(struct maker *m)
{
	struct hp_finalizer_queue *q = m->q;
	const uint32_t *objects = q->tree.objects.at;

	q->before = hp_calloc(q->count + 1, sizeof(*q->before));
	if (!q->before)
		return hp_no_memory(m->err);
	if (q->count > 0)
		qsort(q->list, q->count, sizeof(*q->list), by_finalizer);
	for (size_t i = 0; i < q->count; i++) {
		uint32_t place = q->list[i].waiting;

		q->before[i + 1].objects =
			q->before[i].objects + objects[place];
		q->before[i + 1].bytes =
			q->before[i].bytes + hp_tree_bytes(&q->tree, place);
	}
	return HP_OK;
}

enum hp_status
hp_finalizer_queue_build(struct hp_finalizer_queue *q, struct hp_graph *g,
			 const struct hp_tree *t, struct hp_budget *budget,
			 struct hp_error *err)
{
	struct maker m = {.q = q, .g = g, .t = t, .err = err};
	enum hp_status st = hp_tree_build_waiting(&q->tree, g, t, err);

	q->budget = budget;
	if (st == HP_OK && q->tree.count > 1)
		st = find_places(&m);
	if (st == HP_OK && q->tree.count > 1)
		st = list_all(&m);
	if (st == HP_OK && q->tree.count > 1)
		st = sum_up(&m);
	hp_id_map_release(&m.places);
	hp_id_map_release(&m.tops);
	return st;
}

void
hp_finalizer_queue_release(struct hp_finalizer_queue *q)
{
	hp_tree_release(&q->tree);
	hp_free(q->list);
	hp_free(q->before);
	if (q->budget)
		hp_budget_release(q->budget, &q->noted);
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
