/*
 * id_buckets.h - collect ids in buckets, and look up many neighbours together
 *
 * References lead to any part of the heap, so each lookup of an id waits for
 * memory: for the bit of the id, for its rank, and for the caller's data at
 * this rank. Ids that are close to each other share these cache lines. So each
 * id is first written to the bucket for its part of the heap. All ids of a full
 * bucket are then looked up together, and most of their data is in the
 * processor's cache.
 */
#ifndef HP_IDS_ID_BUCKETS_H
#define HP_IDS_ID_BUCKETS_H

#include "common/ids/id_ranks.h"

enum {
	HP_ID_BUCKETS = 512, /* maximum number of buckets */
	HP_ID_BUCKET_TAKE = 256,
};

/* The buckets of one thread. */
struct hp_id_buckets {
	const struct hp_id_ranks *ranks;
	/*
	 * Items of all buckets, @room for each. An item is made by
	 * hp_place_value(); its place counts from the first place of the
	 * bucket.
	 */
	uint64_t *ids;
	uint64_t places; /* only ids with smaller places may be added */
	uint32_t count, room;
	unsigned shift; /* log2 of the number of places in a bucket */
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

#endif
