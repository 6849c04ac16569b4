/*
 * vec.h - lists that grow by doubling
 *
 * There are two kinds of lists. HP_LIST_RESERVE() is for a list whose pointer,
 * count and capacity are separate members of the caller's struct. A struct
 * hp_vec is a list in one value, which can be passed to functions. buf.h has
 * growing lists of bytes.
 */
#ifndef HP_VEC_H
#define HP_VEC_H

#include <string.h>

#include "common/base/status.h"

/**
 * hp_list_enlarge() - double the capacity of a list; callers should use
 *                     HP_LIST_RESERVE()
 * @list: the address of the pointer to the items
 * @cap:  capacity in items; changes together with @list
 * @size: bytes of an item, not 0
 *
 * Returns: true; false if out of memory, and then the list is unchanged.
 */
HP_MUST_USE bool hp_list_enlarge(void *list, size_t *cap, size_t size);

/*
 * Like hp_list_enlarge(), but the new capacity is exactly @larger items, which
 * must not be 0.
 */
HP_MUST_USE bool hp_list_resize(void *list, size_t *cap, size_t larger,
				size_t size);

/* Used only by the macro HP_LIST_RESERVE(). */
static inline HP_MUST_USE bool
hp_list_reserve(void *list, size_t count, size_t *cap, size_t size)
{
	return HP_LIKELY(count < *cap) || hp_list_enlarge(list, cap, size);
}

/**
 * hp_list_fit() - make room for @n items in total; callers should use
 *                 HP_LIST_FIT()
 * @list: the address of the pointer to the items, which are kept
 * @cap:  capacity in items; changes together with @list
 * @size: bytes of an item, not 0
 *
 * A list that is too small grows by at least half of its capacity, so that many
 * small steps take linear time in total.
 *
 * Returns: true; false if out of memory, and then the list is unchanged.
 */
HP_MUST_USE bool hp_list_fit(void *list, size_t *cap, size_t n, size_t size);

/*
 * Make room for one more item after the @count items in @list. @list is a
 * pointer to the items; it has room for @cap items (a size_t). The new item is
 * not initialised. The value of the macro is false if out of memory.
 */
#define HP_LIST_RESERVE(list, count, cap)                                      \
	hp_list_reserve(&(list), (count), &(cap), sizeof((list)[0]))

/*
 * Append the item that is given after @cap. The value of the macro is false if
 * out of memory.
 */
#define HP_LIST_PUSH(list, count, cap, ...)                                    \
	(HP_LIST_RESERVE(list, count, cap) &&                                  \
	 ((list)[(count)++] = (__VA_ARGS__), true))

/*
 * Make room for @n items in total in @list. @list is a pointer to the items; it
 * has room for @cap items (a size_t). The value of the macro is false if out of
 * memory.
 */
#define HP_LIST_FIT(list, n, cap)                                              \
	hp_list_fit(&(list), &(cap), (n), sizeof((list)[0]))

/**
 * hp_list_find() - binary search in a list that is sorted by a key
 * @list: @count items of @size bytes
 * @at:   offset of the key, a uint64_t, in an item
 *
 * Returns: the index of the first item whose key is at least @key, or @count if
 *          there is none.
 */
size_t hp_list_find(const void *list, size_t count, size_t size, size_t at,
		    uint64_t key);

/*
 * A growing array of items of one type. `count` is the number of items. `cap`
 * is the number of items for which memory is allocated. A zeroed struct is
 * empty.
 */
struct hp_vec {
	void *items;
	size_t count, cap;
};

/* Append a zeroed item of @size bytes. Returns NULL if out of memory. */
static inline void *
hp_vec_add(struct hp_vec *v, size_t size)
{
	if (!hp_list_reserve(&v->items, v->count, &v->cap, size))
		return NULL;
	return memset((char *)v->items + v->count++ * size, 0, size);
}

/*
 * Append a copy of @item, which has @size bytes. Returns false if out of
 * memory.
 */
static inline HP_MUST_USE bool
hp_vec_push(struct hp_vec *v, const void *item, size_t size)
{
	if (!hp_list_reserve(&v->items, v->count, &v->cap, size))
		return false;
	memcpy((char *)v->items + v->count++ * size, item, size);
	return true;
}

/*
 * Append an item of type @type. The arguments after @type are its initialisers.
 * The value of the macro is false if out of memory.
 */
#define HP_VEC_PUSH(v, type, ...)                                              \
	hp_vec_push((v), &(type){__VA_ARGS__}, sizeof(type))

/**
 * hp_vec_move() - append the items of one list to another
 * @from: the list whose items move. It is empty afterwards, and its memory is
 *        freed, even after a failure
 * @size: bytes of an item, the same in both lists
 *
 * If @to is empty, it takes over the memory of @from without copying. This is
 * necessary because a list may take half of --memory, so that there is no
 * memory for a copy.
 * Returns: true; false if out of memory, and then @to is unchanged.
 */
HP_MUST_USE bool hp_vec_move(struct hp_vec *to, struct hp_vec *from,
			     size_t size);

/*
 * Compare two numbers. Returns a negative number, 0 or a positive number, as
 * qsort() expects.
 */
static inline int
hp_order(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

/*
 * Functions for qsort() and bsearch(). They compare two uint64_t (or uint32_t),
 * or two structs whose first member is a uint64_t (or uint32_t).
 */
int hp_compare_u64(const void *a, const void *b);
int hp_compare_u32(const void *a, const void *b);

/*
 * Like qsort() and qsort_r(). The C library may allocate memory for a copy of
 * the items. These functions count this memory. If --memory does not allow it,
 * they return false and sort nothing.
 */
HP_MUST_USE bool hp_sort(void *items, size_t count, size_t size,
			 int (*compare)(const void *, const void *));
HP_MUST_USE bool
hp_sort_with(void *items, size_t count, size_t size,
	     int (*compare)(const void *, const void *, void *), void *context);

/*
 * Sort @n numbers in ascending order. If there is memory for a copy, the
 * function is faster than qsort(); otherwise it calls qsort().
 */
void hp_sort_u64(uint64_t *items, size_t n);

#endif
