/*
 * heap.c - translate a heap dump of the agent's text format to the binary
 * format
 *
 * The text has no list of the fields of a class: they follow from the objects,
 * which come later in the text. So a heap dump can be written only after its
 * last line was read. Until then its lines are stored in a compact form in a
 * temporary file (the spool). Then the classes are written first. Roots and
 * objects follow in the order of the text.
 */
#include "common/text/internal.h"

#include <stdlib.h>
#include <string.h>

void
hp_text_heap_begin(struct hp_text_records *r, const struct hp_text_item *i)
{
	r->in_heap = true;
	r->dump++;
	r->heap_spot = hp_text_here(r);
	r->heap_time = hp_text_time_us(r, i->time_ms);
	r->cls.count = 0;
	r->links.count = 0;
	r->shown.count = 0;
	r->class = 0;
}

/* ---- reading lines ---- */

/*
 * Append an entry (a stored line) to the spool, the temporary file. If the
 * caller of the translation wants positions in the text, the entry also
 * contains the line number and the offset of the line, directly after the first
 * byte of the entry. Entries of fields and of array elements never contain
 * them.
 */
static enum hp_status
add_entry(struct hp_text_records *r, enum entry tag, const uint64_t *numbers,
	  size_t n, struct hp_error *err)
{
	enum hp_status st = hp_text_spool_room(&r->spool, err);

	if (st != HP_OK)
		return st;
	hp_text_spool_byte(&r->spool, (uint8_t)tag);
	if (r->options.place && tag != ENTRY_FIELD && tag != ENTRY_ELEMENT) {
		hp_text_spool_number(&r->spool, r->line.number);
		hp_text_spool_number(&r->spool, r->line.offset);
	}
	for (size_t i = 0; i < n; i++)
		hp_text_spool_number(&r->spool, numbers[i]);
	return HP_OK;
}

static enum hp_status
take_root(struct hp_text_records *r, const struct hp_text_item *i,
	  struct hp_error *err)
{
	uint64_t numbers[] = {i->count, 0, i->serial, (uint32_t)i->line};

	if (i->count == HP_TEXT_ROOT_JNI_GLOBAL)
		numbers[2] = hp_text_narrow(r, i->other);
	if (i->count == HP_TEXT_ROOT_THREAD)
		numbers[3] = i->trace;
	if (!hp_text_use_trace(r, i->trace))
		return hp_no_memory(err);
	numbers[1] = hp_text_narrow(r, i->id);
	return add_entry(r, ENTRY_ROOT, numbers, 4, err);
}

static bool
mark_shown(struct hp_text_records *r, uint32_t class)
{
	struct hp_text_class *c = hp_text_class(r, class);

	if (c->shown == r->dump)
		return true;
	if (!hp_vec_push(&r->shown, &class, sizeof(class)))
		return false;
	c->shown = r->dump;
	c->spot = hp_text_here(r);
	return true;
}

uint32_t
hp_text_show_class(struct hp_text_records *r, const struct hp_text_item *i)
{
	uint32_t class =
		hp_text_class_of(r, hp_text_narrow(r, i->other), i->name);

	return class && mark_shown(r, class) ? class : 0;
}

void
hp_text_show_object(struct hp_text_records *r, uint32_t class,
		    const struct hp_text_item *i)
{
	struct hp_text_shape *s = hp_text_shape(&r->shapes, class);

	if (s->size == 0 && i->size <= UINT32_MAX)
		s->size = (uint32_t)i->size;
	r->class = class;
	r->field = HP_TEXT_NO_FIELD;
	r->stamp++;
}

static enum hp_status
take_object(struct hp_text_records *r, const struct hp_text_item *i,
	    struct hp_error *err)
{
	uint32_t class = hp_text_show_class(r, i);
	uint64_t numbers[] = {0, i->trace, class};

	if (!class || !hp_text_use_trace(r, i->trace))
		return hp_no_memory(err);
	numbers[0] = hp_text_narrow(r, i->id);
	hp_text_show_object(r, class, i);
	return add_entry(r, ENTRY_OBJECT, numbers, 3, err);
}

/*
 * Returns the number of the name @name, which the next field of the current
 * object has. The function first compares @name with the field that came next
 * in the previous object of the class. Both names are nearly always equal.
 * Returns 0 if out of memory.
 */
static uint32_t
field_name(struct hp_text_records *r, struct hp_slice name)
{
	uint32_t expected =
		hp_text_shapes_expected(&r->shapes, r->class, r->field);
	struct hp_slice w;

	if (expected && !hp_text_is_escaped(r, name)) {
		w = hp_text_interned(r, expected);
		if (w.length == name.length &&
		    memcmp(w.text, name.text, name.length) == 0)
			return expected;
	}
	return hp_text_name(r, name);
}

enum hp_status
hp_text_show_field(struct hp_text_records *r, struct hp_slice text,
		   uint32_t *slot, struct hp_error *err)
{
	uint32_t name = field_name(r, text);
	enum hp_status st;

	if (!name)
		return hp_no_memory(err);
	st = hp_text_shapes_field(&r->shapes, r->class, r->field, name,
				  r->stamp, slot, err);
	if (st == HP_OK && *slot != HP_TEXT_NO_FIELD)
		r->field = *slot;
	return st;
}

static enum hp_status
take_field(struct hp_text_records *r, const struct hp_text_item *i,
	   struct hp_error *err)
{
	const struct hp_text_spot here = hp_text_here(r);
	uint64_t numbers[2];
	uint32_t slot;
	enum hp_status st = hp_text_show_field(r, i->name, &slot, err);

	if (st != HP_OK)
		return st;
	if (slot == HP_TEXT_NO_FIELD) {
		hp_text_tell(r, HP_TEXT_ODD_FIELDS, &here, 0, 0);
		return HP_OK;
	}
	numbers[0] = slot;
	numbers[1] = hp_text_narrow(r, i->other);
	return add_entry(r, ENTRY_FIELD, numbers, 2, err);
}

/*
 * Returns the number of the class of the array in line @i. Used for a text of
 * JDK 1.4: the line has only the class of the elements, so this function makes
 * up the name of the array class. Returns 0 if out of memory.
 */
static uint32_t
show_array_of(struct hp_text_records *r, const struct hp_text_item *i)
{
	/*
	 * if the elements are arrays themselves, JDK 1.4 prints their class as
	 * a descriptor such as "[I"
	 */
	bool descriptor = i->name.length > 0 && i->name.text[0] == '[';
	struct hp_buf name = {0};
	uint32_t class = 0;
	struct hp_text_class *c;

	if (descriptor)
		hp_buf_byte(&name, '[');
	hp_buf_add(&name, i->name.text, i->name.length);
	if (!descriptor)
		hp_buf_text(&name, "[]");
	if (hp_buf_ok(&name))
		class = hp_text_class_named(
			r, (struct hp_slice){name.data, name.len});
	hp_buf_release(&name);
	if (!class)
		return 0;
	c = hp_text_class(r, class);
	c->made_up = true;
	return mark_shown(r, class) ? class : 0;
}

static uint32_t
show_array_class(struct hp_text_records *r, const struct hp_text_item *i)
{
	/* a text of hprof-convert contains the real names of array classes */
	if (r->ours || hp_text_is_array(i->name))
		return hp_text_show_class(r, i);
	return show_array_of(r, i);
}

static enum hp_status
take_array(struct hp_text_records *r, const struct hp_text_item *i,
	   struct hp_error *err)
{
	uint64_t numbers[] = {0, i->trace, 0, i->count};
	uint32_t class = 0;

	if (!i->primitive && !(class = show_array_class(r, i)))
		return hp_no_memory(err);
	if (!hp_text_use_trace(r, i->trace))
		return hp_no_memory(err);
	numbers[0] = hp_text_narrow(r, i->id);
	numbers[2] = class ? class : hp_text_element_type(i->name);
	r->elements = class ? i->count : 0;
	r->next_index = 0;
	return add_entry(r, class ? ENTRY_ARRAY : ENTRY_PRIMITIVES, numbers, 4,
			 err);
}

static enum hp_status
take_element(struct hp_text_records *r, const struct hp_text_item *i,
	     struct hp_error *err)
{
	const struct hp_text_spot here = hp_text_here(r);
	uint64_t numbers[] = {i->count, 0};

	if (i->count < r->next_index || i->count >= r->elements) {
		hp_text_tell(r, HP_TEXT_ODD_ELEMENT, &here, i->count,
			     r->elements);
		return HP_OK;
	}
	r->next_index = i->count + 1;
	numbers[1] = hp_text_narrow(r, i->other);
	return add_entry(r, ENTRY_ELEMENT, numbers, 2, err);
}

static enum hp_status
take_class(struct hp_text_records *r, const struct hp_text_item *i,
	   struct hp_error *err)
{
	uint32_t class = hp_text_class_of(r, hp_text_narrow(r, i->id), i->name);
	struct hp_text_cls *cls = hp_vec_add(&r->cls, sizeof(*cls));
	struct hp_text_class *c;

	if (!class || !cls || !hp_text_use_trace(r, i->trace))
		return hp_no_memory(err);
	c = hp_text_class(r, class);
	c->dumped = r->dump;
	c->trace = i->trace;
	*cls = (struct hp_text_cls){.class = class,
				    .trace = i->trace,
				    .first = r->links.count,
				    .spot = hp_text_here(r)};
	return HP_OK;
}

static enum hp_status
take_link(struct hp_text_records *r, const struct hp_text_item *i,
	  struct hp_error *err)
{
	struct hp_text_cls *cls =
		(struct hp_text_cls *)r->cls.items + r->cls.count - 1;
	bool is_static = i->kind == HP_TEXT_STATIC;
	uint32_t name = (uint32_t)i->count;

	if (i->kind == HP_TEXT_LINK) {
		cls->links[i->count] = hp_text_narrow(r, i->other);
		return HP_OK;
	}
	if ((is_static ? cls->statics : cls->constants) == UINT16_MAX)
		return HP_OK;
	if (is_static && !(name = hp_text_name(r, i->name)))
		return hp_no_memory(err);
	if (!HP_VEC_PUSH(&r->links, struct hp_text_member, is_static, name,
			 hp_text_narrow(r, i->other)))
		return hp_no_memory(err);
	cls->statics += is_static;
	cls->constants += !is_static;
	return HP_OK;
}

enum hp_status
hp_text_heap_line(struct hp_text_records *r, const struct hp_text_item *i,
		  struct hp_error *err)
{
	switch (i->kind) {
	case HP_TEXT_ROOT:
		r->within = HP_WITHIN_HEAP;
		return take_root(r, i, err);
	case HP_TEXT_OBJECT:
		r->within = HP_WITHIN_OBJECT;
		return take_object(r, i, err);
	case HP_TEXT_FIELD:
		return take_field(r, i, err);
	case HP_TEXT_ARRAY:
		r->within = HP_WITHIN_ARRAY;
		return take_array(r, i, err);
	case HP_TEXT_ELEMENT:
		return take_element(r, i, err);
	case HP_TEXT_CLASS:
		r->within = HP_WITHIN_CLASS;
		return take_class(r, i, err);
	default:
		return take_link(r, i, err);
	}
}

/* ---- the end of the dump ---- */

/*
 * Sort class numbers in ascending order. This is the order in which the text
 * first mentions the classes.
 */
static void
sort_numbers(struct hp_vec *v)
{
	if (v->count > 0)
		qsort(v->items, v->count, sizeof(uint32_t), hp_compare_u32);
}

/*
 * Make a struct hp_text_cls for each class that has objects but no CLS line
 * (the line that describes a class). Returns false if out of memory.
 */
static bool
add_missing(struct hp_text_records *r)
{
	const uint32_t *shown = r->shown.items;
	uint32_t object = r->named[HP_TEXT_OBJECT_CLASS];
	struct hp_text_cls *cls;

	sort_numbers(&r->shown);
	for (size_t k = 0; k < r->shown.count; k++) {
		uint32_t i = shown[k];
		const struct hp_text_class *c = hp_text_class(r, i);

		if (c->dumped == r->dump)
			continue;
		if (r->heap_whole && !c->made_up)
			hp_text_tell(r, HP_TEXT_ODD_CLASS, &c->spot, c->id, 0);
		cls = hp_vec_add(&r->cls, sizeof(*cls));
		if (!cls)
			return false;
		*cls = (struct hp_text_cls){.class = i, .spot = c->spot};
		if (c->made_up && object && hp_text_class(r, object)->has_id)
			cls->links[HP_TEXT_SUPER] =
				hp_text_class(r, object)->id;
		hp_text_shape(&r->shapes, i)->super = 0;
	}
	return true;
}

/*
 * Set the super class of each class of this heap dump. A super class that is
 * not in this dump is left out.
 */
static void
set_supers(struct hp_text_records *r)
{
	const struct hp_text_cls *cls = r->cls.items;

	for (size_t i = 0; i < r->cls.count; i++) {
		uint32_t super =
			hp_text_class_known(r, cls[i].links[HP_TEXT_SUPER]);
		const struct hp_text_class *c = hp_text_class(r, super);

		if (super && c->dumped != r->dump && c->shown != r->dump)
			super = 0;
		hp_text_shape(&r->shapes, cls[i].class)->super = super;
	}
}

/*
 * Make the list r->listed: all classes of the heap dump, each once. Returns
 * false if out of memory.
 */
static bool
list_classes(struct hp_text_records *r)
{
	const struct hp_text_cls *cls = r->cls.items;

	r->listed.count = 0;
	for (size_t i = 0; i < r->cls.count; i++) {
		struct hp_text_class *c = hp_text_class(r, cls[i].class);

		if (c->listed == r->dump)
			continue;
		if (!hp_vec_push(&r->listed, &cls[i].class,
				 sizeof(cls[i].class)))
			return false;
		c->listed = r->dump;
	}
	sort_numbers(&r->listed);
	return true;
}

/*
 * Report classes that have too many ancestors. The dump does not contain all
 * fields of such classes.
 */
static void
tell_depths(const struct hp_text_records *r)
{
	const struct hp_text_cls *cls = r->cls.items;

	for (size_t i = 0; i < r->cls.count; i++) {
		const struct hp_text_shape *s =
			hp_text_shape(&r->shapes, cls[i].class);

		if (s->depth > HP_TEXT_DEPTH_MOST && s->count > 0)
			hp_text_tell(r, HP_TEXT_ODD_FIELDS, &cls[i].spot, 1, 0);
	}
}

/*
 * Find the classes of enum hp_text_named (such as java.lang.Object) among the
 * classes that were added since the last call.
 */
static void
look_for_named(struct hp_text_records *r)
{
	static const char *const names[HP_TEXT_NAMED] = {
		[HP_TEXT_OBJECT_CLASS] = "java.lang.Object",
		[HP_TEXT_INTEGER_CLASS] = "java.lang.Integer",
		[HP_TEXT_REFERENCE_CLASS] = "java.lang.ref.Reference"};

	for (uint32_t i = r->looked; i < r->classes.count; i++) {
		struct hp_slice w;

		if (i == 0)
			continue;
		w = hp_text_interned(r, hp_text_class(r, i)->name);
		for (unsigned k = 0; k < HP_TEXT_NAMED; k++)
			if (!r->named[k] && hp_slice_is(w, names[k]))
				r->named[k] = i;
	}
	r->looked = (uint32_t)r->classes.count;
}

/*
 * Returns the size in bytes of an object of the class @class; 0 if the text has
 * no such object.
 */
static uint32_t
size_of(const struct hp_text_records *r, enum hp_text_named class)
{
	uint32_t n = r->named[class];

	return n ? hp_text_shape(&r->shapes, n)->size : 0;
}

/*
 * Declare the field "referent" in java.lang.ref.Reference. This class is
 * abstract, so the text has the field only in objects of its subclasses. But
 * programs that read the dump expect the field in Reference itself, to
 * distinguish weak references from strong ones. Returns false if out of memory.
 */
static bool
declare_referent(struct hp_text_records *r)
{
	static const char name[] = "referent";

	r->shapes.declares_class = r->named[HP_TEXT_REFERENCE_CLASS];
	if (!r->shapes.declares_class)
		return true;
	r->shapes.declares_name = hp_text_own_name(r, name, sizeof(name) - 1);
	return r->shapes.declares_name != 0;
}

/*
 * Guess the object layout of the JVM from the sizes that the agent prints. An
 * Object of 8 bytes means a 32-bit JVM. An Integer of 24 bytes means a 64-bit
 * JVM with references of 8 bytes. Otherwise references are compressed to 4
 * bytes.
 */
static void
guess_model(struct hp_text_records *r)
{
	if (r->ours)
		return;
	r->model.reference = 4;
	r->model.header = 12;
	if (size_of(r, HP_TEXT_OBJECT_CLASS) == 8) {
		r->model.header = 8;
	} else if (size_of(r, HP_TEXT_INTEGER_CLASS) == 24) {
		r->model.reference = 8;
		r->model.header = 16;
	}
}

enum hp_status
hp_text_heap_end(struct hp_text_records *r, bool whole, struct hp_error *err)
{
	enum hp_status st;

	r->in_heap = false;
	r->heap_whole = whole;
	r->class = 0;
	r->array = (struct hp_text_long){0};
	set_supers(r);
	look_for_named(r);
	guess_model(r);
	if (!add_missing(r) || !list_classes(r) || !declare_referent(r))
		return hp_no_memory(err);
	st = hp_text_shapes_resolve(&r->shapes, r->listed.items,
				    (uint32_t)r->listed.count, &r->model, err);
	if (st != HP_OK)
		return st;
	tell_depths(r);
	if (!hp_text_name_fillers(r) || !hp_text_flush(r) ||
	    !hp_text_put_classes(r))
		return hp_no_memory(err);
	r->draining = true;
	return hp_text_spool_turn(&r->spool, err);
}
