/*
 * mutation.h - mutate fixtures (small test dumps): every prefix, flipped bytes
 * and extreme lengths
 *
 * For each byte of each fixture there are these mutations: the prefix that ends
 * before the byte, three changes of the byte, and five extreme values of the
 * four bytes that begin there.
 */
#ifndef TESTS_SWEEP_MUTATION_H
#define TESTS_SWEEP_MUTATION_H

#include "tests/builder/fixtures.h"

enum {
	MUTATION_FIXTURES = 1024,
	MUTATION_SMALL = 10240, /* largest size of a small fixture, in bytes */
};

struct mutation_set {
	struct b dumps[MUTATION_FIXTURES];
	/* name and id size of each fixture, for example "NAME:4" */
	char *names[MUTATION_FIXTURES];
	size_t ndumps;
	uint64_t total; /* number of mutations of all fixtures */
};

/*
 * Add fixtures to the set. @fixture is NAME:4 or NAME:8, NAME for both id
 * sizes, or "all" for every small fixture. Returns false if there is no such
 * fixture.
 */
bool mutation_add(struct mutation_set *s, const char *fixture);
/*
 * Add a small dump of each kind of program that writes dumps, and one dump with
 * all tags.
 */
void mutation_add_small(struct mutation_set *s);
void mutation_set_release(struct mutation_set *s);

struct mutation {
	size_t fixture; /* index of the fixture in the set */
	char what[64];
	/*
	 * the bytes of the mutated dump, allocated in the exact size, so that
	 * AddressSanitizer reports reads beyond the end
	 */
	uint8_t *data;
	size_t n;
};

void mutation_make(const struct mutation_set *s, uint64_t number,
		   struct mutation *m);
void mutation_release(struct mutation *m);

/**
 * mutation_distinct() - list the mutations whose bytes differ from all fixtures
 * and from all earlier mutations
 *
 * @n: receives the number of these mutations
 *
 * Returns: their numbers in ascending order; the caller frees the array.
 */
uint64_t *mutation_distinct(const struct mutation_set *s, uint64_t *n);

#endif
