/*
 * edge_carries.c - record which 4-bit counters of references overflowed, in one
 * hash table for each kind of reference; the key is an object
 *
 * The hash table of common/base/hash.h would need a list of objects and a list
 * of counts in addition to its slots, and struct hp_id_map has slots of 16
 * bytes. In the tables of this file, a slot has 8 bytes, because each table
 * belongs to one kind of reference. For a dump of 64 MB with 400,000 objects,
 * each with 36 references to it, this saves 20 MB of 65 MB of memory.
 */
#include "diff/holders/internal.h"

#include "common/base/memory.h"
#include "common/base/hash.h"
#include "common/base/vec.h"

enum { FEWEST = 4 /* number of slots of a new hash table */ };

void
hp_edge_carries_release(struct hp_edge_carries *c)
{
	for (size_t i = 0; i < c->count; i++)
		hp_free(c->list[i].slots);
	hp_free(c->list);
	hp_id_map_release(&c->by_edge);
	*c = (struct hp_edge_carries){0};
}

static struct hp_edge_carry_table *
table_of(struct hp_edge_carries *c, uint32_t edge)
{
	uint64_t *number;

	if (c->last < c->count && c->list[c->last].edge == edge)
		return &c->list[c->last];
	number = hp_id_map_put(&c->by_edge, edge, NULL);
	if (!number)
		return NULL;
	if (*number == 0) {
		if (!HP_LIST_RESERVE(c->list, c->count, c->cap))
			return NULL;
		c->list[c->count++] =
			(struct hp_edge_carry_table){.edge = edge};
		*number = c->count;
	}
	c->last = (size_t)*number - 1;
	return &c->list[c->last];
}

/*
 * Returns the slot of an object in the hash table, or the free slot where it
 * belongs (linear probing). A slot with the maximum count is skipped, so that
 * the object gets a second slot.
 */
static struct hp_edge_carry *
find_slot(const struct hp_edge_carries *c, const struct hp_edge_carry_table *t,
	  uint32_t node)
{
	uint64_t mixed = (node ^ c->seed) * UINT64_C(0x9E3779B97F4A7C15);
	uint32_t at =
		(uint32_t)hp_seed_place(c->seed, mixed ^ mixed >> 32, t->cap);

	while (t->slots[at].times != 0 &&
	       (t->slots[at].node != node || t->slots[at].times == UINT32_MAX))
		at = (at + 1) & (t->cap - 1);
	return &t->slots[at];
}

/*
 * Double the number of slots of a hash table. If out of memory, returns false
 * and leaves the table unchanged.
 */
static bool
grow(struct hp_edge_carries *c, struct hp_edge_carry_table *t)
{
	struct hp_edge_carry_table old = *t;

	if (old.cap > UINT32_MAX / 2)
		return false;
	t->cap = old.cap ? 2 * old.cap : FEWEST;
	t->slots = hp_calloc(t->cap, sizeof(*t->slots));
	if (!t->slots) {
		*t = old;
		return false;
	}
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.slots[i].times != 0)
			*find_slot(c, t, old.slots[i].node) = old.slots[i];
	hp_free(old.slots);
	c->bytes += (t->cap - old.cap) * sizeof(*t->slots);
	return true;
}

bool
hp_edge_carries_add(struct hp_edge_carries *c, uint32_t edge, uint32_t node)
{
	struct hp_edge_carry_table *t;
	struct hp_edge_carry *slot;

	if (c->seed == 0)
		c->seed = hp_seed(c) | 1;
	t = table_of(c, edge);
	/* keep at least a quarter of the slots free */
	if (!t || (t->count >= t->cap - t->cap / 4 && !grow(c, t)))
		return false;
	slot = find_slot(c, t, node);
	t->count += slot->times == 0;
	slot->node = node;
	slot->times++;
	return true;
}
