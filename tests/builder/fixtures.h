/*
 * fixtures.h - named dumps, valid and damaged, for unit tests and shell tests
 *
 * A fixture is such a dump. Each fixture has a row in a table. The row says
 * what the fixture contains and, for a damaged fixture, which rule must report
 * the damage. The builder marks the offset of the expected finding with the
 * name "damage".
 */
#ifndef TESTS_BUILDER_FIXTURES_H
#define TESTS_BUILDER_FIXTURES_H

#include "tests/builder/world.h"

enum b_verdict {
	/*
	 * hprof-validate must report no error; it may report a warning only if
	 * the row of the fixture names a rule
	 */
	B_VALID,
	B_INVALID, /* hprof-validate must report at least one error */
};

struct b_fixture {
	const char *name;
	/*
	 * Function that builds the dump in @b, which is initialised. @arg is
	 * the member arg of the row, for functions that build several fixtures.
	 */
	void (*build)(struct b *b, int arg);
	int arg;
	/*
	 * the possible id sizes of the dump: 4, 8 or 4 | 8; the larger one is
	 * the default
	 */
	unsigned id_sizes;
	enum b_verdict verdict;
	/*
	 * the rule that hprof-validate must report for the fixture; NULL: none
	 */
	const char *rule;
	const char *shows;
};

/*
 * Returns the table of all fixtures. The name in the row after the last fixture
 * is NULL.
 */
const struct b_fixture *b_fixtures(void);
const struct b_fixture *b_fixture_find(const char *name);
unsigned b_fixture_id_size(const struct b_fixture *f);
/*
 * Initialise @b, and build the fixture in it. If @id_size is 0, the default id
 * size of the fixture is used.
 */
void b_fixture_build(const struct b_fixture *f, struct b *b, unsigned id_size);

/*
 * The tables of all fixtures, which b_fixtures() joins. The last row of each
 * table is empty.
 */
extern const struct b_fixture b_fixtures_whole[], b_fixtures_loaders[],
	b_fixtures_strings[], b_fixtures_broken[], b_fixtures_rules[],
	b_fixtures_habits[], b_fixtures_ancient[], b_fixtures_many[],
	b_fixtures_graph[], b_fixtures_native[], b_fixtures_roots[],
	b_fixtures_caches[], b_fixtures_findings[], b_fixtures_hidden[],
	b_fixtures_leaks[];

#endif
