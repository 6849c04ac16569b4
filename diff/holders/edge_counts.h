/*
 * edge_counts.h - how many references of each kind name each node, counted by
 * several threads
 *
 * How many references of a kind there can be is known before, so counts have
 * their memory once and for all: a table for few, half a byte a node for many.
 * What does not fit is left to a further pass over the dump.
 *
 * Two nodes share a byte, so nodes are in stretches: those of one are counted
 * by one thread at a time.
 */
#ifndef HP_DIFF_HOLDERS_EDGE_COUNTS_H
#define HP_DIFF_HOLDERS_EDGE_COUNTS_H

#include "common/graph/big_array.h"

enum {
	HP_EDGE_COUNT_NODES = 256, /* of a kind, at a time */
	HP_EDGE_CARRY = 15,	   /* references that a full count stands for */
	HP_EDGE_STRETCHES = 513,   /* at most */
};

/*
 * A node's count stands at its number + the gap of its stretch, which begins
 * with a word of its own. Zeroed at first.
 */
struct hp_edge_stretches {
	struct {
		uint32_t first; /* node */
		uint32_t gap;
	} list[HP_EDGE_STRETCHES];
	uint32_t count;
	uint64_t places; /* of counts, in all */
};

/* Of a table. A count has no more than the references of the kind. */
struct hp_edge_slot {
	_Atomic uint32_t node; /* + 1; 0: free */
	uint32_t count;
};

struct hp_edge_count {
	uint64_t at;  /* of its bytes, in all of them */
	uint32_t cap; /* slots of a table; 0: half a byte a node */
};

struct hp_edge_counts {
	const struct hp_edge_stretches *stretches;
	uint64_t seed;
	struct hp_edge_count *list; /* of the kinds from @from on */
	struct hp_big_memory memory;
	struct hp_big_array counts;
	uint64_t bytes; /* of the counts */
	uint32_t from, end;
};

/**
 * hp_edge_stretches_add() - a stretch behind those that there are
 * @first: its first node, 0 of the first stretch
 * @end:   the node behind its last, with which the next one begins
 */
void hp_edge_stretches_add(struct hp_edge_stretches *s, uint32_t first,
			   uint32_t end);

/**
 * hp_edge_counts_bytes() - what the counts of a kind take
 * @s:    all stretches
 * @most: references of the kind, at most
 */
uint64_t hp_edge_counts_bytes(const struct hp_edge_stretches *s, uint64_t most);

/**
 * hp_edge_counts_begin() - zeros for the kinds from @from to before @end
 * @s:    borrowed
 * @most: by kind, of all kinds
 *
 * Returns: HP_OK; HP_NOMEM. Release them in any case.
 */
HP_MUST_USE enum hp_status
hp_edge_counts_begin(struct hp_edge_counts *c,
		     const struct hp_edge_stretches *s, uint32_t from,
		     uint32_t end, uint64_t (*most)(const void *, uint32_t),
		     const void *context, struct hp_error *err);
void hp_edge_counts_release(struct hp_edge_counts *c);

/* Where the search for a node begins in a table. */
static inline uint32_t
hp_edge_count_place(const struct hp_edge_counts *c,
		    const struct hp_edge_count *kind, uint32_t node)
{
	uint64_t mixed = (node ^ c->seed) * UINT64_C(0x9E3779B97F4A7C15);

	mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t)((mixed >> 32) * kind->cap >> 32);
}

/*
 * The byte of the count of a node of a stretch with this gap, which is on its
 * way into the cache from now on; NULL: the kind has a table, whose slot is.
 */
HP_HOT uint8_t *
hp_edge_count_fetch(const struct hp_edge_counts *c, uint32_t kind,
		    uint32_t node, uint32_t gap)
{
	const struct hp_edge_count *k = &c->list[kind - c->from];
	uint8_t *counts = (uint8_t *)c->counts.at + k->at;

	if (k->cap) {
		__builtin_prefetch((struct hp_edge_slot *)(void *)counts +
					   hp_edge_count_place(c, k, node),
				   1);
		return NULL;
	}
	counts += (node + gap) / 2;
	__builtin_prefetch(counts, 1);
	return counts;
}

/* Count a reference to a node in a table. */
void hp_edge_count_add_hashed(struct hp_edge_counts *c, uint32_t kind,
			      uint32_t node);

/*
 * A reference of @kind names @node of a stretch with this @gap, whose @byte
 * hp_edge_count_fetch() gave. Any thread, but one at a time of a stretch.
 *
 * Returns: true: HP_EDGE_CARRY references to this node were counted until now
 *          that hp_edge_count_next() will not tell of: the caller has to keep
 *          them.
 */
static inline bool
hp_edge_count_add(struct hp_edge_counts *c, uint32_t kind, uint32_t node,
		  uint32_t gap, uint8_t *byte)
{
	unsigned shift = ((node + gap) & 1) * 4;

	if (HP_UNLIKELY(!byte)) {
		hp_edge_count_add_hashed(c, kind, node);
		return false;
	}
	if (HP_LIKELY((*byte >> shift & 15) != HP_EDGE_CARRY)) {
		*byte = (uint8_t)(*byte + (1 << shift));
		return false;
	}
	*byte = (uint8_t)(*byte - ((HP_EDGE_CARRY - 1) << shift));
	return true;
}

/* Where a walk over the counts of a kind is. Zeroed at first. */
struct hp_edge_walk {
	uint64_t at;
	uint32_t stretch;
};

/**
 * hp_edge_count_next() - walk, when all threads are done: the next nodes
 * @nodes:  HP_EDGE_COUNT_NODES of them at most, so that the caller can fetch
 *          what it knows of many at once; those of a table are in no order
 * @counts: as many: references that name them, 1 at least
 *
 * Returns: how many; 0 at the end.
 */
uint32_t hp_edge_count_next(const struct hp_edge_counts *c, uint32_t kind,
			    struct hp_edge_walk *walk, uint32_t nodes[],
			    uint32_t counts[]);

#endif
