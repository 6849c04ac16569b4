/*
 * intern.c - interned texts: stored in an arena, found by a hash table
 */
#include "common/base/arena.h"
#include "common/base/memory.h"
#include "common/base/hash.h"
#include "common/base/vec.h"

#include <string.h>
#include <xxhash.h>

enum { SLOTS_MIN = 1024 };

/* Double the number of slots, or allocate the first ones. */
static bool
grow_slots(struct hp_intern *t)
{
	size_t n = t->nslots ? 2 * t->nslots : SLOTS_MIN;
	uint32_t *slots = hp_calloc(n, sizeof(*slots));

	if (!slots)
		return false;
	if (t->nslots == 0)
		t->seed = hp_seed(t);
	for (uint32_t i = 0; i < t->count; i++) {
		size_t at = t->hashes[i] & (n - 1);

		while (slots[at])
			at = (at + 1) & (n - 1);
		slots[at] = i + 1;
	}
	hp_free(t->slots);
	t->slots = slots;
	t->nslots = n;
	return true;
}

uint32_t
hp_intern_put(struct hp_intern *t, const char *text, size_t length, bool *fresh)
{
	uint32_t hash, number;
	size_t at;
	char *copy;

	*fresh = false;
	if (t->count >= t->nslots / 2 && !grow_slots(t))
		return 0;
	hash = (uint32_t)XXH3_64bits_withSeed(text, length, t->seed);
	at = hash & (t->nslots - 1);
	while ((number = t->slots[at]) != 0) {
		const struct hp_interned *w = &t->list[number - 1];

		if (t->hashes[number - 1] == hash && w->length == length &&
		    memcmp(w->text, text, length) == 0)
			return number;
		at = (at + 1) & (t->nslots - 1);
	}
	if (t->count > UINT32_MAX / 4 ||
	    !HP_LIST_RESERVE(t->list, t->count, t->list_room) ||
	    !HP_LIST_RESERVE(t->hashes, t->count, t->hashes_room))
		return 0;
	copy = hp_arena_copy(&t->arena, text, length);
	if (!copy)
		return 0;
	*fresh = true;
	t->hashes[t->count] = hash;
	t->list[t->count++] = (struct hp_interned){copy, length};
	t->slots[at] = t->count;
	return t->count;
}

void
hp_intern_release(struct hp_intern *t)
{
	hp_arena_release(&t->arena);
	hp_free(t->list);
	hp_free(t->hashes);
	hp_free(t->slots);
	*t = (struct hp_intern){0};
}
