/*
 * test_sink.c - tests of outputs: every compression, output files that are
 * either complete or absent, and paths at which no output may be written
 */
#include "common/sink/sink.h"
#include "common/sink/internal.h"
#include "common/sink/publish.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"
#include "tests/unit/test_io_helper.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define MIB ((size_t)1 << 20)
Suite *test_sink_suite(void);

static size_t
entries(void)
{
	DIR *d = opendir(".");
	size_t n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static enum hp_status
open_status(const char *path, struct hp_sink_options options, const char *text)
{
	struct hp_error err = {0};
	struct hp_sink *s;
	enum hp_status st = hp_sink_open(&s, path, &options, &err);

	if (st == HP_OK) {
		hp_sink_abort(s);
	} else {
		ck_assert_ptr_null(s);
		ck_assert_ptr_nonnull(strstr(err.text, text));
	}
	return st;
}

/*
 * Write @b in several steps. After each step, allow the compressor to end a
 * block. The output is not committed.
 */
static struct hp_sink *
sink_filled(const char *path, struct hp_sink_options options, struct bytes b,
	    size_t step)
{
	struct hp_error err = {0};
	struct hp_sink *s;

	ck_assert_int_eq(hp_sink_open(&s, path, &options, &err), HP_OK);
	for (size_t at = 0; at < b.len; at += step) {
		size_t n = b.len - at < step ? b.len - at : step;

		must(hp_sink_write(s, b.data + at, n, &err) == HP_OK);
		hp_sink_boundary(s, 0);
	}
	ck_assert_uint_eq(hp_sink_tell(s), b.len);
	return s;
}

static void
sink_whole(const char *path, struct hp_sink_options options, struct bytes b,
	   size_t step)
{
	struct hp_sink *s = sink_filled(path, options, b, step);
	struct hp_error err = {0};

	ck_assert_int_eq(hp_sink_commit(s, &err), HP_OK);
}

static void
check_file(const char *path, struct bytes want)
{
	struct bytes b = file_read(path);

	ck_assert_uint_eq(b.len, want.len);
	ck_assert(b.len == 0 || memcmp(b.data, want.data, b.len) == 0);
	bytes_free(&b);
}

/* ---- the output can be read back ---- */

START_TEST(round_trips)
{
	const size_t sizes[] = {0,	     1,	      MIB - 1,	   MIB,
				MIB + 1,     2 * MIB, 2 * MIB + 1, 4 * MIB,
				4 * MIB + 1, 20 * MIB};
	static const size_t steps[] = {777, 300000, 64 * MIB};
	static const char *const names[] = {"none", "gzip", "zstd"};
	struct bytes b = bytes_made(sizes[_i], 1);

	for (int c = HP_COMPRESSION_NONE; c <= HP_COMPRESSION_ZSTD; c++) {
		for (size_t k = 0; k < HP_ARRAY_LEN(steps); k++) {
			struct hp_sink_options options = {
				.compression = (enum hp_compression)c,
				.threads = (unsigned)k,
				.force = true};
			struct outcome o;

			sink_whole("out", options, b, steps[k]);
			o = outcome_of("out", 2, 0);
			check_whole(&o, b);
			ck_assert_str_eq(o.compression, names[c]);
			outcome_free(&o);
		}
	}
	ck_assert_uint_eq(entries(), 1);
	bytes_free(&b);
}
END_TEST

START_TEST(same_for_any_threads)
{
	struct bytes b = bytes_made(20 * MIB, 2);

	for (int c = HP_COMPRESSION_GZIP; c <= HP_COMPRESSION_ZSTD; c++) {
		struct hp_sink_options options = {
			.compression = (enum hp_compression)c, .threads = 0};
		struct bytes one;

		options.force = true;
		sink_whole("one", options, b, 123457);
		one = file_read("one");
		for (unsigned threads = 1; threads <= 4; threads *= 2) {
			options.threads = threads;
			sink_whole("more", options, b, 123457);
			check_file("more", one);
		}
		bytes_free(&one);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(levels)
{
	struct bytes b = bytes_made(100000, 3);
	static const int good[2][3] = {{1, 2, 12}, {-7, 3, 19}};
	static const int bad[2][2] = {{-1, 13}, {-8, 23}};

	for (int c = HP_COMPRESSION_GZIP; c <= HP_COMPRESSION_ZSTD; c++) {
		struct hp_sink_options options = {
			.compression = (enum hp_compression)c, .force = true};
		int row = c == HP_COMPRESSION_ZSTD;

		for (size_t i = 0; i < 3; i++) {
			struct outcome o;

			options.level = good[row][i];
			sink_whole("out", options, b, b.len);
			o = outcome_of("out", 1, 0);
			check_whole(&o, b);
			outcome_free(&o);
		}
		for (size_t i = 0; i < 2; i++) {
			options.level = bad[row][i];
			ck_assert_int_eq(open_status("out", options, "level"),
					 HP_UNSUPPORTED);
		}
	}
	bytes_free(&b);
}
END_TEST

/*
 * Check that the next gzip member contains the bytes of @b from @from on.
 * Returns how many bytes it contains.
 */
static size_t
member_at(struct bytes z, size_t *at, struct bytes b, size_t from)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	uint8_t *out = malloc(MIB);
	size_t used, len;

	ck_assert_int_eq(libdeflate_gzip_decompress_ex(d, z.data + *at,
						       z.len - *at, out, MIB,
						       &used, &len),
			 LIBDEFLATE_SUCCESS);
	ck_assert_uint_le(len, b.len - from);
	ck_assert_mem_eq(out, b.data + from, len);
	*at += used;
	libdeflate_free_decompressor(d);
	free(out);
	return len;
}

START_TEST(gzip_layout)
{
	static const uint8_t first[] =
		"\x1f\x8b\x08\x10\0\0\0\0\4\0HPROF BLOCKSIZE=1048576";
	static const uint8_t later[] = "\x1f\x8b\x08\0\0\0\0\0\4\3";
	struct hp_sink_options options = {.compression = HP_COMPRESSION_GZIP};
	struct bytes b = bytes_made(5 * MIB, 4), z;
	size_t at = 0, len, members = 0, total = 0;

	sink_whole("out", options, b, 100000);
	z = file_read("out");
	for (; at < z.len; total += len, members++) {
		ck_assert_mem_eq(z.data + at, members ? later : first,
				 members ? 10 : sizeof(first));
		len = member_at(z, &at, b, total);
		/*
		 * a block ends at the first allowed offset after 7/8 of its
		 * maximum size
		 */
		ck_assert(len == 1000000 || total + len == b.len);
	}
	ck_assert_uint_eq(members, 6);
	ck_assert_uint_eq(total, b.len);
	bytes_free(&b);
	bytes_free(&z);
}
END_TEST

/*
 * Test that data between two offsets at which a block may end is not split, if
 * it fits into a block.
 */
START_TEST(whole_steps)
{
	struct hp_sink_options options = {.compression = HP_COMPRESSION_GZIP};
	/* two steps together are longer than a block */
	const size_t step = 900 * 1000;
	const size_t first = 30 * 1000;
	struct bytes b = bytes_made(first + 5 * step, 7), z;
	struct hp_error err = {0};
	struct hp_sink *s;
	size_t at = 0, len, total = 0;

	ck_assert_int_eq(hp_sink_open(&s, "out", &options, &err), HP_OK);
	for (size_t from = 0; from < b.len;) {
		size_t n = from ? step : first;

		must(hp_sink_write(s, b.data + from, n, &err) == HP_OK);
		hp_sink_boundary(s, step);
		from += n;
	}
	ck_assert_int_eq(hp_sink_commit(s, &err), HP_OK);
	z = file_read("out");
	for (; at < z.len; total += len) {
		len = member_at(z, &at, b, total);
		/* the first block contains the first two steps */
		ck_assert_uint_eq(len, total ? step : first + step);
	}
	ck_assert_uint_eq(total, b.len);
	bytes_free(&b);
	bytes_free(&z);
}
END_TEST

static uint32_t
word(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v;
}

START_TEST(zstd_seek_table)
{
	struct hp_sink_options options = {.compression = HP_COMPRESSION_ZSTD};
	struct bytes b = bytes_made(9 * MIB, 5), z;
	uint8_t *out = malloc(4 * MIB);
	const uint8_t *entry;
	size_t at = 0, total = 0;
	uint32_t count;

	sink_whole("out", options, b, 500000);
	z = file_read("out");
	ck_assert_uint_eq(word(z.data + z.len - 4), 0x8F92EAB1);
	ck_assert_uint_eq(z.data[z.len - 5], 0x80);
	count = word(z.data + z.len - 9);
	ck_assert_uint_eq(count, 4);
	entry = z.data + z.len - 9 - 12 * count;
	ck_assert_uint_eq(word(entry - 8), 0x184D2A5E);
	ck_assert_uint_eq(word(entry - 4), 12 * count + 9);
	for (; count > 0; count--, entry += 12) {
		size_t packed = word(entry), plain = word(entry + 4);

		ck_assert(plain == 2500000 || count == 1);
		ck_assert_uint_eq(ZSTD_getFrameContentSize(z.data + at, packed),
				  plain);
		ck_assert_uint_eq(
			ZSTD_decompress(out, 4 * MIB, z.data + at, packed),
			plain);
		ck_assert_mem_eq(out, b.data + total, plain);
		ck_assert_uint_eq(word(z.data + at + packed - 4),
				  word(entry + 8));
		at += packed;
		total += plain;
	}
	ck_assert_uint_eq(total, b.len);
	ck_assert_ptr_eq(z.data + at, entry - 12 * 4 - 8);
	free(out);
	bytes_free(&b);
	bytes_free(&z);
}
END_TEST

START_TEST(reopen)
{
	struct bytes b = bytes_made(3 * MIB, 6);

	for (int c = HP_COMPRESSION_NONE; c <= HP_COMPRESSION_ZSTD; c++) {
		struct hp_sink_options options = {
			.compression = (enum hp_compression)c, .force = true};
		struct hp_source_options in = {.threads = 2};
		struct hp_sink *s = sink_filled("out", options, b, 100000);
		struct hp_error err = {0};
		struct hp_source *back;
		struct outcome o;
		struct stat sb;

		ck_assert_int_eq(hp_sink_finish(s, &err), HP_OK);
		ck_assert_int_eq(hp_sink_reopen(s, &back, &in, &err), HP_OK);
		o = drain(back, 100000);
		check_whole(&o, b);
		outcome_free(&o);
		ck_assert_int_eq(hp_source_rewind(back, &err), HP_OK);
		hp_source_close(back);
		ck_assert_int_eq(hp_sink_commit(s, &err), HP_OK);
		ck_assert_int_eq(stat("out", &sb), 0);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(written_counts)
{
	struct bytes b = bytes_made(3 * MIB, 6);

	umask(022);
	for (int c = HP_COMPRESSION_NONE; c <= HP_COMPRESSION_ZSTD; c++) {
		struct hp_sink_options options = {
			.compression = (enum hp_compression)c, .force = true};
		struct hp_sink *s = sink_filled("out", options, b, 99);
		struct hp_error err = {0};
		uint64_t written;
		struct stat sb;

		ck_assert_int_eq(hp_sink_finish(s, &err), HP_OK);
		written = hp_sink_written(s);
		ck_assert_int_eq(hp_sink_commit(s, &err), HP_OK);
		ck_assert_int_eq(stat("out", &sb), 0);
		ck_assert_int_eq(sb.st_size, (off_t)written);
		ck_assert_int_eq(sb.st_mode & 0777, 0644);
	}
	bytes_free(&b);
}
END_TEST

/* ---- the output file is complete or absent ---- */

START_TEST(abort_leaves_nothing)
{
	struct bytes b = bytes_made(5 * MIB, 7);

	for (int c = HP_COMPRESSION_NONE; c <= HP_COMPRESSION_ZSTD; c++) {
		struct hp_sink_options options = {
			.compression = (enum hp_compression)c, .threads = 3};
		struct hp_sink *s = sink_filled("out", options, b, 12345);

		ck_assert(access("out", F_OK) != 0);
		hp_sink_abort(s);
		ck_assert_uint_eq(entries(), 0);
	}
	hp_sink_abort(NULL);
	bytes_free(&b);
}
END_TEST

START_TEST(existing_output)
{
	struct bytes old = bytes_made(100, 8), b = bytes_made(200, 9);
	struct hp_sink_options plain = {0}, force = {.force = true};
	struct hp_error err = {0};
	struct hp_sink *s;

	file_write("out", old);
	ck_assert_int_eq(open_status("out", plain, "exists; --force"), HP_IO);
	s = sink_filled("out", force, b, 10);
	check_file("out", old);
	ck_assert_int_eq(hp_sink_commit(s, &err), HP_OK);
	check_file("out", b);
	/* another process creates the file between open and commit */
	s = sink_filled("new", plain, b, 10);
	file_write("new", old);
	ck_assert_int_eq(hp_sink_commit(s, &err), HP_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "exists; --force"));
	check_file("new", old);
	ck_assert_uint_eq(entries(), 2);
	bytes_free(&old);
	bytes_free(&b);
}
END_TEST

/*
 * Test a symbolic link at the path of the output: the link must be replaced,
 * and the file to which it refers must not change.
 */
START_TEST(symbolic_link)
{
	struct bytes old = bytes_made(100, 8), b = bytes_made(200, 9);
	struct hp_sink_options plain = {0}, force = {.force = true};
	struct stat sb;

	file_write("aim", old);
	ck_assert_int_eq(symlink("aim", "out"), 0);
	ck_assert_int_eq(symlink("nowhere", "dangling"), 0);
	ck_assert_int_eq(open_status("out", plain, "exists"), HP_IO);
	ck_assert_int_eq(open_status("dangling", plain, "exists"), HP_IO);
	sink_whole("out", force, b, 10);
	sink_whole("dangling", force, b, 10);
	ck_assert_int_eq(lstat("out", &sb), 0);
	ck_assert(S_ISREG(sb.st_mode));
	check_file("out", b);
	check_file("aim", old);
	ck_assert_int_eq(lstat("nowhere", &sb), -1);
	ck_assert_uint_eq(entries(), 3);
	bytes_free(&old);
	bytes_free(&b);
}
END_TEST

START_TEST(output_is_input)
{
	struct bytes b = bytes_made(100, 8);
	struct hp_sink_options options = {.force = true};
	static const char *const names[] = {"in", "./in", "hard", "soft"};
	struct hp_error err = {0};
	struct hp_source *in;
	int fd;

	file_write("in", b);
	ck_assert_int_eq(link("in", "hard"), 0);
	ck_assert_int_eq(symlink("in", "soft"), 0);
	ck_assert_int_eq(hp_source_open(&in, "in", NULL, &err), HP_OK);
	options.input = in;
	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++)
		ck_assert_int_eq(open_status(names[i], options, "is the input"),
				 HP_IO);
	fd = open("in", O_WRONLY | O_APPEND);
	ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	ck_assert_int_eq(open_status("-", options, "is the input"), HP_IO);
	check_file("in", b);
	hp_source_close(in);
	bytes_free(&b);
}
END_TEST

START_TEST(refused_places)
{
	struct hp_sink_options options = {.force = true};
	struct hp_sink_options pack = {.compression = HP_COMPRESSION_PACK};

	ck_assert_int_eq(mkdir("folder", 0777), 0);
	ck_assert_int_eq(open_status("folder", options, "is a directory"),
			 HP_IO);
	ck_assert_int_eq(open_status("folder/", options, "is a directory"),
			 HP_IO);
	ck_assert_int_eq(open_status("new/", options, "ends with a slash"),
			 HP_IO);
	ck_assert_int_eq(open_status("none/out", options, "No such file"),
			 HP_IO);
	ck_assert_int_eq(open_status("", options, ""), HP_IO);
	ck_assert_int_eq(open_status("out", pack, "pack"), HP_UNSUPPORTED);
	ck_assert_uint_eq(entries(), 1);
}
END_TEST

START_TEST(full_disk)
{
	struct bytes b = bytes_made(20 * MIB, 7);

	for (int c = HP_COMPRESSION_NONE; c <= HP_COMPRESSION_ZSTD; c++) {
		struct hp_sink_options options = {
			.compression = (enum hp_compression)c, .threads = 2};
		struct hp_error err = {0};
		enum hp_status st = HP_OK;
		struct hp_sink *s;

		ck_assert_int_eq(hp_sink_open(&s, "/dev/full", &options, &err),
				 HP_OK);
		for (size_t at = 0; at < b.len && st == HP_OK; at += 1000)
			st = hp_sink_write(s, b.data + at, 1000, &err);
		ck_assert_int_eq(st, HP_IO);
		ck_assert_str_eq(err.text,
				 "cannot write: No space left on device");
		hp_sink_abort(s);
		/* write so few bytes that only the last write can fail */
		err = (struct hp_error){0};
		s = sink_filled("/dev/full", options,
				(struct bytes){b.data, 1000, 1000}, 1000);
		/* a second attempt to finish the output must also fail */
		ck_assert_int_eq(hp_sink_finish(s, NULL), HP_IO);
		ck_assert_int_eq(hp_sink_commit(s, &err), HP_IO);
		ck_assert_str_eq(err.text,
				 "cannot write: No space left on device");
	}
	bytes_free(&b);
}
END_TEST

START_TEST(broken_pipe)
{
	struct bytes b = bytes_made(5 * MIB, 7);

	signal(SIGPIPE, SIG_IGN);
	for (int c = HP_COMPRESSION_NONE; c <= HP_COMPRESSION_ZSTD; c++) {
		struct hp_sink_options options = {
			.compression = (enum hp_compression)c, .threads = 2};
		struct hp_error err = {0};
		struct hp_sink *s;
		int ends[2];
		enum hp_status st;

		ck_assert_int_eq(pipe(ends), 0);
		ck_assert_int_eq(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		ck_assert_int_eq(hp_sink_open(&s, NULL, &options, &err), HP_OK);
		st = hp_sink_write(s, b.data, b.len, &err);
		if (st == HP_OK)
			st = hp_sink_commit(s, &err);
		else
			hp_sink_abort(s);
		ck_assert_int_eq(st, HP_CLOSED);
		ck_assert_str_eq(err.text, "cannot write: Broken pipe");
	}
	bytes_free(&b);
}
END_TEST

/* ---- outputs that are written directly, such as pipes and devices ---- */

static void *
read_fifo(void *path)
{
	struct bytes *b = malloc(sizeof(*b));

	*b = file_read(path);
	return b;
}

START_TEST(fifo_and_devices)
{
	struct bytes b = bytes_made(300000, 7);
	struct hp_sink_options options = {0};
	struct hp_error err = {0};
	struct hp_source *back;
	struct hp_sink *s;
	pthread_t thread;
	void *result;
	struct stat sb;

	ck_assert_int_eq(mkfifo("fifo", 0666), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, read_fifo, "fifo"), 0);
	sink_whole("fifo", options, b, 1000);
	pthread_join(thread, &result);
	ck_assert_uint_eq(((struct bytes *)result)->len, b.len);
	ck_assert_mem_eq(((struct bytes *)result)->data, b.data, b.len);
	bytes_free(result);
	free(result);
	ck_assert_int_eq(lstat("fifo", &sb), 0);
	ck_assert(S_ISFIFO(sb.st_mode));
	options.sync = true;
	s = sink_filled("/dev/null", options, b, 1000);
	ck_assert_int_eq(hp_sink_finish(s, &err), HP_OK);
	ck_assert_int_eq(hp_sink_reopen(s, &back, NULL, &err), HP_UNSUPPORTED);
	err = (struct hp_error){0};
	ck_assert_int_eq(hp_sink_commit(s, &err), HP_OK);
	bytes_free(&b);
}
END_TEST

START_TEST(standard_output)
{
	static const char *const names[] = {NULL, "-", "/dev/stdout",
					    "/dev/fd/1", "/proc/self/fd/1"};
	struct bytes b = bytes_made(1000, 7);
	struct hp_sink_options options = {0};
	int saved = dup(STDOUT_FILENO);

	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++) {
		int fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);

		ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
		sink_whole(names[i], options, b, 100);
		ck_assert_int_eq(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
		check_file("out", b);
		close(fd);
	}
	close(saved);
	bytes_free(&b);
}
END_TEST

START_TEST(terminal)
{
	struct hp_sink_options options = {0}, text = {.text = true};
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	char *name;
	int fd;

	ck_assert_int_ge(master, 0);
	ck_assert_int_eq(grantpt(master), 0);
	ck_assert_int_eq(unlockpt(master), 0);
	name = ptsname(master);
	ck_assert_int_eq(open_status(name, options, "terminal"), HP_IO);
	fd = open(name, O_RDWR | O_NOCTTY);
	ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	ck_assert_int_eq(open_status("-", options, "terminal"), HP_IO);
	ck_assert_int_eq(open_status("-", text, ""), HP_OK);
	text.compression = HP_COMPRESSION_ZSTD;
	ck_assert_int_eq(open_status("-", text, "terminal"), HP_IO);
}
END_TEST

/* ---- file systems that have no unnamed temporary files ---- */

static void
target_filled(struct hp_output_file *t, const char *path, bool force)
{
	struct hp_output_file_options options = {.force = force, .named = true};
	struct hp_error err = {0};

	ck_assert_int_eq(hp_output_file_open(t, path, &options, &err), HP_OK);
	ck_assert_str_ne(t->temp, "");
	ck_assert_int_eq(hp_output_file_write(t, "new", 3, &err), HP_OK);
}

START_TEST(named_temporary)
{
	struct bytes old = {(uint8_t *)"old", 3, 3},
		     b = {(uint8_t *)"new", 3, 3};
	struct hp_error err = {0};
	struct hp_output_file t;

	target_filled(&t, "out", false);
	ck_assert_uint_eq(entries(), 1);
	ck_assert(access("out", F_OK) != 0);
	ck_assert_int_eq(hp_output_file_commit(&t, &err), HP_OK);
	check_file("out", b);
	ck_assert_uint_eq(entries(), 1);
	file_write("out", old);
	target_filled(&t, "out", true);
	hp_output_file_abort(&t);
	check_file("out", old);
	ck_assert_uint_eq(entries(), 1);
	target_filled(&t, "out", true);
	ck_assert_int_eq(hp_output_file_commit(&t, &err), HP_OK);
	check_file("out", b);
	ck_assert_uint_eq(entries(), 1);
	target_filled(&t, "other", false);
	file_write("other", old);
	ck_assert_int_eq(hp_output_file_commit(&t, &err), HP_IO);
	check_file("other", old);
	ck_assert_uint_eq(entries(), 2);
}
END_TEST

static void
on_signal(int number)
{
	hp_sink_unlink_all();
	_exit(number);
}

START_TEST(signal_removes_names)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		struct hp_output_file a, b, gone;
		struct hp_error err = {0};

		signal(SIGTERM, on_signal);
		target_filled(&gone, "gone", false);
		target_filled(&a, "a", false);
		target_filled(&b, "b", false);
		if (hp_output_file_commit(&gone, &err) != HP_OK)
			_exit(99);
		raise(SIGTERM);
		_exit(98);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), SIGTERM);
	ck_assert_uint_eq(entries(), 1);
	ck_assert_int_eq(access("gone", F_OK), 0);
}
END_TEST

static bool signal_in_mkdirat;

/*
 * Replaces mkdirat() of the C library: a signal arrives after the call and
 * before the function returns.
 */
int
mkdirat(int dir, const char *path, mode_t mode)
{
	int r = (int)syscall(SYS_mkdirat, dir, path, mode);

	if (signal_in_mkdirat)
		raise(SIGTERM);
	return r;
}

START_TEST(signal_removes_folder)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		struct hp_output_folder f;
		struct hp_error err = {0};

		signal(SIGTERM, on_signal);
		signal_in_mkdirat = true;
		(void)!hp_output_folder_open(&f, "out", false, NULL, &err);
		_exit(98);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), SIGTERM);
	ck_assert_uint_eq(entries(), 0);
}
END_TEST

/*
 * Test that kill -9 leaves no temporary file. This is possible only if the file
 * has no name.
 */
START_TEST(kill_leaves_nothing)
{
	struct hp_output_file_options none = {0};
	struct hp_output_file t;
	bool unnamed;
	int status;
	pid_t child;

	ck_assert_int_eq(hp_output_file_open(&t, "out", &none, NULL), HP_OK);
	unnamed = !t.temp[0];
	hp_output_file_abort(&t);
	/* skip the test if the file system of /tmp has no unnamed files */
	if (!unnamed)
		return;
	child = fork();

	if (child == 0) {
		struct hp_sink_options options = {.threads = 2};
		struct bytes b = bytes_made(5 * MIB, 1);

		options.compression = HP_COMPRESSION_ZSTD;
		sink_filled("out", options, b, 1000);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_uint_eq(entries(), 0);
}
END_TEST

Suite *
test_sink_suite(void)
{
	const TTest *const tests[] = {
		same_for_any_threads,
		levels,
		gzip_layout,
		whole_steps,
		zstd_seek_table,
		reopen,
		written_counts,
		abort_leaves_nothing,
		existing_output,
		symbolic_link,
		output_is_input,
		refused_places,
		full_disk,
		broken_pipe,
		fifo_and_devices,
		standard_output,
		terminal,
		named_temporary,
		signal_removes_names,
		signal_removes_folder,
		kill_leaves_nothing,
	};
	Suite *suite = suite_create("sink");
	TCase *c = tcase_create("sink"), *q = quick_case(suite, 60);

	tcase_add_checked_fixture(c, folder_make, folder_remove);
	tcase_add_checked_fixture(q, folder_make, folder_remove);
	for (size_t i = 0; i < HP_ARRAY_LEN(tests); i++)
		tcase_add_test(q, tests[i]);
	tcase_add_loop_test(q, round_trips, 0, 2);
	tcase_add_loop_test(c, round_trips, 2, 10);
	suite_add_tcase(suite, c);
	return suite;
}
