/*
 * id_index.h - a hash table from ids to consecutive numbers
 *
 * It numbers ids in the order of their insertion, from 1. It takes half of the
 * memory of hp_id_map, because a slot has only 8 bytes, besides the list of
 * ids. Ids cannot be removed.
 */
#ifndef HP_IDS_ID_INDEX_H
#define HP_IDS_ID_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A zeroed struct is empty and ready for use. The hash has a secret seed, so a
 * crafted dump cannot cause many collisions.
 */
struct hp_id_index {
	/*
	 * A slot has the number of an id in its low bits, and in its high bits
	 * the bits of the hash that do not determine the slot. 0: free.
	 */
	uint64_t *slots;
	size_t cap; /* number of slots: a power of two, or 0 */
	uint64_t seed;
	uint64_t *ids; /* the ids, indexed by number - 1 */
	size_t count, ids_cap;
};

void hp_id_index_release(struct hp_id_index *x);

/*
 * Make room for at least one more id. Afterwards there is room for x->ids_cap
 * ids in total. Returns false if out of memory.
 */
bool hp_id_index_reserve(struct hp_id_index *x);

/**
 * hp_id_index_put() - the number of @id; a new id gets the next number
 * @fresh: receives true if the id is new
 *
 * Returns: the number, from 1. 0 if out of memory, which cannot happen for an
 *          id that is already in the table.
 */
size_t hp_id_index_put(struct hp_id_index *x, uint64_t id, bool *fresh);

enum { HP_ID_INDEX_TOGETHER = 16 }; /* maximum ids in one call */

/**
 * hp_id_index_append() - number several new ids
 * @n:     number of ids, from 1 to HP_ID_INDEX_TOGETHER
 * @taken: receives how many of the ids got a number. It stops at the first id
 *         that already has one; it may also stop earlier, but then after at
 *         least one id
 *
 * Returns: true; false if out of memory.
 */
bool hp_id_index_append(struct hp_id_index *x, const uint64_t *ids, size_t n,
			size_t *taken);

/* The number of @id, or 0 if it has none. */
size_t hp_id_index_get(const struct hp_id_index *x, uint64_t id);

/* Prefetch the slot of @id, for a lookup that follows soon. */
void hp_id_index_prefetch(const struct hp_id_index *x, uint64_t id);

static inline uint64_t
hp_id_index_bytes(const struct hp_id_index *x)
{
	return (x->cap + x->ids_cap) * sizeof(uint64_t);
}

/*
 * Bytes that it needs in addition when @n more ids are added: while the table
 * grows, the old slots and the new slots exist at the same time. 0 if there is
 * room without growing.
 */
uint64_t hp_id_index_growth(const struct hp_id_index *x, size_t n);

#endif
