/*
 * test_diff_name_prescan.c - tests of hp_name_prescan(), which copies a dump,
 * but leaves out all strings except the names of classes
 */
#include "diff/count/pack_histogram.h"

#include "common/format/format.h"
#include "tests/builder/builder.h"

#include <check.h>
#include <string.h>

static void
run_prescan(const uint8_t *bytes, size_t n, uint8_t *out, size_t *len,
	    size_t room)
{
	const struct hp_source_options raw = {.raw = true};
	struct hp_source *src = NULL;
	struct hp_sink *sink = NULL;
	struct hp_error err = {0};

	ck_assert_int_eq(hp_sink_open_temporary(&sink, &err), HP_OK);
	ck_assert_int_eq(hp_name_prescan(bytes, n, sink, &err), HP_OK);
	ck_assert_int_eq(hp_sink_finish(sink, &err), HP_OK);
	ck_assert_int_eq(hp_sink_reopen(sink, &src, &raw, &err), HP_OK);
	ck_assert_int_eq(hp_source_read(src, out, room, len, &err), HP_OK);
	hp_source_close(src);
	hp_sink_abort(sink);
}

/*
 * Build a dump with the strings 1 to 8, of which 3, 4 and 6 are class names.
 * String 6 comes after its LOAD CLASS record. If @spare is false, the other
 * strings are left out.
 */
static void
build(struct b *b, unsigned id_size, bool spare)
{
	b_init(b, id_size);
	b_header(b, "JAVA PROFILE 1.0.2", 5);
	b_string(b, 1, "first");
	if (spare)
		b_string(b, 2, "field");
	b_string(b, 3, "java/lang/Object");
	b_string(b, 4, "a");
	if (spare)
		b_string(b, 5, "method");
	b_string(b, 4, "another text of the same id");
	b_load_class(b, 1, 0x100, 0, 3);
	b_load_class(b, 2, 0x200, 0, 4);
	b_load_class(b, 3, 0x300, 0, 6);
	if (spare)
		b_string(b, 7, "");
	b_string(b, 6, "comes late");
	b_trace(b, 1, 0, 0, NULL);
	if (spare)
		b_string(b, 8, "after all");
	b_segment(b);
	b_root_unknown(b, 0x1000);
	b_close(b);
	if (spare)
		b_string(b, 2, "field");
	b_heap_dump_end(b);
}

START_TEST(texts)
{
	uint8_t out[2000];
	size_t len;

	for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
		struct b all, want;

		build(&all, id_size, true);
		build(&want, id_size, false);
		run_prescan(all.data, all.len, out, &len, sizeof(out));
		ck_assert_uint_eq(len, want.len);
		ck_assert_mem_eq(out, want.data, len);
		/* truncate the dump at every byte */
		for (size_t n = 1; n < all.len; n++) {
			run_prescan(all.data, n, out, &len, sizeof(out));
			ck_assert_uint_le(len, n);
			ck_assert_mem_eq(out, all.data, len < 31 ? len : 31);
		}
		b_release(&all);
		b_release(&want);
	}
}
END_TEST

START_TEST(texts_of_no_dump)
{
	static const char *const list[] = {"", "x", "no dump at all",
					   "JAVA PROFILE 1.0.2"};
	uint8_t out[64];
	size_t len;

	for (size_t i = 0; i < HP_ARRAY_LEN(list); i++) {
		run_prescan((const uint8_t *)list[i], strlen(list[i]) + 1, out,
			    &len, sizeof(out));
		ck_assert_uint_eq(len, strlen(list[i]) + 1);
		ck_assert_mem_eq(out, list[i], len);
	}
}
END_TEST

Suite *test_diff_name_prescan_suite(void);

Suite *
test_diff_name_prescan_suite(void)
{
	Suite *s = suite_create("diff texts");
	TCase *t = tcase_create("diff texts");

	tcase_add_test(t, texts);
	tcase_add_test(t, texts_of_no_dump);
	suite_add_tcase(s, t);
	return s;
}
