/*
 * tally.c - hash tables of counters for objects: find a counter, merge two
 * tables, and compute the sizes of arrays
 *
 * histogram.c decides which objects are counted together.
 */
#include "diff/count/histogram.h"

#include "common/format/format.h"
#include "common/base/memory.h"
#include "common/base/vec.h"

#include <string.h>
#include <xxhash.h>

enum { HP_TALLIES_FIRST = 512 };

enum hp_status
hp_tallies_init(struct hp_tallies *t, struct hp_error *err)
{
	memset(t, 0, sizeof(*t));
	return hp_hash_reserve(&t->table, HP_TALLIES_FIRST) ? HP_OK
							    : hp_no_memory(err);
}

void
hp_tallies_release(struct hp_tallies *t)
{
	hp_free(t->list);
	hp_hash_release(&t->table);
	hp_arena_release(&t->arena);
	memset(t, 0, sizeof(*t));
}

static bool
same_key(const void *items, uint32_t number, const void *key)
{
	struct hp_tally *const *list = items;

	return memcmp(&list[number - 1]->key, key,
		      sizeof(struct hp_tally_key)) == 0;
}

struct hp_tally *
hp_tallies_put(struct hp_tallies *t, const struct hp_tally_key *key)
{
	const uint32_t hash = (uint32_t)XXH3_64bits_withSeed(key, sizeof(*key),
							     t->table.seed);
	struct hp_hash_slot *slot =
		hp_hash_find(&t->table, hash, same_key, t->list, key);
	struct hp_tally *tally;

	if (slot->number)
		return t->list[slot->number - 1];
	if (!HP_LIST_RESERVE(t->list, t->count, t->cap) ||
	    !hp_hash_reserve(&t->table, t->count + 1))
		return NULL;
	slot = hp_hash_find(&t->table, hash, same_key, t->list, key);
	tally = hp_arena_alloc(&t->arena, sizeof(*tally));
	if (!tally)
		return NULL;
	memset(tally, 0, sizeof(*tally));
	tally->key = *key;
	tally->least = UINT64_MAX;
	t->list[t->count++] = tally;
	hp_hash_add(&t->table, slot, hash, (uint32_t)t->count);
	return tally;
}

unsigned
hp_tally_width(const struct hp_tally_key *key)
{
	/*
	 * The size of references is not known yet, so assume 4 bytes. The
	 * number of arrays with each remainder (length modulo a power of two)
	 * can then also be used for references of 8 bytes, see
	 * hp_tally_array_bytes().
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
 * Add the counted lengths of arrays in @from to those in @into. Returns false
 * if out of memory.
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

static void
merge_distances(struct hp_tally *into, const struct hp_tally *from)
{
	if (from->least < into->least) {
		into->least = from->least;
		into->least_times = from->least_times;
	} else if (from->least == into->least) {
		into->least_times += from->least_times;
	}
	hp_distances_merge(&into->sampled, &from->sampled);
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
	for (size_t i = 0; i < from->count; i++) {
		const struct hp_tally *f = from->list[i];
		struct hp_tally *tally = hp_tallies_put(into, &f->key);

		if (!tally)
			return hp_no_memory(err);
		if ((f->key.kind == HP_TALLY_OBJECT_ARRAYS ||
		     f->key.kind == HP_TALLY_PRIMITIVE_ARRAYS) &&
		    !add_arrays(into, tally, f))
			return hp_no_memory(err);
		merge_distances(tally, f);
		tally->count += f->count;
		tally->elements += f->elements;
		if (f->largest > tally->largest)
			tally->largest = f->largest;
	}
	return HP_OK;
}

/*
 * Returns the shallow size of all arrays that a tally (counter) counts. It is
 * computed from the sum of their lengths and the padding of each array. The
 * padding for alignments of up to 256 bytes depends only on the length modulo
 * 256, so it is enough to know how many arrays have each remainder.
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
