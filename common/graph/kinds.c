/*
 * kinds.c - a hash table of kinds (sets of objects with equal class and size)
 * that all threads share, and a cache for each thread
 */
#include "common/graph/graph.h"

#include "common/base/memory.h"
#include "common/base/hash.h"

#include <string.h>
#include <xxhash.h>

_Static_assert(sizeof(struct hp_node_kind) == 32, "a kind has no padding");

enum { FIRST = 1024 };

enum hp_status
hp_node_kinds_init(struct hp_node_kinds *k, struct hp_error *err)
{
	*k = (struct hp_node_kinds){.cap = FIRST,
				    .slot_cap = 2 * FIRST,
				    .count = 1,
				    .seed = hp_seed(k)};
	pthread_mutex_init(&k->lock, NULL);
	k->list = hp_calloc(k->cap, sizeof(*k->list));
	k->slots = hp_calloc(k->slot_cap, sizeof(*k->slots));
	return k->list && k->slots ? HP_OK : hp_no_memory(err);
}

void
hp_node_kinds_release(struct hp_node_kinds *k)
{
	if (k->cap)
		pthread_mutex_destroy(&k->lock);
	hp_free(k->list);
	hp_free(k->slots);
	*k = (struct hp_node_kinds){0};
}

uint64_t
hp_node_kinds_bytes(struct hp_node_kinds *k, uint64_t more)
{
	uint64_t bytes;

	pthread_mutex_lock(&k->lock);
	bytes = k->cap * sizeof(*k->list) + k->slot_cap * sizeof(*k->slots) +
		k->count * more;
	/*
	 * a list grows without a copy of its pages, so only the hash slots
	 * count twice
	 */
	if (k->count > k->cap / 2)
		bytes += 2 * k->slot_cap * sizeof(*k->slots);
	pthread_mutex_unlock(&k->lock);
	return bytes;
}

/* Returns the slot of a kind, or the free slot where it belongs. */
static uint32_t *
find_slot(const struct hp_node_kinds *k, const struct hp_node_kind *kind)
{
	size_t at = XXH3_64bits_withSeed(kind, sizeof(*kind), k->seed) &
		    (k->slot_cap - 1);

	while (k->slots[at] &&
	       memcmp(&k->list[k->slots[at]], kind, sizeof(*kind)) != 0)
		at = (at + 1) & (k->slot_cap - 1);
	return &k->slots[at];
}

static bool
grow(struct hp_node_kinds *k)
{
	struct hp_node_kind *list =
		hp_realloc(k->list, 2 * k->cap * sizeof(*list));
	uint32_t *slots;

	if (!list)
		return false;
	k->list = list;
	slots = hp_calloc(2 * k->slot_cap, sizeof(*slots));
	if (!slots)
		return false;
	hp_free(k->slots);
	k->slots = slots;
	k->cap *= 2;
	k->slot_cap *= 2;
	for (uint32_t i = 1; i < k->count; i++)
		*find_slot(k, &k->list[i]) = i;
	return true;
}

static uint32_t
number_locked(struct hp_node_kinds *k, const struct hp_node_kind *kind)
{
	uint32_t *slot = find_slot(k, kind);

	if (*slot)
		return *slot;
	if (k->count == k->cap) {
		if (k->count >= UINT32_MAX / 2 || !grow(k))
			return 0;
		slot = find_slot(k, kind);
	}
	k->list[k->count] = *kind;
	*slot = k->count;
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
