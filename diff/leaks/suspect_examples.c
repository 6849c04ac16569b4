/*
 * suspect_examples.c - choose the largest and the newest elements of a suspect
 */
#include "diff/leaks/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "diff/objects/objects.h"

#include <stdlib.h>
#include <string.h>

/*
 * An object that may be shown as an example. Its index in the dominator tree is
 * 0 if it is not known.
 */
struct candidate {
	uint32_t place, node;
	struct hp_graph_sum retained;
};

/*
 * The largest candidates found so far. The list has room for twice as many
 * candidates as are chosen.
 */
struct choice {
	struct candidate *list;
	size_t count, most;
};

static int
by_size(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->retained.bytes != y->retained.bytes)
		return hp_order(y->retained.bytes, x->retained.bytes);
	return hp_order(x->node, y->node);
}

static void
keep_largest(struct choice *c)
{
	qsort(c->list, c->count, sizeof(*c->list), by_size);
	if (c->count > c->most)
		c->count = c->most;
}

/*
 * Add a candidate if it is one of the largest so far. This takes logarithmic
 * time in the number of examples to choose.
 */
static void
offer(struct choice *c, const struct hp_object_kinds *k, uint32_t place,
      struct hp_graph_sum retained)
{
	if (c->count == 2 * c->most)
		keep_largest(c);
	c->list[c->count++] = (struct candidate){
		place, ((const uint32_t *)k->t->tree.nodes.at)[place],
		retained};
}

/*
 * Offer the elements of an object as candidates for examples. If @nodes is
 * true, the elements are the further nodes of a linked list. If @nodes is
 * false, the elements are the objects that the object and its parts immediately
 * dominate, without the nodes of a list, because each node retains the rest of
 * the list.
 */
static void
offer_elements(struct choice *c, struct hp_object_kinds *k, uint32_t object,
	       bool nodes)
{
	const struct hp_tree *t = &k->t->tree;
	uint32_t end = hp_tree_end(t, object), p = object + 1;
	struct hp_tree_window window = {0};

	while (p < end) {
		uint32_t above;
		bool next;

		hp_tree_ahead(&window, t, p);
		above = hp_tree_parent(t, p);
		next = hp_object_is_next(k, p, above);
		if (next && nodes)
			offer(c, k, p, hp_retained_sum(k->t, p));
		if (next || hp_object_is_part(k, p, above)) {
			p++;
			continue;
		}
		if (!nodes)
			offer(c, k, p, hp_retained_sum(k->t, p));
		p = hp_tree_end(t, p);
	}
}

/* --- newest elements ------------------------------------------------------ */

/*
 * Find the array to which a container appends new elements. Returns its index
 * in the dominator tree, or 0 if there is no such array or several.
 */
static uint32_t
find_array(struct hp_object_kinds *k, uint32_t object)
{
	const struct hp_tree *t = &k->t->tree;
	uint32_t end = hp_tree_end(t, object), p = object, array = 0;
	const char *class = k->names->list[hp_object_kind_at(k, p)->row]->key;
	struct hp_tree_window window = {0};

	/*
	 * the array of a queue is a ring, so its last elements are not the
	 * newest
	 */
	if (strstr(class, "Queue") || strstr(class, "Deque"))
		return 0;
	while (p < end) {
		unsigned is;

		hp_tree_ahead(&window, t, p);
		is = hp_object_kind_at(k, p)->is;
		if (p != object &&
		    !hp_object_is_part(k, p, hp_tree_parent(t, p))) {
			p = hp_tree_end(t, p);
			continue;
		}
		/*
		 * the order of the elements in a hash table does not show which
		 * are new
		 */
		if (is & (HP_OBJECT_ENTRY | HP_OBJECT_PARTS) ||
		    (is & HP_OBJECT_ARRAY && array != 0))
			return 0;
		if (is & HP_OBJECT_ARRAY)
			array = p;
		p++;
	}
	return array;
}

static void
choose_last(struct choice *c, const struct hp_object_kinds *k, uint32_t array)
{
	const struct hp_edges *edges = &k->t->graph.edges;
	struct candidate *ring = c->list + c->most;
	uint32_t from = ((const uint32_t *)k->t->tree.nodes.at)[array], to;
	struct hp_edge_reader r = {.base = from};
	uint64_t n = 0;

	hp_edge_kind(edges, from, &r.at);
	while (r.at != 0 &&
	       (to = hp_edge_next(edges->lists.at, &r)) != HP_EDGE_END)
		ring[n++ % c->most] = (struct candidate){.node = to};
	c->count = n < c->most ? (size_t)n : c->most;
	for (size_t i = 0; i < c->count; i++)
		c->list[i] = ring[(n - 1 - i) % c->most];
}

static int
by_node(const void *a, const void *b)
{
	return hp_order(((const struct candidate *)a)->node,
			((const struct candidate *)b)->node);
}

/*
 * Set the retained sizes of those candidates that the container @object
 * immediately dominates; all candidates are its elements. The free half of
 * c->list is used as temporary memory.
 */
static void
find_sizes(struct choice *c, struct hp_object_kinds *k, uint32_t object)
{
	const struct hp_tree *t = &k->t->tree;
	const uint32_t *nodes = t->nodes.at;
	struct candidate *sorted = c->list + c->most, *found, key = {0};
	struct hp_tree_window window = {0};
	uint32_t end = hp_tree_end(t, object), p = object + 1;

	memcpy(sorted, c->list, c->count * sizeof(*sorted));
	qsort(sorted, c->count, sizeof(*sorted), by_node);
	while (p < end) {
		uint32_t above;

		hp_tree_ahead(&window, t, p);
		above = hp_tree_parent(t, p);
		if (hp_object_is_next(k, p, above) ||
		    hp_object_is_part(k, p, above)) {
			p++;
			continue;
		}
		key.node = nodes[p];
		found = bsearch(&key, sorted, c->count, sizeof(key), by_node);
		for (size_t i = 0; found && i < c->count; i++)
			if (c->list[i].node == key.node) {
				c->list[i].place = p;
				c->list[i].retained = hp_retained_sum(k->t, p);
			}
		p = hp_tree_end(t, p);
	}
}

/* --- results -------------------------------------------------------------- */

/*
 * Returns the index of an example in the result. The object is appended if the
 * result does not have it.
 */
static uint32_t
index_of(struct hp_result *r, const struct candidate *c, uint64_t id)
{
	struct hp_object_facts *f = r->examples;
	size_t i = 0;

	while (i < r->nexamples && f[i].id != id)
		i++;
	if (i == r->nexamples)
		f[r->nexamples++] = (struct hp_object_facts){.id = id};
	if (c->place != 0) {
		f[i].place = c->place;
		f[i].retained = c->retained;
		f[i].is_reachable = true;
	}
	return (uint32_t)i;
}

static size_t
add_examples(const struct choice *c, const struct hp_object_kinds *k,
	     struct hp_result *r, uint32_t *into)
{
	for (size_t i = 0; i < c->count; i++) {
		uint64_t rank = c->list[i].node, id = 0;

		hp_id_ranks_some(&k->t->graph.nodes.ranks, &rank, 1, &id);
		into[i] = index_of(r, &c->list[i], id);
	}
	return c->count;
}

static bool
make_room(struct hp_result *r, struct hp_suspect *s, size_t most)
{
	if (!r->examples)
		r->examples =
			hp_arena_alloc(&r->arena, HP_SUSPECTS_MOST * 2 * most *
							  sizeof(*r->examples));
	s->examples =
		hp_arena_alloc(&r->arena, 2 * most * sizeof(*s->examples));
	return r->examples && s->examples;
}

enum hp_status
hp_suspect_examples_find(struct hp_object_kinds *k,
			 const struct hp_object_item *item,
			 const uint32_t *places, size_t count,
			 struct hp_result *r, struct hp_suspect *s,
			 struct hp_error *err)
{
	struct choice c = {.most = (size_t)r->options->examples};
	uint32_t array;

	if (c.most == 0)
		return HP_OK;
	c.list = hp_calloc(2 * c.most, sizeof(*c.list));
	if (!c.list || !make_room(r, s, c.most)) {
		hp_free(c.list);
		return hp_no_memory(err);
	}
	for (size_t i = 0; i < count && count > 1; i++)
		offer(&c, k, places[i], hp_retained_sum(k->t, places[i]));
	if (count <= 1)
		offer_elements(&c, k, item->place, false);
	if (count <= 1 && c.count == 0 && item->is_list)
		offer_elements(&c, k, item->place, true);
	keep_largest(&c);
	s->nlargest = add_examples(&c, k, r, s->examples);
	c.count = 0;
	array = count <= 1 ? find_array(k, item->place) : 0;
	if (array != 0) {
		choose_last(&c, k, array);
		find_sizes(&c, k, item->place);
	}
	s->nnewest = add_examples(&c, k, r, s->examples + s->nlargest);
	hp_free(c.list);
	return HP_OK;
}

enum hp_status
hp_suspect_examples_read(struct hp_result *r, struct hp_retained *t,
			 struct hp_keys *keys, struct hp_source *src,
			 struct hp_error *err)
{
	const struct hp_object_reader reader = {
		.t = t,
		.keys = keys,
		.src = src,
		.arena = &r->arena,
		.most = HP_OBJECT_EXAMPLE_FIELDS,
		.values = r->options->show_values};
	enum hp_status st;

	if (r->nexamples == 0)
		return HP_OK;
	st = hp_objects_describe(&reader, r->examples, r->nexamples, err);
	return st == HP_OK ? hp_objects_label(&reader, r->examples,
					      r->nexamples, err)
			   : st;
}
