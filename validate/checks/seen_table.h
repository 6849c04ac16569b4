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
#include "common/base/zeroed_table.h"

struct hp_seen_table {
	/* an item's number, from 1, below those bits of its hash that do not
	 * say where the slot is; 0: free */
	uint64_t *slots;
	size_t cap;    /* a power of two, 7 of 10 are used at most */
	uint64_t seed; /* of the hashes, against crafted items */
};

/* Room for @items. False: out of memory, and nothing to release. */
static inline bool
hp_seen_table_init(struct hp_seen_table *t, size_t items)
{
	t->cap = 64;
	while (t->cap / 10 * 7 < items)
		t->cap *= 2;
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

/* Where the search for items of this hash begins. */
static inline size_t
hp_seen_table_begin(const struct hp_seen_table *t, uint64_t hash)
{
	return hash & (t->cap - 1);
}

/**
 * hp_seen_table_next() - the next item that may be equal to one of this hash
 * @at: the slot to begin at; that of the item, or the free one
 *
 * Returns: the item's number; 0: there is no more.
 */
static inline size_t
hp_seen_table_next(const struct hp_seen_table *t, uint64_t hash, size_t *at)
{
	const uint64_t low = t->cap - 1;

	while (t->slots[*at] && (t->slots[*at] ^ hash) & ~low)
		*at = (*at + 1) & low;
	return t->slots[*at] & low;
}

/* Behind an item that was not equal. */
static inline size_t
hp_seen_table_after(const struct hp_seen_table *t, size_t at)
{
	return (at + 1) & (t->cap - 1);
}

/* Enter item @number where hp_seen_table_next() found a free slot. */
static inline void
hp_seen_table_enter(struct hp_seen_table *t, uint64_t hash, size_t at,
		    size_t number)
{
	t->slots[at] = (hash & ~(uint64_t)(t->cap - 1)) | number;
}

#endif
