/*
 * loaders.c - the classes of class loaders: from a second pass, or from what
 * the first one kept
 */
#include "diff/loaders.h"

#include <stdlib.h>
#include <string.h>

/* What a worker found: at most one class for each loader. */
struct hp_loader_worker {
	struct hp_id_map found; /* loader to its class */
};

struct hp_loader_pass {
	struct hp_gather *g;
	struct hp_loader_worker *workers;
	unsigned wanted, dumps;
	bool current;
};

static enum hp_status
hp_loader_dump_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct hp_loader_pass *p = ctx;

	(void)err;
	p->current = dump == p->wanted;
	return HP_OK;
}

static enum hp_status
hp_loader_run(struct hp_loader_pass *p, const struct hp_batch *b, size_t run,
	      struct hp_error *err)
{
	struct hp_heap_iter it = hp_run_iter(b, run);
	unsigned id_size = p->g->header.id_size;
	struct hp_sub s;
	uint64_t *slot;

	while (hp_heap_next(&it, &s, id_size)) {
		if (s.tag != HP_SUB_INSTANCE_DUMP ||
		    !hp_id_map_get(&p->g->loaders, s.id))
			continue;
		slot = hp_id_map_put(&p->workers[b->worker].found, s.id, NULL);
		if (!slot)
			return hp_fail(err, HP_NOMEM, "out of memory");
		/* Of two objects with one id (damage) the least class. */
		if (*slot == 0 || s.class_id < *slot)
			*slot = s.class_id;
	}
	return HP_OK;
}

static enum hp_status
hp_loader_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_loader_pass *p = ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; p->current && i < b->nruns && st == HP_OK; i++)
		if (b->runs[i].kind == HP_RUN_SUBS)
			st = hp_loader_run(p, b, i, err);
	return st;
}

/* What one worker found is known now. */
static void
hp_loader_merge(struct hp_gather *g, const struct hp_id_map *found)
{
	uint64_t id, class_id, *slot;
	size_t at = 0;

	while (hp_id_map_next(found, &at, &id, &class_id)) {
		if (!hp_id_map_get(&g->loaders, id))
			continue;
		slot = hp_id_map_put(&g->loaders, id, NULL);
		if (slot && (*slot == 0 || class_id < *slot))
			*slot = class_id;
	}
}

static void
hp_loader_problem(void *ctx, const struct hp_problem *p)
{
	(void)ctx;
	(void)p;
}

static enum hp_status
hp_loader_second_pass(struct hp_gather *g, struct hp_source *src,
		      struct hp_error *err)
{
	unsigned n = g->options->threads;
	struct hp_loader_pass p = {
		.g = g,
		.workers = calloc(n, sizeof(struct hp_loader_worker)),
		.wanted = g->options->dump ? g->options->dump : g->dumps};
	const struct hp_pass pass = {.need = HP_NEED_HEADS,
				     .ctx = &p,
				     .problem = hp_loader_problem,
				     .dump_begin = hp_loader_dump_begin,
				     .batch = hp_loader_batch};
	const struct hp_scan_options scan = {
		.threads = n, .only_dump = p.wanted, .spill_memory = 64 << 20};
	enum hp_status st;

	if (!p.workers)
		return hp_fail(err, HP_NOMEM, "out of memory");
	st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_scan(src, &pass, &scan, err);
	for (unsigned i = 0; i < n; i++) {
		hp_loader_merge(g, &p.workers[i].found);
		hp_id_map_release(&p.workers[i].found);
	}
	free(p.workers);
	return st;
}

enum hp_status
hp_loaders_find(struct hp_gather *g, struct hp_source *src,
		struct hp_error *err)
{
	if (!g->have_classes)
		return HP_OK;
	for (size_t i = 0; i < g->classes.count; i++) {
		uint64_t loader = g->classes.list[i]->loader;

		if (loader && !hp_id_map_put(&g->loaders, loader, NULL))
			return hp_fail(err, HP_NOMEM, "out of memory");
	}
	if (g->loaders.count == 0)
		return HP_OK;
	if (!g->options->keep_instances)
		return hp_loader_second_pass(g, src, err);
	for (unsigned i = 0; i < g->nworkers; i++)
		hp_loader_merge(g, &g->workers[i]->instance_classes);
	return HP_OK;
}
