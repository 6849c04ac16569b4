/*
 * shared_sizes.c - use the same shallow sizes in all inputs of a comparison,
 * and list the sizes for a saved result
 *
 * Classes of two inputs are the same class if their names, the bytes of their
 * fields and the numbers of reference fields are equal. The name alone is not
 * enough, because another version of a class may have another size.
 */
#include "diff/count/shared_sizes.h"

#include "common/base/buf.h"
#include "common/base/memory.h"

#include <string.h>
#include <xxhash.h>

void
hp_shared_sizes_release(struct hp_shared_sizes *s)
{
	hp_id_map_release(&s->sizes);
	memset(s, 0, sizeof(*s));
}

static uint64_t
hash_class(const char *name, size_t n, uint64_t fields, uint64_t references)
{
	return XXH3_64bits_withSeed(
		name, n, fields * UINT64_C(0x9E3779B97F4A7C15) + references);
}

/*
 * Returns the name of a class, with dots instead of slashes, as saved results
 * contain it. Returns NULL if the class has no name, or if the name has
 * characters other than ASCII, because saving and reading a result could change
 * these.
 */
static const char *
plain_name(const struct hp_tables *t, const struct hp_class *c,
	   struct hp_buf *buf)
{
	const struct hp_string *s = hp_tables_class_name(t, c->id);

	hp_buf_clear(buf);
	if (!s || s->length > HP_TEXT_LONG)
		return NULL;
	for (uint32_t i = 0; i < s->length; i++) {
		char x = s->data[i] == '/' ? '.' : (char)s->data[i];

		if (x < 0x20 || x > 0x7e)
			return NULL;
		hp_buf_add(buf, &x, 1);
	}
	return hp_buf_ok(buf) ? hp_buf_string(buf) : NULL;
}

/*
 * For a dump whose object sizes could not be measured: allocate a list with
 * room for the sizes of @n classes.
 */
static bool
alloc_sizes(struct hp_measured_sizes *m, size_t n)
{
	if (m->instances)
		return true;
	m->instances = hp_calloc(n + 1, sizeof(*m->instances));
	m->class_objects = hp_calloc(n + 1, sizeof(*m->class_objects));
	m->classes = n;
	return m->instances && m->class_objects;
}

static bool
is_same_layout(const struct hp_size_model *a, const struct hp_size_model *b)
{
	return a->model == b->model && a->reference == b->reference &&
	       a->header == b->header && a->array_header == b->array_header &&
	       a->alignment == b->alignment;
}

/*
 * Whether the size model of the first input (its rules for sizes of objects)
 * also applies to this dump. If the sizes of the dump could not be measured,
 * the model applies if it fits the size of the ids.
 */
static bool
has_shared_layout(const struct hp_shared_sizes *s, const struct hp_histogram *g,
		  const struct hp_size_model *own)
{
	const struct hp_size_model *l = &s->layout;
	struct hp_size_model detected = hp_size_model_detect(
		&g->hints, g->header.id_size, own->model == HP_SIZE_MODEL_ART);

	if (own->model == HP_SIZE_MODEL_ART || l->model == HP_SIZE_MODEL_ART)
		return false;
	if (g->measured.objects > 0 && strcmp(l->source, "measured") == 0)
		return is_same_layout(own, l);
	if (strcmp(l->source, "measured") == 0)
		return detected.alignment == l->alignment &&
		       (detected.reference == l->reference ||
			(!g->hints.overlap && g->header.id_size == 8));
	return is_same_layout(&detected, l);
}

/*
 * If an earlier input had a class of this dump, use the size from the earlier
 * input. Store the sizes of all other classes of this dump, for later inputs.
 */
static enum hp_status
exchange(struct hp_shared_sizes *s, struct hp_histogram *g,
	 struct hp_size_model *layout, struct hp_error *err)
{
	struct hp_measured_sizes *m = &g->measured;
	unsigned id_size = g->header.id_size;
	struct hp_buf name = {0};
	bool fresh, fine = true;

	for (size_t i = 0; i < g->classes.count && fine; i++) {
		const struct hp_class *c = g->classes.list[i];
		uint64_t *size = NULL;
		bool plain = plain_name(&g->tables, c, &name);

		if (plain)
			size = hp_id_map_put(&s->sizes,
					     hash_class(name.data, name.len,
							c->data_size,
							c->references),
					     &fresh);
		fine = (size || !plain) && hp_buf_ok(&name);
		if (size && fresh)
			*size = hp_instance_bytes(layout, c, id_size);
		else if (size)
			m->instances[c->index] = (uint32_t)*size;
	}
	hp_buf_release(&name);
	return fine ? HP_OK : hp_no_memory(err);
}

enum hp_status
hp_shared_sizes_use(struct hp_shared_sizes *s, struct hp_histogram *g,
		    struct hp_size_model *layout, bool asked,
		    struct hp_error *err)
{
	struct hp_measured_sizes *m = &g->measured;

	if (asked || !g->have_classes)
		return HP_OK;
	if (!s->begun) {
		s->begun = true;
		s->layout = *layout;
		s->layout.measured = NULL;
		s->class_object = m->class_object;
	} else if (!has_shared_layout(s, g, layout)) {
		return HP_OK;
	}
	if (strcmp(s->layout.source, "measured") != 0) {
		/*
		 * also use the size model of the first input for this dump, so
		 * that sizes computed from the model are equal in both inputs
		 */
		*layout = s->layout;
		return HP_OK;
	}
	if (!alloc_sizes(m, g->classes.count))
		return hp_no_memory(err);
	*layout = s->layout;
	layout->measured = m;
	if (m->class_object != s->class_object)
		hp_measured_class_objects(m, &g->classes, &g->tables, layout,
					  s->class_object);
	return exchange(s, g, layout, err);
}

enum hp_status
hp_shared_sizes_saved(struct hp_shared_sizes *s,
		      const struct hp_size_model *layout,
		      const struct hp_listed_sizes *listed,
		      struct hp_error *err)
{
	if (s->begun)
		return HP_OK;
	s->begun = true;
	s->layout = *layout;
	s->class_object = listed->class_object;
	for (size_t i = 0; i < listed->count; i++) {
		const struct hp_listed_size *x = &listed->list[i];

		if (!hp_id_map_set(&s->sizes,
				   hash_class(x->name, strlen(x->name),
					      x->fields, x->references),
				   x->bytes))
			return hp_no_memory(err);
	}
	return HP_OK;
}

/*
 * Whether a saved result must list the size of a class, because this size
 * differs from the size that the size model gives.
 */
static bool
is_listed(const struct hp_histogram *g, const struct hp_size_model *layout,
	  const struct hp_class *c)
{
	const struct hp_measured_sizes *m = &g->measured;
	struct hp_size_model model = *layout;
	unsigned id_size = g->header.id_size;

	model.measured = NULL;
	return m->notes && m->notes[c->index] & HP_SIZE_HAS_OBJECTS &&
	       (!(m->notes[c->index] & HP_SIZE_IS_MEASURED) ||
		hp_instance_bytes(layout, c, id_size) !=
			hp_instance_bytes(&model, c, id_size));
}

enum hp_status
hp_listed_sizes_make(struct hp_listed_sizes *out, const struct hp_histogram *g,
		     const struct hp_size_model *layout, struct hp_arena *arena,
		     struct hp_error *err)
{
	struct hp_buf name = {0};
	bool fine = true;

	out->class_object = g->measured.class_object;
	for (size_t i = 0; i < g->classes.count && fine; i++) {
		const struct hp_class *c = g->classes.list[i];
		struct hp_listed_size x = {.fields = c->data_size,
					   .references = c->references};

		if (!is_listed(g, layout, c) ||
		    !plain_name(&g->tables, c, &name))
			continue;
		x.bytes = hp_instance_bytes(layout, c, g->header.id_size);
		x.name = hp_arena_copy(arena, name.data, name.len);
		fine = x.name &&
		       HP_LIST_PUSH(out->list, out->count, out->cap, x);
	}
	hp_buf_release(&name);
	return fine ? HP_OK : hp_no_memory(err);
}
