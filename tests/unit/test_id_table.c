/* test_id_table.c - tests of a table that maps object ids to numbers */
#include "common/object_ids/id_ranks.h"
#include "tests/unit/must.h"

#include <check.h>
#include <stdlib.h>

enum { IDS = 30000 };

/*
 * Returns id number @i. The ids are of all kinds: close together, far apart,
 * unaligned, and larger than 2^40.
 */
static uint64_t
id_of(unsigned i)
{
	uint64_t mixed = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);

	if (i < IDS / 2)
		return 0x700000000u + 8u * i;
	if (i % 3 == 0)
		return mixed;
	return i % 3 == 1 ? mixed >> 20 << 3 : 0x12345678u + i;
}

static void
fill(struct hp_id_table *t, uint64_t most)
{
	struct hp_rank_near *near = calloc(1, sizeof(*near));
	struct hp_error err = {0};

	ck_assert_ptr_nonnull(near);
	ck_assert_int_eq(hp_id_table_init(t, 3, 1 << 20, 256 << 20, 1, &err),
			 HP_OK);
	for (unsigned i = 0; i < IDS; i++)
		hp_id_table_note(t, id_of(i));
	ck_assert_int_eq(hp_id_table_settle(t, most, &err), HP_OK);
	for (unsigned i = 0; i < IDS; i++) {
		hp_id_table_put(t, near, id_of(i), most - i);
		hp_id_table_put(t, near, id_of(i), i % 7 == 0 ? i : most);
		/* an id that was never added, so the call has no effect */
		hp_id_table_put(t, near, id_of(i) ^ 4, 1);
	}
	for (unsigned i = 0; i < IDS; i += 11)
		hp_id_table_set(t, near, id_of(i), most - 1);
	hp_id_table_set(t, near, id_of(1) ^ 4, 1);
	free(near);
}

START_TEST(numbers_come_back)
{
	static const uint64_t most[] = {65000, 4000000000u, 1ull << 50};
	struct hp_rank_near *near = calloc(1, sizeof(*near));
	struct hp_id_table t;

	ck_assert_ptr_nonnull(near);
	fill(&t, most[_i]);
	ck_assert_uint_eq(t.width, 2u << _i);
	for (unsigned i = 0; i < IDS; i++) {
		uint64_t want = most[_i] - i;

		if (i % 7 == 0 && i < want)
			/*
			 * hp_id_table_put() keeps the smallest number of an id
			 */
			want = i;
		if (i % 11 == 0)
			/* hp_id_table_set() has replaced the number */
			want = most[_i] - 1;
		hp_id_table_prefetch(&t, near, id_of(i));
		must(hp_id_table_get(&t, near, id_of(i)) == want + 1);
	}
	ck_assert_uint_eq(hp_id_table_get(&t, near, 0x700000004u), 0);
	ck_assert_uint_eq(hp_id_table_get(&t, near, 0x6FFFFFFF8u), 0);
	ck_assert_uint_eq(hp_id_table_get(&t, near, 0), 0);
	ck_assert_uint_eq(hp_id_table_get(&t, near, UINT64_MAX), 0);
	ck_assert_uint_ge(hp_id_table_bytes(&t), t.ranks.count * t.width);
	hp_id_table_release(&t);
	free(near);
}
END_TEST

START_TEST(no_number_is_none)
{
	struct hp_rank_near near = {0};
	struct hp_error err = {0};
	struct hp_id_table t;

	ck_assert_int_eq(hp_id_table_init(&t, 0, 100, 16 << 20, 1, &err),
			 HP_OK);
	hp_id_table_note(&t, 77);
	hp_id_table_note(&t, 0);
	ck_assert_int_eq(hp_id_table_settle(&t, 10, &err), HP_OK);
	hp_id_table_put(&t, &near, 0, 5);
	ck_assert_uint_eq(hp_id_table_get(&t, &near, 77), 0);
	ck_assert_uint_eq(hp_id_table_get(&t, &near, 0), 6);
	hp_id_table_release(&t);
}
END_TEST

START_TEST(too_many_for_the_memory)
{
	static const uint64_t budgets[] = {1, 400 << 10, 600 << 10};
	struct hp_error err = {0};
	struct hp_id_table t;

	ck_assert_int_eq(
		hp_id_table_init(&t, 3, 100 << 20, budgets[_i], 1, &err),
		HP_OK);
	for (unsigned i = 0; i < 100000; i++)
		hp_id_table_note(&t, 0x700000000u + 8u * i);
	for (unsigned i = 0; i < 1000; i++)
		hp_id_table_note(&t, 0x900000000u + 8u * i);
	ck_assert_int_eq(hp_id_table_settle(&t, 1ull << 40, &err), HP_LIMIT);
	hp_id_table_release(&t);
}
END_TEST

Suite *test_id_table_suite(void);

Suite *
test_id_table_suite(void)
{
	Suite *s = suite_create("id_table");
	TCase *c = tcase_create("id_table");

	tcase_add_loop_test(c, numbers_come_back, 0, 3);
	tcase_add_test(c, no_number_is_none);
	tcase_add_loop_test(c, too_many_for_the_memory, 0, 3);
	suite_add_tcase(s, c);
	return s;
}
