/*
 * spans.c - record the smallest and the largest node of each part of the dump,
 * so that a later pass can skip parts that do not contain wanted objects
 */
#include "common/graph/spans.h"

#include <stddef.h>

bool
hp_graph_spans_note(struct hp_build_worker *w, const struct hp_batch *batch)
{
	if (w->least > w->most)
		return true;
	if (!HP_VEC_PUSH(&w->spans, struct hp_graph_span,
			 .from = hp_batch_begin(batch),
			 .end = hp_batch_end(batch), .least = w->least,
			 .most = w->most))
		return false;
	w->least = UINT32_MAX;
	w->most = 0;
	return true;
}

bool
hp_graph_spans_may_have(const struct hp_graph *g, const struct hp_batch *batch,
			const uint64_t *nodes, size_t n)
{
	uint64_t end = hp_batch_end(batch);
	size_t at;
	size_t i = hp_list_find(g->spans, g->nspans, sizeof(*g->spans),
				offsetof(struct hp_graph_span, end),
				hp_batch_begin(batch) + 1);

	for (; i < g->nspans && g->spans[i].from < end; i++) {
		at = hp_list_find(nodes, n, sizeof(*nodes), 0,
				  g->spans[i].least);
		if (at < n && nodes[at] <= g->spans[i].most)
			return true;
	}
	return false;
}
