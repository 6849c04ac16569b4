/*
 * id_set.h - which ids a dump defines, and which it refers to: bit sets over
 * the address span, one bit an alignment unit, filled by several threads
 *
 * `defined` is shared by all workers, `referenced` is kept per worker; after
 * hp_id_sets_finish() both can be asked. Ids that are not aligned, and ids
 * scattered so widely that their leaves would cost more than the input's size
 * explains, go to hash sets instead. Results do not depend on the order.
 */
#ifndef HP_MODEL_ID_SET_H
#define HP_MODEL_ID_SET_H

#include "common/model/id_map.h"
#include "common/status.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
	HP_LEAF_BITS = 20, /* log2 of the bits of a leaf: 128 KiB */
	HP_LEAF_WORDS = 1 << (HP_LEAF_BITS - 6),
	HP_RING = 64, /* references under way to memory */
};

struct hp_region; /* the leaves of one stretch of ids */

/* A leaf that a worker knows. */
struct hp_near {
	uint64_t number;
	_Atomic uint64_t *defined;
	uint64_t *referenced;
};

struct hp_id_worker {
	struct hp_id_sets *sets;
	unsigned number, shift;
	uint64_t low; /* bits that an aligned id does not have */
	/* bits of one word of `defined`, not stored yet */
	_Atomic uint64_t *pending;
	uint64_t pending_bits;
	uint64_t pending_base; /* the id of the word's first bit */
	unsigned ring_at;
	struct {
		uint64_t *word, bits;
	} ring[HP_RING];
	uint64_t nowhere; /* what an empty ring entry points to */
	_Atomic uint64_t nowhere_shared;
	struct hp_near *near; /* by the low bits of their numbers */
	uint64_t near_mask;
	struct hp_id_map odd_defined, odd_referenced; /* as sets */
	uint64_t duplicates;	 /* definitions beyond the first of an id */
	uint64_t *duplicate_ids; /* some ids may stand here twice */
	size_t nduplicates, duplicates_cap;
	bool failed; /* out of memory */
};

struct hp_id_sets {
	unsigned workers, shift;
	pthread_mutex_t lock;
	struct hp_id_map directory; /* stretch number to struct hp_region * */
	struct hp_region **regions;
	size_t nregions, regions_cap;
	uint64_t leaf_bytes;  /* given out */
	uint64_t leaf_budget; /* beyond it ids go to hash sets */
	struct hp_slab *slabs;
	struct hp_id_worker *worker;
	/* after hp_id_sets_finish(): */
	struct hp_id_map odd_defined, odd_referenced;
	uint64_t dangling; /* ids referred to and not defined */
	uint64_t dangling_low, dangling_high; /* the span they lie in */
};

/**
 * hp_id_sets_init() - two empty sets
 * @shift:       log2 of the alignment of most ids: 3, or 0 for the agent's
 * @input_bytes: what the memory is explained by; 0: not known
 *
 * Memory:  (workers + 1) bits an alignment unit of the ids' span
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_init(struct hp_id_sets *s,
					   unsigned workers, unsigned shift,
					   uint64_t input_bytes,
					   struct hp_error *err);
void hp_id_sets_release(struct hp_id_sets *s);

/* The slow ways of the two functions below. */
void hp_id_define_far(struct hp_id_worker *w, uint64_t id);
void hp_id_refer_far(struct hp_id_worker *w, uint64_t id);
/* Store the pending bits of `defined`, counting what was there already. */
void hp_id_flush(struct hp_id_worker *w);
/* Note that @id was defined before. */
void hp_id_duplicate(struct hp_id_worker *w, uint64_t id);

static inline struct hp_near *
hp_id_near(struct hp_id_worker *w, uint64_t bit)
{
	return &w->near[(bit >> HP_LEAF_BITS) & w->near_mask];
}

/* An object of this id is in the dump. */
static inline void
hp_id_define(struct hp_id_worker *w, uint64_t id)
{
	uint64_t bit = id >> w->shift, mask = 1ull << (bit & 63);
	struct hp_near *n = hp_id_near(w, bit);
	_Atomic uint64_t *word;

	if (HP_UNLIKELY(n->number != bit >> HP_LEAF_BITS || (id & w->low))) {
		hp_id_define_far(w, id);
		return;
	}
	word = n->defined + ((bit >> 6) & (HP_LEAF_WORDS - 1));
	if (word != w->pending) {
		hp_id_flush(w);
		w->pending = word;
		w->pending_base = id - ((bit & 63) << w->shift);
	}
	if (HP_UNLIKELY(w->pending_bits & mask))
		hp_id_duplicate(w, id);
	w->pending_bits |= mask;
}

/*
 * Something refers to this id. The word with its bit is fetched now and
 * written to HP_RING references later. @at counts the references: a loop keeps
 * it in a register (from w->ring_at, and back there in the end), so that one
 * reference does not wait for the one before.
 */
HP_HOT void
hp_id_refer_at(struct hp_id_worker *w, unsigned *at, uint64_t id)
{
	uint64_t bit = id >> w->shift;
	struct hp_near *n = hp_id_near(w, bit);
	unsigned k = *at & (HP_RING - 1);
	uint64_t *word;

	if (HP_UNLIKELY(n->number != bit >> HP_LEAF_BITS || (id & w->low))) {
		hp_id_refer_far(w, id);
		return;
	}
	++*at;
	*w->ring[k].word |= w->ring[k].bits;
	word = n->referenced + ((bit >> 6) & (HP_LEAF_WORDS - 1));
	__builtin_prefetch(word, 1);
	w->ring[k].word = word;
	w->ring[k].bits = 1ull << (bit & 63);
}

static inline void
hp_id_refer(struct hp_id_worker *w, uint64_t id)
{
	hp_id_refer_at(w, &w->ring_at, id);
}

/* Was the id defined by now? For a worker, while others work. */
bool hp_id_is_defined_now(struct hp_id_worker *w, uint64_t id);

/**
 * hp_id_sets_finish() - all workers are done: merge what they have
 *
 * Returns: HP_OK; HP_NOMEM, also if a worker ran out of memory.
 */
HP_MUST_USE enum hp_status hp_id_sets_finish(struct hp_id_sets *s,
					     struct hp_error *err);

/* After finish: make an id defined (a class's). */
HP_MUST_USE enum hp_status hp_id_sets_add(struct hp_id_sets *s, uint64_t id,
					  struct hp_error *err);
/* After that: count the ids that dangle, and find their span. */
void hp_id_sets_sweep(struct hp_id_sets *s);

/* After finish. */
bool hp_id_sets_defined(const struct hp_id_sets *s, uint64_t id);
bool hp_id_sets_referenced(const struct hp_id_sets *s, uint64_t id);

#endif
