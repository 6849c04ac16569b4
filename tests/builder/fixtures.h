/*
 * fixtures.h - named dumps, whole and broken, for unit tests and shell tests
 *
 * A row says what the fixture shows and, if it is broken, which rule names
 * the damage; the offset of the finding is the mark "damage".
 */
#ifndef TESTS_BUILDER_FIXTURES_H
#define TESTS_BUILDER_FIXTURES_H

#include "tests/builder/world.h"

enum b_verdict {
	B_VALID,   /* no error; no warning either, unless a rule is named */
	B_INVALID, /* an error */
};

struct b_fixture {
	const char *name;
	/* Builds into an initialised @b; @arg is the row's. */
	void (*build)(struct b *b, int arg);
	int arg;
	unsigned id_sizes; /* 4, 8 or 4 | 8; the larger is the default */
	enum b_verdict verdict;
	const char *rule; /* the rule that must be reported; NULL: none */
	const char *shows;
};

/* All fixtures; the row behind the last has no name. */
const struct b_fixture *b_fixtures(void);
/* By name; NULL if there is none. */
const struct b_fixture *b_fixture_find(const char *name);
unsigned b_fixture_id_size(const struct b_fixture *f);
/* Initialise @b and build; @id_size 0: the fixture's default. */
void b_fixture_build(const struct b_fixture *f, struct b *b, unsigned id_size);

/* The tables that b_fixtures() joins; each ends with an empty row. */
extern const struct b_fixture b_fixtures_whole[], b_fixtures_loaders[],
	b_fixtures_strings[], b_fixtures_broken[], b_fixtures_rules[],
	b_fixtures_habits[], b_fixtures_ancient[], b_fixtures_many[],
	b_fixtures_graph[], b_fixtures_native[], b_fixtures_roots[],
	b_fixtures_caches[];

#endif
