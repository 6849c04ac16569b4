/*
 * id_index.h - which item of a list has an id: 8 bytes a slot, and the ids
 *
 * Half of what hp_id_map takes, where items are numbered in the order in which
 * their ids are met and none is taken out again.
 */
#ifndef HP_IDS_ID_INDEX_H
#define HP_IDS_ID_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed one is empty and ready; keyed against crafted ids. */
struct hp_id_index {
	/* a number, below those bits of the id's hash that do not say where
	 * the slot is; 0: free */
	uint64_t *slots;
	size_t cap; /* slots: a power of two or 0 */
	uint64_t seed;
	uint64_t *ids; /* by number - 1 */
	size_t count, ids_cap;
};

void hp_id_index_release(struct hp_id_index *x);

/*
 * Room for one more id at least; there is some for up to ids_cap of them.
 * False: no memory.
 */
bool hp_id_index_reserve(struct hp_id_index *x);

/**
 * hp_id_index_put() - the number of @id, which gets the next one if it has none
 * @fresh: true if it got it just now
 *
 * Returns: from 1; 0: out of memory, never for an id that is there.
 */
size_t hp_id_index_put(struct hp_id_index *x, uint64_t id, bool *fresh);

enum { HP_ID_INDEX_TOGETHER = 16 }; /* ids that are looked up side by side */

/**
 * hp_id_index_append() - the next numbers for ids that have none
 * @n:     of @ids, from 1 to HP_ID_INDEX_TOGETHER
 * @taken: how many of these got a number: up to the first that has one, or
 *         fewer, one at least otherwise
 *
 * Returns: false: out of memory.
 */
bool hp_id_index_append(struct hp_id_index *x, const uint64_t *ids, size_t n,
			size_t *taken);

/* The number of @id; 0: it has none. */
size_t hp_id_index_get(const struct hp_id_index *x, uint64_t id);

/* @id is asked for soon. */
void hp_id_index_prefetch(const struct hp_id_index *x, uint64_t id);

static inline uint64_t
hp_id_index_bytes(const struct hp_id_index *x)
{
	return (x->cap + x->ids_cap) * sizeof(uint64_t);
}

/*
 * Bytes that it takes besides while room is made for @n more ids; 0: there is
 * room. The slots are there twice meanwhile.
 */
uint64_t hp_id_index_growth(const struct hp_id_index *x, size_t n);

#endif
