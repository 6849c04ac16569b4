/*
 * object_data.h - how --by=waste encodes its data about each object: marks,
 * links and holders; and arrays that are made only if they are needed
 *
 * internal.h lists the arrays that have an element for each object.
 */
#ifndef HP_DIFF_WASTE_OBJECT_DATA_H
#define HP_DIFF_WASTE_OBJECT_DATA_H

#include "common/graph/big_array.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* Facts about an object, in the array `marks`; one bit for each. */
enum {
	HP_MARK_STATIC = 1, /* a static field refers to the object */
	/* the object is an internal part of one collection */
	HP_MARK_PART = 2,
	/* the object is an internal part of several collections */
	HP_MARK_SHARED = 4,
	/*
	 * the object is the array of a String with one byte for each character
	 */
	HP_MARK_NARROW = 8,
	/*
	 * the object is the array of a String with two bytes for each character
	 */
	HP_MARK_WIDE = 16,
	/*
	 * the object is the array of a String with two bytes for each
	 * character, but one byte for each would be enough
	 */
	HP_MARK_FITS = 32,
	/* the array belongs to a String and was counted together with it */
	HP_MARK_SEEN = 64,
	/*
	 * for the first of all arrays with equal texts: a String with this text
	 * was found and is kept, so further Strings with this text are waste
	 */
	HP_MARK_KEPT = 128,
	/*
	 * for boxes (such as Integer) and arrays of boxes: the object belongs
	 * to the cache of valueOf()
	 */
	HP_MARK_CACHED = 8,
	/* for boxes: the object is an element of a collection */
	HP_MARK_ELEMENT = 128,
	/*
	 * The following marks are for primitive arrays that are not the text of
	 * a String.
	 *
	 * HP_MARK_ZEROS: the array has elements, and all of them are 0
	 */
	HP_MARK_ZEROS = 32,
	/* an earlier array has equal contents */
	HP_MARK_DUPLICATE = 64,
	/* the contents of the array were hashed */
	HP_MARK_HASHED = 128,
};

/*
 * During the first pass, this bit in the `link` of an object means: the object
 * is a String, and the other bits are the number of its array.
 */
#define HP_LINK_ARRAY (UINT32_C(1) << 31)

/*
 * A bit in the `link` of an array with the text of a String: the array is the
 * first of all arrays with this text. The other bits are the number of
 * characters.
 */
#define HP_LINK_FIRST (UINT32_C(1) << 31)

/*
 * The holder of an object, as a number of 32 bits: the field that refers to the
 * object, or the container. If an object has several holders, the greatest of
 * their numbers is stored.
 *
 * A field always has a greater number than a container. Field number i (its
 * kind of reference, see edge_kinds.h) and container number i (its number in
 * the graph) are both stored as HP_HELD_MOST - i. So among several fields, or
 * among several containers, the one with the smallest i is kept.
 */
#define HP_HELD_MOST ((UINT32_C(1) << 30) - 1)
#define HP_HELD_FIELD (UINT32_C(1) << 31)
#define HP_HELD_INSIDE (UINT32_C(1) << 30)
#define HP_HELD_NOT 0

static inline uint32_t
hp_held_by_field(uint32_t edge)
{
	return HP_HELD_FIELD | (HP_HELD_MOST - edge);
}

static inline uint32_t
hp_held_inside(uint32_t node)
{
	return HP_HELD_INSIDE | (HP_HELD_MOST - node);
}

/*
 * Decode a holder. For a field, returns the number of its kind of reference.
 * For a container, returns the number of the container in the graph.
 */
static inline uint32_t
hp_held_number(uint32_t held)
{
	return HP_HELD_MOST - (held & HP_HELD_MOST);
}

/*
 * An array that is made when its first element is stored, because most dumps do
 * not need it. A thread may store an element while other threads read or store
 * others.
 */
struct hp_late_array {
	struct hp_big_array array;
	/* address of the array; NULL: it is not made yet, so all bytes are 0 */
	_Atomic(void *) at;
	pthread_mutex_t lock;
};

void hp_late_array_init(struct hp_late_array *a);
void hp_late_array_release(struct hp_late_array *a, struct hp_big_memory *m);
/* Free the memory of the array. All its bytes are 0 again. */
void hp_late_array_drop(struct hp_late_array *a, struct hp_big_memory *m);

/*
 * Make the array with @bytes bytes, which are 0, unless it is made already.
 * Returns: HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_late_array_make(struct hp_late_array *a,
					      struct hp_big_memory *m,
					      uint64_t bytes,
					      struct hp_error *err);

/* Returns the address of the array; NULL: it is not made yet. */
static inline void *
hp_late_array_at(const struct hp_late_array *a)
{
	return atomic_load_explicit(&a->at, memory_order_acquire);
}

#endif
