/*
 * test_row_paths.c - tests which paths hprof-diff shows in its HTML report for
 * the row of a class
 */
#include "diff/leaks/leaks.h"
#include "diff/result/result.h"
#include "tests/unit/must.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* number of paths that the report shows for a row */
	SHOWN = 8,
	MOST = 500,
};

static struct hp_path_tree tree;
static struct hp_result result;
static struct hp_row_paths sums;
static struct hp_class_at_step list[MOST];
static const struct hp_diff_options options;

static void
begin(size_t dumps)
{
	must(hp_path_tree_init(&tree, dumps, NULL) == HP_OK);
	must(hp_result_init(&result, dumps, NULL) == HP_OK);
	result.options = &options;
	sums = (struct hp_row_paths){.list = list, .have = {true, true}};
	must(hp_rows_put_word(&result.rows, "Item"));
}

static void
end(void)
{
	hp_result_release(&result);
	hp_path_tree_release(&tree);
}

/*
 * Add a path from the static field with the number @field, on which the class
 * Item has @before bytes in the first dump and @after bytes in the last one.
 */
static void
add(unsigned field, uint64_t before, uint64_t after)
{
	char text[16];
	const struct hp_row *via, *class_name;

	snprintf(text, sizeof(text), "F.x%03u", field);
	via = hp_rows_put_word(&tree.names, text);
	must(via);
	class_name = hp_rows_put_word(&tree.names, "Item");
	must(class_name && sums.count < MOST);
	list[sums.count++] = (struct hp_class_at_step){
		.class_name = (uint32_t)class_name->index,
		.step = hp_path_step_get(&tree, 0, HP_PATH_STATIC,
					 (uint32_t)via->index,
					 (uint32_t)class_name->index),
		.count = {before > 0, after > 0},
		.bytes = {before, after}};
}

static uint64_t
change(const struct hp_class_at_step *s)
{
	return s->bytes[1] > s->bytes[0] ? s->bytes[1] - s->bytes[0]
					 : s->bytes[0] - s->bytes[1];
}

static int
by_size(const void *a, const void *b)
{
	const struct hp_class_at_step *x = a, *y = b;
	uint64_t p = result.ndumps > 1 ? change(x) : 0;
	uint64_t q = result.ndumps > 1 ? change(y) : 0;

	if (p == q) {
		p = x->bytes[1];
		q = y->bytes[1];
	}
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(tree.names.list[tree.list[x->step].via]->key,
		      tree.names.list[tree.list[y->step].via]->key);
}

/*
 * Check the paths in the result: the largest ones in order, and one entry with
 * the sums of all others.
 */
static void
check(void)
{
	struct hp_class_at_step want[MOST];
	size_t n = sums.count, shown = n < SHOWN ? n : SHOWN;
	uint64_t objects = 0, bytes[2] = {0};

	memcpy(want, list, sizeof(want));
	qsort(want, n, sizeof(*want), by_size);
	must(hp_row_paths_finish(&sums, &tree, &result, NULL) == HP_OK);
	ck_assert_uint_eq(result.paths.count, shown + (n > SHOWN));
	for (size_t i = 0; i < shown; i++) {
		const struct hp_row_path *p = &result.paths.list[i];
		const char *text = result.paths.steps[p->step - 1].text;
		const char *via =
			tree.names.list[tree.list[want[i].step].via]->key;

		must(p->step != 0 && p->bytes[0] == want[i].bytes[0] &&
		     p->bytes[1] == want[i].bytes[1]);
		must(strncmp(text, via, strlen(via)) == 0);
	}
	for (size_t i = shown; i < n; i++) {
		objects += want[i].count[1];
		bytes[0] += want[i].bytes[0];
		bytes[1] += want[i].bytes[1];
	}
	if (n > SHOWN) {
		const struct hp_row_path *rest = &result.paths.list[shown];

		ck_assert_uint_eq(rest->step, 0);
		ck_assert_uint_eq(rest->objects[1], objects);
		ck_assert_uint_eq(rest->bytes[0], bytes[0]);
		ck_assert_uint_eq(rest->bytes[1], bytes[1]);
	}
}

START_TEST(largest_of_many)
{
	begin(1);
	for (unsigned i = 0; i < MOST; i++)
		add(i * 7 % MOST, 0, i * 31 % 97 + 1);
	check();
	end();
}
END_TEST

/* If all paths have equally many bytes, their names decide. */
START_TEST(equal_sizes)
{
	begin(1);
	for (unsigned i = 0; i < MOST; i++)
		add((i * 7 + 250) % MOST, 0, 24);
	check();
	end();
}
END_TEST

/* With two dumps, the change of a path decides, also if the path shrank. */
START_TEST(largest_changes)
{
	begin(2);
	for (unsigned i = 0; i < MOST; i++)
		add(i, i * 31 % 97, i * 17 % 89);
	check();
	end();
}
END_TEST

START_TEST(few_paths)
{
	for (unsigned n = 1; n <= SHOWN + 1; n++) {
		begin(1);
		for (unsigned i = 0; i < n; i++)
			add(i, 0, 8 * (i % 3) + 8);
		check();
		end();
	}
}
END_TEST

Suite *test_row_paths_suite(void);

Suite *
test_row_paths_suite(void)
{
	Suite *s = suite_create("row_paths");
	TCase *t = tcase_create("row_paths");

	tcase_add_test(t, largest_of_many);
	tcase_add_test(t, equal_sizes);
	tcase_add_test(t, largest_changes);
	tcase_add_test(t, few_paths);
	suite_add_tcase(s, t);
	return s;
}
