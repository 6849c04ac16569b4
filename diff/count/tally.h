/*
 * tally.h - how many objects of a kind there are, and how long its arrays are
 *
 * A tally is a counter for one class (or type of primitive), one Android heap
 * and one allocation trace. Its size in bytes is left to resolve.c: that needs
 * the layout, which is known only when the dump is read to its end.
 */
#ifndef HP_DIFF_COUNT_TALLY_H
#define HP_DIFF_COUNT_TALLY_H

#include "common/base/arena.h"
#include "common/model/size_model.h"

enum hp_tally_kind {
	HP_TALLY_INSTANCES,
	HP_TALLY_OBJECT_ARRAYS,
	HP_TALLY_PRIMITIVE_ARRAYS, /* @id is the type's code */
};

/* Lengths that are kept one by one before a table is worth its memory. */
enum { HP_TALLY_EARLY = 16 };

/* What objects are told apart by. All bytes count: no padding. */
struct hp_tally_key {
	uint64_t id;	/* class or type */
	uint32_t trace; /* 0 where traces are not told apart */
	uint32_t heap;	/* likewise */
	uint64_t kind;
};

struct hp_tally {
	struct hp_tally_key key;
	uint64_t count;
	uint64_t elements;    /* of arrays; of instances: bytes of data */
	uint64_t length;      /* instances: the first one's bytes of data */
	uint64_t native;      /* bytes outside the heap, see native_sizes.h */
	uint32_t largest;     /* arrays: the most elements */
	uint64_t *by_residue; /* arrays: by length modulo the residues */
	uint8_t early[HP_TALLY_EARLY]; /* the same, as long as there is none */
};

/* A set of tallies. They never move. */
struct hp_tallies {
	struct hp_tally **slots;
	size_t cap, count; /* cap: a power of two */
	uint64_t seed;
	struct hp_arena arena;
};

HP_MUST_USE enum hp_status hp_tallies_init(struct hp_tallies *t,
					   struct hp_error *err);
void hp_tallies_release(struct hp_tallies *t);

/* Bytes taken from the system. */
uint64_t hp_tallies_bytes(const struct hp_tallies *t);

/* Find or make the tally of a key; NULL: out of memory. */
struct hp_tally *hp_tallies_put(struct hp_tallies *t,
				const struct hp_tally_key *key);

/* Bytes of an array's element as the tally of its residues sees them. */
unsigned hp_tally_width(const struct hp_tally_key *key);

/* For hp_tally_array(): the first lengths have become too many. */
bool hp_tally_table(struct hp_tallies *t, struct hp_tally *tally);

/* Note an array of @n elements, @mask: residues - 1. False: no memory. */
static inline bool
hp_tally_array(struct hp_tallies *t, struct hp_tally *tally, uint32_t n,
	       uint32_t mask)
{
	if (HP_UNLIKELY(n > tally->largest))
		tally->largest = n;
	if (HP_UNLIKELY(!tally->by_residue)) {
		if (tally->count < HP_TALLY_EARLY) {
			tally->early[tally->count++] = (uint8_t)(n & mask);
			tally->elements += n;
			return true;
		}
		if (!hp_tally_table(t, tally))
			return false;
	}
	tally->count++;
	tally->elements += n;
	tally->by_residue[n & mask]++;
	return true;
}

/*
 * Note @count arrays with a number of elements of this residue. Elements are
 * the caller's to add. False: no memory.
 */
bool hp_tally_arrays(struct hp_tallies *t, struct hp_tally *tally,
		     uint32_t residue, uint32_t count);

/**
 * hp_tallies_merge() - add all tallies of @from to @into
 *
 * If @into has none the two are exchanged instead.
 */
HP_MUST_USE enum hp_status hp_tallies_merge(struct hp_tallies *into,
					    struct hp_tallies *from,
					    struct hp_error *err);

/* Shallow bytes of the arrays of a tally, elements @width bytes in memory. */
uint64_t hp_tally_array_bytes(const struct hp_tally *tally,
			      const struct hp_size_model *layout,
			      unsigned width);

#endif
