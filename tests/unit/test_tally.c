/* test_tally.c - tests of merging the counts of arrays of several threads */
#include "diff/count/histogram.h"
#include "tests/unit/must.h"

static const struct hp_tally_key bytes = {.id = HP_TYPE_BYTE,
					  .kind = HP_TALLY_PRIMITIVE_ARRAYS};
static const struct hp_tally_key objects = {.id = 0x1000,
					    .kind = HP_TALLY_INSTANCES};

enum { MASK = 7 };

static void
count(struct hp_tallies *t, uint32_t n, uint32_t arrays)
{
	struct hp_tally *tally = hp_tallies_put(t, &bytes);

	must(tally);
	for (uint32_t i = 0; i < arrays; i++)
		must(hp_tally_array(t, tally, n + i, MASK));
}

START_TEST(merge)
{
	/*
	 * numbers of different lengths: up to HP_TALLY_EARLY they are stored in
	 * a list, otherwise in a table
	 */
	const uint32_t many[] = {3, HP_TALLY_EARLY - 1, 100};
	struct hp_tallies a, b;
	struct hp_tally *tally;
	uint64_t of_table = 0;
	uint32_t n = many[_i / 2], first = _i % 2 ? 1000 : 1;

	must(hp_tallies_init(&a, NULL) == HP_OK);
	must(hp_tallies_init(&b, NULL) == HP_OK);
	count(&a, first, n);
	count(&b, 1001 - first, n);
	tally = hp_tallies_put(&b, &objects);
	must(tally);
	tally->count = 5;
	tally->elements = 40;
	must(hp_tallies_merge(&a, &b, NULL) == HP_OK);
	tally = hp_tallies_put(&a, &bytes);
	ck_assert_uint_eq(tally->count, 2 * n);
	ck_assert_uint_eq(tally->elements, (uint64_t)n * (1001 + n - 1));
	ck_assert_uint_eq(tally->largest, 1000 + n - 1);
	for (unsigned i = 0; tally->by_residue && i <= MASK; i++)
		of_table += tally->by_residue[i];
	must(!tally->by_residue || of_table == tally->count);
	tally = hp_tallies_put(&a, &objects);
	ck_assert_uint_eq(tally->count, 5);
	ck_assert_uint_eq(tally->elements, 40);
	hp_tallies_release(&a);
	hp_tallies_release(&b);
}
END_TEST

Suite *test_tally_suite(void);

Suite *
test_tally_suite(void)
{
	Suite *s = suite_create("tally");
	TCase *t = tcase_create("merge");

	tcase_add_loop_test(t, merge, 0, 6);
	suite_add_tcase(s, t);
	return s;
}
