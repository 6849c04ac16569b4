/*
 * id_leaves.h - the data structures behind id_set.h
 *
 * A set of ids consists of leaves and a hash set. A leaf is a bit set for one
 * stretch, which is a range of 2^20 possible ids. The hash set has all ids
 * without a leaf: unaligned ids, and ids of stretches with few ids. Each worker
 * also remembers the leaves that it used recently. id_set.h describes how sets
 * are filled and queried, and id_span.h describes contiguous leaves.
 */
#ifndef HP_IDS_ID_LEAVES_H
#define HP_IDS_ID_LEAVES_H

#include "common/ids/id_map.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
	HP_PAGE_BYTES = 4096, /* size in bytes of a page of memory */
	/* log2 of the bits in a leaf, which takes 128 KiB */
	HP_LEAF_BITS = 20,
	HP_LEAF_WORDS = 1 << (HP_LEAF_BITS - 6),
	HP_RING = 64, /* references whose cache lines are being fetched */
	/* number of references that hp_id_refer_lanes() processes together */
	HP_LANES = 4,
	/* minimum length of an array for which hp_id_refer_lanes() pays off */
	HP_LANES_WORTH = 8,
	/*
	 * log2 of a granule: a range of 512 KiB of addresses. A set
	 * distinguishes between HP_GRANULES_MIN and HP_GRANULES_MAX granules.
	 */
	HP_GRANULE_SHIFT = 19,
	HP_GRANULES_MIN = 1 << 13,
	HP_GRANULES_MAX = 1 << 16,
};

/*
 * A stretch gets leaves when more ids than this have been seen in it. HP_SPARSE
 * applies when memory is scarce or the hash sets have become large.
 * HP_SPARSE_FREE applies otherwise: then the ids must take about an eighth of a
 * leaf in the input. So a crafted small input cannot force the allocation of
 * many leaves.
 */
enum { HP_SPARSE = 256, HP_SPARSE_FREE = 2048 };

/* The leaves of one stretch. A stretch is a range of 2^20 possible ids. */
struct hp_region {
	uint64_t number;
	_Atomic uint64_t *defined; /* leaf of the set `defined`; NULL: none */
	/* by worker: leaf of its set `referenced`; NULL: none */
	uint64_t *referenced[];
};

/* An entry in the cache of leaves that each worker has. */
struct hp_near {
	/* number of the stretch; UINT64_MAX: the entry is free */
	uint64_t number;
	_Atomic uint64_t *defined; /* NULL: ignore the ids of this stretch */
	uint64_t *referenced;
};

struct hp_id_worker {
	struct hp_id_sets *sets;
	unsigned number, shift;
	uint64_t low; /* mask of the low bits, which are 0 in an aligned id */
	/*
	 * The run: contiguous leaves that contain most ids. Ids in it need no
	 * lookup of their leaf. run_bits is 0 if there is none.
	 */
	uint64_t run_base; /* the id of the first bit of the run */
	uint64_t run_bits;
	_Atomic uint64_t *run_defined;
	uint64_t *run_referenced;
	uint64_t run_misses; /* ids outside the run since the run was chosen */
	/*
	 * Bits to be stored in one word of `defined`. Consecutive ids mostly
	 * share a word, so storing them together saves atomic operations.
	 */
	_Atomic uint64_t *pending;
	uint64_t pending_bits;
	uint64_t pending_base; /* the id of the first bit of *pending */
	/* the word of `defined` that was last written */
	_Atomic uint64_t *stored;
	/*
	 * A ring buffer of bits of `referenced` that will be set later, when
	 * their cache line has arrived. See hp_bit_address().
	 */
	unsigned ring_at;
	_Alignas(32) uint64_t ring[HP_RING];
	/*
	 * Dummy words, to which null references and empty ring entries write.
	 * Each lane has a word of its own, so that no lane waits for another.
	 */
	_Alignas(32) uint64_t nowhere[HP_LANES];
	bool lanes; /* hp_id_refer_lanes() may be called */
	_Atomic uint64_t nowhere_shared;
	/*
	 * By granule: 1 if it was referred to since the last
	 * hp_id_granules_take(). Bytes instead of bits, so that marking a
	 * granule is a single store. The last byte is for null.
	 */
	uint8_t *granules;
	uint64_t granule_mask;
	/* a direct-mapped cache, by the low bits of the number */
	struct hp_near *near;
	uint64_t near_mask;
	/* hash sets of ids without leaves; the values of the maps are unused */
	struct hp_id_map odd_defined, odd_referenced;
	/* definitions of ids that were already defined */
	uint64_t duplicates;
	uint64_t *duplicate_ids; /* an id may occur several times */
	size_t nduplicates, duplicates_cap;
	bool failed; /* out of memory */
	bool full;   /* the hash sets were full, so ids were lost */
};

struct hp_id_sets {
	unsigned workers, shift;
	/* workers that have a `referenced` set: all or none */
	unsigned referrers;
	pthread_mutex_t lock;
	/* from stretch numbers to struct hp_region * */
	struct hp_id_map directory;
	struct hp_region **regions;
	size_t nregions, regions_cap;
	uint64_t leaf_bytes; /* bytes of all leaves so far */
	/*
	 * When leaves take more bytes than this, the first ids of each new
	 * stretch go to hash sets.
	 */
	uint64_t leaf_budget;
	/*
	 * Limit, in bytes, up to which leaves may be created before one of
	 * their ids has been seen. A small input gets a small limit, because
	 * sweeping empty leaves takes time.
	 */
	_Atomic uint64_t ahead_budget;
	uint64_t ahead_most; /* the value of ahead_budget for a large input */
	/*
	 * how many ids were seen in each stretch that may not have leaves yet,
	 * because all leaves take more than leaf_budget
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
	 * The span: address space for contiguous leaves, in the order of ids.
	 * It has span_leaves leaves for each set. Most of it is never touched,
	 * so it takes no memory. NULL: there is none.
	 */
	uint8_t *span;
	uint64_t span_from; /* stretch number of its first leaf */
	uint64_t span_leaves;
	_Atomic uint8_t *span_there; /* by leaf: whether the leaf is in use */
	struct hp_id_worker *worker;
	size_t granules; /* a power of two */
	/* by granule: 1 if it contains a dangling id */
	uint8_t *dangling_granules;
	/* valid after hp_id_sets_finish(): */
	struct hp_id_map odd_defined, odd_referenced;
	/*
	 * number of ids that are referred to but not defined, in all windows so
	 * far
	 */
	uint64_t dangling;
	/* smallest and largest dangling id */
	uint64_t dangling_low, dangling_high;
	/*
	 * From a postponed stretch to the number of ids seen in it. After
	 * planning: window << 1 | 1 if it has leaves, window << 1 | 0 if its
	 * ids go to hash sets.
	 */
	struct hp_id_map postponed;
	bool planned;
	/* too many postponed stretches to remember all */
	bool crowded;
	/* the hash sets were full, so ids were lost */
	bool full;
	/* current window, from 0; number of windows */
	unsigned window, windows;
	/* ids of queries, to a bit set of HP_ASKED_ values */
	struct hp_id_map asked;
	/*
	 * the dangling ids; only kept if there are several windows, and if they
	 * fit
	 */
	struct hp_id_map dangling_ids;
	/* dangling_ids did not fit and was dropped */
	bool dangling_lost;
};

enum { HP_ASKED_DEFINED = 1, HP_ASKED_REFERENCED = 2 };

static inline struct hp_region *
hp_region_get(const struct hp_id_sets *s, uint64_t number)
{
	return hp_id_map_pointer(&s->directory, number);
}

/*
 * Bytes of all leaves that a region can have: one for `defined`, and one for
 * each worker that has a `referenced` set.
 */
static inline uint64_t
hp_region_bytes(const struct hp_id_sets *s)
{
	return (uint64_t)(s->referrers + 1) * HP_LEAF_WORDS * 8;
}

#endif
