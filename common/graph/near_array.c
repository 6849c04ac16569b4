/*
 * near_array.c - an array of numbers, most of which are near their own index
 */
#include "common/graph/near_array.h"

#include <assert.h>
#include <string.h>

/* The bytes of `distances` are read as words of this many bytes. */
enum { WORD = 8 };

enum hp_status
hp_near_array_make(struct hp_big_memory *m, struct hp_near_array *a,
		   uint32_t count, bool is_above, struct hp_error *err)
{
	uint64_t blocks = count / HP_NEAR_BLOCK + (uint64_t)1;
	enum hp_status st;

	*a = (struct hp_near_array){.is_above = is_above};
	st = hp_big_array_make(m, &a->distances, blocks * HP_NEAR_BLOCK,
			       HP_BIG_RANDOM, err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &a->before, 4 * blocks, HP_BIG_RANDOM,
				       err);
	if (st == HP_OK)
		st = hp_big_array_reserve(&a->far, 4 * ((uint64_t)count + 1),
					  HP_BIG_RANDOM, err);
	return st;
}

enum hp_status
hp_near_array_add_far(struct hp_big_memory *m, struct hp_near_array *a,
		      uint32_t value, struct hp_error *err)
{
	uint32_t i = a->count++;
	uint8_t *distance = (uint8_t *)a->distances.at + i;
	enum hp_status st;

	/* the distance wraps around on the wrong side of the index */
	assert(a->is_above ? value >= i : value <= i);
	*distance = HP_NEAR_SAME;
	if (a->far_count > 0 &&
	    ((const uint32_t *)a->far.at)[a->far_count - 1] == value)
		return HP_OK;
	*distance = HP_NEAR_FAR;
	st = hp_big_array_grow(m, &a->far, 4 * ((uint64_t)a->far_count + 1),
			       err);
	if (st == HP_OK)
		((uint32_t *)a->far.at)[a->far_count++] = value;
	return st;
}

void
hp_near_array_trim(struct hp_big_memory *m, struct hp_near_array *a)
{
	hp_big_array_shrink(m, &a->far, 4 * (uint64_t)a->far_count);
}

void
hp_near_array_drop(struct hp_big_memory *m, struct hp_near_array *a)
{
	hp_big_array_drop(m, &a->distances);
	hp_big_array_drop(m, &a->far);
	hp_big_array_drop(m, &a->before);
	*a = (struct hp_near_array){0};
}

enum hp_status
hp_near_array_move_to_file(struct hp_big_memory *m, struct hp_near_array *a,
			   uint64_t *bytes, struct hp_error *err)
{
	enum hp_status st =
		hp_big_array_move_to_file(m, &a->distances, bytes, err);

	return st == HP_OK ? hp_big_array_move_to_file(m, &a->far, bytes, err)
			   : st;
}

void
hp_near_array_expect(struct hp_near_array *a, enum hp_big_use use)
{
	hp_big_array_expect(&a->distances, use);
	hp_big_array_expect(&a->far, use);
	hp_big_array_expect(&a->before, use);
}

/* Returns how many entries of `far` are for elements before the block of @i. */
static uint32_t
entries_before(const struct hp_near_array *a, uint32_t i)
{
	return ((const uint32_t *)a->before.at)[i / HP_NEAR_BLOCK];
}

void
hp_near_array_fetch(const struct hp_near_array *a, uint32_t from,
		    uint32_t count)
{
	uint32_t first, end = from + count;

	if (from >= end || end > a->count)
		return;
	hp_big_array_fetch(&a->distances, from, count);
	hp_big_array_fetch(&a->before, 4 * (uint64_t)(from / HP_NEAR_BLOCK),
			   4 * (uint64_t)(count / HP_NEAR_BLOCK + 1));
	if (hp_big_array_in_file(&a->far) == 0)
		return;
	first = entries_before(a, from);
	hp_big_array_fetch(
		&a->far, 4 * (uint64_t)first,
		4 * (uint64_t)(entries_before(a, end - 1) - first + 1));
}

/*
 * Returns a word that has the byte 1 for each of the WORD bytes at @bytes that
 * is HP_NEAR_FAR, and the byte 0 for each other one. The first byte is the
 * lowest one of the result.
 */
static inline uint64_t
far_bytes(const uint8_t *bytes)
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
	uint64_t word, carry;

	memcpy(&word, bytes, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	/* a byte of the complement is zero where the byte is 255 */
	word = ~word;
	carry = (word & low) + low;
	/* now only zero bytes have their highest bit clear */
	return ~(carry | word | low) >> 7;
}

uint32_t
hp_near_array_far(const struct hp_near_array *a, uint32_t i)
{
	uint32_t block = i / HP_NEAR_BLOCK, n = i % HP_NEAR_BLOCK + 1;
	const uint8_t *bytes = (const uint8_t *)a->distances.at +
			       (size_t)block * HP_NEAR_BLOCK;
	/* each byte of the sum is at most HP_NEAR_BLOCK / WORD */
	uint64_t sum = 0;
	uint32_t entries;

	for (; n >= WORD; n -= WORD, bytes += WORD)
		sum += far_bytes(bytes);
	if (n > 0)
		sum += far_bytes(bytes) & ((UINT64_C(1) << 8 * n) - 1);
	/* the product has the sum of all bytes in its highest byte */
	entries = entries_before(a, i) +
		  (uint32_t)(sum * UINT64_C(0x0101010101010101) >> 56);
	return ((const uint32_t *)a->far.at)[entries - 1];
}
