/*
 * edge_kinds.c - find the kinds of references (for example: field "next" of
 * class Node), and the maximum number of references of each kind
 */
#include "diff/holders/internal.h"

#include "common/base/memory.h"
#include "common/base/hash.h"

#include <string.h>
#include <xxhash.h>

/* --- kinds by name -------------------------------------------------------- */

/*
 * The properties that identify a kind of reference. The struct has no padding,
 * because its bytes are a key.
 */
struct identity {
	uint64_t class_name[2], field, of;
};

/*
 * Returns the number of the kind of reference that has the properties @id. If
 * there is no such kind yet, @kind is added. Returns HP_NO_EDGE if out of
 * memory.
 */
static uint32_t
kind_number(struct hp_edge_kinds *k, const struct identity *id,
	    const struct hp_edge_kind *kind)
{
	uint32_t number;
	bool fresh;

	if (!HP_LIST_RESERVE(k->list, k->count, k->cap))
		return HP_NO_EDGE;
	number = hp_intern_put(&k->identities, (const char *)id, sizeof(*id),
			       &fresh);
	if (fresh)
		k->list[k->count++] = *kind;
	return number ? number - 1 : HP_NO_EDGE;
}

/*
 * Set the members of @id that are equal for all fields of a class: the hash of
 * the class name, and the source @of (such as HP_EDGE_STATIC). Returns false if
 * out of memory.
 */
static bool
class_identity(struct hp_edge_kinds *k, uint64_t class_id, enum hp_edge_of of,
	       struct identity *id)
{
	const struct hp_name *name = hp_key_class(k->keys, class_id);

	*id = (struct identity){.of = of};
	if (name)
		hp_row_hash(name->text, name->len, k->seed, id->class_name);
	return name;
}

/*
 * Find or create the kind of reference for the field with the name id @name in
 * the class @class_id. @id has been filled by class_identity() for this class.
 */
static uint32_t
field_kind(struct hp_edge_kinds *k, struct identity *id, uint64_t class_id,
	   uint64_t name)
{
	const struct hp_string *text =
		hp_tables_string(&k->keys->g->tables, name);
	struct hp_edge_kind kind = {
		.class_id = class_id, .name = name, .of = (uint8_t)id->of};

	/*
	 * rows show a missing name as "?", so all fields without a name are of
	 * one kind
	 */
	id->field = 0;
	if (text)
		id->field =
			text->length > HP_TEXT_LONG
				? hp_string_hash(text)
				: XXH3_64bits_withSeed(text->data, text->length,
						       k->seed);
	return kind_number(k, id, &kind);
}

uint32_t
hp_edge_kind_static(struct hp_edge_kinds *k, const struct hp_class *c,
		    const struct hp_class_static *s)
{
	struct identity id;

	/*
	 * remember the hash of the last class name, because a caller usually
	 * asks for all static fields of a class one after the other
	 */
	if (!k->have_static || k->static_class != c->id) {
		if (!class_identity(k, c->id, HP_EDGE_STATIC, &id))
			return HP_NO_EDGE;
		memcpy(k->static_name, id.class_name, sizeof(k->static_name));
		k->static_class = c->id;
		k->have_static = true;
	}
	id = (struct identity){.of = HP_EDGE_STATIC};
	memcpy(id.class_name, k->static_name, sizeof(id.class_name));
	return field_kind(k, &id, c->id, s->name);
}

uint32_t
hp_edge_kind_words(struct hp_edge_kinds *k, const char *words)
{
	struct identity id = {.of = HP_EDGE_WORDS};
	struct hp_edge_kind kind = {.name = (uintptr_t)words,
				    .of = HP_EDGE_WORDS};

	hp_row_hash(words, strlen(words), k->seed, id.class_name);
	return kind_number(k, &id, &kind);
}

bool
hp_edge_kind_text(struct hp_edge_kinds *k, uint32_t kind, struct hp_buf *out)
{
	const struct hp_edge_kind *e = &k->list[kind];
	const struct hp_name *name;

	if (e->of == HP_EDGE_WORDS) {
		hp_buf_printf(out, "(%s)", (const char *)(uintptr_t)e->name);
		return hp_buf_ok(out);
	}
	name = hp_key_class(k->keys, e->class_id);
	if (!name)
		return false;
	hp_buf_add(out, name->text, name->len);
	if (e->of == HP_EDGE_ARRAY)
		return hp_buf_ok(out);
	hp_buf_byte(out, '.');
	hp_key_add_text(out, hp_tables_string(&k->keys->g->tables, e->name));
	if (e->of == HP_EDGE_STATIC)
		hp_buf_text(out, HP_ROW_STATIC);
	return hp_buf_ok(out);
}

/* --- all fields and arrays of a dump -------------------------------------- */

/*
 * Whether all instances that a tally (counter) counts have the length that the
 * class dump requires. In a damaged dump, some may not.
 */
static bool
is_whole(const struct hp_tally *t, const struct hp_class *c)
{
	return c->data_size == 0 ? t->elements == 0
				 : t->elements / c->data_size == t->count &&
					   t->elements % c->data_size == 0;
}

/*
 * For each class, add up its own instances and those of its subclasses.
 * Instances whose length differs from their class dump do not count here; only
 * damaged dumps have such instances. @order: the classes, superclasses before
 * subclasses.
 */
static void
count_instances(const struct hp_edge_kinds *k, struct hp_class *const *order,
		uint64_t *instances)
{
	const struct hp_histogram *g = k->keys->g;
	const struct hp_class *c;

	for (size_t i = 0; i < g->tallies.count; i++) {
		const struct hp_tally *t = g->tallies.list[i];

		if (t->key.kind != HP_TALLY_INSTANCES)
			continue;
		c = hp_classes_get(&g->classes, t->key.id);
		if (c && is_whole(t, c))
			instances[c->index] += t->count;
	}
	for (size_t i = g->classes.count; i-- > 0;)
		if (order[i]->super)
			instances[order[i]->super->index] +=
				instances[order[i]->index];
}

/*
 * Add a kind of reference for each reference field that a class declares
 * itself.
 */
static enum hp_status
add_level(struct hp_edge_kinds *k, const struct hp_class *c, uint64_t instances,
	  struct hp_error *err)
{
	unsigned id_size = k->keys->g->header.id_size;
	struct hp_edge_level *level = &k->levels[c->index];
	const struct hp_edge_level *above =
		c->super ? &k->levels[c->super->index] : NULL;
	struct identity id;
	uint32_t at = 0, kind;

	*level = (struct hp_edge_level){.first = (uint32_t)k->nfields,
					.above = HP_NO_EDGE};
	if (instances > 0 && !class_identity(k, c->id, HP_EDGE_FIELD, &id))
		return hp_no_memory(err);
	for (uint32_t i = 0; i < c->nfields; i++) {
		if (hp_type_is_reference(c->fields[i].type)) {
			kind = instances > 0 ? field_kind(k, &id, c->id,
							  c->fields[i].name)
					     : HP_NO_EDGE;
			if (instances > 0 && kind == HP_NO_EDGE)
				return hp_no_memory(err);
			if (instances > 0)
				k->list[kind].most += instances;
			k->fields[k->nfields++] =
				(struct hp_edge_field){kind, at};
			level->count++;
		}
		at += hp_type_size(c->fields[i].type, id_size);
	}
	if (above) {
		level->above = above->count ? c->super->index : above->above;
		level->skip = at + (above->count ? 0 : above->skip);
	}
	return HP_OK;
}

/*
 * Some instances of @c have another length than their class dump says. Add
 * their references to the maximum number of references of each kind. @count:
 * number of these instances. @bytes: bytes of the data of all of them together.
 * An instance has a field only if its data is long enough. So at most @bytes /
 * (offset of the field + size of an id) instances have the field. The loop over
 * the fields ends at the offset @bytes, so the loop is as fast as reading the
 * data.
 */
static enum hp_status
add_odd_instances(struct hp_edge_kinds *k, const struct hp_class *c,
		  uint64_t count, uint64_t bytes, struct hp_error *err)
{
	const struct hp_classes *classes = &k->keys->g->classes;
	unsigned id_size = k->keys->g->header.id_size;
	uint32_t index = c->index;
	struct identity id;
	uint64_t base = 0;

	while (index != HP_NO_EDGE && base < bytes) {
		const struct hp_edge_level *level = &k->levels[index];
		struct hp_edge_field *f = &k->fields[level->first];
		uint64_t at = base, most;

		c = classes->list[index];
		if (!class_identity(k, c->id, HP_EDGE_FIELD, &id))
			return hp_no_memory(err);
		for (uint32_t i = 0; i < c->nfields && at < bytes; i++) {
			if (hp_type_is_reference(c->fields[i].type)) {
				f->kind = field_kind(k, &id, c->id,
						     c->fields[i].name);
				if (f->kind == HP_NO_EDGE)
					return hp_no_memory(err);
				most = bytes / (at + id_size);
				k->list[f->kind].most +=
					most < count ? most : count;
				f++;
			}
			at += hp_type_size(c->fields[i].type, id_size);
		}
		base += level->skip;
		index = level->above;
	}
	return HP_OK;
}

static enum hp_status
add_all_odd_instances(struct hp_edge_kinds *k, struct hp_error *err)
{
	const struct hp_histogram *g = k->keys->g;
	enum hp_status st = HP_OK;
	const struct hp_class *c;

	for (size_t i = 0; i < g->tallies.count && st == HP_OK; i++) {
		const struct hp_tally *t = g->tallies.list[i];

		if (t->key.kind != HP_TALLY_INSTANCES)
			continue;
		c = hp_classes_get(&g->classes, t->key.id);
		if (c && !is_whole(t, c))
			st = add_odd_instances(k, c, t->count, t->elements,
					       err);
	}
	return st;
}

static enum hp_status
add_levels(struct hp_edge_kinds *k, struct hp_error *err)
{
	const struct hp_classes *classes = &k->keys->g->classes;
	size_t n = classes->count, fields = 0;
	struct hp_class **order = hp_classes_topmost_first(classes);
	uint64_t *instances = hp_calloc(n + 1, sizeof(*instances));
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < n; i++)
		fields += classes->list[i]->nfields;
	k->levels = hp_calloc(n + 1, sizeof(*k->levels));
	k->fields = hp_malloc((fields + 1) * sizeof(*k->fields));
	if (!order || !instances || !k->levels || !k->fields ||
	    fields > UINT32_MAX)
		st = hp_no_memory(err);
	if (st == HP_OK)
		count_instances(k, order, instances);
	for (size_t i = 0; i < n && st == HP_OK; i++) {
		st = add_level(k, order[i], instances[order[i]->index], err);
	}
	hp_free(order);
	hp_free(instances);
	return st == HP_OK ? add_all_odd_instances(k, err) : st;
}

/* Add a kind of reference for the elements of each class of object arrays. */
static enum hp_status
add_arrays(struct hp_edge_kinds *k, struct hp_error *err)
{
	const struct hp_tallies *tallies = &k->keys->g->tallies;

	for (size_t i = 0; i < tallies->count; i++) {
		const struct hp_tally *t = tallies->list[i];
		struct hp_edge_kind kind = {.of = HP_EDGE_ARRAY};
		struct identity id;
		uint64_t *slot;
		uint32_t number;

		if (t->key.kind != HP_TALLY_OBJECT_ARRAYS || t->elements == 0)
			continue;
		if (!class_identity(k, t->key.id, HP_EDGE_ARRAY, &id))
			return hp_no_memory(err);
		kind.class_id = t->key.id;
		number = kind_number(k, &id, &kind);
		slot = hp_id_map_put(&k->arrays, t->key.id, NULL);
		if (number == HP_NO_EDGE || !slot)
			return hp_no_memory(err);
		*slot = number + (uint64_t)1;
		k->list[number].most += t->elements;
	}
	return HP_OK;
}

enum hp_status
hp_edge_kinds_init(struct hp_edge_kinds *k, struct hp_keys *keys,
		   struct hp_error *err)
{
	enum hp_status st;

	k->keys = keys;
	k->seed = hp_seed(k);
	st = add_levels(k, err);
	if (st == HP_OK)
		st = add_arrays(k, err);
	return st;
}

void
hp_edge_kinds_release(struct hp_edge_kinds *k)
{
	hp_free(k->list);
	hp_intern_release(&k->identities);
	hp_free(k->levels);
	hp_free(k->fields);
	hp_id_map_release(&k->arrays);
	*k = (struct hp_edge_kinds){0};
}
