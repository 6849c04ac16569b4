/*
 * id_table.c - a table from ids to numbers: an array indexed by the rank of an
 * id (its index in the sorted list of all ids)
 */
#include "common/object_ids/id_ranks.h"
#include "common/base/memory.h"

enum hp_status
hp_id_table_init(struct hp_id_table *t, unsigned shift, uint64_t bytes,
		 uint64_t memory, uint64_t share, struct hp_error *err)
{
	enum hp_status st;

	*t = (struct hp_id_table){0};
	st = hp_id_definitions_init(&t->sets, 1, shift, bytes, memory, share,
				    err);
	t->ready = st == HP_OK;
	return st;
}

void
hp_id_table_release(struct hp_id_table *t)
{
	if (t->ready)
		hp_id_sets_release(&t->sets);
	hp_id_ranks_release(&t->ranks);
	hp_free(t->numbers);
	*t = (struct hp_id_table){0};
}

/*
 * Returns how many bytes of memory the array `numbers` and the data for
 * computing ranks take together.
 */
static uint64_t
bytes_needed(const struct hp_id_table *t)
{
	return t->ranks.count * t->width + hp_id_ranks_bytes(&t->sets);
}

uint64_t
hp_id_table_bytes(const struct hp_id_table *t)
{
	return bytes_needed(t) + t->sets.leaf_bytes +
	       hp_id_map_bytes(&t->sets.odd_defined);
}

static enum hp_status
too_many(struct hp_error *err)
{
	return hp_fail(
		err, HP_LIMIT,
		"--memory is too small for the ids of all objects; allow more");
}

enum hp_status
hp_id_table_settle(struct hp_id_table *t, uint64_t most, struct hp_error *err)
{
	enum hp_status st = hp_id_sets_finish(&t->sets, err);

	if (st != HP_OK)
		return st;
	t->width = most < UINT16_MAX ? 2 : most < UINT32_MAX ? 4 : 8;
	if (hp_id_sets_partial(&t->sets) || hp_id_sets_over_memory(&t->sets) ||
	    bytes_needed(t) > t->sets.memory)
		return too_many(err);
	st = hp_id_ranks_init(&t->ranks, &t->sets, err);
	if (st != HP_OK)
		return st;
	if (hp_id_table_bytes(t) > t->sets.memory)
		return too_many(err);
	t->numbers = hp_calloc(t->ranks.count + 1, t->width);
	return t->numbers ? HP_OK : hp_no_memory(err);
}

/*
 * Atomically store @v in the element @at of the array of numbers, unless the
 * element has a smaller value. The value 0 means that the element has no value.
 * @had receives whether it had one.
 */
#define PUT_LEAST(type, at, v, had)                                            \
	do {                                                                   \
		_Atomic type *place = (_Atomic type *)t->numbers + (at);       \
		type old = atomic_load_explicit(place, memory_order_relaxed);  \
		while ((old == 0 || old > (type)(v)) &&                        \
		       !atomic_compare_exchange_weak_explicit(                 \
			       place, &old, (type)(v), memory_order_relaxed,   \
			       memory_order_relaxed))                          \
			continue;                                              \
		had = old != 0;                                                \
	} while (0)

bool
hp_id_table_put(struct hp_id_table *t, struct hp_rank_near *near, uint64_t id,
		uint64_t number)
{
	uint64_t at = hp_id_rank(&t->ranks, near, id);
	bool had;

	if (at == HP_NO_RANK)
		return false;
	if (t->width == 2)
		PUT_LEAST(uint16_t, at, number + 1, had);
	else if (t->width == 4)
		PUT_LEAST(uint32_t, at, number + 1, had);
	else
		PUT_LEAST(uint64_t, at, number + 1, had);
	return had;
}

void
hp_id_table_set(struct hp_id_table *t, struct hp_rank_near *near, uint64_t id,
		uint64_t number)
{
	uint64_t at = hp_id_rank(&t->ranks, near, id);

	if (at == HP_NO_RANK)
		return;
	if (t->width == 2)
		((uint16_t *)t->numbers)[at] = (uint16_t)(number + 1);
	else if (t->width == 4)
		((uint32_t *)t->numbers)[at] = (uint32_t)(number + 1);
	else
		((uint64_t *)t->numbers)[at] = number + 1;
}

uint64_t
hp_id_table_get(const struct hp_id_table *t, struct hp_rank_near *near,
		uint64_t id)
{
	uint64_t at = hp_id_rank(&t->ranks, near, id);

	if (at == HP_NO_RANK)
		return 0;
	if (t->width == 2)
		return ((const uint16_t *)t->numbers)[at];
	if (t->width == 4)
		return ((const uint32_t *)t->numbers)[at];
	return ((const uint64_t *)t->numbers)[at];
}

void
hp_id_table_prefetch(const struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id)
{
	hp_id_rank_prefetch(&t->ranks, near, id);
}
