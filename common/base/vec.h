/*
 * vec.h - lists that grow by doubling
 *
 * For lists with pointer, count and capacity of their own, HP_LIST_RESERVE();
 * for those that are handed about whole, struct hp_vec. Bytes are buf.h's.
 */
#ifndef HP_VEC_H
#define HP_VEC_H

#include <string.h>

#include "common/base/status.h"

/**
 * hp_list_enlarge() - twice the room for a list; HP_LIST_RESERVE() is what to
 *                     call
 * @list: the address of the pointer to the items
 * @cap:  items that fit, changed together with @list
 * @size: bytes of an item, not 0
 *
 * Returns: false if there is no memory; the list is as it was.
 */
HP_MUST_USE bool hp_list_enlarge(void *list, size_t *cap, size_t size);

/* As hp_list_enlarge(), to exactly @larger items, of which there is one. */
HP_MUST_USE bool hp_list_resize(void *list, size_t *cap, size_t larger,
				size_t size);

/* See HP_LIST_RESERVE(). */
static inline HP_MUST_USE bool
hp_list_reserve(void *list, size_t count, size_t *cap, size_t size)
{
	return HP_LIKELY(count < *cap) || hp_list_enlarge(list, cap, size);
}

/**
 * hp_list_fit() - room for @n items in all; HP_LIST_FIT() is what to call
 * @list: the address of the pointer to the items, which are kept
 * @cap:  items that fit, changed together with @list
 * @size: bytes of an item, not 0
 *
 * A list that is too small grows by half at least, so that many small steps
 * cost no more than a few large ones.
 *
 * Returns: false if there is no memory; the list is as it was.
 */
HP_MUST_USE bool hp_list_fit(void *list, size_t *cap, size_t n, size_t size);

/*
 * Make room for one more item behind @count in @list, a pointer to items of
 * which @cap (a size_t) fit. Its bytes are not set. False: no memory.
 */
#define HP_LIST_RESERVE(list, count, cap)                                      \
	hp_list_reserve(&(list), (count), &(cap), sizeof((list)[0]))

/* One item more in such a list: what follows @cap. False: no memory. */
#define HP_LIST_PUSH(list, count, cap, ...)                                    \
	(HP_LIST_RESERVE(list, count, cap) &&                                  \
	 ((list)[(count)++] = (__VA_ARGS__), true))

/*
 * Make room for @n items in all in @list, a pointer to items of which @cap (a
 * size_t) fit. False: no memory.
 */
#define HP_LIST_FIT(list, n, cap)                                              \
	hp_list_fit(&(list), &(cap), (n), sizeof((list)[0]))

/**
 * hp_list_find() - where a key stands in a list that is sorted by it, or would
 * @list: @count items of @size bytes
 * @at:   where the key is in an item, a uint64_t
 *
 * Returns: the index of the first item with @key or a greater one; @count.
 */
size_t hp_list_find(const void *list, size_t count, size_t size, size_t at,
		    uint64_t key);

/* A growing array: @items of one type, @count of @cap. Zeroed: empty. */
struct hp_vec {
	void *items;
	size_t count, cap;
};

/* One more item of @size bytes at the end, zeroed; NULL: out of memory. */
static inline void *
hp_vec_add(struct hp_vec *v, size_t size)
{
	if (!hp_list_reserve(&v->items, v->count, &v->cap, size))
		return NULL;
	return memset((char *)v->items + v->count++ * size, 0, size);
}

/* A copy of @item, of @size bytes, at the end. False: out of memory. */
static inline HP_MUST_USE bool
hp_vec_push(struct hp_vec *v, const void *item, size_t size)
{
	if (!hp_list_reserve(&v->items, v->count, &v->cap, size))
		return false;
	memcpy((char *)v->items + v->count++ * size, item, size);
	return true;
}

/* The same of an item of @type that is made of what follows. */
#define HP_VEC_PUSH(v, type, ...)                                              \
	hp_vec_push((v), &(type){__VA_ARGS__}, sizeof(type))

/**
 * hp_vec_move() - take the items of one list to the end of another
 * @from: left empty, its memory given back, whatever is returned
 * @size: bytes of an item, the same in both
 *
 * Where @to has none, it gets @from's memory: nothing is copied, and nothing
 * can fail. Lists may be half of --memory.
 * Returns: false if there is no memory; @to is as it was.
 */
HP_MUST_USE bool hp_vec_move(struct hp_vec *to, struct hp_vec *from,
			     size_t size);

/* The order of two numbers, as qsort() wants it. */
static inline int
hp_order(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

/*
 * The order of two uint64_t, uint32_t, or of what begins with one: for qsort()
 * and bsearch().
 */
int hp_compare_u64(const void *a, const void *b);
int hp_compare_u32(const void *a, const void *b);

/* Sort @n numbers, ascending: faster than qsort(), if there is memory for it.
 */
void hp_sort_u64(uint64_t *items, size_t n);

#endif
