/*
 * id_ranks.c - the rank of an id: its index in the sorted list of all ids,
 * found by counting bits
 *
 * Ids are stored as bits, in bit sets of 2^20 bits called leaves. For each
 * leaf, the code stores the rank of its first id. For each cache line of a
 * leaf, it stores two things: how many ids of the leaf come before the line,
 * and how many ids of the line come before each pair of its words. So a rank is
 * the sum of these numbers and of the bits in at most two words. This is the
 * rank operation of a succinct bit vector.
 *
 * Invariants:
 * I1  a leaf with larger ids has a larger base (rank of its first id).
 * I2  the ids in the hash set have larger ranks than all ids in leaves.
 *
 * Source: G. Jacobson, "Space-efficient Static Trees and Graphs", 1989
 */
#include "common/object_ids/id_ranks.h"

#include "common/base/memory.h"
#include "common/base/platform.h"
#include "common/base/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * The format of an element of `before`, which describes a cache line (eight
 * words) of a leaf (bit set). The upper bits, which begin at LINE_BASE: how
 * many ids of the leaf come before this line. The other bits: PAIR_BITS bits
 * for each pair of words, which say how many ids of the line come before this
 * pair.
 */
enum { PAIR_BITS = 9, LINE_BASE = HP_RANK_LINE / 2 * PAIR_BITS };

/*
 * Count the bits of each byte of @x. The result has eight counts of eight bits
 * each.
 */
static inline uint64_t
bit_sums(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

/*
 * Returns the sum of the eight counts in @sums. @sums: a result of bit_sums(),
 * or the sum of up to 31 such results.
 */
static inline uint32_t
add_sums(uint64_t sums)
{
	sums = (sums & 0x00ff00ff00ff00ff) + (sums >> 8 & 0x00ff00ff00ff00ff);
	return (uint32_t)(sums * 0x0001000100010001 >> 48);
}

#if defined(__x86_64__)
#define FOR_POPCNT __attribute__((target("popcnt")))
#else
#define FOR_POPCNT
#endif

/*
 * Count the set bits in two words. @popcnt: use the POPCNT instruction; the
 * calling function must be compiled for processors that have it.
 */
HP_HOT uint32_t
count_both(uint64_t a, uint64_t b, bool popcnt)
{
	if (popcnt)
		return (uint32_t)(__builtin_popcountll(a) +
				  __builtin_popcountll(b));
	return add_sums(bit_sums(a) + bit_sums(b));
}

/*
 * Compute leaf->before, a table for finding the ranks of the ids in a leaf (bit
 * set for 2^20 ids). Returns the number of ids in the leaf. @popcnt: use the
 * POPCNT instruction.
 */
HP_HOT uint32_t
count_leaf(struct hp_rank_leaf *leaf, bool popcnt)
{
	const uint64_t *line = leaf->defined;
	uint32_t n = 0;

	for (unsigned i = 0; i < HP_RANK_LINES; i++, line += HP_RANK_LINE) {
		uint64_t before = (uint64_t)n << LINE_BASE;
		uint32_t inside = 0;

		for (unsigned k = 0; k < HP_RANK_LINE; k += 2) {
			before |= (uint64_t)inside << k / 2 * PAIR_BITS;
			inside += count_both(line[k], line[k + 1], popcnt);
		}
		leaf->before[i] = before;
		n += inside;
	}
	return n;
}

FOR_POPCNT static uint32_t
count_leaf_popcnt(struct hp_rank_leaf *leaf)
{
	return count_leaf(leaf, true);
}

static int
by_number(const void *a, const void *b)
{
	const struct hp_region *x = *(struct hp_region *const *)a;
	const struct hp_region *y = *(struct hp_region *const *)b;

	return hp_order(x->number, y->number);
}

uint64_t
hp_id_ranks_bytes(const struct hp_id_sets *s)
{
	return s->nregions * sizeof(struct hp_rank_leaf);
}

/*
 * Compute the ranks (indexes in the sorted list of all ids) of the ids in the
 * hash set, which are in no leaf (bit set). The ids are sorted first: some
 * results are sorted by rank, and must not depend on the random order of the
 * hash set.
 */
static enum hp_status
rank_odd(struct hp_id_ranks *k, struct hp_error *err)
{
	struct hp_id_map *odd = &k->sets->odd_defined;
	size_t n = odd->count + odd->has_zero, at = 0, i = 0;
	uint64_t *ids = hp_calloc(n + 1, sizeof(*ids)), value;

	if (!ids)
		return hp_no_memory(err);
	while (i < n && hp_id_map_next(odd, &at, &ids[i], &value))
		i++;
	hp_sort_u64(ids, i);
	for (size_t to = 0; to < i; to++)
		*hp_id_map_find(odd, ids[to]) = k->count++;
	hp_free(ids);
	return HP_OK;
}

enum hp_status
hp_id_ranks_init(struct hp_id_ranks *k, struct hp_id_sets *s,
		 struct hp_error *err)
{
	uint64_t *place;
	struct hp_rank_leaf *leaf;
	size_t n = 0;

	*k = (struct hp_id_ranks){.sets = s,
				  .shift = s->shift,
				  .popcnt = hp_processor_has_popcnt()};
	k->leaves = hp_malloc(hp_id_ranks_bytes(s) + 1);
	if (!k->leaves)
		return hp_no_memory(err);
	if (s->nregions > 0)
		qsort(s->regions, s->nregions, sizeof(*s->regions), by_number);
	for (size_t i = 0; i < s->nregions; i++) {
		if (!s->regions[i]->defined)
			continue;
		place = hp_id_map_put(&k->index, s->regions[i]->number, NULL);
		if (!place)
			return hp_no_memory(err);
		leaf = &k->leaves[n++];
		*place = n;
		leaf->defined = (const uint64_t *)s->regions[i]->defined;
		leaf->number = s->regions[i]->number;
		leaf->base = k->count;
		assert(n == 1 ||
		       /*
			* invariant: leaves (bit sets) are sorted by their ids
			*/
		       leaf[-1].number < leaf->number);
		k->count += k->popcnt ? count_leaf_popcnt(leaf)
				      : count_leaf(leaf, false);
	}
	k->nleaves = n;
	k->first_odd = k->count;
	return rank_odd(k, err);
}

void
hp_id_ranks_release(struct hp_id_ranks *k)
{
	hp_free(k->leaves);
	hp_id_map_release(&k->index);
	memset(k, 0, sizeof(*k));
}

void
hp_rank_near_fill(const struct hp_id_ranks *k, struct hp_rank_near *near,
		  uint64_t number)
{
	const uint64_t *index = hp_id_map_get(&k->index, number);
	unsigned slot = number % HP_RANK_NEAR;

	near->slots[slot].number = number + 1;
	near->slots[slot].place =
		index ? (*index - 1) << HP_LEAF_BITS : HP_NO_PLACE;
}

/*
 * Returns how many ids come before bit @bit of the leaf (bit set), including
 * the ids of all earlier leaves.
 */
HP_HOT uint64_t
ids_before(const struct hp_rank_leaf *leaf, uint64_t bit, bool popcnt)
{
	unsigned word = (bit >> 6) & (HP_LEAF_WORDS - 1);
	unsigned pair = word % HP_RANK_LINE / 2;
	uint64_t line = leaf->before[word / HP_RANK_LINE];
	uint64_t lower = (1ull << (bit & 63)) - 1;

	return leaf->base + (line >> LINE_BASE) +
	       (line >> pair * PAIR_BITS & ((1 << PAIR_BITS) - 1)) +
	       count_both(leaf->defined[word] & lower,
			  leaf->defined[word & ~1u] & -(uint64_t)(word & 1),
			  popcnt);
}

HP_HOT uint64_t
rank_in(const struct hp_rank_leaf *leaf, uint64_t bit, bool popcnt)
{
	unsigned word = (bit >> 6) & (HP_LEAF_WORDS - 1);

	return leaf->defined[word] >> (bit & 63) & 1
		       ? ids_before(leaf, bit, popcnt)
		       : HP_NO_RANK;
}

/*
 * Returns the id that belongs to bit @bit of a leaf (bit set). Only the low
 * HP_LEAF_BITS bits of @bit are used.
 */
static inline uint64_t
id_at(const struct hp_rank_leaf *leaf, uint64_t bit, unsigned shift)
{
	return ((leaf->number << HP_LEAF_BITS) +
		(bit & ((UINT64_C(1) << HP_LEAF_BITS) - 1)))
	       << shift;
}

/*
 * Returns the rank (index in the sorted list of all ids) of an id for which no
 * leaf (bit set) has a bit. Returns HP_NO_RANK if the hash set does not contain
 * the id.
 */
static inline uint64_t
odd_rank(const struct hp_id_ranks *k, uint64_t id)
{
	const uint64_t *odd;

	if (k->sets->odd_defined.count == 0 && !k->sets->odd_defined.has_zero)
		return HP_NO_RANK;
	odd = hp_id_map_get(&k->sets->odd_defined, id);
	return odd ? *odd : HP_NO_RANK;
}

static inline const struct hp_rank_leaf *
leaf_at(const struct hp_id_ranks *k, uint64_t place)
{
	return &k->leaves[place >> HP_LEAF_BITS];
}

/*
 * Returns the rank (index in the sorted list of all ids) of the id whose place
 * (index of its bit) is @place. The bit belongs to @leaf. If the bit is not
 * set, the id may be in the hash set.
 */
HP_HOT uint64_t
rank_at(const struct hp_id_ranks *k, const struct hp_rank_leaf *leaf,
	uint64_t place, bool popcnt)
{
	uint64_t rank = rank_in(leaf, place, popcnt);

	return HP_LIKELY(rank != HP_NO_RANK)
		       ? rank
		       : odd_rank(k, id_at(leaf, place, k->shift));
}

HP_HOT uint64_t
rank_of(const struct hp_id_ranks *k, struct hp_rank_near *near, uint64_t id,
	bool popcnt)
{
	uint64_t place = hp_id_place(k, near, id);

	return place < HP_NO_PLACE
		       ? rank_at(k, leaf_at(k, place), place, popcnt)
		       : odd_rank(k, id);
}

HP_HOT void
ranks_of(const struct hp_id_ranks *k, const uint64_t *places, size_t n,
	 uint64_t *ranks, bool popcnt)
{
	for (size_t i = 0; i < n; i++)
		ranks[i] = places[i] >= HP_NO_PLACE
				   ? HP_NO_RANK
				   : rank_at(k, leaf_at(k, places[i]),
					     places[i], popcnt);
}

/*
 * Does the work of hp_id_ranks_at(). Mostly all places (indexes of bits) are in
 * one leaf (bit set), which is then looked up only once. @popcnt: use the
 * POPCNT instruction.
 */
HP_HOT void
ranks_at(const struct hp_id_ranks *k, uint64_t from, unsigned shift,
	 const uint64_t *at, size_t n, uint64_t *ranks, bool popcnt)
{
	const struct hp_rank_leaf *leaf = leaf_at(k, from);

	for (size_t i = 0; i < n; i++) {
		uint64_t place = from + (uint32_t)at[i];

		if (HP_UNLIKELY(shift > HP_LEAF_BITS))
			leaf = leaf_at(k, place);
		ranks[i] = rank_at(k, leaf, place, popcnt);
	}
}

FOR_POPCNT static uint64_t
rank_of_popcnt(const struct hp_id_ranks *k, struct hp_rank_near *near,
	       uint64_t id)
{
	return rank_of(k, near, id, true);
}

FOR_POPCNT static void
ranks_at_popcnt(const struct hp_id_ranks *k, uint64_t from, unsigned shift,
		const uint64_t *at, size_t n, uint64_t *ranks)
{
	ranks_at(k, from, shift, at, n, ranks, true);
}

FOR_POPCNT static void
ranks_of_popcnt(const struct hp_id_ranks *k, const uint64_t *places, size_t n,
		uint64_t *ranks)
{
	ranks_of(k, places, n, ranks, true);
}

uint64_t
hp_id_ranks_before(const struct hp_id_ranks *k, uint64_t place)
{
	return place < (uint64_t)k->nleaves << HP_LEAF_BITS
		       ? ids_before(leaf_at(k, place), place, false)
		       : k->first_odd;
}

uint64_t
hp_id_rank(const struct hp_id_ranks *k, struct hp_rank_near *near, uint64_t id)
{
	return k->popcnt ? rank_of_popcnt(k, near, id)
			 : rank_of(k, near, id, false);
}

void
hp_id_ranks_at(const struct hp_id_ranks *k, uint64_t from, unsigned shift,
	       const uint64_t *at, size_t n, uint64_t *ranks)
{
	if (k->popcnt)
		ranks_at_popcnt(k, from, shift, at, n, ranks);
	else
		ranks_at(k, from, shift, at, n, ranks, false);
}

void
hp_id_ranks_of(const struct hp_id_ranks *k, const uint64_t *places, size_t n,
	       uint64_t *ranks)
{
	if (k->popcnt)
		ranks_of_popcnt(k, places, n, ranks);
	else
		ranks_of(k, places, n, ranks, false);
}

void
hp_id_ranks_fetch(const struct hp_id_ranks *k, uint64_t from, uint64_t end)
{
	enum { BITS = HP_RANK_LINE * 64, LINE_OF_COUNTS = 8 };

	if (end > (uint64_t)k->nleaves << HP_LEAF_BITS)
		end = (uint64_t)k->nleaves << HP_LEAF_BITS;
	for (from &= -(uint64_t)BITS; from < end; from += BITS) {
		const struct hp_rank_leaf *leaf =
			&k->leaves[from >> HP_LEAF_BITS];
		unsigned word = (from >> 6) & (HP_LEAF_WORDS - 1);

		__builtin_prefetch(&leaf->defined[word]);
		if (word / HP_RANK_LINE % LINE_OF_COUNTS == 0)
			__builtin_prefetch(&leaf->before[word / HP_RANK_LINE]);
	}
}

/*
 * Fill @ids with the ids of all objects in the range @r (2^20 ids), in
 * ascending order. Returns the number of these ids.
 */
static uint64_t
list_leaf(const struct hp_region *r, unsigned shift, uint64_t *ids)
{
	const uint64_t *defined = (const uint64_t *)r->defined;
	uint64_t n = 0, bits;

	for (unsigned word = 0; word < HP_LEAF_WORDS; word++)
		for (bits = defined[word]; bits; bits &= bits - 1)
			ids[n++] = ((r->number << HP_LEAF_BITS) + word * 64ull +
				    (unsigned)__builtin_ctzll(bits))
				   << shift;
	return n;
}

void
hp_id_ranks_ids(const struct hp_id_ranks *k, uint64_t *ids)
{
	const struct hp_id_sets *s = k->sets;
	uint64_t n = 0, id, rank;
	size_t at = 0;

	for (size_t i = 0; i < s->nregions; i++)
		if (s->regions[i]->defined)
			n += list_leaf(s->regions[i], s->shift, ids + n);
	while (hp_id_map_next(&s->odd_defined, &at, &id, &rank))
		ids[rank] = id;
}

/*
 * Find the id with the number @n, counted from 0, among the ids of a leaf (bit
 * set). This is the reverse of finding a rank.
 */
static uint64_t
id_in(const struct hp_rank_leaf *leaf, uint64_t n, unsigned shift)
{
	unsigned line = HP_RANK_LINES - 1, word;
	uint64_t bits, here;

	while (leaf->before[line] >> LINE_BASE > n)
		line--;
	n -= leaf->before[line] >> LINE_BASE;
	for (word = line * HP_RANK_LINE;; word++) {
		bits = leaf->defined[word];
		here = add_sums(bit_sums(bits));
		if (n < here)
			break;
		n -= here;
	}
	for (; n > 0; n--)
		bits &= bits - 1;
	return id_at(leaf, word * 64ull + (unsigned)__builtin_ctzll(bits),
		     shift);
}

/*
 * Find the leaf (bit set) that contains the id with the rank @rank (index in
 * the sorted list of all ids), by binary search: the last leaf whose first id
 * has a rank of at most @rank.
 */
static const struct hp_rank_leaf *
leaf_with(const struct hp_id_ranks *k, uint64_t rank)
{
	size_t low = 0, high = k->nleaves, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (k->leaves[middle].base <= rank)
			low = middle;
		else
			high = middle;
	}
	return &k->leaves[low];
}

void
hp_id_ranks_some(const struct hp_id_ranks *k, const uint64_t *ranks, size_t n,
		 uint64_t *ids)
{
	const struct hp_id_sets *s = k->sets;
	uint64_t id, rank;
	const struct hp_rank_leaf *leaf;
	const uint64_t *place;
	size_t at = 0;

	for (size_t i = 0; i < n && ranks[i] < k->first_odd; i++) {
		leaf = leaf_with(k, ranks[i]);
		ids[i] = id_in(leaf, ranks[i] - leaf->base, s->shift);
	}
	if (n == 0 || ranks[n - 1] < k->first_odd)
		return;
	while (hp_id_map_next(&s->odd_defined, &at, &id, &rank)) {
		place = bsearch(&rank, ranks, n, sizeof(*ranks),
				hp_compare_u64);
		if (place)
			ids[place - ranks] = id;
	}
}
