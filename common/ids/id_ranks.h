/*
 * id_ranks.h - the ids that a set has, numbered from 0 without a gap, so that
 * what is known of each can stand in an array
 *
 * Ranks follow the ids, those in the hash set behind all others. Which ids are
 * there depends on the workers only where memory is short of what scattered
 * ids would take in leaves.
 */
#ifndef HP_IDS_ID_RANKS_H
#define HP_IDS_ID_RANKS_H

#include "common/ids/id_set.h"

/* As the rank of an id that is not there. */
#define HP_NO_RANK UINT64_MAX

/* A place that is not below this is none. */
#define HP_NO_PLACE (UINT64_C(1) << 63)

enum {
	HP_RANK_LINE = 8, /* words */
	HP_RANK_LINES = HP_LEAF_WORDS / HP_RANK_LINE
};

struct hp_rank_leaf {
	const uint64_t *defined;
	uint64_t number; /* of the leaf: the highest bits of its ids */
	uint64_t base;	 /* rank of its first id */
	uint64_t before[HP_RANK_LINES]; /* by cache line: see id_ranks.c */
};

struct hp_id_ranks {
	struct hp_id_sets *sets;
	struct hp_rank_leaf *leaves; /* in the order of their ids */
	size_t nleaves;
	struct hp_id_map index; /* number of a leaf: place in leaves, + 1 */
	uint64_t count;
	uint64_t first_odd; /* rank of the first id in the hash set */
	unsigned shift;	    /* of the sets */
	bool popcnt; /* the processor counts bits by itself; same ranks */
};

/* What one thread knows of recent look-ups; zeroed at first. */
enum { HP_RANK_NEAR = 256 };
struct hp_rank_near {
	struct {
		uint64_t number; /* of the leaf, + 1 */
		uint64_t place;	 /* of its first bit; HP_NO_PLACE */
	} slots[HP_RANK_NEAR];
};

/**
 * hp_id_ranks_init() - number the ids that are defined
 * @s: finished, with all ids; borrowed, and stays as it is from now on, but
 *     that its hash set comes to hold ranks
 *
 * Returns: HP_OK; HP_NOMEM. Release it in any case.
 */
HP_MUST_USE enum hp_status hp_id_ranks_init(struct hp_id_ranks *k,
					    struct hp_id_sets *s,
					    struct hp_error *err);
void hp_id_ranks_release(struct hp_id_ranks *k);

/* Bytes that the ranks of a set take: an eighth of one of its sets. */
uint64_t hp_id_ranks_bytes(const struct hp_id_sets *s);

/* The rank of an id, by any thread; HP_NO_RANK. */
uint64_t hp_id_rank(const struct hp_id_ranks *k, struct hp_rank_near *near,
		    uint64_t id);

/* Find the place of the first bit of leaf @number. */
void hp_rank_near_fill(const struct hp_id_ranks *k, struct hp_rank_near *near,
		       uint64_t number);

/*
 * The place of an id in the leaves, one behind the other: below
 * k->nleaves << HP_LEAF_BITS, and in the order of the ids. HP_NO_PLACE or more:
 * it has none, yet it may have a rank. An id with a place may have no rank.
 */
static inline uint64_t
hp_id_place(const struct hp_id_ranks *k, struct hp_rank_near *near, uint64_t id)
{
	uint64_t bit = hp_id_bit(id, 0, k->shift), number = bit >> HP_LEAF_BITS;
	unsigned slot = number % HP_RANK_NEAR;

	if (HP_UNLIKELY(near->slots[slot].number != number + 1))
		hp_rank_near_fill(k, near, number);
	return near->slots[slot].place +
	       (bit & ((UINT64_C(1) << HP_LEAF_BITS) - 1));
}

/* Fetch what hp_id_ranks_of() will look at, for a place that there is. */
HP_HOT void
hp_id_place_prefetch(const struct hp_id_ranks *k, uint64_t place)
{
	const struct hp_rank_leaf *leaf = &k->leaves[place >> HP_LEAF_BITS];
	unsigned word = (place >> 6) & (HP_LEAF_WORDS - 1);

	__builtin_prefetch(&leaf->defined[word]);
	__builtin_prefetch(&leaf->before[word / HP_RANK_LINE]);
}

/* Fetch what hp_id_rank() will look at. */
HP_HOT void
hp_id_rank_prefetch(const struct hp_id_ranks *k, struct hp_rank_near *near,
		    uint64_t id)
{
	uint64_t place = hp_id_place(k, near, id);

	if (place < HP_NO_PLACE)
		hp_id_place_prefetch(k, place);
}

/* The lowest rank from a place on, if any id has one there: how many ids have
 * lower places. */
uint64_t hp_id_ranks_before(const struct hp_id_ranks *k, uint64_t place);

/* The ranks of @n places, by any thread; HP_NO_RANK for what is none. */
void hp_id_ranks_of(const struct hp_id_ranks *k, const uint64_t *places,
		    size_t n, uint64_t *ranks);

/* Fetch what hp_id_ranks_at() will look at, for places from @from to @end. */
void hp_id_ranks_fetch(const struct hp_id_ranks *k, uint64_t from,
		       uint64_t end);

/*
 * A place behind a first one, and what its owner knows with it: a number of 32
 * bits each, in one that is written at once.
 */
static inline uint64_t
hp_place_value(uint32_t place, uint32_t value)
{
	return (uint64_t)value << 32 | place;
}

static inline uint32_t
hp_value_of(uint64_t place_value)
{
	return (uint32_t)(place_value >> 32);
}

/**
 * hp_id_ranks_at() - the ranks of places in one stretch, by any thread
 * @from:  the stretch's first place, a multiple of its length
 * @shift: log2 of its length
 * @at:    @n places behind the first, by hp_place_value()
 * @ranks: as many, of these places; or HP_NO_RANK
 */
void hp_id_ranks_at(const struct hp_id_ranks *k, uint64_t from, unsigned shift,
		    const uint64_t *at, size_t n, uint64_t *ranks);

/*
 * The ids of some ranks, each higher than the one before: @ids[i] is that of
 * @ranks[i]. In steps: of each the logarithm of the leaves, and one for each id
 * in the hash set.
 */
void hp_id_ranks_some(const struct hp_id_ranks *k, const uint64_t *ranks,
		      size_t n, uint64_t *ids);

/* The id of each rank: @ids has room for k->count of them. */
void hp_id_ranks_ids(const struct hp_id_ranks *k, uint64_t *ids);

#endif
