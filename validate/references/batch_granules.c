/*
 * batch_granules.c - remember which ranges of object ids each part of a dump
 * refers to
 *
 * A granule is a range of ids, a batch is a part of the dump. A slot stands for
 * all batches that begin in one region of the file, and has one mark (bit) for
 * each granule. If there are too many slots, neighbouring slots are merged in
 * pairs.
 */
#include "validate/references/internal.h"
#include "common/base/memory.h"

#include <string.h>

enum {
	/*
	 * At first, the region of the file for one slot has 2^20 bytes, about
	 * one batch.
	 */
	SLOT_SHIFT = 20,
	SLOTS_FIRST = 64,
};

enum hp_status
hp_batch_granules_init(struct hp_batch_granules *g,
		       const struct hp_id_sets *sets, uint64_t memory,
		       struct hp_error *err)
{
	size_t words = hp_id_granule_words(sets);

	*g = (struct hp_batch_granules){.shift = SLOT_SHIFT, .words = words};
	g->most = (size_t)(memory / (words * sizeof(*g->bits)));
	if (g->most < 2)
		g->most = 2;
	g->room = hp_calloc(sets->workers, words * sizeof(*g->room));
	if (!g->room)
		return hp_no_memory(err);
	pthread_mutex_init(&g->lock, NULL);
	g->ready = true;
	return HP_OK;
}

void
hp_batch_granules_release(struct hp_batch_granules *g)
{
	hp_free(g->slots);
	hp_free(g->bits);
	hp_free(g->room);
	if (g->ready)
		pthread_mutex_destroy(&g->lock);
	memset(g, 0, sizeof(*g));
}

static void
unite_bits(uint64_t *into, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++)
		into[i] |= from[i];
}

static void
unite_slots(struct hp_granule_slot *into, const struct hp_granule_slot *from)
{
	if (from->to == 0)
		return;
	if (into->to == 0 || from->from < into->from)
		into->from = from->from;
	if (from->to > into->to)
		into->to = from->to;
}

/*
 * Merge the slots in pairs, so that the region of the file for a slot becomes
 * twice as large.
 */
static void
halve_slots(struct hp_batch_granules *g)
{
	for (size_t i = 0; i < g->count; i++) {
		struct hp_granule_slot s = g->slots[i];
		uint64_t *bits = g->bits + i * g->words;
		uint64_t *into = g->bits + i / 2 * g->words;

		if (i % 2 == 0) {
			g->slots[i / 2] = s;
			memmove(into, bits, g->words * sizeof(*bits));
		} else {
			unite_slots(&g->slots[i / 2], &s);
			unite_bits(into, bits, g->words);
		}
	}
	g->count = (g->count + 1) / 2;
	g->shift++;
}

/*
 * Allocate memory for the slots with the indexes 0 to @at. Returns false if out
 * of memory.
 */
static bool
have_slots(struct hp_batch_granules *g, size_t at)
{
	size_t n = g->count ? g->count : SLOTS_FIRST;
	struct hp_granule_slot *slots;
	uint64_t *bits;

	while (n <= at)
		n *= 2;
	if (n > g->most)
		n = g->most;
	if (n <= g->count)
		return true;
	slots = hp_realloc(g->slots, n * sizeof(*slots));
	if (slots)
		g->slots = slots;
	bits = slots ? hp_realloc(g->bits, n * g->words * sizeof(*bits)) : NULL;
	if (!bits)
		return false;
	g->bits = bits;
	memset(slots + g->count, 0, (n - g->count) * sizeof(*slots));
	memset(bits + g->count * g->words, 0,
	       (n - g->count) * g->words * sizeof(*bits));
	g->count = n;
	return true;
}

/* Returns a slot without marks, for the bytes of the batch. */
static struct hp_granule_slot
stretch_of(const struct hp_batch *b)
{
	return (struct hp_granule_slot){hp_batch_begin(b), hp_batch_end(b)};
}

static size_t
slot_of(const struct hp_batch_granules *g, uint64_t offset)
{
	return (size_t)((offset - g->begin) >> g->shift);
}

void
hp_batch_granules_add(struct hp_batch_granules *g, struct hp_id_worker *ids,
		      const struct hp_batch *b)
{
	uint64_t *marks = g->room + ids->number * g->words;
	struct hp_granule_slot covered;
	size_t at;

	hp_id_granules_take(ids, marks);
	if (b->nruns == 0)
		return;
	covered = stretch_of(b);
	pthread_mutex_lock(&g->lock);
	while (slot_of(g, covered.from) >= g->most)
		halve_slots(g);
	at = slot_of(g, covered.from);
	if (covered.from < g->begin || !have_slots(g, at)) {
		g->lost = true;
	} else {
		unite_slots(&g->slots[at], &covered);
		unite_bits(g->bits + at * g->words, marks, g->words);
	}
	pthread_mutex_unlock(&g->lock);
}

bool
hp_batch_granules_may_hold(const struct hp_batch_granules *g,
			   const struct hp_batch *b, const uint64_t *bits)
{
	const struct hp_granule_slot *s;
	struct hp_granule_slot covered;
	uint64_t any = 0;
	size_t at;

	if (g->lost || b->nruns == 0)
		return true;
	covered = stretch_of(b);
	at = slot_of(g, covered.from);
	if (covered.from < g->begin || at >= g->count)
		return true;
	s = &g->slots[at];
	if (covered.from < s->from || covered.to > s->to)
		return true;
	for (size_t i = 0; i < g->words; i++)
		any |= g->bits[at * g->words + i] & bits[i];
	return any != 0;
}
