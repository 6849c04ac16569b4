/*
 * vec.c - grow lists, and sort lists of numbers
 */
#include "common/base/vec.h"
#include "common/base/memory.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST = 16 /* capacity of a list when it gets its first element */ };

bool
hp_list_resize(void *list, size_t *cap, size_t larger, size_t size)
{
	void *items, *grown;

	if (larger > SIZE_MAX / size)
		return false;
	/*
	 * The pointer is copied with memcpy(), because reading another pointer
	 * type as void * would break the aliasing rules.
	 */
	memcpy(&items, list, sizeof(items));
	grown = hp_realloc(items, larger * size);
	if (!grown)
		return false;
	memcpy(list, &grown, sizeof(grown));
	*cap = larger;
	/* cppcheck-suppress memleak; the list owns it */
	return true;
}

bool
hp_list_enlarge(void *list, size_t *cap, size_t size)
{
	return *cap <= SIZE_MAX / 2 &&
	       hp_list_resize(list, cap, *cap ? 2 * *cap : FIRST, size);
}

bool
hp_list_fit(void *list, size_t *cap, size_t n, size_t size)
{
	size_t larger = *cap + *cap / 2;

	return n <= *cap ||
	       hp_list_resize(list, cap, larger < n ? n : larger, size);
}

size_t
hp_list_find(const void *list, size_t count, size_t size, size_t at,
	     uint64_t key)
{
	const char *items = list; /* NULL is allowed if @count is 0 */
	size_t low = 0, high = count;
	uint64_t found;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		memcpy(&found, items + middle * size + at, sizeof(found));
		if (found < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
hp_vec_move(struct hp_vec *to, struct hp_vec *from, size_t size)
{
	const struct hp_vec room = *to;
	bool fine = true;

	if (to->count == 0) {
		*to = *from;
		*from = room;
	} else {
		fine = hp_list_fit(&to->items, &to->cap,
				   to->count + from->count, size);
	}
	if (fine && from->count > 0) {
		memcpy((char *)to->items + to->count * size, from->items,
		       from->count * size);
		to->count += from->count;
	}
	hp_free(from->items);
	*from = (struct hp_vec){0};
	return fine;
}

int
hp_compare_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return hp_order(*x, *y);
}

int
hp_compare_u32(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return hp_order(*x, *y);
}

static int
compare_plainly(const void *a, const void *b, void *context)
{
	int (*const *compare)(const void *, const void *) = context;

	return (*compare)(a, b);
}

bool
hp_sort(void *items, size_t count, size_t size,
	int (*compare)(const void *, const void *))
{
	return hp_sort_with(items, count, size, compare_plainly, &compare);
}

bool
hp_sort_with(void *items, size_t count, size_t size,
	     int (*compare)(const void *, const void *, void *), void *context)
{
	if (count < 2)
		return true;
	if (!hp_memory_take(count * size))
		return false;
	qsort_r(items, count, size, compare, context);
	hp_memory_give_back(count * size);
	return true;
}

enum { DIGIT = 8 /* number of bits in a digit */, VALUES = 1 << DIGIT };

/*
 * One pass of a radix sort: copy the numbers to @to, sorted by one digit.
 * Numbers with an equal digit keep their order (the sort is stable).
 */
static void
sort_by_digit(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	size_t starts[VALUES] = {0}, at = 0, count;

	for (size_t i = 0; i < n; i++)
		starts[from[i] >> shift & (VALUES - 1)]++;
	for (size_t v = 0; v < VALUES; v++) {
		count = starts[v];
		starts[v] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		to[starts[from[i] >> shift & (VALUES - 1)]++] = from[i];
}

/*
 * Radix sort, from the lowest digit to the highest. Digits that are equal in
 * all numbers are skipped: object ids differ only in a few digits. Returns
 * false if out of memory.
 */
static bool
sort_by_digits(uint64_t *items, size_t n)
{
	uint64_t *other = hp_malloc(n * sizeof(*other)), *from = items;
	uint64_t differ = 0;

	if (!other)
		return false;
	for (size_t i = 1; i < n; i++)
		differ |= items[i] ^ items[0];
	for (unsigned shift = 0; shift < 64; shift += DIGIT) {
		if ((differ >> shift & (VALUES - 1)) == 0)
			continue;
		sort_by_digit(from, from == items ? other : items, n, shift);
		from = from == items ? other : items;
	}
	if (from == other)
		memcpy(items, other, n * sizeof(*items));
	hp_free(other);
	return true;
}

void
hp_sort_u64(uint64_t *items, size_t n)
{
	if (n >= VALUES && sort_by_digits(items, n))
		return;
	if (n > 1)
		qsort(items, n, sizeof(*items), hp_compare_u64);
}
