/*
 * id_buckets.h - ids put off until many of one stretch are looked up together
 *
 * References of a heap lead anywhere, and each look-up of what an object is
 * waits for memory: for its bit, its rank, and what stands at that rank. Of ids
 * that lie side by side these do, too. So ids are first put into a bucket for
 * their stretch of the heap, one write each, and a bucket that is full is
 * looked up at once, out of the processor's cache.
 */
#ifndef HP_IDS_ID_BUCKETS_H
#define HP_IDS_ID_BUCKETS_H

#include "common/ids/id_ranks.h"

enum {
	HP_ID_BUCKETS = 512, /* at most */
	HP_ID_BUCKET_TAKE = 256,
};

/* One thread's. */
struct hp_id_buckets {
	const struct hp_id_ranks *ranks;
	/* by bucket: room for @room of them, by hp_place_value() with places
	 * behind the bucket's first */
	uint64_t *ids;
	uint64_t places; /* only ids with lower ones may be added */
	uint32_t count, room;
	unsigned shift; /* log2 of a bucket's places */
	uint32_t fill[HP_ID_BUCKETS];
};

/**
 * hp_id_buckets_init() - empty buckets
 * @ranks: borrowed
 * @bytes: that they may take; with next to none no id has a place in them
 *
 * Returns: HP_OK; HP_NOMEM. Release them in any case.
 */
HP_MUST_USE enum hp_status hp_id_buckets_init(struct hp_id_buckets *b,
					      const struct hp_id_ranks *ranks,
					      uint64_t bytes,
					      struct hp_error *err);
void hp_id_buckets_release(struct hp_id_buckets *b);

/**
 * hp_id_buckets_add() - put an id off
 * @place: of the id, by hp_id_place(); less than b->places
 * @value: comes back with it
 *
 * Returns: its bucket, if that is full now: take all of it, in slices, before
 *          the next call. HP_ID_BUCKETS: it is not.
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

/* Before all of a bucket's ids are taken: fetch what they will look at. */
void hp_id_buckets_fetch(const struct hp_id_buckets *b, uint32_t bucket);

/**
 * hp_id_buckets_take() - the next of a bucket's ids, the last that came first
 * @ids:   by hp_place_value(); they stay until the next is added to the bucket
 * @ranks: of them, HP_ID_BUCKET_TAKE at most; HP_NO_RANK: of an id that is not
 *         there
 *
 * Returns: how many; 0: it is empty.
 */
unsigned hp_id_buckets_take(struct hp_id_buckets *b, uint32_t bucket,
			    const uint64_t **ids, uint64_t ranks[]);

#endif
