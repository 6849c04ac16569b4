/*
 * id_map.h - a hash table from ids (or serials) to 64-bit values
 */
#ifndef HP_IDS_ID_MAP_H
#define HP_IDS_ID_MAP_H

#include "common/base/status.h"

/* numbers of slots: at least MIN; tables below LITTLE grow faster */
enum { HP_ID_MAP_MIN = 16, HP_ID_MAP_LITTLE = 1 << 16 };

struct hp_id_slot {
	uint64_t id;
	uint64_t value;
};

/*
 * A zeroed struct is empty and ready for use. The hash has a secret seed, so a
 * crafted dump cannot cause many collisions.
 */
struct hp_id_map {
	struct hp_id_slot *slots;
	size_t cap, count; /* cap: number of slots, a power of two or 0 */
	uint64_t seed;
	bool has_zero; /* id 0 is stored here, as 0 marks a free slot */
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

/* The address of the value of @id, or NULL if there is no entry. */
const uint64_t *hp_id_map_get(const struct hp_id_map *m, uint64_t id);

/*
 * Set the value of @id, inserting it if needed. Returns false if out of memory.
 */
HP_MUST_USE bool hp_id_map_set(struct hp_id_map *m, uint64_t id,
			       uint64_t value);
/* Like hp_id_map_set(), but an existing smaller value stays. */
HP_MUST_USE bool hp_id_map_set_least(struct hp_id_map *m, uint64_t id,
				     uint64_t value);

/*
 * The value of @id in a map whose values are pointers. NULL if there is no
 * entry.
 */
static inline void *
hp_id_map_pointer(const struct hp_id_map *m, uint64_t id)
{
	const uint64_t *place = hp_id_map_get(m, id);

	return place ? (void *)(uintptr_t)*place : NULL;
}

/*
 * Like hp_id_map_get(), but the caller may change the value. Inserts nothing.
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

/* Maximum number of entries in @cap slots. Also used by hp_id_index. */
static inline size_t
hp_id_map_room(size_t cap)
{
	return cap / 10 * 7;
}

/*
 * Number of slots after growing. Small tables grow faster, so that they are
 * copied less often.
 */
static inline size_t
hp_id_map_larger(size_t cap)
{
	if (cap == 0)
		return HP_ID_MAP_MIN;
	return cap * (cap < HP_ID_MAP_LITTLE ? 4 : 2);
}

/* Bytes of a map with @n entries. While it grows, it needs more. */
static inline uint64_t
hp_id_map_bytes_for(size_t n)
{
	size_t cap = 0;

	while (hp_id_map_room(cap) < n)
		cap = hp_id_map_larger(cap);
	return cap * sizeof(struct hp_id_slot);
}

/*
 * Whether a new entry can be inserted while the map never takes more than @most
 * bytes.
 */
static inline bool
hp_id_map_fits(const struct hp_id_map *m, uint64_t most)
{
	/* while it grows, the old slots and the new ones exist */
	return m->count < hp_id_map_room(m->cap) ||
	       (m->cap + hp_id_map_larger(m->cap)) *
			       sizeof(struct hp_id_slot) <=
		       most;
}

/*
 * Bytes of the new slots, if inserting @n more entries makes the map grow; the
 * old slots still exist at that time. 0 if it need not grow.
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

#endif
