/*
 * test_near_array.c - arrays of numbers that are near their own index
 */
#include "common/graph/near_array.h"
#include "tests/unit/must.h"

enum { COUNT = 5000, ROUNDS = 40 };

static uint32_t
draw(uint32_t *random, uint32_t below)
{
	*random = *random * 1664525 + 1013904223;
	return (*random >> 8) % below;
}

/*
 * Returns a distance that element @i may have. Some are at the limits of what
 * one byte can hold, some are far.
 */
static uint32_t
some_distance(uint32_t *random, uint32_t most)
{
	static const uint32_t limits[] = {0, 1, 253, 254, 255, 256, 70000};
	uint32_t distance = draw(random, 2)
				    ? limits[draw(random, 7)]
				    : draw(random, draw(random, 2) ? 9 : 600);

	return distance < most ? distance : most;
}

/*
 * Fill @values, of which a number of consecutive ones may be equal. Returns
 * how many entries the list of far values gets.
 */
static uint32_t
make_values(uint32_t *values, uint32_t seed, bool is_above)
{
	uint32_t random = seed, entries = 0, last = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t most = is_above ? UINT32_MAX - i : i, distance;

		distance = some_distance(&random, most);
		values[i] = is_above ? i + distance : i - distance;
		/* long runs of far elements with the same value */
		if (i > 0 && draw(&random, 30) > seed % 30 &&
		    (values[i - 1] >= i) == is_above)
			values[i] = values[i - 1];
		distance = is_above ? values[i] - i : i - values[i];
		if (distance < HP_NEAR_SAME ||
		    (entries > 0 && last == values[i]))
			continue;
		entries++;
		last = values[i];
	}
	return entries;
}

static uint32_t
read_element(const struct hp_near_array *a, uint32_t i, bool is_above)
{
	return is_above ? hp_near_above(a, i) : hp_near_below(a, i);
}

/* With the limit 0, the array is in files. */
static void
check_values(const uint32_t *values, uint32_t entries, bool is_above,
	     uint64_t limit)
{
	struct hp_big_memory m = {.limit = limit, .in_order = limit};
	struct hp_near_array a;

	must(hp_near_array_make(&m, &a, COUNT, is_above, NULL) == HP_OK);
	for (uint32_t i = 0; i < COUNT; i++) {
		must(hp_near_array_add(&m, &a, values[i], NULL) == HP_OK);
		/* it is readable at once, and so are the ones before it */
		must(read_element(&a, i, is_above) == values[i]);
		must(read_element(&a, i / 2, is_above) == values[i / 2]);
	}
	for (uint32_t i = 0; i < COUNT; i++)
		must(read_element(&a, i, is_above) == values[i]);
	ck_assert_uint_eq(a.count, COUNT);
	ck_assert_uint_eq(a.far_count, entries);
	must((m.in_file > 0) == (limit == 0));
	hp_near_array_drop(&m, &a);
	must(m.held == 0 && m.in_file == 0);
}

START_TEST(values)
{
	uint32_t list[COUNT], entries, shared = 0;

	for (uint32_t round = 0; round < ROUNDS; round++)
		for (unsigned is_above = 0; is_above < 2; is_above++) {
			entries = make_values(list, round, is_above);
			check_values(list, entries, is_above, UINT64_MAX);
			if (round < 4)
				check_values(list, entries, is_above, 0);
			shared += entries < COUNT / 10;
		}
	/* in some rounds, long runs of elements share an entry */
	ck_assert_uint_gt(shared, ROUNDS / 4);
}
END_TEST

/*
 * The parents of the children of one object, and the ends of the nodes of a
 * list, need one entry together.
 */
START_TEST(shared)
{
	struct hp_big_memory m = {.limit = UINT64_MAX, .in_order = UINT64_MAX};
	struct hp_near_array ends, parents;

	must(hp_near_array_make(&m, &ends, COUNT, true, NULL) == HP_OK);
	must(hp_near_array_make(&m, &parents, COUNT, false, NULL) == HP_OK);
	for (uint32_t i = 0; i < COUNT; i++) {
		must(hp_near_array_add(&m, &ends, COUNT, NULL) == HP_OK);
		must(hp_near_array_add(&m, &parents, 0, NULL) == HP_OK);
	}
	ck_assert_uint_eq(ends.far_count, 1);
	ck_assert_uint_eq(parents.far_count, 1);
	for (uint32_t i = 0; i < COUNT; i++) {
		must(hp_near_above(&ends, i) == COUNT);
		must(hp_near_below(&parents, i) == 0);
	}
	hp_near_array_drop(&m, &ends);
	hp_near_array_drop(&m, &parents);
}
END_TEST

Suite *test_near_array_suite(void);

Suite *
test_near_array_suite(void)
{
	Suite *s = suite_create("near_array");
	TCase *t = tcase_create("near_array");

	tcase_add_test(t, values);
	tcase_add_test(t, shared);
	suite_add_tcase(s, t);
	return s;
}
