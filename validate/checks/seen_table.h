/*
 * seen_table.h - the first of equal items: their numbers by hash, 8 bytes a
 * slot
 *
 * Items are the caller's, who compares those that the table offers. For lists
 * whose length is known: a table never grows.
 */
#ifndef HP_VALIDATE_SEEN_TABLE_H
#define HP_VALIDATE_SEEN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/base/seed.h"
#include "common/base/status.h"
#include "common/base/zeroed_table.h"

struct hp_seen_table {
	/* an item's number, from 1, below those bits of its hash that do not
	 * say where the slot is; 0: free */
	uint64_t *slots;
	size_t cap;    /* a power of two, 7 of 10 are used at most */
	uint64_t seed; /* of the hashes, against crafted items */
};

/* Slots for items of the numbers 1 to @items. */
static inline size_t
hp_seen_table_slots(size_t items)
{
	size_t cap = 64;

	while (cap / 10 * 7 < items)
		cap *= 2;
	return cap;
}

/* What a table of these will take. */
static inline uint64_t
hp_seen_table_bytes(size_t items)
{
	return hp_seen_table_slots(items) * sizeof(uint64_t);
}

/*
 * Room for items of the numbers 1 to @items. False: out of memory, and nothing
 * to release.
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
	free(t->slots);
	t->slots = NULL;
}

/* An item of this hash is put soon. */
HP_HOT void
hp_seen_table_prefetch(const struct hp_seen_table *t, uint64_t hash)
{
	__builtin_prefetch(&t->slots[hash & (t->cap - 1)], 1);
}

/**
 * hp_seen_table_put() - enter an item unless one that is equal was before it
 * @number: the item's, from 1 to what the table has room for
 * @same:   are these two of @items equal? Their numbers are from 0
 *
 * Returns: the number of the first one that is equal; 0: there was none.
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
