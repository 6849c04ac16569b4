/*
 * paths.c - breadth first, with a rule for which holder is remembered
 */
#include "common/graph/paths.h"

struct walk {
	const struct hp_graph *g;
	const uint32_t *rank_of;
	uint32_t *parent; /* by node: its holder's number + 1 */
	uint32_t *depth;  /* by node; 0: not met */
	uint32_t *queue;  /* all that were met, in the order of that */
	uint64_t met;
};

static uint32_t
rank(const struct walk *w, uint32_t node)
{
	uint64_t at;

	return w->rank_of[hp_edge_kind(&w->g->edges, node, &at)];
}

static inline bool
is_better(const struct walk *w, uint32_t from, uint32_t now)
{
	uint32_t a = rank(w, from), b = rank(w, now);

	return a != b ? a < b : from < now;
}

static inline void
meet(struct walk *w, uint32_t from, uint32_t to)
{
	uint32_t depth = w->depth[from] + 1;

	if (to == HP_NO_NODE)
		return;
	if (w->depth[to] == 0) {
		w->depth[to] = depth;
		w->parent[to] = from + 1;
		w->queue[w->met++] = to;
	} else if (w->depth[to] == depth &&
		   is_better(w, from, w->parent[to] - 1)) {
		w->parent[to] = from + 1;
	}
}

static void
go_on(struct walk *w, uint32_t node)
{
	const uint32_t *words = w->g->edges.words.at;
	uint32_t to;
	uint64_t at;
	uint32_t kind = hp_edge_kind(&w->g->edges, node, &at);

	meet(w, node, w->g->kinds.list[kind].class_node);
	if (at == 0)
		return;
	while ((to = hp_edge_next(words, &at)) != HP_EDGE_END)
		meet(w, node, to);
}

static void
walk_all(struct walk *w)
{
	for (size_t i = 0; i < w->g->nroots; i++) {
		w->depth[w->g->roots[i].node] = 1;
		w->queue[w->met++] = w->g->roots[i].node;
	}
	for (uint64_t i = 0; i < w->met; i++)
		go_on(w, w->queue[i]);
}

enum hp_status
hp_paths_find(struct hp_paths *p, struct hp_graph *g, const uint32_t *rank_of,
	      struct hp_error *err)
{
	struct hp_big_array depth = {0}, queue = {0};
	uint64_t n = (uint64_t)g->nodes.count + 1;
	struct walk w = {.g = g, .rank_of = rank_of};
	enum hp_status st;

	*p = (struct hp_paths){.memory = &g->memory};
	st = hp_big_array_make(&g->memory, &p->parents, 4 * n, HP_BIG_RANDOM,
			       err);
	if (st == HP_OK)
		st = hp_big_array_make(&g->memory, &depth, 4 * n, HP_BIG_RANDOM,
				       err);
	if (st == HP_OK)
		st = hp_big_array_make(&g->memory, &queue, 4 * n,
				       HP_BIG_IN_ORDER, err);
	if (st == HP_OK) {
		w.parent = p->parents.at;
		w.depth = depth.at;
		w.queue = queue.at;
		walk_all(&w);
	}
	hp_big_array_drop(&g->memory, &depth);
	hp_big_array_drop(&g->memory, &queue);
	return st;
}

void
hp_paths_release(struct hp_paths *p)
{
	if (p->memory)
		hp_big_array_drop(p->memory, &p->parents);
	*p = (struct hp_paths){0};
}
