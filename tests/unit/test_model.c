/*
 * test_model.c - tests of basic data structures: memory arenas, maps and
 * indexes by id, tables of records, sizes of objects
 *
 * test_model_classes.c tests classes, and the detection of the program that
 * wrote a dump.
 */
#include "common/base/hash.h"
#include "common/model/java_string.h"
#include "common/model/class_name.h"
#include "common/model/size_model.h"
#include "common/model/tables.h"
#include "tests/builder/builder.h"

#include <check.h>
#include <stdlib.h>

#include <xxhash.h>

START_TEST(java_strings)
{
	static const struct {
		struct hp_java_string string;
		uint8_t type;
		const char *elements;
		uint32_t n, max;
		const char *text;
		bool whole;
	} cases[] = {
		/* JDK 9 and later: Latin-1, and UTF-16 in both byte orders */
		{{.count = UINT32_MAX},
		 HP_TYPE_BYTE,
		 "a\xe9",
		 2,
		 9,
		 "aé",
		 true},
		{{.count = UINT32_MAX, .utf16 = true},
		 HP_TYPE_BYTE,
		 "\xe5\x65z\0",
		 4,
		 9,
		 "日z",
		 true},
		{{.count = UINT32_MAX, .utf16 = true},
		 HP_TYPE_BYTE,
		 "\x65\xe5\0z",
		 4,
		 9,
		 "日z",
		 true},
		/*
		 * JDK 7 and 8: the characters are big-endian in the dump. A
		 * surrogate pair has two elements, and an odd last byte is
		 * ignored.
		 */
		{{.count = UINT32_MAX},
		 HP_TYPE_CHAR,
		 "\x65\xe5\0z",
		 2,
		 9,
		 "日z",
		 true},
		{{.count = UINT32_MAX, .utf16 = true},
		 HP_TYPE_BYTE,
		 "\x35\xd8\x9c\xde\1",
		 5,
		 9,
		 "\xed\xa0\xb5\xed\xba\x9c",
		 true},
		/*
		 * JDK 6: the text is a part of the array; some of these offsets
		 * and counts are beyond its end
		 */
		{{.offset = 1, .count = 2},
		 HP_TYPE_CHAR,
		 "\0a\0b\0c\0d",
		 4,
		 9,
		 "bc",
		 true},
		{{.offset = 3, .count = 9},
		 HP_TYPE_CHAR,
		 "\0a\0b\0c\0d",
		 4,
		 9,
		 "d",
		 true},
		{{.offset = 5, .count = 1},
		 HP_TYPE_CHAR,
		 "\0a\0b\0c\0d",
		 4,
		 9,
		 "",
		 true},
		/*
		 * The result has at most the requested length. NUL is encoded
		 * as in modified UTF-8.
		 */
		{{.count = UINT32_MAX}, HP_TYPE_BYTE, "abc", 3, 2, "ab", false},
		{{.count = UINT32_MAX},
		 HP_TYPE_BYTE,
		 "\0",
		 1,
		 2,
		 "\xc0\x80",
		 true},
		{{.count = UINT32_MAX}, HP_TYPE_INT, "abcd", 1, 2, "", true},
	};
	struct hp_buf b = {0};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		hp_buf_clear(&b);
		ck_assert_msg(
			hp_java_string_text(&b, &cases[i].string, cases[i].type,
					    (const uint8_t *)cases[i].elements,
					    cases[i].n,
					    cases[i].max) == cases[i].whole,
			"case %zu", i);
		ck_assert_str_eq(hp_buf_string(&b), cases[i].text);
	}
	hp_buf_release(&b);
}
END_TEST

START_TEST(arena)
{
	struct hp_arena a = {0};
	unsigned char *p[200];
	size_t i;

	for (i = 0; i < 200; i++) {
		p[i] = hp_arena_alloc(&a, i * i);
		ck_assert_ptr_nonnull(p[i]);
		ck_assert_uint_eq((uintptr_t)p[i] % 16, 0);
		memset(p[i], (int)i, i * i);
		ck_assert_str_eq(hp_arena_copy(&a, "text", 3), "tex");
	}
	for (i = 1; i < 200; i++) {
		ck_assert_uint_eq(p[i][0], i);
		ck_assert_uint_eq(p[i][i * i - 1], i);
	}
	ck_assert_ptr_nonnull(hp_arena_alloc(&a, 5 << 20));
	ck_assert_ptr_null(hp_arena_alloc(&a, SIZE_MAX));
	ck_assert_ptr_null(hp_arena_copy(&a, "", SIZE_MAX));
	ck_assert_uint_ge(a.held, (5 << 20) + 199 * 200 * 399 / 6);
	hp_arena_release(&a);
	hp_arena_release(&a);
}
END_TEST

START_TEST(id_index)
{
	enum { N = 100000 };
	struct hp_id_index x = {0};
	size_t wrong = 0;
	bool fresh;

	ck_assert_uint_eq(hp_id_index_get(&x, 0), 0);
	for (uint64_t i = 0; i < N; i++) {
		wrong += hp_id_index_get(&x, i << 40) != 0;
		wrong += hp_id_index_put(&x, i << 40, &fresh) != i + 1;
		wrong += !fresh;
	}
	for (uint64_t i = 0; i < N; i++) {
		wrong += hp_id_index_get(&x, i << 40) != i + 1;
		wrong += hp_id_index_put(&x, i << 40, &fresh) != i + 1;
		wrong += fresh;
		wrong += x.ids[i] != i << 40;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(x.count, N);
	ck_assert_uint_eq(hp_id_index_get(&x, 1), 0);
	ck_assert_uint_eq(hp_id_index_get(&x, (uint64_t)N << 40), 0);
	/* each entry needs a slot and an id, and some slots are free */
	ck_assert_uint_le(hp_id_index_bytes(&x), N * 8 * 5);
	hp_id_index_release(&x);
	ck_assert_uint_eq(hp_id_index_get(&x, 1 << 20), 0);
}
END_TEST

START_TEST(id_map)
{
	struct hp_id_map m = {0};
	uint64_t id, value, sum = 0, *place;
	size_t at = 0, n = 0, wrong = 0;
	bool fresh;

	ck_assert_ptr_null(hp_id_map_get(&m, 0));
	ck_assert_ptr_null(hp_id_map_get(&m, 8));
	for (id = 0; id < 100000; id++) {
		place = hp_id_map_put(&m, id * 4096, &fresh);
		wrong += !fresh || *place != 0;
		*place = id + 1;
	}
	for (id = 0; id < 100000; id++)
		wrong += *hp_id_map_get(&m, id * 4096) != id + 1;
	ck_assert_uint_eq(wrong, 0);
	ck_assert_ptr_null(hp_id_map_get(&m, 1));
	ck_assert_uint_eq(*hp_id_map_put(&m, 4096, &fresh), 2);
	ck_assert(!fresh);
	ck_assert_uint_le(m.count * 10, m.cap * 7);
	while (hp_id_map_next(&m, &at, &id, &value)) {
		n++;
		sum += value;
	}
	ck_assert_uint_eq(n, 100000);
	ck_assert_uint_eq(sum, UINT64_C(100000) * 100001 / 2);
	hp_id_map_release(&m);
}
END_TEST

static enum hp_definition
add_record(struct hp_tables *t, const struct b *b, size_t at, bool cut)
{
	struct hp_record rec = {.tag = b->data[at],
				.length = b_length(b, at),
				.offset = at,
				.ordinal = 1,
				.cut = cut};
	struct hp_cursor body = {.data = b->data + at + HP_HEAD_SIZE,
				 .len = rec.length,
				 .origin = at + HP_HEAD_SIZE};
	enum hp_definition met;

	ck_assert_int_eq(hp_tables_record(t, &rec, body, 0, &met, NULL), HP_OK);
	return met;
}

static void
assert_string(const struct hp_tables *t, uint64_t id, const char *text)
{
	const struct hp_string *s = hp_tables_string(t, id);

	ck_assert_ptr_nonnull(s);
	ck_assert_uint_eq(s->length, strlen(text));
	ck_assert_mem_eq(s->data, text, s->length);
}

START_TEST(strings)
{
	unsigned id_size = _i ? 8 : 4;
	struct hp_tables t;
	struct b b;

	b_init(&b, id_size);
	hp_tables_init(&t, id_size);
	ck_assert_int_eq(add_record(&t, &b, b_string(&b, 7, "one"), false),
			 HP_MET_NOTHING);
	ck_assert_int_eq(add_record(&t, &b, b_string(&b, 7, "one"), false),
			 HP_MET_SAME);
	ck_assert_int_eq(add_record(&t, &b, b_string(&b, 7, "two"), false),
			 HP_MET_DIFFERENT);
	ck_assert_int_eq(add_record(&t, &b, b_string(&b, 0, ""), false),
			 HP_MET_NOTHING);
	ck_assert_int_eq(add_record(&t, &b, b_string(&b, 8, "cut"), true),
			 HP_MET_MALFORMED);
	ck_assert_int_eq(
		add_record(&t, &b, b_record(&b, B_STRING, "abc", 3), false),
		HP_MET_MALFORMED);
	assert_string(&t, 7, "two");
	assert_string(&t, 0, "");
	ck_assert_ptr_null(hp_tables_string(&t, 8));
	hp_tables_release(&t);
	b_release(&b);
}
END_TEST

/*
 * Test that equal long texts share one copy, so that comparing them takes
 * constant time.
 */
START_TEST(long_texts)
{
	enum { LONG = 100000 };
	char *text = malloc(LONG), *other = malloc(LONG);
	struct hp_tables t;
	char shown[HP_NAME_ROOM];
	size_t at[5];
	uint64_t held;
	struct b b;

	memset(text, 'a', LONG);
	memcpy(other, text, LONG);
	other[LONG - 1] = 'b';
	b_init(&b, 8);
	at[0] = b_string_n(&b, 1, text, LONG);
	at[1] = b_string_n(&b, 2, text, LONG);
	at[2] = b_string_n(&b, 3, other, LONG);
	at[3] = b_string_n(&b, 4, text, HP_TEXT_LONG);
	at[4] = b_string_n(&b, 5, text, HP_TEXT_LONG);
	hp_tables_init(&t, 8);
	add_record(&t, &b, at[0], false);
	held = hp_tables_bytes(&t);
	add_record(&t, &b, at[1], false);
	ck_assert_uint_lt(hp_tables_bytes(&t), held + LONG / 2);
	for (unsigned i = 2; i < 5; i++)
		add_record(&t, &b, at[i], false);
	ck_assert_ptr_eq(hp_tables_string(&t, 1)->data,
			 hp_tables_string(&t, 2)->data);
	ck_assert_mem_eq(hp_tables_string(&t, 3)->data, other, LONG);
	ck_assert(hp_string_same(hp_tables_string(&t, 1),
				 hp_tables_string(&t, 2)));
	ck_assert(!hp_string_same(hp_tables_string(&t, 1),
				  hp_tables_string(&t, 3)));
	ck_assert(!hp_string_same(hp_tables_string(&t, 1),
				  hp_tables_string(&t, 4)));
	ck_assert(hp_string_same(hp_tables_string(&t, 4),
				 hp_tables_string(&t, 5)));
	ck_assert(!hp_string_same(NULL, NULL));
	for (unsigned i = 1; i <= 5; i++) {
		const struct hp_string *s = hp_tables_string(&t, i);
		char room[HP_NAME_ROOM];
		struct hp_string named = hp_string_short(s, room);

		ck_assert_uint_eq(hp_string_hash(s),
				  XXH3_64bits(s->data, s->length));
		ck_assert_uint_eq(named.length,
				  i > 3 ? HP_TEXT_LONG : HP_NAME_MOST + 20);
		ck_assert_mem_eq(named.data, text, HP_TEXT_LONG);
		if (i == 3)
			ck_assert_mem_ne(named.data + HP_NAME_MOST,
					 shown + HP_NAME_MOST, 20);
		if (i < 3)
			memcpy(shown, named.data, named.length);
	}
	/* define an id many times, with two texts alternately */
	held = hp_tables_bytes(&t);
	for (unsigned i = 0; i < 100; i++) {
		b_patch_id(&b, at[i % 2 * 2] + HP_HEAD_SIZE, 9);
		ck_assert_int_eq(add_record(&t, &b, at[i % 2 * 2], false),
				 i == 0 ? HP_MET_NOTHING : HP_MET_DIFFERENT);
	}
	ck_assert_uint_eq(hp_tables_bytes(&t), held);
	hp_tables_release(&t);
	b_release(&b);
	free(text);
	free(other);
}
END_TEST

/*
 * Test that the tables record whether class names use dots or slashes. The
 * STRING record may come before or after the LOAD CLASS record.
 */
START_TEST(looks_of_names)
{
	static const struct {
		const char *raw;
		unsigned looks;
	} cases[] = {
		{"", 0},
		{"Plain", 0},
		{"a/B", HP_LOOKS_JVM},
		{"[I", HP_LOOKS_JVM | HP_LOOKS_ARRAY},
		{"[[I", HP_LOOKS_JVM | HP_LOOKS_ARRAY | HP_LOOKS_OBJECT_ARRAY},
		{"[La/B;",
		 HP_LOOKS_JVM | HP_LOOKS_ARRAY | HP_LOOKS_OBJECT_ARRAY},
		{"int[]", HP_LOOKS_JAVA | HP_LOOKS_ARRAY},
		{"a.B[]",
		 HP_LOOKS_JAVA | HP_LOOKS_ARRAY | HP_LOOKS_OBJECT_ARRAY},
		{"[]", HP_LOOKS_JVM},
		{"<method>", HP_LOOKS_MADE_UP},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		for (unsigned late = 0; late < 2; late++) {
			struct hp_tables t;
			size_t string, load;
			struct b b;

			b_init(&b, 4);
			string = b_string(&b, 8, cases[i].raw);
			load = b_load_class(&b, 1, 64, 0, 8);
			hp_tables_init(&t, 4);
			add_record(&t, &b, late ? load : string, false);
			ck_assert_uint_eq(t.load_looks, 0);
			add_record(&t, &b, late ? string : load, false);
			ck_assert_uint_eq(t.load_looks, cases[i].looks);
			hp_tables_release(&t);
			b_release(&b);
		}
	}
}
END_TEST

/*
 * Test many strings, which are looked up while strings are added and
 * afterwards.
 */
START_TEST(many_strings)
{
	struct hp_record rec = {.tag = HP_REC_STRING};
	uint8_t bytes[16];
	struct hp_cursor body = {.data = bytes, .len = sizeof(bytes)};
	const struct hp_string *s;
	struct hp_tables t;
	uint64_t i, wrong = 0;

	hp_tables_init(&t, 8);
	for (i = 0; i < 20000; i++) {
		hp_store8(bytes, i % 15000 * 8);
		hp_store8(bytes + 8, i);
		wrong += hp_tables_record(&t, &rec, body, 0, NULL, NULL) !=
			 HP_OK;
		s = hp_tables_string(&t, i % 15000 * 8);
		wrong += !s || memcmp(s->data, bytes + 8, 8) != 0;
		wrong += hp_tables_string(&t, i * 8 + 1) != NULL;
	}
	for (i = 0; i < 15000; i++) {
		hp_store8(bytes, i < 5000 ? i + 15000 : i);
		s = hp_tables_string(&t, i * 8);
		wrong += !s || memcmp(s->data, bytes, 8) != 0;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(t.string_list.count, 15000);
	hp_tables_release(&t);
}
END_TEST

START_TEST(loads)
{
	unsigned id_size = _i ? 8 : 4;
	struct hp_tables t;
	struct b b;

	b_init(&b, id_size);
	hp_tables_init(&t, id_size);
	add_record(&t, &b, b_string(&b, 1, "A"), false);
	add_record(&t, &b, b_string(&b, 2, "A"), false);
	add_record(&t, &b, b_string(&b, 3, "B"), false);
	ck_assert_int_eq(
		add_record(&t, &b, b_load_class(&b, 1, 64, 0, 1), false),
		HP_MET_NOTHING);
	ck_assert_int_eq(
		add_record(&t, &b, b_load_class(&b, 2, 64, 0, 2), false),
		HP_MET_SAME);
	ck_assert_int_eq(
		add_record(&t, &b, b_load_class(&b, 3, 64, 0, 3), false),
		HP_MET_DIFFERENT);
	ck_assert_uint_eq(t.load_list.count, 3);
	ck_assert_uint_eq(hp_tables_load(&t, 64)->serial, 3);
	ck_assert_uint_eq(hp_tables_load_serial(&t, 1)->name_id, 1);
	ck_assert_ptr_null(hp_tables_load_serial(&t, 4));
	ck_assert_mem_eq(hp_tables_class_name(&t, 64)->data, "B", 1);
	ck_assert_ptr_null(hp_tables_class_name(&t, 65));
	ck_assert_int_eq(add_record(&t, &b, b_unload_class(&b, 9), false),
			 HP_MET_NOTHING);
	ck_assert_int_eq(add_record(&t, &b, b_unload_class(&b, 2), false),
			 HP_MET_SAME);
	ck_assert_int_eq(add_record(&t, &b, b_unload_class(&b, 2), false),
			 HP_MET_DIFFERENT);
	ck_assert(hp_tables_load_serial(&t, 2)->unloaded);
	hp_tables_release(&t);
	b_release(&b);
}
END_TEST

START_TEST(frames_and_traces)
{
	const uint64_t ids[] = {5, 0, 6};
	unsigned id_size = _i ? 8 : 4;
	const struct hp_trace *trace;
	struct hp_tables t;
	struct b b;
	size_t at;

	b_init(&b, id_size);
	hp_tables_init(&t, id_size);
	ck_assert_int_eq(
		add_record(&t, &b, b_frame(&b, 0, 1, 2, 3, 4, -3), false),
		HP_MET_NOTHING);
	ck_assert_int_eq(
		add_record(&t, &b, b_frame(&b, 0, 1, 2, 3, 4, -3), false),
		HP_MET_SAME);
	ck_assert_int_eq(
		add_record(&t, &b, b_frame(&b, 0, 1, 2, 3, 4, 9), false),
		HP_MET_DIFFERENT);
	ck_assert_int_eq(hp_tables_frame(&t, 0)->line, 9);
	at = b_trace(&b, 1, 2, 3, ids);
	ck_assert_int_eq(add_record(&t, &b, at, false), HP_MET_NOTHING);
	ck_assert_int_eq(add_record(&t, &b, at, false), HP_MET_SAME);
	trace = hp_tables_trace(&t, 1);
	ck_assert_uint_eq(trace->nframes, 3);
	ck_assert_mem_eq(trace->frames, ids, sizeof(ids));
	ck_assert_int_eq(add_record(&t, &b, b_trace(&b, 1, 2, 0, NULL), false),
			 HP_MET_DIFFERENT);
	ck_assert_uint_eq(hp_tables_trace(&t, 1)->nframes, 0);
	/*
	 * the number of frames in this trace is larger than the number of frame
	 * ids in the record
	 */
	at = b_trace(&b, 2, 2, 3, ids);
	b_patch_u4(&b, at + HP_HEAD_SIZE + 8, UINT32_MAX);
	ck_assert_int_eq(add_record(&t, &b, at, false), HP_MET_MALFORMED);
	ck_assert_ptr_null(hp_tables_trace(&t, 2));
	hp_tables_release(&t);
	b_release(&b);
}
END_TEST

START_TEST(threads)
{
	struct hp_tables t;
	struct b b;

	b_init(&b, 4);
	hp_tables_init(&t, 4);
	ck_assert_int_eq(add_record(&t, &b,
				    b_start_thread(&b, 1, 64, 2, 3, 4, 5),
				    false),
			 HP_MET_NOTHING);
	ck_assert_int_eq(add_record(&t, &b,
				    b_start_thread(&b, 1, 72, 2, 3, 4, 5),
				    false),
			 HP_MET_DIFFERENT);
	ck_assert_int_eq(add_record(&t, &b, b_end_thread(&b, 1), false),
			 HP_MET_SAME);
	ck_assert(hp_tables_thread(&t, 1)->ended);
	ck_assert_int_eq(add_record(&t, &b,
				    b_start_thread(&b, 1, 80, 2, 3, 4, 5),
				    false),
			 HP_MET_NOTHING);
	ck_assert_uint_eq(hp_tables_thread(&t, 1)->object, 80);
	ck_assert_uint_eq(hp_tables_thread(&t, 1)->parent, 5);
	ck_assert_int_eq(add_record(&t, &b, b_end_thread(&b, 2), false),
			 HP_MET_NOTHING);
	hp_tables_release(&t);
	b_release(&b);
}
END_TEST

START_TEST(sites_and_samples)
{
	const struct b_site site[] = {{2, 3, 4, 5, 6, 7, 8},
				      {10, 13, 14, 15, 16, 17, 18}};
	const struct b_sample sample[] = {{1, 2}, {3, 4}};
	const struct b_totals totals = {1, 2, UINT64_C(3) << 32, 4};
	const struct hp_samples *samples;
	const struct hp_sites *sites;
	struct hp_tables t;
	struct b b;
	size_t at;

	b_init(&b, 4);
	hp_tables_init(&t, 4);
	at = b_alloc_sites(&b, 2, 0xEB1C432D, &totals, 2, site);
	ck_assert_int_eq(add_record(&t, &b, at, false), HP_MET_NOTHING);
	sites = t.site_list.items;
	ck_assert_uint_eq(sites->allocated_bytes, UINT64_C(3) << 32);
	ck_assert_uint_eq(sites->cutoff, 0xEB1C432D);
	ck_assert_uint_eq(sites->nsites, 2);
	ck_assert_uint_eq(sites->sites[1].array_kind, 10);
	ck_assert_uint_eq(sites->sites[1].trace, 14);
	ck_assert_uint_eq(sites->sites[1].allocated_instances, 18);
	at = b_cpu_samples(&b, 4, 2, sample);
	ck_assert_int_eq(add_record(&t, &b, at, false), HP_MET_NOTHING);
	samples = t.sample_list.items;
	ck_assert_uint_eq(samples->nsamples, 2);
	ck_assert_uint_eq(samples->samples[1].samples, 3);
	ck_assert_uint_eq(samples->samples[1].trace, 4);
	b_patch_u4(&b, at + HP_HEAD_SIZE + 4, 3);
	ck_assert_int_eq(add_record(&t, &b, at, false), HP_MET_MALFORMED);
	hp_tables_release(&t);
	b_release(&b);
}
END_TEST

START_TEST(layout_detected)
{
	struct hp_size_hints h = {0}, other = {0};
	struct hp_size_model l = hp_size_model_detect(&h, 8, false);

	ck_assert_uint_eq(l.reference, 8);
	ck_assert_uint_eq(l.header, 16);
	ck_assert_uint_eq(l.array_header, 24);
	ck_assert_uint_eq(l.alignment, 8);
	hp_size_hints_batch(&other);
	hp_size_hint_object(&other, 0x1040);
	hp_size_hint_array(&other, 0x1000, 8);
	hp_size_hint_array(&other, 0x1080, 8);
	ck_assert(!other.overlap);
	/*
	 * this array overlaps the previous array, which begins at 0x1080 and
	 * has 80 bytes
	 */
	hp_size_hint_array(&other, 0x10C0, 8);
	ck_assert(other.overlap);
	hp_size_hints_merge(&h, &other);
	l = hp_size_model_detect(&h, 8, false);
	ck_assert_uint_eq(l.reference, 4);
	ck_assert_uint_eq(l.header, 12);
	ck_assert_uint_eq(l.array_header, 16);
	ck_assert_uint_eq(l.alignment, 64);
	h.id_bits = UINT64_C(1) << 40;
	ck_assert_uint_eq(hp_size_model_detect(&h, 4, false).alignment, 256);
	ck_assert_uint_eq(hp_size_model_detect(&h, 4, false).header, 8);
	ck_assert_uint_eq(hp_size_model_detect(&h, 4, false).array_header, 12);
	h.id_bits = 0x50000001;
	ck_assert_uint_eq(hp_size_model_detect(&h, 4, false).alignment, 8);
	ck_assert_int_eq(hp_size_model_detect(&h, 4, true).model,
			 HP_SIZE_MODEL_ART);
}
END_TEST

START_TEST(layout_parsed)
{
	static const char *const wrong[] = {
		"",
		"mat,",
		"mat,reference=5",
		"mat,alignment=7",
		"matt",
		"mat,header",
		"mat,header=",
		"mat,header=x",
		"mat,x=1",
		"mat,alignment=512",
		"mat,header=9999",
	};
	struct hp_size_hints h = {0};
	struct hp_size_model found = hp_size_model_detect(&h, 8, false), l;
	size_t i;

	for (i = 0; i < HP_ARRAY_LEN(wrong); i++)
		ck_assert(!hp_size_model_parse(wrong[i], &found, &l));
	ck_assert(hp_size_model_parse("auto", &found, &l));
	ck_assert_str_eq(l.source, "auto");
	ck_assert_uint_eq(l.header, 16);
	ck_assert(hp_size_model_parse("hotspot,reference=4", &found, &l));
	ck_assert_int_eq(l.model, HP_SIZE_MODEL_HOTSPOT);
	ck_assert_uint_eq(l.header, 12);
	ck_assert_uint_eq(l.array_header, 16);
	ck_assert(hp_size_model_parse("hotspot-coh,alignment=16", &found, &l));
	ck_assert_uint_eq(l.header, 8);
	ck_assert_uint_eq(l.array_header, 12);
	ck_assert_uint_eq(l.alignment, 16);
	ck_assert_str_eq(l.source, "hotspot-coh,alignment=16");
	ck_assert(hp_size_model_parse("mat,header=12,array_header=20", &found,
				      &l));
	ck_assert_uint_eq(l.header, 12);
	ck_assert_uint_eq(l.array_header, 20);
	ck_assert(hp_size_model_parse("art", &found, &l));
	ck_assert_uint_eq(l.reference, 4);
}
END_TEST

START_TEST(array_tally)
{
	static const unsigned widths[] = {1, 2, 4, 8};
	uint64_t residue[256] = {0}, sum;
	struct hp_size_model l = {.model = _i ? HP_SIZE_MODEL_ART
					      : HP_SIZE_MODEL_MAT,
				  .reference = 4,
				  .header = 12};
	struct hp_array_totals t;
	uint32_t n;
	size_t i;

	for (i = 0; i < HP_ARRAY_LEN(widths) * 2; i++) {
		unsigned width = widths[i / 2];
		bool objects = i % 2 == 1;

		if (objects && width < 4)
			continue;
		memset(residue, 0, sizeof(residue));
		t = (struct hp_array_totals){
			.residues = hp_array_residues(objects ? 0 : width),
			.by_residue = residue};
		for (n = 0; n < 1000; n++)
			hp_array_totals_add(&t, n * 7);
		for (l.alignment = 1; l.alignment <= 256; l.alignment *= 2) {
			l.array_header = l.alignment < 32 ? 12 : 20;
			for (n = 0, sum = 0; n < 1000; n++)
				sum += hp_array_bytes(&l, n * 7, width);
			ck_assert_uint_eq(hp_array_totals_bytes(&l, &t, width),
					  sum);
		}
	}
}
END_TEST

Suite *test_model_suite(void);

/*
 * Test numbers with equal lower bits, as an attacker could choose them. The
 * random seed must distribute them over the hash table.
 */
START_TEST(seeded_places)
{
	enum { CAP = 1 << 14, KEYS = CAP / 2 };
	static unsigned load[CAP];
	uint64_t seed = hp_seed(&load), most = 0;

	ck_assert_uint_ne(seed,
			  /*
			   * the seed is random, so an attacker cannot predict
			   * the slots
			   */
			  hp_seed(&load));
	for (uint64_t i = 0; i < KEYS; i++) {
		uint64_t at = hp_seed_place(seed, i << 32 | 7, CAP);

		ck_assert_uint_lt(at, CAP);
		if (++load[at] > most)
			most = load[at];
	}
	ck_assert_uint_le(most, 256);
}
END_TEST

/*
 * Test maps from ids to values: store values, keep the smallest of several
 * values, and store pointers. The id 0 must be an ordinary key.
 */
START_TEST(id_map_values)
{
	struct hp_id_map m = {0};
	int here = 0;

	ck_assert_ptr_null(hp_id_map_pointer(&m, 7));
	for (uint64_t id = 0; id < 3; id++) {
		ck_assert(hp_id_map_set(&m, id, 5));
		ck_assert(hp_id_map_set_least(&m, id, 6));
		ck_assert_uint_eq(*hp_id_map_get(&m, id), 5);
		ck_assert(hp_id_map_set_least(&m, id, 0));
		ck_assert_uint_eq(*hp_id_map_get(&m, id), 0);
		ck_assert(hp_id_map_set(&m, id, 9));
		ck_assert_uint_eq(*hp_id_map_get(&m, id), 9);
	}
	ck_assert(hp_id_map_set_least(&m, 8, 4));
	ck_assert_uint_eq(*hp_id_map_get(&m, 8), 4);
	ck_assert(hp_id_map_set(&m, 7, (uintptr_t)&here));
	ck_assert_ptr_eq(hp_id_map_pointer(&m, 7), &here);
	hp_id_map_release(&m);
}
END_TEST

Suite *
test_model_suite(void)
{
	Suite *s = suite_create("model");
	TCase *c = tcase_create("parts");

	tcase_add_test(c, seeded_places);
	tcase_add_test(c, arena);
	tcase_add_test(c, id_index);
	tcase_add_test(c, id_map);
	tcase_add_loop_test(c, strings, 0, 2);
	tcase_add_test(c, long_texts);
	tcase_add_test(c, looks_of_names);
	tcase_add_test(c, many_strings);
	tcase_add_test(c, java_strings);
	tcase_add_loop_test(c, loads, 0, 2);
	tcase_add_loop_test(c, frames_and_traces, 0, 2);
	tcase_add_test(c, threads);
	tcase_add_test(c, sites_and_samples);
	tcase_add_test(c, layout_detected);
	tcase_add_test(c, layout_parsed);
	tcase_add_loop_test(c, array_tally, 0, 2);
	tcase_add_test(c, id_map_values);
	suite_add_tcase(s, c);
	return s;
}
