/*
 * edge_counts.c - counts of references to nodes in one block of memory
 */
#include "diff/holders/edge_counts.h"

#include "common/base/align.h"
#include "common/base/byte_order.h"
#include "common/base/seed.h"

#include <stdlib.h>

enum { WORD = 8 }; /* bytes that are looked at together */

/* Slots of a table of so many nodes, a third of which stays free. */
static uint64_t
table_slots(uint64_t most)
{
	return most + most / 2 + 2;
}

static bool
is_table(uint32_t nodes, uint64_t most)
{
	return most < UINT32_MAX / 2 &&
	       table_slots(most) * sizeof(struct hp_edge_slot) < nodes;
}

static uint64_t
count_bytes(uint32_t nodes, uint64_t most)
{
	return is_table(nodes, most)
		       ? table_slots(most) * sizeof(struct hp_edge_slot)
		       : hp_align_up(nodes, WORD);
}

uint64_t
hp_edge_counts_bytes(uint32_t nodes, uint64_t most)
{
	return count_bytes(nodes, most) + sizeof(struct hp_edge_count);
}

enum hp_status
hp_edge_counts_begin(struct hp_edge_counts *c, uint32_t nodes, uint32_t from,
		     uint32_t end, uint64_t (*most)(const void *, uint32_t),
		     const void *context, struct hp_error *err)
{
	uint64_t bytes = 0, n;

	*c = (struct hp_edge_counts){
		.nodes = nodes, .seed = hp_seed(c), .from = from, .end = end};
	c->list = calloc((size_t)(end - from) + 1, sizeof(*c->list));
	if (!c->list)
		return hp_no_memory(err);
	for (uint32_t kind = from; kind < end; kind++) {
		n = most(context, kind);
		c->list[kind - from] = (struct hp_edge_count){
			.at = bytes,
			.cap = is_table(nodes, n) ? (uint32_t)table_slots(n)
						  : 0};
		bytes += count_bytes(nodes, n);
	}
	c->bytes = bytes;
	/* the caller has seen to it that there is room for them */
	c->memory.limit = c->memory.in_order = UINT64_MAX;
	return hp_big_array_make(&c->memory, &c->counts, bytes, HP_BIG_RANDOM,
				 err);
}

void
hp_edge_counts_release(struct hp_edge_counts *c)
{
	free(c->list);
	hp_big_array_drop(&c->memory, &c->counts);
	*c = (struct hp_edge_counts){0};
}

static struct hp_edge_slot *
slots_of(const struct hp_edge_counts *c, const struct hp_edge_count *kind)
{
	return (struct hp_edge_slot *)((char *)c->counts.at + kind->at);
}

/* A table has room for all there can be, unless the file has changed. */
void
hp_edge_count_add_hashed(struct hp_edge_counts *c, uint32_t kind, uint32_t node)
{
	const struct hp_edge_count *k = &c->list[kind - c->from];
	uint32_t at = hp_edge_count_place(c, k, node);
	struct hp_edge_slot *slots = slots_of(c, k);

	for (uint32_t i = 0; i < k->cap; i++) {
		uint32_t was = atomic_load_explicit(&slots[at].node,
						    memory_order_relaxed);

		if ((was == 0 && atomic_compare_exchange_strong(
					 &slots[at].node, &was, node + 1)) ||
		    was == node + 1) {
			slots[at].count++;
			return;
		}
		at = at + 1 < k->cap ? at + 1 : 0;
	}
}

/* Those of a table, from slot @at on. */
static uint32_t
next_of_table(const struct hp_edge_slot *slots, uint32_t cap, uint64_t *at,
	      uint32_t nodes[], uint32_t counts[])
{
	uint32_t n = 0;

	for (; *at < cap && n < HP_EDGE_COUNT_NODES; ++*at) {
		const struct hp_edge_slot *slot = &slots[*at];

		nodes[n] = atomic_load_explicit(&slot->node,
						memory_order_relaxed) -
			   1;
		counts[n] = slot->count;
		n += slot->count != 0;
	}
	return n;
}

/* Those of a byte a node, from node @at on: whole words, few bytes of which are
 * often not 0. */
static uint32_t
next_of_bytes(const uint8_t *bytes, uint64_t nodes, uint64_t *at,
	      uint32_t list[], uint32_t counts[])
{
	uint32_t n = 0;

	for (; *at < nodes && n + WORD <= HP_EDGE_COUNT_NODES; *at += WORD) {
		uint64_t word = hp_le8(bytes + *at);

		for (unsigned i = 0; word != 0; i++, word >>= 8) {
			list[n] = (uint32_t)*at + i;
			counts[n] = word & 0xff;
			n += (word & 0xff) != 0;
		}
	}
	return n;
}

uint32_t
hp_edge_count_next(const struct hp_edge_counts *c, uint32_t kind, uint64_t *at,
		   uint32_t nodes[], uint32_t counts[])
{
	const struct hp_edge_count *k = &c->list[kind - c->from];

	return k->cap ? next_of_table(slots_of(c, k), k->cap, at, nodes, counts)
		      : next_of_bytes((const uint8_t *)c->counts.at + k->at,
				      c->nodes, at, nodes, counts);
}
