/*
 * test_library.c - compare what libhprof reads with what the builder of test
 * dumps wrote
 *
 * The tests compare the numbers of items (records and sub-records), field
 * values, long arrays that are returned in pieces, and damage.
 * tests/cli/library.sh runs similar tests with the installed library.
 */
#include "hprof.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

Suite *test_library_suite(void);

struct seen {
	uint64_t records[256], subrecords[256];
	/* number of element bytes that the reader has returned */
	uint64_t bytes;
	int failures, last;
	/* message of the last error */
	char text[sizeof(((struct hprof_error *)0)->text)];
};

static const char *
path_of(const struct b *b, size_t n, int *fd)
{
	static char path[64];

	*fd = memfd_create("dump", MFD_CLOEXEC);
	ck_assert_int_ge(*fd, 0);
	ck_assert_int_eq(write(*fd, b->data ? b->data : (uint8_t *)"", n), n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	return path;
}

static hprof_reader *
opened(const char *path)
{
	struct hprof_options o = HPROF_OPTIONS_INIT;
	struct hprof_error error = {0};
	hprof_reader *r = NULL;

	o.threads = 1;
	if (hprof_open(path, &o, &r, &error) != HPROF_OK)
		ck_assert_str_ne(error.text, "");
	return r;
}

static void
count(struct seen *s, const struct hprof_item *item, unsigned id_size)
{
	size_t width = item->kind == HPROF_INSTANCE
			       ? 1
			       : hprof_type_size(item->u.object.type, id_size);

	if (item->kind < HPROF_ROOT) {
		s->records[item->tag]++;
		return;
	}
	if (item->kind >= HPROF_INSTANCE &&
	    item->kind <= HPROF_PRIMITIVE_ARRAY) {
		const uint8_t *p = item->u.object.data;

		/*
		 * read every byte of the item, so that AddressSanitizer checks
		 * that it is accessible
		 */
		for (size_t i = 0; i < item->u.object.here * width; i++)
			s->bytes += p[i] || true;
		if (item->u.object.first > 0)
			return;
	}
	s->subrecords[item->tag]++;
}

static void
read_items(hprof_reader *r, struct seen *s)
{
	const struct hprof_item *item;
	struct hprof_error error = {0};
	int status;

	*s = (struct seen){0};
	while ((status = hprof_next(r, &item, &error)) != HPROF_END) {
		if (status == HPROF_OK) {
			count(s, item, hprof_get_header(r)->id_size);
			continue;
		}
		ck_assert(status == HPROF_DAMAGED || status == HPROF_TRUNCATED);
		ck_assert_str_ne(error.text, "");
		snprintf(s->text, sizeof(s->text), "%s", error.text);
		s->failures++;
		s->last = status;
	}
	ck_assert_int_eq(hprof_next(r, &item, &error), HPROF_END);
	ck_assert_ptr_null(item);
}

static void
read_dump(const struct b *b, size_t n, bool classes, struct seen *s)
{
	int fd;
	hprof_reader *r = opened(path_of(b, n, &fd));

	*s = (struct seen){0};
	if (r && classes)
		ck_assert_int_eq(hprof_read_classes(r, 0, NULL), HPROF_OK);
	if (r)
		read_items(r, s);
	hprof_close(r);
	close(fd);
}

START_TEST(whole)
{
	const struct b_fixture *f = &b_fixtures()[_i];

	for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
		struct seen s;
		struct b b;

		/*
		 * skip dumps with findings: the reader may find other records
		 * than the builder has counted
		 */
		if (!(f->id_sizes & id_size) || f->verdict != B_VALID ||
		    f->rule)
			continue;
		b_fixture_build(f, &b, id_size);
		if (b.hole_len == 0) {
			read_dump(&b, b.len, _i % 2, &s);
			ck_assert_msg(s.failures == 0, "%s", f->name);
			ck_assert_mem_eq(s.records, b.records,
					 sizeof(s.records));
			ck_assert_msg(memcmp(s.subrecords, b.subrecords,
					     sizeof(s.subrecords)) == 0,
				      "%s: sub-records", f->name);
		}
		b_release(&b);
	}
}
END_TEST

START_TEST(prefixes)
{
	struct seen s, all;
	struct b b;

	b_world(&b, (enum b_writer)_i, b_writer_id_size((enum b_writer)_i));
	read_dump(&b, b.len, false, &all);
	/*
	 * the suite `scan` tests every prefix with the same reader, so test
	 * fewer prefixes here
	 */
	for (size_t n = _i % 3; n < b.len; n += 3) {
		read_dump(&b, n, n % 2, &s);
		ck_assert_uint_le(s.bytes, all.bytes);
		ck_assert_int_le(s.failures, 1);
	}
	b_release(&b);
}
END_TEST

START_TEST(flipped)
{
	struct seen s;
	struct b b;

	b_world(&b, (enum b_writer)_i, b_writer_id_size((enum b_writer)_i));
	for (size_t at = _i % 3; at < b.len; at += 3) {
		uint8_t was = b.data[at];

		b.data[at] = at % 4 ? 0xFF : was ^ 0x80;
		read_dump(&b, b.len, at % 2, &s);
		b.data[at] = was;
	}
	b_release(&b);
}
END_TEST

START_TEST(damage_is_told)
{
	static const struct {
		const char *name;
		int status;
		/*
		 * the name of the record or sub-record, as the programs show it
		 */
		const char *text;
	} cases[] = {
		{"cut-string", HPROF_TRUNCATED, "[record-truncated]"},
		{"cut-instance", HPROF_TRUNCATED, "inside a heap record"},
		{"cut-array", HPROF_TRUNCATED, "inside a heap record"},
		{"cut-record-header", HPROF_TRUNCATED, "[record-header-short]"},
		{"unpatched", HPROF_TRUNCATED, "[heap-length-unpatched]"},
		{"unpatched-at-end", HPROF_TRUNCATED,
		 "[heap-length-unpatched]"},
		{"claim-array", HPROF_DAMAGED, "[array-too-long]"},
		{"claim-instance", HPROF_DAMAGED, "[subrecord-overrun]"},
		{"subtag-unknown", HPROF_DAMAGED, "[subtag-unknown]"},
		{"type-code", HPROF_DAMAGED, "[type-code]"},
		{"claim-sites", HPROF_DAMAGED,
		 "the ALLOC_SITES record at offset"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct seen s;
		struct b b;

		b_fixture_build(b_fixture_find(cases[i].name), &b, 0);
		read_dump(&b, b.len, false, &s);
		ck_assert_msg(s.failures == 1 && s.last == cases[i].status,
			      "%s: %d failures, the last one %d", cases[i].name,
			      s.failures, s.last);
		ck_assert_msg(strstr(s.text, cases[i].text) != NULL, "%s: %s",
			      cases[i].name, s.text);
		b_release(&b);
	}
}
END_TEST

static struct b
compressed(const struct b *b)
{
	struct b frame = {.len = ZSTD_compressBound(b->len)};

	frame.data = malloc(frame.len);
	ck_assert_ptr_nonnull(frame.data);
	frame.len = ZSTD_compress(frame.data, frame.len, b->data, b->len, 1);
	ck_assert(!ZSTD_isError(frame.len));
	return frame;
}

/*
 * Test a record that ends with the file. Its head contains the right length, or
 * 0 as after a crash.
 */
START_TEST(unpatched)
{
	static const char *const names[] = {
		"unpatched",	     "unpatched-instance", "unpatched-array",
		"unpatched-objects", "unpatched-tag",	   "unpatched-at-end"};
	struct seen s, t;
	struct b b, frame;

	b_fixture_build(b_fixture_find(names[_i]), &b, 8);
	frame = compressed(&b);
	read_dump(&b, b.len, false, &s);
	read_dump(&frame, frame.len, false, &t);
	ck_assert_int_eq(s.failures, t.failures);
	ck_assert_int_eq(s.last, t.last);
	ck_assert_str_eq(s.text, t.text);
	ck_assert_uint_eq(s.bytes, t.bytes);
	ck_assert_mem_eq(s.subrecords, t.subrecords, sizeof(s.subrecords));
	free(frame.data);
	b_release(&b);
}
END_TEST

START_TEST(no_such_dump)
{
	struct hprof_options o = HPROF_OPTIONS_INIT;
	const struct hprof_item *item;
	struct hprof_error error = {0};
	hprof_histogram *h;
	const char *path;
	hprof_check *c;
	hprof_reader *r;
	int fd, status;
	struct b b;

	o.threads = 1;
	o.dump = 5;
	b_fixture_build(b_fixture_find("two-dumps"), &b, 0);
	path = path_of(&b, b.len, &fd);
	ck_assert_int_eq(
		hprof_check_read(path, &o, HPROF_REFERENCES, &c, &error),
		HPROF_OK);
	ck_assert_int_eq(hprof_check_verdict(c), HPROF_UNREADABLE);
	ck_assert_int_eq(error.status, HPROF_NOT_FOUND);
	ck_assert_str_eq(error.text, "there is no dump 5: the input has 2");
	hprof_check_free(c);
	ck_assert_int_eq(hprof_histogram_read(path, &o, &h, &error),
			 HPROF_NOT_FOUND);
	ck_assert_str_eq(error.text, "there is no dump 5: the input has 2");
	ck_assert_int_eq(hprof_open(path, &o, &r, &error), HPROF_OK);
	do
		status = hprof_next(r, &item, &error);
	while (status == HPROF_OK);
	ck_assert_int_eq(status, HPROF_NOT_FOUND);
	ck_assert_str_eq(error.text, "there is no dump 5: the input has 2");
	ck_assert_int_eq(hprof_next(r, &item, &error), HPROF_END);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(long_arrays)
{
	enum { N = 400000 };
	uint64_t *values = calloc(N, sizeof(*values));
	const struct hprof_item *item;
	uint64_t next = 0, pieces = 0;
	hprof_reader *r;
	struct b b;
	int fd, status;

	ck_assert_ptr_nonnull(values);
	for (uint64_t i = 0; i < N; i++)
		values[i] = i * 3;
	b_init(&b, 8);
	b_world_tables(&b, B_HOTSPOT);
	b_world_heap(&b);
	b_primitive_array(&b, b_object_id(&b, B_O_FREE), 11, N, values);
	b_world_end(&b);
	r = opened(path_of(&b, b.len, &fd));
	while ((status = hprof_next(r, &item, NULL)) == HPROF_OK) {
		const uint8_t *p;

		if (item->kind != HPROF_PRIMITIVE_ARRAY ||
		    item->u.object.count != N)
			continue;
		ck_assert_uint_eq(item->u.object.first, next);
		p = item->u.object.data;
		for (uint32_t i = 0; i < item->u.object.here; i++, next++)
			ck_assert_uint_eq((uint64_t)p[8 * i + 4] << 24 |
						  p[8 * i + 5] << 16 |
						  p[8 * i + 6] << 8 |
						  p[8 * i + 7],
					  next * 3);
		pieces++;
	}
	ck_assert_int_eq(status, HPROF_END);
	ck_assert_uint_eq(next, N);
	ck_assert_uint_gt(pieces, 1);
	hprof_close(r);
	close(fd);
	b_release(&b);
	free(values);
}
END_TEST

/*
 * Test that no piece is longer than one MiB, and that an array of one MiB is
 * one piece.
 */
START_TEST(pieces_of_a_megabyte)
{
	enum { MEGABYTE = 1 << 20 };
	static const uint32_t lengths[] = {600000,   MEGABYTE + 1,
					   MEGABYTE, 3 * MEGABYTE + 7,
					   MEGABYTE, 1500000};
	const struct hprof_item *item;
	uint32_t last = UINT32_MAX, pieces = 0;
	hprof_reader *r;
	struct b b;
	int fd, status;

	b_init(&b, 8);
	b_world_tables(&b, B_HOTSPOT);
	b_world_heap(&b);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		b_primitive_array(&b, b_object_id(&b, B_O_FREE) + 8 * i, 8,
				  lengths[i], NULL);
	b_world_end(&b);
	r = opened(path_of(&b, b.len, &fd));
	while ((status = hprof_next(r, &item, NULL)) == HPROF_OK) {
		if (item->kind != HPROF_PRIMITIVE_ARRAY ||
		    item->u.object.count < lengths[0])
			continue;
		ck_assert_uint_le(item->u.object.here, MEGABYTE);
		ck_assert(item->u.object.here == MEGABYTE ||
			  item->u.object.first + item->u.object.here ==
				  item->u.object.count);
		pieces++;
		last = item->u.object.here;
	}
	ck_assert_int_eq(status, HPROF_END);
	ck_assert_uint_eq(pieces, 1 + 2 + 1 + 4 + 1 + 2);
	ck_assert_uint_eq(last, 1500000 - MEGABYTE);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

/*
 * Test a record that is too long for the memory: the reader must report it and
 * continue after it.
 */
START_TEST(too_long_to_keep)
{
	enum { LONG = (64 << 20) + 1 };
	uint8_t head[9] = {_i ? 0x77 : 1, [5] = LONG >> 24 & 0xff,
			   LONG >> 16 & 0xff, LONG >> 8 & 0xff, LONG & 0xff};
	const struct hprof_item *item;
	struct hprof_error error = {0};
	uint64_t before = 0, behind = 0;
	unsigned failures = 0;
	const char *path;
	hprof_reader *r;
	struct b b;
	int fd, status;

	b_init(&b, 8);
	b_world_tables(&b, B_HOTSPOT);
	path = path_of(&b, b.len, &fd);
	ck_assert_int_eq(write(fd, head, sizeof(head)), sizeof(head));
	ck_assert_int_ge(lseek(fd, LONG, SEEK_CUR), 0);
	before = b.len;
	b_world_heap(&b);
	b_world_end(&b);
	ck_assert_int_eq(write(fd, b.data + before, b.len - before),
			 b.len - before);
	r = opened(path);
	while ((status = hprof_next(r, &item, &error)) != HPROF_END) {
		if (status == HPROF_OK) {
			behind += item->offset > before;
			continue;
		}
		ck_assert_int_eq(status, HPROF_UNSUPPORTED);
		ck_assert_ptr_nonnull(strstr(error.text, "is longer than"));
		failures++;
	}
	ck_assert_uint_eq(failures, 1);
	ck_assert_uint_gt(behind, 10);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(fields)
{
	unsigned id_size = _i ? 8 : 4;
	struct hprof_field field = {.size = sizeof(field)};
	const struct hprof_item *item;
	struct hprof_item cut;
	struct hprof_value v;
	const hprof_class *order, *rush;
	const char *text;
	size_t length;
	hprof_reader *r;
	unsigned seen = 0;
	struct b b;
	int fd;

	b_world(&b, B_HOTSPOT, id_size);
	r = opened(path_of(&b, b.len, &fd));
	ck_assert_ptr_null(hprof_class_by_name(r, "com.acme.Order"));
	ck_assert_int_eq(hprof_read_classes(r, 1, NULL), HPROF_OK);
	ck_assert_int_eq(hprof_read_classes(r, 1, NULL), HPROF_UNSUPPORTED);
	order = hprof_class_by_name(r, "com.acme.Order");
	rush = hprof_class_by_name(r, "com.acme.RushOrder");
	ck_assert_ptr_nonnull(order);
	ck_assert_ptr_nonnull(rush);
	ck_assert_ptr_null(hprof_class_by_name(r, "com.acme.Orde"));
	ck_assert_str_eq(hprof_class_name(r, rush), "com.acme.RushOrder");
	ck_assert_ptr_nonnull(hprof_class_by_name(r, "com.acme.Order[]"));
	ck_assert_uint_eq(hprof_class_id(order), b_class_id(&b, B_C_ORDER));
	ck_assert_ptr_eq(hprof_class_super(rush), order);
	ck_assert(hprof_class_is_a(rush, order));
	ck_assert(!hprof_class_is_a(order, rush));
	ck_assert_int_eq(hprof_class_field(r, order, "next", &field), HPROF_OK);
	ck_assert_int_eq(field.type, HPROF_TYPE_OBJECT);
	ck_assert_int_eq(hprof_class_field(r, order, "owner", &field),
			 HPROF_NOT_FOUND);
	while (hprof_next(r, &item, NULL) == HPROF_OK) {
		if (item->kind == HPROF_STRING && seen == 0) {
			ck_assert_int_eq(hprof_get_string(r, item->u.string.id,
							  &text, &length),
					 HPROF_OK);
			ck_assert_uint_eq(length, item->u.string.length);
			ck_assert_mem_eq(text, item->u.string.text, length);
		}
		if (item->kind != HPROF_INSTANCE ||
		    item->u.object.class_id != hprof_class_id(rush))
			continue;
		seen++;
		ck_assert_uint_eq(item->u.object.id, b_object_id(&b, B_O_RUSH));
		ck_assert_int_eq(hprof_instance_value(r, item, "owner", &v),
				 HPROF_OK);
		ck_assert_uint_eq(v.value, b_object_id(&b, B_O_THREAD));
		ck_assert_int_eq(hprof_get_string(r, v.name_id, &text, &length),
				 HPROF_OK);
		ck_assert_uint_eq(length, 5);
		ck_assert_mem_eq(text, "owner", 5);
		ck_assert_int_eq(hprof_instance_value(r, item, "next", &v),
				 HPROF_OK);
		ck_assert_uint_eq(v.value, b_object_id(&b, B_O_ORDER_1));
		ck_assert_int_eq(hprof_instance_value(r, item, "none", &v),
				 HPROF_NOT_FOUND);
		/*
		 * the data of this instance is truncated, so that no field is
		 * complete
		 */
		cut = *item;
		cut.u.object.here = id_size - 1;
		ck_assert_int_eq(hprof_instance_value(r, &cut, "owner", &v),
				 HPROF_TRUNCATED);
		cut.u.object.here = 0;
		ck_assert_int_eq(hprof_instance_value(r, &cut, "none", &v),
				 HPROF_TRUNCATED);
	}
	ck_assert_uint_eq(seen, 1);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

/*
 * Test that functions accept NULL as class, which hprof_class_by_name() may
 * return.
 */
START_TEST(no_class)
{
	struct hprof_field field = {.size = sizeof(field)};
	const hprof_class *order;
	hprof_reader *r;
	struct b b;
	int fd;

	b_world(&b, B_HOTSPOT, 4);
	r = opened(path_of(&b, b.len, &fd));
	ck_assert_int_eq(hprof_read_classes(r, 1, NULL), HPROF_OK);
	order = hprof_class_by_name(r, "com.acme.Order");
	ck_assert_uint_eq(hprof_class_id(NULL), 0);
	ck_assert_str_eq(hprof_class_name(r, NULL), "");
	ck_assert_ptr_null(hprof_class_super(NULL));
	ck_assert(!hprof_class_is_a(NULL, order) &&
		  !hprof_class_is_a(order, NULL));
	ck_assert_int_eq(hprof_class_field(r, NULL, "next", &field),
			 HPROF_ARGUMENT);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(shared_names)
{
	static char text[9000];
	const char *name;
	hprof_reader *r;
	struct b b;
	int fd;

	memset(text, 'a', sizeof(text));
	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_string_n(&b, 1, text, sizeof(text));
	b_string_n(&b, 2, text, sizeof(text));
	b_string(&b, 3, "");
	for (uint32_t i = 1; i <= 3; i++)
		b_load_class(&b, i, 16 * i, 0, i);
	b_heap_dump(&b);
	for (unsigned i = 1; i <= 4; i++) {
		b_class(&b, &(struct b_class){.id = 16 * i});
		b_class_end(&b);
	}
	b_close(&b);
	r = opened(path_of(&b, b.len, &fd));
	ck_assert_int_eq(hprof_read_classes(r, 0, NULL), HPROF_OK);
	name = hprof_class_name(r, hprof_class_by_id(r, 16));
	ck_assert_uint_gt(strlen(name), 8000);
	ck_assert_ptr_eq(hprof_class_name(r, hprof_class_by_id(r, 32)), name);
	ck_assert_ptr_eq(hprof_class_by_name(r, name),
			 hprof_class_by_id(r, 16));
	/* one class has an empty name, another has none */
	ck_assert_str_eq(hprof_class_name(r, hprof_class_by_id(r, 48)), "");
	ck_assert_str_eq(hprof_class_name(r, hprof_class_by_id(r, 64)), "");
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(classes_keep_memory)
{
	enum { N = 3000, LENGTH = 10000, CLASSES = 150000 };
	static char text[LENGTH];
	struct hprof_options o = HPROF_OPTIONS_INIT;
	const struct hprof_item *item;
	struct hprof_error error = {0};
	const char *path;
	hprof_reader *r;
	struct b b;
	int fd;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	for (unsigned i = 0; _i == 0 && i < N; i++) {
		snprintf(text, sizeof(text), "%u", i);
		b_string_n(&b, i + 1, text, sizeof(text));
	}
	b_heap_dump(&b);
	for (unsigned i = 0; _i == 1 && i < CLASSES; i++) {
		b_class(&b, &(struct b_class){.id = 16 * (i + 1)});
		b_class_end(&b);
	}
	b_close(&b);
	path = path_of(&b, b.len, &fd);
	o.threads = 2;
	for (o.memory = 32 << 20; o.memory <= 128 << 20; o.memory *= 4) {
		bool fits = o.memory > 32 << 20;

		ck_assert_int_eq(hprof_open(path, &o, &r, NULL), HPROF_OK);
		ck_assert_int_eq(hprof_read_classes(r, 0, &error),
				 fits ? HPROF_OK : HPROF_LIMIT);
		ck_assert(fits == (error.text[0] == '\0'));
		ck_assert_int_eq(hprof_next(r, &item, NULL),
				 fits ? HPROF_OK : HPROF_END);
		hprof_close(r);
	}
	close(fd);
	b_release(&b);
}
END_TEST

/*
 * Test that the version text of the header remains valid until the reader is
 * closed, even after hprof_read_classes() has failed.
 */
START_TEST(header_stays)
{
	const char *version;
	hprof_reader *r;
	struct b b;
	int fd;

	b_world(&b, B_HOTSPOT, 8);
	r = opened(path_of(&b, b.len, &fd));
	version = hprof_get_header(r)->version;
	if (_i)
		ck_assert_int_eq(ftruncate(fd, (off_t)b.len - 1), 0);
	ck_assert_int_eq(hprof_read_classes(r, 1, NULL),
			 _i ? HPROF_IO : HPROF_OK);
	ck_assert_str_eq(version, "JAVA PROFILE 1.0.2");
	ck_assert_ptr_eq(hprof_get_header(r)->version, version);
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

/*
 * Test callers that were compiled with an older or newer header, so that their
 * options structure is shorter or longer.
 */
START_TEST(options_of_other_versions)
{
	struct {
		struct hprof_options o;
		uint64_t later[4];
	} newer = {.o = HPROF_OPTIONS_INIT};
	struct hprof_options bad = HPROF_OPTIONS_INIT;
	size_t older = sizeof(older);
	hprof_reader *r;
	struct b b;
	int fd;

	b_world(&b, B_HOTSPOT, 8);
	newer.o.size = sizeof(newer);
	ck_assert_int_eq(
		hprof_open(path_of(&b, b.len, &fd), &newer.o, &r, NULL),
		HPROF_OK);
	hprof_close(r);
	ck_assert_int_eq(hprof_open(path_of(&b, b.len, &fd),
				    (const struct hprof_options *)&older, &r,
				    NULL),
			 HPROF_OK);
	hprof_close(r);
	bad.flags = 1u << 31;
	ck_assert_int_eq(hprof_open("x", &bad, &r, NULL), HPROF_ARGUMENT);
	bad = (struct hprof_options){0};
	ck_assert_int_eq(hprof_open("x", &bad, &r, NULL), HPROF_ARGUMENT);
	b_release(&b);
}
END_TEST

START_TEST(no_pointers)
{
	const struct hprof_item *item = NULL;
	struct hprof_value value;
	hprof_reader *r;
	struct b b;
	int fd;

	b_world(&b, B_HOTSPOT, 4);
	r = opened(path_of(&b, b.len, &fd));
	ck_assert_int_eq(hprof_read_classes(r, 1, NULL), HPROF_OK);
	do
		ck_assert_int_eq(hprof_next(r, &item, NULL), HPROF_OK);
	while (item->kind != HPROF_INSTANCE);
	ck_assert_int_eq(hprof_instance_value(r, item, NULL, &value),
			 HPROF_ARGUMENT);
	ck_assert_int_eq(hprof_instance_value(r, item, "next", NULL),
			 HPROF_ARGUMENT);
	ck_assert_int_eq(hprof_instance_value(r, NULL, "next", &value),
			 HPROF_ARGUMENT);
	ck_assert_int_eq(hprof_instance_value(NULL, item, "next", &value),
			 HPROF_ARGUMENT);
	ck_assert_ptr_null(hprof_get_header(NULL));
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(errors_are_cleared)
{
	struct hprof_error error;
	const struct hprof_item *item;
	hprof_histogram *h;
	hprof_check *c;
	hprof_reader *r;
	struct b b;
	int fd;

#define AGAIN(call, expected)                                                  \
	do {                                                                   \
		memset(&error, 'x', sizeof(error));                            \
		ck_assert_int_eq(call, expected);                              \
		ck_assert_int_eq(error.status, expected);                      \
		ck_assert_str_eq(error.text, "");                              \
	} while (0)
	b_world(&b, B_HOTSPOT, 4);
	AGAIN(hprof_histogram_read(path_of(&b, b.len, &fd), NULL, &h, &error),
	      HPROF_OK);
	hprof_histogram_free(h);
	close(fd);
	AGAIN(hprof_check_read(path_of(&b, b.len, &fd), NULL, HPROF_FRAMING, &c,
			       &error),
	      HPROF_OK);
	ck_assert_int_eq(hprof_check_severity(c, 999), HPROF_INFO);
	ck_assert_ptr_null(hprof_check_rule(c, 999));
	ck_assert_ptr_null(hprof_check_example_text(c, 999, 0));
	ck_assert_uint_eq(hprof_check_example_offset(c, 999, 0), 0);
	ck_assert_uint_eq(hprof_check_count(c, 999), 0);
	ck_assert_ptr_null(hprof_check_limit(c, 999));
	ck_assert_uint_eq(hprof_check_total(c, 999), 0);
	hprof_check_free(c);
	close(fd);
	AGAIN(hprof_open(path_of(&b, b.len, &fd), NULL, &r, &error), HPROF_OK);
	AGAIN(hprof_read_classes(r, 0, &error), HPROF_OK);
	AGAIN(hprof_next(r, &item, &error), HPROF_OK);
	while (hprof_next(r, &item, NULL) == HPROF_OK)
		continue;
	AGAIN(hprof_next(r, &item, &error), HPROF_END);
#undef AGAIN
	hprof_close(r);
	close(fd);
	b_release(&b);
}
END_TEST

START_TEST(statuses_have_texts)
{
	ck_assert_str_eq(hprof_strerror(HPROF_OK), "no error");
	ck_assert_str_eq(hprof_strerror(HPROF_END), "end of the dump");
	ck_assert_str_eq(hprof_strerror(HPROF_NO_MEMORY), "out of memory");
	ck_assert_str_eq(hprof_strerror(HPROF_NOT_FOUND), "not found");
	ck_assert_str_eq(hprof_strerror(HPROF_NOT_FOUND - 1), "unknown status");
	ck_assert_str_eq(hprof_strerror(HPROF_END + 1), "unknown status");
	ck_assert_str_eq(hprof_strerror(INT_MIN), "unknown status");
	for (int status = HPROF_NOT_FOUND; status <= HPROF_END; status++)
		ck_assert_str_ne(hprof_strerror(status), "unknown status");
}
END_TEST

Suite *
test_library_suite(void)
{
	Suite *s = suite_create("library");
	TCase *t = tcase_create("reader"), *q = quick_case(s, 60);
	int n = 0;

	while (b_fixtures()[n].name)
		n++;
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(q, whole, 0, n);
	tcase_add_loop_test(q, prefixes, 0, 1);
	tcase_add_loop_test(t, prefixes, 1, B_WRITERS);
	tcase_add_loop_test(q, flipped, 0, 1);
	tcase_add_loop_test(t, flipped, 1, B_WRITERS);
	tcase_add_test(q, damage_is_told);
	tcase_add_loop_test(q, unpatched, 0, 6);
	tcase_add_test(q, no_such_dump);
	tcase_add_test(q, long_arrays);
	tcase_add_test(q, pieces_of_a_megabyte);
	tcase_add_loop_test(q, too_long_to_keep, 0, 2);
	tcase_add_loop_test(q, fields, 0, 2);
	tcase_add_test(q, no_class);
	tcase_add_test(q, no_pointers);
	tcase_add_test(q, errors_are_cleared);
	tcase_add_test(q, shared_names);
	tcase_add_loop_test(q, classes_keep_memory, 0, 2);
	tcase_add_loop_test(q, header_stays, 0, 2);
	tcase_add_test(q, options_of_other_versions);
	tcase_add_test(q, statuses_have_texts);
	suite_add_tcase(s, t);
	return s;
}
