/*
 * id_map.h - ids (or serials) to 64-bit values: open addressing, XXH3
 */
#ifndef HP_IDS_ID_MAP_H
#define HP_IDS_ID_MAP_H

#include "common/base/status.h"

enum { HP_ID_MAP_MIN = 16, HP_ID_MAP_LITTLE = 1 << 16 }; /* slots */

struct hp_id_slot {
	uint64_t id;
	uint64_t value;
};

/* A zeroed one is empty and ready; keyed against crafted ids. */
struct hp_id_map {
	struct hp_id_slot *slots;
	size_t cap, count; /* cap: a power of two or 0 */
	uint64_t seed;
	bool has_zero; /* id 0 is kept apart: 0 marks a free slot */
	uint64_t zero_value;
};

void hp_id_map_release(struct hp_id_map *m);

/**
 * hp_id_map_put() - find or make the entry of @id
 * @fresh: may be NULL; true if it was made just now (its value is 0)
 *
 * Returns: its value's place, valid until the next put of a new id; NULL: out
 *          of memory, never for an id that is there.
 */
uint64_t *hp_id_map_put(struct hp_id_map *m, uint64_t id, bool *fresh);

/* The value of @id, or NULL if it has none. */
const uint64_t *hp_id_map_get(const struct hp_id_map *m, uint64_t id);

/* Make @value that of @id. False: out of memory. */
HP_MUST_USE bool hp_id_map_set(struct hp_id_map *m, uint64_t id,
			       uint64_t value);
/* The same, unless @id has a lesser one: then that stays. */
HP_MUST_USE bool hp_id_map_set_least(struct hp_id_map *m, uint64_t id,
				     uint64_t value);

/* The value of @id where values are pointers; NULL if it has none. */
static inline void *
hp_id_map_pointer(const struct hp_id_map *m, uint64_t id)
{
	const uint64_t *place = hp_id_map_get(m, id);

	return place ? (void *)(uintptr_t)*place : NULL;
}

/* The same as hp_id_map_get(), to be changed; puts nothing. */
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

/* Entries that so many slots have room for, of an hp_id_index as well. */
static inline size_t
hp_id_map_room(size_t cap)
{
	return cap / 10 * 7;
}

/* Slots after growing: little tables grow faster, to be copied less often. */
static inline size_t
hp_id_map_larger(size_t cap)
{
	if (cap == 0)
		return HP_ID_MAP_MIN;
	return cap * (cap < HP_ID_MAP_LITTLE ? 4 : 2);
}

/* What a map of @n entries takes, its last growth aside. */
static inline uint64_t
hp_id_map_bytes_for(size_t n)
{
	size_t cap = 0;

	while (hp_id_map_room(cap) < n)
		cap = hp_id_map_larger(cap);
	return cap * sizeof(struct hp_id_slot);
}

/* May a map get one more entry without taking more than @most bytes? */
static inline bool
hp_id_map_fits(const struct hp_id_map *m, uint64_t most)
{
	/* while it grows the old slots are there, too */
	return m->count < hp_id_map_room(m->cap) ||
	       (m->cap + hp_id_map_larger(m->cap)) *
			       sizeof(struct hp_id_slot) <=
		       most;
}

/* What @n more entries may take anew, while the old slots are there, too. */
static inline uint64_t
hp_id_map_growth(const struct hp_id_map *m, size_t n)
{
	return m->count + n <= hp_id_map_room(m->cap)
		       ? 0
		       : hp_id_map_larger(m->cap) * sizeof(struct hp_id_slot);
}

/* Walk: *@at from 0; false at the end. Order is that of the table. */
bool hp_id_map_next(const struct hp_id_map *m, size_t *at, uint64_t *id,
		    uint64_t *value);

#endif
