/*
 * test_library_names.c - tests of names in libhprof: finding classes and fields
 * by name, spelling of names, memory of names, and names of records
 */
#include "hprof.h"
#include "tests/builder/fixtures.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Suite *test_library_names_suite(void);

static const char *
path_of(const struct b *b, int *fd)
{
	static char path[64];

	*fd = memfd_create("dump", MFD_CLOEXEC);
	ck_assert_int_ge(*fd, 0);
	ck_assert_int_eq(write(*fd, b->data, b->len), b->len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	return path;
}

/*
 * Test that names are created when the classes are read, so that finding a
 * class later cannot fail. The limit options.memory also applies to the names.
 * In this test, a name is five times as long as the text in the dump.
 */
START_TEST(names_keep_memory)
{
	enum { N = 1000, LENGTH = 8000 };
	static char text[LENGTH];
	struct hprof_options o = HPROF_OPTIONS_INIT;
	const hprof_class *last;
	const char *path;
	hprof_reader *r;
	struct b b;
	int fd;

	memset(text, 1,
	       /* this byte is shown as \u{1}, which has five bytes */
	       sizeof(text));
	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	for (uint32_t i = 1; i <= N; i++) {
		snprintf(text, sizeof(text), "%u", i);
		b_string_n(&b, i, text, sizeof(text));
		b_load_class(&b, i, 16 * i, 0, i);
	}
	b_heap_dump(&b);
	for (unsigned i = 1; i <= N; i++) {
		b_class(&b, &(struct b_class){.id = 16 * i});
		b_class_end(&b);
	}
	b_close(&b);
	path = path_of(&b, &fd);
	o.threads = 1;
	o.memory = 36 << 20;
	ck_assert_int_eq(hprof_open(path, &o, &r, NULL), HPROF_OK);
	ck_assert_int_eq(hprof_read_classes(r, 0, NULL), HPROF_LIMIT);
	hprof_close(r);
	o.memory = 128 << 20;
	ck_assert_int_eq(hprof_open(path, &o, &r, NULL), HPROF_OK);
	ck_assert_int_eq(hprof_read_classes(r, 0, NULL), HPROF_OK);
	last = hprof_class_by_id(r, 16 * N);
	ck_assert_uint_gt(strlen(hprof_class_name(r, last)), 4 * LENGTH);
	ck_assert_ptr_eq(hprof_class_by_name(r, hprof_class_name(r, last)),
			 last);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

/* The character U+1F600, in UTF-8 and in the modified UTF-8 of a dump. */
#define WIDE "\xF0\x9F\x98\x80"
#define HALVES "\xED\xA0\xBD\xED\xB8\x80"

/*
 * Test that a field is found both by a name in UTF-8, as a user types it, and
 * by the bytes in the dump.
 */
START_TEST(names_in_utf8)
{
	static const struct {
		const char *name;
		/* position of the field; UINT64_MAX: there is no such field */
		uint64_t position;
	} cases[] = {
		{"x" WIDE "y", 0},
		{"x" HALVES "y", 0},
		{"\xC3\xA9", 4},
		{"\xFF", 8},
		{"x" WIDE, UINT64_MAX},
		{"x" WIDE "z", UINT64_MAX},
		{"x" WIDE "yy", UINT64_MAX},
		{"x\xED\xA0\xBDy", UINT64_MAX},
		{"\xFE", UINT64_MAX},
		{"\xFF\xFF", UINT64_MAX},
		{"", UINT64_MAX},
	};
	struct hprof_field field = {.size = sizeof(field)};
	const struct hprof_item *item;
	struct hprof_value v = {0};
	const hprof_class *c;
	hprof_reader *r;
	struct b b;
	int fd;

	b_init(&b, 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_string(&b, 1, "x" HALVES "y");
	b_string(&b, 2, "\xC3\xA9");
	b_string(&b, 3, "\xFF");
	b_heap_dump(&b);
	b_class(&b, &(struct b_class){.id = 16, .size = 12});
	for (unsigned i = 1; i <= 3; i++)
		b_field(&b, i, HPROF_TYPE_INT);
	b_class_end(&b);
	b_instance_bytes(&b, 32, 16, "\0\0\0\7\0\0\0\10\0\0\0\11", 12);
	b_close(&b);
	ck_assert_int_eq(hprof_open(path_of(&b, &fd), NULL, &r, NULL),
			 HPROF_OK);
	ck_assert_int_eq(hprof_read_classes(r, 0, NULL), HPROF_OK);
	c = hprof_class_by_id(r, 16);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool there = cases[i].position != UINT64_MAX;

		ck_assert_int_eq(hprof_class_field(r, c, cases[i].name, &field),
				 there ? HPROF_OK : HPROF_NOT_FOUND);
		ck_assert(!there || field.position == cases[i].position);
	}
	while (hprof_next(r, &item, NULL) == HPROF_OK)
		if (item->kind == HPROF_INSTANCE)
			ck_assert_int_eq(
				hprof_instance_value(r, item, "x" WIDE "y", &v),
				HPROF_OK);
	ck_assert_uint_eq(v.value, 7);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

/*
 * Test fields of type 1. Old programs write this type for objects, but enum
 * hprof_type does not contain it.
 */
START_TEST(old_type)
{
	enum { OLD = 1 };
	struct hprof_field field = {.size = sizeof(field)};
	const struct hprof_item *item;
	struct hprof_value v = {0};
	unsigned tables = 0;
	hprof_reader *r;
	struct b b;
	int fd;

	b_init(&b, 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_string(&b, 1, "old");
	b_heap_dump(&b);
	b_class(&b, &(struct b_class){.id = 16, .size = 4});
	b_constant(&b, 7, OLD, 32);
	b_static(&b, 1, OLD, 32);
	b_field(&b, 1, OLD);
	b_class_end(&b);
	b_instance_bytes(&b, 32, 16, "\0\0\0\40", 4);
	b_close(&b);
	ck_assert_int_eq(hprof_open(path_of(&b, &fd), NULL, &r, NULL),
			 HPROF_OK);
	ck_assert_int_eq(hprof_read_classes(r, 0, NULL), HPROF_OK);
	ck_assert_int_eq(
		hprof_class_field(r, hprof_class_by_id(r, 16), "old", &field),
		HPROF_OK);
	ck_assert_int_eq(field.type, HPROF_TYPE_OBJECT);
	while (hprof_next(r, &item, NULL) == HPROF_OK) {
		if (item->kind == HPROF_INSTANCE)
			ck_assert_int_eq(
				hprof_instance_value(r, item, "old", &v),
				HPROF_OK);
		if (item->kind != HPROF_CLASS)
			continue;
		ck_assert_int_eq(item->u.class_dump.constants[0].type,
				 HPROF_TYPE_OBJECT);
		ck_assert_uint_eq(item->u.class_dump.constants[0].value, 32);
		ck_assert_int_eq(item->u.class_dump.statics[0].type,
				 HPROF_TYPE_OBJECT);
		ck_assert_int_eq(item->u.class_dump.fields[0].type,
				 HPROF_TYPE_OBJECT);
		tables++;
	}
	ck_assert_uint_eq(tables, 1);
	ck_assert_int_eq(v.type, HPROF_TYPE_OBJECT);
	ck_assert_uint_eq(v.value, 32);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(tags_without_a_name)
{
	static const struct {
		unsigned tag;
		const char *name;
	} records[] = {{0x0B, "END_THREAD"},
		       {0x10, "0x10"},
		       {0x11, "0x11"},
		       {0x77, "0x77"}};
	const struct hprof_item *item;
	hprof_reader *r;
	struct b b;
	int fd;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++)
		b_record(&b, records[i].tag, "four", 4);
	ck_assert_int_eq(hprof_open(path_of(&b, &fd), NULL, &r, NULL),
			 HPROF_OK);
	for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
		ck_assert_int_eq(hprof_next(r, &item, NULL), HPROF_OK);
		ck_assert_uint_eq(item->tag, records[i].tag);
		ck_assert_str_eq(item->name, records[i].name);
	}
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

Suite *
test_library_names_suite(void)
{
	Suite *s = suite_create("library_names");
	TCase *t = tcase_create("names");

	tcase_set_timeout(t, 20);
	tcase_add_test(t, names_keep_memory);
	tcase_add_test(t, names_in_utf8);
	tcase_add_test(t, old_type);
	tcase_add_test(t, tags_without_a_name);
	suite_add_tcase(s, t);
	return s;
}
