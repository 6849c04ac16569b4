/*
 * edge_sets.c - sets of nodes in one block of memory
 */
#include "diff/leaks/edge_sets.h"

#include "common/base/seed.h"

#include <stdlib.h>

/* Words of a table of so many nodes, a third of which stays free. */
static uint64_t
table_words(uint64_t most)
{
	return most + most / 2 + 2;
}

static uint64_t
bitmap_words(uint32_t nodes)
{
	return nodes / 32 + 1;
}

static bool
is_table(uint32_t nodes, uint64_t most)
{
	return most < UINT32_MAX / 2 && table_words(most) < bitmap_words(nodes);
}

uint64_t
hp_edge_sets_bytes(uint32_t nodes, uint64_t most)
{
	return (is_table(nodes, most) ? table_words(most)
				      : bitmap_words(nodes)) *
		       sizeof(uint32_t) +
	       sizeof(struct hp_edge_set);
}

enum hp_status
hp_edge_sets_begin(struct hp_edge_sets *s, uint32_t nodes, uint32_t from,
		   uint32_t end, uint64_t (*most)(const void *, uint32_t),
		   const void *context, struct hp_error *err)
{
	uint64_t words = 0, n;

	*s = (struct hp_edge_sets){
		.nodes = nodes, .seed = hp_seed(s), .from = from, .end = end};
	s->list = calloc((size_t)(end - from) + 1, sizeof(*s->list));
	if (!s->list)
		return hp_no_memory(err);
	for (uint32_t kind = from; kind < end; kind++) {
		n = most(context, kind);
		s->list[kind - from] = (struct hp_edge_set){
			.at = words,
			.cap = is_table(nodes, n) ? (uint32_t)table_words(n)
						  : 0};
		words += s->list[kind - from].cap ? s->list[kind - from].cap
						  : bitmap_words(nodes);
	}
	s->bytes = words * sizeof(uint32_t);
	s->words = calloc(words + 1, sizeof(*s->words));
	return s->words ? HP_OK : hp_no_memory(err);
}

void
hp_edge_sets_release(struct hp_edge_sets *s)
{
	free(s->list);
	free(s->words);
	*s = (struct hp_edge_sets){0};
}

/* A table has room for all there can be, unless the file has changed. */
bool
hp_edge_set_add_hashed(struct hp_edge_sets *s, const struct hp_edge_set *set,
		       uint32_t node)
{
	uint32_t at = hp_edge_set_place(s, set, node);
	_Atomic uint32_t *words = s->words + set->at;

	for (uint32_t i = 0; i < set->cap; i++) {
		uint32_t was =
			atomic_load_explicit(&words[at], memory_order_relaxed);

		if (was == 0 &&
		    atomic_compare_exchange_strong(&words[at], &was, node + 1))
			return true;
		if (was == node + 1)
			return false;
		at = at + 1 < set->cap ? at + 1 : 0;
	}
	return false;
}

/* Those of a table, which has its words from @at on. */
static uint32_t
next_of_table(const _Atomic uint32_t *words, uint32_t cap, uint64_t *at,
	      uint32_t nodes[])
{
	uint32_t n = 0;

	while (*at < cap && n < HP_EDGE_SET_NODES) {
		uint32_t word = atomic_load_explicit(&words[(*at)++],
						     memory_order_relaxed);

		nodes[n] = word - 1;
		n += word != 0;
	}
	return n;
}

/* Those of a bitmap, whole words of it. */
static uint32_t
next_of_bitmap(const _Atomic uint32_t *words, uint64_t nwords, uint64_t *at,
	       uint32_t nodes[])
{
	uint32_t n = 0;

	for (; *at < nwords && n + 32 <= HP_EDGE_SET_NODES; ++*at) {
		uint32_t word =
			atomic_load_explicit(&words[*at], memory_order_relaxed);

		for (; word; word &= word - 1)
			nodes[n++] = (uint32_t)(*at * 32) +
				     (uint32_t)__builtin_ctz(word);
	}
	return n;
}

uint32_t
hp_edge_set_next(const struct hp_edge_sets *s, uint32_t kind, uint64_t *at,
		 uint32_t nodes[])
{
	const struct hp_edge_set *set = &s->list[kind - s->from];
	const _Atomic uint32_t *words = s->words + set->at;

	return set->cap ? next_of_table(words, set->cap, at, nodes)
			: next_of_bitmap(words, bitmap_words(s->nodes), at,
					 nodes);
}
