/*
 * tally.c - hash tables of counters for objects: find a counter, merge two
 * tables, and compute the sizes of arrays
 *
 * histogram.c decides which objects share a counter.
 */
#include "diff/count/histogram.h"

#include "common/format/format.h"
#include "common/base/memory.h"
#include "common/base/hash.h"

#include <string.h>
#include <xxhash.h>

enum { HP_TALLIES_FIRST = 1024 };

enum hp_status
hp_tallies_init(struct hp_tallies *t, struct hp_error *err)
{
	memset(t, 0, sizeof(*t));
	t->slots = hp_calloc(HP_TALLIES_FIRST, sizeof(*t->slots));
	if (!t->slots)
		return hp_no_memory(err);
	t->cap = HP_TALLIES_FIRST;
	t->seed = hp_seed(t);
	return HP_OK;
}

void
hp_tallies_release(struct hp_tallies *t)
{
	hp_free(t->slots);
	hp_arena_release(&t->arena);
	memset(t, 0, sizeof(*t));
}

uint64_t
hp_tallies_bytes(const struct hp_tallies *t)
{
	return t->arena.held + t->cap * sizeof(struct hp_tally *);
}

/*
 * The slot of the hash table that has @key, or the free slot where @key belongs
 * (linear probing).
 */
static struct hp_tally **
find_slot(const struct hp_tallies *t, const struct hp_tally_key *key)
{
	size_t at =
		XXH3_64bits_withSeed(key, sizeof(*key), t->seed) & (t->cap - 1);

	while (t->slots[at] &&
	       memcmp(&t->slots[at]->key, key, sizeof(*key)) != 0)
		at = (at + 1) & (t->cap - 1);
	return &t->slots[at];
}

static bool
grow_slots(struct hp_tallies *t)
{
	struct hp_tallies old = *t;

	if (t->cap > SIZE_MAX / 2 / sizeof(*t->slots))
		return false;
	t->slots = hp_calloc(t->cap * 2, sizeof(*t->slots));
	if (!t->slots) {
		t->slots = old.slots;
		return false;
	}
	t->cap *= 2;
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i])
			*find_slot(t, &old.slots[i]->key) = old.slots[i];
	hp_free(old.slots);
	return true;
}

struct hp_tally *
hp_tallies_put(struct hp_tallies *t, const struct hp_tally_key *key)
{
	struct hp_tally **slot = find_slot(t, key);
	struct hp_tally *tally;

	if (*slot)
		return *slot;
	if (t->count >= t->cap / 2) {
		if (!grow_slots(t))
			return NULL;
		slot = find_slot(t, key);
	}
	tally = hp_arena_alloc(&t->arena, sizeof(*tally));
	if (!tally)
		return NULL;
	memset(tally, 0, sizeof(*tally));
	tally->key = *key;
	*slot = tally;
	t->count++;
	return tally;
}

unsigned
hp_tally_width(const struct hp_tally_key *key)
{
	/*
	 * elements of object arrays: 4 bytes also give the right result for 8,
	 * see hp_tally_array_bytes()
	 */
	return key->kind == HP_TALLY_PRIMITIVE_ARRAYS
		       ? hp_type_size((unsigned)key->id, 4)
		       : 4;
}

bool
hp_tally_table(struct hp_tallies *t, struct hp_tally *tally)
{
	size_t n = 256 / hp_tally_width(&tally->key);

	tally->by_residue =
		hp_arena_alloc(&t->arena, n * sizeof(*tally->by_residue));
	if (!tally->by_residue)
		return false;
	memset(tally->by_residue, 0, n * sizeof(*tally->by_residue));
	for (size_t i = 0; i < HP_TALLY_EARLY && i < tally->count; i++)
		tally->by_residue[tally->early[i]]++;
	return true;
}

bool
hp_tally_arrays(struct hp_tallies *t, struct hp_tally *tally, uint32_t residue,
		uint32_t count)
{
	if (!tally->by_residue && tally->count + count <= HP_TALLY_EARLY) {
		memset(tally->early + tally->count, (int)residue, count);
		tally->count += count;
		return true;
	}
	if (!tally->by_residue && !hp_tally_table(t, tally))
		return false;
	tally->count += count;
	tally->by_residue[residue] += count;
	return true;
}

/*
 * Add the array lengths of @from to those of @into. Returns false if out of
 * memory.
 */
static bool
add_arrays(struct hp_tallies *t, struct hp_tally *into,
	   const struct hp_tally *from)
{
	size_t n = 256 / hp_tally_width(&from->key);

	if (!into->by_residue && into->count + from->count <= HP_TALLY_EARLY) {
		memcpy(into->early + into->count, from->early,
		       (size_t)from->count);
		return true;
	}
	if (!into->by_residue && !hp_tally_table(t, into))
		return false;
	if (!from->by_residue) {
		for (size_t i = 0; i < from->count; i++)
			into->by_residue[from->early[i]]++;
		return true;
	}
	for (size_t i = 0; i < n; i++)
		into->by_residue[i] += from->by_residue[i];
	return true;
}

enum hp_status
hp_tallies_merge(struct hp_tallies *into, struct hp_tallies *from,
		 struct hp_error *err)
{
	if (into->count == 0) {
		const struct hp_tallies empty = *into;

		*into = *from;
		*from = empty;
		return HP_OK;
	}
	for (size_t i = 0; i < from->cap; i++) {
		const struct hp_tally *f = from->slots[i];
		struct hp_tally *tally;

		if (!f)
			continue;
		tally = hp_tallies_put(into, &f->key);
		if (!tally)
			return hp_no_memory(err);
		if ((f->key.kind == HP_TALLY_OBJECT_ARRAYS ||
		     f->key.kind == HP_TALLY_PRIMITIVE_ARRAYS) &&
		    !add_arrays(into, tally, f))
			return hp_no_memory(err);
		tally->count += f->count;
		tally->elements += f->elements;
		if (f->largest > tally->largest)
			tally->largest = f->largest;
	}
	return HP_OK;
}

/*
 * Compute the shallow size of all arrays. It depends on the sum of their
 * lengths, and on how many arrays have each remainder of the length divided by
 * 256, because only the remainder decides about padding to an alignment of up
 * to 256 bytes.
 */
uint64_t
hp_tally_array_bytes(const struct hp_tally *tally,
		     const struct hp_size_model *layout, unsigned width)
{
	uint32_t n = 256 / hp_tally_width(&tally->key);
	uint64_t early[256] = {0};
	struct hp_array_totals a = {.count = tally->count,
				    .elements = tally->elements,
				    .residues = n,
				    .by_residue = tally->by_residue};

	if (!a.by_residue) {
		for (size_t i = 0; i < tally->count; i++)
			early[tally->early[i]]++;
		a.by_residue = early;
	}
	return hp_array_totals_bytes(layout, &a, width);
}
