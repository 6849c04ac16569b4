/*
 * joined_parts.c - join the objects that belong to one collection to a set, and
 * find the holder of each object
 *
 * The sets are a disjoint-set forest, which several threads can change at the
 * same time.
 */
#include "diff/waste/joined_parts.h"

#include "common/base/threads.h"
#include "diff/waste/internal.h"

#include <string.h>

enum {
	/* the minimum number of objects for each thread */
	NODES_A_THREAD = 1 << 15,
	/* number of objects that a thread takes at a time */
	SLICE = 1 << 16,
};

/*
 * Returns the address of the entry of the object @node. If the object has a
 * parent in the disjoint-set forest, the entry is 1 + the number of the parent.
 * An object without a parent represents its set. Its entry is 0 or, for a
 * String, HP_LINK_ARRAY and the number of its array.
 */
static _Atomic uint32_t *
place(const struct hp_waste *w, uint32_t node)
{
	return (_Atomic uint32_t *)w->link.at + node;
}

static uint32_t
entry(const struct hp_waste *w, uint32_t node)
{
	return atomic_load_explicit(place(w, node), memory_order_relaxed);
}

/*
 * Replace the entry of the object @node, if it is still *@was. Otherwise *@was
 * receives it.
 */
static bool
replace(const struct hp_waste *w, uint32_t node, uint32_t *was, uint32_t entry)
{
	return atomic_compare_exchange_strong_explicit(
		place(w, node), was, entry, memory_order_relaxed,
		memory_order_relaxed);
}

static uint32_t
parent(const struct hp_waste *w, uint32_t node)
{
	uint32_t up = entry(w, node);

	return up && !(up & HP_LINK_ARRAY) ? up - 1 : node;
}

/*
 * Returns the object with the smallest number in the set of the object @node;
 * it represents the set. Any thread may call this function.
 */
static uint32_t
first_of_set(const struct hp_waste *w, uint32_t node)
{
	uint32_t up, above, was;

	for (;;) {
		up = parent(w, node);
		if (up == node)
			return node;
		above = parent(w, up);
		if (above == up)
			return up;
		/*
		 * shorten the path: the parent of the parent becomes the parent
		 * of the node (path halving); if the exchange fails, another
		 * thread has already changed the parent
		 */
		was = up + 1;
		atomic_compare_exchange_weak_explicit(
			place(w, node), &was, above + 1, memory_order_relaxed,
			memory_order_relaxed);
		node = above;
	}
}

/*
 * Store the array of a String that has a parent in the forest. Only a String
 * that is an internal part of a collection has one, so a dump of a JVM contains
 * none. Several threads may store the same number.
 */
static enum hp_status
set_array_apart(struct hp_waste *w, uint32_t node, uint32_t array,
		struct hp_error *err)
{
	enum hp_status st =
		hp_late_array_make(&w->arrays_of_parts, &w->memory,
				   4 * (w->nodes.count + UINT64_C(1)), err);
	_Atomic uint32_t *arrays = hp_late_array_at(&w->arrays_of_parts);

	if (st == HP_OK)
		atomic_store_explicit(&arrays[node], array + 1,
				      memory_order_relaxed);
	return st;
}

enum hp_status
hp_joined_set_array(struct hp_waste *w, uint32_t node, uint32_t array,
		    struct hp_error *err)
{
	uint32_t was = 0;

	return replace(w, node, &was, HP_LINK_ARRAY | array)
		       ? HP_OK
		       : set_array_apart(w, node, array, err);
}

/* Returns 1 + the number of the array of a String; 0: it is not known. */
static uint32_t
array_of(const struct hp_waste *w, uint32_t node)
{
	const uint32_t *apart = hp_late_array_at(&w->arrays_of_parts);
	uint32_t at = entry(w, node);

	if (at & HP_LINK_ARRAY)
		return (at & ~HP_LINK_ARRAY) + 1;
	return apart ? apart[node] : 0;
}

enum hp_status
hp_joined_join(struct hp_waste *w, uint32_t a, uint32_t b, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	uint32_t low, high, was;

	while (st == HP_OK) {
		a = first_of_set(w, a);
		b = first_of_set(w, b);
		if (a == b)
			return HP_OK;
		low = a < b ? a : b;
		high = a < b ? b : a;
		was = entry(w, high);
		if (was & HP_LINK_ARRAY)
			st = set_array_apart(w, high, was & ~HP_LINK_ARRAY,
					     err);
		else if (was)
			continue; /* another thread has joined it */
		if (st == HP_OK && replace(w, high, &was, low + 1))
			return HP_OK;
	}
	return st;
}

/* Whether a holder is a container, and not a field or unknown. */
static bool
is_container(uint32_t held)
{
	return held != HP_HELD_NOT && !(held & HP_HELD_FIELD);
}

/* Choose the holder of each set, and store it for its first object. */
static void
hold_sets(struct hp_waste *w)
{
	for (uint32_t node = 0; node < w->nodes.count; node++) {
		uint32_t held = *hp_waste_held(w, node), first;

		/*
		 * most objects are alone in their set; there is nothing to do
		 * if the holder of such an object is a field or not known
		 */
		if (!is_container(held) && parent(w, node) == node)
			continue;
		first = first_of_set(w, node);
		if (is_container(held) &&
		    first_of_set(w, hp_held_number(held)) == first)
			held = HP_HELD_NOT;
		if (node == first)
			*hp_waste_held(w, node) = held;
		else if (held > *hp_waste_held(w, first))
			*hp_waste_held(w, first) = held;
	}
}

/*
 * Several threads may shorten the same path at the same time. All of them store
 * the same holder, so a thread may read the old or the new value.
 */
static uint32_t
held_of(const struct hp_waste *w, uint32_t node)
{
	return atomic_load_explicit((_Atomic uint32_t *)w->held.at + node,
				    memory_order_relaxed);
}

static void
set_held(const struct hp_waste *w, uint32_t node, uint32_t held)
{
	atomic_store_explicit((_Atomic uint32_t *)w->held.at + node, held,
			      memory_order_relaxed);
}

/*
 * Find the field that holds an object. If the holder is a container, go on to
 * the holder of the container, until the holder is a field. Returns the holder
 * as hp_held_by_field() encodes it, or HP_HELD_NOT if no field holds the
 * object. Stores the result for all containers on the way, so that all calls
 * together take linear time.
 */
static uint32_t
find_holder(const struct hp_waste *w, uint32_t node)
{
	uint32_t first = first_of_set(w, node), at, next, steps = 0;
	uint32_t held = held_of(w, first), end = held;

	if (!is_container(held))
		return held;
	/*
	 * If the holder is a container, go on to the holder of the container.
	 * This ends at a field, or at a container without a holder. Collections
	 * that only refer to each other form a cycle, and no field holds them;
	 * Brent's algorithm finds such a cycle.
	 */
	at = first;
	for (uint32_t power = 1, turtle = first; is_container(end);) {
		at = first_of_set(w, hp_held_number(end));
		end = held_of(w, at);
		if (at == turtle) {
			end = HP_HELD_NOT;
			break;
		}
		if (++steps == power) {
			turtle = at;
			power *= 2;
			steps = 0;
		}
	}
	/* store the result for each container that the loop above has visited
	 */
	at = first_of_set(w, hp_held_number(held));
	for (held = held_of(w, at); held != end && is_container(held);
	     held = held_of(w, at)) {
		next = first_of_set(w, hp_held_number(held));
		set_held(w, at, end);
		at = next;
	}
	return end;
}

/* --- the end of the first pass ------------------------------------------- */

/* Work on all objects, of which each thread takes a slice at a time. */
struct sweep {
	struct hp_waste *w;
	void (*visit)(struct hp_waste *w, uint32_t from, uint32_t end);
	_Atomic uint32_t next; /* the next slice that a thread may take */
};

/* The function of a thread. @argument: struct sweep. */
static void *
visit_slices(void *argument)
{
	struct sweep *s = argument;
	const uint64_t count = s->w->nodes.count;
	uint64_t from;

	while ((from = (uint64_t)SLICE * atomic_fetch_add(&s->next, 1)) < count)
		s->visit(s->w, (uint32_t)from,
			 (uint32_t)(from + SLICE < count ? from + SLICE
							 : count));
	return NULL;
}

/*
 * Call @visit for all objects, in several threads. Each call handles the
 * objects from @from to @end - 1.
 */
static void
visit_all(struct hp_waste *w,
	  void (*visit)(struct hp_waste *w, uint32_t from, uint32_t end))
{
	struct sweep s = {.w = w, .visit = visit};

	hp_threads_run(hp_threads_for(w->g->options->threads, w->nodes.count,
				      NODES_A_THREAD),
		       visit_slices, &s, 0);
}

/*
 * Mark the boxes that are elements of collections. A box is an element if the
 * container that refers to it is an internal part of a collection.
 */
static void
mark_elements(struct hp_waste *w, uint32_t from, uint32_t end)
{
	for (uint32_t node = from; node < end; node++) {
		uint32_t held = *hp_waste_held(w, node), container;

		if (!is_container(held) ||
		    w->role_of_kind[hp_waste_kind_of(w, node)] != HP_ROLE_BOX)
			continue;
		container = hp_held_number(held);
		if (hp_waste_marks(w, container) & HP_MARK_PART ||
		    hp_node_kind_class(hp_waste_kind(w, container),
				       &w->g->classes))
			hp_waste_mark(w, node, HP_MARK_ELEMENT);
	}
}

/* Whether an object can be waste, so that its holder is needed. */
static bool
needs_holder(const struct hp_waste *w, uint32_t node)
{
	uint32_t kind = hp_waste_kind_of(w, node);

	switch (w->kinds.list[kind].of) {
	case HP_NODE_OBJECT_ARRAY:
		return true;
	case HP_NODE_PRIMITIVE_ARRAY:
		return !hp_waste_is_text(w, node);
	default:
		return w->role_of_kind[kind] != HP_ROLE_OTHER;
	}
}

static void
find_holders(struct hp_waste *w, uint32_t from, uint32_t end)
{
	for (uint32_t node = from; node < end; node++)
		/* most objects are alone in their set, and in a field */
		if ((is_container(held_of(w, node)) ||
		     parent(w, node) != node) &&
		    needs_holder(w, node))
			set_held(w, node, find_holder(w, node));
}

/*
 * Store the holders with the numbers that hp_waste_holder() decodes. They need
 * 2 bytes, unless there are very many fields. Then each number is stored at or
 * before the place from which it was computed, and half of the array is freed.
 */
static void
pack_holders(struct hp_waste *w)
{
	const bool wide = w->edges.count > UINT16_MAX;
	char *at = w->held.at;

	for (uint64_t node = 0; node < w->nodes.count; node++) {
		uint32_t held, number;
		uint16_t narrow;

		memcpy(&held, at + 4 * node, sizeof(held));
		number = held & HP_HELD_FIELD ? hp_held_number(held) + 1 : 0;
		narrow = (uint16_t)number;
		if (wide)
			memcpy(at + 4 * node, &number, sizeof(number));
		else
			memcpy(at + 2 * node, &narrow, sizeof(narrow));
	}
	w->wide_holders = wide;
	if (!wide)
		hp_big_array_shrink(&w->memory, &w->held,
				    2 * (w->nodes.count + UINT64_C(1)));
}

static void
set_links(struct hp_waste *w, uint32_t from, uint32_t end)
{
	for (uint32_t node = from; node < end; node++)
		*hp_waste_link(w, node) = array_of(w, node);
}

void
hp_joined_settle(struct hp_waste *w)
{
	hold_sets(w);
	visit_all(w, mark_elements);
	visit_all(w, find_holders);
	pack_holders(w);
	visit_all(w, set_links);
	hp_late_array_drop(&w->arrays_of_parts, &w->memory);
}
