/*
 * test_fixtures.c - check that the reader finds what the builder of test dumps
 * wrote
 *
 * Every test dump ("fixture") is read, with its sub-records. Dumps without
 * damage must have the numbers of records and sub-records that the builder has
 * counted. Damage must be reported at the right offset. Small dumps are also
 * truncated at each byte, which must cause no crash.
 */
#include "common/format/heap.h"
#include "common/format/reader.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct seen {
	uint64_t records[256], subrecords[256];
	uint64_t problems,
		/*
		 * number of reported problems, and the offset of the last one
		 */
		at;
	enum hp_problem_kind kind;
	enum hp_header_problem header;
	bool sub_trouble;
	uint64_t sub_at;
};

static void
problem(void *ctx, const struct hp_problem *p)
{
	struct seen *s = ctx;

	s->problems++;
	s->at = p->offset;
	s->kind = p->kind;
}

static void
read_heap(struct hp_reader *r, const struct hp_record *rec, unsigned id_size,
	  struct seen *s)
{
	struct hp_cursor body;
	struct hp_heap_iter it;
	struct hp_sub sub;

	ck_assert_int_eq(hp_reader_body(r, &body, NULL), HP_OK);
	it = hp_heap_begin(body.data, body.len,
			   rec->body == UINT64_MAX ? body.len : rec->body,
			   body.origin);
	while (hp_heap_next(&it, &sub, id_size))
		s->subrecords[sub.tag]++;
	ck_assert_uint_eq(hp_heap_offset(&it),
			  body.origin + body.len - hp_heap_left(&it));
	if (it.stop != HP_HEAP_END && !s->sub_trouble) {
		s->sub_trouble = true;
		s->sub_at = hp_heap_offset(&it);
	}
}

static void
read_dump(const struct b *b, size_t n, struct seen *s)
{
	int fd = memfd_create("fixture", MFD_CLOEXEC);
	struct hp_source_options options = {.threads = 1};
	struct hp_source *src;
	struct hp_reader *r;
	struct hp_record *rec;
	enum hp_status st;

	*s = (struct seen){0};
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, b->data ? b->data : (uint8_t *)"", n), n);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(hp_source_open_fd(&src, fd, "fixture", &options, NULL),
			 HP_OK);
	ck_assert_int_eq(hp_reader_open(&r, src, problem, s, NULL), HP_OK);
	s->header = hp_reader_header(r)->problem;
	if (hp_header_readable(hp_reader_header(r))) {
		unsigned id_size = hp_reader_header(r)->id_size;

		while ((st = hp_reader_next(r, &rec, NULL)) == HP_OK) {
			if (rec->tag == B_HEAP_DUMP ||
			    rec->tag == B_HEAP_DUMP_SEGMENT)
				read_heap(r, rec, id_size, s);
			if (!rec->cut)
				s->records[rec->tag]++;
		}
		ck_assert_int_eq(st, HP_EOF);
	}
	hp_reader_close(r);
	hp_source_close(src);
}

static bool
in_list(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

/*
 * Whether the lengths and tags of all records in this dump are correct. If so,
 * the reader must report no damage, even if other values are wrong.
 */
static bool
sound(const struct b_fixture *f)
{
	static const char *const framing[] = {"heap-dump-overflow",
					      "tag-unknown", "end-nonzero",
					      "version-known", NULL};
	static const char *const sound_errors[] = {
		"super-cycle",	   "instance-length",	"object-id-zero",
		"instsize-fields", "instsize-negative", NULL};

	if (!f->rule)
		return true;
	return f->verdict == B_VALID ? !in_list(f->rule, framing)
				     : in_list(f->rule, sound_errors);
}

START_TEST(whole)
{
	const struct b_fixture *f = &b_fixtures()[_i];

	for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
		struct seen s;
		struct b b;

		if (!(f->id_sizes & id_size) || !sound(f))
			continue;
		b_fixture_build(f, &b, id_size);
		read_dump(&b, b.len, &s);
		ck_assert_msg(s.problems == 0 && !s.sub_trouble &&
				      s.header == HP_HEADER_FINE,
			      "%s: problem at %llu, %llu", f->name,
			      (unsigned long long)s.at,
			      (unsigned long long)s.sub_at);
		ck_assert_msg(memcmp(s.records, b.records, sizeof s.records) ==
				      0,
			      "%s: records", f->name);
		ck_assert_msg(memcmp(s.subrecords, b.subrecords,
				     sizeof s.subrecords) == 0 ||
				      in_list(f->name,
					      (const char *const[]){
						      "roots-none",
						      "sticky-none", NULL}),
			      "%s: sub-records", f->name);
		b_release(&b);
	}
}
END_TEST

START_TEST(framing)
{
	static const struct {
		const char *name;
		bool in_heap;
		enum hp_problem_kind kind;
	} cases[] = {
		{"cut-record-header", false, HP_PROBLEM_HEAD_SHORT},
		{"cut-string", false, HP_PROBLEM_CUT},
		{"cut-trace", false, HP_PROBLEM_CUT},
		{"cut-class", false, HP_PROBLEM_CUT},
		{"cut-instance", false, HP_PROBLEM_CUT},
		{"cut-array", false, HP_PROBLEM_CUT},
		{"cut-byte", false, HP_PROBLEM_CUT},
		{"tag-unknown", false, HP_PROBLEM_TAG},
		{"unpatched", false, HP_PROBLEM_UNPATCHED},
		{"unpatched-at-end", false, HP_PROBLEM_UNPATCHED},
		{"remainder", true, 0},
		{"claim-array", true, 0},
		{"claim-longs", true, 0},
		{"claim-objects", true, 0},
		{"claim-fields", true, 0},
		{"claim-instance", true, 0},
		{"subtag-unknown", true, 0},
		{"type-code", true, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct seen s;
		struct b b;

		b_fixture_build(b_fixture_find(cases[i].name), &b, 0);
		read_dump(&b, b.len, &s);
		ck_assert_msg(cases[i].in_heap ? s.sub_trouble
					       : s.problems == 1,
			      "%s: not found", cases[i].name);
		ck_assert_msg((cases[i].in_heap ? s.sub_at : s.at) ==
				      b_at(&b, "damage"),
			      "%s: at %llu", cases[i].name,
			      (unsigned long long)(cases[i].in_heap ? s.sub_at
								    : s.at));
		ck_assert(cases[i].in_heap || s.kind == cases[i].kind);
		b_release(&b);
	}
}
END_TEST

START_TEST(headers)
{
	static const struct {
		const char *name;
		enum hp_header_problem problem;
	} cases[] = {
		{"empty", HP_HEADER_EMPTY},
		{"text", HP_HEADER_MAGIC},
		{"elf", HP_HEADER_MAGIC},
		{"7z", HP_HEADER_MAGIC},
		{"phd", HP_HEADER_MAGIC},
		{"version", HP_HEADER_VERSION},
		{"version-endless", HP_HEADER_VERSION},
		{"id-size", HP_HEADER_ID_SIZE},
		{"cut-header", HP_HEADER_SHORT},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct seen s;
		struct b b;

		b_fixture_build(b_fixture_find(cases[i].name), &b, 0);
		read_dump(&b, b.len, &s);
		ck_assert_msg(s.header == cases[i].problem, "%s: %d",
			      cases[i].name, s.header);
		b_release(&b);
	}
}
END_TEST

/*
 * Test a file whose last byte is an unknown tag. AddressSanitizer reports it if
 * the reader reads beyond the end.
 */
START_TEST(unknown_at_end)
{
	const volatile size_t one =
		/* volatile, so that the compiler does not know the value */
		1;
	uint8_t *byte = malloc(one);
	struct hp_heap_iter it = hp_heap_begin(byte, 1, 100, 0);
	struct hp_sub sub;

	ck_assert_ptr_nonnull(byte);
	*byte = 0;
	ck_assert(!hp_heap_next(&it, &sub, 8));
	ck_assert_int_eq(it.stop, HP_HEAP_UNKNOWN_TAG);
	free(byte);
}
END_TEST

START_TEST(prefixes)
{
	struct seen s;
	struct b b;

	b_world(&b, (enum b_writer)_i, b_writer_id_size((enum b_writer)_i));
	for (size_t n = 0; n < b.len; n++)
		read_dump(&b, n, &s);
	b_release(&b);
}
END_TEST

Suite *test_fixtures_suite(void);

Suite *
test_fixtures_suite(void)
{
	Suite *s = suite_create("fixtures");
	TCase *t = tcase_create("read"), *q = quick_case(s, 60);
	int n = 0;

	while (b_fixtures()[n].name)
		n++;
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(q, whole, 0, n);
	tcase_add_test(q, framing);
	tcase_add_test(q, headers);
	tcase_add_test(q, unknown_at_end);
	tcase_add_loop_test(q, prefixes, 0, 2);
	tcase_add_loop_test(t, prefixes, 2, B_WRITERS);
	suite_add_tcase(s, t);
	return s;
}
