/*
 * id_ranks.h - the rank of an id: its index in the sorted list of all ids; and
 * tables indexed by rank
 */
#ifndef HP_OBJECT_IDS_ID_RANKS_H
#define HP_OBJECT_IDS_ID_RANKS_H

#include "common/object_ids/id_set.h"

/* ----------------------------------------------------------------------
 * Number the ids of a set from 0 without gaps
 *
 * The rank of an id is its index in arrays of data about ids. Ranks are in the
 * order of the ids; ids in the hash set come after all ids in leaves. Ranks do
 * not depend on the workers, with one exception: if memory is scarce, the
 * workers decide which scattered ids go to the hash set.
 */

/* In place of a rank: the id does not exist. */
#define HP_NO_RANK UINT64_MAX

/* Larger numbers are not places (positions of bits) of ids. */
#define HP_NO_PLACE (UINT64_C(1) << 63)

enum {
	HP_RANK_LINE = 8, /* words of a cache line */
	HP_RANK_LINES = HP_LEAF_WORDS / HP_RANK_LINE
};

struct hp_rank_leaf {
	const uint64_t *defined;
	/*
	 * which range of 2^20 ids this leaf (bit set) covers: the high bits of
	 * its ids
	 */
	uint64_t number;
	uint64_t base; /* rank of the first id in this leaf (bit set) */
	/*
	 * how many ids of the leaf come before each of its cache lines; see
	 * id_ranks.c
	 */
	uint64_t before[HP_RANK_LINES];
};

struct hp_id_ranks {
	struct hp_id_sets *sets;
	/* the leaves (bit sets for 2^20 ids each), sorted by number */
	struct hp_rank_leaf *leaves;
	size_t nleaves;
	/* maps the number of a range of ids to 1 + index in leaves */
	struct hp_id_map index;
	uint64_t count;
	uint64_t first_odd; /* rank of the first id in the hash set */
	unsigned shift;	    /* alignment of ids, as in the sets */
	bool popcnt;	    /* the processor has a POPCNT instruction */
};

/*
 * A cache of one thread, with which it finds the bit set (leaf) of an id
 * faster. Must be zeroed at first.
 */
enum { HP_RANK_NEAR = 256 };
struct hp_rank_near {
	struct {
		/*
		 * number of the range of ids that the leaf covers, plus 1; 0:
		 * the entry is free
		 */
		uint64_t number;
		/*
		 * place (see hp_id_place()) of the first bit of the leaf;
		 * HP_NO_PLACE: there is no such leaf
		 */
		uint64_t place;
	} slots[HP_RANK_NEAR];
};

/**
 * hp_id_ranks_init() - number the defined ids of a set
 * @s: finished, and without postponed ids; borrowed. It must not change
 *     afterwards. The values of its hash set become ranks
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_id_ranks_release() in any case.
 */
HP_MUST_USE enum hp_status hp_id_ranks_init(struct hp_id_ranks *k,
					    struct hp_id_sets *s,
					    struct hp_error *err);
void hp_id_ranks_release(struct hp_id_ranks *k);

/*
 * How many bytes hp_id_ranks_init() will allocate for a set: an eighth of the
 * size of its bit sets of defined ids.
 */
uint64_t hp_id_ranks_bytes(const struct hp_id_sets *s);

/*
 * The rank of an id (its index among all ids), or HP_NO_RANK if the id does not
 * exist. Any thread may call it, with a cache (@near) of its own.
 */
uint64_t hp_id_rank(const struct hp_id_ranks *k, struct hp_rank_near *near,
		    uint64_t id);

/*
 * The slow case of hp_id_place(): look up leaf @number, and store the place of
 * its first bit in the cache @near.
 */
void hp_rank_near_fill(const struct hp_id_ranks *k, struct hp_rank_near *near,
		       uint64_t number);

/*
 * The place of an id: the index of its bit if all leaves were one array. Places
 * are below k->nleaves << HP_LEAF_BITS, and in the order of the ids. If the
 * result is HP_NO_PLACE or more, the id has no leaf, but it may have a rank,
 * because it may be in the hash set. Conversely, an id with a place has no rank
 * if it does not exist.
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

/*
 * Prefetch the data that hp_id_ranks_of() needs to find the rank of a valid
 * place.
 */
HP_HOT void
hp_id_place_prefetch(const struct hp_id_ranks *k, uint64_t place)
{
	const struct hp_rank_leaf *leaf = &k->leaves[place >> HP_LEAF_BITS];
	unsigned word = (place >> 6) & (HP_LEAF_WORDS - 1);

	__builtin_prefetch(&leaf->defined[word]);
	__builtin_prefetch(&leaf->before[word / HP_RANK_LINE]);
}

/* Prefetch the data that hp_id_rank() needs to find the rank of an id. */
HP_HOT void
hp_id_rank_prefetch(const struct hp_id_ranks *k, struct hp_rank_near *near,
		    uint64_t id)
{
	uint64_t place = hp_id_place(k, near, id);

	if (place < HP_NO_PLACE)
		hp_id_place_prefetch(k, place);
}

/*
 * The number of ids whose places (numbers of bits) are smaller than @place.
 * This is the rank of the first id at or after @place, if there is one.
 */
uint64_t hp_id_ranks_before(const struct hp_id_ranks *k, uint64_t place);

/*
 * Look up the ranks of @n ids, given by their places (see hp_id_place()). The
 * rank is HP_NO_RANK if the place is invalid or no id has this place. Any
 * thread may call it.
 */
void hp_id_ranks_of(const struct hp_id_ranks *k, const uint64_t *places,
		    size_t n, uint64_t *ranks);

/*
 * Prefetch the data that hp_id_ranks_at() needs for the places from @from up
 * to, but without, @end.
 */
void hp_id_ranks_fetch(const struct hp_id_ranks *k, uint64_t from,
		       uint64_t end);

/*
 * Combine a place (number of a bit, here relative to the start of a range) and
 * any number of the caller, both of 32 bits, in one word. So both are written
 * at once.
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
 * hp_id_ranks_at() - look up the ranks of places in one range; any thread may
 *                    call it
 * @from:  the first place of the range, a multiple of its length
 * @shift: log2 of its length
 * @at:    @n places relative to @from, in the format of hp_place_value()
 * @ranks: receives @n ranks; HP_NO_RANK for an id that does not exist
 */
void hp_id_ranks_at(const struct hp_id_ranks *k, uint64_t from, unsigned shift,
		    const uint64_t *at, size_t n, uint64_t *ranks);

/*
 * Convert @n ranks, in ascending order, to ids: @ids[i] becomes the id of
 * @ranks[i]. Takes logarithmic time for each rank. If one of the ids is in the
 * hash set, it also takes a pass over the hash set.
 */
void hp_id_ranks_some(const struct hp_id_ranks *k, const uint64_t *ranks,
		      size_t n, uint64_t *ids);

/* List the ids of all ranks. @ids has room for k->count ids. */
void hp_id_ranks_ids(const struct hp_id_ranks *k, uint64_t *ids);

/* ----------------------------------------------------------------------
 * Collect ids in buckets, and look up many neighbours together
 *
 * References lead to any part of the heap, so each lookup of an id waits for
 * memory: for the bit of the id, for its rank, and for the caller's data at
 * this rank. Ids that are close to each other share these cache lines. So each
 * id is first written to the bucket for its part of the heap. All ids of a full
 * bucket are then looked up together, and most of their data is in the
 * processor's cache.
 */

enum {
	HP_ID_BUCKETS = 512, /* maximum number of buckets */
	HP_ID_BUCKET_TAKE = 256,
};

/* The buckets of ids that one thread collects. */
struct hp_id_buckets {
	const struct hp_id_ranks *ranks;
	/*
	 * The items of all buckets; each bucket has room for @room items. An
	 * item is made by hp_place_value() from a place relative to the first
	 * place of the bucket, and a number.
	 */
	uint64_t *ids;
	/* only ids whose place (number of their bit) is smaller may be added */
	uint64_t places;
	uint32_t count, room;
	/* base-2 logarithm of the number of places in a bucket */
	unsigned shift;
	uint32_t fill[HP_ID_BUCKETS];
};

/**
 * hp_id_buckets_init() - make empty buckets
 * @ranks: borrowed
 * @bytes: memory for the buckets; if it is too small there are no buckets, and
 *         b->places is 0
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_id_buckets_release() in any case.
 */
HP_MUST_USE enum hp_status hp_id_buckets_init(struct hp_id_buckets *b,
					      const struct hp_id_ranks *ranks,
					      uint64_t bytes,
					      struct hp_error *err);
void hp_id_buckets_release(struct hp_id_buckets *b);

/**
 * hp_id_buckets_add() - add an id to its bucket
 * @place: the place of the id, by hp_id_place(); less than b->places
 * @value: any number; comes back together with the id
 *
 * Returns: the bucket, if it is full now. Then the caller must empty it with
 *          hp_id_buckets_take() before the next call. HP_ID_BUCKETS if it is
 *          not full.
 */
static inline uint32_t
hp_id_buckets_add(struct hp_id_buckets *b, uint64_t place, uint32_t value)
{
	uint32_t bucket = (uint32_t)(place >> b->shift);
	uint32_t at = b->fill[bucket]++;

	b->ids[(uint64_t)bucket * b->room + at] = hp_place_value(
		(uint32_t)(place & ((UINT64_C(1) << b->shift) - 1)), value);
	return HP_UNLIKELY(at + 1 == b->room) ? bucket : HP_ID_BUCKETS;
}

/* Prefetch the data that hp_id_buckets_take() needs for the whole bucket. */
void hp_id_buckets_fetch(const struct hp_id_buckets *b, uint32_t bucket);

/**
 * hp_id_buckets_take() - remove ids from the end of a bucket and look up their
 *                        ranks
 * @ids:   receives the items, in the format of hp_place_value(); valid until an
 *         id is added to the bucket
 * @ranks: receives their ranks, at most HP_ID_BUCKET_TAKE; HP_NO_RANK for an id
 *         that does not exist
 *
 * Returns: the number of ids; 0 if the bucket is empty.
 */
unsigned hp_id_buckets_take(struct hp_id_buckets *b, uint32_t bucket,
			    const uint64_t **ids, uint64_t ranks[]);

/* ----------------------------------------------------------------------
 * A small number for each of many ids
 *
 * First all ids are collected in a bit set (id_set.h). Then every id has a rank
 * (id_ranks.h), which is the index of its number in an array. A number takes 2,
 * 4 or 8 bytes. The bit set takes little more than one bit for each possible
 * id. If several numbers are stored for an id, the smallest one stays, so the
 * result does not depend on the order.
 */

struct hp_id_table {
	struct hp_id_sets sets;
	bool ready; /* the sets are initialised, so they must be released */
	struct hp_id_ranks ranks;
	unsigned width; /* bytes of each number: 2, 4 or 8 */
	void *numbers;	/* for each rank: the number, plus 1; 0: none */
};

/**
 * hp_id_table_init() - make an empty table
 * @shift:  log2 of the alignment of most ids
 * @bytes:  size of the input; the memory for leaves is in proportion to it
 * @memory: limit of bytes for the finished table
 * @share: how many tables of this kind divide the memory for an input of @bytes
 *          among themselves
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_id_table_release() in any case.
 */
HP_MUST_USE enum hp_status hp_id_table_init(struct hp_id_table *t,
					    unsigned shift, uint64_t bytes,
					    uint64_t memory, uint64_t share,
					    struct hp_error *err);
void hp_id_table_release(struct hp_id_table *t);

/* Add an id. Only one thread may call this. */
static inline void
hp_id_table_note(struct hp_id_table *t, uint64_t id)
{
	hp_id_define(&t->sets.worker[0], id);
}

/**
 * hp_id_table_settle() - make room for the numbers, after all ids have been
 * added
 * @most: the largest number that will be stored
 *
 * Returns: HP_OK; HP_LIMIT: there are too many ids for the memory; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_id_table_settle(struct hp_id_table *t, uint64_t most, struct hp_error *err);

/*
 * Store a number for an id, unless the id has a smaller one. Ignores ids that
 * were not added. Any thread may call it. Returns true if the id already had a
 * number; so, of all calls for the same id, exactly one returns false.
 */
bool hp_id_table_put(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/*
 * Replace the number of an id, even by a larger one. Only one thread may call
 * this, after the last call of hp_id_table_put().
 */
void hp_id_table_set(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/*
 * Returns 1 + the number of an id, or 0 if it has none. Any thread may call it,
 * after the last call of hp_id_table_put().
 */
uint64_t hp_id_table_get(const struct hp_id_table *t, struct hp_rank_near *near,
			 uint64_t id);

/*
 * Whether the id was added. Any thread may call it, after hp_id_table_settle().
 */
static inline bool
hp_id_table_has(const struct hp_id_table *t, struct hp_rank_near *near,
		uint64_t id)
{
	return hp_id_rank(&t->ranks, near, id) != HP_NO_RANK;
}

/* Prefetch the memory that hp_id_table_get() reads first. */
void hp_id_table_prefetch(const struct hp_id_table *t,
			  struct hp_rank_near *near, uint64_t id);

/* The memory of the table in bytes; valid after hp_id_table_settle(). */
uint64_t hp_id_table_bytes(const struct hp_id_table *t);

#endif
