/*
 * fixtures.c - find a test dump (fixture) by its name and build it
 *
 * The functions that build the dumps are in fixtures_*.c.
 */
#include "tests/builder/fixtures.h"
#include "tests/builder/internal.h"

#include <string.h>

#define MAX_FIXTURES 400

const struct b_fixture *
b_fixtures(void)
{
	static const struct b_fixture *const tables[] = {
		b_fixtures_whole,    b_fixtures_loaders, b_fixtures_strings,
		b_fixtures_broken,   b_fixtures_rules,	 b_fixtures_habits,
		b_fixtures_many,     b_fixtures_ancient, b_fixtures_graph,
		b_fixtures_native,   b_fixtures_roots,	 b_fixtures_caches,
		b_fixtures_findings, b_fixtures_hidden,	 b_fixtures_leaks};
	static struct b_fixture all[MAX_FIXTURES + 1];
	size_t n = 0;

	if (all[0].name)
		return all;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		for (const struct b_fixture *f = tables[i]; f->name; f++) {
			if (n == MAX_FIXTURES)
				b_fail("too many fixtures");
			all[n++] = *f;
		}
	return all;
}

const struct b_fixture *
b_fixture_find(const char *name)
{
	for (const struct b_fixture *f = b_fixtures(); f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

unsigned
b_fixture_id_size(const struct b_fixture *f)
{
	return f->id_sizes & 8 ? 8 : 4;
}

void
b_fixture_build(const struct b_fixture *f, struct b *b, unsigned id_size)
{
	b_init(b, id_size ? id_size : b_fixture_id_size(f));
	f->build(b, f->arg);
}
