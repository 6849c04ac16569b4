/*
 * join.c - merge what all threads have read into the object graph
 *
 * All merged lists are sorted by node or by offset in the file. So the result
 * does not depend on which thread read which part.
 */
#include "common/graph/internal.h"

#include "common/base/memory.h"
#include "common/graph/graph.h"

#include <stddef.h>
#include <string.h>

enum {
	/*
	 * The memory limit is checked again after this number of merged roots.
	 */
	BETWEEN = 1 << 16
};

/* --- roots ---------------------------------------------------------------- */

uint64_t
hp_root_pack(uint8_t tag, uint32_t thread)
{
	return (uint64_t)hp_root_order(tag) << 40 | (uint64_t)thread << 8 | tag;
}

void
hp_root_note(struct hp_build_worker *w, uint32_t node, uint64_t packed)
{
	bool fresh;
	uint64_t *place = hp_id_map_put(&w->roots, node, &fresh);

	if (!place)
		hp_build_fail(w, HP_NOMEM);
	else if (fresh || packed < *place)
		*place = packed;
}

/* --- merging lists of all workers ----------------------------------------- */

/*
 * Merge one kind of list of all workers, such as `locals`: append the lists of
 * the other workers to the list of the first worker, and sort it. @offset: the
 * offset of the list (a struct hp_vec) in struct hp_build_worker. The memory
 * for sorting also counts towards the limit.
 */
static enum hp_status
gather(struct hp_build *b, size_t offset, size_t size,
       int (*compare)(const void *, const void *), struct hp_error *err)
{
	struct hp_build_worker *w = &b->workers[0];
	struct hp_vec *all = (struct hp_vec *)((char *)w + offset);
	enum hp_status st = HP_OK;

	for (unsigned i = 1; i < b->g->o.threads && st == HP_OK; i++) {
		struct hp_vec *from =
			(struct hp_vec *)((char *)&b->workers[i] + offset);

		if (all->count > 0)
			st = hp_build_charge(b, w, from->count * size, err);
		if (st == HP_OK && !hp_vec_move(all, from, size))
			st = hp_no_memory(err);
		if (st == HP_OK)
			st = hp_build_charge(b, &b->workers[i], 0, err);
	}
	if (st == HP_OK)
		st = hp_build_charge(b, w, all->count * size, err);
	if (st == HP_OK && all->count > 0)
		qsort(all->items, all->count, size, compare);
	return st;
}

/* --- lists that consist of several parts ---------------------------------- */

static int
by_place(const void *a, const void *b)
{
	const struct hp_build_piece *x = a, *y = b;
	int c = hp_order(x->node, y->node);

	return c ? c : hp_order(x->first, y->first);
}

/*
 * Begin a new list of references for a node. The new references come before the
 * old ones, which the node already has. *@rest receives the position of the old
 * references; 0: there are none. The caller ends the list with end_list_with().
 */
static enum hp_status
begin_again(struct hp_build *b, uint32_t node, uint64_t *rest,
	    struct hp_error *err)
{
	struct hp_edges *e = &b->g->edges;
	struct hp_edge_writer *writer = &b->workers[0].writer;
	uint64_t start;
	uint32_t kind = hp_edge_unsorted_kind(e, node, rest);

	if (!hp_edge_begin_node(e, writer, node, kind, &start))
		return hp_edges_error(e, err);
	hp_edge_set_start(e->starts.at, node, start);
	return HP_OK;
}

/*
 * End the list that begin_again() has begun. Unless @rest is 0, the list
 * continues with the old references at the position @rest.
 */
static enum hp_status
end_list_with(struct hp_build *b, uint64_t rest, struct hp_error *err)
{
	uint64_t end;

	if (!hp_edge_end_open(&b->g->edges, &b->workers[0].writer, &end))
		return hp_edges_error(&b->g->edges, err);
	if (rest)
		hp_edge_continue(&b->g->edges, end, rest);
	return HP_OK;
}

/*
 * For each long array that was read in pieces: join the references of all
 * pieces into one list.
 */
static enum hp_status
join_pieces(struct hp_build *b, struct hp_error *err)
{
	const struct hp_vec *pieces = &b->workers[0].pieces;
	enum hp_status st =
		gather(b, offsetof(struct hp_build_worker, pieces),
		       sizeof(struct hp_build_piece), by_place, err);
	struct hp_build_piece *p;
	uint64_t rest;

	for (size_t k = 0; k < pieces->count && st == HP_OK; k++) {
		p = (struct hp_build_piece *)pieces->items + k;
		if (k > 0 && p[-1].node == p->node) {
			hp_edge_continue(&b->g->edges, p[-1].end, p->start);
			continue;
		}
		st = begin_again(b, p->node, &rest, err);
		if (st == HP_OK)
			st = end_list_with(b, p->start, err);
	}
	return st;
}

static int
by_thread(const void *a, const void *b)
{
	const struct hp_graph_local *x = a, *y = b;
	int c = hp_order(x->thread, y->thread);

	return c ? c : hp_order(x->node, y->node);
}

static int
by_frame(const void *a, const void *b)
{
	const struct hp_graph_local *x = a, *y = b;
	int c = hp_order(x->serial, y->serial);

	c = c ? c : hp_order(x->frame, y->frame);
	c = c ? c : hp_order(x->node, y->node);
	return c ? c : hp_order(x->tag, y->tag);
}

static enum hp_status
put_marker(struct hp_build *b, enum hp_edge_code code, struct hp_error *err)
{
	return hp_edge_put_code(&b->g->edges, &b->workers[0].writer, code)
		       ? HP_OK
		       : hp_edges_error(&b->g->edges, err);
}

static enum hp_status
begin_locals(struct hp_build *b, uint32_t thread, uint64_t *rest,
	     struct hp_error *err)
{
	enum hp_status st = begin_again(b, thread, rest, err);

	return st == HP_OK ? put_marker(b, HP_EDGE_LOCALS, err) : st;
}

static enum hp_status
end_locals(struct hp_build *b, uint64_t rest, struct hp_error *err)
{
	enum hp_status st = put_marker(b, HP_EDGE_FIELDS, err);

	return st == HP_OK ? end_list_with(b, rest, err) : st;
}

/*
 * Local variables become references of the objects of their threads. Add these
 * references to the list of each thread object, before its other references. If
 * several local variables of a thread refer to the same object, only one
 * reference is added.
 */
static enum hp_status
join_locals(struct hp_build *b, struct hp_error *err)
{
	struct hp_build_worker *w = &b->workers[0];
	enum hp_status st =
		gather(b, offsetof(struct hp_build_worker, locals),
		       sizeof(struct hp_graph_local), by_thread, err);
	size_t n = w->locals.count;
	struct hp_graph_local *l;
	uint64_t rest;

	for (size_t k = 0; k < n && st == HP_OK; k++) {
		l = (struct hp_graph_local *)w->locals.items + k;
		if (k == 0 || l[-1].thread != l->thread)
			st = begin_locals(b, l->thread, &rest, err);
		if (st == HP_OK &&
		    (k == 0 || l[-1].thread != l->thread ||
		     l[-1].node != l->node) &&
		    !hp_edge_put(&b->g->edges, &w->writer, l->node))
			st = hp_edges_error(&b->g->edges, err);
		if (st == HP_OK && (k + 1 == n || l[1].thread != l->thread))
			st = end_locals(b, rest, err);
	}
	if (n > 0)
		qsort(w->locals.items, n, sizeof(*l), by_frame);
	b->g->locals = w->locals.items;
	b->g->nlocals = n;
	w->locals = (struct hp_vec){0};
	return st;
}

/* --- roots, weak references ----------------------------------------------- */

static enum hp_status
merge_roots(struct hp_build *b, struct hp_build_worker *from,
	    struct hp_error *err)
{
	struct hp_build_worker *w = &b->workers[0];
	enum hp_status st = hp_build_charge(b, w, 0, err);
	uint64_t node, packed;
	size_t at = 0;

	for (unsigned n = 1;
	     st == HP_OK && hp_id_map_next(&from->roots, &at, &node, &packed);
	     n++) {
		hp_root_note(w, (uint32_t)node, packed);
		if (n % BETWEEN == 0)
			st = hp_build_charge(b, w, 0, err);
	}
	hp_id_map_release(&from->roots);
	return st == HP_OK ? hp_build_charge(b, from, 0, err) : st;
}

static enum hp_status
list_roots(struct hp_build *b, struct hp_error *err)
{
	struct hp_graph *g = b->g;
	struct hp_build_worker *w = &b->workers[0];
	enum hp_status st = HP_OK;
	uint64_t node, packed;
	size_t at = 0;

	for (unsigned i = 1; i < g->o.threads && st == HP_OK; i++)
		st = merge_roots(b, &b->workers[i], err);
	/*
	 * count the memory of the list of roots, and of a copy of the list for
	 * sorting
	 */
	if (st == HP_OK)
		st = hp_build_charge(
			b, w, 2 * w->roots.count * sizeof(*g->roots), err);
	if (st != HP_OK)
		return st;
	g->roots = hp_calloc(w->roots.count + 2, sizeof(*g->roots));
	if (!g->roots || w->status != HP_OK)
		return hp_no_memory(err);
	while (hp_id_map_next(&w->roots, &at, &node, &packed))
		g->roots[g->nroots++] = (struct hp_graph_root){
			.node = (uint32_t)node,
			.thread = (uint32_t)(packed >> 8),
			.tag = (uint8_t)packed};
	hp_id_map_release(&w->roots);
	qsort(g->roots, g->nroots, sizeof(*g->roots), hp_compare_u32);
	return hp_build_charge(b, w, 0, err);
}

static int
by_weak(const void *a, const void *b)
{
	const struct hp_graph_weak *x = a, *y = b;
	int c = hp_order(x->from, y->from);

	return c ? c : hp_order(x->to, y->to);
}

/*
 * Mark the kinds of finalizer references. Their objects are instances of
 * hp_finalizer_class() or of a subclass.
 */
static enum hp_status
find_finalizers(struct hp_graph *g, struct hp_error *err)
{
	const struct hp_class *top =
		g->nweak > 0 ? hp_finalizer_class(g->o.classes, g->o.tables)
			     : NULL;

	if (!top || top->chain == HP_CHAIN_CYCLE)
		return HP_OK;
	g->finalizers = hp_calloc(g->kinds.count, sizeof(*g->finalizers));
	if (!g->finalizers)
		return hp_no_memory(err);
	for (uint32_t k = 1; k < g->kinds.count; k++) {
		const struct hp_node_kind *kind = &g->kinds.list[k];
		const struct hp_class *c =
			kind->of == HP_NODE_INSTANCE
				? hp_classes_get(g->o.classes, kind->class_id)
				: NULL;

		g->finalizers[k] = c && c->chain != HP_CHAIN_CYCLE &&
				   hp_class_is_a(c, top);
	}
	return HP_OK;
}

static enum hp_status
list_weak(struct hp_build *b, struct hp_error *err)
{
	struct hp_graph *g = b->g;
	struct hp_vec *weak = &b->workers[0].weak;
	enum hp_status st = gather(b, offsetof(struct hp_build_worker, weak),
				   sizeof(struct hp_graph_weak), by_weak, err);

	g->weak = weak->items;
	g->nweak = weak->count;
	*weak = (struct hp_vec){0};
	if (st == HP_OK)
		st = find_finalizers(g, err);
	return st == HP_OK ? hp_build_charge(b, &b->workers[0], 0, err) : st;
}

const struct hp_graph_weak *
hp_graph_weak_of(const struct hp_graph *g, uint32_t node)
{
	const struct hp_graph_weak *found = NULL;

	if (g->nweak > 0)
		found = bsearch(&node, g->weak, g->nweak, sizeof(*g->weak),
				hp_compare_u32);
	while (found && found > g->weak && found[-1].from == node)
		found--;
	return found;
}

/* --- spans ---------------------------------------------------------------- */

static int
by_offset(const void *a, const void *b)
{
	const struct hp_graph_span *x = a, *y = b;

	return hp_order(x->from, y->from);
}

static enum hp_status
list_spans(struct hp_build *b, struct hp_error *err)
{
	struct hp_graph *g = b->g;
	struct hp_vec *spans = &b->workers[0].spans;
	enum hp_status st =
		gather(b, offsetof(struct hp_build_worker, spans),
		       sizeof(struct hp_graph_span), by_offset, err);

	g->spans = spans->items;
	g->nspans = spans->count;
	*spans = (struct hp_vec){0};
	return st == HP_OK ? hp_build_charge(b, &b->workers[0], 0, err) : st;
}

enum hp_status
hp_build_join(struct hp_build *b, struct hp_error *err)
{
	enum hp_status st = join_pieces(b, err);

	if (st == HP_OK)
		st = join_locals(b, err);
	if (st == HP_OK)
		st = list_roots(b, err);
	if (st == HP_OK)
		st = list_weak(b, err);
	return st == HP_OK ? list_spans(b, err) : st;
}
