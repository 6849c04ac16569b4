/*
 * test_builder.c - compare what the dump builder of the tests writes with bytes
 * written by hand
 *
 * A person typed the expected bytes from the description of the format. Without
 * this test, a mistake in the builder would be accepted by all other tests.
 */
#include "tests/builder/fixtures.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

#define ASSERT_BYTES(b, from, ...)                                             \
	do {                                                                   \
		static const uint8_t want_[] = {__VA_ARGS__};                  \
		ck_assert_uint_eq((b)->len - (from), sizeof want_);            \
		ck_assert_mem_eq((b)->data + (from), want_, sizeof want_);     \
	} while (0)

START_TEST(header)
{
	struct b b;

	b_init(&b, 8);
	ck_assert_uint_eq(b_header(&b, "JAVA PROFILE 1.0.2", 0x123456789A), 0);
	ASSERT_BYTES(&b, 0, 'J', 'A', 'V', 'A', ' ', 'P', 'R', 'O', 'F', 'I',
		     'L', 'E', ' ', '1', '.', '0', '.', '2', 0, 0, 0, 0, 8, 0,
		     0, 0, 0x12, 0x34, 0x56, 0x78, 0x9A);
	ck_assert_uint_eq(b_here(&b), 31);
	b_release(&b);
}
END_TEST

START_TEST(string_record)
{
	struct b b;

	b_init(&b, 4);
	b.time = 0x01020304;
	ck_assert_uint_eq(b_string(&b, 7, "hi"), 0);
	ASSERT_BYTES(&b, 0, 1, 1, 2, 3, 4, 0, 0, 0, 6, 0, 0, 0, 7, 'h', 'i');
	b_release(&b);
}
END_TEST

START_TEST(load_frame_trace)
{
	uint64_t frames[] = {5, 6};
	struct b b;

	b_init(&b, 8);
	b_load_class(&b, 1, 0x7001, 2, 0x99);
	ASSERT_BYTES(&b, 0, 2, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 1, 0, 0, 0, 0,
		     0, 0, 0x70, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0x99);
	b_release(&b);

	b_init(&b, 4);
	b_frame(&b, 5, 1, 2, 0, 3, -3);
	ASSERT_BYTES(&b, 0, 4, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 5, 0, 0, 0, 1,
		     0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF,
		     0xFD);
	b_cut_at(&b, 0);
	b_trace(&b, 4, 3, 2, frames);
	ASSERT_BYTES(&b, 0, 5, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 4, 0, 0, 0, 3,
		     0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 6);
	b_release(&b);
}
END_TEST

START_TEST(sites_and_samples)
{
	struct b_totals totals = {1, 2, 3, 4};
	struct b_site site = {10, 1, 2, 3, 4, 5, 6};
	struct b_sample sample = {9, 8};
	struct b b;

	b_init(&b, 4);
	b_alloc_sites(&b, 3, 0x3F800000, &totals, 1, &site);
	ASSERT_BYTES(&b, 0, 6, 0, 0, 0, 0, 0, 0, 0, 59, 0, 3, 0x3F, 0x80, 0, 0,
		     0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0,
		     0, 0, 0, 4, 0, 0, 0, 1, 10, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0,
		     0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6);
	b_cut_at(&b, 0);
	b_cpu_samples(&b, 9, 1, &sample);
	ASSERT_BYTES(&b, 0, 0x0D, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 9, 0, 0, 0,
		     1, 0, 0, 0, 9, 0, 0, 0, 8);
	b_cut_at(&b, 0);
	b_control_settings(&b, 3, 4);
	ASSERT_BYTES(&b, 0, 0x0E, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 3, 0, 4);
	b_release(&b);
}
END_TEST

START_TEST(roots)
{
	struct b b;

	b_init(&b, 4);
	b_root_unknown(&b, 1);
	b_root_jni_global(&b, 2, 3);
	b_root_jni_local(&b, 4, 5, -1);
	b_root_native_stack(&b, 6, 7);
	b_root_thread_object(&b, 8, 9, 10);
	b_root_jni_monitor(&b, 11, 12, -1);
	b_heap_info(&b, 'A', 13);
	ASSERT_BYTES(&b, 0, 0xFF, 0, 0, 0, 1, 0x01, 0, 0, 0, 2, 0, 0, 0, 3,
		     0x02, 0, 0, 0, 4, 0, 0, 0, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0x04,
		     0, 0, 0, 6, 0, 0, 0, 7, 0x08, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0,
		     0, 10, 0x8E, 0, 0, 0, 11, 0, 0, 0, 12, 0xFF, 0xFF, 0xFF,
		     0xFF, 0xFE, 0, 0, 0, 'A', 0, 0, 0, 13);
	b_release(&b);
}
END_TEST

/*
 * Test that the smallest CLASS DUMP has 43 bytes with ids of 4 bytes, and 71
 * bytes with ids of 8 bytes.
 */
START_TEST(class_minimum)
{
	struct b b;

	b_init(&b, 4);
	b_class(&b, &(struct b_class){.id = 1});
	b_class_end(&b);
	ck_assert_uint_eq(b.len, 43);
	b_release(&b);
	b_init(&b, 8);
	b_class(&b, &(struct b_class){.id = 1});
	b_class_end(&b);
	ck_assert_uint_eq(b.len, 71);
	b_release(&b);
}
END_TEST

START_TEST(class_dump)
{
	struct b b;

	b_init(&b, 4);
	b_class(&b, &(struct b_class){.id = 1,
				      .super = 2,
				      .loader = 3,
				      .signers = 4,
				      .domain = 5,
				      .reserved = {6, 7},
				      .size = B_AUTO});
	b_constant(&b, 9, B_OBJECT, 0x11);
	b_static(&b, 0x22, B_BOOLEAN, 1);
	b_static(&b, 0x23, B_LONG, 0x0102030405060708);
	b_field(&b, 0x33, B_INT);
	b_field(&b, 0x34, B_SHORT);
	b_class_end(&b);
	ASSERT_BYTES(&b, 0, 0x20, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
		     3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0,
		     6, 0, 1, 0, 9, 2, 0, 0, 0, 0x11, 0, 2, 0, 0, 0, 0x22, 4, 1,
		     0, 0, 0, 0x23, 11, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 0, 0, 0,
		     0x33, 10, 0, 0, 0, 0x34, 9);
	b_release(&b);
}
END_TEST

START_TEST(objects)
{
	uint64_t refs[] = {0x11, 0}, shorts[] = {1, 0xFFFF};
	struct b b;

	b_init(&b, 4);
	b_class(&b, &(struct b_class){.id = 9});
	b_field(&b, 1, B_INT);
	b_field(&b, 2, B_OBJECT);
	b_class_end(&b);
	b_cut_at(&b, 0);
	b_instance(&b, 1, 9);
	b_value(&b, B_INT, 0xFFFFFFFF);
	b_value(&b, B_OBJECT, 2);
	b_instance_end(&b);
	ASSERT_BYTES(&b, 0, 0x21, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0,
		     8, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 2);
	b_cut_at(&b, 0);
	b_instance_zero(&b, 1, 9);
	ck_assert_uint_eq(b.len, 17 + 8);
	b_cut_at(&b, 0);
	b_object_array(&b, 3, 4, 2, refs);
	ASSERT_BYTES(&b, 0, 0x22, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
		     4, 0, 0, 0, 0x11, 0, 0, 0, 0);
	b_cut_at(&b, 0);
	b_primitive_array(&b, 3, B_SHORT, 2, shorts);
	ASSERT_BYTES(&b, 0, 0x23, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 9, 0, 1,
		     0xFF, 0xFF);
	b_cut_at(&b, 0);
	b_primitive_array_nodata(&b, 3, B_INT, 7);
	ASSERT_BYTES(&b, 0, 0xC3, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 7, 10);
	b_release(&b);
}
END_TEST

START_TEST(segment_length)
{
	struct b b;

	b_init(&b, 4);
	b_segment(&b);
	b_root_unknown(&b, 1);
	b_close(&b);
	b_heap_dump_end(&b);
	ASSERT_BYTES(&b, 0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 5, 0xFF, 0, 0, 0, 1,
		     0x2C, 0, 0, 0, 0, 0, 0, 0, 0);
	b_release(&b);
}
END_TEST

START_TEST(damage)
{
	struct b b;
	size_t at;

	b_init(&b, 4);
	b_string(&b, 1, "a");
	at = b_string(&b, 2, "b");
	ck_assert_uint_eq(at, 14);
	ck_assert_uint_eq(b_length(&b, at), 5);
	ck_assert_uint_eq(b_dup_record(&b, 0), 28);
	ck_assert_mem_eq(b.data, b.data + 28, 14);
	b_remove_record(&b, 28);
	b_flip(&b, 13, 0x03);
	ck_assert_uint_eq(b.data[13], 'b');
	b_set_length(&b, at, 0x01020304);
	ck_assert_mem_eq(b.data + at + 5, "\1\2\3\4", 4);
	b_unpatch_length(&b, at);
	ck_assert_uint_eq(b_length(&b, at), 0);
	b_insert(&b, 0, "xy", 2);
	ck_assert_mem_eq(b.data, "xy\1", 3);
	b_remove(&b, 0, 2);
	b_cut(&b, 1);
	ck_assert_uint_eq(b.len, 27);
	ck_assert_uint_eq(b.records[B_STRING], 2);
	b_release(&b);
}
END_TEST

/*
 * Test a record with a very long range of zeros: a hole in a sparse file, which
 * needs no disk space. The length of the record overflows its field.
 */
START_TEST(hole)
{
	char path[] = "/tmp/hp-builder-XXXXXX";
	int fd = mkstemp(path);
	struct b b;

	ck_assert_int_ge(fd, 0);
	unlink(path);
	b_init(&b, 4);
	b_heap_dump(&b);
	b_hole(&b, 0x100000000u);
	b_root_unknown(&b, 1);
	b_close(&b);
	ck_assert_uint_eq(b_length(&b, 0), 5);
	ck_assert_uint_eq(b_here(&b), 0x100000000u + 14);
	ck_assert_int_eq(b_write_fd(&b, fd), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0x100000000 + 14);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(fixtures)
{
	for (const struct b_fixture *f = b_fixtures(); f->name; f++)
		for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
			struct b b;

			if (!(f->id_sizes & id_size))
				continue;
			b_fixture_build(f, &b, id_size);
			ck_assert(f->verdict == B_VALID || f->rule);
			b_release(&b);
		}
}
END_TEST

Suite *test_builder_suite(void);

Suite *
test_builder_suite(void)
{
	Suite *s = suite_create("builder");
	TCase *t = tcase_create("bytes");

	tcase_add_test(t, header);
	tcase_add_test(t, string_record);
	tcase_add_test(t, load_frame_trace);
	tcase_add_test(t, sites_and_samples);
	tcase_add_test(t, roots);
	tcase_add_test(t, class_minimum);
	tcase_add_test(t, class_dump);
	tcase_add_test(t, objects);
	tcase_add_test(t, segment_length);
	suite_add_tcase(s, t);
	t = tcase_create("damage");
	tcase_add_test(t, damage);
	tcase_add_test(t, hole);
	tcase_add_test(t, fixtures);
	suite_add_tcase(s, t);
	return s;
}
