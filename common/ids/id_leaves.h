/*
 * id_leaves.h - what two sets of ids are made of: leaves of bits, hash sets for
 * the rest, and what each worker knows of them
 *
 * How they are filled and asked is in id_set.h; which leaves lie side by side
 * in id_span.h.
 */
#ifndef HP_IDS_ID_LEAVES_H
#define HP_IDS_ID_LEAVES_H

#include "common/ids/id_map.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
	HP_PAGE_BYTES = 4096, /* what the kernel makes at once, at least */
	HP_LEAF_BITS = 20,    /* log2 of the bits of a leaf: 128 KiB */
	HP_LEAF_WORDS = 1 << (HP_LEAF_BITS - 6),
	HP_RING = 64,	    /* references under way to memory */
	HP_LANES = 4,	    /* references that are looked at together */
	HP_LANES_WORTH = 8, /* ids in a row for which that is worth a call */
	/* a granule: 512 KiB of ids; what is told apart at least, and at most
	 */
	HP_GRANULE_SHIFT = 19,
	HP_GRANULES_MIN = 1 << 13,
	HP_GRANULES_MAX = 1 << 16,
};

/*
 * A stretch that is met more often is worth leaves of its own. Where only the
 * input's size limits them, it has to be met as often as to take an eighth of
 * a leaf in the input, lest a crafted one get much for little; until the hash
 * sets get large.
 */
enum { HP_SPARSE = 256, HP_SPARSE_FREE = 2048 };

/* The leaves of one stretch of ids. */
struct hp_region {
	uint64_t number;
	_Atomic uint64_t *defined; /* NULL: none */
	uint64_t *referenced[];	   /* by worker; NULL: none */
};

/* A leaf that a worker knows. */
struct hp_near {
	uint64_t number;	   /* UINT64_MAX: none */
	_Atomic uint64_t *defined; /* NULL: its ids are dropped */
	uint64_t *referenced;
};

struct hp_id_worker {
	struct hp_id_sets *sets;
	unsigned number, shift;
	uint64_t low; /* bits that an aligned id does not have */
	/* the run of leaves side by side that most ids are in; 0 bits: none */
	uint64_t run_base; /* the id of its first bit */
	uint64_t run_bits;
	_Atomic uint64_t *run_defined;
	uint64_t *run_referenced;
	uint64_t run_misses; /* ids of other leaves, since it was chosen */
	/* bits of one word of `defined`, not stored yet */
	_Atomic uint64_t *pending;
	uint64_t pending_bits;
	uint64_t pending_base;	  /* the id of the word's first bit */
	_Atomic uint64_t *stored; /* the word that was stored last */
	/* bits of `referenced` to be set, by hp_bit_address() */
	unsigned ring_at;
	_Alignas(32) uint64_t ring[HP_RING];
	/* where entries lead that are of no id: a word for each lane, so that
	 * none waits for another */
	_Alignas(32) uint64_t nowhere[HP_LANES];
	bool lanes; /* hp_id_refer_lanes() may be asked */
	_Atomic uint64_t nowhere_shared;
	/* granules that were referred to since hp_id_granules_take(): a byte
	 * each, so that marking one is a store, and one for null */
	uint8_t *granules;
	uint64_t granule_mask;
	struct hp_near *near; /* by the low bits of their numbers */
	uint64_t near_mask;
	struct hp_id_map odd_defined, odd_referenced; /* as sets */
	uint64_t duplicates;	 /* definitions beyond the first of an id */
	uint64_t *duplicate_ids; /* some ids may stand here twice */
	size_t nduplicates, duplicates_cap;
	bool failed; /* out of memory */
	bool full;   /* ids found no room in the hash sets */
};

struct hp_id_sets {
	unsigned workers, shift;
	unsigned referrers; /* workers with a set of what is referred to: all,
			       or none */
	pthread_mutex_t lock;
	struct hp_id_map directory; /* stretch number to struct hp_region * */
	struct hp_region **regions;
	size_t nregions, regions_cap;
	uint64_t leaf_bytes;  /* given out */
	uint64_t leaf_budget; /* beyond it the first ids of a stretch go to
				 hash sets */
	/* for leaves that no id was met of yet: they are swept, too, and a
	 * small input must not wait */
	_Atomic uint64_t ahead_budget;
	uint64_t ahead_most;  /* what becomes of it for a large input */
	struct hp_id_map met; /* stretches beyond it: how often */
	atomic_bool pressed;  /* a hash set is half of what it may be */
	uint64_t memory;      /* for leaves and hash sets: --memory's part */
	_Atomic uint64_t reserved; /* of it, for all leaves of the regions */
	size_t duplicates_max;	   /* ids of duplicates that are remembered */
	struct hp_slab *slabs;
	/*
	 * Room for leaves side by side, in the order of ids: span_leaves for
	 * each set, most of it never touched. NULL: none.
	 */
	uint8_t *span;
	uint64_t span_from; /* number of the first leaf */
	uint64_t span_leaves;
	_Atomic uint8_t *span_there; /* by leaf: it is in use */
	struct hp_id_worker *worker;
	size_t granules;	    /* a power of two */
	uint8_t *dangling_granules; /* those with an id that dangles */
	/* after hp_id_sets_finish(): */
	struct hp_id_map odd_defined, odd_referenced;
	uint64_t dangling; /* ids referred to and not defined, in all windows */
	uint64_t dangling_low, dangling_high; /* the span they lie in */
	/*
	 * Windows. A postponed stretch: how often it was met, and once it is
	 * planned its window << 1 | whether it has leaves.
	 */
	struct hp_id_map postponed;
	bool planned;
	bool crowded;		       /* too many to know them all */
	bool full;		       /* ids found no room in hash sets */
	unsigned window, windows;      /* the one under way, from 0; in all */
	struct hp_id_map asked;	       /* id to what is known: HP_ASKED_ */
	struct hp_id_map dangling_ids; /* with windows: as long as they fit */
	bool dangling_lost;	       /* they did not */
};

enum { HP_ASKED_DEFINED = 1, HP_ASKED_REFERENCED = 2 };

static inline struct hp_region *
hp_region_get(const struct hp_id_sets *s, uint64_t number)
{
	return hp_id_map_pointer(&s->directory, number);
}

/* Bytes of all leaves that a region may come to have. */
static inline uint64_t
hp_region_bytes(const struct hp_id_sets *s)
{
	return (uint64_t)(s->referrers + 1) * HP_LEAF_WORDS * 8;
}

#endif
