/*
 * test_library_places.c - tests of libhprof: the offsets of items (records and
 * sub-records) near a long array, and of the findings of a rule
 */
#include "hprof.h"
#include "tests/builder/builder.h"
#include "tests/unit/must.h"
#include "tests/unit/validate_helper.h"

#include <stdlib.h>
#include <string.h>

static const char *
path_of(const struct b *b, char path[32], int *fd)
{
	*fd = bytes_as_file(b->data, b->len);
	snprintf(path, 32, "/proc/self/fd/%d", *fd);
	return path;
}

START_TEST(after_long_arrays)
{
	enum { N = 400000, ITEMS = 4 };
	static const unsigned types[] = {B_BYTE, B_CHAR, B_INT, B_LONG};
	uint64_t *values = calloc(N, sizeof(*values));
	size_t offsets[2 * ITEMS], n = 0, next = 0;
	const struct hprof_item *item;
	hprof_reader *r = NULL;
	char path[32];
	struct b b;
	int fd;

	must(values != NULL);
	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1000);
	b_segment(&b);
	for (unsigned i = 0; i < ITEMS; i++) {
		offsets[n++] = b_primitive_array(&b, 0x1000 + 16 * i, types[i],
						 N, values);
		offsets[n++] = b_primitive_array(&b, 0x2000 + 16 * i, B_INT, 1,
						 values);
	}
	b_close(&b);
	b_heap_dump_end(&b);
	must(hprof_open(path_of(&b, path, &fd), NULL, &r, NULL) == HPROF_OK);
	while (hprof_next(r, &item, NULL) == HPROF_OK) {
		if (item->kind != HPROF_PRIMITIVE_ARRAY ||
		    item->u.object.first > 0)
			continue;
		must(next < n);
		ck_assert_uint_eq(item->offset, offsets[next++]);
	}
	ck_assert_uint_eq(next, n);
	hprof_close(r);
	close(fd);
	b_release(&b);
	free(values);
}
END_TEST

START_TEST(all_examples)
{
	enum { N = 3 };
	struct hprof_check *c = NULL;
	size_t offsets[N], row = 0;
	char path[32];
	struct b b;
	int fd;

	b_init(&b, 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 1000);
	b_segment(&b);
	for (unsigned i = 0; i < N; i++)
		offsets[i] = b_primitive_array(&b, 0, B_INT, 1, NULL);
	b_close(&b);
	b_heap_dump_end(&b);
	must(hprof_check_read(path_of(&b, path, &fd), NULL, HPROF_REFERENCES,
			      &c, NULL) == HPROF_OK);
	while (hprof_check_rule(c, row) &&
	       strcmp(hprof_check_rule(c, row), "object-id-zero") != 0)
		row++;
	must(hprof_check_rule(c, row) != NULL);
	ck_assert_uint_eq(hprof_check_count(c, row), N);
	for (size_t k = 0; k < N; k++) {
		ck_assert_uint_eq(hprof_check_example_offset(c, row, k),
				  offsets[k]);
		ck_assert_ptr_nonnull(hprof_check_example_text(c, row, k));
	}
	ck_assert_uint_eq(hprof_check_example_offset(c, row, N), 0);
	ck_assert_ptr_null(hprof_check_example_text(c, row, N));
	hprof_check_free(c);
	close(fd);
	b_release(&b);
}
END_TEST

Suite *test_library_places_suite(void);

Suite *
test_library_places_suite(void)
{
	Suite *s = suite_create("library_places");
	TCase *t = tcase_create("places");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, after_long_arrays);
	tcase_add_test(t, all_examples);
	suite_add_tcase(s, t);
	return s;
}
