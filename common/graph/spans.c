/*
 * spans.c - the least and the greatest node of each batch
 */
#include "common/graph/spans.h"

bool
hp_graph_spans_note(struct hp_build_worker *w, const struct hp_batch *batch)
{
	struct hp_graph_span *span;

	if (w->least > w->most)
		return true;
	span = hp_vec_add(&w->spans, sizeof(*span));
	if (!span)
		return false;
	*span = (struct hp_graph_span){.from = hp_batch_begin(batch),
				       .end = hp_batch_end(batch),
				       .least = w->least,
				       .most = w->most};
	w->least = UINT32_MAX;
	w->most = 0;
	return true;
}

/* The first span that ends behind @from. */
static size_t
find_span(const struct hp_graph *g, uint64_t from)
{
	size_t low = 0, high = g->nspans, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (g->spans[middle].end <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
hp_graph_spans_may_have(const struct hp_graph *g, const struct hp_batch *batch,
			const uint64_t *nodes, size_t n)
{
	uint64_t end = hp_batch_end(batch);
	size_t at;

	for (size_t i = find_span(g, hp_batch_begin(batch));
	     i < g->nspans && g->spans[i].from < end; i++) {
		at = hp_list_find(nodes, n, sizeof(*nodes), 0,
				  g->spans[i].least);
		if (at < n && nodes[at] <= g->spans[i].most)
			return true;
	}
	return false;
}
