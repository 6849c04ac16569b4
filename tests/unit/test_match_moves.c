/*
 * test_match_moves.c - tests that hprof-diff recognises objects that only moved
 * from one path to another
 */
#include "diff/paths/paths.h"
#include "tests/unit/must.h"

#include <check.h>
#include <string.h>

static struct hp_path_tree tree;

static uint32_t
name(const char *text)
{
	const struct hp_row *row = hp_rows_put_word(&tree.names, text);

	must(row);
	return (uint32_t)row->index;
}

/*
 * Returns a change: the path of the static field @field has gained @n objects
 * of the class @class_name. A negative @n is a loss.
 */
static struct hp_move
change(const char *field, const char *class_name, int64_t n)
{
	uint32_t step = hp_path_step_get(&tree, 0, HP_PATH_STATIC, name(field),
					 name(class_name));

	must(step != 0);
	return (struct hp_move){
		.class_name = name(class_name), .step = step, .change = n};
}

static const struct hp_move *
find(const struct hp_move *list, size_t n, const char *field)
{
	for (size_t i = 0; i < n; i++)
		if (tree.list[list[i].step].via == name(field))
			return &list[i];
	must(false);
	return NULL;
}

static void
begin(void)
{
	must(hp_path_tree_init(&tree, 2, NULL) == HP_OK);
}

static void
end(void)
{
	hp_path_tree_release(&tree);
}

/*
 * Test a list of 1,800 objects that moves to a shorter path, while another list
 * of 1,900 objects is filled. A loss and a gain of equally many objects must be
 * matched first.
 */
START_TEST(equal_numbers_first)
{
	struct hp_move list[] = {change("A.new", "Item", 1900),
				 change("A.shortcut", "Item", 1800),
				 change("A.old", "Item", -1800)};
	const struct hp_move *moved;

	must(hp_moves_match(&tree, list, 3));
	moved = find(list, 3, "A.shortcut");
	ck_assert_uint_eq(moved->moved, 1800);
	ck_assert_uint_eq(moved->other_moved, 1800);
	ck_assert_uint_eq(list[moved->other].step,
			  find(list, 3, "A.old")->step);
	ck_assert_uint_eq(find(list, 3, "A.old")->moved, 1800);
	ck_assert_uint_eq(find(list, 3, "A.new")->moved, 0);
}
END_TEST

START_TEST(rest_by_size)
{
	struct hp_move list[] = {
		change("A.p", "Item", 100), change("A.q", "Item", 30),
		change("A.r", "Item", -90), change("A.s", "Item", -20)};

	must(hp_moves_match(&tree, list, 4));
	ck_assert_uint_eq(find(list, 4, "A.p")->moved, 100);
	ck_assert_uint_eq(find(list, 4, "A.q")->moved, 10);
	ck_assert_uint_eq(find(list, 4, "A.r")->moved, 90);
	ck_assert_uint_eq(find(list, 4, "A.s")->moved, 20);
	ck_assert_uint_eq(list[find(list, 4, "A.p")->other].step,
			  find(list, 4, "A.r")->step);
}
END_TEST

START_TEST(classes_apart)
{
	struct hp_move list[] = {change("A.p", "Item", 5),
				 change("A.q", "Other", -5)};

	must(hp_moves_match(&tree, list, 2));
	ck_assert_uint_eq(list[0].moved, 0);
	ck_assert_uint_eq(list[1].moved, 0);
	ck_assert_uint_eq(list[0].other_moved, 0);
	must(hp_moves_match(&tree, list, 0));
}
END_TEST

START_TEST(any_order)
{
	const struct hp_move all[] = {
		change("A.b", "Item", 7), change("A.a", "Item", 7),
		change("A.d", "Item", -7), change("A.c", "Item", 3)};
	struct hp_move list[4];

	for (unsigned turn = 0; turn < 4; turn++) {
		for (unsigned i = 0; i < 4; i++)
			list[i] = all[(i + turn) % 4];
		must(hp_moves_match(&tree, list, 4));
		ck_assert_uint_eq(find(list, 4, "A.a")->moved, 7);
		ck_assert_uint_eq(find(list, 4, "A.b")->moved, 0);
		ck_assert_uint_eq(find(list, 4, "A.c")->moved, 0);
	}
}
END_TEST

/*
 * hprof-diff hides the growth of some paths of the JDK. Test the limit: one
 * percent of the heap, but at most 1 MiB.
 */
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
	TCase *t = tcase_create("match");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, equal_numbers_first);
	tcase_add_test(t, rest_by_size);
	tcase_add_test(t, classes_apart);
	tcase_add_test(t, any_order);
	tcase_add_test(t, hidden_growth);
	suite_add_tcase(s, t);
	return s;
}
