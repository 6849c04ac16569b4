/*
 * bridges.c - find bridges: references that alone keep an object alive
 *
 * The caller asks about some objects with hp_bridges_ask(). The code then reads
 * all references once, to find the references to these objects. References to
 * an object X from objects that X dominates are ignored, because a path from
 * the roots over such a reference has visited X before. If exactly one other
 * reference to X exists, and it comes from the dominator of X, this reference
 * is a bridge.
 */
#include "common/graph/tree.h"

#include "common/base/threads.h"

#include <stdatomic.h>

enum {
	SLICE = 1 << 14 /* number of objects that a thread handles before it
			   takes more */
};

struct search {
	const struct hp_graph *g;
	const struct hp_tree *t;
	/*
	 * places[n]: the place (index in the dominator tree) of node n.
	 */
	const uint32_t *places;
	const uint64_t *asked;
	_Atomic uint64_t *used, *other;
	/* the first node that no thread has taken yet */
	_Atomic uint64_t next;
};

static inline uint64_t
bit_of(uint32_t node)
{
	return UINT64_C(1) << (node & 63);
}

static inline bool
has_bit(const struct hp_big_array *bits, uint32_t node)
{
	return ((const uint64_t *)bits->at)[node >> 6] & bit_of(node);
}

/*
 * Handle a reference to @node from the object whose place (index in the
 * dominator tree) is @from.
 */
static inline void
look_at(struct search *s, uint32_t from, uint32_t node)
{
	uint64_t bit = bit_of(node);
	uint32_t place;
	bool again = true;

	if (HP_LIKELY(!(s->asked[node >> 6] & bit)))
		return;
	place = s->places[node];
	if (from >= place && from < hp_tree_end(s->t, place))
		return;
	if (from == hp_tree_parent(s->t, place))
		again = atomic_fetch_or_explicit(&s->used[node >> 6], bit,
						 memory_order_relaxed) &
			bit;
	if (again)
		atomic_fetch_or_explicit(&s->other[node >> 6], bit,
					 memory_order_relaxed);
}

/*
 * Handle all references of the node @from, including the reference to its
 * class.
 */
static void
look_at_node(struct search *s, uint32_t from)
{
	const uint8_t *lists = s->g->edges.lists.at;
	uint32_t place = s->places[from], kind, to;
	struct hp_edge_reader r = {.base = from};

	if (place == 0)
		return;
	kind = hp_edge_kind(&s->g->edges, from, &r.at);
	to = s->g->kinds.list[kind].class_node;
	if (to != HP_NO_NODE)
		look_at(s, place, to);
	if (r.at == 0)
		return;
	while ((to = hp_edge_next(lists, &r)) != HP_EDGE_END)
		look_at(s, place, to);
}

static void *
look_at_slices(void *argument)
{
	struct search *s = argument;
	const uint64_t count = s->g->nodes.count;
	uint64_t from, end;

	while ((from = atomic_fetch_add(&s->next, SLICE)) < count) {
		end = count - from < SLICE ? count : from + SLICE;
		for (; from < end; from++)
			look_at_node(s, (uint32_t)from);
	}
	return NULL;
}

enum hp_status
hp_bridges_init(struct hp_bridges *b, const struct hp_tree *t,
		const struct hp_graph *g, struct hp_error *err)
{
	const uint64_t n = g->nodes.count;
	struct hp_big_array *const bits[] = {&b->asked, &b->used, &b->other};
	const uint32_t *nodes = t->nodes.at;
	uint32_t *places;
	enum hp_status st;

	b->memory = t->memory;
	st = hp_big_array_make(b->memory, &b->places, 4 * (n + 1),
			       HP_BIG_RANDOM, err);
	for (size_t i = 0; i < HP_ARRAY_LEN(bits) && st == HP_OK; i++)
		st = hp_big_array_make(b->memory, bits[i], (n / 64 + 1) * 8,
				       HP_BIG_RANDOM, err);
	places = b->places.at;
	for (uint32_t place = 1; place < t->count && st == HP_OK; place++)
		places[nodes[place]] = place;
	return st;
}

void
hp_bridges_release(struct hp_bridges *b)
{
	if (!b->memory)
		return;
	hp_big_array_drop(b->memory, &b->places);
	hp_big_array_drop(b->memory, &b->asked);
	hp_big_array_drop(b->memory, &b->used);
	hp_big_array_drop(b->memory, &b->other);
	*b = (struct hp_bridges){0};
}

void
hp_bridges_ask(struct hp_bridges *b, uint32_t node)
{
	((uint64_t *)b->asked.at)[node >> 6] |= bit_of(node);
	b->any = true;
}

void
hp_bridges_find(struct hp_bridges *b, const struct hp_tree *t,
		const struct hp_graph *g)
{
	struct search s = {.g = g,
			   .t = t,
			   .places = b->places.at,
			   .asked = b->asked.at,
			   .used = (_Atomic uint64_t *)b->used.at,
			   .other = (_Atomic uint64_t *)b->other.at};

	if (!b->any)
		return;
	hp_threads_run(hp_threads_for(g->o.threads, g->nodes.count, SLICE),
		       look_at_slices, &s, 0);
}

bool
hp_bridges_lead_to(const struct hp_bridges *b, uint32_t node)
{
	return has_bit(&b->used, node) && !has_bit(&b->other, node);
}
