/*
 * class_loaders.c - find the class and the name of each class loader in passes
 * over the dump
 *
 * The fields of loader_names.def lead from a loader to a String with its name.
 * The first pass reads the loaders, and the first field of each entry of the
 * table that fits. If fields lead further, as in loaders of web applications,
 * each further pass reads one more field. texts_pass.c then reads the Strings.
 */
#include "diff/count/passes.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "diff/count/loader_naming.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

/*
 * The value of the field that one entry of loader_names.def reads from an
 * object.
 */
struct field_value {
	struct field_value *next; /* of the same object */
	unsigned naming;	  /* index of the entry */
	uint64_t id;		  /* the least value found; 0: none */
};

/* An object that the next pass reads. */
struct object {
	struct hp_loader *loader; /* NULL: the object is no loader */
	struct field_value *values;
};

/* The fields that lead from a loader to its name, as far as they are known. */
struct trail {
	struct trail *next;
	struct hp_loader *loader;
	struct field_value *at;
};

struct loader_pass {
	struct hp_histogram *g;
	/* guards the objects while threads fill them in */
	pthread_mutex_t lock;
	/*
	 * for each class, by its index: a bit for each entry of
	 * loader_names.def with the name of this class
	 */
	uint32_t *classes;
	struct hp_id_map objects;
	/* number of passes that were already made */
	unsigned depth;
	struct trail *trails;
	/* the memory of objects, values and trails */
	struct hp_arena arena;
	struct hp_texts_pass names;
};

static_assert(HP_LOADER_NAMINGS <= 32, "one bit for each entry");

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

/* --- what to read --------------------------------------------------------- */

static bool
find_classes(struct loader_pass *p)
{
	const struct hp_classes *list = &p->g->classes;

	p->classes = hp_calloc(list->count + 1, sizeof(*p->classes));
	for (size_t i = 0; p->classes && i < list->count; i++) {
		const struct hp_class *c = list->list[i];
		const struct hp_string *name =
			hp_tables_class_name(&p->g->tables, c->id);

		for (unsigned n = 0; n < HP_LOADER_NAMINGS; n++)
			if (c->index < list->count &&
			    hp_string_is_java(name, hp_loader_namings[n].class))
				p->classes[c->index] |= UINT32_C(1) << n;
	}
	return p->classes;
}

/* Returns a bit for each entry of loader_names.def that fits the class. */
static uint32_t
namings_of(const struct loader_pass *p, const struct hp_class *c)
{
	uint32_t bits = 0;

	for (unsigned n = 0; c && n < HP_LOADER_SUPERCLASSES; n++) {
		if (c->index < p->g->classes.count)
			bits |= p->classes[c->index];
		c = c->super;
	}
	return bits;
}

/*
 * Find or make the value that the entry @naming reads from an object. Returns
 * NULL if out of memory.
 */
static struct field_value *
value_of(struct loader_pass *p, struct object *o, unsigned naming)
{
	struct field_value *v = o->values;

	while (v && v->naming != naming)
		v = v->next;
	if (v)
		return v;
	v = hp_arena_alloc(&p->arena, sizeof(*v));
	if (v) {
		*v = (struct field_value){.next = o->values, .naming = naming};
		o->values = v;
	}
	return v;
}

/* Find or make an object that the next pass reads. NULL: out of memory. */
static struct object *
want_object(struct loader_pass *p, uint64_t id, struct hp_loader *loader)
{
	uint64_t *slot = hp_id_map_put(&p->objects, id, NULL);
	struct object *o;

	if (!slot)
		return NULL;
	if (*slot != 0)
		return (struct object *)(uintptr_t)*slot;
	o = hp_arena_alloc(&p->arena, sizeof(*o));
	if (o) {
		*o = (struct object){.loader = loader};
		*slot = (uintptr_t)o;
	}
	return o;
}

/* --- reading the fields --------------------------------------------------- */

/*
 * Returns the field of the entry @naming that this pass reads, or NULL if
 * earlier passes have already read all fields of the entry.
 */
static const char *
field_of(const struct loader_pass *p, unsigned naming,
	 char name[HP_LOADER_FIELD + 1])
{
	const char *rest = hp_loader_namings[naming].fields;

	for (unsigned i = 0; i < p->depth && *rest; i++)
		rest = hp_loader_field(rest, name);
	if (!*rest)
		return NULL;
	(void)hp_loader_field(rest, name);
	return name;
}

/* Returns the id in the reference field @name of an instance, or 0. */
static uint64_t
load(const struct loader_pass *p, const struct hp_sub *s,
     const struct hp_class *c, const char *name)
{
	unsigned id_size = p->g->header.id_size;
	uint64_t id = 0;

	for (unsigned n = 0; c && n < HP_LOADER_SUPERCLASSES; n++) {
		struct hp_field_place at =
			hp_field_find(c, &p->g->tables, id_size, name);

		if (at.from_end != 0)
			return hp_type_is_reference(at.type) &&
					       hp_field_load(&at, id_size,
							     s->data, s->count,
							     &id)
				       ? id
				       : 0;
		c = c->super;
	}
	return 0;
}

static bool
read_object(struct loader_pass *p, struct object *o, const struct hp_sub *s)
{
	const struct hp_class *c = hp_classes_get(&p->g->classes, s->class_id);
	uint32_t bits = o->loader ? namings_of(p, c) : 0;
	char name[HP_LOADER_FIELD + 1];

	if (o->loader)
		keep_least(&o->loader->class_id, s->class_id);
	/* if the layout is not known, the fields cannot be found */
	if (!c || c->data_size != s->count)
		return true;
	for (unsigned n = 0; n < HP_LOADER_NAMINGS; n++)
		if (bits >> n & 1 && !value_of(p, o, n))
			return false;
	for (struct field_value *v = o->values; v; v = v->next)
		if (field_of(p, v->naming, name))
			keep_least(&v->id, load(p, s, c, name));
	return true;
}

/* Called for each sub-record: read the fields of a wanted object. */
static bool
read_fields(void *ctx, unsigned worker, const struct hp_sub *s,
	    const struct hp_piece *piece)
{
	struct loader_pass *p = ctx;
	struct object *o = NULL;
	bool fine;

	if (s->tag == HP_SUB_INSTANCE_DUMP && !piece)
		o = hp_id_map_pointer(&p->objects, s->id);
	if (!o)
		return true;
	pthread_mutex_lock(&p->lock);
	fine = read_object(p, o, s);
	pthread_mutex_unlock(&p->lock);
	return fine;
}

/* --- following the fields ------------------------------------------------- */

static bool
want_loaders(struct loader_pass *p)
{
	uint64_t id, value;
	size_t at = 0;
	bool fine = true;

	while (fine && hp_id_map_next(&p->g->loaders, &at, &id, &value))
		fine = want_object(p, id, (struct hp_loader *)(uintptr_t)value);
	return fine;
}

/* After the first pass: list the first fields of all loaders. */
static bool
start_trails(struct loader_pass *p)
{
	uint64_t id, value;
	size_t at = 0;

	while (hp_id_map_next(&p->objects, &at, &id, &value)) {
		const struct object *o =
			(const struct object *)(uintptr_t)value;

		for (struct field_value *v = o->values; v; v = v->next) {
			struct trail *t = hp_arena_alloc(&p->arena, sizeof(*t));

			if (!t)
				return false;
			*t = (struct trail){p->trails, o->loader, v};
			p->trails = t;
		}
	}
	return true;
}

/*
 * Choose the objects that the next pass reads. If all fields have been read,
 * there are none.
 */
static bool
want_next(struct loader_pass *p)
{
	char name[HP_LOADER_FIELD + 1];

	hp_id_map_release(&p->objects);
	for (struct trail *t = p->trails; t; t = t->next) {
		struct object *o;

		if (t->at->id == 0 || !field_of(p, t->at->naming, name))
			continue;
		o = want_object(p, t->at->id, NULL);
		t->at = o ? value_of(p, o, t->at->naming) : NULL;
		if (!t->at)
			return false;
	}
	return true;
}

static enum hp_status
follow_fields(struct loader_pass *p, struct hp_source *src,
	      struct hp_error *err)
{
	struct hp_extra_pass again = {
		.need = HP_NEED_HEADS, .ctx = p, .sub = read_fields};
	enum hp_status st = HP_OK;
	bool fine = find_classes(p) && want_loaders(p);

	while (fine && st == HP_OK && p->objects.count > 0) {
		st = hp_extra_pass_run(p->g, src, &again, err);
		if (st == HP_OK && p->depth++ == 0)
			fine = start_trails(p);
		fine = fine && want_next(p);
	}
	return fine ? st : hp_no_memory(err);
}

/* --- the names ------------------------------------------------------------ */

static bool
want_names(struct loader_pass *p)
{
	bool fine = true;

	for (struct trail *t = p->trails; t && fine; t = t->next)
		fine = t->at->id == 0 ||
		       hp_java_texts_want(&p->names.texts, t->at->id);
	return fine;
}

/*
 * Give each loader the name of the first entry of loader_names.def that has
 * one.
 */
static bool
make_names(struct loader_pass *p)
{
	struct hp_buf b = {0};
	bool fine = true;

	for (struct trail *t = p->trails; t && fine; t = t->next) {
		struct hp_loader *l = t->loader;
		const char *value = NULL;

		fine = t->at->id == 0 ||
		       hp_java_texts_get(&p->names.texts, t->at->id, &value);
		if (!value || (l->text && l->naming < t->at->naming))
			continue;
		hp_buf_clear(&b);
		hp_loader_name_text(&b, hp_loader_namings[t->at->naming].noun,
				    value);
		l->naming = t->at->naming;
		l->text = hp_arena_copy(&p->g->arena, hp_buf_string(&b),
					hp_buf_length(&b));
		fine = hp_buf_ok(&b) && l->text;
	}
	hp_buf_release(&b);
	return fine;
}

static enum hp_status
run_passes(struct loader_pass *p, struct hp_source *src, struct hp_error *err)
{
	enum hp_status st = follow_fields(p, src, err);
	bool fine = true;

	if (st == HP_OK)
		fine = want_names(p);
	if (st == HP_OK && fine)
		st = hp_texts_pass_run(&p->names, src, err);
	if (st == HP_OK && fine)
		fine = make_names(p);
	return fine ? st : hp_no_memory(err);
}

bool
hp_loaders_list(struct hp_histogram *g)
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
	if (!hp_loaders_list(g))
		return hp_no_memory(err);
	if (g->loaders.count == 0)
		return HP_OK;
	hp_java_texts_init(&p.names.texts, &g->classes, &g->tables);
	st = run_passes(&p, src, err);
	pthread_mutex_destroy(&p.lock);
	hp_texts_pass_release(&p.names);
	hp_id_map_release(&p.objects);
	hp_arena_release(&p.arena);
	hp_free(p.classes);
	return st;
}
