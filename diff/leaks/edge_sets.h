/*
 * edge_sets.h - which objects references of each kind name: a set of nodes for
 * each kind, filled by several threads
 *
 * How many references of a kind there can be is known before, so sets have
 * their memory once and for all: a table for few, a bit a node for many. What
 * does not fit is left to a further pass over the dump.
 */
#ifndef HP_DIFF_LEAKS_EDGE_SETS_H
#define HP_DIFF_LEAKS_EDGE_SETS_H

#include "common/base/status.h"

#include <stdatomic.h>

enum { HP_EDGE_SET_NODES = 256 }; /* of a set, at a time */

struct hp_edge_set {
	uint64_t at;  /* of its words */
	uint32_t cap; /* words of a table; 0: a bit a node */
};

struct hp_edge_sets {
	uint32_t nodes; /* in all */
	uint64_t seed;
	struct hp_edge_set *list; /* of the kinds from @from on */
	_Atomic uint32_t *words;
	uint64_t bytes; /* of the words */
	uint32_t from, end;
};

/**
 * hp_edge_sets_bytes() - what the set of a kind takes
 * @most: references of the kind, at most
 */
uint64_t hp_edge_sets_bytes(uint32_t nodes, uint64_t most);

/**
 * hp_edge_sets_begin() - empty sets for the kinds from @from to before @end
 * @most: by kind, of all kinds
 *
 * Returns: HP_OK; HP_NOMEM. Release them in any case.
 */
HP_MUST_USE enum hp_status
hp_edge_sets_begin(struct hp_edge_sets *s, uint32_t nodes, uint32_t from,
		   uint32_t end, uint64_t (*most)(const void *, uint32_t),
		   const void *context, struct hp_error *err);
void hp_edge_sets_release(struct hp_edge_sets *s);

/* Where the search for a node begins in a table. */
static inline uint32_t
hp_edge_set_place(const struct hp_edge_sets *s, const struct hp_edge_set *set,
		  uint32_t node)
{
	uint64_t mixed = (node ^ s->seed) * UINT64_C(0x9E3779B97F4A7C15);

	mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t)((mixed >> 32) * set->cap >> 32);
}

/* Fetch what hp_edge_set_add() will look at. */
HP_HOT void
hp_edge_set_prefetch(const struct hp_edge_sets *s, uint32_t kind, uint32_t node)
{
	const struct hp_edge_set *set = &s->list[kind - s->from];
	uint32_t word = set->cap ? hp_edge_set_place(s, set, node) : node / 32;

	__builtin_prefetch((const void *)&s->words[set->at + word], 1);
}

/* Put a node into a table. False: it was there. */
bool hp_edge_set_add_hashed(struct hp_edge_sets *s,
			    const struct hp_edge_set *set, uint32_t node);

/* A reference of @kind names @node, by any thread. False: another one did. */
static inline bool
hp_edge_set_add(struct hp_edge_sets *s, uint32_t kind, uint32_t node)
{
	const struct hp_edge_set *set = &s->list[kind - s->from];
	uint32_t bit = 1u << (node & 31);
	_Atomic uint32_t *word;

	if (set->cap)
		return hp_edge_set_add_hashed(s, set, node);
	word = &s->words[set->at + node / 32];
	if (atomic_load_explicit(word, memory_order_relaxed) & bit)
		return false;
	return !(atomic_fetch_or_explicit(word, bit, memory_order_relaxed) &
		 bit);
}

/**
 * hp_edge_set_next() - walk, when all threads are done: the next nodes
 * @at:    from 0
 * @nodes: HP_EDGE_SET_NODES of them at most, so that the caller can fetch what
 *         it knows of many at once; those of a table are in no order
 *
 * Returns: how many; 0 at the end.
 */
uint32_t hp_edge_set_next(const struct hp_edge_sets *s, uint32_t kind,
			  uint64_t *at, uint32_t nodes[]);

#endif
