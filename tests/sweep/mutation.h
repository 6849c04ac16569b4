/*
 * mutation.h - every prefix, flipped byte and extreme length of fixtures
 *
 * For each byte of each fixture: the prefix that ends before it, three flips
 * of it, and five extremes of the four bytes that begin with it.
 */
#ifndef TESTS_SWEEP_MUTATION_H
#define TESTS_SWEEP_MUTATION_H

#include "tests/builder/fixtures.h"

enum {
	MUTATION_FIXTURES = 1024,
	MUTATION_SMALL = 10240, /* bytes of a fixture that is small */
};

struct mutation_set {
	struct b dumps[MUTATION_FIXTURES];
	char *names[MUTATION_FIXTURES]; /* NAME:4 or NAME:8 */
	size_t ndumps;
	uint64_t total; /* mutations of all of them */
};

/* Add NAME:4, NAME:8, NAME, or for "all" every small one, in both sizes.
 * False: there is no such fixture. */
bool mutation_add(struct mutation_set *s, const char *fixture);
/* Add one for each writer of small dumps, and one with all tags. */
void mutation_add_small(struct mutation_set *s);
void mutation_set_release(struct mutation_set *s);

struct mutation {
	size_t fixture; /* which of the set */
	char what[64];
	uint8_t *data; /* as large as its bytes, so that none beyond is read */
	size_t n;
};

/* Mutation @number of the set, which is below its total. */
void mutation_make(const struct mutation_set *s, uint64_t number,
		   struct mutation *m);
void mutation_release(struct mutation *m);

/**
 * mutation_distinct() - those that neither are a fixture nor repeat another
 * @n: how many
 *
 * Returns: their numbers, ascending; freed by the caller.
 */
uint64_t *mutation_distinct(const struct mutation_set *s, uint64_t *n);

#endif
