/*
 * graph_types.c - find out whether an object may be an element of an array
 *
 * The class of the object is compared with the element class: by name, by the
 * number of array dimensions, and by the names of the superclasses.
 */
#include "validate/references/internal.h"

#include "common/model/class_name.h"
#include "common/base/memory.h"
#include "common/base/hash.h"

#include <string.h>
#include <xxhash.h>

enum {
	/*
	 * maximum number of bytes of a class name; longer names count as
	 * unknown
	 */
	NAME_LONGEST = 1024,
	/*
	 * How to find out whether a class is a subclass of a class with a given
	 * name: if at most NAMESAKES classes have this name, try each of these
	 * classes. Otherwise compare the given name with the names of at most
	 * SUPERS superclasses.
	 */
	NAMESAKES = 8,
	SUPERS = 64,
	NO_NAME = UINT32_MAX,
};

/*
 * A type: a primitive type or a class name, with a number of array dimensions.
 */
struct hp_graph_type {
	/*
	 * index of the class name in hp_graph_types.names. NO_NAME: the name is
	 * unknown, or the type is a primitive type
	 */
	uint32_t name;
	uint16_t dimensions;
	/*
	 * type code (enum hp_type) of a primitive type; 0: not a primitive type
	 */
	uint8_t primitive;
};

/*
 * Classes that have special subtypes: every type is a subtype of
 * java.lang.Object, and every array is a subtype of Cloneable and Serializable.
 */
enum special { ORDINARY, OBJECT, ARRAYS_TOO };

struct hp_graph_name {
	/*
	 * 1 + the index of the first class that has this name; 0: there is none
	 */
	uint32_t first;
	uint32_t count;
	enum special special;
	/*
	 * A class with this name may be an interface, or it has unknown
	 * superclasses. So it is not certain which objects are instances of the
	 * class.
	 */
	bool open;
};

static bool
is_called(const char *name, size_t length, const char *what)
{
	return strlen(what) == length && memcmp(what, name, length) == 0;
}

static enum special
special_name(const char *name, size_t length)
{
	if (is_called(name, length, "java.lang.Object"))
		return OBJECT;
	return is_called(name, length, "java.lang.Cloneable") ||
			       is_called(name, length, "java.io.Serializable")
		       ? ARRAYS_TOO
		       : ORDINARY;
}

static uint8_t
primitive_name(const char *name, size_t length)
{
	for (unsigned type = 0; type < HP_TYPE_END; type++)
		if (hp_type_is_primitive(type) &&
		    is_called(name, length, hp_type_name(type)))
			return (uint8_t)type;
	return 0;
}

static uint32_t
name_number(struct hp_graph_types *t, const char *name, size_t length)
{
	uint64_t *place = hp_id_map_put(
		&t->name_at, XXH3_64bits_withSeed(name, length, t->seed), NULL);

	if (!place)
		return NO_NAME;
	if (*place == 0) {
		t->names[t->nnames].special = special_name(name, length);
		*place = ++t->nnames;
	}
	return (uint32_t)(*place - 1);
}

/*
 * Derive the type @type of a class from its name @s. Returns false if out of
 * memory.
 */
static bool
set_type(struct hp_graph_types *t, struct hp_graph_type *type,
	 const struct hp_string *s)
{
	struct hp_buf java = {0};
	size_t length;
	bool fine;

	type->name = NO_NAME;
	if (!s || s->length == 0 || s->length > NAME_LONGEST)
		return true;
	hp_class_name(&java, s->data, s->length);
	fine = hp_buf_ok(&java);
	length = fine ? java.len : 0;
	while (length > 2 && memcmp(java.data + length - 2, "[]", 2) == 0) {
		length -= 2;
		type->dimensions++;
	}
	if (length > 0 && type->dimensions > 0)
		type->primitive = primitive_name(java.data, length);
	/*
	 * A valid name in the form of Java source does not begin with '['. So
	 * the type stays unknown.
	 */
	if (length > 0 && java.data[0] == '[')
		length = 0;
	if (length > 0 && type->primitive == 0) {
		type->name = name_number(t, java.data, length);
		fine = type->name != NO_NAME;
	}
	hp_buf_release(&java);
	return fine;
}

/*
 * Mark the classes that cannot be interfaces: those with instances, fields or
 * subclasses.
 */
static void
find_concrete(struct hp_graph_types *t, const struct hp_references *r)
{
	const struct hp_class_use *use;
	size_t at = 0;

	for (size_t i = 0; i < t->classes->count; i++) {
		const struct hp_class *c = t->classes->list[i];

		t->concrete[i] |= c->nfields > 0;
		if (c->super)
			t->concrete[c->super->index] = true;
	}
	while ((use = hp_references_class_uses(r, &at)))
		if (use->class && use->instances.count > 0)
			t->concrete[use->class->index] = true;
}

/*
 * Set the member `open` of a class name, if the class may be an interface or
 * has unknown superclasses.
 */
static void
find_open(struct hp_graph_types *t)
{
	for (size_t i = 0; i < t->classes->count; i++) {
		const struct hp_graph_type *type = &t->types[i];

		if (type->dimensions == 0 && type->name != NO_NAME &&
		    (t->classes->list[i]->chain != HP_CHAIN_FINE ||
		     !t->concrete[i]))
			t->names[type->name].open = true;
	}
}

enum hp_status
hp_graph_types_init(struct hp_graph_types *t, const struct hp_references *r,
		    const struct hp_classes *classes,
		    const struct hp_tables *tables, struct hp_error *err)
{
	size_t n = classes->count;

	*t = (struct hp_graph_types){.classes = classes, .seed = hp_seed(t)};
	t->types = hp_calloc(n + 1, sizeof(*t->types));
	t->next = hp_calloc(n + 1, sizeof(*t->next));
	t->concrete = hp_calloc(n + 1, sizeof(*t->concrete));
	t->names = hp_calloc(n + 1, sizeof(*t->names));
	if (!t->types || !t->next || !t->concrete || !t->names)
		return hp_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct hp_graph_type *type = &t->types[i];
		struct hp_graph_name *name;

		if (!set_type(
			    t, type,
			    hp_tables_class_name(tables, classes->list[i]->id)))
			return hp_no_memory(err);
		if (type->dimensions > 0 || type->name == NO_NAME)
			continue;
		name = &t->names[type->name];
		t->next[i] = name->first;
		name->first = (uint32_t)i + 1;
		name->count++;
	}
	find_concrete(t, r);
	find_open(t);
	return HP_OK;
}

void
hp_graph_types_release(struct hp_graph_types *t)
{
	hp_free(t->types);
	hp_free(t->next);
	hp_free(t->concrete);
	hp_free(t->names);
	hp_id_map_release(&t->name_at);
	memset(t, 0, sizeof(*t));
}

/*
 * Whether the class or one of its superclasses has this name. All superclasses
 * must be known.
 */
static enum hp_fit
has_name_above(const struct hp_graph_types *t, const struct hp_class *c,
	       uint32_t name)
{
	for (unsigned i = 0; c && i < SUPERS; i++, c = c->super) {
		const struct hp_graph_type *type = &t->types[c->index];

		if (type->dimensions == 0 && type->name == name)
			return HP_FIT_YES;
	}
	return c || t->names[name].open ? HP_FIT_UNKNOWN : HP_FIT_OTHER_CLASS;
}

/*
 * Whether the class, or one of its superclasses, has the name with the number
 * @high.
 */
static enum hp_fit
is_subclass_of(const struct hp_graph_types *t, const struct hp_class *c,
	       uint32_t high)
{
	const struct hp_graph_name *name = &t->names[high];

	if (name->count == 0 || c->chain != HP_CHAIN_FINE)
		return HP_FIT_UNKNOWN;
	if (name->count > NAMESAKES)
		return has_name_above(t, c, high);
	for (uint32_t i = name->first; i > 0; i = t->next[i - 1]) {
		const struct hp_class *above = t->classes->list[i - 1];

		if (above->chain == HP_CHAIN_FINE && hp_class_is_a(c, above))
			return HP_FIT_YES;
	}
	return name->open ? HP_FIT_UNKNOWN : HP_FIT_OTHER_CLASS;
}

/*
 * Whether a class with the name @low is a subclass of a class with the name
 * @high, or the names are equal. @low and @high are indexes in t->names.
 */
static enum hp_fit
is_subname_of(const struct hp_graph_types *t, uint32_t low, uint32_t high)
{
	const struct hp_graph_name *name = &t->names[low];
	enum hp_fit all = HP_FIT_OTHER_CLASS, fit;

	if (low == high)
		return HP_FIT_YES;
	if (name->count == 0 || name->count > NAMESAKES)
		return HP_FIT_UNKNOWN;
	for (uint32_t i = name->first; i > 0; i = t->next[i - 1]) {
		fit = is_subclass_of(t, t->classes->list[i - 1], high);
		/*
		 * If the class may be an interface, the dump does not show
		 * which other interfaces it extends.
		 */
		if (fit == HP_FIT_OTHER_CLASS && !t->concrete[i - 1])
			fit = HP_FIT_UNKNOWN;
		if (fit == HP_FIT_YES)
			return fit;
		if (fit == HP_FIT_UNKNOWN)
			all = fit;
	}
	return all;
}

/*
 * Find the type of an object from its kind (a number; see HP_KIND_PRIMITIVE).
 * Returns false if the type is not known.
 */
static bool
type_of(const struct hp_graph_types *t, uint32_t kind,
	struct hp_graph_type *type)
{
	if (kind == 0)
		return false;
	if (kind & HP_KIND_PRIMITIVE)
		*type = (struct hp_graph_type){
			.name = NO_NAME,
			.dimensions = 1,
			.primitive = (uint8_t)(kind & ~HP_KIND_PRIMITIVE)};
	else
		*type = t->types[kind - 1];
	return type->name != NO_NAME || type->primitive != 0;
}

/*
 * Find the type that the elements of an array class must have. @array: the
 * index of the class. Returns false if the type is unknown.
 */
static bool
element_type(const struct hp_graph_types *t, uint32_t array,
	     struct hp_graph_type *slot)
{
	*slot = t->types[array];
	if (slot->dimensions == 0)
		return false;
	slot->dimensions--;
	return slot->name != NO_NAME ||
	       (slot->primitive != 0 && slot->dimensions > 0);
}

bool
hp_graph_fits_all(const struct hp_graph_types *t, uint32_t array)
{
	struct hp_graph_type slot;

	return !element_type(t, array, &slot) ||
	       (slot.dimensions == 0 && !slot.primitive &&
		t->names[slot.name].special == OBJECT);
}

enum hp_fit
hp_graph_fits(const struct hp_graph_types *t, uint32_t array, uint32_t kind)
{
	struct hp_graph_type slot, is;
	enum special special;

	if (!element_type(t, array, &slot) || !type_of(t, kind, &is))
		return HP_FIT_UNKNOWN;
	special = slot.primitive ? ORDINARY : t->names[slot.name].special;
	if (slot.dimensions == 0 && special == OBJECT)
		return HP_FIT_YES;
	if (is.dimensions < slot.dimensions)
		return HP_FIT_OTHER_KIND;
	if (is.dimensions > slot.dimensions)
		return special != ORDINARY ? HP_FIT_YES : HP_FIT_OTHER_KIND;
	if (slot.primitive || is.primitive)
		return slot.primitive == is.primitive ? HP_FIT_YES
						      : HP_FIT_OTHER_KIND;
	if (is.dimensions > 0)
		return special == OBJECT ? HP_FIT_YES
					 : is_subname_of(t, is.name, slot.name);
	return is_subclass_of(t, t->classes->list[kind - 1], slot.name);
}
