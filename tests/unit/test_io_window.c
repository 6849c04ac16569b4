/*
 * test_io_window.c - tests of reading without a copy: parts of a file that are
 * mapped into memory ("windows"), and buffers with uncompressed data
 *
 * Windows must contain the same bytes as ordinary reading. If the file becomes
 * shorter, reading must fail with an error, not with the signal SIGBUS.
 */
#include "tests/unit/test_io_helper.h"

#include "common/format/scan.h"
#include "common/io/workers.h"
#include "tests/builder/builder.h"

#include <signal.h>

Suite *test_io_window_suite(void);

#define MIB ((size_t)1 << 20)

static struct hp_source *
opened(const char *path)
{
	struct hp_error err = {0};
	struct hp_source *s;

	ck_assert_int_eq(hp_source_open(&s, path, NULL, &err), HP_OK);
	return s;
}

START_TEST(same_bytes)
{
	static const struct {
		uint64_t offset, n;
	} asked[] = {{0, 1},
		     {1, 5 * MIB},
		     {20 * MIB - 3, 100},
		     {17 * MIB + 12345, 2 * MIB},
		     {39 * MIB, MIB + 77},
		     {40 * MIB + 76, 1},
		     {0, 40 * MIB + 77}};
	struct bytes b = bytes_made(40 * MIB + 77, 2);
	struct hp_source *s;

	file_write("a", b);
	s = opened("a");
	for (size_t i = 0; i < HP_ARRAY_LEN(asked); i++) {
		struct hp_error err = {0};
		struct hp_window *w =
			hp_source_window(s, asked[i].n, asked[i].offset);

		ck_assert_ptr_nonnull(w);
		ck_assert(hp_window_covers(w, asked[i].offset, asked[i].n));
		ck_assert_mem_eq(hp_source_window_at(s, w, asked[i].offset),
				 b.data + asked[i].offset, asked[i].n);
		ck_assert_int_eq(hp_source_window_check(s, w, asked[i].n,
							asked[i].offset, &err),
				 HP_OK);
		hp_window_unref(w);
	}
	ck_assert_ptr_null(hp_source_window(s, 40 * MIB + 78, 0));
	ck_assert_ptr_null(hp_source_window(s, 1, 40 * MIB + 77));
	ck_assert_ptr_null(hp_source_window(s, 1, UINT64_MAX));
	hp_source_close(s);
	bytes_free(&b);
}
END_TEST

/*
 * Test standard input after some bytes were read from it. The windows begin at
 * the current offset.
 */
START_TEST(from_the_middle)
{
	struct bytes b = bytes_made(5 * MIB, 2);
	struct hp_source *s;
	struct hp_error err = {0};
	struct hp_window *w;
	int fd;

	file_write("a", b);
	fd = open("a", O_RDONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(lseek(STDIN_FILENO, 3000001, SEEK_SET), 3000001);
	ck_assert_int_eq(hp_source_open(&s, "-", NULL, &err), HP_OK);
	w = hp_source_window(s, 1000, 5);
	ck_assert_ptr_nonnull(w);
	ck_assert_mem_eq(hp_source_window_at(s, w, 5), b.data + 3000006, 1000);
	ck_assert_int_eq(hp_source_window_check(s, w, 1000, 5, &err), HP_OK);
	hp_window_unref(w);
	hp_source_close(s);
	close(fd);
	bytes_free(&b);
}
END_TEST

START_TEST(further_passes)
{
	struct bytes b = bytes_made(20 * MIB, 2);
	struct hp_window *first, *second;
	struct hp_source *s, *again;
	struct hp_error err = {0};

	file_write("a", b);
	s = opened("a");
	ck_assert_int_eq(hp_source_reopen(&again, s, &err), HP_OK);
	hp_source_close(again); /* this source has not opened a window yet */
	first = hp_source_window(s, 1000, MIB);
	ck_assert_ptr_nonnull(first);
	ck_assert_int_eq(hp_source_reopen(&again, s, &err), HP_OK);
	second = hp_source_window(again, 1000, 2 * MIB);
	ck_assert_ptr_eq(second, first);
	hp_window_unref(first);
	hp_source_close(s);
	ck_assert_mem_eq(hp_source_window_at(again, second, 2 * MIB),
			 b.data + 2 * MIB, 1000);
	ck_assert_int_eq(
		hp_source_window_check(again, second, 1000, 2 * MIB, &err),
		HP_OK);
	hp_window_unref(second);
	second = hp_source_window(again, 1000, 19 * MIB);
	ck_assert_ptr_nonnull(second);
	ck_assert_mem_eq(hp_source_window_at(again, second, 19 * MIB),
			 b.data + 19 * MIB, 1000);
	hp_window_unref(second);
	hp_source_close(again);
	bytes_free(&b);
}
END_TEST

START_TEST(compressed_is_not_mapped)
{
	struct bytes b = bytes_made(MIB, 2);
	struct bytes z = gzip_member(b, NULL, 0, 1);
	struct hp_source *s;

	file_write("a", z);
	s = opened("a");
	ck_assert_ptr_null(hp_source_window(s, 1, 0));
	hp_source_close(s);
	bytes_free(&b);
	bytes_free(&z);
}
END_TEST

/*
 * Test a file that becomes shorter: its new end is the end of a memory page, or
 * inside a page. The rest of such a page contains zeros.
 */
START_TEST(shrinks_under_the_eye)
{
	const off_t cut = _i ? 3 * (off_t)MIB : 3 * (off_t)MIB + 1000;
	struct bytes b = bytes_made(8 * MIB, 2);
	struct hp_error err = {0};
	struct hp_window *w, *other;
	struct hp_source *s, *t;
	const uint8_t *at;
	uint64_t sum = 0;

	file_write("a", b);
	file_write("b", b);
	s = opened("a");
	t = opened("b");
	w = hp_source_window(s, 8 * MIB, 0);
	other = hp_source_window(t, 8 * MIB, 0);
	ck_assert_ptr_nonnull(w);
	ck_assert_ptr_nonnull(other);
	at = hp_source_window_at(s, w, 0);
	ck_assert_mem_eq(at, b.data, MIB);
	ck_assert_int_eq(truncate("a", cut), 0);
	ck_assert_int_eq(hp_source_window_check(s, w, MIB, 0, &err), HP_OK);
	for (size_t i = 4 * MIB; i < 8 * MIB; i++)
		sum += at[i];
	ck_assert_uint_eq(sum, 0);
	ck_assert(hp_window_broken(w));
	ck_assert_int_eq(hp_source_window_check(s, w, 8 * MIB, 0, &err), HP_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "the file was truncated while"));
	ck_assert(!hp_window_broken(other));
	ck_assert_mem_eq(hp_source_window_at(t, other, 0), b.data, 8 * MIB);
	hp_window_unref(w);
	hp_window_unref(other);
	hp_source_close(s);
	hp_source_close(t);
	bytes_free(&b);
}
END_TEST

START_TEST(many_windows)
{
	enum { MANY = 200 };
	struct bytes b = bytes_made(1000, 2);
	struct hp_source *s[MANY];
	struct hp_window *w[MANY];
	unsigned had = 0;

	file_write("a", b);
	for (size_t i = 0; i < MANY; i++) {
		s[i] = opened("a");
		w[i] = hp_source_window(s[i], 1000, 0);
		had += w[i] != NULL;
	}
	ck_assert_uint_gt(had, 10);
	ck_assert_uint_lt(had, MANY);
	for (size_t i = 0; i < MANY; i++) {
		hp_window_unref(w[i]);
		hp_source_close(s[i]);
	}
	s[0] = opened("a");
	w[0] = hp_source_window(s[0], 1000, 0);
	ck_assert_ptr_nonnull(w[0]);
	hp_window_unref(w[0]);
	hp_source_close(s[0]);
	bytes_free(&b);
}
END_TEST

static void
segments(const char *path)
{
	uint8_t *zeros = calloc(1, 100000);
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	struct b b;

	ck_assert_int_ge(fd, 0);
	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	for (unsigned i = 0; i < 600; i++) {
		b_segment(&b);
		b_byte_array(&b, 0x1000 + 8 * (uint64_t)i, zeros, 100000);
		b_close(&b);
	}
	b_heap_dump_end(&b);
	b_write_fd(&b, fd);
	ck_assert_int_eq(close(fd), 0);
	b_release(&b);
	free(zeros);
}

static enum hp_status
cut_it(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	if (batch->index == 20)
		ck_assert_int_eq(truncate("a", 22 * (off_t)MIB), 0);
	*(_Atomic size_t *)ctx += batch->nruns;
	return HP_OK;
}

/*
 * Test that hp_scan() ends with HP_IO if the file becomes shorter during the
 * scan, whatever the pass needs.
 */
START_TEST(scan_of_a_shrinking_file)
{
	static const enum hp_need needs[] = {HP_NEED_HEADS, HP_NEED_REFERENCES,
					     HP_NEED_EVERYTHING};
	_Atomic size_t runs = 0;
	struct hp_pass pass = {
		.need = needs[_i], .ctx = &runs, .batch = cut_it};
	struct hp_scan_options o = {.threads = 2};
	struct hp_error err = {0};
	struct hp_source *s;

	segments("a");
	s = opened("a");
	ck_assert_int_eq(hp_scan(s, &pass, &o, &err), HP_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "the file was truncated while"));
	ck_assert_uint_gt(runs, 20);
	hp_source_close(s);
}
END_TEST

/* ---- use decompressed data in the buffers of a source ("borrow") ---- */

/*
 * Borrow @n bytes of the decompressed data at offset @at (use them without a
 * copy), and compare them with @b.
 */
static struct hp_buffer *
borrowed(struct hp_source *s, struct bytes b, size_t at, size_t n)
{
	struct hp_buffer *held = NULL;
	const uint8_t *p = hp_source_borrow(s, at, n, &held);

	ck_assert_ptr_nonnull(p);
	ck_assert_ptr_nonnull(held);
	ck_assert_mem_eq(p, b.data + at, n);
	/* borrow the same bytes again: @held already refers to their buffer */
	ck_assert_ptr_eq(hp_source_borrow(s, at, n, &held), p);
	return held;
}

/*
 * For each frame: read the first @before bytes, then borrow (use without a
 * copy) the first half of the frame.
 */
static void
check_lent(struct bytes b, size_t before)
{
	struct hp_source_options options = {.threads = 2};
	struct hp_error err = {0};
	struct hp_buffer *held[10], *none = NULL;
	const uint8_t *lent[HP_ARRAY_LEN(held)];
	struct hp_source *s;
	uint64_t passed;
	uint8_t buf[1000];
	size_t got;

	ck_assert_int_eq(hp_source_open(&s, "z", &options, &err), HP_OK);
	for (size_t i = 0; i < HP_ARRAY_LEN(held); i++) {
		size_t at = 2 * MIB * i;

		ck_assert_int_eq(hp_source_read(s, buf, before, &got, &err),
				 HP_OK);
		held[i] = borrowed(s, b, at, MIB);
		lent[i] = hp_source_borrow(s, at, MIB, &held[i]);
		hp_buffer_unref(borrowed(s, b, at + MIB, MIB));
		hp_buffer_unref(borrowed(s, b, at + MIB - 1, 2));
		/*
		 * these bytes cannot be borrowed: they are in two frames or
		 * buffers, or no longer in memory
		 */
		ck_assert_ptr_null(
			hp_source_borrow(s, at + 1, 2 * MIB, &held[i]));
		if (i > 0) {
			ck_assert_ptr_null(
				hp_source_borrow(s, at - MIB, MIB, &none));
			ck_assert_ptr_null(
				hp_source_borrow(s, at, MIB, &held[i - 1]));
		}
		ck_assert_ptr_null(none);
		ck_assert_int_eq(
			hp_source_skip(s, 2 * MIB - before, &passed, &err),
			HP_OK);
		ck_assert_uint_eq(hp_source_tell(s), at + 2 * MIB);
	}
	ck_assert_ptr_null(hp_source_borrow(s, b.len, 1, &none));
	/* the borrowed bytes did not change while the rest was decompressed */
	for (size_t i = 0; i < HP_ARRAY_LEN(held); i++) {
		ck_assert_mem_eq(lent[i], b.data + 2 * MIB * i, MIB);
		hp_buffer_unref(held[i]);
	}
	hp_source_close(s);
}

START_TEST(lending)
{
	struct hp_source_options options = {.max_size = 100000};
	struct bytes b = bytes_made(20 * MIB, 12);
	struct bytes z = bytes_new(0);
	struct hp_error err = {0};
	struct hp_buffer *held = NULL;
	struct hp_source *s;
	uint8_t buf[100];
	size_t got;

	for (size_t at = 0; at < b.len; at += 2 * MIB)
		bytes_join(&z, zstd_frame((struct bytes){.data = b.data + at,
							 .len = 2 * MIB},
					  1, true));
	file_write("z", z);
	check_lent(b, 0);
	check_lent(b, 1000);
	/*
	 * no bytes can be borrowed beyond the memory limit, or from an
	 * uncompressed file
	 */
	for (int plain = 0; plain <= 1; plain++) {
		if (plain)
			file_write("z", b);
		ck_assert_int_eq(hp_source_open(&s, "z", &options, &err),
				 HP_OK);
		ck_assert_int_eq(hp_source_read(s, buf, 100, &got, &err),
				 HP_OK);
		if (!plain)
			hp_buffer_unref(borrowed(s, b, 50, 99950));
		ck_assert_ptr_null(
			hp_source_borrow(s, 50, 99950 + !plain, &held));
		hp_source_close(s);
	}
	bytes_free(&z);
	bytes_free(&b);
}
END_TEST

static bool
bus_error_is_default(void)
{
	struct sigaction now;

	ck_assert_int_eq(sigaction(SIGBUS, NULL, &now), 0);
	return now.sa_handler == SIG_DFL;
}

/*
 * Test the modes for mapping files. Each mode is tested in a process of its
 * own, which has not opened a window before.
 */
START_TEST(mapping_modes)
{
	static const struct {
		enum hp_mapping mapping;
		bool window, handler;
	} modes[] = {{HP_MAP_NEVER, false, false},
		     {HP_MAP_BARE, true, false},
		     {HP_MAP_GUARDED, true, true}};
	struct bytes b = bytes_made(MIB, 2);

	signal(SIGBUS, SIG_DFL);
	file_write("a", b);
	for (size_t i = 0; i < HP_ARRAY_LEN(modes); i++) {
		const struct hp_source_options so = {.mapping =
							     modes[i].mapping};
		struct hp_error err = {0};
		struct hp_source *s;
		struct hp_window *w;

		ck_assert_int_eq(hp_source_open(&s, "a", &so, &err), HP_OK);
		w = hp_source_window(s, MIB, 0);
		ck_assert_int_eq(w != NULL, modes[i].window);
		ck_assert_int_eq(bus_error_is_default(), !modes[i].handler);
		hp_window_unref(w);
		hp_source_close(s);
	}
	bytes_free(&b);
}
END_TEST

Suite *
test_io_window_suite(void)
{
	Suite *suite = suite_create("io_window");
	TCase *c = tcase_create("window");

	tcase_add_checked_fixture(c, folder_make, folder_remove);
	tcase_set_timeout(c, 120);
	tcase_add_test(c, same_bytes);
	tcase_add_test(c, from_the_middle);
	tcase_add_test(c, further_passes);
	tcase_add_test(c, compressed_is_not_mapped);
	tcase_add_loop_test(c, shrinks_under_the_eye, 0, 2);
	tcase_add_test(c, many_windows);
	tcase_add_test(c, mapping_modes);
	tcase_add_loop_test(c, scan_of_a_shrinking_file, 0, 3);
	tcase_add_test(c, lending);
	suite_add_tcase(suite, c);
	return suite;
}
