/*
 * id_set.h - two sets of ids: those that a dump defines, and those it refers to
 *
 * The sets are bit sets over the range of addresses, with one bit for each
 * alignment unit. All workers share the set `defined`; each worker has its own
 * set `referenced`. After hp_id_sets_finish() both can be queried. Unaligned
 * ids go to hash sets. So do scattered ids whose leaves would take more memory
 * than the size of the input justifies. A stretch of ids that is seen often
 * gets leaves in any case. Results do not depend on the order in which ids are
 * added.
 *
 * If the sets do not fit in the allowed memory, they are processed in windows.
 * A stretch of ids that finds no room for leaves is postponed, and its ids are
 * ignored. Later the whole input is read again, once for each further window.
 * Queries that will be made after the last window must be announced before.
 */
#ifndef HP_IDS_ID_SET_H
#define HP_IDS_ID_SET_H

#include "common/base/processor.h"
#include "common/ids/id_leaves.h"

/**
 * hp_id_sets_init() - make two empty sets
 * @shift:       log2 of the alignment of most ids: 3, or 0 for dumps of the
 *               agent
 * @input_bytes: size of the input, which limits the memory for leaves; 0:
 *               unknown
 * @memory:      limit of bytes for leaves and hash sets; at least one stretch
 *               of ids is always allowed
 *
 * Memory: (workers + 1) bits for each alignment unit in the range of the ids
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_id_sets_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		uint64_t input_bytes, uint64_t memory, struct hp_error *err);
/**
 * hp_id_definitions_init() - like hp_id_sets_init(), but only with the set
 *                            `defined`, and without the sweep
 * @share: number of such sets that share the memory for an input of
 *         @input_bytes
 *
 * Memory: one bit for each alignment unit, for any number of workers
 */
HP_MUST_USE enum hp_status
hp_id_definitions_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		       uint64_t input_bytes, uint64_t memory, uint64_t share,
		       struct hp_error *err);
void hp_id_sets_release(struct hp_id_sets *s);

/*
 * Report that the input, whose size was unknown at first, has at least @bytes
 * bytes. Any thread may call this from time to time.
 */
void hp_id_sets_read_so_far(struct hp_id_sets *s, uint64_t bytes);

/*
 * The slow cases of hp_id_define() and hp_id_refer(), for ids outside the
 * worker's run.
 */
void hp_id_define_beyond(struct hp_id_worker *w, uint64_t id);
void hp_id_refer_beyond(struct hp_id_worker *w, uint64_t id);
/*
 * Write the pending bits to `defined`, and count the bits that were already set
 * as duplicates.
 */
void hp_id_flush(struct hp_id_worker *w);
/* Record that @id was already defined. */
void hp_id_defined_twice(struct hp_id_worker *w, uint64_t id);

static inline struct hp_near *
hp_id_near(struct hp_id_worker *w, uint64_t bit)
{
	return &w->near[(bit >> HP_LEAF_BITS) & w->near_mask];
}

/*
 * The bit of @id, relative to the bit of @base. For an id that is smaller than
 * @base or unaligned, the result is larger than any run: the low bits of the id
 * become the top bits.
 */
static inline uint64_t
hp_id_bit(uint64_t id, uint64_t base, unsigned shift)
{
	uint64_t n = id - base;

	return n >> shift | n << (-shift & 63);
}

/* Define @id, whose bit is bit @bit % 64 of *@word. */
static inline void
hp_id_enqueue(struct hp_id_worker *w, _Atomic uint64_t *word, uint64_t bit,
	      uint64_t id)
{
	uint64_t mask = 1ull << (bit & 63);

	if (word != w->pending) {
		hp_id_flush(w);
		w->pending = word;
		w->pending_base = id - ((bit & 63) << w->shift);
	}
	if (HP_UNLIKELY(w->pending_bits & mask))
		hp_id_defined_twice(w, id);
	w->pending_bits |= mask;
}

/* Define @id, whose bit is bit @bit of the worker's run. */
static inline void
hp_id_define_bit(struct hp_id_worker *w, uint64_t bit, uint64_t id)
{
	hp_id_enqueue(w, w->run_defined + (bit >> 6), bit, id);
}

/*
 * Define @id: the dump has an object with this id. @shift: the shift of the
 * worker; callers pass a constant so that the compiler can optimise.
 */
static inline void
hp_id_define_at(struct hp_id_worker *w, uint64_t id, unsigned shift)
{
	uint64_t bit = hp_id_bit(id, w->run_base, shift);

	if (HP_LIKELY(bit < w->run_bits))
		hp_id_define_bit(w, bit, id);
	else
		hp_id_define_beyond(w, id);
}

static inline void
hp_id_define(struct hp_id_worker *w, uint64_t id)
{
	hp_id_define_at(w, id, w->shift);
}

/*
 * Encode a bit of an array of 64-bit words as one number: eight times the
 * address of @words, plus the index of the bit. Bit 0 is the lowest bit of the
 * first word.
 */
HP_HOT uint64_t
hp_bit_address(const uint64_t *words, uint64_t bit)
{
	return ((uint64_t)(uintptr_t)words << 3) + bit;
}

/* The word that contains the bit. */
HP_HOT uint64_t *
hp_bit_word(uint64_t address)
{
	return (uint64_t *)(uintptr_t)(address >> 6 << 3);
}

HP_HOT void
hp_bit_set(uint64_t address)
{
	*hp_bit_word(address) |= 1ull << (address & 63);
}

/*
 * The state that a loop over references keeps in registers: the worker's run
 * and its position in the ring. Otherwise each reference would wait for the
 * stores of the previous one. Between hp_id_refer_begin() and hp_id_refer_end()
 * only hp_id_define_bit() may use the worker's sets.
 */
struct hp_id_marker {
	uint64_t base, bits;
	uint64_t first; /* address of the first bit of the run */
	uint8_t *granules;
	uint64_t granule_mask;
	unsigned at;
};

static inline struct hp_id_marker
hp_id_refer_begin(const struct hp_id_worker *w)
{
	return (struct hp_id_marker){
		.base = w->run_base,
		.bits = w->run_bits,
		.first = hp_bit_address(w->run_referenced, 0),
		.granules = w->granules,
		.granule_mask = w->granule_mask,
		.at = w->ring_at};
}

static inline void
hp_id_refer_end(struct hp_id_worker *w, const struct hp_id_marker *m)
{
	w->ring_at = m->at;
}

/*
 * Set a bit, delayed: prefetch its word now, and write it HP_RING references
 * later. So the cache misses overlap.
 */
HP_HOT void
hp_id_mark(struct hp_id_worker *w, unsigned *at, uint64_t address)
{
	unsigned k = *at & (HP_RING - 1);

	++*at;
	hp_bit_set(w->ring[k]);
	__builtin_prefetch(hp_bit_word(address), 1);
	w->ring[k] = address;
}

/*
 * Record a reference to @id. @shift: that of the worker.
 * Returns: false, and does nothing, if the id is null.
 */
HP_HOT bool
hp_id_refer_at(struct hp_id_worker *w, struct hp_id_marker *m, uint64_t id,
	       unsigned shift)
{
	uint64_t bit = hp_id_bit(id, m->base, shift);

	if (HP_LIKELY(bit < m->bits)) { /* null is never in a run */
		m->granules[id >> HP_GRANULE_SHIFT & m->granule_mask] = 1;
		hp_id_mark(w, &m->at, m->first + bit);
		return true;
	}
	if (id == 0)
		return false;
	m->granules[id >> HP_GRANULE_SHIFT & m->granule_mask] = 1;
	hp_id_refer_end(w, m);
	hp_id_refer_beyond(w, id);
	*m = hp_id_refer_begin(w);
	return true;
}

/* Record a single reference to @id. Returns false if it is null. */
static inline bool
hp_id_refer(struct hp_id_worker *w, uint64_t id)
{
	struct hp_id_marker m = hp_id_refer_begin(w);
	bool there = hp_id_refer_at(w, &m, id, w->shift);

	hp_id_refer_end(w, &m);
	return there;
}

/**
 * hp_id_refer_lanes() - record references to an array of ids, four at a time
 *                       (id_set_lanes.c)
 * @ids:  of eight bytes, big-endian
 * @n:    number of ids
 * @null: the number of null ids is added to it
 *
 * Only for a worker with w->lanes, and not between hp_id_refer_begin() and
 * hp_id_refer_end().
 * Returns: the number of processed ids: @n rounded down to a multiple of
 *          HP_LANES.
 */
uint64_t hp_id_refer_lanes(struct hp_id_worker *w, const uint8_t *ids,
			   uint64_t n, uint64_t *null);
/* Whether the processor supports hp_id_refer_lanes(). */
static inline bool
hp_id_lanes_supported(void)
{
	return hp_processor_has_avx2() && hp_processor_has_bmi2() &&
	       hp_processor_has_popcnt();
}

/*
 * Granules are ranges of 512 KiB of ids. The granules that a batch of the dump
 * refers to show that the batch does not refer to ids elsewhere. So a later
 * pass can skip batches. In a heap of more than 4 GB (or 32 GB, for an input of
 * that size) several granules share a bit.
 */

/* Number of 64-bit words of a bit set of granules. */
static inline size_t
hp_id_granule_words(const struct hp_id_sets *s)
{
	return s->granules / 64;
}

static inline size_t
hp_id_granule(const struct hp_id_sets *s, uint64_t id)
{
	return (size_t)(id >> HP_GRANULE_SHIFT) & (s->granules - 1);
}

/**
 * hp_id_granules_take() - get the granules that the worker referred to since
 *                         the last call, and clear them
 * @bits: receives hp_id_granule_words() words
 */
void hp_id_granules_take(struct hp_id_worker *w, uint64_t *bits);

/*
 * Whether the id has been defined so far. A worker may call it while others
 * work. An id of a postponed stretch counts as defined. In a heap with more
 * than 65,536 scattered leaves the result may wrongly be false.
 */
bool hp_id_is_defined_now(struct hp_id_worker *w, uint64_t id);

/**
 * hp_id_sets_finish() - merge the sets of all workers, at the end of a window
 *
 * Returns: HP_OK; HP_NOMEM, also if a worker ran out of memory.
 */
HP_MUST_USE enum hp_status hp_id_sets_finish(struct hp_id_sets *s,
					     struct hp_error *err);

/*
 * Define an id after hp_id_sets_finish(), for example that of a class. Ignores
 * ids that do not belong to the current window.
 */
HP_MUST_USE enum hp_status hp_id_sets_add(struct hp_id_sets *s, uint64_t id,
					  struct hp_error *err);
/**
 * hp_id_sets_sweep() - count the dangling ids of this window, and find the
 *                      smallest and largest of them
 *
 * To be called after hp_id_sets_finish() and hp_id_sets_add(). Uses as many
 * threads as there are workers. If there are several windows, it also keeps the
 * ids, unless there are too many (dangling_lost).
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_sweep(struct hp_id_sets *s,
					    struct hp_error *err);

/* Whether a stretch was postponed, so that there are several windows. */
static inline bool
hp_id_sets_partial(const struct hp_id_sets *s)
{
	return s->postponed.count > 0 || s->postponed.has_zero;
}
/*
 * Whether ids were lost because memory was too small, and no later window will
 * have them.
 */
bool hp_id_sets_over_memory(const struct hp_id_sets *s);
/* Whether the id belongs to the current window. */
bool hp_id_sets_in_window(const struct hp_id_sets *s, uint64_t id);
/* Bytes of addresses in the postponed stretches, as far as they are known. */
uint64_t hp_id_sets_postponed(const struct hp_id_sets *s);

/* Announce a query for @id, before the first hp_id_sets_next(). */
HP_MUST_USE enum hp_status hp_id_sets_query(struct hp_id_sets *s, uint64_t id,
					    struct hp_error *err);

/**
 * hp_id_sets_next() - empty the sets for the next window
 *
 * The first call plans the windows. Duplicates that the workers have recorded
 * are discarded.
 * Returns: HP_OK: read the whole input again, for the ids of this window.
 *          HP_EOF: all windows are done, and only announced queries can be
 *          answered; another call starts with the first window again. HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_next(struct hp_id_sets *s,
					   struct hp_error *err);

/* Free all leaves and hash sets, and clear the caches of all workers. */
void hp_id_sets_empty(struct hp_id_sets *s);

/*
 * Query the sets, after hp_id_sets_finish(). Only for ids of the current
 * window, and for announced queries.
 */
bool hp_id_sets_defined(const struct hp_id_sets *s, uint64_t id);
bool hp_id_sets_referenced(const struct hp_id_sets *s, uint64_t id);

#endif
