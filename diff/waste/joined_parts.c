/*
 * joined_parts.c - join the objects that belong to one collection to a set, and
 * find the holder of each set
 *
 * The sets are a disjoint-set forest, which several threads can change at the
 * same time.
 */
#include "diff/waste/internal.h"

/*
 * Returns the address of the entry of the object @node. The entry is 1 + the
 * number of its parent in the disjoint-set forest, or 0 if the object has no
 * parent. An object without a parent represents its set.
 */
static _Atomic uint32_t *
place(const struct hp_waste *w, uint32_t node)
{
	return (_Atomic uint32_t *)w->joined.at + node;
}

static uint32_t
parent(const struct hp_waste *w, uint32_t node)
{
	uint32_t up =
		atomic_load_explicit(place(w, node), memory_order_relaxed);

	return up ? up - 1 : node;
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

void
hp_joined_join(const struct hp_waste *w, uint32_t a, uint32_t b)
{
	uint32_t low, high, was;

	for (;;) {
		a = first_of_set(w, a);
		b = first_of_set(w, b);
		if (a == b)
			return;
		low = a < b ? a : b;
		high = a < b ? b : a;
		was = 0;
		if (atomic_compare_exchange_strong_explicit(
			    place(w, high), &was, low + 1, memory_order_relaxed,
			    memory_order_relaxed))
			return;
	}
}

void
hp_joined_hold(struct hp_waste *w)
{
	for (uint32_t node = 0; node < w->nodes.count; node++) {
		uint32_t held = *hp_waste_held(w, node), first;

		/*
		 * most objects are alone in their set; there is nothing to do
		 * if the holder of such an object is a field or not known
		 */
		if ((held == HP_HELD_NOT || held & HP_HELD_FIELD) &&
		    parent(w, node) == node)
			continue;
		first = first_of_set(w, node);
		if (held != HP_HELD_NOT && !(held & HP_HELD_FIELD) &&
		    first_of_set(w, hp_held_number(held)) == first)
			held = HP_HELD_NOT;
		if (node == first)
			*hp_waste_held(w, node) = held;
		else if (held > *hp_waste_held(w, first))
			*hp_waste_held(w, first) = held;
	}
}

/*
 * hp_joined_holder() runs in several threads, which may shorten the same path
 * at the same time. All of them store the same holder, so a thread may read the
 * old or the new value.
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

uint32_t
hp_joined_holder(struct hp_waste *w, uint32_t node)
{
	uint32_t first = first_of_set(w, node), at, next, steps = 0;
	uint32_t held = held_of(w, first), end = held;

	if (held == HP_HELD_NOT || held & HP_HELD_FIELD)
		return held;
	/*
	 * If the holder is a container, go on to the holder of the container.
	 * This ends at a field, or at a container without a holder. Collections
	 * that only refer to each other form a cycle, and no field holds them;
	 * Brent's algorithm finds such a cycle.
	 */
	at = first;
	for (uint32_t power = 1, turtle = first;
	     end != HP_HELD_NOT && !(end & HP_HELD_FIELD);) {
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
	for (held = held_of(w, at);
	     held != end && held != HP_HELD_NOT && !(held & HP_HELD_FIELD);
	     held = held_of(w, at)) {
		next = first_of_set(w, hp_held_number(held));
		set_held(w, at, end);
		at = next;
	}
	return end;
}
