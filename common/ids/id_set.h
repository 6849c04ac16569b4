/*
 * id_set.h - which ids a dump defines, and which it refers to: bit sets over
 * the address span, one bit an alignment unit, filled by several threads
 *
 * `defined` is shared by all workers, `referenced` is kept per worker; after
 * hp_id_sets_finish() both can be asked. Ids that are not aligned, and ids
 * scattered so widely that their leaves would cost more than the input's size
 * explains, go to hash sets instead; a stretch that is met often has leaves
 * whatever the size. Results do not depend on the order.
 *
 * What does not fit in the memory that is allowed is done in windows: a
 * stretch of ids that finds no room for leaves is postponed, its ids are
 * dropped, and the input is gone over again for as many windows as it takes.
 * Questions that are asked after the last window are announced before.
 */
#ifndef HP_IDS_ID_SET_H
#define HP_IDS_ID_SET_H

#include "common/base/processor.h"
#include "common/ids/id_leaves.h"

/**
 * hp_id_sets_init() - two empty sets
 * @shift:       log2 of the alignment of most ids: 3, or 0 for the agent's
 * @input_bytes: what the memory is explained by; 0: not known
 * @memory:      bytes that leaves and hash sets may take; one stretch of ids
 *               is always allowed
 *
 * Memory:  (workers + 1) bits an alignment unit of the ids' span
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_id_sets_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		uint64_t input_bytes, uint64_t memory, struct hp_error *err);
/**
 * hp_id_definitions_init() - as hp_id_sets_init(), with no set of what is
 * referred to: for definitions alone, and no sweep
 * @share: so many of these does the input fill together; of what its size
 *         explains each has that part
 *
 * Memory: a bit an alignment unit, however many workers there are.
 */
HP_MUST_USE enum hp_status
hp_id_definitions_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		       uint64_t input_bytes, uint64_t memory, uint64_t share,
		       struct hp_error *err);
void hp_id_sets_release(struct hp_id_sets *s);

/*
 * An input whose size was not known has so many bytes at least. Any thread, now
 * and then.
 */
void hp_id_sets_read_so_far(struct hp_id_sets *s, uint64_t bytes);

/* For ids that are not in the worker's run. */
void hp_id_define_beyond(struct hp_id_worker *w, uint64_t id);
void hp_id_refer_beyond(struct hp_id_worker *w, uint64_t id);
/* Store the pending bits of `defined`, counting what was there already. */
void hp_id_flush(struct hp_id_worker *w);
/* @id is defined again. */
void hp_id_defined_twice(struct hp_id_worker *w, uint64_t id);

static inline struct hp_near *
hp_id_near(struct hp_id_worker *w, uint64_t bit)
{
	return &w->near[(bit >> HP_LEAF_BITS) & w->near_mask];
}

/*
 * The bit of @id, counted from that of @base. Beyond any run for an id that is
 * lower or not aligned: its odd bits come out on top.
 */
static inline uint64_t
hp_id_bit(uint64_t id, uint64_t base, unsigned shift)
{
	uint64_t n = id - base;

	return n >> shift | n << (-shift & 63);
}

/* @id, whose bit is bit @bit % 64 of *@word, is defined. */
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

/* An object of this id is in the dump: bit @bit of the worker's run. */
static inline void
hp_id_define_bit(struct hp_id_worker *w, uint64_t bit, uint64_t id)
{
	hp_id_enqueue(w, w->run_defined + (bit >> 6), bit, id);
}

/* An object of this id is in the dump. @shift: the worker's. */
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
 * A bit as one number: eight times the address of its words' first byte, plus
 * the bits that are before it. @words are of 64 bits, the first bit the lowest.
 */
HP_HOT uint64_t
hp_bit_address(const uint64_t *words, uint64_t bit)
{
	return ((uint64_t)(uintptr_t)words << 3) + bit;
}

/* The word that has the bit. */
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
 * A worker's run, and its place in the ring: what a loop over references
 * keeps in registers, so that none waits for the one before. From
 * hp_id_refer_begin() to hp_id_refer_end() nothing else may be done with the
 * worker's sets but hp_id_define_bit().
 */
struct hp_id_marker {
	uint64_t base, bits;
	uint64_t first; /* address of the run's first bit */
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
 * A bit is set: its word is fetched now and written to HP_RING references
 * later, so that fetches overlap.
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
 * Something refers to this id. @shift: the worker's.
 * Returns: false if the id is null: nothing is done.
 */
HP_HOT bool
hp_id_refer_at(struct hp_id_worker *w, struct hp_id_marker *m, uint64_t id,
	       unsigned shift)
{
	uint64_t bit = hp_id_bit(id, m->base, shift);

	if (HP_LIKELY(bit < m->bits)) { /* no run has null in it */
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

/* The same for one by itself. */
static inline bool
hp_id_refer(struct hp_id_worker *w, uint64_t id)
{
	struct hp_id_marker m = hp_id_refer_begin(w);
	bool there = hp_id_refer_at(w, &m, id, w->shift);

	hp_id_refer_end(w, &m);
	return there;
}

/**
 * hp_id_refer_lanes() - something refers to ids side by side, four at a time
 * (id_set_lanes.c); for a worker with `lanes`, between no begin and end
 * @ids:  of eight bytes, big-endian
 * @n:    how many
 * @null: how many of those that were done are null is added
 *
 * Returns: how many were done: a multiple of HP_LANES, all but the rest.
 */
uint64_t hp_id_refer_lanes(struct hp_id_worker *w, const uint8_t *ids,
			   uint64_t n, uint64_t *null);
/* Can the processor do that? */
static inline bool
hp_id_lanes_supported(void)
{
	return hp_processor_has_avx2() && hp_processor_has_bmi2() &&
	       hp_processor_has_popcnt();
}

/*
 * Granules. Which ones a worker referred to says, of some stretch of the dump,
 * that ids elsewhere are not named there. Those of a heap of more than 4 GB (or
 * 32, where the input is that large) share bits with others.
 */

/* Words of a set of granules, a bit each. */
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
 * hp_id_granules_take() - what the worker referred to since the last call
 * @bits: hp_id_granule_words(), which are overwritten
 */
void hp_id_granules_take(struct hp_id_worker *w, uint64_t *bits);

/*
 * Was the id defined by now? For a worker, while others work. An id of a
 * postponed stretch counts as defined; one whose leaf the worker has lost sight
 * of (more than 65,536 lie scattered) may not.
 */
bool hp_id_is_defined_now(struct hp_id_worker *w, uint64_t id);

/**
 * hp_id_sets_finish() - all workers are done with a window: merge their sets
 *
 * Returns: HP_OK; HP_NOMEM, also if a worker ran out of memory.
 */
HP_MUST_USE enum hp_status hp_id_sets_finish(struct hp_id_sets *s,
					     struct hp_error *err);

/* After finish: make an id defined (a class's), if it is of this window. */
HP_MUST_USE enum hp_status hp_id_sets_add(struct hp_id_sets *s, uint64_t id,
					  struct hp_error *err);
/**
 * hp_id_sets_sweep() - after that: count the ids of this window that dangle,
 * and find their span, by as many threads as there are workers
 *
 * With windows they are kept, too, unless they are too many (dangling_lost).
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_sweep(struct hp_id_sets *s,
					    struct hp_error *err);

/* Was a stretch postponed: is there more than one window? */
static inline bool
hp_id_sets_partial(const struct hp_id_sets *s)
{
	return s->postponed.count > 0 || s->postponed.has_zero;
}
/* Did ids get lost that no window will bring back? */
bool hp_id_sets_over_memory(const struct hp_id_sets *s);
/* Is the id one of the window under way? */
bool hp_id_sets_in_window(const struct hp_id_sets *s, uint64_t id);
/* Bytes of ids that were postponed, as far as they are known. */
uint64_t hp_id_sets_postponed(const struct hp_id_sets *s);

/* Before the first hp_id_sets_next(): it will be asked whether @id is there. */
HP_MUST_USE enum hp_status hp_id_sets_query(struct hp_id_sets *s, uint64_t id,
					    struct hp_error *err);

/**
 * hp_id_sets_next() - empty the sets for the next window
 *
 * The first call plans the windows. Duplicates that the workers note are
 * forgotten.
 * Returns: HP_OK: the whole input is to be gone over again, for the ids of
 *          this window; HP_EOF: all is done, and only what was announced with
 *          hp_id_sets_query() is known; a further call begins with the first
 *          window again; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_next(struct hp_id_sets *s,
					   struct hp_error *err);

/* Give all leaves and hash sets back; the workers know nothing any more. */
void hp_id_sets_empty(struct hp_id_sets *s);

/* After finish: of ids of the window under way, and of those asked for. */
bool hp_id_sets_defined(const struct hp_id_sets *s, uint64_t id);
bool hp_id_sets_referenced(const struct hp_id_sets *s, uint64_t id);

#endif
