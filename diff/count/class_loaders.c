/*
 * class_loaders.c - a pass for the loaders; their names are java_texts.c's
 */
#include "diff/count/class_loaders.h"

#include "diff/count/extra_pass.h"
#include "diff/count/java_texts.h"

#include <pthread.h>

/* Characters of a loader's name that are shown. */
enum { HP_LOADER_NAME = 200 };

struct loader_pass {
	struct hp_histogram *g;
	pthread_mutex_t lock;	    /* of the loaders that are filled in */
	const struct hp_class *top; /* java.lang.ClassLoader; NULL: none */
	struct hp_field_place name; /* its field */
	struct hp_java_texts texts;
};

const struct hp_loader *
hp_loader_get(const struct hp_histogram *g, uint64_t id)
{
	return hp_id_map_pointer(&g->loaders, id);
}

/* Of several that dumps of one object tell (damage) the least; 0: none. */
static void
keep_least(uint64_t *least, uint64_t id)
{
	if (id != 0 && (*least == 0 || id < *least))
		*least = id;
}

/* The loaders' classes, and their names' ids. */
static bool
read_loaders(void *ctx, unsigned worker, const struct hp_sub *s,
	     const struct hp_piece *piece)
{
	struct loader_pass *p = ctx;
	struct hp_loader *l = NULL;
	const struct hp_class *c;
	uint64_t name;

	if (s->tag == HP_SUB_INSTANCE_DUMP && !piece)
		l = hp_id_map_pointer(&p->g->loaders, s->id);
	if (!l)
		return true;
	c = p->top ? hp_classes_get(&p->g->classes, s->class_id) : NULL;
	if (!c || !hp_class_is_a(c, p->top) ||
	    !hp_field_load(&p->name, p->g->header.id_size, s->data, s->count,
			   &name))
		name = 0;
	pthread_mutex_lock(&p->lock);
	keep_least(&l->class_id, s->class_id);
	keep_least(&l->name, name);
	pthread_mutex_unlock(&p->lock);
	return true;
}

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

static bool
want_names(struct loader_pass *p)
{
	uint64_t id, value;
	size_t at = 0;
	bool fine = true;

	while (fine && hp_id_map_next(&p->g->loaders, &at, &id, &value)) {
		const struct hp_loader *l =
			(const struct hp_loader *)(uintptr_t)value;

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
	struct hp_extra_pass again = {
		.need = HP_NEED_HEADS, .ctx = p, .sub = read_loaders};
	enum hp_status st = check_memory(p, err);
	bool fine = true;

	find_class_loader(p);
	if (st == HP_OK)
		st = hp_extra_pass_run(p->g, src, &again, err);
	if (st == HP_OK)
		fine = want_names(p);
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
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.texts = {.g = g, .most = HP_LOADER_NAME, .arena = &g->arena}};
	enum hp_status st = HP_OK;

	if (!g->have_classes)
		return HP_OK;
	if (!list_loaders(g))
		st = hp_no_memory(err);
	else if (g->loaders.count)
		st = run_passes(&p, src, err);
	pthread_mutex_destroy(&p.lock);
	hp_java_texts_release(&p.texts);
	return st;
}
