/*
 * waste_sums.c - add up the waste for each pair of a kind of waste and a holder
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

bool
hp_waste_sums_add(struct hp_waste_sums *s, uint64_t key, uint64_t count,
		  uint64_t waste, uint64_t dedup)
{
	uint64_t *slot;

	if (s->count == 0 || s->list[s->last].key != key) {
		slot = hp_id_map_put(&s->by_key, key + 1, NULL);
		if (slot && !*slot) {
			if (!HP_LIST_PUSH(s->list, s->count, s->cap,
					  (struct hp_waste_sum){.key = key}))
				return false;
			*slot = s->count;
		}
		if (!slot)
			return false;
		s->last = *slot - 1;
	}
	s->list[s->last].count += count;
	s->list[s->last].waste += waste;
	s->list[s->last].dedup += dedup;
	return true;
}

void
hp_waste_sums_release(struct hp_waste_sums *s)
{
	hp_id_map_release(&s->by_key);
	hp_free(s->list);
	*s = (struct hp_waste_sums){0};
}

uint32_t
hp_waste_holder(const struct hp_waste *w, uint32_t node)
{
	uint32_t number = w->wide_holders
				  ? ((const uint32_t *)w->held.at)[node]
				  : ((const uint16_t *)w->held.at)[node];

	return number ? hp_held_by_field(number - 1)
		      : hp_waste_kind_of(w, node);
}

bool
hp_waste_add(struct hp_waste_sums *s, enum hp_waste_kind kind, uint32_t holder,
	     uint64_t waste, uint64_t dedup)
{
	return hp_waste_sums_add(s, (uint64_t)kind << 32 | holder, 1, waste,
				 dedup);
}

bool
hp_waste_count(struct hp_waste_sums *s, enum hp_waste_family family,
	       uint32_t holder, uint64_t objects)
{
	return hp_waste_sums_add(
		s, (uint64_t)(HP_WASTES + (unsigned)family) << 32 | holder,
		objects, 0, 0);
}

bool
hp_waste_holder_text(struct hp_waste *w, uint32_t holder, struct hp_buf *out)
{
	const struct hp_name *name;

	if (holder & HP_HELD_FIELD)
		return hp_edge_kind_text(&w->edges, hp_held_number(holder),
					 out);
	name = hp_key_kind(w->keys, &w->kinds.list[holder]);
	if (name)
		hp_buf_add(out, name->text, name->len);
	return name && hp_buf_ok(out);
}
