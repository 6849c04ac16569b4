/*
 * fixtures.h - named dumps, valid and damaged, for unit tests and shell tests
 *
 * Each fixture has a row in a table. The row says what the fixture contains
 * and, for a damaged fixture, which rule must report the damage. The builder
 * marks the offset of the expected finding with the name "damage".
 */
#ifndef TESTS_BUILDER_FIXTURES_H
#define TESTS_BUILDER_FIXTURES_H

#include "tests/builder/world.h"

enum b_verdict {
	B_VALID,   /* no error, and no warning unless the row gives a rule */
	B_INVALID, /* hprof-validate must report at least one error */
};

struct b_fixture {
	const char *name;
	/* Build the dump in the initialised @b. @arg is the row's arg. */
	void (*build)(struct b *b, int arg);
	int arg;
	unsigned id_sizes; /* the possible id sizes: 4, 8 or 4 | 8; the larger
			      is the default */
	enum b_verdict verdict;
	const char *rule; /* the rule that must report a finding; NULL: none */
	const char *shows;
};

/* Returns all fixtures. The name of the last row is NULL. */
const struct b_fixture *b_fixtures(void);
/* Returns the fixture with this name, or NULL. */
const struct b_fixture *b_fixture_find(const char *name);
unsigned b_fixture_id_size(const struct b_fixture *f);
/*
 * Initialise @b and build the fixture. If @id_size is 0, use the fixture's
 * default id size.
 */
void b_fixture_build(const struct b_fixture *f, struct b *b, unsigned id_size);

/* The tables that b_fixtures() joins. The last row of each is empty. */
extern const struct b_fixture b_fixtures_whole[], b_fixtures_loaders[],
	b_fixtures_strings[], b_fixtures_broken[], b_fixtures_rules[],
	b_fixtures_habits[], b_fixtures_ancient[], b_fixtures_many[],
	b_fixtures_graph[], b_fixtures_native[], b_fixtures_roots[],
	b_fixtures_caches[], b_fixtures_findings[];

#endif
