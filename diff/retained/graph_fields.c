/*
 * graph_fields.c - find a reference field of a class by its name, and follow it
 * in the object graph
 */
#include "diff/retained/retained.h"

static const struct hp_graph_field none = {UINT32_MAX};

struct hp_graph_field
hp_graph_field_at(const struct hp_class *c, const struct hp_field_place *place)
{
	uint32_t low = 0, high = c->nrefs;

	if (place->from_end == 0 || place->from_end > c->data_size)
		return none;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->ref_at[middle] < c->data_size - place->from_end)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == c->nrefs || c->ref_at[low] != c->data_size - place->from_end)
		return none;
	return (struct hp_graph_field){low};
}

struct hp_graph_field
hp_graph_field_find(const struct hp_histogram *g, const struct hp_class *c,
		    const struct hp_class *top, const char *name)
{
	struct hp_field_place place;

	if (!name)
		return none;
	place = hp_field_find(top, &g->tables, g->header.id_size, name);
	return hp_graph_field_at(c, &place);
}

uint32_t
hp_graph_field_follow(const struct hp_graph *g, uint32_t node,
		      struct hp_graph_field field)
{
	struct hp_edge_reader fields = {.base = node};
	uint32_t to;

	(void)hp_edge_kind(&g->edges, node, &fields.at);
	if (fields.at == 0 || field.index == UINT32_MAX)
		return HP_NO_NODE;
	while ((to = hp_edge_next_field(g->edges.lists.at, &fields)) !=
		       HP_EDGE_END &&
	       fields.next - 1 <= field.index)
		if (fields.next - 1 == field.index)
			return to;
	return HP_NO_NODE;
}
