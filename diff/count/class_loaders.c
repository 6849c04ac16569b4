/*
 * class_loaders.c - loaders, then the Strings of their names, then the Strings'
 * arrays: three passes at most, each for a handful of objects
 */
#include "diff/count/class_loaders.h"

#include "common/cli/escape.h"
#include "common/model/java_string.h"
#include "diff/count/extra_pass.h"

#include <stdlib.h>
#include <string.h>

/* Characters of a loader's name that are shown. */
enum { HP_LOADER_NAME = 200 };

/* What a worker met, by id. */
struct loader_worker {
	struct hp_id_map classes; /* loader to its class */
	struct hp_id_map names;	  /* loader to its name's String */
	struct hp_id_map arrays;  /* String to a struct hp_java_string */
	struct hp_id_map texts;	  /* array to its bytes: struct array */
	struct hp_class_cache cache;
	struct hp_arena arena;
	uint64_t noted; /* bytes, for the budget */
};

struct array {
	uint32_t n;
	uint8_t type;
	const uint8_t *data;
};

struct loader_pass {
	struct hp_histogram *g;
	struct loader_worker *workers;
	const struct hp_class *top; /* java.lang.ClassLoader; NULL: none */
	struct hp_field_place name; /* its field */
	struct hp_java_string_class string;
	struct hp_id_map strings; /* Strings wanted, to their text */
	struct hp_id_map arrays;  /* arrays wanted */
};

const struct hp_loader *
hp_loader_get(const struct hp_histogram *g, uint64_t id)
{
	const uint64_t *slot = hp_id_map_get(&g->loaders, id);

	return slot ? (const struct hp_loader *)(uintptr_t)*slot : NULL;
}

/* Put @value under @id; of several (damage) the least counts. */
static bool
note_least(struct hp_id_map *map, uint64_t id, uint64_t value)
{
	bool fresh;
	uint64_t *slot = hp_id_map_put(map, id, &fresh);

	if (slot && (fresh || value < *slot))
		*slot = value;
	return slot != NULL;
}

/* First pass: the loaders' classes, and their names' ids. */
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
	if (!note_least(&w->classes, s->id, s->class_id))
		return false;
	c = hp_classes_layout(&p->g->classes, &w->cache, s->class_id);
	if (!p->top || !c || !hp_class_is_a(c, p->top) ||
	    !hp_field_load(&p->name, p->g->header.id_size, s->data, s->count,
			   &name) ||
	    !name)
		return true;
	return note_least(&w->names, s->id, name);
}

/* Second pass: the Strings of the names. */
static bool
read_strings(void *ctx, unsigned worker, const struct hp_sub *s,
	     const struct hp_piece *piece)
{
	struct loader_pass *p = ctx;
	struct loader_worker *w = &p->workers[worker];
	struct hp_java_string text, *copy;
	uint64_t *slot;

	if (s->tag != HP_SUB_INSTANCE_DUMP || piece ||
	    s->class_id != p->string.id || !hp_id_map_get(&p->strings, s->id) ||
	    !hp_java_string_read(&p->string, p->g->header.id_size, s->data,
				 s->count, &text))
		return true;
	slot = hp_id_map_put(&w->arrays, s->id, NULL);
	copy = slot && !*slot ? hp_arena_alloc(&w->arena, sizeof(*copy)) : NULL;
	if (!slot || (!*slot && !copy))
		return false;
	if (copy) {
		*copy = text;
		*slot = (uintptr_t)copy;
	}
	return true;
}

/*
 * Third pass: the bytes of their arrays, as far as they are shown. Which
 * String shows which part is not known here; an offset into a long array
 * (JDK 6) may lie behind what is kept, and shows less then.
 */
static bool
read_arrays(void *ctx, unsigned worker, const struct hp_sub *s,
	    const struct hp_piece *piece)
{
	struct loader_pass *p = ctx;
	struct loader_worker *w = &p->workers[worker];
	uint32_t n =
		s->count < 4 * HP_LOADER_NAME ? s->count : 4 * HP_LOADER_NAME;
	struct array *a;
	uint64_t *slot;

	if (s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP || piece ||
	    !hp_id_map_get(&p->arrays, s->id))
		return true;
	slot = hp_id_map_put(&w->texts, s->id, NULL);
	if (!slot || *slot)
		return slot != NULL;
	a = hp_arena_alloc(&w->arena, sizeof(*a));
	if (!a)
		return false;
	a->n = n;
	a->type = s->type;
	a->data = (const uint8_t *)hp_arena_copy(&w->arena, s->data,
						 n * hp_type_size(s->type, 4));
	*slot = (uintptr_t)a;
	return a->data != NULL;
}

static enum hp_status
check_worker_memory(void *ctx, unsigned worker, struct hp_error *err)
{
	struct loader_pass *p = ctx;
	struct loader_worker *w = &p->workers[worker];
	uint64_t slots =
		w->classes.cap + w->names.cap + w->arrays.cap + w->texts.cap;

	return hp_budget_note(p->g->options->budget, &w->noted,
			      slots * sizeof(struct hp_id_slot) + w->arena.held,
			      err);
}

/* What is not a worker's. */
static enum hp_status
check_memory(struct loader_pass *p, struct hp_error *err)
{
	uint64_t slots = p->g->loaders.cap + p->strings.cap + p->arrays.cap;

	return hp_budget_note(
		p->g->options->budget, &p->g->noted_loaders,
		slots * sizeof(struct hp_id_slot) + p->g->arena.held, err);
}

/* The class java.lang.ClassLoader with its field, if there is one. */
static void
find_class_loader(struct loader_pass *p)
{
	struct hp_histogram *g = p->g;

	for (size_t i = 0; i < g->classes.count; i++) {
		const struct hp_class *c = g->classes.list[i];
		const struct hp_string *s =
			hp_tables_class_name(&g->tables, c->id);

		if (c->loader || c->chain != HP_CHAIN_FINE || !s ||
		    s->length != 21 ||
		    (memcmp(s->data, "java/lang/ClassLoader", 21) != 0 &&
		     memcmp(s->data, "java.lang.ClassLoader", 21) != 0))
			continue;
		p->top = c;
		p->name =
			hp_field_find(c, &g->tables, g->header.id_size, "name");
		if (!hp_type_is_reference(p->name.type))
			p->name.from_end = 0;
		return;
	}
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

		fine = !l->name || hp_id_map_put(&p->strings, l->name, NULL);
	}
	return fine;
}

static const void *
note_met(const struct loader_pass *p, size_t map, uint64_t id)
{
	for (unsigned i = 0; i < p->g->options->threads; i++) {
		const struct hp_id_map *m =
			map == 0 ? &p->workers[i].arrays : &p->workers[i].texts;
		const uint64_t *slot = hp_id_map_get(m, id);

		if (slot)
			return (const void *)(uintptr_t)*slot;
	}
	return NULL;
}

/* The arrays that the Strings name are wanted next. */
static bool
want_arrays(struct loader_pass *p)
{
	uint64_t id, value;
	size_t at = 0;
	bool fine = true;

	while (fine && hp_id_map_next(&p->strings, &at, &id, &value)) {
		const struct hp_java_string *s = note_met(p, 0, id);

		fine = !s || !s->array ||
		       hp_id_map_put(&p->arrays, s->array, NULL);
	}
	return fine;
}

/* A name as a text of the dump's arena; NULL: none, or out of memory. */
static const char *
loader_name(struct loader_pass *p, uint64_t string, bool *fine)
{
	const struct hp_java_string *s = note_met(p, 0, string);
	const struct array *a = s ? note_met(p, 1, s->array) : NULL;
	struct hp_buf raw = {0}, clean = {0};
	const char *text = NULL;
	bool whole;

	if (!a)
		return NULL;
	whole = hp_java_string_text(&raw, s, a->type, a->data, a->n,
				    HP_LOADER_NAME);
	hp_text_clean(&clean, hp_buf_string(&raw), raw.len);
	if (!whole)
		hp_buf_text(&clean, "...");
	*fine = hp_buf_ok(&raw) && hp_buf_ok(&clean);
	if (*fine && clean.len) {
		text = hp_arena_copy(&p->g->arena, clean.data, clean.len);
		*fine = text != NULL;
	}
	hp_buf_release(&raw);
	hp_buf_release(&clean);
	return text;
}

static bool
make_names(struct loader_pass *p)
{
	uint64_t id, value, *slot;
	bool fine = true;

	for (size_t at = 0;
	     fine && hp_id_map_next(&p->strings, &at, &id, &value);) {
		slot = hp_id_map_put(&p->strings, id, NULL);
		*slot = (uintptr_t)loader_name(p, id, &fine);
	}
	for (size_t at = 0;
	     fine && hp_id_map_next(&p->g->loaders, &at, &id, &value);) {
		struct hp_loader *l = (struct hp_loader *)(uintptr_t)value;

		if (l->name)
			l->text = (const char *)(uintptr_t)*hp_id_map_get(
				&p->strings, l->name);
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
	p->string = hp_java_string_class(&p->g->classes, &p->g->tables);
	if (st == HP_OK)
		st = hp_extra_pass_run(p->g, src, &again, err);
	if (st == HP_OK)
		fine = merge_workers(p);
	if (st == HP_OK)
		st = check_memory(p, err);
	if (st == HP_OK && fine && p->strings.count && p->string.id) {
		again.sub = read_strings;
		st = hp_extra_pass_run(p->g, src, &again, err);
		fine = want_arrays(p);
	}
	if (st == HP_OK && fine && p->arrays.count) {
		again.sub = read_arrays;
		st = hp_extra_pass_run(p->g, src, &again, err);
		fine = make_names(p);
	}
	if (st == HP_OK)
		st = check_memory(p, err);
	return fine ? st : hp_fail(err, HP_NOMEM, "out of memory");
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
	struct loader_pass p = {.g = g};
	unsigned n = g->options->threads;
	enum hp_status st;

	if (!g->have_classes)
		return HP_OK;
	p.workers = calloc(n, sizeof(struct loader_worker));
	if (!p.workers || !list_loaders(g))
		st = hp_fail(err, HP_NOMEM, "out of memory");
	else
		st = g->loaders.count ? run_passes(&p, src, err) : HP_OK;
	for (unsigned i = 0; p.workers && i < n; i++) {
		hp_id_map_release(&p.workers[i].classes);
		hp_id_map_release(&p.workers[i].names);
		hp_id_map_release(&p.workers[i].arrays);
		hp_id_map_release(&p.workers[i].texts);
		hp_arena_release(&p.workers[i].arena);
		hp_budget_release(g->options->budget, &p.workers[i].noted);
	}
	free(p.workers);
	hp_id_map_release(&p.strings);
	hp_id_map_release(&p.arrays);
	return st;
}
