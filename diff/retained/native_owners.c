/*
 * native_owners.c - list the objects that own memory outside the heap (native
 * memory), by their indexes in the dominator tree
 *
 * The size of such memory is the value of a field, and the object graph has no
 * values of primitive fields. So the parts of the dump that contain such
 * objects are read again.
 */
#include "diff/retained/retained.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/graph/spans.h"
#include "diff/count/passes.h"

#include <stdlib.h>

struct finder {
	struct hp_retained *t;
	struct hp_histogram *g;
	struct hp_native_classes classes;
	/*
	 * the numbers in the graph of all reachable objects that contain sizes
	 * of native memory, sorted
	 */
	uint64_t *nodes;
	size_t count;
	/*
	 * maps the object id of an owner to the number of bytes of native
	 * memory that it owns
	 */
	struct hp_id_map by_id;
	/*
	 * maps 1 + the number of an owner in the graph to the number of bytes
	 * of native memory that it owns
	 */
	struct hp_id_map by_node;
	/*
	 * for each kind of object (class and size): at least one of its objects
	 * is an owner
	 */
	bool *kinds;
	struct hp_error *err;
};

static enum hp_status
list_nodes(struct finder *f)
{
	const struct hp_node_kinds *list = &f->t->graph.kinds;
	const uint32_t *nodes = f->t->tree.nodes.at;
	uint64_t node;
	size_t cap = 0;
	bool fine = true;

	f->kinds = hp_calloc((size_t)list->count + 1, sizeof(*f->kinds));
	if (!f->kinds)
		return hp_no_memory(f->err);
	for (uint32_t k = 1; k < list->count; k++) {
		const struct hp_class *c =
			hp_node_kind_class(&list->list[k], &f->g->classes);

		f->kinds[k] = c && c->chain == HP_CHAIN_FINE &&
			      hp_native_classes_have(&f->classes, c);
	}
	for (uint32_t p = 1; p < f->t->tree.count && fine; p++) {
		node = nodes[p];
		if (f->kinds[hp_tree_kind(&f->t->tree, p)])
			fine = HP_LIST_PUSH(f->nodes, f->count, cap, node);
	}
	if (!fine)
		return hp_no_memory(f->err);
	hp_sort_u64(f->nodes, f->count);
	return HP_OK;
}

static bool
may_have(void *context, const struct hp_batch *b)
{
	const struct finder *f = context;

	return hp_graph_spans_may_have(&f->t->graph, b, f->nodes, f->count);
}

static enum hp_status
find_nodes(struct finder *f)
{
	const struct hp_graph *g = &f->t->graph;
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));
	uint64_t id, bytes, unused;
	size_t at = 0;
	bool fine = near;

	for (uint32_t k = 1; k < g->kinds.count; k++)
		f->kinds[k] = false;
	while (fine && hp_id_map_next(&f->by_id, &at, &id, &bytes)) {
		uint32_t node = hp_node_of(&g->nodes, near, id);

		if (node == HP_NO_NODE)
			continue;
		f->kinds[hp_edge_kind(&g->edges, node, &unused)] = true;
		fine = hp_id_map_set(&f->by_node, (uint64_t)node + 1, bytes);
	}
	hp_free(near);
	return fine ? HP_OK : hp_no_memory(f->err);
}

static enum hp_status
list_owners(struct finder *f)
{
	struct hp_native_owners *n = &f->t->native;
	const uint32_t *nodes = f->t->tree.nodes.at;

	n->places = hp_calloc(f->by_node.count + 1, sizeof(*n->places));
	n->before = hp_calloc(f->by_node.count + 1, sizeof(*n->before));
	if (!n->places || !n->before)
		return hp_no_memory(f->err);
	for (uint32_t p = 1; p < f->t->tree.count; p++) {
		const uint64_t *bytes =
			f->kinds[hp_tree_kind(&f->t->tree, p)]
				? hp_id_map_get(&f->by_node,
						(uint64_t)nodes[p] + 1)
				: NULL;

		if (!bytes)
			continue;
		n->places[n->count++] = p;
		n->before[n->count] = n->before[n->count - 1];
		hp_sum_add(&n->before[n->count], *bytes);
	}
	return HP_OK;
}

enum hp_status
hp_native_owners_find(struct hp_retained *t, struct hp_histogram *g,
		      struct hp_source *src, struct hp_error *err)
{
	struct finder f = {.t = t, .g = g, .err = err};
	enum hp_status st = HP_OK;

	if (!hp_native_classes_find(&f.classes, g))
		return HP_OK;
	st = list_nodes(&f);
	if (st == HP_OK && f.count > 0)
		st = hp_native_bytes_read(&f.classes, g, src, may_have, &f,
					  &f.by_id, err);
	if (st == HP_OK && f.by_id.count > 0)
		st = find_nodes(&f);
	if (st == HP_OK && f.by_node.count > 0)
		st = list_owners(&f);
	hp_free(f.nodes);
	hp_free(f.kinds);
	hp_id_map_release(&f.by_id);
	hp_id_map_release(&f.by_node);
	return st;
}

void
hp_native_owners_release(struct hp_native_owners *n)
{
	hp_free(n->places);
	hp_free(n->before);
	*n = (struct hp_native_owners){0};
}

static size_t
owners_before(const struct hp_native_owners *n, uint32_t place)
{
	size_t from = 0, to = n->count;

	while (from < to) {
		size_t at = from + (to - from) / 2;

		if (n->places[at] < place)
			from = at + 1;
		else
			to = at;
	}
	return from;
}

uint64_t
hp_native_owners_sum(const struct hp_native_owners *n, uint32_t place,
		     uint32_t end)
{
	if (n->count == 0 || n->places[0] >= end ||
	    n->places[n->count - 1] < place)
		return 0;
	return n->before[owners_before(n, end)] -
	       n->before[owners_before(n, place)];
}
