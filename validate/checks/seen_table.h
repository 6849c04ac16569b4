/*
 * seen_table.h - a hash table that finds the first of equal items
 *
 * It uses open addressing, with 8 bytes per slot. A slot has the number of an
 * item and the upper bits of its hash. The items stay with the caller, whose
 * function compares them. The table does not grow, so the number of items must
 * be known in advance.
 */
#ifndef HP_VALIDATE_SEEN_TABLE_H
#define HP_VALIDATE_SEEN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/memory.h"
#include "common/base/seed.h"
#include "common/base/status.h"
#include "common/base/zeroed_table.h"

struct hp_seen_table {
	/*
	 * Low bits: the number of an item, from 1. High bits: those bits of its
	 * hash that do not determine the slot. 0: a free slot.
	 */
	uint64_t *slots;
	/* number of slots, a power of two; at most 70% are used */
	size_t cap;
	/* random seed for the hashes, against crafted collisions */
	uint64_t seed;
};

/* The number of slots for @items items, numbered from 1. */
static inline size_t
hp_seen_table_slots(size_t items)
{
	size_t cap = 64;

	while (cap / 10 * 7 < items)
		cap *= 2;
	return cap;
}

/* The memory of a table for @items items, in bytes. */
static inline uint64_t
hp_seen_table_bytes(size_t items)
{
	return hp_seen_table_slots(items) * sizeof(uint64_t);
}

/*
 * Allocate a table for @items items, numbered from 1. Returns false if out of
 * memory; then there is nothing to release.
 */
static inline bool
hp_seen_table_init(struct hp_seen_table *t, size_t items)
{
	t->cap = hp_seen_table_slots(items);
	t->seed = hp_seed(t);
	t->slots = hp_zeroed_table_new(t->cap * sizeof(*t->slots));
	return t->slots != NULL;
}

static inline void
hp_seen_table_release(struct hp_seen_table *t)
{
	hp_free(t->slots);
	t->slots = NULL;
}

/* Prefetch the slot of an item that will be entered soon. */
HP_HOT void
hp_seen_table_prefetch(const struct hp_seen_table *t, uint64_t hash)
{
	__builtin_prefetch(&t->slots[hash & (t->cap - 1)], 1);
}

/**
 * hp_seen_table_put() - enter an item unless an equal one was entered before
 * @number: the number of the item, from 1 up to the number of items
 * @same:   compares two of @items, numbered from 0
 *
 * Returns: the number of the first equal item; 0 if there is none.
 */
HP_HOT size_t
hp_seen_table_put(struct hp_seen_table *t, uint64_t hash, size_t number,
		  bool (*same)(const void *items, size_t a, size_t b),
		  const void *items)
{
	const uint64_t low = t->cap - 1;
	size_t at = hash & low;

	for (; t->slots[at]; at = (at + 1) & low)
		if (((t->slots[at] ^ hash) & ~low) == 0 &&
		    same(items, (t->slots[at] & low) - 1, number - 1))
			return t->slots[at] & low;
	t->slots[at] = (hash & ~low) | number;
	return 0;
}

#endif
