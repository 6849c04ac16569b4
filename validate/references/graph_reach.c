/*
 * graph_reach.c - lists of references, and following them
 */
#include "validate/references/graph_reach.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 8 };

enum hp_status
hp_reach_init(struct hp_reach *g, uint32_t count, struct hp_error *err)
{
	size_t n = (size_t)count + 1;

	*g = (struct hp_reach){0};
	g->edges = calloc(n, sizeof(*g->edges));
	g->reached = calloc(n / 64 + 1, sizeof(*g->reached));
	g->waiting = malloc(n * sizeof(*g->waiting));
	return g->edges && g->reached && g->waiting
		       ? HP_OK
		       : hp_fail(err, HP_NOMEM, "out of memory");
}

void
hp_reach_release(struct hp_reach *g)
{
	free((void *)g->edges);
	free(g->reached);
	free(g->waiting);
	memset(g, 0, sizeof(*g));
}

bool
hp_reach_add(struct hp_reach *g, struct hp_arena *arena, uint32_t from,
	     const uint32_t *to, size_t n)
{
	struct hp_edges *e;

	if (n == 0)
		return true;
	e = hp_arena_alloc(arena, sizeof(*e) + n * sizeof(*to));
	if (!e)
		return false;
	e->count = (uint32_t)n;
	memcpy(e->to, to, n * sizeof(*to));
	/* an object that is dumped twice may be with two threads */
	e->next = atomic_load_explicit(&g->edges[from], memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&g->edges[from], &e->next, e)) {
	}
	return true;
}

/*
 * Have the edges of objects fetched that come soon: their place first, and half
 * way to their turn the edges themselves.
 */
static void
fetch_ahead(const struct hp_reach *g, size_t at)
{
	if (at + 2 * AHEAD < g->nreached)
		__builtin_prefetch(&g->edges[g->waiting[at + 2 * AHEAD]]);
	if (at + AHEAD < g->nreached)
		__builtin_prefetch(g->edges[g->waiting[at + AHEAD]]);
}

void
hp_reach_follow(struct hp_reach *g,
		uint32_t (*also)(const void *ctx, uint32_t object),
		const void *ctx)
{
	const struct hp_edges *e;
	uint32_t object, other;

	for (size_t at = 0; at < g->nreached; at++) {
		fetch_ahead(g, at);
		object = g->waiting[at];
		other = also(ctx, object);
		if (other != HP_NO_OBJECT)
			hp_reach_mark(g, other);
		for (e = g->edges[object]; e; e = e->next)
			for (uint32_t i = 0; i < e->count; i++)
				hp_reach_mark(g, e->to[i]);
	}
}
