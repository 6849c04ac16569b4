/*
 * test_foreign_file.c - tests of the detection of files that are no dumps, and
 * of dumps that were changed by a copy in text mode
 */
#include "common/format/foreign_file.h"
#include "common/format/reader.h"
#include "tests/builder/fixtures.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_foreign_file_suite(void);

static bool
is_transfer(const struct b_fixture *f)
{
	return f->rule && strcmp(f->rule, "transfer") == 0;
}

/*
 * Test that a dump that was truncated, or damaged in other ways, is not
 * mistaken for a dump that was copied in text mode.
 */
START_TEST(no_evidence)
{
	unsigned looked_at = 0;

	for (const struct b_fixture *f = b_fixtures(); f->name; f++) {
		struct b b;

		if (is_transfer(f) || strncmp(f->name, "many", 4) == 0)
			continue;
		b_fixture_build(f, &b, 0);
		for (size_t n = 0; n <= b.len && n <= HP_FOREIGN_BYTES;
		     n += n < 300 ? 1 : 97)
			ck_assert_msg(hp_foreign_transfer(b.data, n) == 0,
				      "%s: %zu bytes", f->name, n);
		b_release(&b);
		looked_at++;
	}
	ck_assert_uint_gt(looked_at, 50);
}
END_TEST

START_TEST(evidence)
{
	unsigned looked_at = 0;

	for (const struct b_fixture *f = b_fixtures(); f->name; f++) {
		char text[HP_FOREIGN_TEXT];
		struct b b;

		if (!is_transfer(f))
			continue;
		for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
			b_fixture_build(f, &b, id_size);
			ck_assert(hp_foreign_file_text(
				hp_foreign_transfer(b.data, b.len), text));
			ck_assert_ptr_nonnull(strstr(text, "; "));
			b_release(&b);
		}
		looked_at++;
	}
	ck_assert_uint_eq(looked_at, 3);
}
END_TEST

/*
 * Test the evidence that a file was not copied in text mode: a line feed
 * without a carriage return before it, or a byte that is invalid in UTF-8.
 */
START_TEST(evidence_against)
{
	static const struct {
		const char *fixture;
		uint8_t against;
	} cases[] = {{"text-mode", '\n'}, {"utf8-lossy", 0xff}, {"utf8", 0xff}};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct b b;

		b_fixture_build(b_fixture_find(cases[i].fixture), &b, 0);
		ck_assert_uint_ne(hp_foreign_transfer(b.data, b.len), 0);
		b_insert(&b, b.len / 2, &cases[i].against, 1);
		ck_assert_msg(hp_foreign_transfer(b.data, b.len) == 0, "%s",
			      cases[i].fixture);
		b_release(&b);
	}
}
END_TEST

START_TEST(texts)
{
	char text[HP_FOREIGN_TEXT];
	unsigned kinds = 0;

	for (uint64_t i = 1; i < 256; i++) {
		bool is = hp_foreign_file_text(i | UINT64_MAX << 8, text);

		ck_assert(is == (text[0] != '\0'));
		ck_assert_uint_lt(strlen(text), HP_FOREIGN_TEXT - 1);
		if (!is)
			continue;
		kinds++;
		ck_assert_ptr_nonnull(strstr(text, "; "));
	}
	ck_assert_uint_gt(kinds, 25);
	ck_assert(!hp_foreign_file_text(0, text));
}
END_TEST

/*
 * Test very short inputs: truncate each of these texts at every byte.
 * AddressSanitizer reports it if the detection reads too far.
 */
START_TEST(prefixes)
{
	static const char *const starts[] = {
		"HTTP/1.1 200\r\n\r\nJAVA PROFILE 1.0.2",
		"\xef\xbb\xbfJAVA PROFILE 1.0.2",
		"\xef\xbb\xbf <!DOCTYPE html>",
		"\177ELF\2\1\1",
		"{\"snapshot\":{\"meta\":{",
		"\xff\xfeJ",
		"SkFWQSBQUk9GSUxF",
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(starts); i++)
		for (size_t n = 0; n <= strlen(starts[i]); n++) {
			uint8_t *p = malloc(n ? n : 1);

			ck_assert_ptr_nonnull(p);
			memcpy(p, starts[i], n);
			hp_foreign_file(p, n);
			hp_foreign_transfer(p, n);
			free(p);
		}
	ck_assert_uint_eq(hp_foreign_file(NULL, 0), 0);
}
END_TEST

/* ---- how the reader uses the detection ---- */

struct seen {
	struct hp_problem list[16];
	size_t count;
};

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	struct seen *s = ctx;

	ck_assert_uint_lt(s->count, HP_ARRAY_LEN(s->list));
	s->list[s->count++] = *p;
}

static void
read_all(const struct b *b, struct seen *s)
{
	FILE *file = tmpfile();
	struct hp_source *src;
	struct hp_reader *r;
	struct hp_record *rec;
	struct hp_error err = {0};

	*s = (struct seen){0};
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(b->data, 1, b->len, file), b->len);
	ck_assert_int_eq(fflush(file), 0);
	ck_assert_int_eq(
		hp_source_open_fd(&src, dup(fileno(file)), "dump", NULL, &err),
		HP_OK);
	ck_assert_int_eq(hp_reader_open(&r, src, on_problem, s, &err), HP_OK);
	while (hp_reader_next(r, &rec, &err) == HP_OK)
		;
	hp_reader_close(r);
	hp_source_close(src);
	fclose(file);
}

/*
 * Test that the reader first reports why the file is unreadable, and reports
 * this only once. It must not report truncated records as well.
 */
START_TEST(cause_comes_first)
{
	static const char *const names[] = {"text-mode", "utf8-lossy", "utf8"};

	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++) {
		struct seen s;
		struct b b;

		b_fixture_build(b_fixture_find(names[i]), &b, 0);
		read_all(&b, &s);
		ck_assert_uint_gt(s.count, 1);
		ck_assert_int_eq(s.list[0].kind, HP_PROBLEM_TRANSFER);
		ck_assert_uint_eq(s.list[0].offset, 0);
		ck_assert_uint_ne(s.list[0].got, 0);
		for (size_t k = 1; k < s.count; k++) {
			ck_assert_int_ne(s.list[k].kind, HP_PROBLEM_TRANSFER);
			ck_assert_int_ne(s.list[k].kind, HP_PROBLEM_CUT);
		}
		b_release(&b);
	}
}
END_TEST

/*
 * Test that a dump is valid if each of its line feeds happens to follow a
 * carriage return.
 */
START_TEST(intact_with_line_ends)
{
	struct seen s;
	struct b b;

	b_init(&b, 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 0x0102030405060708);
	for (unsigned i = 1; i <= 9; i++)
		b_string(&b, 0x100 + i, "aa\r\nb\r\n");
	ck_assert_uint_ne(hp_foreign_transfer(b.data, b.len), 0);
	read_all(&b, &s);
	ck_assert_uint_eq(s.count, 0);
	b_release(&b);
}
END_TEST

/*
 * Test a dump with some known records, then an unknown record, then a record
 * whose length exceeds the file. If the unknown record is close before the end,
 * the reader reports that it has lost its position. Otherwise it reports that
 * the dump is truncated.
 */
START_TEST(length_after_unknown)
{
	static const uint8_t unknown[] = {0x77, 0, 0, 0, 0, 0, 0, 0, 0};
	static const uint8_t beyond[] = {1, 0, 0, 0, 0, 0x7f, 0, 0, 0, 'x'};
	unsigned known = (unsigned)_i;
	uint64_t at;
	struct seen s;
	struct b b;

	b_init(&b, 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 0x0102030405060708);
	b_string(&b, 0x100, "a");
	at = b.len;
	b_bytes(&b, unknown, sizeof(unknown));
	for (unsigned i = 1; i <= known; i++)
		b_string(&b, 0x100 + i, "b");
	b_bytes(&b, beyond, sizeof(beyond));
	read_all(&b, &s);
	ck_assert_uint_eq(s.count, 2);
	ck_assert_int_eq(s.list[0].kind, HP_PROBLEM_TAG);
	ck_assert_int_eq(s.list[1].kind,
			 known < 3 ? HP_PROBLEM_LOST_SYNC : HP_PROBLEM_CUT);
	if (known < 3) {
		ck_assert_uint_eq(s.list[1].offset, at);
		ck_assert_uint_eq(s.list[1].last_good, at);
		ck_assert_uint_eq(s.list[1].got, 1);
		ck_assert_uint_eq(s.list[1].cut_record, known + 3);
	}
	b_release(&b);
}
END_TEST

Suite *
test_foreign_file_suite(void)
{
	Suite *s = suite_create("foreign_file");
	TCase *t = tcase_create("foreign_file");

	tcase_add_test(t, no_evidence);
	tcase_add_test(t, evidence);
	tcase_add_test(t, evidence_against);
	tcase_add_test(t, texts);
	tcase_add_test(t, prefixes);
	tcase_add_test(t, cause_comes_first);
	tcase_add_test(t, intact_with_line_ends);
	tcase_add_loop_test(t, length_after_unknown, 0, 6);
	suite_add_tcase(s, t);
	return s;
}
