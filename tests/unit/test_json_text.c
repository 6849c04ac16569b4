/*
 * test_json_text.c - tests that the memory that the library jansson uses is
 * counted and limited
 */
#include "common/base/memory.h"
#include "common/cli/json.h"
#include "tests/unit/must.h"

Suite *test_json_text_suite(void);

enum { LIMIT = 8 << 20 };

static void
repeat(struct hp_buf *b, const char *part, unsigned n)
{
	hp_buf_byte(b, '[');
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			hp_buf_byte(b, ',');
		hp_buf_text(b, part);
	}
	hp_buf_byte(b, ']');
	must(hp_buf_ok(b));
}

/*
 * Test that a short text that becomes a large tree is refused at the memory
 * limit, and that all its memory is freed.
 */
START_TEST(refuses_large_trees)
{
	static const char *const parts[] = {"[]", "{}", "{\"a\":{\"b\":[1]}}",
					    "\"a\"", "1.5"};
	struct hp_memory run = {0};
	struct hp_buf b = {0};
	json_t *root;

	hp_memory_enter(&run);
	for (size_t i = 0; i < HP_ARRAY_LEN(parts); i++) {
		hp_buf_clear(&b);
		repeat(&b, parts[i], 200000);
		uint64_t used = run.used;

		hp_memory_limit(used + LIMIT, 0);
		root = hp_json_load(b.data, b.len, 0, &(json_error_t){0});
		must(!root);
		must(hp_memory_refused(NULL, NULL));
		ck_assert_uint_eq(run.used, used);
		ck_assert_uint_le(run.peak, used + LIMIT);
		/* with 4,000 values the tree fits into the limit */
		hp_buf_clear(&b);
		repeat(&b, parts[i], 4000);
		hp_memory_limit(used + LIMIT, 0);
		root = hp_json_load(b.data, b.len, 0, &(json_error_t){0});
		must(root);
		ck_assert_uint_gt(run.used, used + 4000 * 8);
		must(!hp_memory_refused(NULL, NULL));
		json_decref(root);
		ck_assert_uint_eq(run.used, used);
	}
	hp_buf_release(&b);
	ck_assert_uint_eq(run.used, 0);
	hp_memory_enter(NULL);
}
END_TEST

Suite *
test_json_text_suite(void)
{
	Suite *s = suite_create("json_text");
	TCase *t = tcase_create("json_text");

	tcase_add_test(t, refuses_large_trees);
	suite_add_tcase(s, t);
	return s;
}
