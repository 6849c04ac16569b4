/*
 * edge_carries.h - references that full counts stood for, of one thread
 *
 * Objects that many references of a kind name are few, as a rule, but may be
 * millions: a table for each kind that has any, of eight bytes a slot, which
 * doubles as it fills.
 */
#ifndef HP_DIFF_HOLDERS_EDGE_CARRIES_H
#define HP_DIFF_HOLDERS_EDGE_CARRIES_H

#include "common/ids/id_map.h"

#include <stddef.h>
#include <stdint.h>

/* Of a node, how often a count of it was full; @times 0: free. */
struct hp_edge_carry {
	uint32_t node, times;
};

/* Of a kind of references. */
struct hp_edge_carry_table {
	uint32_t edge;
	uint32_t cap, count; /* a power of two; slots that are taken */
	struct hp_edge_carry *slots;
};

/* Zeroed at first. */
struct hp_edge_carries {
	struct hp_edge_carry_table *list;
	size_t count, cap;
	struct hp_id_map by_edge; /* 1 + the place in the list */
	size_t last;		  /* that was added to */
	uint64_t bytes;		  /* of all slots */
	uint64_t seed;
};

void hp_edge_carries_release(struct hp_edge_carries *c);

static inline uint64_t
hp_edge_carries_bytes(const struct hp_edge_carries *c)
{
	return c->bytes + c->cap * sizeof(*c->list) +
	       hp_id_map_bytes(&c->by_edge);
}

/* A count of this node is full once more. False: out of memory. */
HP_MUST_USE bool hp_edge_carries_add(struct hp_edge_carries *c, uint32_t edge,
				     uint32_t node);

#endif
