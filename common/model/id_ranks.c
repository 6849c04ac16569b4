/*
 * id_ranks.c - numbering by counting: how many bits are set before each cache
 * line of a leaf, and within the line up to the id's
 */
#include "common/model/id_ranks.h"

#include "common/model/id_set_inner.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_WORDS = 8, LINES = HP_LEAF_WORDS / LINE_WORDS };

struct hp_rank_leaf {
	uint64_t number;
	const uint64_t *defined;
	uint32_t before[LINES]; /* ids with lower numbers */
};

/* Bits of a word that are set, as eight sums of eight bits. */
static inline uint64_t
bit_sums(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

/* All of them together, of up to 31 words. */
static inline uint32_t
add_sums(uint64_t sums)
{
	sums = (sums & 0x00ff00ff00ff00ff) + (sums >> 8 & 0x00ff00ff00ff00ff);
	return (uint32_t)(sums * 0x0001000100010001 >> 48);
}

/* Number a leaf's ids from @count on. Returns the number after its last. */
static uint64_t
count_leaf(struct hp_rank_leaf *leaf, const struct hp_region *r, uint64_t count)
{
	uint64_t sums;
	unsigned k;

	leaf->number = r->number;
	leaf->defined = (const uint64_t *)r->defined;
	for (unsigned i = 0; i < LINES; i++) {
		leaf->before[i] = (uint32_t)count;
		for (sums = 0, k = 0; k < LINE_WORDS; k++)
			sums += bit_sums(leaf->defined[i * LINE_WORDS + k]);
		count += add_sums(sums);
	}
	return count;
}

static enum hp_status
count_odd(struct hp_id_ranks *k, const struct hp_id_sets *s, uint64_t *count,
	  struct hp_error *err)
{
	uint64_t id, value, *place;
	size_t at = 0;

	while (hp_id_map_next(&s->odd_defined, &at, &id, &value)) {
		place = hp_id_map_put(&k->odd, id, NULL);
		if (!place)
			return hp_fail(err, HP_NOMEM, "out of memory");
		*place = (*count)++;
	}
	return HP_OK;
}

enum hp_status
hp_id_ranks_init(struct hp_id_ranks *k, const struct hp_id_sets *s,
		 struct hp_error *err)
{
	uint64_t count = 0, *place;
	enum hp_status st;

	*k = (struct hp_id_ranks){.shift = s->shift};
	k->leaves = calloc(s->nregions + 1, sizeof(*k->leaves));
	if (!k->leaves)
		return hp_fail(err, HP_NOMEM, "out of memory");
	for (size_t i = 0; i < s->nregions; i++) {
		if (!s->regions[i]->defined)
			continue;
		place = hp_id_map_put(&k->leaf_at, s->regions[i]->number, NULL);
		if (!place)
			return hp_fail(err, HP_NOMEM, "out of memory");
		*place = k->nleaves;
		count = count_leaf(&k->leaves[k->nleaves++], s->regions[i],
				   count);
		if (count >= HP_NO_RANK)
			break;
	}
	st = count_odd(k, s, &count, err);
	if (st == HP_OK && count >= HP_NO_RANK)
		st = hp_fail(err, HP_LIMIT, "there are 2^32 objects or more");
	k->count = (uint32_t)count;
	return st;
}

void
hp_id_ranks_release(struct hp_id_ranks *k)
{
	free(k->leaves);
	hp_id_map_release(&k->leaf_at);
	hp_id_map_release(&k->odd);
	memset(k, 0, sizeof(*k));
}

uint64_t
hp_id_ranks_bytes(const struct hp_id_ranks *k)
{
	return k->nleaves * sizeof(*k->leaves) + hp_id_map_bytes(&k->leaf_at) +
	       hp_id_map_bytes(&k->odd);
}

static const struct hp_rank_leaf *
find_leaf(const struct hp_id_ranks *k, struct hp_rank_near *near,
	  uint64_t number)
{
	const struct hp_rank_leaf **place =
		&near->leaves[number & (HP_RANK_NEAR - 1)];
	const uint64_t *at;

	if (*place && (*place)->number == number)
		return *place;
	at = hp_id_map_get(&k->leaf_at, number);
	if (!at)
		return NULL;
	*place = &k->leaves[*at];
	return *place;
}

static uint32_t
rank_in(const struct hp_rank_leaf *leaf, uint64_t bit)
{
	unsigned word = (bit >> 6) & (HP_LEAF_WORDS - 1);
	unsigned from = word & ~(LINE_WORDS - 1u);
	uint64_t mask = 1ull << (bit & 63), sums;
	uint32_t rank = leaf->before[from / LINE_WORDS];

	if (!(leaf->defined[word] & mask))
		return HP_NO_RANK;
	sums = bit_sums(leaf->defined[word] & (mask - 1));
	for (; from < word; from++)
		sums += bit_sums(leaf->defined[from]);
	return rank + add_sums(sums);
}

/* The leaf of an id; NULL: it has none, as null has not. */
static const struct hp_rank_leaf *
leaf_of(const struct hp_id_ranks *k, struct hp_rank_near *near, uint64_t id)
{
	return id == 0 || id & ((1ull << k->shift) - 1)
		       ? NULL
		       : find_leaf(k, near, id >> k->shift >> HP_LEAF_BITS);
}

static uint32_t
rank_of(const struct hp_id_ranks *k, const struct hp_rank_leaf *leaf,
	uint64_t id)
{
	uint32_t rank = leaf ? rank_in(leaf, id >> k->shift) : HP_NO_RANK;
	const uint64_t *odd;

	if (rank != HP_NO_RANK || k->odd.count == 0)
		return rank;
	odd = hp_id_map_get(&k->odd, id);
	return odd ? (uint32_t)*odd : HP_NO_RANK;
}

uint32_t
hp_id_rank(const struct hp_id_ranks *k, struct hp_rank_near *near, uint64_t id)
{
	return rank_of(k, leaf_of(k, near, id), id);
}

void
hp_id_rank_all(const struct hp_id_ranks *k, struct hp_rank_near *near,
	       const uint64_t *ids, size_t n, uint32_t *ranks)
{
	const struct hp_rank_leaf *leaves[HP_RANK_BLOCK];
	unsigned word;

	for (size_t i = 0; i < n; i++) {
		leaves[i] = leaf_of(k, near, ids[i]);
		if (!leaves[i])
			continue;
		word = (ids[i] >> k->shift >> 6) & (HP_LEAF_WORDS - 1);
		__builtin_prefetch(&leaves[i]->defined[word]);
		__builtin_prefetch(&leaves[i]->before[word / LINE_WORDS]);
	}
	for (size_t i = 0; i < n; i++)
		ranks[i] = rank_of(k, leaves[i], ids[i]);
}
