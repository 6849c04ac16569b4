/*
 * test_string_run.c - tests of runs: consecutive STRING records that are
 * handled together, for speed
 *
 * The result must be the same as for single records: the tables contain the
 * same texts, and findings have the same offsets.
 */
#include "common/format/scan.h"
#include "common/model/dialect.h"
#include "common/model/tables.h"
#include "tests/builder/fixtures.h"
#include "validate/validate.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

Suite *test_string_run_suite(void);

/*
 * How many strings of a run (consecutive STRING records) a pass accepts: all,
 * none, one, or some.
 */
enum { ALL, WAYS = 4 };

/*
 * Which callbacks a pass has for strings: one for single strings, one for runs
 * (consecutive STRING records), or none.
 */
enum taking { SINGLY, TOGETHER, NOBODY };

struct seen {
	unsigned way;
	uint64_t records, digest, together;
	uint64_t
		/*
		 * hash of the reported problems and of the offsets at which
		 * heap records end
		 */
		rest;
	unsigned id_size;
};

static void
note_string(struct seen *s, uint64_t ordinal, uint64_t offset, uint8_t tag,
	    uint32_t time, const uint8_t *body, uint64_t length)
{
	uint64_t key[] = {s->digest, ordinal, offset,
			  tag,	     time,    XXH3_64bits(body, length)};

	s->records++;
	s->digest = XXH3_64bits(key, sizeof(key));
}

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	struct seen *s = ctx;
	uint64_t key[] = {s->digest, (uint64_t)p->kind, p->offset,   p->record,
			  p->got,    p->want,		p->last_good};

	s->digest = XXH3_64bits(key, sizeof(key));
	key[0] = s->rest;
	s->rest = XXH3_64bits(key, sizeof(key));
}

static enum hp_status
on_heap_end(void *ctx, const struct hp_record *rec, struct hp_error *err)
{
	struct seen *s = ctx;
	uint64_t key[] = {s->rest, rec->ordinal, rec->offset, rec->body};

	s->rest = XXH3_64bits(key, sizeof(key));
	return HP_OK;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	note_string(ctx, rec->ordinal, rec->offset, rec->tag, rec->time,
		    body.data, body.len);
	return HP_OK;
}

static enum hp_status
on_strings(void *ctx, struct hp_string_run *run, struct hp_error *err)
{
	struct seen *s = ctx;
	const unsigned ways[WAYS] = {UINT_MAX, 0, 1,
				     (unsigned)(run->ordinal % 5)};
	unsigned most = ways[s->way];
	struct hp_string_row row;

	for (; most > 0 && hp_string_run_look(run, &row); most--) {
		note_string(s, run->ordinal, hp_string_run_offset(run),
			    HP_REC_STRING, row.time, row.text - run->id_size,
			    row.length + run->id_size);
		ck_assert_uint_eq(row.id, hp_load_id(row.text - run->id_size,
						     run->id_size));
		s->together++;
		hp_string_run_step(run, &row);
	}
	return HP_OK;
}

static struct seen
scan(const struct b *b, enum taking taking, unsigned way)
{
	struct seen s = {.way = way};
	const struct hp_pass pass = {
		.need = HP_NEED_HEADS,
		.ctx = &s,
		.problem = on_problem,
		.record = taking == NOBODY ? NULL : on_record,
		.strings = taking == TOGETHER ? on_strings : NULL,
		.heap_end = on_heap_end};
	const struct hp_scan_options options = {.threads = 1};
	const struct hp_source_options none = {0};
	FILE *file = tmpfile();
	struct hp_source *src;

	ck_assert_ptr_nonnull(file);
	b_write_fd(b, fileno(file));
	ck_assert_int_eq(
		hp_source_open_fd(&src, dup(fileno(file)), "dump", &none, NULL),
		HP_OK);
	ck_assert_int_eq(hp_scan(src, &pass, &options, NULL), HP_OK);
	hp_source_close(src);
	fclose(file);
	return s;
}

START_TEST(fixtures)
{
	uint64_t together = 0;

	for (const struct b_fixture *f = b_fixtures(); f->name; f++) {
		struct seen want, got;
		struct b b;

		b_fixture_build(f, &b, 0);
		if (b.len > 1 << 20 || b.hole_len > 0) {
			b_release(&b);
			continue;
		}
		want = scan(&b, SINGLY, ALL);
		for (unsigned way = 0; way < WAYS; way++) {
			got = scan(&b, TOGETHER, way);
			ck_assert_msg(got.records == want.records &&
					      got.digest == want.digest,
				      "%s: way %u", f->name, way);
			together += got.together;
		}
		got = scan(&b, NOBODY, ALL);
		ck_assert_msg(got.rest == want.rest, "%s: nobody", f->name);
		b_release(&b);
	}
	ck_assert_uint_gt(together, 1000);
}
END_TEST

static void
build_many(struct b *b)
{
	char text[700];

	b_header(b, "JAVA PROFILE 1.0.2", 1);
	for (uint64_t i = 0; i < 40000; i++) {
		size_t n = i % 1000 == 999 ? sizeof(text) : i % 40;

		memset(text, 'a' + (int)(i % 26), n);
		b_string_n(b, i % 7000 == 6999 ? 16 : i * 16, text, n);
		if (i % 10000 == 9999)
			b_load_class(b, (uint32_t)i, i, 0, 16);
	}
}

START_TEST(windows)
{
	struct seen want, got;
	struct b b;

	b_init(&b, _i ? 8 : 4);
	build_many(&b);
	want = scan(&b, SINGLY, ALL);
	for (unsigned way = 0; way < WAYS; way++) {
		got = scan(&b, TOGETHER, way);
		ck_assert_uint_eq(got.records, want.records);
		ck_assert_uint_eq(got.digest, want.digest);
	}
	ck_assert_uint_eq(scan(&b, NOBODY, ALL).rest, want.rest);
	b_release(&b);
}
END_TEST

/*
 * Add all strings of a dump to the tables, as runs (consecutive STRING records)
 * if @together is true.
 */
static void
fill(struct hp_tables *t, struct hp_string_run run, bool together)
{
	struct hp_string_row rows[HP_ID_INDEX_TOGETHER];
	struct hp_string_run next;
	size_t n, taken;

	for (;;) {
		next = run;
		for (n = 0; n < HP_ARRAY_LEN(rows) &&
			    hp_string_run_look(&next, &rows[n]);
		     n++)
			hp_string_run_step(&next, &rows[n]);
		if (n == 0)
			return;
		taken = 0;
		if (together)
			ck_assert_int_eq(
				hp_tables_strings(t, rows, n, &taken, NULL),
				HP_OK);
		if (taken == 0) {
			const struct hp_record rec = {.tag = HP_REC_STRING};
			const struct hp_cursor body = {
				.data = rows[0].text - run.id_size,
				.len = run.id_size + rows[0].length};

			ck_assert_int_eq(
				hp_tables_record(t, &rec, body, 0, NULL, NULL),
				HP_OK);
			taken = 1;
		}
		for (size_t i = 0; i < taken; i++)
			hp_string_run_step(&run, &rows[i]);
	}
}

START_TEST(tables)
{
	struct hp_tables one, all;
	struct b b;

	b_init(&b, 8);
	b_string(&b, 1, "first");
	for (uint64_t i = 0; i < 5000; i++) {
		char text[400];
		size_t n = i % 97 ? i % 50 : sizeof(text);

		memset(text, 'a' + (int)(i % 26), n);
		b_string_n(&b, i % 131 ? i * 8 : i, text, n);
	}
	const struct hp_string_run run = {
		.bytes = {.data = b.data, .len = b.len}, .id_size = 8};

	hp_tables_init(&one, 8);
	hp_tables_init(&all, 8);
	/*
	 * In `all`, string 1 is the name of a class whose LOAD CLASS record
	 * came before the STRING record. So each string must be looked up in
	 * the map of names that are still missing.
	 */
	ck_assert_ptr_nonnull(hp_id_map_put(&all.unnamed, 1, NULL));
	fill(&one, run, false);
	fill(&all, run, true);
	ck_assert_uint_eq(one.string_list.count, all.string_list.count);
	ck_assert_uint_eq(hp_tables_bytes(&one) + hp_id_map_bytes(&all.unnamed),
			  hp_tables_bytes(&all));
	for (size_t i = 0; i < one.string_list.count; i++) {
		const uint64_t id = one.strings.ids[i];
		const struct hp_string *s = hp_tables_string(&one, id);
		const struct hp_string *same = hp_tables_string(&all, id);

		ck_assert_uint_eq(all.strings.ids[i], id);
		ck_assert_ptr_nonnull(same);
		ck_assert_uint_eq(s->length, same->length);
		ck_assert_mem_eq(s->data, same->data, s->length);
	}
	ck_assert(hp_tables_string(&all, 1)->looked);
	ck_assert(!hp_tables_string(&one, 1)->looked);
	hp_tables_release(&one);
	hp_tables_release(&all);
	b_release(&b);
}
END_TEST

/*
 * Test the detection of the program that wrote the dump: a run of N strings
 * must count as N records.
 */
START_TEST(evidence)
{
	const struct hp_record load = {.tag = HP_REC_LOAD_CLASS};
	const struct hp_record string = {.tag = HP_REC_STRING};
	const struct hp_cursor none = {0};
	const unsigned loads = (unsigned)_i / 4, n = (unsigned)_i % 4;
	struct hp_dialect_evidence one = {0}, all = {0};

	for (unsigned i = 0; i < loads; i++) {
		hp_dialect_evidence_record(&one, &load, none);
		hp_dialect_evidence_record(&all, &load, none);
	}
	for (unsigned i = 0; i < n; i++)
		hp_dialect_evidence_record(&one, &string, none);
	hp_dialect_evidence_strings(&all, n);
	ck_assert_mem_eq(&one, &all, sizeof(one));
}
END_TEST

/*
 * Test a memory arena. After a copied text, whose end is not aligned, an
 * allocation may need alignment. If the arena is full, it needs a new block.
 */
START_TEST(arena)
{
	struct hp_arena a = {0};
	uint64_t *aligned;
	size_t bytes = 0;
	char *text;

	ck_assert_ptr_nonnull(hp_arena_alloc(&a, 0));
	for (size_t n = 0; n < 3000; n++) {
		text = hp_arena_copy(&a, "0123456789", n % 11);
		ck_assert_ptr_nonnull(text);
		ck_assert_mem_eq(text, "0123456789", n % 11);
		ck_assert_int_eq(text[n % 11], 0);
		bytes += n % 11 + 1 + (n % 7 ? 0 : n % 100 * 8);
		aligned = n % 7 ? NULL : hp_arena_alloc(&a, n % 100 * 8);
		ck_assert_uint_eq((uintptr_t)aligned % 16, 0);
		ck_assert(n % 7 != 0 || aligned);
		if (n % 100 > 0 && aligned)
			memset(aligned, 255, n % 100 * 8);
		ck_assert_mem_eq(text, "0123456789", n % 11);
	}
	ck_assert_uint_ge(a.held, bytes);
	hp_arena_release(&a);
	text = hp_arena_copy(&a, "", 0);
	ck_assert_str_eq(text, "");
	hp_arena_release(&a);
}
END_TEST

/*
 * Test short texts, which are copied together with a few bytes after them: only
 * their own bytes must be visible.
 */
START_TEST(short_copies)
{
	char from[HP_ARENA_SHORT], *texts[3000];
	struct hp_arena a = {0};
	size_t bytes = 0;

	for (size_t n = 0; n < HP_ARRAY_LEN(texts); n++) {
		memset(from, 'a' + (int)(n % 26), sizeof(from));
		texts[n] = hp_arena_copy_short(&a, from, n % 65);
		bytes += n % 65 + 1;
		ck_assert_ptr_nonnull(texts[n]);
	}
	for (size_t n = 0; n < HP_ARRAY_LEN(texts); n++) {
		memset(from, 'a' + (int)(n % 26), sizeof(from));
		ck_assert_mem_eq(texts[n], from, n % 65);
		ck_assert_int_eq(texts[n][n % 65], 0);
	}
	ck_assert_uint_ge(a.held, bytes);
	hp_arena_release(&a);
}
END_TEST

/*
 * Test that a run (consecutive STRING records) ends before an id that is
 * already in the index, at any position.
 */
START_TEST(index_append)
{
	uint64_t ids[HP_ID_INDEX_TOGETHER];
	struct hp_id_index x = {0};
	size_t taken, have = 0;

	while (have < 50000) {
		for (size_t i = 0; i < HP_ARRAY_LEN(ids); i++)
			ids[i] = (have + i) << 20;
		if (have % 3 == 0 && have > 0)
			ids[have % 5] = (have / 2) << 20;
		ck_assert(
			hp_id_index_append(&x, ids, HP_ARRAY_LEN(ids), &taken));
		if (have % 3 == 0 && have > 0)
			ck_assert_uint_le(taken, have % 5);
		have += taken;
		ck_assert_uint_eq(x.count, have);
		if (taken > 0)
			continue;
		ids[0] = have << 20;
		ck_assert(hp_id_index_append(&x, ids, 1, &taken));
		ck_assert_uint_eq(taken, 1);
		have++;
	}
	for (size_t i = 0; i < have; i++)
		ck_assert_uint_eq(hp_id_index_get(&x, i << 20), i + 1);
	/*
	 * ids[0] and ids[1] are equal: a duplicate within one run (consecutive
	 * STRING records)
	 */
	ids[0] = ids[1] = have << 20;
	ck_assert(hp_id_index_append(&x, ids, 2, &taken));
	ck_assert_uint_eq(taken, 1);
	hp_id_index_release(&x);
}
END_TEST

START_TEST(index_growth)
{
	struct hp_id_index x = {0};
	uint64_t before, foreseen, soon;
	unsigned grown = 0;
	size_t slots;
	bool fresh;

	for (uint64_t id = 1; id <= 50000; id++) {
		before = hp_id_index_bytes(&x);
		slots = x.table.cap;
		foreseen = hp_id_index_growth(&x, 1);
		soon = hp_id_index_growth(&x, HP_TABLES_DUE);
		ck_assert(foreseen == 0 || soon == foreseen);
		ck_assert_uint_eq(hp_id_index_put(&x, id << 3, &fresh), id);
		if (foreseen == 0)
			/*
			 * the hash table did not grow, so the old and the new
			 * table did not need memory at the same time
			 */
			slots = 0;
		ck_assert_uint_eq(hp_id_index_bytes(&x) + 8 * slots,
				  before + foreseen);
		grown += foreseen > 0;
	}
	ck_assert_uint_gt(grown, 3);
	hp_id_index_release(&x);
}
END_TEST

/*
 * The offsets of the strings that hprof-validate must report for a rule, in the
 * order of the file.
 */
struct spots {
	uint64_t offset[4096], record[4096];
	size_t count;
};

static void
spot(struct spots *s, size_t offset, uint64_t record)
{
	s->offset[s->count] = offset;
	s->record[s->count++] = record;
}

/*
 * Build a dump with strings, and other records between them. Some strings have
 * equal texts. Some ids are defined twice, with texts of different lengths.
 * Records refer to some of the strings.
 */
static void
build_spots(struct b *b, struct spots *unused, struct spots *dups)
{
	char text[400];
	uint64_t record = 0;
	size_t at, n;

	b_header(b, "JAVA PROFILE 1.0.2", 1);
	for (uint32_t i = 1; i <= 1500; i++) {
		n = (size_t)snprintf(text, sizeof(text), "%*u",
				     i % 61 ? (int)(i % 37) : 390, i);
		at = i % 100 == 0 ? b_string(b, i, "again")
				  : b_string_n(b, i, text, n);
		record++;
		if (i % 100 == 0 && i > 100)
			spot(dups, at, record);
		if (i % 7 != 0) {
			spot(unused, at, record);
		} else {
			b_load_class(b, i, i, 0, i);
			record++;
		}
		/*
		 * write a second STRING record for the id of an earlier string,
		 * with another text
		 */
		if (i % 50 == 1) {
			n = (size_t)snprintf(text, sizeof(text), "%*u new",
					     i % 3 ? 60 : 1, i);
			b_string_n(b, i > 10 ? i - 7 : i, text, n);
			record++;
		}
	}
	b_segment(b);
	b_close(b);
	b_heap_dump_end(b);
}

static void
check_spots(const struct b *b, enum hp_rule rule, const struct spots *want,
	    size_t most)
{
	struct hp_validate_options o = {.threads = 1,
					.memory = 64 << 20,
					.level = HP_LEVEL_REFERENCES,
					.max_examples = most};
	const struct hp_reported *r = NULL;
	FILE *file = tmpfile();
	struct hp_validation v;
	char path[32];

	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	ck_assert_ptr_nonnull(file);
	b_write_fd(b, fileno(file));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
	hp_validate_file(path, &o, &v);
	for (size_t i = 0; i < v.nrules; i++)
		if (v.rules[i].rule == rule)
			r = &v.rules[i];
	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->count, want->count);
	ck_assert_uint_eq(r->nexamples,
			  most < want->count ? most : want->count);
	for (size_t i = 0; i < r->nexamples; i++) {
		ck_assert_uint_eq(r->examples[i].offset, want->offset[i]);
		ck_assert_uint_eq(r->examples[i].record, want->record[i]);
	}
	hp_validation_release(&v);
	fclose(file);
}

/*
 * Test that findings about strings have the right offsets, both if examples are
 * kept and if findings are only counted.
 */
START_TEST(places)
{
	const size_t most[] = {0, 1, 5, 4096};
	struct spots unused = {.count = 0}, dups = {.count = 0};
	struct b b;

	b_init(&b, _i ? 8 : 4);
	build_spots(&b, &unused, &dups);
	for (size_t i = 0; i < HP_ARRAY_LEN(most); i++) {
		check_spots(&b, HP_RULE_STRING_UNUSED, &unused, most[i]);
		check_spots(&b, HP_RULE_STRING_TEXT_DUP, &dups, most[i]);
	}
	b_release(&b);
}
END_TEST

START_TEST(equal_texts)
{
	enum { MANY = 1500 };
	struct hp_string seen[MANY];
	struct spots dups = {.count = 0};
	char *texts = malloc(MANY * 100);
	struct b b;

	ck_assert_ptr_nonnull(texts);
	b_init(&b, _i ? 8 : 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 1);
	for (size_t i = 0; i < MANY; i++) {
		char *text = texts + 100 * i;
		size_t n = i % 91, at, k = 0;

		memset(text, 'a', 100);
		text[n / 2] = (char)('a' + i % 13);
		seen[i] = (struct hp_string){.data = (uint8_t *)text,
					     .length = (uint32_t)n};
		while (!(k == i || hp_string_same(&seen[k], &seen[i])))
			k++;
		at = b_string_n(&b, i + 1, text, n);
		if (k < i)
			spot(&dups, at, i + 1);
	}
	ck_assert_uint_gt(dups.count, 100);
	check_spots(&b, HP_RULE_STRING_TEXT_DUP, &dups, 5);
	check_spots(&b, HP_RULE_STRING_TEXT_DUP, &dups, MANY);
	b_release(&b);
	free(texts);
}
END_TEST

START_TEST(few_equal_texts)
{
	enum { MANY = 2000 };
	struct spots dups = {.count = 0};
	struct b b;

	b_init(&b, _i ? 8 : 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 1);
	for (unsigned i = 0; i < MANY; i++) {
		bool again = i % 500 == 499;
		char text[16];
		int n = snprintf(text, sizeof(text), "name%u",
				 again ? i - 7 : i);
		size_t at = b_string_n(&b, i + 1, text, (size_t)n);

		if (again)
			spot(&dups, at, i + 1);
	}
	ck_assert_uint_eq(dups.count, 4);
	check_spots(&b, HP_RULE_STRING_TEXT_DUP, &dups, 5);
	b_release(&b);
}
END_TEST

/*
 * Test that an invalid UTF-8 byte is found at any position of a text. The ids
 * after the texts also contain such bytes, which must be ignored.
 */
START_TEST(odd_bytes)
{
	struct spots odd = {.count = 0};
	char text[140];
	uint64_t record = 0;
	struct b b;
	size_t at;

	b_init(&b, _i ? 8 : 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 1);
	b_heap_dump(&b);
	b_close(&b);
	record++;
	for (size_t n = 0; n < sizeof(text); n++) {
		for (size_t k = 0; k <= n; k += k % 8 == 7 || n < 20 ? 1 : 3) {
			memset(text, 'x', sizeof(text));
			if (k < n)
				text[k] = (char)0xff;
			record++;
			at = b_string_n(
				&b, 0xf0f0f0f000000000 | 0xff000000 | record,
				text, n);
			if (k < n)
				spot(&odd, at, record);
		}
	}
	check_spots(&b, HP_RULE_STRING_MUTF8, &odd, 1000);
	b_release(&b);
}
END_TEST

Suite *
test_string_run_suite(void)
{
	Suite *s = suite_create("string_run");
	TCase *t = tcase_create("string_run");

	tcase_set_timeout(t, 300);
	tcase_add_test(t, fixtures);
	tcase_add_loop_test(t, windows, 0, 2);
	tcase_add_test(t, tables);
	tcase_add_loop_test(t, evidence, 0, 12);
	tcase_add_test(t, arena);
	tcase_add_test(t, short_copies);
	tcase_add_test(t, index_append);
	tcase_add_test(t, index_growth);
	tcase_add_loop_test(t, places, 0, 2);
	tcase_add_loop_test(t, equal_texts, 0, 2);
	tcase_add_loop_test(t, few_equal_texts, 0, 2);
	tcase_add_loop_test(t, odd_bytes, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
