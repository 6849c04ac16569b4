/*
 * batch_granules.h - remember roughly which ids each part of a dump refers to
 *
 * Further passes use this to skip batches. A granule is a range of ids
 * (common/ids/id_set.h). In the first pass, each reference marks the granule of
 * its target. The marks of a batch are kept with its place in the dump, some
 * KiB for each MiB of the dump. If that exceeds the memory limit, neighbouring
 * batches share their marks.
 *
 * Like a Bloom filter, the answer is certain in one direction only: a batch
 * without a mark for a granule has no reference to it.
 */
#ifndef HP_VALIDATE_REFERENCES_BATCH_GRANULES_H
#define HP_VALIDATE_REFERENCES_BATCH_GRANULES_H

#include "common/format/batch.h"
#include "common/ids/id_set.h"

#include <pthread.h>

/* the marks of batches that begin in one part of the dump */
struct hp_granule_slot {
	/* the part of the dump that these batches cover; to is 0: no batch */
	uint64_t from, to;
};

struct hp_batch_granules {
	pthread_mutex_t lock;
	bool ready;
	/* out of memory: nothing is known, so no batch is skipped */
	bool lost;
	uint64_t begin; /* offset of the first slot in the dump */
	unsigned shift; /* base-2 logarithm of the bytes of the dump per slot */
	size_t words;	/* number of 64-bit words of marks per slot */
	size_t most;	/* maximum number of slots */
	size_t count;
	struct hp_granule_slot *slots;
	uint64_t *bits; /* the marks of all slots, one slot after the other */
	/* for each worker, room for the marks of one batch */
	uint64_t *room;
};

/**
 * hp_batch_granules_init() - allocate the marks, with nothing marked
 * @sets:   the id sets that define the granules
 * @memory: the bytes that the marks may use
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: hp_batch_granules_release(), which allows a zeroed struct.
 */
HP_MUST_USE enum hp_status hp_batch_granules_init(struct hp_batch_granules *g,
						  const struct hp_id_sets *sets,
						  uint64_t memory,
						  struct hp_error *err);
void hp_batch_granules_release(struct hp_batch_granules *g);

/*
 * Store what a worker has marked in a batch. Any thread may call this. If a
 * part of a batch was deferred, the batch is added again.
 */
void hp_batch_granules_add(struct hp_batch_granules *g,
			   struct hp_id_worker *ids, const struct hp_batch *b);

/*
 * Whether something in the batch may refer to one of the granules in @bits. The
 * batch may begin and end elsewhere than in the first pass. Any thread may call
 * this, once all batches are added.
 */
bool hp_batch_granules_may_hold(const struct hp_batch_granules *g,
				const struct hp_batch *b, const uint64_t *bits);

#endif
