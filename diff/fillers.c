/*
 * fillers.c - two passes: the ids of all int[], then what is referenced
 *
 * Memory grows with the number of int[] in the dump.
 */
#include "diff/fillers.h"

#include <stdlib.h>
#include <string.h>

struct hp_filler_worker {
	struct hp_id_map ids; /* first pass: int[] to length; second: seen */
	struct hp_class_cache cache;
};

struct hp_filler_pass {
	struct hp_gather *g;
	struct hp_filler_worker *workers;
	unsigned wanted;
	bool current;
};

bool
hp_fillers_loaded(const struct hp_gather *g)
{
	static const char *const names[] = {"jdk/internal/vm/FillerObject",
					    "Ljdk/internal/vm/FillerArray;",
					    "[Ljdk/internal/vm/FillerElement;"};

	for (size_t i = 0; g->have_classes && i < g->classes.count; i++) {
		const struct hp_string *s = hp_tables_class_name(
			&g->tables, g->classes.list[i]->id);

		for (size_t k = 0; s && k < HP_ARRAY_LEN(names); k++)
			if (s->length == strlen(names[k]) &&
			    memcmp(s->data, names[k], s->length) == 0)
				return true;
	}
	return false;
}

static enum hp_status
hp_filler_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct hp_filler_pass *p = ctx;

	(void)err;
	p->current = dump == p->wanted;
	return HP_OK;
}

static void
hp_filler_problem(void *ctx, const struct hp_problem *problem)
{
	(void)ctx;
	(void)problem;
}

static bool
hp_filler_note(struct hp_filler_worker *w, const struct hp_sub *s)
{
	uint64_t *slot;

	if (s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP || s->type != HP_TYPE_INT)
		return true;
	slot = hp_id_map_put(&w->ids, s->id, NULL);
	if (slot)
		*slot = s->count;
	return slot != NULL;
}

/* First pass: the ids. */
static enum hp_status
hp_filler_collect(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_filler_pass *p = ctx;
	struct hp_filler_worker *w = &p->workers[b->worker];
	bool fine = true;

	for (size_t i = 0; p->current && i < b->nruns && fine; i++) {
		struct hp_heap_iter it;
		struct hp_sub s;

		if (b->runs[i].kind == HP_RUN_ARRAY && b->runs[i].piece.head)
			fine = hp_filler_note(w, &b->runs[i].piece.sub);
		if (b->runs[i].kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(b, i);
		while (fine && hp_heap_next(&it, &s, p->g->header.id_size))
			fine = hp_filler_note(w, &s);
	}
	if (!fine)
		return hp_fail(err, HP_NOMEM, "out of memory");
	return hp_gather_fits(p->g->options,
			      w->ids.cap * sizeof(struct hp_id_slot), err);
}

/* An id that something holds. */
static bool
hp_filler_seen(const struct hp_gather *g, struct hp_filler_worker *w,
	       uint64_t id)
{
	if (!id || !hp_id_map_get(&g->fillers, id))
		return true;
	return hp_id_map_put(&w->ids, id, NULL) != NULL;
}

static bool
hp_filler_elements(const struct hp_gather *g, struct hp_filler_worker *w,
		   const uint8_t *data, uint64_t n)
{
	unsigned id_size = g->header.id_size;
	bool fine = true;

	for (uint64_t i = 0; i < n && fine; i++)
		fine = hp_filler_seen(g, w,
				      hp_load_id(data + i * id_size, id_size));
	return fine;
}

static bool
hp_filler_sub(struct hp_gather *g, struct hp_filler_worker *w,
	      const struct hp_sub *s)
{
	unsigned id_size = g->header.id_size;
	const struct hp_class *c;
	bool fine = true;

	if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		return hp_filler_elements(g, w, s->data, s->count);
	if (hp_subrecord_is_root(s->tag))
		return hp_filler_seen(g, w, s->id);
	if (s->tag != HP_SUB_INSTANCE_DUMP)
		return true;
	c = hp_classes_layout(&g->classes, &w->cache, s->class_id);
	for (uint32_t i = 0; c && i < c->nrefs && fine; i++)
		if (s->count >= id_size && c->ref_at[i] <= s->count - id_size)
			fine = hp_filler_seen(
				g, w,
				hp_load_id(s->data + c->ref_at[i], id_size));
	return fine;
}

/* Second pass: what is referenced by fields, elements and roots. */
static enum hp_status
hp_filler_references(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_filler_pass *p = ctx;
	struct hp_filler_worker *w = &p->workers[b->worker];
	unsigned id_size = p->g->header.id_size;
	bool fine = true;

	for (size_t i = 0; p->current && i < b->nruns && fine; i++) {
		const struct hp_run *run = &b->runs[i];
		struct hp_heap_iter it;
		struct hp_sub s;

		if (run->kind == HP_RUN_ARRAY &&
		    run->piece.sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			fine = hp_filler_elements(p->g, w, b->data + run->at,
						  run->length / id_size);
		if (run->kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(b, i);
		while (fine && hp_heap_next(&it, &s, id_size))
			fine = hp_filler_sub(p->g, w, &s);
	}
	return fine ? HP_OK : hp_fail(err, HP_NOMEM, "out of memory");
}

static enum hp_status
hp_filler_scan(struct hp_filler_pass *p, struct hp_source *src, bool second,
	       struct hp_error *err)
{
	const struct hp_pass pass = {
		.need = second ? HP_NEED_REFERENCES : HP_NEED_HEADS,
		.ctx = p,
		.problem = hp_filler_problem,
		.dump_begin = hp_filler_begin,
		.batch = second ? hp_filler_references : hp_filler_collect};
	const struct hp_scan_options options = {.threads =
							p->g->options->threads,
						.only_dump = p->wanted,
						.spill_memory = 64 << 20};
	enum hp_status st = hp_source_rewind(src, err);

	p->current = false;
	return st == HP_OK ? hp_scan(src, &pass, &options, err) : st;
}

/* Take the workers' ids into the one map, or mark them there as seen. */
static enum hp_status
hp_filler_merge(struct hp_filler_pass *p, bool seen, struct hp_error *err)
{
	for (unsigned i = 0; i < p->g->options->threads; i++) {
		struct hp_id_map *ids = &p->workers[i].ids;
		uint64_t id, length, *slot;
		size_t at = 0;

		while (hp_id_map_next(ids, &at, &id, &length)) {
			slot = hp_id_map_put(&p->g->fillers, id, NULL);
			if (!slot)
				return hp_fail(err, HP_NOMEM, "out of memory");
			*slot = seen ? HP_FILLER_SEEN : length;
		}
		hp_id_map_release(ids);
	}
	return HP_OK;
}

/* Static fields hold references, too. */
static bool
hp_filler_statics(struct hp_gather *g, struct hp_filler_worker *w)
{
	bool fine = true;

	for (size_t i = 0; i < g->classes.count && fine; i++) {
		const struct hp_class *c = g->classes.list[i];

		for (uint32_t k = 0; k < c->nstatics && fine; k++)
			if (hp_type_is_reference(c->statics[k].type))
				fine = hp_filler_seen(g, w,
						      c->statics[k].value);
	}
	return fine;
}

enum hp_status
hp_fillers_find(struct hp_gather *g, struct hp_source *src,
		struct hp_error *err)
{
	unsigned n = g->options->threads;
	struct hp_filler_pass p = {
		.g = g,
		.workers = calloc(n, sizeof(struct hp_filler_worker)),
		.wanted = g->options->dump ? g->options->dump : g->dumps};
	enum hp_status st;

	if (!p.workers)
		return hp_fail(err, HP_NOMEM, "out of memory");
	st = hp_filler_scan(&p, src, false, err);
	if (st == HP_OK)
		st = hp_filler_merge(&p, false, err);
	if (st == HP_OK)
		st = hp_filler_scan(&p, src, true, err);
	if (st == HP_OK && !hp_filler_statics(g, &p.workers[0]))
		st = hp_fail(err, HP_NOMEM, "out of memory");
	if (st == HP_OK)
		st = hp_filler_merge(&p, true, err);
	for (unsigned i = 0; i < n; i++)
		hp_id_map_release(&p.workers[i].ids);
	free(p.workers);
	return st;
}
