/*
 * edge_counts.c - for each object and kind of reference, count the references
 * to the object; all counters are in one block of memory
 *
 * If few objects have references of a kind, the counters for this kind are in a
 * hash table. All threads count in the same table, without locks. The table is
 * a part of the block and cannot grow, so it is not the hash table of
 * common/base/hash.h.
 */
#include "diff/holders/internal.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/base/hash.h"

enum {
	/*
	 * number of bytes of 4-bit counters that are compared with zero at once
	 */
	WORD = 8,
	A_WORD = 2 * WORD /* number of 4-bit counters in WORD bytes */
};

void
hp_edge_stretches_add(struct hp_edge_stretches *s, uint32_t first, uint32_t end)
{
	uint32_t gap = (uint32_t)(hp_align_up(s->places, A_WORD) - first);

	s->list[s->count].first = first;
	s->list[s->count++].gap = gap;
	s->places = (uint64_t)end + gap;
}

/*
 * Returns the number of slots of a hash table for @most objects: 1.5 x @most,
 * so that at least a third of the slots is free.
 */
static uint64_t
table_slots(uint64_t most)
{
	return most + most / 2 + 2;
}

static bool
is_table(const struct hp_edge_stretches *s, uint64_t most)
{
	return most < UINT32_MAX / 2 &&
	       table_slots(most) * sizeof(struct hp_edge_slot) < s->places / 2;
}

static uint64_t
count_bytes(const struct hp_edge_stretches *s, uint64_t most)
{
	return is_table(s, most)
		       ? table_slots(most) * sizeof(struct hp_edge_slot)
		       : hp_align_up(s->places, A_WORD) / 2;
}

uint64_t
hp_edge_counts_bytes(const struct hp_edge_stretches *s, uint64_t most)
{
	return count_bytes(s, most) + sizeof(struct hp_edge_count);
}

enum hp_status
hp_edge_counts_begin(struct hp_edge_counts *c,
		     const struct hp_edge_stretches *s, uint32_t from,
		     uint32_t end, uint64_t (*most)(const void *, uint32_t),
		     const void *context, struct hp_error *err)
{
	uint64_t bytes = 0, n;

	*c = (struct hp_edge_counts){
		.stretches = s, .seed = hp_seed(c), .from = from, .end = end};
	c->list = hp_calloc((size_t)(end - from) + 1, sizeof(*c->list));
	if (!c->list)
		return hp_no_memory(err);
	for (uint32_t kind = from; kind < end; kind++) {
		n = most(context, kind);
		c->list[kind - from] = (struct hp_edge_count){
			.at = bytes,
			.cap = is_table(s, n) ? (uint32_t)table_slots(n) : 0};
		bytes += count_bytes(s, n);
	}
	c->bytes = bytes;
	/*
	 * no limit is needed here, because the caller has chosen only as many
	 * kinds of references as fit in memory
	 */
	c->memory.limit = c->memory.in_order = UINT64_MAX;
	return hp_big_array_make(&c->memory, &c->counts, bytes, HP_BIG_RANDOM,
				 err);
}

void
hp_edge_counts_release(struct hp_edge_counts *c)
{
	hp_free(c->list);
	hp_big_array_drop(&c->memory, &c->counts);
	*c = (struct hp_edge_counts){0};
}

static struct hp_edge_slot *
slots_of(const struct hp_edge_counts *c, const struct hp_edge_count *kind)
{
	return (struct hp_edge_slot *)((char *)c->counts.at + kind->at);
}

/*
 * Count a reference in a hash table with linear probing. Threads claim a slot
 * by compare-and-swap, but only one thread at a time counts references to the
 * same object. The table has room for all references, unless the file has
 * changed since the first pass; then a reference is ignored if the table is
 * full.
 */
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

/*
 * Read the next counters that are not 0 from a hash table. The search begins at
 * slot *@at. Then *@at becomes the slot after the last one that was read.
 */
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

static uint64_t
end_of_stretch(const struct hp_edge_stretches *s, uint32_t stretch)
{
	return stretch + 1 < s->count ? (uint64_t)s->list[stretch + 1].first +
						s->list[stretch + 1].gap
				      : UINT64_MAX;
}

/*
 * Read the next 4-bit counters that are not 0; each counter is one half of a
 * byte. Most counters are 0, so 16 counters (a word of 8 bytes) are compared
 * with 0 at once.
 */
static uint32_t
next_of_halves(const uint8_t *bytes, const struct hp_edge_stretches *s,
	       struct hp_edge_walk *walk, uint32_t nodes[], uint32_t counts[])
{
	uint64_t end = end_of_stretch(s, walk->stretch);
	uint32_t n = 0, node;

	for (; walk->at < s->places && n + A_WORD <= HP_EDGE_COUNT_NODES;
	     walk->at += A_WORD) {
		uint64_t word = hp_le8(bytes + walk->at / 2);

		while (walk->at >= end)
			end = end_of_stretch(s, ++walk->stretch);
		node = (uint32_t)walk->at - s->list[walk->stretch].gap;
		for (; word != 0; node++, word >>= 4) {
			nodes[n] = node;
			counts[n] = word & 15;
			n += (word & 15) != 0;
		}
	}
	return n;
}

uint32_t
hp_edge_count_next(const struct hp_edge_counts *c, uint32_t kind,
		   struct hp_edge_walk *walk, uint32_t nodes[],
		   uint32_t counts[])
{
	const struct hp_edge_count *k = &c->list[kind - c->from];

	return k->cap ? next_of_table(slots_of(c, k), k->cap, &walk->at, nodes,
				      counts)
		      : next_of_halves((const uint8_t *)c->counts.at + k->at,
				       c->stretches, walk, nodes, counts);
}
