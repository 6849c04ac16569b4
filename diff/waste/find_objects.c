/*
 * find_objects.c - find the waste of Strings, arrays and boxes, in the order of
 * their addresses
 */
#include "diff/waste/internal.h"

/* --- Strings -------------------------------------------------------------- */

/*
 * Returns the first of all arrays with the same text as the array @array, or
 * HP_NO_NODE if the text is not known.
 */
static uint32_t
first_array(const struct hp_waste *w, uint32_t array)
{
	uint32_t link;

	if (hp_waste_kind(w, array)->of != HP_NODE_PRIMITIVE_ARRAY ||
	    !hp_waste_is_text(w, array))
		return HP_NO_NODE;
	link = *hp_waste_link(w, array);
	/*
	 * the link is 1 + the number of an array; 0: there is no array, and the
	 * result is HP_NO_NODE
	 */
	return link & HP_LINK_FIRST ? array : link - 1;
}

/*
 * Count the waste of a String. If several Strings have equal texts, the first
 * String and its array are kept. The other Strings and their arrays are waste.
 * An array that several Strings share counts once.
 */
static bool
find_string(struct hp_waste *w, uint32_t node)
{
	uint32_t array = *hp_waste_link(w, node) - 1, first, holder;
	uint64_t dedup = 0;

	if (w->no_texts || array == HP_NO_NODE)
		return true;
	first = first_array(w, array);
	if (first == HP_NO_NODE)
		return true;
	holder = hp_waste_holder(w, node);
	if (!hp_waste_count(&w->sums, HP_WASTE_OF_STRINGS, holder, 1))
		return false;
	if (!(hp_waste_mark(w, first, HP_MARK_KEPT) & HP_MARK_KEPT)) {
		hp_waste_mark(w, array, HP_MARK_SEEN);
		return !(hp_waste_marks(w, array) & HP_MARK_FITS) ||
		       hp_waste_add(&w->sums, HP_WASTE_WIDE_STRINGS, holder,
				    hp_waste_characters(w, first), 0);
	}
	if (!(hp_waste_mark(w, array, HP_MARK_SEEN) & HP_MARK_SEEN))
		dedup = hp_waste_kind(w, array)->bytes;
	return hp_waste_add(&w->sums, HP_WASTE_SAME_STRINGS, holder,
			    hp_waste_kind(w, node)->bytes + dedup, dedup) &&
	       hp_waste_note_value(w, holder, first,
				   hp_waste_kind(w, node)->bytes + dedup,
				   dedup);
}

/* --- primitive arrays ----------------------------------------------------- */

/*
 * Count the zeros of an array as waste: the whole array if it has only zeros,
 * otherwise the zeros at its end.
 */
static bool
find_zeros(struct hp_waste *w, uint32_t node, uint32_t holder)
{
	const struct hp_node_kind *kind = hp_waste_kind(w, node);
	unsigned width = hp_type_size((uint8_t)kind->class_id, 4);
	uint64_t zeros = *hp_waste_link(w, node);

	if (hp_waste_marks(w, node) & HP_MARK_ZEROS)
		return hp_waste_add(&w->sums, HP_WASTE_ZERO_ARRAYS, holder,
				    kind->bytes, 0);
	return zeros == 0 || hp_waste_add(&w->sums, HP_WASTE_TRAILING_ZEROS,
					  holder, zeros * width, 0);
}

/*
 * Count the waste of an array that is not the text of a String: the whole array
 * if it is a duplicate, otherwise its zeros.
 */
static bool
find_data(struct hp_waste *w, uint32_t node)
{
	uint32_t holder, first;
	uint64_t bytes;

	if (w->no_data || hp_waste_is_text(w, node) ||
	    !(hp_waste_marks(w, node) & HP_MARK_HASHED))
		return true;
	holder = hp_waste_holder(w, node);
	if (!hp_waste_count(&w->sums, HP_WASTE_OF_DATA, holder, 1))
		return false;
	if (!(hp_waste_marks(w, node) & HP_MARK_DUPLICATE))
		return find_zeros(w, node, holder);
	bytes = hp_waste_kind(w, node)->bytes;
	first = *hp_waste_link(w, node) - 1;
	return hp_waste_add(&w->sums, HP_WASTE_SAME_ARRAYS, holder, bytes, 0) &&
	       (!w->want_arrays ||
		hp_waste_note_value(w, holder, first, bytes, 0));
}

/* --- object arrays -------------------------------------------------------- */

static bool
find_array(struct hp_waste *w, uint32_t node)
{
	const struct hp_node_kind *kind = hp_waste_kind(w, node);
	uint8_t marks = hp_waste_marks(w, node);
	uint32_t link = *hp_waste_link(w, node), holder, nulls;
	const struct hp_waste_array *a;

	if (marks & HP_MARK_PART || link == 0)
		return true;
	a = hp_waste_array_at(w, link - 1);
	nulls = a->length - a->filled;
	holder = hp_waste_holder(w, node);
	if (!hp_waste_count(&w->sums, HP_WASTE_OF_ARRAYS, holder, 1))
		return false;
	/*
	 * an empty array is waste unless a static field refers to it: the
	 * program could use one such constant array everywhere
	 */
	if (a->length == 0)
		return marks & HP_MARK_STATIC ||
		       hp_waste_add(&w->sums, HP_WASTE_EMPTY_ARRAYS, holder,
				    kind->bytes, 0);
	if (a->filled == 0)
		return hp_waste_add(&w->sums, HP_WASTE_NULL_ARRAYS, holder,
				    kind->bytes, 0);
	return nulls <= a->length / 2 ||
	       hp_waste_add(&w->sums, HP_WASTE_SPARSE_ARRAYS, holder,
			    (uint64_t)nulls * w->layout->reference, 0);
}

/* --- boxes ---------------------------------------------------------------- */

static bool
find_box(struct hp_waste *w, uint32_t node)
{
	const struct hp_node_kind *kind = hp_waste_kind(w, node);
	const struct hp_class *c =
		hp_classes_get(&w->g->classes, kind->class_id);
	bool element = hp_waste_marks(w, node) & HP_MARK_ELEMENT;
	uint32_t holder = hp_waste_holder(w, node);
	uint64_t bytes = kind->bytes + w->layout->reference;

	if (!hp_waste_count(&w->sums,
			    element ? HP_WASTE_OF_ELEMENT_BOXES
				    : HP_WASTE_OF_FIELD_BOXES,
			    holder, 1))
		return false;
	return hp_waste_marks(w, node) & HP_MARK_CACHED ||
	       hp_waste_add(&w->sums,
			    element ? HP_WASTE_BOXED_COLLECTIONS
				    : HP_WASTE_BOXED_FIELDS,
			    holder, bytes - w->classes[c->index].primitive, 0);
}

/* --- all objects ---------------------------------------------------------- */

static bool
find_at(struct hp_waste *w, uint32_t node)
{
	uint32_t kind = hp_waste_kind_of(w, node);

	switch (w->role_of_kind[kind]) {
	case HP_ROLE_STRING:
		return find_string(w, node);
	case HP_ROLE_BOX:
		return find_box(w, node);
	default:
		break;
	}
	switch (w->kinds.list[kind].of) {
	case HP_NODE_OBJECT_ARRAY:
		return find_array(w, node);
	case HP_NODE_PRIMITIVE_ARRAY:
		return find_data(w, node);
	default:
		return true;
	}
}

enum hp_status
hp_waste_find_objects(struct hp_waste *w, struct hp_error *err)
{
	for (uint32_t node = 0; node < w->nodes.count; node++)
		if (!find_at(w, node))
			return hp_no_memory(err);
	return hp_waste_find_overhead(w) ? HP_OK : hp_no_memory(err);
}
