/*
 * depth.c - a walk over the graph level by level
 */
#include "common/graph/depth.h"

struct level_walk {
	uint32_t *depth; /* by node */
	uint32_t *queue; /* all that were met, in the order of that */
	uint64_t met;
};

static inline void
meet(struct level_walk *w, uint32_t node, uint32_t depth)
{
	if (node == HP_NO_NODE || w->depth[node] != 0)
		return;
	w->depth[node] = depth;
	w->queue[w->met++] = node;
}

static void
go_on(struct level_walk *w, const struct hp_graph *g, uint32_t node)
{
	const uint32_t *words = g->edges.words.at;
	uint32_t depth = w->depth[node] + 1, to;
	uint64_t at;
	uint32_t kind = hp_edge_kind(&g->edges, node, &at);

	meet(w, g->kinds.list[kind].class_node, depth);
	if (at == 0)
		return;
	while ((to = hp_edge_next(words, &at)) != HP_EDGE_END)
		meet(w, to, depth);
}

enum hp_status
hp_depths_find(struct hp_depths *d, struct hp_graph *g, struct hp_error *err)
{
	struct hp_big_array queue = {0};
	uint64_t n = (uint64_t)g->nodes.count + 1;
	struct level_walk w = {0};
	enum hp_status st;

	*d = (struct hp_depths){.memory = &g->memory};
	st = hp_big_array_make(&g->memory, &d->by_node, 4 * n, HP_BIG_RANDOM,
			       err);
	if (st == HP_OK)
		st = hp_big_array_make(&g->memory, &queue, 4 * n,
				       HP_BIG_IN_ORDER, err);
	if (st != HP_OK)
		goto out;
	w.depth = d->by_node.at;
	w.queue = queue.at;
	for (size_t i = 0; i < g->nroots; i++)
		meet(&w, g->roots[i].node, 1);
	for (uint64_t i = 0; i < w.met; i++) {
		go_on(&w, g, w.queue[i]);
		d->sum += w.depth[w.queue[i]];
		d->most = w.depth[w.queue[i]];
	}
out:
	hp_big_array_drop(&g->memory, &queue);
	return st;
}

void
hp_depths_release(struct hp_depths *d)
{
	if (d->memory)
		hp_big_array_drop(d->memory, &d->by_node);
	*d = (struct hp_depths){0};
}
