/*
 * object_kinds.c - find out which objects are parts of a container
 *
 * The table of collection_fields.c has the collections of the JDK, Android and
 * Kotlin. For other classes, this file decides by the references in the dump.
 * An array is a part of the object that refers to it by a field. Objects of one
 * class that refer to each other are the nodes of a linked list.
 */
#include "diff/leaks/object_tree.h"
#include "common/base/memory.h"

#include "diff/leaks/merged_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * maximum number of superclasses of a class that are looked up in the
	 * table of collections
	 */
	SUPERS = 32,
	/*
	 * maximum number of reference fields of a class that are searched for
	 * the field that refers to an object; if a class has more fields, there
	 * is no search
	 */
	FIELDS = 256,
	/*
	 * The classes of a linked list may alternate with a period, as in
	 * A, B, A, B. Objects count as such a list only if at least this many
	 * consecutive objects repeat the class of the object one period before.
	 */
	REPEATS = 8,
};

/*
 * Classes that wrap a single object. If this object is a container, it counts
 * as a part of the wrapper, and both together are one container.
 */
static const struct wrapper {
	const char *class_name, *field;
} wrappers[] = {
	{"androidx.lifecycle.LiveData", "mData"},
	{"com.google.common.base.Present", "reference"},
	{"com.google.common.collect.Synchronized$SynchronizedObject",
	 "delegate"},
	{"java.lang.ref.SoftReference", "referent"},
	{"java.lang.ref.Reference", "referent"},
	{"java.util.Optional", "value"},
	{"java.util.concurrent.atomic.AtomicReference", "value"},
	{"java.util.concurrent.atomic.AtomicMarkableReference", "pair"},
	{"java.util.concurrent.atomic.AtomicStampedReference", "pair"},
	{"kotlin.InitializedLazyImpl", "value"},
	{"kotlin.SafePublicationLazyImpl", "_value"},
	{"kotlin.SynchronizedLazyImpl", "_value"},
	{"kotlin.UnsafeLazyImpl", "_value"},
	{"kotlin.jvm.internal.Ref$ObjectRef", "element"},
	{"kotlinx.atomicfu.AtomicRef", "value"},
	{"kotlinx.coroutines.flow.StateFlowImpl", "_state"},
	{"org.apache.commons.collections.collection."
	 "AbstractCollectionDecorator",
	 "collection"},
	{"org.apache.commons.collections.map.AbstractMapDecorator", "map"},
	{"org.apache.commons.collections4.collection."
	 "AbstractCollectionDecorator",
	 "collection"},
	{"org.apache.commons.collections4.map.AbstractMapDecorator", "map"},
};

/*
 * A value in addition to those of enum hp_field_role: the field refers to the
 * object that a wrapper wraps.
 */
enum { ROLE_WRAPPED = HP_FIELD_ELEMENT + 1 };

static const char *const lone[] = {"java.lang.Thread", "java.lang.ClassLoader",
				   "java.lang.ThreadGroup"};

/* --- kinds ---------------------------------------------------------------- */

static unsigned
array_properties(const char *name)
{
	bool parts = hp_is_collection_inside(name) &&
		     strcmp(name, "java.lang.Object[]") != 0;

	return HP_OBJECT_ARRAY | (parts ? HP_OBJECT_PARTS : 0);
}

/*
 * Returns the properties (HP_OBJECT_... bits) that follow from the name of a
 * class. Instances of its subclasses also have these properties.
 */
static unsigned
name_properties(const char *name)
{
	unsigned is = 0;

	if (hp_is_collection_inside(name))
		is |= HP_OBJECT_PART;
	else if (hp_is_collection(name))
		is |= HP_OBJECT_CONTAINER;
	if (hp_has_elements(name))
		is |= HP_OBJECT_ENTRY;
	for (size_t i = 0; i < HP_ARRAY_LEN(lone); i++)
		if (strcmp(name, lone[i]) == 0)
			is |= HP_OBJECT_LONE;
	if (strcmp(name, "java.lang.ClassLoader") == 0)
		is |= HP_OBJECT_LOADER;
	if (strcmp(name, "java.lang.ThreadLocal$ThreadLocalMap") == 0)
		is |= HP_OBJECT_THREAD_LOCALS;
	if (strcmp(name, "java.util.IdentityHashMap") == 0)
		is |= HP_OBJECT_PAIRS;
	return is;
}

static enum hp_status
instance_properties(struct hp_object_kinds *k, const struct hp_class *c,
		    unsigned *is, struct hp_error *err)
{
	for (unsigned n = 0; c && n < SUPERS; n++, c = c->super) {
		const struct hp_name *name = hp_key_class(k->keys, c->id);

		if (!name)
			return hp_no_memory(err);
		*is |= name_properties(name->text);
	}
	if (*is & HP_OBJECT_PART)
		*is &= ~(unsigned)HP_OBJECT_CONTAINER;
	else
		*is &= ~(unsigned)HP_OBJECT_ENTRY;
	return HP_OK;
}

static enum hp_status
kind_properties(struct hp_object_kinds *k, const struct hp_node_kind *kind,
		struct hp_object_kind *into, struct hp_error *err)
{
	const struct hp_classes *classes = &k->keys->g->classes;

	switch (kind->of) {
	case HP_NODE_CLASS:
		into->is = HP_OBJECT_CLASS;
		into->class = hp_classes_get(classes, kind->class_id);
		return HP_OK;
	case HP_NODE_OBJECT_ARRAY:
		into->is = array_properties(k->names->list[into->row]->key);
		return HP_OK;
	case HP_NODE_PRIMITIVE_ARRAY:
		into->is = HP_OBJECT_PRIMITIVES;
		return HP_OK;
	default:
		into->class = hp_classes_get(classes, kind->class_id);
		if (into->class && into->class->index == UINT32_MAX)
			into->class = NULL;
		return instance_properties(k, into->class, &into->is, err);
	}
}

enum hp_status
hp_object_kinds_init(struct hp_object_kinds *k, const struct hp_retained *t,
		     struct hp_keys *keys, struct hp_rows *names,
		     struct hp_error *err)
{
	const struct hp_node_kinds *kinds = &t->graph.kinds;
	uint32_t *rows = hp_calloc(kinds->count + (size_t)1, sizeof(*rows));
	enum hp_status st;

	*k = (struct hp_object_kinds){.t = t, .keys = keys, .names = names};
	k->list = hp_calloc(kinds->count + (size_t)1, sizeof(*k->list));
	st = rows && k->list
		     ? hp_merged_kind_names(keys, names, kinds, rows, err)
		     : hp_no_memory(err);
	if (st == HP_OK)
		st = hp_path_fields_number(&k->numbers, &keys->g->classes, err);
	for (uint32_t i = 1; st == HP_OK && i < kinds->count; i++) {
		k->list[i].row = rows[i];
		st = kind_properties(k, &kinds->list[i], &k->list[i], err);
	}
	hp_free(rows);
	if (st != HP_OK)
		return st;
	k->roles = hp_calloc(k->numbers.count + (size_t)1, sizeof(*k->roles));
	k->vias = hp_calloc(k->numbers.count + (size_t)1, sizeof(*k->vias));
	return k->roles && k->vias ? HP_OK : hp_no_memory(err);
}

void
hp_object_kinds_release(struct hp_object_kinds *k)
{
	hp_path_fields_release(&k->numbers);
	hp_free(k->list);
	hp_free(k->roles);
	hp_free(k->vias);
	if (k->counts) {
		hp_free(k->counts->of);
		hp_free(k->counts->used);
		hp_free(k->counts->by_row);
		hp_free(k->counts);
	}
	*k = (struct hp_object_kinds){0};
}

struct hp_object_counts *
hp_object_counts_open(struct hp_object_kinds *k)
{
	size_t kinds = k->t->graph.kinds.count + (size_t)1;
	struct hp_object_counts *c = k->counts;

	if (c)
		return c->by_row ? c : NULL;
	c = k->counts = hp_calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->of = hp_calloc(kinds, sizeof(*c->of));
	c->used = hp_calloc(kinds, sizeof(*c->used));
	if (c->of && c->used)
		c->by_row = hp_calloc(k->names->count + 1, sizeof(*c->by_row));
	return c->by_row ? c : NULL;
}

/* --- fields --------------------------------------------------------------- */

uint32_t
hp_object_field(const struct hp_object_kinds *k, uint32_t from, uint32_t to)
{
	const struct hp_edges *edges = &k->t->graph.edges;
	struct hp_edge_reader fields = {.base = from};
	uint32_t kind = hp_edge_kind(edges, from, &fields.at), found;
	const struct hp_class *c = k->list[kind].class;
	struct hp_path_field_at at;

	if (!c || c->references > FIELDS || fields.at == 0 ||
	    k->list[kind].is & HP_OBJECT_CLASS)
		return 0;
	while ((found = hp_edge_next_field(edges->lists.at, &fields)) != to)
		if (found == HP_EDGE_END)
			return 0;
	at = (struct hp_path_field_at){.of = &k->numbers.classes[c->index]};
	return hp_path_field_number(&k->numbers, &at, fields.next - 1);
}

static const struct hp_string *
field_text(const struct hp_object_kinds *k, uint32_t field)
{
	return hp_tables_string(&k->keys->g->tables,
				k->numbers.list[field].name);
}

/* Returns the name of the class that declares a field. */
static const struct hp_name *
declaring_class(struct hp_object_kinds *k, uint32_t field)
{
	uint32_t index = k->numbers.list[field].class_index;

	return hp_key_class(k->keys, k->keys->g->classes.list[index]->id);
}

static bool
is_wrapped(const char *class_name, const char *field, size_t len)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(wrappers); i++)
		if (strcmp(wrappers[i].class_name, class_name) == 0 &&
		    strlen(wrappers[i].field) == len &&
		    memcmp(wrappers[i].field, field, len) == 0)
			return true;
	return false;
}

/*
 * Returns what a field refers to: a value of enum hp_field_role, or
 * ROLE_WRAPPED.
 */
static unsigned
role_of(struct hp_object_kinds *k, uint32_t field)
{
	const struct hp_name *class;
	const struct hp_string *s;
	unsigned role = HP_FIELD_PLAIN;

	if (k->roles[field])
		return k->roles[field] - 1;
	class = declaring_class(k, field);
	s = field_text(k, field);
	if (class && s) {
		role = hp_collection_field(class->text, (const char *)s->data,
					   s->length);
		if (is_wrapped(class->text, (const char *)s->data, s->length))
			role = ROLE_WRAPPED;
	}
	k->roles[field] = (uint8_t)(role + 1);
	return role;
}

enum hp_field_role
hp_object_role(struct hp_object_kinds *k, uint32_t field)
{
	unsigned role = role_of(k, field);

	return role == ROLE_WRAPPED ? HP_FIELD_PLAIN : (enum hp_field_role)role;
}

const struct hp_row *
hp_object_field_name(struct hp_object_kinds *k, uint32_t field)
{
	const struct hp_name *class;
	const struct hp_row *row;
	struct hp_buf *b = &k->keys->a;

	if (k->vias[field])
		return k->names->list[k->vias[field] - 1];
	class = declaring_class(k, field);
	if (!class)
		return NULL;
	hp_buf_clear(b);
	hp_buf_printf(b, "%s.", class->text);
	hp_key_add_text(b, field_text(k, field));
	row = hp_rows_put_text(k->names, b);
	if (row)
		k->vias[field] = (uint32_t)row->index + 1;
	return row;
}

/* --- parts ---------------------------------------------------------------- */

/*
 * Whether the object at index @place of the dominator tree is a part of the
 * instance at @above, for example an entry of a map.
 */
static bool
instance_has(struct hp_object_kinds *k, uint32_t above, uint32_t place)
{
	const uint32_t *nodes = k->t->tree.nodes.at;
	unsigned of = hp_object_kind_at(k, above)->is;
	unsigned is = hp_object_kind_at(k, place)->is;
	uint32_t field;
	unsigned role;

	if (of & (HP_OBJECT_CONTAINER | HP_OBJECT_PART) &&
	    is & (HP_OBJECT_PART | HP_OBJECT_PARTS))
		return true;
	if (!(is & (HP_OBJECT_ARRAY | HP_OBJECT_PRIMITIVES |
		    HP_OBJECT_CONTAINER | HP_OBJECT_PART)))
		return false;
	field = hp_object_field(k, nodes[above], nodes[place]);
	if (field == 0)
		return false;
	role = role_of(k, field);
	if (role != HP_FIELD_PLAIN)
		return role != HP_FIELD_ELEMENT;
	return is & (HP_OBJECT_ARRAY | HP_OBJECT_PRIMITIVES);
}

bool
hp_object_is_part(struct hp_object_kinds *k, uint32_t place, uint32_t above)
{
	unsigned of, is;

	if (above == 0)
		return false;
	of = hp_object_kind_at(k, above)->is;
	is = hp_object_kind_at(k, place)->is;
	if ((of | is) & HP_OBJECT_CLASS)
		return false;
	if (of & HP_OBJECT_ARRAY)
		return is & HP_OBJECT_PART;
	return instance_has(k, above, place);
}

/*
 * Whether an object may be a node of a linked list that the program itself
 * implements.
 */
static bool
may_be_node(const struct hp_object_kinds *k, uint32_t place)
{
	const struct hp_object_kind *kind = hp_object_kind_at(k, place);

	return place != 0 && kind->class &&
	       !(kind->is & (HP_OBJECT_CLASS | HP_OBJECT_LONE |
			     HP_OBJECT_CONTAINER | HP_OBJECT_PART));
}

/*
 * Whether REPEATS objects, from @place on up the dominator tree, each have the
 * class of an object above them. @above: the object above @place. The objects
 * above the other objects are equally far away.
 */
static bool
repeats(const struct hp_object_kinds *k, uint32_t place, uint32_t above)
{
	const struct hp_tree *t = &k->t->tree;

	for (unsigned i = 0; i < REPEATS; i++) {
		if (!may_be_node(k, above) ||
		    hp_object_kind_at(k, place)->class !=
			    hp_object_kind_at(k, above)->class)
			return false;
		place = hp_tree_parent(t, place);
		above = hp_tree_parent(t, above);
	}
	return true;
}

bool
hp_object_is_next(const struct hp_object_kinds *k, uint32_t place,
		  uint32_t above)
{
	const struct hp_tree *t = &k->t->tree;

	if (!may_be_node(k, place) || !may_be_node(k, above))
		return false;
	if (hp_object_kind_at(k, place)->class ==
	    hp_object_kind_at(k, above)->class)
		return true;
	for (unsigned period = 2; period <= HP_LIST_PERIODS; period++) {
		above = hp_tree_parent(t, above);
		if (!may_be_node(k, above))
			return false;
		if (repeats(k, place, above))
			return true;
	}
	return false;
}
