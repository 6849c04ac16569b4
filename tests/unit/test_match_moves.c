/*
 * test_match_moves.c - which losses and gains of objects are one move, and how
 * much a hidden path may grow
 */
#include "diff/paths/ignored_paths.h"
#include "diff/paths/match_moves.h"
#include "tests/unit/must.h"

/* Steps below the root, each of a kind of its own: names are not needed. */
static struct hp_path_step steps[] = {
	{0},
	{.kind = 1, .depth = 1},
	{.kind = 2, .depth = 1},
	{.kind = 3, .depth = 1},
	{.kind = 4, .depth = 1},
};
static const struct hp_path_tree tree = {.list = steps,
					 .count = HP_ARRAY_LEN(steps)};

/* The change at a step, whatever the order of the list is now. */
static const struct hp_move *
move_at(const struct hp_move *list, size_t n, uint32_t step)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].step == step)
			return &list[i];
	ck_abort_msg("no step %u", step);
	return NULL;
}

START_TEST(equal_numbers_first)
{
	/* a gain of 7 is larger, but the gain of 5 equals the loss */
	struct hp_move list[] = {
		{.class_name = 1, .step = 1, .change = -5},
		{.class_name = 1, .step = 2, .change = 7},
		{.class_name = 1, .step = 3, .change = 5},
	};
	const size_t n = HP_ARRAY_LEN(list);
	const struct hp_move *gain;

	hp_moves_match(&tree, list, n);
	ck_assert_uint_eq(move_at(list, n, 1)->moved, 5);
	ck_assert_uint_eq(move_at(list, n, 2)->moved, 0);
	gain = move_at(list, n, 3);
	ck_assert_uint_eq(gain->moved, 5);
	ck_assert_uint_eq(list[gain->other].step, 1);
}
END_TEST

START_TEST(then_the_largest)
{
	struct hp_move list[] = {
		{.class_name = 1, .step = 1, .change = -10},
		{.class_name = 1, .step = 2, .change = 4},
		{.class_name = 1, .step = 3, .change = 8},
		/* another class has no part in it */
		{.class_name = 2, .step = 4, .change = 10},
	};
	const size_t n = HP_ARRAY_LEN(list);

	hp_moves_match(&tree, list, n);
	ck_assert_uint_eq(move_at(list, n, 1)->moved, 10);
	ck_assert_uint_eq(list[move_at(list, n, 1)->other].step, 3);
	ck_assert_uint_eq(move_at(list, n, 1)->other_moved, 8);
	ck_assert_uint_eq(move_at(list, n, 2)->moved, 2);
	ck_assert_uint_eq(move_at(list, n, 3)->moved, 8);
	ck_assert_uint_eq(move_at(list, n, 4)->moved, 0);
}
END_TEST

/* One in a hundred, but no more than 1 MB. */
START_TEST(hidden_growth)
{
	struct hp_graph_sum most;

	most = hp_ignored_most((struct hp_graph_sum){1000, 5000000});
	ck_assert_uint_eq(most.objects, 10);
	ck_assert_uint_eq(most.bytes, 50000);
	most = hp_ignored_most((struct hp_graph_sum){1000000, 5000000000});
	ck_assert_uint_eq(most.objects, 10000);
	ck_assert_uint_eq(most.bytes, 1 << 20);
}
END_TEST

Suite *test_match_moves_suite(void);

Suite *
test_match_moves_suite(void)
{
	Suite *s = suite_create("match_moves");
	TCase *t = tcase_create("moves");

	tcase_add_test(t, equal_numbers_first);
	tcase_add_test(t, then_the_largest);
	tcase_add_test(t, hidden_growth);
	suite_add_tcase(s, t);
	return s;
}
