/*
 * id_index.c - give ids consecutive numbers, in the order of their insertion
 *
 * The hash table of common/base/hash.h finds the number of an id. The hash is
 * XXH3 with the random seed of the table.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/object_ids/id_map.h"
#include "common/base/memory.h"
#include "common/base/vec.h"

/*
 * Tables with fewer slots than this fit in the L1 cache and need no prefetch.
 */
enum { PREFETCH_FROM = 4096 };

static uint32_t
hash_of(const struct hp_id_index *x, uint64_t id)
{
	return (uint32_t)XXH3_64bits_withSeed(&id, sizeof(id), x->table.seed);
}

HP_HOT bool
is_id(const void *ids, uint32_t number, const void *id)
{
	const uint64_t *list = ids;

	return list[number - 1] == *(const uint64_t *)id;
}

static size_t
larger_cap(const struct hp_id_index *x)
{
	size_t cap = hp_id_map_larger(x->table.cap);

	return cap < HP_HASH_MIN ? HP_HASH_MIN : cap;
}

/*
 * Enlarge the hash table and the list of ids; afterwards both have room for the
 * same number of ids. Returns false if out of memory; the ids in the table
 * remain.
 */
static bool
grow(struct hp_id_index *x)
{
	const size_t room = hp_id_map_room(larger_cap(x));

	return hp_list_resize(&x->ids, &x->ids_cap, room, sizeof(*x->ids)) &&
	       hp_hash_reserve(&x->table, room);
}

uint64_t
hp_id_index_growth(const struct hp_id_index *x, size_t n)
{
	size_t cap = larger_cap(x);

	if (x->count + n <= hp_id_map_room(x->table.cap))
		return 0;
	return (uint64_t)cap * sizeof(struct hp_hash_slot) +
	       (uint64_t)(hp_id_map_room(cap) - x->ids_cap) * sizeof(*x->ids);
}

bool
hp_id_index_reserve(struct hp_id_index *x)
{
	return x->count < hp_id_map_room(x->table.cap) || grow(x);
}

size_t
hp_id_index_put(struct hp_id_index *x, uint64_t id, bool *fresh)
{
	struct hp_hash_slot *slot;
	uint32_t hash;

	*fresh = false;
	if (x->count > 0) {
		hash = hash_of(x, id);
		slot = hp_hash_find(&x->table, hash, is_id, x->ids, &id);
		if (slot->number)
			return slot->number;
	}
	*fresh = true;
	if (!hp_id_index_reserve(x))
		return 0;
	hash = hash_of(x, id);
	slot = hp_hash_find(&x->table, hash, is_id, x->ids, &id);
	x->ids[x->count++] = id;
	hp_hash_add(&x->table, slot, hash, (uint32_t)x->count);
	return x->count;
}

bool
hp_id_index_append(struct hp_id_index *x, const uint64_t *ids, size_t n,
		   size_t *taken)
{
	uint32_t hash[HP_ID_INDEX_TOGETHER];
	struct hp_hash_slot *slot;
	struct hp_id_index now;
	size_t room, i;

	*taken = 0;
	if (!hp_id_index_reserve(x))
		return false;
	room = hp_id_map_room(x->table.cap) - x->count;
	n = n < room ? n : room;
	/*
	 * work on a copy, so that the compiler keeps the members in registers
	 */
	now = *x;
	for (i = 0; i < n; i++) {
		hash[i] = hash_of(&now, ids[i]);
		hp_hash_prefetch(&now.table, hash[i]);
	}
	for (i = 0; i < n; i++) {
		slot = hp_hash_find(&now.table, hash[i], is_id, now.ids,
				    &ids[i]);
		if (slot->number)
			break;
		now.ids[now.count++] = ids[i];
		hp_hash_add(&now.table, slot, hash[i], (uint32_t)now.count);
	}
	*x = now;
	*taken = i;
	return true;
}

size_t
hp_id_index_get(const struct hp_id_index *x, uint64_t id)
{
	return x->count ? hp_hash_find(&x->table, hash_of(x, id), is_id, x->ids,
				       &id)
				  ->number
			: 0;
}

void
hp_id_index_prefetch(const struct hp_id_index *x, uint64_t id)
{
	if (x->table.cap > PREFETCH_FROM)
		hp_hash_prefetch(&x->table, hash_of(x, id));
}

void
hp_id_index_release(struct hp_id_index *x)
{
	hp_hash_release(&x->table);
	hp_free(x->ids);
	*x = (struct hp_id_index){0};
}
