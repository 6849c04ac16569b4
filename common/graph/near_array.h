/*
 * near_array.h - an array of numbers, most of which are near their own index
 *
 * In a tree in preorder, the parent of an object is mostly a few places before
 * it, and the last object below it is mostly a few places after it. Such an
 * array has one byte for each element: its distance from the index. The other
 * elements are far: they are in a list of their own, with 4 bytes each. Far
 * elements with equal values that follow each other share an entry of this
 * list: for example the parents of a million objects to which one array refers,
 * or the ends of the nodes of a linked list, each of which dominates the next.
 */
#ifndef HP_GRAPH_NEAR_ARRAY_H
#define HP_GRAPH_NEAR_ARRAY_H

#include "common/graph/big_array.h"

enum {
	/* the value of the element is that of the last far element before it */
	HP_NEAR_SAME = 254,
	/* the element is far, and the next entry of `far` is its value */
	HP_NEAR_FAR = 255,
	/* elements in a block, see hp_near_array.before */
	HP_NEAR_BLOCK = 64,
};

struct hp_near_array {
	/*
	 * uint8_t for each element: its distance from its index, HP_NEAR_SAME
	 * or HP_NEAR_FAR
	 */
	struct hp_big_array distances;
	/* uint32_t: the values of far elements, in the order of the elements */
	struct hp_big_array far;
	/*
	 * uint32_t for each block of HP_NEAR_BLOCK elements: the number of
	 * entries of `far` for the elements before the block
	 */
	struct hp_big_array before;
	uint32_t count;	    /* number of elements that were added */
	uint32_t far_count; /* number of entries of `far` */
	/* no element is below its index; otherwise none is above it */
	bool is_above;
};

/**
 * hp_near_array_make() - make an array for up to @count elements
 * @a:        zeroed
 * @is_above: true: elements are not below their own index, and are read with
 *            hp_near_above(); false: they are not above it, and are read with
 *            hp_near_below()
 *
 * Memory: 1.06 bytes for each element, and 4 for each run of far elements with
 *         equal values
 * Returns: HP_OK; HP_NOMEM; HP_IO, see hp_big_array_make(). Ownership: call
 * hp_near_array_drop(), even after a failure.
 */
HP_MUST_USE enum hp_status hp_near_array_make(struct hp_big_memory *m,
					      struct hp_near_array *a,
					      uint32_t count, bool is_above,
					      struct hp_error *err);

/* Append a far element. Only hp_near_array_add() calls it. */
HP_MUST_USE enum hp_status hp_near_array_add_far(struct hp_big_memory *m,
						 struct hp_near_array *a,
						 uint32_t value,
						 struct hp_error *err);

/*
 * Append an element with the value @value, which is on the side of its index
 * that was given to hp_near_array_make(). Elements that were added may be read
 * before the array is complete. Returns: HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE static inline enum hp_status
hp_near_array_add(struct hp_big_memory *m, struct hp_near_array *a,
		  uint32_t value, struct hp_error *err)
{
	uint32_t i = a->count;
	uint32_t distance = a->is_above ? value - i : i - value;

	if (i % HP_NEAR_BLOCK == 0)
		((uint32_t *)a->before.at)[i / HP_NEAR_BLOCK] = a->far_count;
	if (HP_UNLIKELY(distance >= HP_NEAR_SAME))
		return hp_near_array_add_far(m, a, value, err);
	((uint8_t *)a->distances.at)[i] = (uint8_t)distance;
	a->count++;
	return HP_OK;
}

/* Free what the elements that were added do not need. No more are added. */
void hp_near_array_trim(struct hp_big_memory *m, struct hp_near_array *a);

/* Free the array. A zeroed array is allowed. */
void hp_near_array_drop(struct hp_big_memory *m, struct hp_near_array *a);

/*
 * Move at least *@bytes bytes of the array from memory to files, or all that
 * are in memory; see hp_big_array_move_to_file(). The small array `before`
 * stays where it is.
 */
HP_MUST_USE enum hp_status hp_near_array_move_to_file(struct hp_big_memory *m,
						      struct hp_near_array *a,
						      uint64_t *bytes,
						      struct hp_error *err);

/* Call hp_big_array_expect() for all parts of the array. */
void hp_near_array_expect(struct hp_near_array *a, enum hp_big_use use);

/*
 * Tell the kernel that the program will soon read @count elements from @from
 * on; see hp_big_array_fetch().
 */
void hp_near_array_fetch(const struct hp_near_array *a, uint32_t from,
			 uint32_t count);

/* Returns the value of a far element. */
uint32_t hp_near_array_far(const struct hp_near_array *a, uint32_t i);

/* Returns element @i of an array whose elements are not below their index. */
static inline uint32_t
hp_near_above(const struct hp_near_array *a, uint32_t i)
{
	uint8_t distance = ((const uint8_t *)a->distances.at)[i];

	return HP_LIKELY(distance < HP_NEAR_SAME) ? i + distance
						  : hp_near_array_far(a, i);
}

/* Returns element @i of an array whose elements are not above their index. */
static inline uint32_t
hp_near_below(const struct hp_near_array *a, uint32_t i)
{
	uint8_t distance = ((const uint8_t *)a->distances.at)[i];

	return HP_LIKELY(distance < HP_NEAR_SAME) ? i - distance
						  : hp_near_array_far(a, i);
}

/* Prefetch what is read for element @i, unless it is far. */
HP_HOT void
hp_near_array_prefetch(const struct hp_near_array *a, uint32_t i)
{
	__builtin_prefetch((const uint8_t *)a->distances.at + i);
}

#endif
