/*
 * graph_reach.c - lists of references, and following them
 */
#include "validate/references/graph_reach.h"

#include "common/io/worker_pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	AHEAD = 8,
	WIDE = 4096, /* objects that wait at once, to be shared by threads */
	SHARE = 256, /* of them, that a thread takes at once */
	FOUND = 1024,
};

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
fetch_ahead(const struct hp_reach *g, size_t at, size_t end)
{
	if (at + 2 * AHEAD < end)
		__builtin_prefetch(&g->edges[g->waiting[at + 2 * AHEAD]]);
	if (at + AHEAD < end)
		__builtin_prefetch(g->edges[g->waiting[at + AHEAD]]);
}

/* --- one thread ----------------------------------------------------------- */

static void
follow_one(struct hp_reach *g, uint32_t object, hp_reach_also *also,
	   const void *ctx)
{
	const struct hp_edges *e;
	uint32_t other = also(ctx, object);

	if (other != HP_NO_OBJECT)
		hp_reach_mark(g, other);
	for (e = g->edges[object]; e; e = e->next)
		for (uint32_t i = 0; i < e->count; i++)
			hp_reach_mark(g, e->to[i]);
}

/* --- several -------------------------------------------------------------- */

/* Objects that wait, and those that they lead to. */
struct level {
	struct hp_reach *g;
	hp_reach_also *also;
	const void *ctx;
	size_t end;
	_Atomic size_t next; /* the first that nobody has */
	_Atomic size_t nreached;
};

/* What a thread has reached and not told yet. */
struct found {
	struct level *level;
	size_t n;
	uint32_t objects[FOUND];
};

static void
tell_found(struct found *f)
{
	size_t at = atomic_fetch_add(&f->level->nreached, f->n);

	memcpy(f->level->g->waiting + at, f->objects,
	       f->n * sizeof(*f->objects));
	f->n = 0;
}

static inline void
mark_shared(struct found *f, uint32_t object)
{
	uint64_t mask = 1ull << (object & 63);
	_Atomic uint64_t *word =
		(_Atomic uint64_t *)&f->level->g->reached[object >> 6];

	if (atomic_load_explicit(word, memory_order_relaxed) & mask ||
	    atomic_fetch_or_explicit(word, mask, memory_order_relaxed) & mask)
		return;
	f->objects[f->n++] = object;
	if (f->n == FOUND)
		tell_found(f);
}

static void
follow_shared(struct found *f, uint32_t object)
{
	struct level *l = f->level;
	uint32_t other = l->also(l->ctx, object);

	if (other != HP_NO_OBJECT)
		mark_shared(f, other);
	for (const struct hp_edges *e = l->g->edges[object]; e; e = e->next)
		for (uint32_t i = 0; i < e->count; i++)
			mark_shared(f, e->to[i]);
}

static void *
follow_some(void *argument)
{
	struct level *l = argument;
	struct found f = {.level = l};
	size_t at, end;

	while ((at = atomic_fetch_add(&l->next, SHARE)) < l->end) {
		end = l->end - at < SHARE ? l->end : at + SHARE;
		for (; at < end; at++) {
			fetch_ahead(l->g, at, end);
			follow_shared(&f, l->g->waiting[at]);
		}
	}
	tell_found(&f);
	return NULL;
}

/* All that wait from @at on. */
static enum hp_status
follow_level(struct hp_reach *g, size_t at, hp_reach_also *also,
	     const void *ctx, unsigned threads, struct hp_error *err)
{
	struct level l = {.g = g,
			  .also = also,
			  .ctx = ctx,
			  .end = g->nreached,
			  .next = at,
			  .nreached = g->nreached};
	pthread_t *others = calloc(threads, sizeof(*others));
	enum hp_status st = HP_OK;
	unsigned started = 0;

	if (!others)
		return hp_fail(err, HP_NOMEM, "out of memory");
	while (started + 1 < threads && st == HP_OK) {
		st = hp_thread_start(&others[started], follow_some, &l, err);
		started += st == HP_OK;
	}
	follow_some(&l);
	while (started > 0)
		pthread_join(others[--started], NULL);
	g->nreached = l.nreached;
	free(others);
	return st;
}

/* A list of a million objects is a million levels of one: no threads for it. */
enum hp_status
hp_reach_follow(struct hp_reach *g, hp_reach_also *also, const void *ctx,
		unsigned threads, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t at = 0, end;

	while (at < g->nreached && st == HP_OK) {
		end = g->nreached;
		if (threads > 1 && end - at >= WIDE) {
			st = follow_level(g, at, also, ctx, threads, err);
			at = end;
			continue;
		}
		for (; at < end; at++) {
			fetch_ahead(g, at, g->nreached);
			follow_one(g, g->waiting[at], also, ctx);
		}
	}
	return st;
}
