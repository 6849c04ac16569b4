/*
 * edge_counts.h - count how many references of each kind refer to each node, in
 * several threads
 *
 * The maximum number of references of a kind is known in advance, so all memory
 * is allocated at once. A kind with few references has a hash table; a kind
 * with many has a 4-bit counter for each node. Kinds for which the memory does
 * not suffice are counted in another pass over the dump.
 *
 * Two nodes share a byte. So the nodes are divided into ranges ("stretches"),
 * and only one thread at a time counts the nodes of a stretch.
 */
#ifndef HP_DIFF_HOLDERS_EDGE_COUNTS_H
#define HP_DIFF_HOLDERS_EDGE_COUNTS_H

#include "common/graph/big_array.h"

enum {
	/* maximum results of hp_edge_count_next() */
	HP_EDGE_COUNT_NODES = 256,
	/* references that one overflow of a counter stands for */
	HP_EDGE_CARRY = 15,
	HP_EDGE_STRETCHES = 513, /* maximum number of stretches */
};

/*
 * The ranges of nodes. The counter of a node has the index: node + the gap of
 * its stretch. Each stretch starts at a new 8-byte word. Zeroed at first.
 */
struct hp_edge_stretches {
	struct {
		uint32_t first; /* the first node of the stretch */
		uint32_t gap;
	} list[HP_EDGE_STRETCHES];
	uint32_t count;
	uint64_t places; /* number of counters, with the gaps */
};

/*
 * A slot of a hash table. The slots of a kind are enough for all its
 * references, so a 32-bit count does not overflow.
 */
struct hp_edge_slot {
	_Atomic uint32_t node; /* node + 1; 0: the slot is free */
	uint32_t count;
};

struct hp_edge_count {
	/* offset of the kind's counters in hp_edge_counts.counts */
	uint64_t at;
	/* slots of the hash table; 0: half a byte for each node */
	uint32_t cap;
};

struct hp_edge_counts {
	const struct hp_edge_stretches *stretches;
	uint64_t seed;
	struct hp_edge_count *list; /* the kinds from @from on */
	struct hp_big_memory memory;
	struct hp_big_array counts;
	uint64_t bytes; /* bytes of all counters */
	uint32_t from, end;
};

/**
 * hp_edge_stretches_add() - append a stretch
 * @first: its first node; 0 for the first stretch
 * @end: the node after its last, where the next stretch starts
 */
void hp_edge_stretches_add(struct hp_edge_stretches *s, uint32_t first,
			   uint32_t end);

/**
 * hp_edge_counts_bytes() - the bytes that the counters of a kind need
 * @s: with all stretches
 * @most: maximum number of references of the kind
 */
uint64_t hp_edge_counts_bytes(const struct hp_edge_stretches *s, uint64_t most);

/**
 * hp_edge_counts_begin() - allocate zeroed counters for the kinds in [@from,
 * @end)
 * @s: borrowed
 * @most: returns the maximum number of references of a kind, given @context
 *
 * Returns: HP_OK; HP_NOMEM. Call hp_edge_counts_release() after a failure also.
 */
HP_MUST_USE enum hp_status
hp_edge_counts_begin(struct hp_edge_counts *c,
		     const struct hp_edge_stretches *s, uint32_t from,
		     uint32_t end, uint64_t (*most)(const void *, uint32_t),
		     const void *context, struct hp_error *err);
void hp_edge_counts_release(struct hp_edge_counts *c);

/* The slot of a hash table at which the search for a node begins. */
static inline uint32_t
hp_edge_count_place(const struct hp_edge_counts *c,
		    const struct hp_edge_count *kind, uint32_t node)
{
	uint64_t mixed = (node ^ c->seed) * UINT64_C(0x9E3779B97F4A7C15);

	mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t)((mixed >> 32) * kind->cap >> 32);
}

/*
 * Find the byte with the counter of a node, and prefetch it. @gap is the gap of
 * the node's stretch. If the kind has a hash table, prefetch the slot and
 * return NULL.
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

/* Count a reference to a node in a hash table. */
void hp_edge_count_add_hashed(struct hp_edge_counts *c, uint32_t kind,
			      uint32_t node);

/*
 * Count a reference of @kind to @node. @gap is the gap of its stretch and @byte
 * is the result of hp_edge_count_fetch(). Only one thread at a time may count
 * in a stretch.
 *
 * Returns: true if the counter overflowed: the caller must record HP_EDGE_CARRY
 *          references to this node, which the counter no longer contains.
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

/* The position of an iteration over the counters of a kind. Zeroed at first. */
struct hp_edge_walk {
	uint64_t at;
	uint32_t stretch;
};

/**
 * hp_edge_count_next() - iterate over the counters, after all threads are done
 * @nodes: receives at most HP_EDGE_COUNT_NODES nodes, so that the caller can
 *   prefetch data for many nodes at once; nodes of a hash table are unordered
 * @counts: receives for each node the number of references, at least 1
 *
 * Returns: the number of nodes; 0 at the end.
 */
uint32_t hp_edge_count_next(const struct hp_edge_counts *c, uint32_t kind,
			    struct hp_edge_walk *walk, uint32_t nodes[],
			    uint32_t counts[]);

#endif
