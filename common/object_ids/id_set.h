/* id_set.h - sets of object ids, with one bit for each possible address */
#ifndef HP_OBJECT_IDS_ID_SET_H
#define HP_OBJECT_IDS_ID_SET_H

#include "common/base/platform.h"
#include "common/object_ids/id_map.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * ----------------------------------------------------------------------
 * The data structures behind id_set.h
 *
 * All possible ids are divided into stretches: ranges of 2^20 ids. A leaf is a
 * bit set for the ids of one stretch. A set of ids consists of leaves and a
 * hash set. The hash set contains all ids that have no leaf: unaligned ids, and
 * ids of stretches with few ids. Each worker also has a cache of the leaves
 * that it used recently. The next section describes how sets are filled and
 * queried, and id_span.c describes contiguous leaves.
 */

enum {
	HP_PAGE_BYTES = 4096, /* size in bytes of a page of memory */
	/*
	 * base-2 logarithm of the number of bits in a leaf (bit set); a leaf
	 * has 128 KiB
	 */
	HP_LEAF_BITS = 20,
	HP_LEAF_WORDS = 1 << (HP_LEAF_BITS - 6),
	/*
	 * The number of references that wait in a ring buffer until their cache
	 * lines have been fetched.
	 */
	HP_RING = 64,
	/*
	 * number of references that hp_id_refer_lanes() processes together,
	 * with vector instructions
	 */
	HP_LANES = 4,
	/*
	 * The minimum number of elements of an array for which
	 * hp_id_refer_lanes() is faster than hp_id_refer_at().
	 */
	HP_LANES_WORTH = 8,
	/*
	 * A granule is a range of 512 KiB of addresses; this is the base-2
	 * logarithm of its size. A set has flags for HP_GRANULES_MIN to
	 * HP_GRANULES_MAX granules.
	 */
	HP_GRANULE_SHIFT = 19,
	HP_GRANULES_MIN = 1 << 13,
	HP_GRANULES_MAX = 1 << 16,
};

/*
 * A range of 2^20 ids gets a bit set only when it has more ids than this.
 * HP_SPARSE is the limit if memory is scarce or the hash sets have become
 * large; otherwise the limit is HP_SPARSE_FREE. In the input, HP_SPARSE_FREE
 * ids take an eighth of the size of a bit set. So a small crafted input cannot
 * make the program allocate many bit sets.
 */
enum { HP_SPARSE = 256, HP_SPARSE_FREE = 2048 };

/* The bit sets (leaves) for one range of 2^20 possible ids. */
struct hp_region {
	uint64_t number;
	/*
	 * One bit for each id of the range. The bit is set if the dump contains
	 * an object with this id. NULL: there is no bit set.
	 */
	_Atomic uint64_t *defined;
	/*
	 * One bit set for each thread, with one bit for each id of the range. A
	 * bit is set if the thread has seen a reference to the id. An element
	 * is NULL if the thread has no such bit set.
	 */
	uint64_t *referenced[];
};

/*
 * An entry of the cache with which a thread finds the bit sets (leaves) for an
 * id.
 */
struct hp_near {
	/*
	 * number of the range of 2^20 ids; UINT64_MAX: this entry of the cache
	 * is free
	 */
	uint64_t number;
	/*
	 * The bit set in `defined` for this range of ids. NULL: the ids of this
	 * range are ignored.
	 */
	_Atomic uint64_t *defined;
	uint64_t *referenced;
};

struct hp_id_worker {
	struct hp_id_sets *sets;
	unsigned number, shift;
	/* mask of the bits that are 0 in an aligned id, for example 7 */
	uint64_t low;
	/*
	 * The run of this worker: contiguous leaves (bit sets) that together
	 * contain most of its ids. The worker computes the address of the bit
	 * of an id in the run, and need not look up the leaf. If there is no
	 * run, run_bits is 0.
	 */
	/* the id whose bit is the first bit of the run (contiguous bit sets) */
	uint64_t run_base;
	uint64_t run_bits;
	_Atomic uint64_t *run_defined;
	uint64_t *run_referenced;
	/*
	 * how many ids outside the run (contiguous bit sets) the worker has
	 * seen since it chose the run
	 */
	uint64_t run_misses;
	/*
	 * Bits of the set `defined` are first collected in pending_bits, and
	 * later stored together in the word *pending. Consecutive ids mostly
	 * share a word, so this saves atomic operations.
	 */
	_Atomic uint64_t *pending;
	uint64_t pending_bits;
	/* the id whose bit is the lowest bit of the word *pending */
	uint64_t pending_base;
	/*
	 * The last word of the bit set `defined` that this worker has written.
	 */
	_Atomic uint64_t *stored;
	/*
	 * `ring` is a ring buffer of bits that will be set in `referenced` when
	 * their cache lines have been fetched. An element is the address of a
	 * bit (hp_bit_address()). `ring_at` is the current position.
	 */
	unsigned ring_at;
	_Alignas(32) uint64_t ring[HP_RING];
	/*
	 * Words that are written but never read. For a null reference or an
	 * empty entry of the ring buffer, the code sets a bit in such a word,
	 * which is faster than a branch. HP_LANES references are processed at
	 * the same time; each of them uses another word, so that none waits for
	 * another.
	 */
	_Alignas(32) uint64_t nowhere[HP_LANES];
	/* the processor can execute hp_id_refer_lanes() (it has AVX2) */
	bool lanes;
	_Atomic uint64_t nowhere_shared;
	/*
	 * For each granule (range of 512 KiB of ids): 1 if the worker has seen
	 * a reference to an id in it since the last hp_id_granules_take(). A
	 * flag is a byte, not a bit, so that it is set with a single store. The
	 * last byte is for null references.
	 */
	uint8_t *granules;
	uint64_t granule_mask;
	/*
	 * The cache with which the worker finds bit sets. It has an entry for a
	 * range of ids. The index of this entry is the low bits of the index of
	 * the range.
	 */
	struct hp_near *near;
	uint64_t near_mask;
	/*
	 * Hash sets of ids that are in no bit set: ids of objects, and ids to
	 * which references point. The values of these maps are not used.
	 */
	struct hp_id_map odd_defined, odd_referenced;
	/* number of objects that had the same id as an earlier object */
	uint64_t duplicates;
	/*
	 * ids that several objects have. The list may be incomplete, and an id
	 * may occur several times.
	 */
	uint64_t *duplicate_ids;
	size_t nduplicates, duplicates_cap;
	bool failed; /* the worker ran out of memory */
	/* a hash set has reached its maximum size, so ids were lost */
	bool full;
};

struct hp_id_sets {
	unsigned workers, shift;
	/*
	 * The number of workers that have a set `referenced`. It is the number
	 * of all workers, or 0.
	 */
	unsigned referrers;
	pthread_mutex_t lock;
	/* maps the number of a range of ids to its struct hp_region * */
	struct hp_id_map directory;
	struct hp_region **regions;
	size_t nregions, regions_cap;
	uint64_t leaf_bytes; /* size in bytes of all leaves (bit sets) so far */
	/*
	 * The part of leaf_bytes that is in the span (see the member `span`),
	 * in bytes.
	 */
	uint64_t span_bytes;
	/*
	 * If all bit sets together take more bytes than this, a new range of
	 * ids gets bit sets only after many of its ids were seen. Until then,
	 * hash sets store the ids of the range.
	 */
	uint64_t leaf_budget;
	/*
	 * Leaves (bit sets) may be created before they are needed, until all
	 * leaves together have this many bytes. For a small input the limit is
	 * low, because reading empty leaves at the end takes time.
	 */
	_Atomic uint64_t ahead_budget;
	/* the maximum of ahead_budget, which is used for a large input */
	uint64_t ahead_most;
	/*
	 * Maps the number of a range that has no bit sets yet to the number of
	 * ids seen in it. Used only after all bit sets together have exceeded
	 * leaf_budget.
	 */
	struct hp_id_map met;
	/* a hash set of some worker has reached half of its maximum size */
	atomic_bool pressed;
	/*
	 * maximum number of bytes of all bit sets (leaves) and hash sets: a
	 * part of --memory
	 */
	uint64_t memory;
	/*
	 * The total size in bytes of the leaves (bit sets) of all ranges of ids
	 * in `regions`, including leaves that do not exist yet.
	 */
	_Atomic uint64_t reserved;
	/* maximum number of duplicate ids that one worker remembers */
	size_t duplicates_max;
	struct hp_slab *slabs;
	/*
	 * The span: reserved address space for the leaves (bit sets) of a
	 * series of consecutive ranges of ids, in the order of the ids. It has
	 * space for span_leaves leaves of each set of ids. Most of this space
	 * is never touched, so it takes no memory. NULL: there is no span.
	 */
	uint8_t *span;
	/* index of the first range of ids for which the span has space */
	uint64_t span_from;
	uint64_t span_leaves;
	/* for each leaf (bit set) of the span: whether it is in use */
	_Atomic uint8_t *span_there;
	struct hp_id_worker *worker;
	/*
	 * number of granules (ranges of 512 KiB of ids) that have a flag: a
	 * power of two
	 */
	size_t granules;
	/*
	 * For each granule (range of 512 KiB of ids): 1 if it contains a
	 * dangling id, otherwise 0. A dangling id is an id that is referred to,
	 * but that no object has.
	 */
	uint8_t *dangling_granules;
	/*
	 * the hash sets of all workers, merged; valid after hp_id_sets_finish()
	 */
	struct hp_id_map odd_defined, odd_referenced;
	/*
	 * number of dangling ids found so far: ids that are referred to, but
	 * that no object has
	 */
	uint64_t dangling;
	/*
	 * the smallest and the largest dangling id (referred to, but no object
	 * has it)
	 */
	uint64_t dangling_low, dangling_high;
	/*
	 * This map has an entry for each range of ids that was postponed to a
	 * later pass over the input. The key is the number of the range. At
	 * first, the value is the number of ids that were seen in the range.
	 * After the passes (windows) were planned, it is window << 1 | b:
	 * `window` is the number of the pass that handles the range; b is 1 if
	 * the range gets bit sets, and 0 if hash sets store its ids.
	 */
	struct hp_id_map postponed;
	bool planned;
	/*
	 * More ranges of ids were postponed than the map `postponed` can hold.
	 */
	bool crowded;
	/* a hash set has reached its maximum size, so ids were lost */
	bool full;
	/*
	 * A window is one pass over the input, which handles a part of the ids.
	 * `window` is the number of the current window, from 0; `windows` is
	 * the number of all windows.
	 */
	unsigned window, windows;
	/*
	 * The ids that the caller will query after the last pass; see
	 * hp_id_sets_query(). The HP_ASKED_ bits of an id say whether it is
	 * defined and whether it is referenced.
	 */
	struct hp_id_map asked;
	/*
	 * All dangling ids (referred to, but no object has them). Only used if
	 * the input is read in several passes and these ids fit in memory.
	 */
	struct hp_id_map dangling_ids;
	/*
	 * the dangling ids did not fit in memory, so the map dangling_ids is
	 * empty
	 */
	bool dangling_lost;
};

enum { HP_ASKED_DEFINED = 1, HP_ASKED_REFERENCED = 2 };

static inline struct hp_region *
hp_region_get(const struct hp_id_sets *s, uint64_t number)
{
	return hp_id_map_pointer(&s->directory, number);
}

/*
 * Returns the size in bytes of all bit sets of a range of ids together: one bit
 * set for `defined`, and one for each worker that has a set `referenced`.
 */
static inline uint64_t
hp_region_bytes(const struct hp_id_sets *s)
{
	return (uint64_t)(s->referrers + 1) * HP_LEAF_WORDS * 8;
}

/*
 * ----------------------------------------------------------------------
 * Two sets of ids: `defined` has the ids of all objects in a dump, and
 * `referenced` has the ids to which references point
 *
 * An id that is referenced but not defined is dangling. The sets are bit sets
 * over the range of addresses, with one bit for each aligned address. All
 * workers share the set `defined`; each worker has its own set `referenced`.
 * After hp_id_sets_finish() both can be queried. Two kinds of ids are stored in
 * hash sets instead: unaligned ids, and scattered ids whose bit sets would take
 * too much memory for the size of the input. Results do not depend on the order
 * in which ids are added.
 *
 * If the sets do not fit in the allowed memory, the input is read several
 * times. Each pass over the input handles only some ranges of ids, its window.
 * A range without memory for its bit sets is postponed: this pass ignores its
 * ids, and a later pass handles them. If the caller wants to query an id after
 * the last pass, it must announce the id with hp_id_sets_query() before.
 */

/**
 * hp_id_sets_init() - make two empty sets
 * @shift:       base-2 logarithm of the alignment of most ids: 3, or 0 for
 *               dumps of the JVMTI agent, which numbers objects 1, 2, 3 ...
 * @input_bytes: size of the input, which limits the memory for leaves (parts of
 *               the bit sets); 0: unknown
 * @memory:      maximum size in bytes of bit sets and hash sets; the bit sets
 *               for one range of ids are made even if they exceed it
 *
 * Memory: (workers + 1) bits for each aligned address in the range of the ids
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_id_sets_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		uint64_t input_bytes, uint64_t memory, struct hp_error *err);
/**
 * hp_id_definitions_init() - like hp_id_sets_init(), but only with the set
 *                            `defined`, and without hp_id_sets_sweep()
 * @share: the number of such sets that exist at the same time. The memory that
 *         is allowed for the size of the input is divided by this number
 *
 * Memory: one bit for each aligned address, for any number of workers
 */
HP_MUST_USE enum hp_status
hp_id_definitions_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		       uint64_t input_bytes, uint64_t memory, uint64_t share,
		       struct hp_error *err);
void hp_id_sets_release(struct hp_id_sets *s);

/*
 * Report that @bytes bytes of an input of unknown size have been read. The more
 * bytes have been read, the more memory the bit sets may use. Any thread may
 * call this from time to time.
 */
void hp_id_sets_read_so_far(struct hp_id_sets *s, uint64_t bytes);

/*
 * Used by hp_id_define() and hp_id_refer() for an id that is not in the
 * worker's run (the bit sets that it accesses without a lookup).
 */
void hp_id_define_beyond(struct hp_id_worker *w, uint64_t id);
void hp_id_refer_beyond(struct hp_id_worker *w, uint64_t id);
/*
 * Set the bits that the worker has collected (pending_bits) in the set
 * `defined`. If a bit is already set, its id is recorded as a duplicate.
 */
void hp_id_flush(struct hp_id_worker *w);
/* Record that a second object has the id @id. */
void hp_id_defined_twice(struct hp_id_worker *w, uint64_t id);

static inline struct hp_near *
hp_id_near(struct hp_id_worker *w, uint64_t bit)
{
	return &w->near[(bit >> HP_LEAF_BITS) & w->near_mask];
}

/*
 * Returns the index of the bit of @id in a run (contiguous bit sets). @base:
 * the id that the first bit of the run stands for. If @id is smaller than @base
 * or unaligned, the result is larger than the length of any run: the low bits
 * of the difference become the top bits of the result.
 */
static inline uint64_t
hp_id_bit(uint64_t id, uint64_t base, unsigned shift)
{
	uint64_t n = id - base;

	return n >> shift | n << (-shift & 63);
}

/*
 * Add @id to the set `defined`, but not at once: its bit is first collected
 * together with other bits of the word *@word. The bit is number @bit % 64 of
 * this word.
 */
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

/*
 * Add @id to the set `defined`. @bit: the index of its bit in the worker's run
 * (contiguous bit sets).
 */
static inline void
hp_id_define_bit(struct hp_id_worker *w, uint64_t bit, uint64_t id)
{
	hp_id_enqueue(w, w->run_defined + (bit >> 6), bit, id);
}

/*
 * Add @id to the set `defined`: the dump contains an object with this id.
 * @shift: equal to w->shift, but callers pass a constant so that the compiler
 * can optimise.
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
 * Returns the address of a bit in memory, as one number: eight times the
 * address of @words, plus the index @bit. Bit 0 is the lowest bit of the first
 * word.
 */
HP_HOT uint64_t
hp_bit_address(const uint64_t *words, uint64_t bit)
{
	return ((uint64_t)(uintptr_t)words << 3) + bit;
}

/*
 * Returns the address of the 64-bit word that contains a bit. @address: from
 * hp_bit_address().
 */
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
 * Copies of some members of a worker, for a loop over references: its run
 * (contiguous bit sets) and its position in the ring buffer. The compiler keeps
 * the copies in registers. Members in memory would make each reference wait for
 * the stores of the previous one. Between hp_id_refer_begin() and
 * hp_id_refer_end() only hp_id_define_bit() may use the worker.
 */
struct hp_id_marker {
	uint64_t base, bits;
	/*
	 * address of the first bit of the run (contiguous bit sets), in the
	 * form of hp_bit_address()
	 */
	uint64_t first;
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
 * Set the bit at @address (see hp_bit_address()), but not at once: prefetch its
 * word now, and set the bit after HP_RING further calls. So several cache
 * misses overlap. *@at: position in the ring buffer.
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
 * Record a reference to @id. @shift: equal to w->shift. If @id is 0 (a null
 * reference), returns false and does nothing.
 */
HP_HOT bool
hp_id_refer_at(struct hp_id_worker *w, struct hp_id_marker *m, uint64_t id,
	       unsigned shift)
{
	uint64_t bit = hp_id_bit(id, m->base, shift);

	/*
	 * null (0) is never in the run (contiguous bit sets), so only the slow
	 * case tests for null
	 */
	if (HP_LIKELY(bit < m->bits)) {
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

/*
 * Record a single reference to @id, outside a loop. Returns false if @id is 0
 * (a null reference).
 */
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
 * @ids:  the ids, each with eight bytes in big-endian order
 * @n:    number of ids
 * @null: a counter, to which the function adds the number of null references
 * among @ids
 *
 * Call this only for a worker with w->lanes set, and not between
 * hp_id_refer_begin() and hp_id_refer_end().
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
 * Granules are ranges of 512 KiB of ids. For each batch (part of the dump), the
 * program records to which granules the batch refers. A later pass that
 * searches references to certain ids can then skip all batches that do not
 * refer to the granules of these ids. There are enough flags for a heap of 4
 * GB, or of up to 32 GB if the input is large. In a larger heap, several
 * granules share a flag.
 */

/*
 * Returns the number of 64-bit words of a bit set with one bit for each granule
 * (range of 512 KiB of ids).
 */
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
 * hp_id_granules_take() - get the granules (ranges of 512 KiB of ids) to which
 *                         the worker has recorded references since the last
 *                         call, and forget these granules
 * @bits: receives hp_id_granule_words() words
 */
void hp_id_granules_take(struct hp_id_worker *w, uint64_t *bits);

/*
 * Whether an object with this id was recorded so far. A worker may call this
 * while other workers record ids. Returns true for an id in a range that was
 * postponed to a later pass. In a heap with more than 65,536 scattered bit
 * sets, the result may be false although the object was recorded.
 */
bool hp_id_is_defined_now(struct hp_id_worker *w, uint64_t id);

/**
 * hp_id_sets_finish() - merge the sets of all workers, at the end of a pass
 * over the input
 *
 * Returns: HP_OK; HP_NOMEM, also if a worker ran out of memory.
 */
HP_MUST_USE enum hp_status hp_id_sets_finish(struct hp_id_sets *s,
					     struct hp_error *err);

/*
 * Add an id to the set `defined` after hp_id_sets_finish(), for example the id
 * of a class. If another pass over the input handles the id, it is ignored.
 */
HP_MUST_USE enum hp_status hp_id_sets_add(struct hp_id_sets *s, uint64_t id,
					  struct hp_error *err);
/**
 * hp_id_sets_sweep() - count the dangling ids of this pass (ids that are
 *                      referenced but not defined), and find the smallest and
 *                      the largest of them
 *
 * Call it after hp_id_sets_finish() and hp_id_sets_add(). Uses as many threads
 * as there are workers. If the input is read in several passes (windows), the
 * function also stores the dangling ids, unless there are too many
 * (dangling_lost).
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_sweep(struct hp_id_sets *s,
					    struct hp_error *err);

/*
 * Whether several passes over the input are needed, because the ids do not fit
 * in memory.
 */
static inline bool
hp_id_sets_partial(const struct hp_id_sets *s)
{
	return s->postponed.count > 0 || s->postponed.has_zero;
}
/*
 * Whether ids were lost because memory was too small. No later pass over the
 * input will handle these ids.
 */
bool hp_id_sets_over_memory(const struct hp_id_sets *s);
/* Whether the current pass over the input handles the id @id. */
bool hp_id_sets_in_window(const struct hp_id_sets *s, uint64_t id);
/*
 * Returns the total size in bytes of the address ranges that were postponed to
 * later passes over the input so far.
 */
uint64_t hp_id_sets_postponed(const struct hp_id_sets *s);

/*
 * Announce that the caller will query @id (hp_id_sets_defined(),
 * hp_id_sets_referenced()) after the last pass over the input. To be called
 * before the first hp_id_sets_next().
 */
HP_MUST_USE enum hp_status hp_id_sets_query(struct hp_id_sets *s, uint64_t id,
					    struct hp_error *err);

/**
 * hp_id_sets_next() - empty the sets for the next pass over the input (window)
 *
 * The first call decides which pass handles which ids. Duplicate ids that the
 * workers have recorded are discarded.
 * Returns: HP_OK: read the whole input again, for the ids of the next window.
 *          HP_EOF: all windows are done, and only ids that were announced can
 *          be queried; another call starts with the first window again.
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_next(struct hp_id_sets *s,
					   struct hp_error *err);

/*
 * Make the sets empty: free all bit sets and hash sets, and clear the caches of
 * all workers.
 */
void hp_id_sets_empty(struct hp_id_sets *s);

/*
 * Whether the dump contains an object with the id @id, or a reference to @id.
 * Valid after hp_id_sets_finish(). Call these functions only for ids of the
 * current window (pass over the input), and for ids that were announced.
 */
bool hp_id_sets_defined(const struct hp_id_sets *s, uint64_t id);
bool hp_id_sets_referenced(const struct hp_id_sets *s, uint64_t id);

#endif
