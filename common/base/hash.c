/* hash.c - enlarge and free hash tables that find items of a list */
#include "common/base/hash.h"

#include "common/base/memory.h"

#include <string.h>

static size_t
slots_for(size_t cap, size_t n)
{
	if (cap == 0)
		cap = HP_HASH_MIN;
	while (hp_hash_room(cap) < n && cap <= SIZE_MAX / 4)
		cap *= 2;
	return cap;
}

/*
 * Copy a used slot into a larger table. The items in a table are all different,
 * so they need not be compared.
 */
static void
move_slot(struct hp_hash_table *t, const struct hp_hash_slot *from)
{
	size_t at = from->hash & (t->cap - 1);

	while (t->slots[at].number)
		at = (at + 1) & (t->cap - 1);
	t->slots[at] = *from;
}

bool
hp_hash_enlarge(struct hp_hash_table *t, size_t n)
{
	struct hp_hash_table larger = *t;

	larger.cap = slots_for(t->cap, n);
	if (n > UINT32_MAX || n > hp_hash_room(larger.cap))
		return false;
	larger.slots = hp_zeroed_table_new(larger.cap * sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	if (t->seed == 0)
		larger.seed = hp_seed(t);
	for (size_t i = 0; i < t->cap; i++)
		if (t->slots[i].number)
			move_slot(&larger, &t->slots[i]);
	hp_free(t->slots);
	*t = larger;
	return true;
}

void
hp_hash_clear(struct hp_hash_table *t)
{
	if (t->cap <= HP_HASH_MIN || t->cap / HP_HASH_KEPT <= t->count) {
		if (t->count > 0)
			memset(t->slots, 0, t->cap * sizeof(*t->slots));
	} else {
		hp_free(t->slots);
		t->slots = NULL;
		t->cap = 0;
	}
	t->count = 0;
}

void
hp_hash_release(struct hp_hash_table *t)
{
	hp_free(t->slots);
	*t = (struct hp_hash_table){0};
}
