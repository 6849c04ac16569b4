/*
 * test_json_text.c - compare the computed upper limit of the memory of the
 * library jansson with what it allocates
 */
#include <check.h>
#include <inttypes.h>
#include <jansson.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/json.h"

Suite *test_json_text_suite(void);

enum { HEAD = sizeof(size_t) }; /* bytes that malloc() puts before a block */

static size_t held, peak;

static void *
counted_malloc(size_t n)
{
	void *p = malloc(n);

	if (p) {
		held += malloc_usable_size(p) + HEAD;
		peak = held > peak ? held : peak;
	}
	return p;
}

static void
counted_free(void *p)
{
	if (p)
		held -= malloc_usable_size(p) + HEAD;
	free(p);
}

/* Returns the most memory that jansson uses at one time for this text. */
static size_t
taken(const struct hp_buf *b)
{
	json_malloc_t old_malloc;
	json_free_t old_free;
	json_error_t why;
	json_t *root;

	json_get_alloc_funcs(&old_malloc, &old_free);
	json_set_alloc_funcs(counted_malloc, counted_free);
	held = peak = 0;
	root = json_loadb(b->data, b->len, 0, &why);
	ck_assert_msg(root, "%s", why.text);
	json_decref(root);
	ck_assert_uint_eq(held, 0);
	json_set_alloc_funcs(old_malloc, old_free);
	return peak;
}

/*
 * Write @part @n times in brackets. A # in @part is replaced by the number of
 * the repetition.
 */
static void
repeat(struct hp_buf *b, const char *open, const char *part, const char *close,
       unsigned n)
{
	hp_buf_clear(b);
	hp_buf_text(b, open);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			hp_buf_byte(b, ',');
		for (const char *p = part; *p; p++) {
			if (*p == '#')
				hp_buf_printf(b, "%u", i);
			else
				hp_buf_byte(b, *p);
		}
	}
	hp_buf_text(b, close);
	ck_assert(hp_buf_ok(b));
}

/* Just above a power of two the tables have just been doubled. */
static const unsigned counts[] = {1, 2, 7, 8, 9, 16, 17, 1000, 8191, 8193};

START_TEST(tree_stays_below_the_bound)
{
	static const struct {
		const char *open, *part, *close;
	} shapes[] = {
		{"[", "[]", "]"},
		{"[", "{}", "]"},
		{"[", "1", "]"},
		{"[", "1.5", "]"},
		{"[", "\"\"", "]"},
		{"[", "\"a\"", "]"},
		{"[", "true", "]"},
		{"[", "[[[[]]]]", "]"},
		{"[", "[1,[1]]", "]"},
		{"[", "{\"\":{\"\":{\"\":[]}}}", "]"},
		{"[", "{\"a\":1}", "]"},
		{"[", "{\"a\":\"\",\"b\":\"\"}", "]"},
		{"[", "{\"key\":\"#\",\"count\":[#],\"bytes\":[#]}", "]"},
		{"[", "{\"offset\":#,\"message\":\"m #\"}", "]"},
		{"{", "\"#\":1", "}"},
		{"{", "\"#\":\"\"", "}"},
		{"{", "\"#\":{}", "}"},
		{"{", "\"#\":[]", "}"},
		{"{", "\"#\":{\"#\":{\"#\":\"\"}}", "}"},
	};
	struct hp_buf b = {0};

	for (size_t i = 0; i < HP_ARRAY_LEN(shapes); i++) {
		for (size_t k = 0; k < HP_ARRAY_LEN(counts); k++) {
			repeat(&b, shapes[i].open, shapes[i].part,
			       shapes[i].close, counts[k]);
			uint64_t bound = hp_json_tree_bytes(b.data, b.len);
			size_t took = taken(&b);

			/* 512 bytes are for the parser's fixed buffers */
			ck_assert_msg(took <= bound + 512,
				      "%u times %s: %zu, not %" PRIu64,
				      counts[k], shapes[i].part, took, bound);
			/* otherwise jansson might have read hardly anything */
			if (counts[k] == 65537)
				ck_assert_msg(bound <= 8 * took,
					      "%s: %zu, not %" PRIu64,
					      shapes[i].part, took, bound);
		}
	}
	hp_buf_release(&b);
}
END_TEST

/*
 * A text with one long string, and one with the deepest nesting that jansson
 * accepts.
 */
START_TEST(long_and_deep_texts)
{
	struct hp_buf b = {0};

	for (size_t n = 1; n < 3 << 20; n = 3 * n + 1) {
		hp_buf_clear(&b);
		hp_buf_text(&b, "[\"");
		for (size_t i = 0; i < n; i++)
			hp_buf_byte(&b, 'x');
		hp_buf_text(&b, "\"]");
		ck_assert_uint_le(taken(&b),
				  hp_json_tree_bytes(b.data, b.len) + 512);
	}
	for (unsigned kind = 0; kind < 2; kind++) {
		hp_buf_clear(&b);
		for (unsigned i = 0; i < 2000; i++)
			hp_buf_text(&b, kind ? "[" : "{\"a\":");
		hp_buf_text(&b, "1");
		for (unsigned i = 0; i < 2000; i++)
			hp_buf_text(&b, kind ? "]" : "}");
		ck_assert_uint_le(taken(&b),
				  hp_json_tree_bytes(b.data, b.len) + 512);
	}
	hp_buf_release(&b);
}
END_TEST

Suite *
test_json_text_suite(void)
{
	Suite *s = suite_create("json_text");
	TCase *t = tcase_create("json_text");

	tcase_set_timeout(t, 60);

	tcase_add_test(t, tree_stays_below_the_bound);
	tcase_add_test(t, long_and_deep_texts);
	suite_add_tcase(s, t);
	return s;
}
