/*
 * tally.h - count the objects of a kind and the lengths of its arrays
 *
 * A tally is a counter for one class (or primitive type), one Android heap and
 * one allocation trace. resolve.c computes its size in bytes, because the
 * memory layout is known only at the end of the dump.
 */
#ifndef HP_DIFF_COUNT_TALLY_H
#define HP_DIFF_COUNT_TALLY_H

#include "common/base/arena.h"
#include "common/model/size_model.h"

enum hp_tally_kind {
	HP_TALLY_INSTANCES,
	HP_TALLY_OBJECT_ARRAYS,
	HP_TALLY_PRIMITIVE_ARRAYS, /* @id is the code of the primitive type */
};

/* Array lengths that are stored one by one before a table is allocated. */
enum { HP_TALLY_EARLY = 16 };

/*
 * The key of a tally. It is hashed and compared as bytes, so it has no padding.
 */
struct hp_tally_key {
	uint64_t id;	/* class id or type code */
	uint32_t trace; /* 0 if tallies are not split by allocation trace */
	uint32_t heap;	/* 0 if tallies are not split by Android heap */
	uint64_t kind;
};

struct hp_tally {
	struct hp_tally_key key;
	uint64_t count;
	/* arrays: number of elements; instances: bytes of data */
	uint64_t elements;
	uint64_t length;  /* instances: bytes of data of the first instance */
	uint64_t native;  /* bytes outside the heap, see native_sizes.h */
	uint32_t largest; /* arrays: elements of the largest array */
	/*
	 * arrays: how many have a length of each residue modulo the number of
	 * residues; NULL: see early
	 */
	uint64_t *by_residue;
	/* residues of the first arrays, until by_residue is allocated */
	uint8_t early[HP_TALLY_EARLY];
};

/* A hash table of tallies. Tallies never move. */
struct hp_tallies {
	struct hp_tally **slots;
	size_t cap, count; /* cap is a power of two */
	uint64_t seed;
	struct hp_arena arena;
};

/* Initialize an empty set of tallies. Returns HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_tallies_init(struct hp_tallies *t,
					   struct hp_error *err);
void hp_tallies_release(struct hp_tallies *t);

/* Bytes allocated from the system. */
uint64_t hp_tallies_bytes(const struct hp_tallies *t);

/* Find or create the tally of a key. Returns NULL if out of memory. */
struct hp_tally *hp_tallies_put(struct hp_tallies *t,
				const struct hp_tally_key *key);

/*
 * The size of an array element, as far as the residues of lengths depend on it.
 */
unsigned hp_tally_width(const struct hp_tally_key *key);

/*
 * The slow case of hp_tally_array(): allocate by_residue, because early is
 * full. Returns false if out of memory.
 */
bool hp_tally_table(struct hp_tallies *t, struct hp_tally *tally);

/*
 * Count an array of @n elements. @mask: the number of residues - 1. Returns
 * false if out of memory.
 */
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
 * Count @count arrays whose lengths have this residue. The caller adds their
 * elements. Returns false if out of memory.
 */
bool hp_tally_arrays(struct hp_tallies *t, struct hp_tally *tally,
		     uint32_t residue, uint32_t count);

/**
 * hp_tallies_merge() - add all tallies of @from to @into
 *
 * If @into is empty, the two are swapped instead.
 */
HP_MUST_USE enum hp_status hp_tallies_merge(struct hp_tallies *into,
					    struct hp_tallies *from,
					    struct hp_error *err);

/* The shallow bytes of the arrays of a tally, with elements of @width bytes. */
uint64_t hp_tally_array_bytes(const struct hp_tally *tally,
			      const struct hp_size_model *layout,
			      unsigned width);

#endif
