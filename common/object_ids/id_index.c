/*
 * id_index.c - a hash table that gives each id a number (open addressing with
 * linear probing)
 *
 * The hash is XXH3 with a random seed, as in id_map.c. A slot also has some
 * bits of the hash, which nearly always show whether it is necessary to compare
 * the id.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/object_ids/id_map.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/base/hash.h"

/* slots that fit in the L1 cache: no prefetch needed */
enum { PREFETCH_FROM = 4096 };

static uint64_t
hash_of(const struct hp_id_index *x, uint64_t id)
{
	return XXH3_64bits_withSeed(&id, sizeof(id), x->seed);
}

/*
 * Returns the slot of @id, whose hash is @hash, or the free slot where it
 * belongs.
 */
HP_HOT uint64_t *
index_slot(const struct hp_id_index *x, uint64_t id, uint64_t hash)
{
	const uint64_t low = x->cap - 1;
	uint64_t at = hash & low, slot;

	for (; (slot = x->slots[at]) != 0; at = (at + 1) & low)
		if (((slot ^ hash) & ~low) == 0 &&
		    x->ids[(slot & low) - 1] == id)
			break;
	return &x->slots[at];
}

/*
 * Enlarge the hash table, and the list of ids to the number that the table can
 * hold. If out of memory, returns false and leaves the table unchanged.
 */
static bool
grow(struct hp_id_index *x)
{
	const size_t cap = hp_id_map_larger(x->cap);
	struct hp_id_index larger;
	uint64_t hash, at, low;

	if (cap > SIZE_MAX / sizeof(*x->slots) ||
	    !hp_list_resize(&x->ids, &x->ids_cap, hp_id_map_room(cap),
			    sizeof(*x->ids)))
		return false;
	larger = *x;
	larger.cap = cap;
	larger.slots = hp_zeroed_table_new(larger.cap * sizeof(*x->slots));
	if (!larger.slots)
		return false;
	if (x->cap == 0)
		larger.seed = hp_seed(x);
	low = larger.cap - 1;
	for (size_t i = 0; i < x->count; i++) {
		hash = hash_of(&larger, x->ids[i]);
		for (at = hash & low; larger.slots[at];)
			at = (at + 1) & low;
		larger.slots[at] = (hash & ~low) | (i + 1);
	}
	hp_free(x->slots);
	*x = larger;
	return true;
}

uint64_t
hp_id_index_growth(const struct hp_id_index *x, size_t n)
{
	size_t cap = hp_id_map_larger(x->cap);

	if (x->count + n <= hp_id_map_room(x->cap))
		return 0;
	return (uint64_t)cap * sizeof(*x->slots) +
	       (uint64_t)(hp_id_map_room(cap) - x->ids_cap) * sizeof(*x->ids);
}

bool
hp_id_index_reserve(struct hp_id_index *x)
{
	return x->count < hp_id_map_room(x->cap) || grow(x);
}

size_t
hp_id_index_put(struct hp_id_index *x, uint64_t id, bool *fresh)
{
	uint64_t hash = 0, *slot = NULL;

	if (x->cap > 0) {
		hash = hash_of(x, id);
		slot = index_slot(x, id, hash);
	}
	*fresh = !slot || *slot == 0;
	if (!*fresh)
		return *slot & (x->cap - 1);
	if (x->count >= hp_id_map_room(x->cap)) {
		if (!grow(x))
			return 0;
		hash = hash_of(x, id);
		slot = index_slot(x, id, hash);
	}
	x->ids[x->count++] = id;
	*slot = (hash & ~(x->cap - 1)) | x->count;
	return x->count;
}

bool
hp_id_index_append(struct hp_id_index *x, const uint64_t *ids, size_t n,
		   size_t *taken)
{
	uint64_t hash[HP_ID_INDEX_TOGETHER], low, *slot;
	struct hp_id_index now;
	size_t room, i;

	*taken = 0;
	if (!hp_id_index_reserve(x))
		return false;
	room = hp_id_map_room(x->cap) - x->count;
	n = n < room ? n : room;
	/* a copy, so that the compiler keeps its members in registers */
	now = *x;
	low = now.cap - 1;
	for (i = 0; i < n; i++) {
		hash[i] = hash_of(&now, ids[i]);
		__builtin_prefetch(&now.slots[hash[i] & low], 1);
	}
	for (i = 0; i < n; i++) {
		slot = index_slot(&now, ids[i], hash[i]);
		if (*slot != 0)
			break;
		now.ids[now.count++] = ids[i];
		*slot = (hash[i] & ~low) | now.count;
	}
	x->count = now.count;
	*taken = i;
	return true;
}

size_t
hp_id_index_get(const struct hp_id_index *x, uint64_t id)
{
	return x->cap ? *index_slot(x, id, hash_of(x, id)) & (x->cap - 1) : 0;
}

void
hp_id_index_prefetch(const struct hp_id_index *x, uint64_t id)
{
	if (x->cap > PREFETCH_FROM)
		__builtin_prefetch(&x->slots[hash_of(x, id) & (x->cap - 1)], 1);
}

void
hp_id_index_release(struct hp_id_index *x)
{
	hp_free(x->slots);
	hp_free(x->ids);
	*x = (struct hp_id_index){0};
}
