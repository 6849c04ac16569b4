/*
 * test_archives.c - tests of dumps in tar archives
 *
 * The tests truncate an archive at every byte, and change every byte. The bytes
 * that are read from it, and the messages about damage, must be the same with
 * and without threads.
 */
#include "tests/unit/test_io_helper.h"

Suite *test_archives_suite(void);

enum { BLOCK = 512 };

static void
add_member(struct bytes *out, const char *name, struct bytes data)
{
	uint8_t zeros[BLOCK] = {0};
	char head[BLOCK] = {0};
	unsigned sum = 0;

	snprintf(head, 100, "%s", name);
	memcpy(head + 100, "0000644", 8);
	snprintf(head + 124, 12, "%011o", (unsigned)data.len);
	memset(head + 148, ' ', 8);
	head[156] = '0';
	memcpy(head + 257,
	       "ustar\0"
	       "00",
	       8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += (uint8_t)head[i];
	snprintf(head + 148, 8, "%06o", sum);
	bytes_add(out, head, BLOCK);
	bytes_add(out, data.data, data.len);
	bytes_add(out, zeros, (BLOCK - data.len % BLOCK) % BLOCK);
}

static struct bytes
text(const char *begin, size_t n)
{
	struct bytes b = bytes_made(n, 3);

	memcpy(b.data, begin, strlen(begin));
	return b;
}

static struct bytes
archive(bool packed)
{
	struct bytes dump = text("JAVA PROFILE 1.0.2", 3000);
	struct bytes other = text("no dump", 700), tar = bytes_new(0), z;
	uint8_t end[2 * BLOCK] = {0};

	add_member(&tar, "other", other);
	add_member(&tar, "heap.hprof", dump);
	add_member(&tar, "again", dump);
	bytes_add(&tar, end, sizeof(end));
	bytes_free(&dump);
	bytes_free(&other);
	if (!packed)
		return tar;
	z = gzip_member(tar, NULL, 0, 1);
	bytes_free(&tar);
	return z;
}

START_TEST(whole)
{
	struct bytes want = text("JAVA PROFILE 1.0.2", 3000);
	struct bytes z = archive(_i);

	for (unsigned threads = 0; threads <= 2; threads += 2) {
		struct outcome o = outcome_made(z, threads);

		check_whole(&o, want);
		ck_assert_str_eq(o.compression, _i ? "gzip" : "tar");
		outcome_free(&o);
	}
	bytes_free(&z);
	bytes_free(&want);
}
END_TEST

static void
check_threads(struct bytes z, size_t at)
{
	struct outcome a = outcome_made(z, 0), b = outcome_made(z, 2);

	ck_assert_msg(a.status == b.status, "at %zu", at);
	if (a.status == HP_OK) {
		ck_assert_msg(a.bytes.len == b.bytes.len, "at %zu", at);
		ck_assert_msg(a.notes_count == b.notes_count, "at %zu: %zu %zu",
			      at, a.notes_count, b.notes_count);
		for (size_t i = 0; i < a.notes_count; i++)
			ck_assert_int_eq(a.notes[i].problem,
					 b.notes[i].problem);
	}
	outcome_free(&a);
	outcome_free(&b);
}

START_TEST(cut_anywhere)
{
	struct bytes z = archive(_i), part = z;

	for (part.len = 1; part.len < z.len; part.len += 37)
		check_threads(part, part.len);
	bytes_free(&z);
}
END_TEST

START_TEST(changed_anywhere)
{
	struct bytes z = archive(_i);

	for (size_t at = 0; at < z.len; at += 29) {
		z.data[at] ^= 0x15;
		check_threads(z, at);
		z.data[at] ^= 0x15;
	}
	bytes_free(&z);
}
END_TEST

START_TEST(damage_is_noted)
{
	struct bytes z = archive(false), part = z;
	struct outcome o;

	part.len = 5 * BLOCK;
	o = outcome_made(part, 0);
	ck_assert_ptr_nonnull(outcome_note(&o, HP_CONTAINER_ARCHIVE_TRUNCATED));
	ck_assert_uint_eq(o.bytes.len, BLOCK);
	outcome_free(&o);
	z.data[10 * BLOCK] ^= 1;
	o = outcome_made(z, 0);
	ck_assert_ptr_nonnull(outcome_note(&o, HP_CONTAINER_ARCHIVE_DAMAGED));
	ck_assert_uint_eq(o.bytes.len, 3000);
	outcome_free(&o);
	bytes_free(&z);
}
END_TEST

static void
put_sum(uint8_t *head)
{
	unsigned sum = 0;

	memset(head + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += head[i];
	snprintf((char *)head + 148, 8, "%06o", sum);
}

/*
 * Test lengths of files that are encoded in base 256. A length of more than 63
 * bits must count as damage, even if its last 64 bits alone would be correct.
 */
START_TEST(length_in_base_256)
{
	static const struct {
		uint8_t field[12];
		bool fits;
	} tests[] = {
		{{0x80, [10] = 3000 >> 8, 3000 & 0xff}, true},
		{{0x80, [3] = 1, [10] = 3000 >> 8, 3000 & 0xff}, false},
	};
	struct bytes want = text("JAVA PROFILE 1.0.2", 3000);
	struct bytes z = archive(false);
	uint8_t *head = z.data + 3 * BLOCK;
	struct outcome o;

	memcpy(head + 124, tests[_i].field, 12);
	put_sum(head);
	o = outcome_made(z, 0);
	if (tests[_i].fits)
		check_whole(&o, want);
	else
		ck_assert(o.status != HP_OK || o.bytes.len == 0);
	outcome_free(&o);
	bytes_free(&z);
	bytes_free(&want);
}
END_TEST

/*
 * Test that the length in a pax header replaces the length in the tar header. A
 * length of more than 18 digits is ignored.
 */
START_TEST(length_in_pax_header)
{
	static const struct {
		const char *record;
		unsigned header; /* the (wrong) length in the tar header */
	} tests[] = {{"13 size=3000\n", 7},
		     {"29 size=18446744073709551716\n", 3000}};
	struct bytes want = text("JAVA PROFILE 1.0.2", 3000);
	struct bytes z = bytes_new(0), pax = bytes_new(0);
	uint8_t end[2 * BLOCK] = {0}, *head;
	struct outcome o;

	bytes_add(&pax, tests[_i].record, strlen(tests[_i].record));
	add_member(&z, "pax", pax);
	z.data[156] = 'x';
	put_sum(z.data);
	add_member(&z, "heap.hprof", want);
	head = z.data + 2 * BLOCK;
	snprintf((char *)head + 124, 12, "%011o", tests[_i].header);
	put_sum(head);
	bytes_add(&z, end, sizeof(end));
	o = outcome_made(z, 0);
	check_whole(&o, want);
	outcome_free(&o);
	bytes_free(&z);
	bytes_free(&pax);
	bytes_free(&want);
}
END_TEST

Suite *
test_archives_suite(void)
{
	Suite *s = suite_create("archives");
	TCase *t = tcase_create("archives");

	tcase_add_checked_fixture(t, folder_make, folder_remove);
	tcase_add_loop_test(t, whole, 0, 2);
	tcase_add_loop_test(t, cut_anywhere, 0, 2);
	tcase_add_loop_test(t, changed_anywhere, 0, 2);
	tcase_add_test(t, damage_is_noted);
	tcase_add_loop_test(t, length_in_base_256, 0, 2);
	tcase_add_loop_test(t, length_in_pax_header, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
