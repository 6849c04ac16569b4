/*
 * object_pairs.c - read the keys and values of a map whose array contains them
 * alternately, such as IdentityHashMap
 *
 * A key is never null, because the map replaces null by another object. A value
 * may be null, and the graph has no null references. So the array may contain
 * several keys in a row, and which element is a value is inferred from the
 * classes.
 */
#include "diff/leaks/object_tree.h"

/* Returns false at the end. */
static bool
next_element(struct hp_pair_reader *r, uint32_t *kind, uint32_t *row)
{
	const struct hp_edges *edges = &r->k->t->graph.edges;
	uint64_t unused;
	uint32_t to;

	if (r->edges.at == 0)
		return false;
	to = hp_edge_next(edges->lists.at, &r->edges);
	if (to == HP_EDGE_END)
		return false;
	*kind = hp_edge_kind(edges, to, &unused);
	*row = r->k->list[*kind].row;
	if (!r->begun)
		r->first = *row;
	r->begun = true;
	return true;
}

static void
start_at(struct hp_pair_reader *r, const struct hp_object_kinds *k,
	 uint32_t node)
{
	*r = (struct hp_pair_reader){.k = k, .edges = {.base = node}};
	hp_edge_kind(&k->t->graph.edges, node, &r->edges.at);
}

/*
 * Find out whether the elements alternate between keys and values. They seem to
 * do so in two cases:
 *
 * Every second element has the class of the first one, and all others have this
 * class or none has it. Then the array seems to contain no null.
 *
 * Or two neighbours both have another class than the first element. In a map
 * with keys of one class, an element of another class is a value, so it follows
 * a key. Such neighbours show that the keys have several classes, so the class
 * of an element does not tell whether it is a key.
 */
void
hp_pairs_begin(struct hp_pair_reader *r, const struct hp_object_kinds *k,
	       uint32_t node)
{
	uint32_t kind, row;
	uint64_t n = 0, same = 0, other = 0;
	bool keys = true, several = false, after_other = false;

	start_at(r, k, node);
	while (!several && next_element(r, &kind, &row)) {
		bool is_other = row != r->first;

		several = is_other && after_other;
		after_other = is_other;
		if (n++ % 2 == 0)
			keys &= !is_other;
		else if (is_other)
			other++;
		else
			same++;
	}
	start_at(r, k, node);
	r->regular = several || (keys && (same == 0 || other == 0));
}

/*
 * The first element is a key. An element after a key is its value, unless it
 * has the class of the first key; then it is the next key.
 */
bool
hp_pairs_next(struct hp_pair_reader *r, uint32_t *kind, bool *is_key)
{
	uint32_t row;

	if (!next_element(r, kind, &row))
		return false;
	*is_key = !r->after_key || (!r->regular && row == r->first);
	r->after_key = *is_key;
	return true;
}
