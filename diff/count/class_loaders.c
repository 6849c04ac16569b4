/*
 * class_loaders.c - find the class of each class loader in one pass over the
 * dump; texts_pass.c then reads the names of the loaders
 */
#include "diff/count/passes.h"

#include "common/cli/escape.h"

#include <pthread.h>

/* maximum length of the name of a class loader in characters */
enum { HP_LOADER_NAME = 200 };

struct loader_pass {
	struct hp_histogram *g;
	/* guards the list of loaders while threads fill it in */
	pthread_mutex_t lock;
	struct hp_named_class class; /* the class java.lang.ClassLoader */
	struct hp_texts_pass names;
};

const struct hp_loader *
hp_loader_get(const struct hp_histogram *g, uint64_t id)
{
	return hp_id_map_pointer(&g->loaders, id);
}

/*
 * Store @id in *@least if @id is smaller, or if *@least is 0 (not set). A
 * damaged dump may contain the same object several times, with different
 * values. Choosing the smallest value makes the result independent of the
 * number of threads.
 */
static void
keep_least(uint64_t *least, uint64_t id)
{
	if (id != 0 && (*least == 0 || id < *least))
		*least = id;
}

/*
 * Called for each sub-record: if the object is a class loader, store its class
 * and the id of the String with its name.
 */
static bool
read_loaders(void *ctx, unsigned worker, const struct hp_sub *s,
	     const struct hp_piece *piece)
{
	struct loader_pass *p = ctx;
	struct hp_loader *l = NULL;
	uint64_t name;

	if (s->tag == HP_SUB_INSTANCE_DUMP && !piece)
		l = hp_id_map_pointer(&p->g->loaders, s->id);
	if (!l)
		return true;
	name = hp_named_class_read(&p->class,
				   hp_classes_get(&p->g->classes, s->class_id),
				   p->g->header.id_size, s->data, s->count);
	pthread_mutex_lock(&p->lock);
	keep_least(&l->class_id, s->class_id);
	keep_least(&l->name, name);
	pthread_mutex_unlock(&p->lock);
	return true;
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

		fine = !l->name || hp_java_texts_want(&p->names.texts, l->name);
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
		       hp_java_texts_get(&p->names.texts, l->name, &l->text);
	}
	return fine;
}

static enum hp_status
run_passes(struct loader_pass *p, struct hp_source *src, struct hp_error *err)
{
	struct hp_extra_pass again = {
		.need = HP_NEED_HEADS, .ctx = p, .sub = read_loaders};
	enum hp_status st = HP_OK;
	bool fine = true;

	p->class = hp_named_class(&p->g->classes, &p->g->tables,
				  "java/lang/ClassLoader");
	if (st == HP_OK)
		st = hp_extra_pass_run(p->g, src, &again, err);
	if (st == HP_OK)
		fine = want_names(p);
	if (st == HP_OK && fine)
		st = hp_texts_pass_run(&p->names, src, err);
	if (st == HP_OK && fine)
		fine = make_names(p);
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
	struct loader_pass p = {.g = g,
				.lock = PTHREAD_MUTEX_INITIALIZER,
				.names = {.g = g,
					  .texts = {.most = HP_LOADER_NAME,
						    .escape = hp_text_clean,
						    .arena = &g->arena}}};
	enum hp_status st;

	if (!g->have_classes)
		return HP_OK;
	if (!list_loaders(g))
		return hp_no_memory(err);
	if (g->loaders.count == 0)
		return HP_OK;
	hp_java_texts_init(&p.names.texts, &g->classes, &g->tables);
	st = run_passes(&p, src, err);
	pthread_mutex_destroy(&p.lock);
	hp_texts_pass_release(&p.names);
	return st;
}
