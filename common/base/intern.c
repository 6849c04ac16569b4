/*
 * intern.c - interned texts: stored in an arena, found by a hash table
 */
#include "common/base/arena.h"
#include "common/base/memory.h"
#include "common/base/hash.h"
#include "common/base/vec.h"

#include <string.h>
#include <xxhash.h>

static bool
same_text(const void *items, uint32_t number, const void *key)
{
	const struct hp_slice *w =
		&((const struct hp_slice *)items)[number - 1];
	const struct hp_slice *text = key;

	return w->length == text->length &&
	       memcmp(w->text, text->text, text->length) == 0;
}

uint32_t
hp_intern_put(struct hp_intern *t, const char *text, size_t length, bool *fresh)
{
	const struct hp_slice key = {text, length};
	struct hp_hash_slot *slot;
	uint32_t hash;
	char *copy;

	*fresh = false;
	if (!hp_hash_reserve(&t->table, (size_t)t->count + 1))
		return 0;
	hash = (uint32_t)XXH3_64bits_withSeed(text, length, t->table.seed);
	slot = hp_hash_find(&t->table, hash, same_text, t->list, &key);
	if (slot->number)
		return slot->number;
	if (t->count > UINT32_MAX / 4 ||
	    !HP_LIST_RESERVE(t->list, t->count, t->list_room))
		return 0;
	copy = hp_arena_copy(&t->arena, text, length);
	if (!copy)
		return 0;
	*fresh = true;
	t->list[t->count++] = (struct hp_slice){copy, length};
	hp_hash_add(&t->table, slot, hash, t->count);
	return t->count;
}

uint32_t
hp_intern_find(const struct hp_intern *t, const char *text, size_t length)
{
	const struct hp_slice key = {text, length};

	if (t->count == 0)
		return 0;
	return hp_hash_find(&t->table,
			    (uint32_t)XXH3_64bits_withSeed(text, length,
							   t->table.seed),
			    same_text, t->list, &key)
		->number;
}

void
hp_intern_release(struct hp_intern *t)
{
	hp_arena_release(&t->arena);
	hp_free(t->list);
	hp_hash_release(&t->table);
	*t = (struct hp_intern){0};
}
