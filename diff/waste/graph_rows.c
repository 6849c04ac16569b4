/*
 * graph_rows.c - find the kinds of waste that need the object graph: cleared
 * entries of ThreadLocals, objects that wait for a finalizer, and unreachable
 * objects
 *
 * The total does not include these kinds, because other kinds of waste may
 * count the same objects.
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/graph/hidden_fields.h"

#include <string.h>

/* The class of the entries in the maps of ThreadLocals. */
#define ENTRY "java.lang.ThreadLocal$ThreadLocalMap$Entry"

static enum hp_status
add(const struct hp_waste_graph *w, enum hp_waste_kind kind,
    const struct hp_node_kind *of, const struct hp_graph_sum *sum,
    struct hp_error *err)
{
	const struct hp_name *name = hp_key_kind(w->keys, of);
	size_t dump = w->c->index;
	struct hp_buf key = {0};
	struct hp_row *row = NULL;

	hp_buf_text(&key, hp_waste_kinds[kind].name);
	hp_buf_text(&key, HP_ROW_ARROW);
	if (name)
		hp_buf_add(&key, name->text, name->len);
	if (name && hp_buf_ok(&key))
		row = hp_rows_put_text(w->c->rows, &key);
	hp_buf_release(&key);
	if (!row)
		return hp_no_memory(err);
	row->holder_len = strlen(hp_waste_kinds[kind].name);
	row->beside = true;
	row->count[dump] += sum->objects;
	row->waste[dump] += sum->bytes;
	return HP_OK;
}

/* --- cleared entries of ThreadLocals -------------------------------------- */

/*
 * Returns the kind (class and size) of the value in an entry of a ThreadLocal.
 * The first reference field of the entry refers to the value.
 */
static const struct hp_node_kind *
value_kind(const struct hp_graph *g, uint32_t node)
{
	struct hp_edge_reader r = {.base = node};
	uint32_t to;

	hp_edge_kind(&g->edges, node, &r.at);
	to = r.at ? hp_edge_next_field(g->edges.lists.at, &r) : HP_EDGE_END;
	return to == HP_EDGE_END || r.next != 1 ? NULL : hp_graph_kind(g, to);
}

/*
 * Returns, for each kind of object (class and size), whether its objects are
 * entries of ThreadLocals. NULL if out of memory.
 */
static bool *
find_entries(const struct hp_waste_graph *w)
{
	const struct hp_node_kinds *kinds = &w->t->graph.kinds;
	bool *is_entry = hp_calloc((size_t)kinds->count + 1, 1);

	for (uint32_t i = 1; is_entry && i < kinds->count; i++) {
		const struct hp_name *name =
			kinds->list[i].of == HP_NODE_INSTANCE
				? hp_key_kind(w->keys, &kinds->list[i])
				: NULL;

		is_entry[i] = name && strcmp(name->text, ENTRY) == 0;
	}
	return is_entry;
}

/*
 * Add rows for cleared entries. An entry is cleared when its ThreadLocal, which
 * is its key, was garbage-collected. The value of the entry stays in memory
 * until the thread ends or uses other ThreadLocals.
 */
static enum hp_status
add_stale(const struct hp_waste_graph *w, struct hp_error *err)
{
	const struct hp_tree *tree = &w->t->tree;
	const uint32_t *nodes = tree->nodes.at;
	bool *is_entry = find_entries(w);
	enum hp_status st = is_entry ? HP_OK : hp_no_memory(err);

	for (uint32_t i = 1; i < tree->count && st == HP_OK; i++) {
		struct hp_graph_sum sum;
		const struct hp_node_kind *value;

		if (!is_entry[hp_tree_kind(tree, i)] ||
		    hp_graph_weak_of(&w->t->graph, nodes[i]))
			continue;
		value = value_kind(&w->t->graph, nodes[i]);
		sum = (struct hp_graph_sum){1, hp_tree_bytes(tree, i)};
		st = add(w, HP_WASTE_STALE_LOCALS,
			 value ? value : hp_retained_kind(w->t, i), &sum, err);
	}
	hp_free(is_entry);
	return st;
}

/* --- objects that wait for a finalizer ------------------------------------ */

static enum hp_status
add_waiting(const struct hp_waste_graph *w, struct hp_error *err)
{
	const struct hp_finalizer_queue *q = &w->t->queue;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < q->count && st == HP_OK; i++) {
		struct hp_graph_sum sum = {1, q->before[i + 1].bytes -
						      q->before[i].bytes};

		st = add(w, HP_WASTE_FINALIZATION,
			 &w->t->graph.kinds.list[hp_tree_kind(
				 &q->tree, q->list[i].waiting)],
			 &sum, err);
	}
	return st;
}

/* --- unreachable objects -------------------------------------------------- */

/*
 * A search for all objects that are reachable from roots, also over weak
 * references.
 */
struct search {
	const struct hp_graph *g;
	/*
	 * one bit for each object of the graph: the search has found the object
	 */
	uint64_t *bits;
	/*
	 * the objects that were found, but whose references were not followed
	 * yet
	 */
	struct hp_big_array open;
	uint64_t depth;
};

static void
visit(struct search *s, uint32_t node)
{
	if (node == HP_NO_NODE || s->bits[node >> 6] >> (node & 63) & 1)
		return;
	s->bits[node >> 6] |= UINT64_C(1) << (node & 63);
	((uint32_t *)s->open.at)[s->depth++] = node;
}

static void
visit_referents(struct search *s, uint32_t node)
{
	const struct hp_graph_weak *end = s->g->weak + s->g->nweak;

	for (const struct hp_graph_weak *weak = hp_graph_weak_of(s->g, node);
	     weak && weak < end && weak->from == node; weak++)
		visit(s, weak->to);
}

/*
 * Follow references, including weak references, from the objects that were
 * found so far, until no further object is found.
 */
static void
search_weakly(struct search *s)
{
	const struct hp_graph_weak *weak = s->g->weak;

	for (size_t i = 0; i < s->g->nweak; i++)
		if (s->bits[weak[i].from >> 6] >> (weak[i].from & 63) & 1)
			visit(s, weak[i].to);
	while (s->depth > 0) {
		uint32_t node = ((uint32_t *)s->open.at)[--s->depth], to;
		struct hp_edge_reader r = {.base = node};
		uint32_t kind = hp_edge_kind(&s->g->edges, node, &r.at);

		visit(s, s->g->kinds.list[kind].class_node);
		visit_referents(s, node);
		while (r.at && (to = hp_edge_next(s->g->edges.lists.at, &r)) !=
				       HP_EDGE_END)
			visit(s, to);
	}
}

/*
 * For each kind of object (class and size), count the objects that the search
 * has not found. They are unreachable.
 */
static enum hp_status
add_lost(const struct hp_waste_graph *w, const uint64_t *bits,
	 struct hp_error *err)
{
	const struct hp_graph *g = &w->t->graph;
	uint64_t *lost = hp_calloc((size_t)g->kinds.count + 1, sizeof(*lost));
	enum hp_status st = lost ? HP_OK : hp_no_memory(err);
	uint64_t at;

	for (uint32_t node = 0; lost && node < g->nodes.count; node++)
		if (!(bits[node >> 6] >> (node & 63) & 1))
			lost[hp_edge_kind(&g->edges, node, &at)]++;
	for (uint32_t i = 1; i < g->kinds.count && st == HP_OK; i++) {
		const struct hp_graph_sum sum = {
			lost[i], lost[i] * g->kinds.list[i].bytes};

		if (lost[i] > 0)
			st = add(w, HP_WASTE_UNREACHABLE, &g->kinds.list[i],
				 &sum, err);
	}
	hp_free(lost);
	return st;
}

static enum hp_status
add_unreachable(const struct hp_waste_graph *w, struct hp_error *err)
{
	struct search s = {.g = &w->t->graph};
	struct hp_reached reached = {0};
	enum hp_status st;

	if (w->t->tree.unreachable.objects == 0)
		return HP_OK;
	st = hp_reached_find(&reached, &w->t->tree, s.g, err);
	if (st == HP_OK)
		st = hp_big_array_make(&w->t->graph.memory, &s.open,
				       4 * (s.g->nodes.count + UINT64_C(1)),
				       HP_BIG_RANDOM, err);
	s.bits = reached.bits.at;
	if (st == HP_OK) {
		search_weakly(&s);
		st = hp_hidden_fields_find(&w->t->graph, s.bits, NULL, err);
	}
	if (st == HP_OK)
		st = add_lost(w, s.bits, err);
	hp_big_array_drop(&w->t->graph.memory, &s.open);
	hp_reached_release(&reached, &w->t->graph.memory);
	return st;
}

enum hp_status
hp_waste_graph_rows_add(const struct hp_waste_graph *w, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	/*
	 * with --reachability=all, weak references are like other fields, so no
	 * entry counts as cleared
	 */
	if (w->c->o->reachability != HP_REACHABILITY_ALL)
		st = add_stale(w, err);
	if (st == HP_OK)
		st = add_waiting(w, err);
	return st == HP_OK ? add_unreachable(w, err) : st;
}
