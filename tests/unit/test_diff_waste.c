/*
 * test_diff_waste.c - compare the rows of --by=waste with those that a
 * brute-force search finds (waste_model.h)
 */
#include "common/base/memory.h"
#include "common/base/platform.h"
#include "diff/count/histogram.h"
#include "diff/waste/internal.h"
#include "diff/waste/joined_parts.h"
#include "diff/waste/waste.h"
#include "tests/unit/quick.h"
#include "tests/unit/waste_model.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct result {
	struct hp_rows rows;
	struct hp_waste_notes notes;
	struct hp_dump_info info;
};

/*
 * Run --by=waste on the dump in @b and release @b. @memory: the limit in bytes;
 * 0: no limit.
 */
static void
run(struct b *b, unsigned threads, uint64_t memory, struct result *r)
{
	char path[] = "/tmp/hprof-test-XXXXXX";
	const struct hp_diff_options o = {0};
	struct hp_histogram_options options = {.threads = threads,
					       .nodes = true};
	struct hp_histogram g;
	struct hp_source *src;
	struct hp_column c = {
		.g = &g, .o = &o, .rows = &r->rows, .info = &r->info};
	struct hp_error err = {0};
	int fd = mkstemp(path);

	*r = (struct result){0};
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(b_write_fd(b, fd), 0);
	b_release(b);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(
		hp_source_open(&src, path,
			       &(struct hp_source_options){.again = true},
			       NULL),
		HP_OK);
	ck_assert_int_eq(hp_histogram_run(&g, src, &options, NULL), HP_OK);
	r->info.layout = (struct hp_size_model){.model = HP_SIZE_MODEL_HOTSPOT,
						.reference = 4,
						.header = 12,
						.array_header = 16,
						.alignment = 8};
	hp_rows_init(&r->rows, 1);
	r->rows.columns = HP_COLUMN_COUNT | HP_COLUMN_WASTE | HP_COLUMN_DEDUP |
			  HP_COLUMN_GOOD;
	hp_memory_limit(memory ? hp_memory_now()->used + memory : 0, 0);
	if (hp_waste_rows_add(&c, src, NULL, &r->notes, &err) != HP_OK)
		ck_abort_msg("%s", err.text);
	hp_memory_limit(0, 0);
	hp_histogram_release(&g);
	hp_source_close(src);
	unlink(path);
}

static const struct hp_row *
find(const struct result *r, const char *key)
{
	const char *space = strchr(key, ' ');
	char text[128];

	snprintf(text, sizeof(text), "%.*s" HP_ROW_ARROW "%s",
		 (int)(space - key), key, space + 1);
	return hp_rows_find(&r->rows, text, strlen(text));
}

/*
 * Check a kind of waste that the total does not include: the sums of its rows
 * must be @count and @waste. Returns the number of its rows.
 */
static size_t
compare_sum(const struct result *r, const char *kind, uint64_t count,
	    uint64_t waste)
{
	uint64_t got_count = 0, got_waste = 0;
	size_t rows = 0;

	for (size_t i = 0; i < r->rows.count; i++) {
		const struct hp_row *row = r->rows.list[i];

		if (strncmp(row->key, kind, strlen(kind)) != 0)
			continue;
		ck_assert(row->beside);
		got_count += row->count[0];
		got_waste += row->waste[0];
		rows++;
	}
	ck_assert_uint_eq(got_count, count);
	ck_assert_uint_eq(got_waste, waste);
	return rows;
}

static void
compare(uint64_t seed, unsigned threads, uint64_t memory)
{
	static struct wm m;
	struct result r;
	uint64_t sum = 0;
	size_t kinds;
	struct b b;

	wm_make(&m, seed);
	wm_find(&m);
	wm_write(&m, &b);
	run(&b, threads, memory, &r);
	ck_assert(!r.notes.no_data || m.nrows == 0);
	for (int i = 0; i < m.nrows; i++) {
		const struct wm_row *want = &m.rows[i];
		const struct hp_row *row = find(&r, want->key);

		if (r.notes.no_data &&
		    (strstr(want->key, "zero") || strstr(want->key, "dup")))
			continue;
		if (!row)
			ck_abort_msg("heap %u has no row %s", (unsigned)seed,
				     want->key);
		if (row->count[0] != want->count ||
		    row->waste[0] != want->waste ||
		    row->dedup[0] != want->dedup || row->good[0] != want->good)
			ck_abort_msg(
				"heap %u, %s: %u %u %u %u, not %u %u %u "
				"%u",
				(unsigned)seed, want->key,
				(unsigned)row->count[0],
				(unsigned)row->waste[0],
				(unsigned)row->dedup[0], (unsigned)row->good[0],
				(unsigned)want->count, (unsigned)want->waste,
				(unsigned)want->dedup, (unsigned)want->good);
		if (!row->beside)
			sum += row->waste[0];
	}
	kinds = compare_sum(&r, "headers ", m.smaller, m.headers) +
		compare_sum(&r, "alignment ", m.padded, m.padding);
	ck_assert_uint_eq(r.rows.count - kinds, (size_t)m.nrows);
	ck_assert_uint_le(sum, m.bytes);
	hp_rows_release(&r.rows);
}

START_TEST(agrees_quickly)
{
	for (uint64_t seed = 1; seed <= 300; seed++)
		compare(seed, (unsigned)(1 + seed % 3), 0);
}
END_TEST

START_TEST(agrees)
{
	/* these take most of the time of the suite */
	const uint64_t last = HP_SANITIZED ? 1000 : 4000;

	for (uint64_t seed = 301; seed <= last; seed++)
		compare(seed, (unsigned)(1 + seed % 3), 0);
}
END_TEST

static void
begin(struct b *b)
{
	uint64_t object, string, value, coder;

	b_init(b, 8);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	object = b_intern(b, "java/lang/Object");
	string = b_intern(b, "java/lang/String");
	value = b_intern(b, "value");
	coder = b_intern(b, "coder");
	b_load_class(b, 1, 0x100, 0, object);
	b_load_class(b, 2, 0x200, 0, string);
	b_segment(b);
	b_class(b, &(struct b_class){.id = 0x100, .size = B_AUTO});
	b_class_end(b);
	b_class(b,
		&(struct b_class){.id = 0x200, .super = 0x100, .size = B_AUTO});
	b_field(b, value, B_OBJECT);
	b_field(b, coder, B_BYTE);
	b_class_end(b);
}

static void
end(struct b *b)
{
	b_close(b);
	b_heap_dump_end(b);
}

static void
add_string(struct b *b, uint64_t id, uint64_t array, bool utf16)
{
	b_instance(b, id, 0x200);
	b_value(b, B_OBJECT, array);
	b_value(b, B_BYTE, utf16);
	b_instance_end(b);
}

static uint64_t
waste_of(const struct result *r, const char *key)
{
	const struct hp_row *row = find(r, key);

	return row ? row->waste[0] : 0;
}

/*
 * Compare two arrays that are so long that the scan reads them in several
 * pieces. The pieces begin at different positions in each array. The arrays
 * differ in the byte with the index @differ.
 */
static void
compare_pieces(size_t length, size_t differ)
{
	uint8_t *bytes = malloc(length);
	struct result r;
	struct b b;

	ck_assert_ptr_nonnull(bytes);
	memset(bytes, 0, length);
	for (size_t i = 0; i < length / 3; i++)
		bytes[i] = (uint8_t)(i * 7 + 1);
	begin(&b);
	for (unsigned i = 0; i < 3; i++) {
		if (i == 1 && differ < length)
			bytes[differ] ^= 0x40;
		b_byte_array(&b, 0x1000 + 0x1000000 * (uint64_t)i, bytes,
			     length);
		if (i == 1 && differ < length)
			bytes[differ] ^= 0x40;
	}
	end(&b);
	run(&b, 2, 0, &r);
	ck_assert_uint_eq(waste_of(&r, "duplicate-arrays byte[]"),
			  (differ < length ? 1 : 2) *
				  ((length + 16 + 7) / 8 * 8));
	if (differ >= length)
		ck_assert_uint_eq(waste_of(&r, "trailing-zeros byte[]"),
				  length - length / 3);
	hp_rows_release(&r.rows);
	free(bytes);
}

START_TEST(pieces)
{
	const size_t length = (8 << 20) + 4321;

	compare_pieces(HP_CONTENT_LONG, SIZE_MAX);
	compare_pieces(length, SIZE_MAX);
	compare_pieces(length, 0);
	compare_pieces(length, length / 2);
	compare_pieces(length, length - 1);
}
END_TEST

/*
 * Test that a text in a byte[] has the same hash as in a char[], both for short
 * arrays and for arrays that are read in pieces.
 */
static void
compare_storage(uint32_t characters)
{
	const uint64_t size = (2 * (uint64_t)characters + 16 + 7) / 8 * 8;
	uint64_t *values = calloc(2 * (size_t)characters, sizeof(*values));
	struct result r;
	struct b b;

	ck_assert_ptr_nonnull(values);
	begin(&b);
	for (uint32_t i = 0; i < characters; i++)
		values[i] = 'a' + i % 23;
	b_primitive_array(&b, 0x10000000, B_BYTE, characters, values);
	b_primitive_array(&b, 0x20000000, B_CHAR, characters, values);
	for (uint32_t i = 0; i < characters; i++) {
		values[2 * i] = 'a' + i % 23;
		values[2 * i + 1] = 0;
	}
	b_primitive_array(&b, 0x30000000, B_BYTE, 2 * characters, values);
	add_string(&b, 0x1000, 0x10000000, false);
	add_string(&b, 0x2000, 0x20000000, false);
	add_string(&b, 0x3000, 0x30000000, true);
	end(&b);
	run(&b, 2, 0, &r);
	ck_assert_uint_eq(waste_of(&r, "duplicate-strings java.lang.String"),
			  2 * (24 + size));
	hp_rows_release(&r.rows);
	free(values);
}

START_TEST(storage)
{
	compare_storage(5);
	compare_storage(HP_CONTENT_LONG);
	compare_storage((5 << 20) + 7);
}
END_TEST

/*
 * Test a limit --memory that is too small for the data of arrays and objects,
 * so that this data is written to files. The rows must be the same as with
 * enough memory.
 */
START_TEST(partitioned)
{
	enum { ARRAYS = 300000, OTHERS = 1500000 };
	/*
	 * Each array needs 16 bytes, and each object 11 bytes, of which 5 bytes
	 * are the first ones that are in memory. The limit 16 MB is too small
	 * for all of them, and 10 MB is also too small for the 5 bytes.
	 */
	static const uint64_t limits[] = {0, 16 << 20, 10 << 20};
	struct result r;
	struct b b;

	begin(&b);
	for (uint32_t i = 0; i < ARRAYS; i++) {
		uint64_t value = i % (ARRAYS / 4) + 1;

		b_primitive_array(&b, 0x100000 + 0x20 * (uint64_t)i,
				  i % 2 ? B_INT : B_BYTE, 4,
				  (uint64_t[]){value % 256, value / 256 % 256,
					       value >> 16, 1});
	}
	for (uint32_t i = 1; i < ARRAYS; i += 2)
		add_string(&b, 0x10000000 + 0x20 * (uint64_t)i,
			   0x100000 + 0x20 * (uint64_t)(i - 1), true);
	for (uint32_t i = 0; i < OTHERS; i++) {
		b_instance(&b, 0x20000000 + 0x10 * (uint64_t)i, 0x100);
		b_instance_end(&b);
	}
	end(&b);
	run(&b, 1 + (unsigned)_i % 2, limits[_i / 2], &r);
	ck_assert_uint_eq(waste_of(&r, "duplicate-arrays int[]"),
			  ARRAYS / 2 * 3 / 4 * 32);
	ck_assert_uint_eq(waste_of(&r, "duplicate-strings java.lang.String"),
			  ARRAYS / 2 * 3 / 4 * (24 + 24));
	hp_rows_release(&r.rows);
}
END_TEST

/*
 * Test a dump with more kinds of objects (pairs of class and size) than 16 bits
 * can number. The first arrays are empty, and the last ones have 4 elements.
 * The classes of the arrays are not in the dump.
 */
START_TEST(many_kinds)
{
	enum { ARRAYS = 80000, EMPTY = 70000 };
	static const uint64_t nulls[4] = {0};
	uint64_t empty = 0, null = 0;
	struct result r;
	struct b b;

	begin(&b);
	for (uint32_t i = 0; i < ARRAYS; i++)
		b_object_array(&b, 0x100000 + 0x20 * (uint64_t)i,
			       0x10000000 + 0x10 * (uint64_t)i,
			       i < EMPTY ? 0 : 4, nulls);
	end(&b);
	run(&b, 1 + (unsigned)_i, 0, &r);
	for (size_t i = 0; i < r.rows.count; i++) {
		const struct hp_row *row = r.rows.list[i];

		if (strncmp(row->key, "empty-arrays ", 13) == 0)
			empty += row->waste[0];
		if (strncmp(row->key, "null-arrays ", 12) == 0)
			null += row->waste[0];
	}
	ck_assert_uint_eq(empty, EMPTY * UINT64_C(16));
	ck_assert_uint_eq(null, (ARRAYS - EMPTY) * UINT64_C(32));
	hp_rows_release(&r.rows);
}
END_TEST

/*
 * Test a dump with more fields than 16 bits can number. Each field refers to an
 * array of its own, and all arrays are equal.
 */
START_TEST(many_fields)
{
	enum { CLASSES = 265, FIELDS = 250 };
	uint64_t names[FIELDS], rows = 0;
	char text[24];
	struct result r;
	struct b b;

	begin(&b);
	b_close(&b);
	for (unsigned i = 0; i < FIELDS; i++) {
		snprintf(text, sizeof(text), "f%u", i);
		names[i] = b_intern(&b, text);
	}
	for (unsigned i = 0; i < CLASSES; i++) {
		snprintf(text, sizeof(text), "C%u", i);
		b_load_class(&b, 3 + i, 0x1000 + 0x10 * i, 0,
			     b_intern(&b, text));
	}
	b_segment(&b);
	for (unsigned i = 0; i < CLASSES; i++) {
		b_class(&b, &(struct b_class){.id = 0x1000 + 0x10 * i,
					      .super = 0x100,
					      .size = B_AUTO});
		for (unsigned k = 0; k < FIELDS; k++)
			b_field(&b, names[k], B_OBJECT);
		b_class_end(&b);
	}
	for (unsigned i = 0; i < CLASSES; i++) {
		b_instance(&b, 0x10000 + 0x1000 * (uint64_t)i,
			   0x1000 + 0x10 * i);
		for (unsigned k = 0; k < FIELDS; k++)
			b_value(&b, B_OBJECT,
				0x1000000 + 0x20 * (uint64_t)(i * FIELDS + k));
		b_instance_end(&b);
	}
	for (unsigned i = 0; i < CLASSES * FIELDS; i++)
		b_primitive_array(&b, 0x1000000 + 0x20 * (uint64_t)i, B_INT, 2,
				  (uint64_t[]){7, 1});
	end(&b);
	run(&b, 1 + (unsigned)_i, 0, &r);
	for (size_t i = 0; i < r.rows.count; i++) {
		const struct hp_row *row = r.rows.list[i];

		if (strncmp(row->key, "duplicate-arrays ", 17) != 0)
			continue;
		ck_assert_uint_eq(row->waste[0], 24);
		rows++;
	}
	ck_assert_uint_eq(rows, CLASSES * FIELDS - 1);
	hp_rows_release(&r.rows);
}
END_TEST

/*
 * Test Strings in a field of a map that should refer to an array, so that the
 * Strings become parts of the map. The number of such a String can be smaller
 * or larger than that of the map. Their texts are compared as usual.
 */
START_TEST(strings_as_parts)
{
	static const uint64_t strings[] = {0x1000, 0x4000, 0x5000};
	static const uint64_t maps[] = {0x2000, 0x3000};
	uint64_t table, waste = 0;
	struct result r;
	struct b b;

	begin(&b);
	b_close(&b);
	table = b_intern(&b, "table");
	b_load_class(&b, 3, 0x300, 0, b_intern(&b, "java/util/HashMap"));
	b_segment(&b);
	b_class(&b,
		&(struct b_class){.id = 0x300, .super = 0x100, .size = B_AUTO});
	b_field(&b, table, B_OBJECT);
	b_class_end(&b);
	for (unsigned i = 0; i < HP_ARRAY_LEN(strings); i++) {
		b_byte_array(&b, 0x10000 + 0x100 * (uint64_t)i, "text", 4);
		add_string(&b, strings[i], 0x10000 + 0x100 * (uint64_t)i,
			   false);
	}
	for (unsigned i = 0; i < HP_ARRAY_LEN(maps); i++) {
		b_instance(&b, maps[i], 0x300);
		b_value(&b, B_OBJECT, strings[i]);
		b_instance_end(&b);
	}
	end(&b);
	run(&b, 1 + (unsigned)_i, 0, &r);
	for (size_t i = 0; i < r.rows.count; i++)
		if (strncmp(r.rows.list[i]->key, "duplicate-strings ", 18) == 0)
			waste += r.rows.list[i]->waste[0];
	ck_assert_uint_eq(waste, 2 * (24 + 24));
	hp_rows_release(&r.rows);
}
END_TEST

/*
 * Test both orders in which threads can join a String to a set and store its
 * array.
 */
START_TEST(array_of_part)
{
	enum { NODES = 8 };
	struct hp_waste w = {.nodes.count = NODES,
			     .memory = {.limit = UINT64_MAX}};
	struct hp_error err = {0};
	const uint32_t *apart;

	hp_late_array_init(&w.arrays_of_parts);
	ck_assert_int_eq(hp_big_array_make(&w.memory, &w.link, 4 * NODES,
					   HP_BIG_RANDOM, &err),
			 HP_OK);
	ck_assert_int_eq(hp_joined_set_array(&w, 1, 6, &err), HP_OK);
	ck_assert_int_eq(hp_joined_set_array(&w, 4, 5, &err), HP_OK);
	ck_assert_ptr_null(hp_late_array_at(&w.arrays_of_parts));
	ck_assert_int_eq(hp_joined_join(&w, 4, 3, &err), HP_OK);
	ck_assert_int_eq(hp_joined_join(&w, 2, 3, &err), HP_OK);
	ck_assert_int_eq(hp_joined_set_array(&w, 3, 7, &err), HP_OK);
	ck_assert_int_eq(hp_joined_join(&w, 4, 1, &err), HP_OK);
	apart = hp_late_array_at(&w.arrays_of_parts);
	ck_assert_ptr_nonnull(apart);
	for (uint32_t i = 0; i < NODES; i++)
		ck_assert_uint_eq(apart[i], i == 3 ? 8 : i == 4 ? 6 : 0);
	/* the first String represents the set and keeps its array */
	ck_assert_uint_eq(*hp_waste_link(&w, 1), HP_LINK_ARRAY | 6);
	ck_assert_uint_eq(*hp_waste_link(&w, 2), 2);
	hp_late_array_release(&w.arrays_of_parts, &w.memory);
	hp_big_array_drop(&w.memory, &w.link);
}
END_TEST

/*
 * Test several threads that find equal contents. Half of the arrays are equal,
 * so one part of the list of hashes is much larger than the others.
 */
START_TEST(uneven)
{
	enum { ARRAYS = 60000 };
	struct result r;
	struct b b;

	begin(&b);
	for (uint32_t i = 0; i < ARRAYS; i++) {
		uint32_t value = i % 2 ? 7 : i % (ARRAYS / 3);

		b_primitive_array(&b, 0x100000 + 0x20 * (uint64_t)i, B_INT, 2,
				  (uint64_t[]){value, 1});
	}
	end(&b);
	run(&b, (unsigned)_i, 0, &r);
	ck_assert_uint_eq(waste_of(&r, "duplicate-arrays int[]"),
			  (ARRAYS / 2 - 1 + ARRAYS / 2 * 2 / 3) * 24);
	hp_rows_release(&r.rows);
}
END_TEST

START_TEST(list)
{
	enum { ENTRIES = 5000 };
	struct hp_content_rest *rest = calloc(1, sizeof(*rest));
	struct hp_content_entry *read = calloc(ENTRIES, sizeof(*read));
	struct hp_content_list l;

	ck_assert_ptr_nonnull(rest);
	ck_assert_ptr_nonnull(read);
	hp_content_list_init(&l, 20000);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct hp_content_entry e = {.hash = (uint64_t)(i % 7) << 54,
					     .more = i % 3,
					     .node = ENTRIES - i};

		ck_assert_int_eq(hp_content_list_add(&l, rest, 0, &e, NULL),
				 HP_OK);
	}
	ck_assert_int_eq(hp_content_list_flush(&l, rest, NULL), HP_OK);
	ck_assert_uint_gt(l.in_file, 0);
	ck_assert_uint_gt(l.held, 0);
	ck_assert_uint_eq(l.parts[0].entries, ENTRIES);
	ck_assert_int_eq(hp_content_list_part(&l, 0, read, NULL), HP_OK);
	hp_content_sort(read, ENTRIES);
	for (uint32_t i = 1; i < ENTRIES; i++)
		ck_assert(read[i].hash > read[i - 1].hash ||
			  (read[i].hash == read[i - 1].hash &&
			   (read[i].more > read[i - 1].more ||
			    (read[i].more == read[i - 1].more &&
			     read[i].node > read[i - 1].node))));
	hp_content_list_release(&l);
	free(rest);
	free(read);
}
END_TEST

/*
 * Test an object array that is so long that it arrives in pieces. Its elements
 * that are not null are far from each other.
 */
START_TEST(long_array)
{
	enum { LENGTH = 3000000, EVERY = 300000 };
	uint64_t *elements = calloc(LENGTH, sizeof(*elements));
	struct result r;
	struct b b;

	ck_assert_ptr_nonnull(elements);
	for (size_t i = 0; i < LENGTH; i += EVERY)
		elements[i] = 0x1000;
	begin(&b);
	b_instance(&b, 0x1000, 0x100);
	b_instance_end(&b);
	b_object_array(&b, 0x2000, 0x300, LENGTH, elements);
	b_object_array(&b, 0x10000000, 0x300, 3, elements);
	end(&b);
	free(elements);
	run(&b, (unsigned)_i, 0, &r);
	for (size_t i = 0; i < r.rows.count; i++)
		if (strncmp(r.rows.list[i]->key, "sparse-arrays ", 14) == 0) {
			ck_assert_uint_eq(r.rows.list[i]->count[0], 2);
			ck_assert_uint_eq(r.rows.list[i]->waste[0],
					  4 * (LENGTH - LENGTH / EVERY) +
						  4 * 2);
			hp_rows_release(&r.rows);
			return;
		}
	ck_abort_msg("there is no row sparse-arrays");
}
END_TEST

/*
 * Test that closing the gaps of a shared list keeps all items. Each thread has
 * another number of items.
 */
START_TEST(gaps)
{
	enum { THREADS = 4, MOST = 5000 };
	static const uint32_t items[][THREADS] = {{0, 0, 0, 0},
						  {1, 0, 0, 0},
						  {0, 1024, 1, 2048},
						  {1025, 1, 1023, 700},
						  {3, 5000, 1, 1500}};
	struct hp_big_memory memory = {.limit = UINT64_MAX,
				       .in_order = UINT64_MAX};
	struct hp_shared_places places[THREADS] = {{0}};
	struct hp_shared_list l;
	struct hp_error err = {0};
	uint64_t sum = 0, count = 0, found = 0;

	ck_assert_int_eq(hp_shared_list_init(&l, &memory, sizeof(uint64_t),
					     THREADS * MOST, THREADS, &err),
			 HP_OK);
	for (uint32_t i = 0; i < MOST; i++)
		for (unsigned k = 0; k < THREADS; k++) {
			uint64_t *item;

			if (i >= items[_i][k])
				continue;
			item = hp_shared_list_add(&l, &places[k], &err);
			ck_assert_ptr_nonnull(item);
			*item = ++count;
			sum += count * count;
		}
	hp_shared_list_close(&l, places, THREADS);
	ck_assert_uint_eq(l.count, count);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t item = ((const uint64_t *)l.array.at)[i];

		found += item * item;
	}
	ck_assert_uint_eq(found, sum);
	hp_shared_list_release(&l);
	ck_assert_uint_eq(memory.held, 0);
}
END_TEST

/*
 * Test the order of lists of different lengths. Some hashes occur twice, and
 * the sum of all numbers shows that no entry is lost.
 */
START_TEST(sorted)
{
	static const uint32_t lengths[] = {0, 1, 2, 16, 17, 33, 5000, 100000};
	const uint32_t n = lengths[_i];
	struct hp_content_entry *all = calloc(n + 1, sizeof(*all));
	uint64_t random = 1, sum = 0;

	ck_assert_ptr_nonnull(all);
	for (uint32_t i = 0; i < n; i++) {
		random = random * UINT64_C(0xD1342543DE82EF95) + 1;
		all[i] = (struct hp_content_entry){
			.hash = random, .more = i % 2, .node = n - i};
		if (i % 3 == 2)
			all[i].hash = all[i - 2].hash;
	}
	hp_content_sort(all, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct hp_content_entry *a = &all[i], *b = a + 1;

		sum += a->node;
		if (i + 1 == n)
			break;
		ck_assert_uint_le(a->hash, b->hash);
		if (a->hash == b->hash)
			ck_assert_uint_lt((uint64_t)a->more << 32 | a->node,
					  (uint64_t)b->more << 32 | b->node);
	}
	ck_assert_uint_eq(sum, (uint64_t)n * (n + 1) / 2);
	free(all);
}
END_TEST

/* In the file, the blocks of a part follow each other. */
START_TEST(list_in_file)
{
	enum { ENTRIES = 60000, PARTS = 3, FILLED = 2048 };
	struct hp_content_rest *rest = calloc(1, sizeof(*rest));
	struct hp_content_entry *read = calloc(ENTRIES, sizeof(*read));
	struct hp_content_list l;
	unsigned jumps = 0;

	ck_assert_ptr_nonnull(rest);
	ck_assert_ptr_nonnull(read);
	hp_content_list_init(&l, 0);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		/* most flushes find blocks that are not full */
		struct hp_content_entry e = {.hash = i, .more = i, .node = i};

		ck_assert_int_eq(
			hp_content_list_add(&l, rest, i % PARTS, &e, NULL),
			HP_OK);
		if (i % 10007 == 0)
			ck_assert_int_eq(hp_content_list_flush(&l, rest, NULL),
					 HP_OK);
	}
	ck_assert_int_eq(hp_content_list_flush(&l, rest, NULL), HP_OK);
	for (unsigned part = 0; part < PARTS; part++) {
		const struct hp_content_part *p = &l.parts[part];

		ck_assert_uint_eq(p->entries, ENTRIES / PARTS);
		for (size_t i = 1; i < p->count; i++)
			jumps += p->list[i].offset !=
				 p->list[i - 1].offset +
					 p->list[i - 1].count * sizeof(*read);
		ck_assert_int_eq(hp_content_list_part(&l, part, read, NULL),
				 HP_OK);
		for (uint32_t i = 0; i < ENTRIES / PARTS; i++) {
			ck_assert_uint_eq(read[i].node, part + i * PARTS);
			ck_assert_uint_eq(read[i].hash, read[i].node);
		}
	}
	ck_assert_uint_le(jumps, ENTRIES / FILLED);
	hp_content_list_release(&l);
	free(rest);
	free(read);
}
END_TEST

START_TEST(removed)
{
	static const char blank[2] = {'?', '\0'};
	struct result r;
	struct b b;

	for (int kind = 0; kind < 2; kind++) {
		char bytes[8];

		memset(bytes, blank[kind], sizeof(bytes));
		begin(&b);
		for (unsigned i = 0; i < 20; i++) {
			b_byte_array(&b, 0x10000 + 0x40 * (uint64_t)i, bytes,
				     4);
			add_string(&b, 0x20000 + 0x40 * (uint64_t)i,
				   0x10000 + 0x40 * (uint64_t)i, false);
			b_byte_array(&b, 0x30000 + 0x40 * (uint64_t)i,
				     kind ? bytes : "abcd", 4);
		}
		end(&b);
		run(&b, 1, 0, &r);
		ck_assert(r.notes.no_texts);
		ck_assert_int_eq(r.notes.no_data, kind);
		ck_assert_uint_eq(
			waste_of(&r, "duplicate-strings java.lang.String"), 0);
		ck_assert_uint_eq(waste_of(&r, "duplicate-arrays byte[]"),
				  kind ? 0 : 19 * 24);
		hp_rows_release(&r.rows);
	}
}
END_TEST

Suite *test_diff_waste_suite(void);

Suite *
test_diff_waste_suite(void)
{
	Suite *s = suite_create("diff waste");
	TCase *t = quick_case(s, 60);

	tcase_add_test(t, agrees_quickly);
	tcase_add_test(t, list);
	tcase_add_loop_test(t, sorted, 0, 8);
	tcase_add_loop_test(t, gaps, 0, 5);
	tcase_add_loop_test(t, long_array, 1, 4);
	tcase_add_test(t, list_in_file);
	tcase_add_loop_test(t, partitioned, 0, 6);
	tcase_add_loop_test(t, many_kinds, 0, 2);
	tcase_add_loop_test(t, many_fields, 0, 2);
	tcase_add_loop_test(t, strings_as_parts, 0, 2);
	tcase_add_test(t, array_of_part);
	tcase_add_loop_test(t, uneven, 1, 4);
	tcase_add_test(t, removed);
	t = tcase_create("diff waste");
	tcase_set_timeout(t, 300);
	tcase_add_test(t, agrees);
	tcase_add_test(t, pieces);
	tcase_add_test(t, storage);
	suite_add_tcase(s, t);
	return s;
}
