/*
 * hash.h - a hash table, its secret seed, and zeroed memory for hash tables
 *
 * Each slot of this hash table stores only the number of an item. Tables that
 * many threads or hot loops use store their values directly in the slots; see
 * object_ids/id_map.h.
 */
#ifndef HP_BASE_HASH_H
#define HP_BASE_HASH_H

#include "common/base/status.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * A secret random seed for hash tables
 *
 * An attacker who does not know the seed cannot craft names or ids that all
 * collide.
 */

/*
 * Returns random bits from getrandom(). If getrandom() fails, they are computed
 * from the time and the address @owner.
 */
uint64_t hp_seed(const void *owner);

/*
 * Returns the index of the slot for @hash in a table of @cap slots, a power of
 * two. The index is the upper bits of @hash times a secret odd number
 * (multiplicative hashing).
 */
static inline uint64_t
hp_seed_place(uint64_t seed, uint64_t hash, uint64_t cap)
{
	return (uint64_t)((unsigned __int128)(hash * (seed | 1)) * cap >> 64);
}

/* ----------------------------------------------------------------------
 * Zeroed memory for hash tables
 */

/**
 * hp_zeroed_table_new() - allocate @bytes of zeros that will be accessed at
 * random
 *
 * Asks the kernel to use huge pages, and to allocate them at once. Otherwise
 * each first access to a page would take a page fault in the middle of a hot
 * loop.
 * Returns: memory for hp_free(); NULL if out of memory.
 */
void *hp_zeroed_table_new(size_t bytes);

/*
 * ----------------------------------------------------------------------
 * A hash table that finds numbers of items
 *
 * The table uses open addressing with linear probing, with 8 bytes for each
 * slot. The items are in a list of the caller. A function of the caller
 * compares an item with a key. A slot contains the hash of its item. So most
 * items that differ from the key need not be compared, and the table can grow
 * without looking at the items.
 *
 * Invariants: the number of slots is a power of two, or 0; at most 7 of 10
 * slots are used, so a search always ends at a free slot. A search starts at
 * the slot that the hash selects; all slots from there to the slot of the item
 * are in use.
 */

enum {
	/* minimum number of slots of a table that has any slots */
	HP_HASH_MIN = 64,
	/*
	 * hp_hash_clear() keeps at most this many slots for each item that the
	 * table had.
	 */
	HP_HASH_KEPT = 16,
};

struct hp_hash_slot {
	uint32_t hash;
	/*
	 * The position of the item in the caller's list, from 1. 0: this slot
	 * is free.
	 */
	uint32_t number;
};

/*
 * A hash table that finds items in a list of the caller. A zeroed struct is an
 * empty table.
 */
struct hp_hash_table {
	struct hp_hash_slot *slots;
	/* `cap`: the number of slots; `count`: the number of slots in use */
	size_t cap, count;
	/*
	 * random seed for the hash function; set by the first hp_hash_reserve()
	 */
	uint64_t seed;
};

HP_MUST_USE bool hp_hash_enlarge(struct hp_hash_table *t, size_t n);

/* Returns how many items a table with @cap slots may have at most. */
static inline size_t
hp_hash_room(size_t cap)
{
	return cap / 10 * 7;
}

/**
 * hp_hash_reserve() - make the table large enough for @n items in total
 *
 * Returns: false if out of memory; in this case the table is unchanged.
 */
HP_MUST_USE static inline bool
hp_hash_reserve(struct hp_hash_table *t, size_t n)
{
	return HP_LIKELY(n <= hp_hash_room(t->cap)) || hp_hash_enlarge(t, n);
}

/*
 * Remove all items. The seed is kept. The slots are also kept, unless there are
 * far more of them than there were items: then they are freed, because
 * otherwise a table that was once large would always be slow to clear.
 */
void hp_hash_clear(struct hp_hash_table *t);
void hp_hash_release(struct hp_hash_table *t);

/*
 * A function of the caller that returns whether item number @number (from 1) of
 * the list @items equals @key.
 */
typedef bool hp_hash_same(const void *items, uint32_t number, const void *key);

/* Prefetch the slot of an item that will be searched soon. */
HP_HOT void
hp_hash_prefetch(const struct hp_hash_table *t, uint32_t hash)
{
	__builtin_prefetch(&t->slots[hash & (t->cap - 1)], 1);
}

/**
 * hp_hash_find() - search for an item that equals @key
 * @t: the table, with room for at least one item
 * @hash: the hash of @key, computed with the seed of the table
 *
 * Returns: the slot of an item that equals @key, or the free slot at which such
 *          an item must be stored with hp_hash_add().
 */
HP_HOT struct hp_hash_slot *
hp_hash_find(const struct hp_hash_table *t, uint32_t hash, hp_hash_same *same,
	     const void *items, const void *key)
{
	size_t at = hash & (t->cap - 1);

	for (; t->slots[at].number; at = (at + 1) & (t->cap - 1))
		if (t->slots[at].hash == hash &&
		    same(items, t->slots[at].number, key))
			break;
	return &t->slots[at];
}

/*
 * Store the position of a new item in the free slot that hp_hash_find()
 * returned. hp_hash_reserve() must have made room for the item.
 */
static inline void
hp_hash_add(struct hp_hash_table *t, struct hp_hash_slot *slot, uint32_t hash,
	    uint32_t number)
{
	assert(number != 0 && slot->number == 0);
	assert(t->count < hp_hash_room(t->cap));
	*slot = (struct hp_hash_slot){hash, number};
	t->count++;
}

#endif
