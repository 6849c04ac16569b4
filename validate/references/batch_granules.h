/*
 * batch_granules.h - which ids the objects of a stretch of the dump may refer
 * to, so that a further pass need not look at all of them
 *
 * Each reference of the first pass marks its granule (common/ids/id_set.h).
 * The marks of a batch are kept with its place, some KiB for a MiB; where that
 * is too much for the memory that is allowed, neighbours share theirs. What is
 * said is certain in one direction: a batch that may not hold a reference to
 * some granule holds none.
 */
#ifndef HP_VALIDATE_REFERENCES_BATCH_GRANULES_H
#define HP_VALIDATE_REFERENCES_BATCH_GRANULES_H

#include "common/format/batch.h"
#include "common/ids/id_set.h"

#include <pthread.h>

struct hp_granule_slot {   /* batches that begin in one stretch of the dump */
	uint64_t from, to; /* bytes of it that they cover; to 0: none */
};

struct hp_batch_granules {
	pthread_mutex_t lock;
	bool ready;
	bool lost;	/* no memory: nothing is known */
	uint64_t begin; /* where in the dump the first slot is */
	unsigned shift; /* log2 of a slot's bytes of the dump */
	size_t words;	/* of bits, in a slot */
	size_t most;	/* slots that may be had */
	size_t count;
	struct hp_granule_slot *slots;
	uint64_t *bits; /* of slot after slot */
	uint64_t *room; /* words of each worker, to put a batch's marks in */
};

/**
 * hp_batch_granules_init() - nothing is known yet
 * @sets:   whose granules they are
 * @memory: bytes that may be taken
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: hp_batch_granules_release(), which allows a zeroed one.
 */
HP_MUST_USE enum hp_status hp_batch_granules_init(struct hp_batch_granules *g,
						  const struct hp_id_sets *sets,
						  uint64_t memory,
						  struct hp_error *err);
void hp_batch_granules_release(struct hp_batch_granules *g);

/*
 * A worker is done with a batch: keep what it has marked. Any thread; a batch
 * that was put off in part is added each time.
 */
void hp_batch_granules_add(struct hp_batch_granules *g,
			   struct hp_id_worker *ids, const struct hp_batch *b);

/*
 * May something in the batch, which may be cut otherwise than it was, refer to
 * one of the granules in @bits? Any thread, after the last addition.
 */
bool hp_batch_granules_may_hold(const struct hp_batch_granules *g,
				const struct hp_batch *b, const uint64_t *bits);

#endif
