/*
 * find_chains.c - find long chains in the buckets of hash tables
 *
 * The entries of a bucket are linked by a field "next". If a bucket was
 * converted to a tree, its entries also have this field. A chain begins at an
 * entry to which no other entry refers by "next". Each entry is visited once,
 * so chains with a common end, or a chain that is a cycle, take no extra time.
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"

/*
 * Usual maximum number of entries in a bucket of a HashMap, which converts
 * larger buckets to trees.
 */
enum { USUAL = 8 };

struct chains {
	struct hp_unusual_search *s;
	/*
	 * Bit sets with one bit for each node of the graph. after: the `next`
	 * field of another entry refers to the node. visited: the chain that
	 * contains the node was counted.
	 */
	uint64_t *after, *visited;
	uint64_t entries, deep, longest;
	/* number in the graph of the first entry of the longest chain */
	uint32_t head;
};

static bool
is_in(const uint64_t *bits, uint32_t node)
{
	return bits[node >> 6] >> (node & 63) & 1;
}

static void
add(uint64_t *bits, uint32_t node)
{
	bits[node >> 6] |= UINT64_C(1) << (node & 63);
}

/*
 * Returns the properties of the object's class if the object is an entry of a
 * hash table, otherwise NULL.
 */
static const struct hp_unusual_class *
entry_of(const struct hp_unusual_search *s, uint32_t node)
{
	uint64_t at;
	const struct hp_unusual_class *c;

	if (node == HP_NO_NODE)
		return NULL;
	c = &s->classes[hp_edge_kind(&s->t->graph.edges, node, &at)];
	return c->is & HP_IS_ENTRY ? c : NULL;
}

static uint32_t
next_of(const struct hp_unusual_search *s, uint32_t node)
{
	uint32_t to = hp_unusual_follow(s, node, entry_of(s, node)->next);

	return entry_of(s, to) ? to : HP_NO_NODE;
}

static void
walk(struct chains *c, uint32_t head)
{
	uint64_t length = 0;

	for (uint32_t node = head;
	     node != HP_NO_NODE && !is_in(c->visited, node);
	     node = next_of(c->s, node)) {
		add(c->visited, node);
		c->deep += ++length > USUAL;
	}
	if (length > c->longest) {
		c->longest = length;
		c->head = head;
	}
}

static void
find_all(struct chains *c)
{
	const struct hp_unusual_search *s = c->s;
	uint32_t count = s->t->tree.count, node, next;

	for (uint32_t p = 1; p < count; p++) {
		node = hp_unusual_node(s, p);
		if (!(s->classes[hp_unusual_kind_at(s, p)].is & HP_IS_ENTRY))
			continue;
		c->entries++;
		next = next_of(s, node);
		if (next != HP_NO_NODE)
			add(c->after, next);
	}
	for (uint32_t p = 1; p < count && c->entries > 0; p++) {
		node = hp_unusual_node(s, p);
		if (s->classes[hp_unusual_kind_at(s, p)].is & HP_IS_ENTRY &&
		    !is_in(c->after, node))
			walk(c, node);
	}
}

static enum hp_status
name_keys(struct chains *c)
{
	struct hp_unusual_search *s = c->s;
	uint32_t key = hp_unusual_follow(s, c->head, entry_of(s, c->head)->key);
	uint64_t at;

	if (key == HP_NO_NODE)
		return HP_OK;
	return hp_unusual_say(
		       s, HP_UNUSUAL_COLLISIONS,
		       hp_unusual_name(
			       s, hp_edge_kind(&s->t->graph.edges, key, &at)))
		       ? HP_OK
		       : hp_no_memory(s->err);
}

enum hp_status
hp_unusual_chains_find(struct hp_unusual_search *s)
{
	size_t words = s->t->graph.nodes.count / 64 + 1;
	struct chains c = {.s = s,
			   .after = hp_calloc(words, sizeof(uint64_t)),
			   .visited = hp_calloc(words, sizeof(uint64_t))};
	struct hp_unusual_fact *f = &s->facts[HP_UNUSUAL_COLLISIONS];
	enum hp_status st = c.after && c.visited ? HP_OK : hp_no_memory(s->err);

	if (st == HP_OK) {
		find_all(&c);
		hp_unusual_share(s, HP_UNUSUAL_COLLISIONS, c.deep, c.entries);
		f->count = c.deep;
		f->bytes = c.longest;
		if (f->applies)
			st = name_keys(&c);
	}
	hp_free(c.after);
	hp_free(c.visited);
	return st;
}
