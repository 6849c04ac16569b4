/* id_set.h - sets of object ids, with one bit for each possible address */
#ifndef HP_OBJECT_IDS_ID_SET_H
#define HP_OBJECT_IDS_ID_SET_H

#include "common/base/platform.h"
#include "common/object_ids/id_map.h"

#include <pthread.h>
#include <stdatomic.h>

/* ----------------------------------------------------------------------
 * The data structures behind id_set.h
 *
 * A set of ids consists of leaves and a hash set. A leaf is a bit set for one
 * stretch, which is a range of 2^20 possible ids. The hash set has all ids
 * without a leaf: unaligned ids, and ids of stretches with few ids. Each worker
 * also remembers the leaves that it used recently. id_set.h describes how sets
 * are filled and queried, and id_span.c describes contiguous leaves.
 */

enum {
	HP_PAGE_BYTES = 4096, /* size in bytes of a page of memory */
	/* base-2 logarithm of the bits in a leaf, which has 128 KiB */
	HP_LEAF_BITS = 20,
	HP_LEAF_WORDS = 1 << (HP_LEAF_BITS - 6),
	/*
	 * number of references that wait in a ring buffer until their cache
	 * line has been fetched
	 */
	HP_RING = 64,
	/* number of references that hp_id_refer_lanes() processes together */
	HP_LANES = 4,
	/* minimum length of an array for which hp_id_refer_lanes() pays off */
	HP_LANES_WORTH = 8,
	/*
	 * base-2 logarithm of a granule: a range of 512 KiB of addresses. A set
	 * distinguishes between HP_GRANULES_MIN and HP_GRANULES_MAX granules.
	 */
	HP_GRANULE_SHIFT = 19,
	HP_GRANULES_MIN = 1 << 13,
	HP_GRANULES_MAX = 1 << 16,
};

/*
 * A stretch (range of 2^20 ids) gets a bit set when more ids than this have
 * been seen in it. HP_SPARSE applies when memory is scarce or the hash sets
 * have become large. HP_SPARSE_FREE applies otherwise: then the ids must take
 * about an eighth of a bit set in the input. So a crafted small input cannot
 * force the allocation of many bit sets.
 */
enum { HP_SPARSE = 256, HP_SPARSE_FREE = 2048 };

/* The bit sets (leaves) of one range of 2^20 possible ids. */
struct hp_region {
	uint64_t number;
	/*
	 * one bit for each id of the range: set if the dump defines it; NULL:
	 * there is no bit set
	 */
	_Atomic uint64_t *defined;
	/*
	 * for each thread, one bit for each id: set if the thread has seen a
	 * reference to it; NULL: there is no bit set
	 */
	uint64_t *referenced[];
};

/* An entry in the cache with which each thread finds bit sets (leaves). */
struct hp_near {
	/*
	 * number of the range of ids (stretch); UINT64_MAX: the entry is free
	 */
	uint64_t number;
	/* the bits of defined ids; NULL: ignore the ids of this range */
	_Atomic uint64_t *defined;
	uint64_t *referenced;
};

struct hp_id_worker {
	struct hp_id_sets *sets;
	unsigned number, shift;
	uint64_t low; /* mask of the low bits, which are 0 in an aligned id */
	/*
	 * The run: leaves (bit sets) that follow each other without a gap and
	 * have most of the ids. The thread finds an id in the run without
	 * looking up its leaf. run_bits is 0 if there is no run.
	 */
	uint64_t run_base; /* the id that belongs to the first bit of the run */
	uint64_t run_bits;
	_Atomic uint64_t *run_defined;
	uint64_t *run_referenced;
	/* number of ids outside the run since the run was chosen */
	uint64_t run_misses;
	/*
	 * Bits to be stored in one word of `defined`. Consecutive ids mostly
	 * share a word, so storing them together saves atomic operations.
	 */
	_Atomic uint64_t *pending;
	uint64_t pending_bits;
	/* the id that belongs to the first bit of *pending */
	uint64_t pending_base;
	/* the word of `defined` to which the thread wrote last */
	_Atomic uint64_t *stored;
	/*
	 * A ring buffer of bits of `referenced` that will be set later, when
	 * their cache line has been fetched. See hp_bit_address().
	 */
	unsigned ring_at;
	_Alignas(32) uint64_t ring[HP_RING];
	/*
	 * Words that are never read. Null references and empty entries of the
	 * ring write to them, so that the loop needs no branch. Each lane has a
	 * word of its own, so that no lane waits for another.
	 */
	_Alignas(32) uint64_t nowhere[HP_LANES];
	bool lanes; /* the processor can execute hp_id_refer_lanes() */
	_Atomic uint64_t nowhere_shared;
	/*
	 * For each granule (range of 512 KiB of ids): 1 if an id in it was
	 * referred to since the last hp_id_granules_take(). Bytes instead of
	 * bits, so that marking a granule is a single store. The last byte is
	 * for null.
	 */
	uint8_t *granules;
	uint64_t granule_mask;
	/*
	 * the thread's cache of bit sets; the low bits of the number of a range
	 * of ids give the slot
	 */
	struct hp_near *near;
	uint64_t near_mask;
	/*
	 * ids for which there is no bit set; the values of the maps are not
	 * used
	 */
	struct hp_id_map odd_defined, odd_referenced;
	/* how many definitions had an id that was already defined */
	uint64_t duplicates;
	/* such ids, not all of them; an id may occur several times */
	uint64_t *duplicate_ids;
	size_t nduplicates, duplicates_cap;
	bool failed; /* memory ran out */
	bool full;   /* the hash tables were full, so ids were lost */
};

struct hp_id_sets {
	unsigned workers, shift;
	/* number of threads that have a set of references: all threads, or 0 */
	unsigned referrers;
	pthread_mutex_t lock;
	/* maps the number of a range of ids to its struct hp_region * */
	struct hp_id_map directory;
	struct hp_region **regions;
	size_t nregions, regions_cap;
	uint64_t leaf_bytes; /* bytes of all leaves (bit sets) so far */
	uint64_t span_bytes; /* how many of these bytes are in the span */
	/*
	 * When the bit sets take more bytes than this, the first ids of each
	 * new range go to hash sets.
	 */
	uint64_t leaf_budget;
	/*
	 * Limit, in bytes, up to which leaves (bit sets) may be created before
	 * one of their ids has been seen. A small input gets a small limit,
	 * because reading empty leaves at the end takes time.
	 */
	_Atomic uint64_t ahead_budget;
	uint64_t ahead_most; /* the value of ahead_budget for a large input */
	/*
	 * for ranges that may not have bit sets yet, because all bit sets take
	 * more than leaf_budget: how many ids were seen in the range
	 */
	struct hp_id_map met;
	/* a hash set has reached half of its maximum size */
	atomic_bool pressed;
	/* limit of bytes for leaves and hash sets: a part of --memory */
	uint64_t memory;
	/* bytes for all possible leaves of all regions */
	_Atomic uint64_t reserved;
	/* maximum number of remembered duplicate ids */
	size_t duplicates_max;
	struct hp_slab *slabs;
	/*
	 * The span: address space that is reserved for leaves (bit sets) in the
	 * order of ids. It has span_leaves leaves for each set. Most of it is
	 * never touched, so it takes no memory. NULL: there is none.
	 */
	uint8_t *span;
	/* number of the range of ids whose leaf is the first of the span */
	uint64_t span_from;
	uint64_t span_leaves;
	_Atomic uint8_t *span_there; /* for each leaf: whether it is in use */
	struct hp_id_worker *worker;
	/* number of granules (ranges of 512 KiB of ids): a power of two */
	size_t granules;
	/* for each granule: 1 if it contains a dangling id */
	uint8_t *dangling_granules;
	/*
	 * ids in hash tables, of all threads; valid after hp_id_sets_finish()
	 */
	struct hp_id_map odd_defined, odd_referenced;
	/*
	 * number of ids that are referred to but not defined, in all passes so
	 * far
	 */
	uint64_t dangling;
	/* smallest and largest dangling id */
	uint64_t dangling_low, dangling_high;
	/*
	 * For each range of ids that was postponed to a later pass: how many
	 * ids were seen in it. After the passes (windows) are planned: window
	 * << 1 | 1 if the range gets bit sets, window << 1 | 0 if its ids go to
	 * hash sets.
	 */
	struct hp_id_map postponed;
	bool planned;
	/* there are too many postponed ranges of ids to remember all of them */
	bool crowded;
	/* the hash sets were full, so ids were lost */
	bool full;
	/*
	 * number of the pass over the input (window), from 0; number of passes
	 */
	unsigned window, windows;
	/*
	 * maps ids about which the caller will ask to a set of HP_ASKED_ bits
	 */
	struct hp_id_map asked;
	/*
	 * the dangling ids; only kept if there are several passes, and if the
	 * ids fit in memory
	 */
	struct hp_id_map dangling_ids;
	/* the dangling ids did not fit in memory and were forgotten */
	bool dangling_lost;
};

enum { HP_ASKED_DEFINED = 1, HP_ASKED_REFERENCED = 2 };

static inline struct hp_region *
hp_region_get(const struct hp_id_sets *s, uint64_t number)
{
	return hp_id_map_pointer(&s->directory, number);
}

/*
 * Bytes of all leaves (bit sets) that a range of ids can have: one for
 * `defined`, and one for each worker that has a set `referenced`.
 */
static inline uint64_t
hp_region_bytes(const struct hp_id_sets *s)
{
	return (uint64_t)(s->referrers + 1) * HP_LEAF_WORDS * 8;
}

/* ----------------------------------------------------------------------
 * Two sets of ids: those that a dump defines, and those it refers to
 *
 * The sets are bit sets over the range of addresses, with one bit for each
 * alignment unit. All workers share the set `defined`; each worker has its own
 * set `referenced`. After hp_id_sets_finish() both can be queried. Unaligned
 * ids go to hash sets. So do scattered ids whose leaves would take more memory
 * than the size of the input justifies. A stretch of ids that is seen often
 * gets leaves in any case. Results do not depend on the order in which ids are
 * added.
 *
 * If the sets do not fit in the allowed memory, they are processed in several
 * passes over the input. Each pass handles some ranges of ids, its window. A
 * stretch (range of ids) that finds no room for leaves is postponed, and its
 * ids are ignored. Later the whole input is read again, once for each further
 * window. Queries that will be made after the last window must be announced
 * before.
 */

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
 *                            `defined`, and without hp_id_sets_sweep()
 * @share: how many such sets divide the memory for an input of @input_bytes
 *         among themselves
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
 * The slow cases of hp_id_define() and hp_id_refer(), for ids whose bit set is
 * not in the thread's run (the leaves that it finds without a lookup).
 */
void hp_id_define_beyond(struct hp_id_worker *w, uint64_t id);
void hp_id_refer_beyond(struct hp_id_worker *w, uint64_t id);
/*
 * Write the bits that the worker has collected to `defined`. Bits that were
 * already set count as duplicates.
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
 * The number of the bit of @id, counted from the bit of @base. For an id that
 * is smaller than @base or unaligned, the result is larger than any run of
 * leaves: the low bits of the id become the top bits.
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

/* Define @id, whose bit is bit @bit of the worker's run (contiguous leaves). */
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

/* The 64-bit word that has the bit of an id. */
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
 * (contiguous leaves) and its position in the ring buffer. Otherwise each
 * reference would wait for the stores of the previous one. Between
 * hp_id_refer_begin() and hp_id_refer_end() only hp_id_define_bit() may use the
 * worker's sets.
 */
struct hp_id_marker {
	uint64_t base, bits;
	/*
	 * address of the first bit of the run, in the form of hp_bit_address()
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

	/* null is never in a run, so it is tested only in the slow case */
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
 * Granules are ranges of 512 KiB of ids. The granules that a batch of the dump
 * refers to show that the batch does not refer to ids elsewhere. So a later
 * pass can skip batches. In a heap of more than 4 GB (or 32 GB, for an input of
 * that size) several granules share a bit.
 */

/*
 * Number of 64-bit words in a set with one bit for each granule (range of 512
 * KiB of ids).
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
 * hp_id_granules_take() - get the granules (ranges of 512 KiB of ids) that the
 *                         worker's ids were in since the last call, and clear
 *                         them
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
 * hp_id_sets_finish() - merge the sets of all workers, at the end of a pass
 * over the input
 *
 * Returns: HP_OK; HP_NOMEM, also if a worker ran out of memory.
 */
HP_MUST_USE enum hp_status hp_id_sets_finish(struct hp_id_sets *s,
					     struct hp_error *err);

/*
 * Define an id after hp_id_sets_finish(), for example the id of a class.
 * Ignores ids that another pass over the input handles.
 */
HP_MUST_USE enum hp_status hp_id_sets_add(struct hp_id_sets *s, uint64_t id,
					  struct hp_error *err);
/**
 * hp_id_sets_sweep() - count the dangling ids of this pass, and find the
 *                      smallest and largest of them
 *
 * To be called after hp_id_sets_finish() and hp_id_sets_add(). Uses as many
 * threads as there are workers. If there are several windows, it also keeps the
 * ids, unless there are too many (dangling_lost).
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_sweep(struct hp_id_sets *s,
					    struct hp_error *err);

/*
 * Whether memory does not suffice for all ids, so that several passes over the
 * input are needed.
 */
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
/* Whether the current pass over the input handles this id. */
bool hp_id_sets_in_window(const struct hp_id_sets *s, uint64_t id);
/*
 * How many bytes of addresses the ranges of ids cover that were left to later
 * passes, as far as they are known.
 */
uint64_t hp_id_sets_postponed(const struct hp_id_sets *s);

/*
 * Announce that the caller will ask about @id after the last pass. To be called
 * before the first hp_id_sets_next().
 */
HP_MUST_USE enum hp_status hp_id_sets_query(struct hp_id_sets *s, uint64_t id,
					    struct hp_error *err);

/**
 * hp_id_sets_next() - empty the sets for the next pass over the input (window)
 *
 * The first call plans the windows. Duplicates that the workers have recorded
 * are discarded.
 * Returns: HP_OK: read the whole input again, for the ids of this window.
 *          HP_EOF: all windows are done, and only announced queries can be
 *          answered; another call starts with the first window again. HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_id_sets_next(struct hp_id_sets *s,
					   struct hp_error *err);

/* Free all bit sets and hash sets, and clear the caches of all workers. */
void hp_id_sets_empty(struct hp_id_sets *s);

/*
 * Whether the dump defines @id; valid after hp_id_sets_finish(). Call it only
 * for ids of the current window (pass), and for ids that were announced.
 */
bool hp_id_sets_defined(const struct hp_id_sets *s, uint64_t id);
bool hp_id_sets_referenced(const struct hp_id_sets *s, uint64_t id);

#endif
