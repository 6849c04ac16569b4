/* id_map.h - hash tables whose keys are object ids */
#ifndef HP_OBJECT_IDS_ID_MAP_H
#define HP_OBJECT_IDS_ID_MAP_H

#include "common/base/hash.h"
#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * A hash table from ids (or serials) to 64-bit values
 */

/*
 * HP_ID_MAP_MIN: the minimum number of slots of a table. A table with fewer
 * than HP_ID_MAP_LITTLE slots grows by a larger factor.
 */
enum { HP_ID_MAP_MIN = 16, HP_ID_MAP_LITTLE = 1 << 16 };

struct hp_id_slot {
	uint64_t id;
	uint64_t value;
};

/*
 * A hash table from ids to values. A zeroed struct is empty and ready for use.
 * The hash function has a secret seed, so a crafted dump cannot cause many
 * collisions.
 */
struct hp_id_map {
	struct hp_id_slot *slots;
	/*
	 * The number of slots (a power of two, or 0), and the number of
	 * entries.
	 */
	size_t cap, count;
	uint64_t seed;
	/*
	 * The map has an entry for the id 0; its value is `zero_value`. This
	 * entry is not in a slot, because the id 0 marks a free slot.
	 */
	bool has_zero;
	uint64_t zero_value;
};

void hp_id_map_release(struct hp_id_map *m);

/**
 * hp_id_map_put() - find or insert the entry of @id
 * @fresh: may be NULL; receives true if the entry is new, and then its value is
 *         0
 *
 * Returns: the address of the value, valid until the next insertion of a new
 *          id. NULL if out of memory, which cannot happen for an existing
 *          entry.
 */
uint64_t *hp_id_map_put(struct hp_id_map *m, uint64_t id, bool *fresh);

/*
 * Returns the address of the value of @id; NULL if the map has no entry for
 * @id.
 */
const uint64_t *hp_id_map_get(const struct hp_id_map *m, uint64_t id);

/* Prefetch the memory that hp_id_map_get() and hp_id_map_put() read first. */
void hp_id_map_prefetch(const struct hp_id_map *m, uint64_t id);

/*
 * Set the value of @id. If the map has no entry for @id, insert one. Returns
 * false if out of memory.
 */
HP_MUST_USE bool hp_id_map_set(struct hp_id_map *m, uint64_t id,
			       uint64_t value);
/*
 * Set the value of @id, unless it already has a smaller value. If the map has
 * no entry for @id, insert one. Returns false if out of memory.
 */
HP_MUST_USE bool hp_id_map_set_least(struct hp_id_map *m, uint64_t id,
				     uint64_t value);

/*
 * For a map whose values are pointers: returns the value of @id; NULL if the
 * map has no entry for @id.
 */
static inline void *
hp_id_map_pointer(const struct hp_id_map *m, uint64_t id)
{
	const uint64_t *place = hp_id_map_get(m, id);

	return place ? (void *)(uintptr_t)*place : NULL;
}

/*
 * Returns the address of the value of @id, so that the caller can change the
 * value. Returns NULL if the map has no entry for @id.
 */
uint64_t *hp_id_map_find(struct hp_id_map *m, uint64_t id);

static inline bool
hp_id_map_is_empty(const struct hp_id_map *m)
{
	return m->count == 0 && !m->has_zero;
}

static inline uint64_t
hp_id_map_bytes(const struct hp_id_map *m)
{
	return m->cap * sizeof(struct hp_id_slot);
}

/*
 * Returns how many entries a table with @cap slots may have before it must
 * grow. struct hp_id_index uses the same limit.
 */
static inline size_t
hp_id_map_room(size_t cap)
{
	return cap / 10 * 7;
}

/*
 * Returns the number of slots to which a table with @cap slots grows. Small
 * tables grow by a larger factor, so that they are copied less often.
 */
static inline size_t
hp_id_map_larger(size_t cap)
{
	if (cap == 0)
		return HP_ID_MAP_MIN;
	return cap * (cap < HP_ID_MAP_LITTLE ? 4 : 2);
}

/*
 * Whether one more entry can be inserted while the map uses at most @most
 * bytes. If the map must grow, this includes both its old and its new slots.
 */
static inline bool
hp_id_map_fits(const struct hp_id_map *m, uint64_t most)
{
	/* while the map grows, its old and its new slots both exist */
	return m->count < hp_id_map_room(m->cap) ||
	       (m->cap + hp_id_map_larger(m->cap)) *
			       sizeof(struct hp_id_slot) <=
		       most;
}

/*
 * If the map must grow to insert @n more entries, returns the size of its new
 * slots in bytes (its old slots still exist while it grows). Otherwise returns
 * 0.
 */
static inline uint64_t
hp_id_map_growth(const struct hp_id_map *m, size_t n)
{
	return m->count + n <= hp_id_map_room(m->cap)
		       ? 0
		       : hp_id_map_larger(m->cap) * sizeof(struct hp_id_slot);
}

/*
 * Iterate over all entries, in the order of the table, which is arbitrary. Set
 * *@at to 0 before the first call. Returns false at the end.
 */
bool hp_id_map_next(const struct hp_id_map *m, size_t *at, uint64_t *id,
		    uint64_t *value);

/* ----------------------------------------------------------------------
 * A hash table from ids to consecutive numbers
 *
 * Ids get the numbers 1, 2, 3 ... in the order of their insertion. The table
 * takes half of the memory of an hp_id_map: a slot has only 8 bytes, and the
 * ids are in a separate list. Ids cannot be removed.
 */

/*
 * A hash table from ids to consecutive numbers. A zeroed struct is empty and
 * ready for use. The hash function has a secret seed, so a crafted dump cannot
 * cause many collisions.
 */
struct hp_id_index {
	struct hp_hash_table table;
	/* the list of ids; the id with number n is at index n - 1 */
	uint64_t *ids;
	size_t count, ids_cap;
};

void hp_id_index_release(struct hp_id_index *x);

/*
 * Make room for at least one more id. Afterwards the table has room for
 * x->ids_cap ids in total. Returns false if out of memory.
 */
bool hp_id_index_reserve(struct hp_id_index *x);

/**
 * hp_id_index_put() - get the number of @id; a new id gets the next number
 * @fresh: receives true if the id is new
 *
 * Returns: the number, from 1. 0 if out of memory, which cannot happen for an
 *          id that is already in the table.
 */
size_t hp_id_index_put(struct hp_id_index *x, uint64_t id, bool *fresh);

/* maximum number of ids in one call of hp_id_index_append() */
enum { HP_ID_INDEX_TOGETHER = 16 };

/**
 * hp_id_index_append() - number several new ids
 * @n:     number of ids, from 1 to HP_ID_INDEX_TOGETHER
 * @taken: receives how many of the ids got a number. The function handles the
 *         ids in order, and stops at an id that already has a number. It may
 *         also stop earlier, but not before the first id has got a number
 *
 * Returns: true; false if out of memory.
 */
bool hp_id_index_append(struct hp_id_index *x, const uint64_t *ids, size_t n,
			size_t *taken);

/* Returns the number of @id; 0 if the table does not contain it. */
size_t hp_id_index_get(const struct hp_id_index *x, uint64_t id);

/* Prefetch the slot of @id, because it will be looked up soon. */
void hp_id_index_prefetch(const struct hp_id_index *x, uint64_t id);

static inline uint64_t
hp_id_index_bytes(const struct hp_id_index *x)
{
	return x->table.cap * sizeof(struct hp_hash_slot) +
	       x->ids_cap * sizeof(uint64_t);
}

/*
 * If the table must grow before @n more ids are added, returns how many more
 * bytes it needs while it grows (its old slots still exist then). Otherwise
 * returns 0.
 */
uint64_t hp_id_index_growth(const struct hp_id_index *x, size_t n);

#endif
