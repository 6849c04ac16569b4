/*
 * kinds.c - a hash table of kinds (sets of objects with equal class and size)
 * that all threads share, and a cache for each thread
 */
#include "common/graph/graph.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <string.h>
#include <xxhash.h>

_Static_assert(sizeof(struct hp_node_kind) == 32,
	       "struct hp_node_kind has no padding");

enum { FIRST = 1024 };

enum hp_status
hp_node_kinds_init(struct hp_node_kinds *k, struct hp_error *err)
{
	*k = (struct hp_node_kinds){.cap = FIRST, .count = 1};
	pthread_mutex_init(&k->lock, NULL);
	k->list = hp_calloc(k->cap, sizeof(*k->list));
	return k->list && hp_hash_reserve(&k->table, FIRST) ? HP_OK
							    : hp_no_memory(err);
}

void
hp_node_kinds_release(struct hp_node_kinds *k)
{
	if (k->cap)
		pthread_mutex_destroy(&k->lock);
	hp_free(k->list);
	hp_hash_release(&k->table);
	*k = (struct hp_node_kinds){0};
}

uint64_t
hp_node_kinds_bytes(struct hp_node_kinds *k, uint64_t more)
{
	uint64_t bytes;

	pthread_mutex_lock(&k->lock);
	bytes = k->cap * sizeof(*k->list) +
		k->table.cap * sizeof(*k->table.slots) + k->count * more;
	/*
	 * While the hash table grows, its old and new slots both exist. The
	 * list of kinds grows without a copy.
	 */
	if (k->table.count > k->table.cap / 3)
		bytes += 2 * k->table.cap * sizeof(*k->table.slots);
	pthread_mutex_unlock(&k->lock);
	return bytes;
}

static bool
same_kind(const void *items, uint32_t number, const void *key)
{
	const struct hp_node_kind *list = items;

	return memcmp(&list[number], key, sizeof(*list)) == 0;
}

static uint32_t
number_locked(struct hp_node_kinds *k, const struct hp_node_kind *kind)
{
	const uint32_t hash = (uint32_t)XXH3_64bits_withSeed(
		kind, sizeof(*kind), k->table.seed);
	struct hp_hash_slot *slot =
		hp_hash_find(&k->table, hash, same_kind, k->list, kind);

	if (slot->number)
		return slot->number;
	if (k->count >= UINT32_MAX / 2 ||
	    !HP_LIST_RESERVE(k->list, k->count, k->cap) ||
	    !hp_hash_reserve(&k->table, k->count))
		return 0;
	slot = hp_hash_find(&k->table, hash, same_kind, k->list, kind);
	k->list[k->count] = *kind;
	hp_hash_add(&k->table, slot, hash, k->count);
	return k->count++;
}

uint32_t
hp_node_kinds_number(struct hp_node_kinds *k, struct hp_node_kinds_near *near,
		     const struct hp_node_kind *kind)
{
	uint64_t mixed = (kind->class_id ^ kind->bytes << 20 ^
			  (uint64_t)kind->trace << 40 ^ kind->heap) *
			 UINT64_C(0x9E3779B97F4A7C15);
	unsigned at = (unsigned)(mixed >> 52);

	if (HP_LIKELY(near->slots[at].number != 0 &&
		      memcmp(&near->slots[at].kind, kind, sizeof(*kind)) == 0))
		return near->slots[at].number;
	pthread_mutex_lock(&k->lock);
	near->slots[at].number = number_locked(k, kind);
	pthread_mutex_unlock(&k->lock);
	near->slots[at].kind = *kind;
	return near->slots[at].number;
}
