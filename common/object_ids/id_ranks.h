/*
 * id_ranks.h - the rank of an id: its index in the sorted list of all ids; and
 * tables indexed by rank
 */
#ifndef HP_OBJECT_IDS_ID_RANKS_H
#define HP_OBJECT_IDS_ID_RANKS_H

#include "common/object_ids/id_set.h"

/*
 * ----------------------------------------------------------------------
 * Number the ids of a set in ascending order, from 0 and without gaps
 *
 * The number of an id is called its rank. It is used as an index into arrays
 * with data about each id. A set (id_set.h) stores most ids in leaves: bit sets
 * for ranges of ids. The few other ids are in a hash set; they have the highest
 * ranks. If memory is scarce, the timing of threads determines which ids are in
 * the hash set. Otherwise ranks do not depend on threads.
 */

/*
 * The result of a function that searches the rank of an id (its index among all
 * ids), if the id is not in the set.
 */
#define HP_NO_RANK UINT64_MAX

/*
 * Larger than all places. The place of an id is the index of its bit; see
 * hp_id_place().
 */
#define HP_NO_PLACE (UINT64_C(1) << 63)

enum {
	HP_RANK_LINE = 8, /* number of 64-bit words in a cache line */
	HP_RANK_LINES = HP_LEAF_WORDS / HP_RANK_LINE
};

struct hp_rank_leaf {
	const uint64_t *defined;
	/*
	 * The number of this leaf (bit set for a range of 2^20 ids). It
	 * consists of the upper bits of the ids; they are equal in the whole
	 * range.
	 */
	uint64_t number;
	/*
	 * how many ids come before this leaf (bit set): the rank of its first
	 * id
	 */
	uint64_t base;
	/*
	 * For each cache line of the bit set: the number of ids of the leaf
	 * whose bits are in earlier lines. Packed; see id_ranks.c.
	 */
	uint64_t before[HP_RANK_LINES];
};

struct hp_id_ranks {
	struct hp_id_sets *sets;
	/* the leaves (bit sets for 2^20 ids each), sorted by number */
	struct hp_rank_leaf *leaves;
	size_t nleaves;
	/*
	 * Maps the number of a leaf (bit set for a range of ids) to 1 + the
	 * index of the leaf in the array `leaves`.
	 */
	struct hp_id_map index;
	uint64_t count;
	/*
	 * The rank (index in the sorted list of all ids) of the first id in the
	 * hash set. All ids with larger ranks are also in the hash set.
	 */
	uint64_t first_odd;
	/* all ids in leaves (bit sets) are multiples of 2^shift */
	unsigned shift;
	bool popcnt; /* the processor has a POPCNT instruction */
};

/*
 * A cache, one for each thread, with which the thread finds the leaf (bit set)
 * of an id faster. Zero-initialise it.
 */
enum { HP_RANK_NEAR = 256 };
struct hp_rank_near {
	struct {
		/*
		 * 1 + the number of the leaf (bit set; see struct
		 * hp_rank_leaf). 0: this entry of the cache is free.
		 */
		uint64_t number;
		/*
		 * The place (see hp_id_place()) of the first bit of the leaf
		 * (bit set for a range of ids). HP_NO_PLACE: the leaf does not
		 * exist.
		 */
		uint64_t place;
	} slots[HP_RANK_NEAR];
};

/**
 * hp_id_ranks_init() - compute the ranks of all ids of the objects in a dump
 * @s: sets in which the ids of the objects are defined (id_set.h), after
 *     hp_id_sets_finish() and without ids that were postponed to a later pass;
 *     borrowed. The sets must not change afterwards. If an id is in the hash
 *     set, the function stores its rank there as the value
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: call hp_id_ranks_release(), even after a
 * failure.
 */
HP_MUST_USE enum hp_status hp_id_ranks_init(struct hp_id_ranks *k,
					    struct hp_id_sets *s,
					    struct hp_error *err);
void hp_id_ranks_release(struct hp_id_ranks *k);

/*
 * Returns how many bytes hp_id_ranks_init() will allocate for @s: an eighth of
 * the size of the bit sets in @s.
 */
uint64_t hp_id_ranks_bytes(const struct hp_id_sets *s);

/*
 * Returns the rank of an id (its index among all ids of the set); HP_NO_RANK if
 * the set does not contain the id. Any thread may call this, with its own cache
 * @near.
 */
uint64_t hp_id_rank(const struct hp_id_ranks *k, struct hp_rank_near *near,
		    uint64_t id);

/*
 * Used by hp_id_place() if the cache @near does not contain the leaf (bit set)
 * @number: look up the leaf, and store the place of its first bit in @near.
 */
void hp_rank_near_fill(const struct hp_id_ranks *k, struct hp_rank_near *near,
		       uint64_t number);

/*
 * Returns the place of an id: the index of its bit, if all leaves (bit sets)
 * are treated as one array of bits. A place is smaller than k->nleaves <<
 * HP_LEAF_BITS, and a larger id has a larger place. An id with a place has a
 * rank only if its bit is set. If the result is HP_NO_PLACE or more, no leaf
 * contains a bit for the id; the id may still be in the hash set and have a
 * rank.
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
 * Prefetch the data that hp_id_ranks_of() needs for the id with the valid place
 * (index of its bit) @place.
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
 * Returns the number of ids whose place (index of the bit) is smaller than
 * @place. This number is also the rank of the first id whose place is @place or
 * larger.
 */
uint64_t hp_id_ranks_before(const struct hp_id_ranks *k, uint64_t place);

/*
 * Look up the ranks (indexes in the sorted list of all ids) of @n ids, given by
 * their places (see hp_id_place()). The rank is HP_NO_RANK if the place is
 * invalid or no id has this place. Any thread may call this function.
 */
void hp_id_ranks_of(const struct hp_id_ranks *k, const uint64_t *places,
		    size_t n, uint64_t *ranks);

/*
 * Prefetch the data that hp_id_ranks_at() needs for the places (indexes of
 * bits) from @from to @end - 1.
 */
void hp_id_ranks_fetch(const struct hp_id_ranks *k, uint64_t from,
		       uint64_t end);

/*
 * Combine two numbers of 32 bits in one number of 64 bits, so that one store
 * writes both. @place: the index of the bit of an id, counted from the start of
 * a range. @value: any value of the caller.
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
 * hp_id_ranks_at() - look up the ranks (indexes in the sorted list of all ids)
 *                    of ids whose places (see hp_id_place()) are in one range
 * @from:  the first place of the range, a multiple of its length
 * @shift: base-2 logarithm of the length of the range
 * @at:    @n places relative to @from, in the format of hp_place_value()
 * @ranks: receives @n ranks; HP_NO_RANK for an id that does not exist
 *
 * Any thread may call this function.
 */
void hp_id_ranks_at(const struct hp_id_ranks *k, uint64_t from, unsigned shift,
		    const uint64_t *at, size_t n, uint64_t *ranks);

/*
 * Convert @n ranks (indexes in the sorted list of all ids), in ascending order,
 * to ids: @ids[i] becomes the id of @ranks[i]. Takes logarithmic time for each
 * rank. If one of the ids is in the hash set, the function also reads the whole
 * hash set.
 */
void hp_id_ranks_some(const struct hp_id_ranks *k, const uint64_t *ranks,
		      size_t n, uint64_t *ids);

/*
 * Store all ids in @ids, sorted by rank: @ids[i] receives the id with the rank
 * i. @ids has room for k->count ids.
 */
void hp_id_ranks_ids(const struct hp_id_ranks *k, uint64_t *ids);

/*
 * ----------------------------------------------------------------------
 * Collect ids in buckets, and look up many neighbours together
 *
 * References lead to any part of the heap. So each lookup of a single id waits
 * for memory: for the bit of the id, for the data to compute its rank, and for
 * the caller's data at this rank. Ids that are close to each other need the
 * same cache lines. So each id is first written to a bucket: a buffer for ids
 * of one part of the heap. When a bucket is full, all its ids are looked up
 * together. Most data that these lookups need is then in the cache of the
 * processor.
 */

enum {
	/* maximum number of buckets of a struct hp_id_buckets */
	HP_ID_BUCKETS = 512,
	HP_ID_BUCKET_TAKE = 256,
};

/* The buckets in which one thread collects ids. */
struct hp_id_buckets {
	const struct hp_id_ranks *ranks;
	/*
	 * The items of all buckets; each bucket has room for `room` items.
	 * hp_place_value() makes an item from two numbers: the place of an id,
	 * relative to the first place of the bucket; and a number of the
	 * caller.
	 */
	uint64_t *ids;
	/*
	 * Only ids whose place is smaller than this number may be added. The
	 * place of an id is the index of its bit.
	 */
	uint64_t places;
	uint32_t count, room;
	/* the range of each bucket has 2^shift places (indexes of bits) */
	unsigned shift;
	uint32_t fill[HP_ID_BUCKETS];
};

/**
 * hp_id_buckets_init() - make empty buckets (buffers for ids of one range each)
 * @ranks: borrowed
 * @bytes: size of the memory for the buckets. If this is too small, there are
 * no buckets, and b->places is 0
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: call hp_id_buckets_release(), even after
 * a failure.
 */
HP_MUST_USE enum hp_status hp_id_buckets_init(struct hp_id_buckets *b,
					      const struct hp_id_ranks *ranks,
					      uint64_t bytes,
					      struct hp_error *err);
void hp_id_buckets_release(struct hp_id_buckets *b);

/**
 * hp_id_buckets_add() - add an id to its bucket
 * @place: the place of the id, from hp_id_place(); less than b->places
 * @value: any number; hp_id_buckets_take() returns it together with the id
 *
 * Returns: the number of the bucket if it is full now; the caller must then
 *          empty it with hp_id_buckets_take() before the next call.
 *          HP_ID_BUCKETS if the bucket is not full.
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

/*
 * Prefetch the data that hp_id_buckets_take() needs for all ids of a bucket
 * (the list of ids of one part of the heap).
 */
void hp_id_buckets_fetch(const struct hp_id_buckets *b, uint32_t bucket);

/**
 * hp_id_buckets_take() - remove ids from the end of a bucket and look up their
 *                        ranks
 * @ids:   receives the items of the bucket, in the format of hp_place_value();
 *         valid until an id is added to the bucket
 * @ranks: receives the ranks of the items, at most HP_ID_BUCKET_TAKE;
 *         HP_NO_RANK for an id that does not exist
 *
 * Returns: the number of ids; 0 if the bucket is empty.
 */
unsigned hp_id_buckets_take(struct hp_id_buckets *b, uint32_t bucket,
			    const uint64_t **ids, uint64_t ranks[]);

/*
 * ----------------------------------------------------------------------
 * Store a small number for each of many ids
 *
 * First all ids are collected in a bit set (id_set.h). Then the rank of an id
 * (id_ranks.h) is the index of its number in an array. A number takes 2, 4 or 8
 * bytes. The bit set takes little more than one bit for each possible id. If
 * several numbers are stored for an id, the smallest one is kept, so that the
 * result does not depend on the order of the calls.
 */

struct hp_id_table {
	struct hp_id_sets sets;
	/* The member `sets` is initialised, so it must be released. */
	bool ready;
	struct hp_id_ranks ranks;
	/* size in bytes of each element of `numbers`: 2, 4 or 8 */
	unsigned width;
	/*
	 * The index is the rank of an id; the element is 1 + the number that
	 * was stored for the id. 0: the id has no number.
	 */
	void *numbers;
};

/**
 * hp_id_table_init() - make an empty table
 * @shift:  base-2 logarithm of the alignment of most ids, for example 3 for
 *          multiples of 8
 * @bytes:  size of the input, which limits the memory for bit sets
 * @memory: maximum size in bytes of the finished table
 * @share: the number of such tables that exist at the same time. The memory
 *          that is allowed for the size of the input is divided by this number
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: call hp_id_table_release(), even after a
 * failure.
 */
HP_MUST_USE enum hp_status hp_id_table_init(struct hp_id_table *t,
					    unsigned shift, uint64_t bytes,
					    uint64_t memory, uint64_t share,
					    struct hp_error *err);
void hp_id_table_release(struct hp_id_table *t);

/*
 * Add an id to the table, before hp_id_table_settle(). Only one thread may call
 * this.
 */
static inline void
hp_id_table_note(struct hp_id_table *t, uint64_t id)
{
	hp_id_define(&t->sets.worker[0], id);
}

/**
 * hp_id_table_settle() - allocate the array of numbers, after all ids have been
 * added
 * @most: the largest number that will be stored
 *
 * Returns: HP_OK; HP_LIMIT: there are too many ids for the memory; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_id_table_settle(struct hp_id_table *t, uint64_t most, struct hp_error *err);

/*
 * Store a number for an id, unless a smaller number is already stored. Ignores
 * ids that were not added. Any thread may call this function. Returns true if
 * the id already had a number. So if several threads store a number for the
 * same id, exactly one call returns false.
 */
bool hp_id_table_put(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/*
 * Store a number for an id, even if the id already has a smaller number. Only
 * one thread may call this, after the last call of hp_id_table_put().
 */
void hp_id_table_set(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/*
 * Returns 1 + the number of an id, or 0 if the id has no number. Any thread may
 * call this function, after the last call of hp_id_table_put().
 */
uint64_t hp_id_table_get(const struct hp_id_table *t, struct hp_rank_near *near,
			 uint64_t id);

/*
 * Whether the id was added to the table. Any thread may call this, after
 * hp_id_table_settle().
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

/*
 * Returns the memory of the table in bytes. Call it after hp_id_table_settle().
 */
uint64_t hp_id_table_bytes(const struct hp_id_table *t);

#endif
