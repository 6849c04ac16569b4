/*
 * id_table.c - ranks of ids, and the numbers by rank
 */
#include "common/model/id_table.h"

#include "common/model/id_set_inner.h"

#include <stdlib.h>

/* Rank of an id that the table does not have. */
#define NOWHERE UINT64_MAX

enum hp_status
hp_id_table_init(struct hp_id_table *t, unsigned workers, unsigned shift,
		 uint64_t bytes, uint64_t memory, struct hp_error *err)
{
	enum hp_status st;

	*t = (struct hp_id_table){0};
	st = hp_id_sets_init(&t->sets, workers, shift, bytes, memory, err);
	t->ready = st == HP_OK;
	return st;
}

void
hp_id_table_release(struct hp_id_table *t)
{
	if (t->ready)
		hp_id_sets_release(&t->sets);
	hp_id_map_release(&t->index);
	free(t->stretches);
	free(t->ranks);
	free(t->numbers);
	*t = (struct hp_id_table){0};
}

static int
by_number(const void *a, const void *b)
{
	const struct hp_region *x = *(struct hp_region *const *)a;
	const struct hp_region *y = *(struct hp_region *const *)b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Ranks of the ids of leaf @i of the sets. */
static bool
rank_leaf(struct hp_id_table *t, size_t i)
{
	const struct hp_region *r = t->sets.regions[i];
	struct hp_id_stretch *s = &t->stretches[i];
	uint64_t *place;
	uint32_t n = 0;

	*s = (struct hp_id_stretch){.bits = r->defined,
				    .base = t->count,
				    .ranks = t->ranks + i * HP_LEAF_WORDS};
	for (unsigned k = 0; k < HP_LEAF_WORDS; k++) {
		s->ranks[k] = n;
		n += (uint32_t)__builtin_popcountll(atomic_load_explicit(
			&s->bits[k], memory_order_relaxed));
	}
	t->count += n;
	place = hp_id_map_put(&t->index, r->number, NULL);
	if (place)
		*place = i + 1;
	return place != NULL;
}

/* Ids in the hash set have the last ranks. */
static void
rank_odd(struct hp_id_table *t)
{
	uint64_t id, value;

	for (size_t at = 0;
	     hp_id_map_next(&t->sets.odd_defined, &at, &id, &value);)
		*hp_id_map_find(&t->sets.odd_defined, id) = t->count++;
}

/* What numbers and ranks would take. */
static uint64_t
need(const struct hp_id_table *t)
{
	return t->count * t->width +
	       t->sets.nregions * HP_LEAF_WORDS * sizeof(*t->ranks);
}

uint64_t
hp_id_table_bytes(const struct hp_id_table *t)
{
	return need(t) + t->sets.leaf_bytes +
	       hp_id_map_bytes(&t->sets.odd_defined);
}

static enum hp_status
too_many(struct hp_error *err)
{
	return hp_fail(err, HP_LIMIT, "--memory is too small for the ids");
}

enum hp_status
hp_id_table_settle(struct hp_id_table *t, uint64_t most, struct hp_error *err)
{
	size_t n = t->sets.nregions;
	enum hp_status st = hp_id_sets_finish(&t->sets, err);
	bool ok = true;

	if (st != HP_OK)
		return st;
	t->width = most < UINT16_MAX ? 2 : most < UINT32_MAX ? 4 : 8;
	if (hp_id_sets_partial(&t->sets) || hp_id_sets_crowded(&t->sets) ||
	    need(t) > t->sets.memory)
		return too_many(err);
	if (n > 0)
		qsort(t->sets.regions, n, sizeof(*t->sets.regions), by_number);
	t->stretches = calloc(n + 1, sizeof(*t->stretches));
	t->ranks = malloc((n + 1) * HP_LEAF_WORDS * sizeof(*t->ranks));
	for (size_t i = 0; t->stretches && t->ranks && i < n && ok; i++)
		ok = rank_leaf(t, i);
	if (!t->stretches || !t->ranks || !ok)
		return hp_fail(err, HP_NOMEM, "out of memory");
	rank_odd(t);
	if (hp_id_table_bytes(t) > t->sets.memory)
		return too_many(err);
	t->numbers = calloc(t->count + 1, t->width);
	return t->numbers ? HP_OK : hp_fail(err, HP_NOMEM, "out of memory");
}

/* The leaf that @bit would be in; NULL: there is none. */
static inline const struct hp_id_stretch *
stretch_of(const struct hp_id_table *t, struct hp_id_table_near *near,
	   uint64_t bit)
{
	uint64_t number = bit >> HP_LEAF_BITS;
	unsigned slot = number % HP_ID_TABLE_NEAR;
	const uint64_t *place;

	if (HP_LIKELY(near->slots[slot].number == number + 1))
		return near->slots[slot].stretch;
	place = hp_id_map_get(&t->index, number);
	near->slots[slot].number = number + 1;
	near->slots[slot].stretch = place ? &t->stretches[*place - 1] : NULL;
	return near->slots[slot].stretch;
}

static inline uint64_t
rank_of(const struct hp_id_table *t, struct hp_id_table_near *near, uint64_t id)
{
	uint64_t bit = id >> t->sets.shift, word, mask = 1ull << (bit & 63);
	const struct hp_id_stretch *s = stretch_of(t, near, bit);
	const uint64_t *odd;
	unsigned k = (bit >> 6) & (HP_LEAF_WORDS - 1);

	if (s && !(id & ((1ull << t->sets.shift) - 1))) {
		word = atomic_load_explicit(&s->bits[k], memory_order_relaxed);
		if (HP_LIKELY(word & mask))
			return s->base + s->ranks[k] +
			       (unsigned)__builtin_popcountll(word &
							      (mask - 1));
	}
	if (HP_LIKELY(t->sets.odd_defined.count == 0 &&
		      !t->sets.odd_defined.has_zero))
		return NOWHERE;
	odd = hp_id_map_get(&t->sets.odd_defined, id);
	return odd ? *odd : NOWHERE;
}

/* The least of what is there, unless that is 0, and @v. */
#define PUT_LEAST(type, at, v)                                                 \
	do {                                                                   \
		_Atomic type *place = (_Atomic type *)t->numbers + (at);       \
		type old = atomic_load_explicit(place, memory_order_relaxed);  \
		while ((old == 0 || old > (type)(v)) &&                        \
		       !atomic_compare_exchange_weak_explicit(                 \
			       place, &old, (type)(v), memory_order_relaxed,   \
			       memory_order_relaxed))                          \
			continue;                                              \
	} while (0)

void
hp_id_table_put(struct hp_id_table *t, struct hp_id_table_near *near,
		uint64_t id, uint64_t number)
{
	uint64_t at = rank_of(t, near, id);

	if (at == NOWHERE)
		return;
	if (t->width == 2)
		PUT_LEAST(uint16_t, at, number + 1);
	else if (t->width == 4)
		PUT_LEAST(uint32_t, at, number + 1);
	else
		PUT_LEAST(uint64_t, at, number + 1);
}

uint64_t
hp_id_table_get(const struct hp_id_table *t, struct hp_id_table_near *near,
		uint64_t id)
{
	uint64_t at = rank_of(t, near, id);

	if (at == NOWHERE)
		return 0;
	if (t->width == 2)
		return ((const uint16_t *)t->numbers)[at];
	if (t->width == 4)
		return ((const uint32_t *)t->numbers)[at];
	return ((const uint64_t *)t->numbers)[at];
}

void
hp_id_table_fetch(const struct hp_id_table *t, struct hp_id_table_near *near,
		  uint64_t id)
{
	uint64_t bit = id >> t->sets.shift;
	const struct hp_id_stretch *s = stretch_of(t, near, bit);
	unsigned k = (bit >> 6) & (HP_LEAF_WORDS - 1);

	if (!s)
		return;
	__builtin_prefetch((const void *)&s->bits[k]);
	__builtin_prefetch(&s->ranks[k]);
}
