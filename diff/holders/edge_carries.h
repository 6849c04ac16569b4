/*
 * edge_carries.h - overflow of the 4-bit reference counters, for one thread
 *
 * hp_edge_counts has half a byte for each node and kind of reference. When such
 * a counter overflows, the thread records it here. Usually few counters
 * overflow, but it may be millions. So each kind of reference with an overflow
 * has a hash table of 8-byte slots, which doubles as it fills.
 */
#ifndef HP_DIFF_HOLDERS_EDGE_CARRIES_H
#define HP_DIFF_HOLDERS_EDGE_CARRIES_H

#include "common/ids/id_map.h"

#include <stddef.h>
#include <stdint.h>

/* How often the counter of a node overflowed. A slot with @times 0 is free. */
struct hp_edge_carry {
	uint32_t node, times;
};

/* The table of one kind of reference. */
struct hp_edge_carry_table {
	uint32_t edge;
	/* capacity (0 or a power of two), and slots in use */
	uint32_t cap, count;
	struct hp_edge_carry *slots;
};

/* The tables of all kinds. A zeroed struct is empty. */
struct hp_edge_carries {
	struct hp_edge_carry_table *list;
	size_t count, cap;
	/* key: kind of reference; value: 1 + index in list */
	struct hp_id_map by_edge;
	size_t last;	/* index in list of the table used last */
	uint64_t bytes; /* bytes of all slots */
	uint64_t seed;
};

void hp_edge_carries_release(struct hp_edge_carries *c);

static inline uint64_t
hp_edge_carries_bytes(const struct hp_edge_carries *c)
{
	return c->bytes + c->cap * sizeof(*c->list) +
	       hp_id_map_bytes(&c->by_edge);
}

/*
 * Record that the counter of @node for references of kind @edge overflowed once
 * more. Returns false if out of memory.
 */
HP_MUST_USE bool hp_edge_carries_add(struct hp_edge_carries *c, uint32_t edge,
				     uint32_t node);

#endif
