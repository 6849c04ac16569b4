/*
 * class_loaders.c - a pass for the loaders; their names are java_texts.c's
 */
#include "diff/count/class_loaders.h"

#include "diff/count/extra_pass.h"
#include "diff/count/java_texts.h"

#include <stdlib.h>
#include <string.h>

/* Characters of a loader's name that are shown. */
enum { HP_LOADER_NAME = 200 };

/* What a worker met, by id. */
struct loader_worker {
	struct hp_id_map classes; /* loader to its class */
	struct hp_id_map names;	  /* loader to its name's String */
	struct hp_class_cache cache;
	uint64_t noted; /* bytes, for the budget */
};

struct loader_pass {
	struct hp_histogram *g;
	struct loader_worker *workers;
	const struct hp_class *top; /* java.lang.ClassLoader; NULL: none */
	struct hp_field_place name; /* its field */
	struct hp_java_texts texts;
};

const struct hp_loader *
hp_loader_get(const struct hp_histogram *g, uint64_t id)
{
	return hp_id_map_pointer(&g->loaders, id);
}

/* The loaders' classes, and their names' ids. */
static bool
read_loaders(void *ctx, unsigned worker, const struct hp_sub *s,
	     const struct hp_piece *piece)
{
	struct loader_pass *p = ctx;
	struct loader_worker *w = &p->workers[worker];
	const struct hp_class *c;
	uint64_t name;

	if (s->tag != HP_SUB_INSTANCE_DUMP || piece ||
	    !hp_id_map_get(&p->g->loaders, s->id))
		return true;
	if (!hp_id_map_set_least(&w->classes, s->id, s->class_id))
		return false;
	c = hp_classes_layout(&p->g->classes, &w->cache, s->class_id);
	if (!p->top || !c || !hp_class_is_a(c, p->top) ||
	    !hp_field_load(&p->name, p->g->header.id_size, s->data, s->count,
			   &name) ||
	    !name)
		return true;
	return hp_id_map_set_least(&w->names, s->id, name);
}

static enum hp_status
check_worker_memory(void *ctx, unsigned worker, struct hp_error *err)
{
	struct loader_pass *p = ctx;
	struct loader_worker *w = &p->workers[worker];

	return hp_histogram_note(
		p->g, &w->noted,
		hp_id_map_bytes(&w->classes) + hp_id_map_bytes(&w->names), err);
}

/* What is not a worker's. */
static enum hp_status
check_memory(struct loader_pass *p, struct hp_error *err)
{
	return hp_histogram_note(
		p->g, &p->g->noted_loaders,
		hp_id_map_bytes(&p->g->loaders) + p->g->arena.held, err);
}

/* The class java.lang.ClassLoader with its field, if there is one. */
static void
find_class_loader(struct loader_pass *p)
{
	const struct hp_histogram *g = p->g;

	p->top = hp_histogram_class(g, "java/lang/ClassLoader");
	if (!p->top)
		return;
	p->name = hp_field_find(p->top, &g->tables, g->header.id_size, "name");
	if (!hp_type_is_reference(p->name.type))
		p->name.from_end = 0;
}

/* What the workers know of a loader is put together. */
static bool
merge_workers(struct loader_pass *p)
{
	uint64_t id, value;
	bool fine = true;

	for (unsigned i = 0; i < p->g->options->threads; i++) {
		struct loader_worker *w = &p->workers[i];
		size_t at = 0;

		while (hp_id_map_next(&w->classes, &at, &id, &value)) {
			struct hp_loader *l =
				(struct hp_loader *)hp_loader_get(p->g, id);

			if (l->class_id == 0 || value < l->class_id)
				l->class_id = value;
		}
		for (at = 0; hp_id_map_next(&w->names, &at, &id, &value);) {
			struct hp_loader *l =
				(struct hp_loader *)hp_loader_get(p->g, id);

			if (l->name == 0 || value < l->name)
				l->name = value;
		}
	}
	for (size_t at = 0;
	     fine && hp_id_map_next(&p->g->loaders, &at, &id, &value);) {
		const struct hp_loader *l = hp_loader_get(p->g, id);

		fine = !l->name || hp_java_texts_want(&p->texts, l->name);
	}
	return fine;
}

static bool
make_names(struct loader_pass *p)
{
	uint64_t id, value;
	size_t at = 0;
	bool fine = true;

	while (fine && hp_id_map_next(&p->g->loaders, &at, &id, &value)) {
		struct hp_loader *l = (struct hp_loader *)(uintptr_t)value;

		fine = !l->name ||
		       hp_java_texts_get(&p->texts, l->name, &l->text);
	}
	return fine;
}

static enum hp_status
run_passes(struct loader_pass *p, struct hp_source *src, struct hp_error *err)
{
	struct hp_extra_pass again = {.need = HP_NEED_HEADS,
				      .ctx = p,
				      .sub = read_loaders,
				      .batch = check_worker_memory};
	enum hp_status st = check_memory(p, err);
	bool fine = true;

	find_class_loader(p);
	if (st == HP_OK)
		st = hp_extra_pass_run(p->g, src, &again, err);
	if (st == HP_OK)
		fine = merge_workers(p);
	if (st == HP_OK && fine)
		st = hp_java_texts_read(&p->texts, src, err);
	if (st == HP_OK && fine)
		fine = make_names(p);
	if (st == HP_OK)
		st = check_memory(p, err);
	return fine ? st : hp_no_memory(err);
}

static bool
list_loaders(struct hp_histogram *g)
{
	for (size_t i = 0; i < g->classes.count; i++) {
		uint64_t id = g->classes.list[i]->loader;
		struct hp_loader *l;
		uint64_t *slot;

		if (!id || hp_id_map_get(&g->loaders, id))
			continue;
		slot = hp_id_map_put(&g->loaders, id, NULL);
		l = slot ? hp_arena_alloc(&g->arena, sizeof(*l)) : NULL;
		if (!l)
			return false;
		*l = (struct hp_loader){0};
		*slot = (uintptr_t)l;
	}
	return true;
}

enum hp_status
hp_loaders_find(struct hp_histogram *g, struct hp_source *src,
		struct hp_error *err)
{
	struct loader_pass p = {
		.g = g,
		.texts = {.g = g, .most = HP_LOADER_NAME, .arena = &g->arena}};
	unsigned n = g->options->threads;
	enum hp_status st;

	if (!g->have_classes)
		return HP_OK;
	p.workers = calloc(n, sizeof(struct loader_worker));
	if (!p.workers || !list_loaders(g))
		st = hp_no_memory(err);
	else
		st = g->loaders.count ? run_passes(&p, src, err) : HP_OK;
	for (unsigned i = 0; p.workers && i < n; i++) {
		hp_id_map_release(&p.workers[i].classes);
		hp_id_map_release(&p.workers[i].names);
		hp_budget_release(g->options->budget, &p.workers[i].noted);
	}
	free(p.workers);
	hp_java_texts_release(&p.texts);
	return st;
}
