/*
 * test_io.c - tests of reading inputs: files, pipes, every compression, limits,
 * and reading an input a second time
 *
 * test_io_damage.c tests damaged compressed files, and test_sink.c tests
 * outputs.
 */
#include "common/io/source.h"
#include "tests/unit/test_io_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

#define MIB ((size_t)1 << 20)

Suite *test_io_suite(void);

/* ---- plain files ---- */

START_TEST(pipe_again)
{
	struct hp_source_options options = {.again = true, .max_size = 9};
	struct hp_error err = {0};
	struct hp_source *s;
	char head[HP_SOURCE_PEEK], got[32];
	size_t n;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], "ninebytes", 9), 9);
	close(fds[1]);
	ck_assert_int_eq(hp_source_open_fd(&s, fds[0], "pipe", &options, &err),
			 HP_OK);
	ck_assert(hp_source_rewindable(s));
	ck_assert_int_eq(hp_source_peek(s, head, &n, &err), HP_OK);
	/* hp_source_peek() returns all bytes of the pipe */
	ck_assert_uint_eq(n, 9);
	ck_assert_mem_eq(head, "ninebytes", 9);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(hp_source_read(s, got, sizeof(got), &n, &err),
				 HP_OK);
		ck_assert_uint_eq(n, 9);
		ck_assert_mem_eq(got, "ninebytes", 9);
		ck_assert_int_eq(hp_source_rewind(s, &err), HP_OK);
	}
	hp_source_close(s);
}
END_TEST

START_TEST(plain_file)
{
	struct bytes b = bytes_made(300000, 1);
	struct hp_error err = {0};
	struct hp_source *s;
	uint8_t buf[1000];
	uint64_t skipped, taken, total, device, inode;
	size_t got;

	file_write("a", b);
	ck_assert_int_eq(hp_source_open(&s, "a", NULL, &err), HP_OK);
	ck_assert(hp_source_seekable(s));
	ck_assert(hp_source_rewindable(s));
	ck_assert(hp_source_identity(s, &device, &inode));
	ck_assert_uint_eq(hp_source_size(s), 300000);
	ck_assert_int_eq(hp_source_read(s, buf, 1000, &got, &err), HP_OK);
	ck_assert_uint_eq(got, 1000);
	ck_assert_mem_eq(buf, b.data, 1000);
	ck_assert_int_eq(hp_source_skip(s, 250000, &skipped, &err), HP_OK);
	ck_assert_uint_eq(skipped, 250000);
	ck_assert_uint_eq(hp_source_tell(s), 251000);
	ck_assert_int_eq(hp_source_read(s, buf, 1000, &got, &err), HP_OK);
	ck_assert_mem_eq(buf, b.data + 251000, 1000);
	ck_assert_int_eq(hp_source_pread(s, buf, 1000, 7, &got, &err), HP_OK);
	ck_assert_uint_eq(got, 1000);
	ck_assert_mem_eq(buf, b.data + 7, 1000);
	ck_assert_int_eq(hp_source_pread(s, buf, 1000, 299990, &got, &err),
			 HP_OK);
	ck_assert_uint_eq(got, 10);
	ck_assert_int_eq(
		hp_source_pread(s, buf, 1000, UINT64_MAX - 5, &got, &err),
		HP_OK);
	ck_assert_uint_eq(got, 0);
	ck_assert_int_eq(hp_source_skip(s, UINT64_MAX, &skipped, &err), HP_OK);
	ck_assert_uint_eq(skipped, 300000 - 252000);
	ck_assert_int_eq(hp_source_read(s, buf, 1000, &got, &err), HP_OK);
	ck_assert_uint_eq(got, 0);
	hp_source_progress(s, &taken, &total);
	ck_assert_uint_eq(taken, 300000);
	ck_assert_uint_eq(total, 300000);
	hp_source_close(s);
	hp_source_close(NULL);
	bytes_free(&b);
}
END_TEST

START_TEST(refused_paths)
{
	struct outcome o = outcome_of("/", 1, 0);

	ck_assert_int_eq(o.status, HP_IO);
	ck_assert_str_eq(o.error.text, "cannot open: Is a directory");
	o = outcome_of("missing", 1, 0);
	ck_assert_int_eq(o.status, HP_IO);
	ck_assert_str_eq(o.error.text,
			 "cannot open: No such file or directory");
}
END_TEST

START_TEST(file_that_shrinks)
{
	struct bytes b = bytes_made(500000, 2);
	struct hp_error err = {0};
	struct hp_source *s;
	uint8_t *buf = malloc(500000);
	size_t got;

	file_write("a", b);
	ck_assert_int_eq(hp_source_open(&s, "a", NULL, &err), HP_OK);
	ck_assert_int_eq(truncate("a", 100000), 0);
	ck_assert_int_eq(hp_source_pread(s, buf, 1000, 200000, &got, &err),
			 HP_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "the file was truncated while"));
	err = (struct hp_error){0};
	ck_assert_int_eq(hp_source_read(s, buf, 500000, &got, &err), HP_IO);
	ck_assert_uint_eq(got, 100000);
	ck_assert_mem_eq(buf, b.data, got);
	err = (struct hp_error){0};
	ck_assert_int_eq(hp_source_rewind(s, &err), HP_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "changed"));
	hp_source_close(s);
	free(buf);
	bytes_free(&b);
}
END_TEST

/* the file that finish_append() makes longer */
static int appended_fd;

static void
finish_append(int sig)
{
	(void)sig;
	if (ftruncate(appended_fd, 300019) != 0)
		_exit(3);
}

/*
 * Test a file to which another process appends. The kernel first sets the new
 * modification time and then the new size. Here, a timer sets the size 20 ms
 * after the time. The file must count as grown, not as overwritten. Both ways
 * of reading the file again check this.
 */
START_TEST(file_in_an_append)
{
	const struct itimerval soon = {.it_value.tv_usec = 20000};
	const struct timespec times[2] = {{.tv_sec = 9}, {.tv_sec = 9}};
	const struct sigaction action = {.sa_handler = finish_append};
	struct bytes b = bytes_made(300000, 3);
	struct sigaction before;

	ck_assert_int_eq(sigaction(SIGALRM, &action, &before), 0);
	for (int again = 0; again < 2; again++) {
		struct hp_error err = {0};
		struct hp_source *s, *second = NULL;
		struct outcome o;

		file_write("a", b);
		ck_assert_int_eq(hp_source_open(&s, "a", NULL, &err), HP_OK);
		appended_fd = open("a", O_RDWR | O_CLOEXEC);
		ck_assert_int_eq(futimens(appended_fd, times), 0);
		ck_assert_int_eq(setitimer(ITIMER_REAL, &soon, NULL), 0);
		ck_assert_int_eq(again ? hp_source_reopen(&second, s, &err)
				       : hp_source_rewind(s, &err),
				 HP_OK);
		o = drain(again ? second : s, 1000003);
		check_whole(&o, b);
		outcome_free(&o);
		hp_source_close(second);
		hp_source_close(s);
		close(appended_fd);
	}
	sigaction(SIGALRM, &before, NULL);
	bytes_free(&b);
}
END_TEST

/* Test that a file that was overwritten, and has the same size, is refused. */
START_TEST(overwritten_file)
{
	const struct timespec times[2] = {{.tv_sec = 9}, {.tv_sec = 9}};
	struct bytes b = bytes_made(1000, 4);
	struct hp_source *s, *second;
	struct hp_error err = {0};
	int fd;

	file_write("a", b);
	ck_assert_int_eq(hp_source_open(&s, "a", NULL, &err), HP_OK);
	fd = open("a", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(pwrite(fd, "other", 5, 100), 5);
	ck_assert_int_eq(futimens(fd, times), 0);
	ck_assert_int_eq(hp_source_reopen(&second, s, &err), HP_IO);
	ck_assert_ptr_null(second);
	ck_assert_str_eq(err.text, "the file was changed while it was read");
	err = (struct hp_error){0};
	ck_assert_int_eq(hp_source_rewind(s, &err), HP_IO);
	ck_assert_str_eq(err.text, "the file was changed while it was read");
	close(fd);
	hp_source_close(s);
	bytes_free(&b);
}
END_TEST

/*
 * Test a compressed file that becomes shorter while it is read. The result must
 * be an I/O error, not a truncated file. The last bytes may be zeros, because
 * the kernel clears the rest of a truncated page.
 */
START_TEST(packed_file_that_shrinks)
{
	struct bytes b = bytes_made(20 * MIB, 2);
	struct bytes z = gzip_member(b, NULL, 0, 1);
	struct hp_error err = {0};
	struct hp_source *s;
	struct outcome o;

	file_write("a", z);
	ck_assert_int_eq(hp_source_open(&s, "a", NULL, &err), HP_OK);
	ck_assert_int_eq(truncate("a", 100), 0);
	o = drain(s, 100000);
	ck_assert_int_eq(o.status, HP_IO);
	ck_assert_uint_eq(o.notes_count, 0);
	hp_source_close(s);
	outcome_free(&o);
	bytes_free(&b);
	bytes_free(&z);
}
END_TEST

START_TEST(tiny_files)
{
	static const char *const begins[] = {
		"", "\x1f", "J", "\x28", "\x28\xb5", "\x28\xb5\x2f"};

	for (size_t i = 0; i < HP_ARRAY_LEN(begins); i++) {
		struct bytes b = bytes_new(0);
		struct outcome o;

		bytes_add(&b, begins[i], strlen(begins[i]));
		o = outcome_made(b, 2);
		check_whole(&o, b);
		ck_assert_str_eq(o.compression, "none");
		outcome_free(&o);
		bytes_free(&b);
	}
}
END_TEST

START_TEST(standard_input_file)
{
	struct bytes b = bytes_made(1000, 3);
	struct hp_error err = {0};
	struct hp_source *s;
	struct outcome o;
	int fd;

	file_write("a", b);
	fd = open("a", O_RDONLY);
	ck_assert_int_eq(lseek(fd, 100, SEEK_SET), 100);
	ck_assert_int_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(hp_source_open(&s, "-", NULL, &err), HP_OK);
	ck_assert(hp_source_seekable(s));
	ck_assert_uint_eq(hp_source_size(s), 900);
	o = drain(s, 64);
	ck_assert_uint_eq(o.bytes.len, 900);
	ck_assert_mem_eq(o.bytes.data, b.data + 100, 900);
	outcome_free(&o);
	ck_assert_int_eq(hp_source_rewind(s, &err), HP_OK);
	o = drain(s, 64);
	ck_assert_uint_eq(o.bytes.len, 900);
	outcome_free(&o);
	hp_source_close(s);
	bytes_free(&b);
}
END_TEST

/* ---- pipes ---- */

struct feeder {
	int fd;
	struct bytes bytes;
	size_t step;
};

static void *
feed(void *argument)
{
	struct feeder *f = argument;

	for (size_t at = 0; at < f->bytes.len;) {
		size_t n = f->bytes.len - at;
		ssize_t r;

		if (n > f->step)
			n = f->step;
		r = write(f->fd, f->bytes.data + at, n);
		if (r < 0 && errno == EPIPE)
			break;
		ck_assert_int_gt(r, 0);
		at += (size_t)r;
	}
	close(f->fd);
	return NULL;
}

static struct outcome
outcome_piped(struct bytes b, size_t step)
{
	struct hp_source_options options = {.threads = 2};
	struct hp_error err = {0};
	struct hp_source *s;
	struct outcome o;
	pthread_t thread;
	struct feeder f = {.bytes = b, .step = step};
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(ends), 0);
	f.fd = ends[1];
	ck_assert_int_eq(pthread_create(&thread, NULL, feed, &f), 0);
	ck_assert_int_eq(hp_source_open_fd(&s, ends[0], "pipe", &options, &err),
			 HP_OK);
	ck_assert(!hp_source_seekable(s));
	ck_assert(!hp_source_rewindable(s));
	o = drain(s, 777);
	ck_assert_int_eq(hp_source_rewind(s, &err), HP_IO);
	hp_source_close(s);
	pthread_join(thread, NULL);
	return o;
}

START_TEST(pipes)
{
	static const size_t steps[] = {1, 7, 4096, 1 << 20};
	struct bytes b = bytes_made(20000, 4);
	struct bytes packed[] = {
		bytes_made(20000, 4), gzip_member(b, NULL, 0, 1),
		zstd_frame(b, 1, true), zstd_frame(b, 1, false)};

	for (size_t i = 0; i < HP_ARRAY_LEN(packed); i++) {
		for (size_t k = 0; k < HP_ARRAY_LEN(steps); k++) {
			struct outcome o = outcome_piped(packed[i], steps[k]);

			check_whole(&o, b);
			outcome_free(&o);
		}
		bytes_free(&packed[i]);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(pipe_skip)
{
	struct bytes b = bytes_made(200000, 5);
	struct hp_error err = {0};
	struct hp_source *s;
	struct feeder f = {.bytes = b, .step = 5000};
	pthread_t thread;
	uint64_t skipped;
	uint8_t buf[10];
	size_t got;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	f.fd = ends[1];
	ck_assert_int_eq(pthread_create(&thread, NULL, feed, &f), 0);
	ck_assert_int_eq(hp_source_open_fd(&s, ends[0], "pipe", NULL, &err),
			 HP_OK);
	ck_assert_int_eq(hp_source_skip(s, 150001, &skipped, &err), HP_OK);
	ck_assert_uint_eq(skipped, 150001);
	ck_assert_int_eq(hp_source_read(s, buf, 10, &got, &err), HP_OK);
	ck_assert_mem_eq(buf, b.data + 150001, 10);
	ck_assert_int_eq(hp_source_skip(s, 100000, &skipped, &err), HP_OK);
	ck_assert_uint_eq(skipped, 200000 - 150011);
	hp_source_close(s);
	pthread_join(thread, NULL);
	bytes_free(&b);
}
END_TEST

/*
 * Test that closing an input does not wait for a pipe that stays open but
 * provides no more data. The pipe has provided enough data for decompression to
 * begin.
 */
START_TEST(close_with_stalled_pipe)
{
	struct bytes b = bytes_made(12 * MIB, 6);
	struct bytes z = gzip_member(b, NULL, 0, 1);
	struct bytes zz = gzip_member(z, NULL, 0, 1);
	struct bytes packed[] = {z, zz, zstd_frame(b, 1, false)};

	for (size_t i = 0; i < HP_ARRAY_LEN(packed); i++) {
		struct hp_source_options options = {.threads = 2};
		struct hp_error err = {0};
		struct hp_source *s;
		struct feeder f = {.bytes = packed[i], .step = 4096};
		pthread_t thread;
		uint8_t buf[100];
		uint64_t skipped;
		size_t got;
		int ends[2], other;

		f.bytes.len = packed[i].len / 2;
		ck_assert_int_eq(pipe(ends), 0);
		f.fd = ends[1];
		/*
		 * the pipe never ends, because this copy of its write end stays
		 * open
		 */
		other = dup(ends[1]);
		ck_assert_int_eq(pthread_create(&thread, NULL, feed, &f), 0);
		ck_assert_int_eq(
			hp_source_open_fd(&s, ends[0], "p", &options, &err),
			HP_OK);
		ck_assert_int_eq(hp_source_read(s, buf, 100, &got, &err),
				 HP_OK);
		ck_assert_mem_eq(buf, b.data, 100);
		/*
		 * The second half of the data has not arrived yet. Skip the
		 * first half, so that the threads have room for the second one.
		 */
		ck_assert_int_eq(hp_source_skip(s, 9 * MIB / 2, &skipped, &err),
				 HP_OK);
		pthread_join(thread, NULL);
		hp_source_close(s);
		close(other);
		bytes_free(&packed[i]);
	}
	bytes_free(&b);
}
END_TEST

/* ---- compressed files ---- */

enum { GZIP_BLOCKS, GZIP_ONE, ZSTD_FRAMES, ZSTD_ONE, ZSTD_UNSIZED, FORMS };

static const uint8_t hotspot_head[] =
	"\x1f\x8b\x08\x10\0\0\0\0\4\0HPROF BLOCKSIZE=1048576";

static struct bytes
pack(struct bytes plain, int form)
{
	size_t block = form == GZIP_BLOCKS   ? MIB
		       : form == ZSTD_FRAMES ? 2 * MIB
					     : SIZE_MAX;
	struct bytes out = bytes_new(0);
	size_t at = 0;

	do {
		struct bytes part = {.data = plain.data + at,
				     .len = plain.len - at};

		if (part.len > block)
			part.len = block;
		if (form == GZIP_BLOCKS && at == 0)
			bytes_join(&out, gzip_member(part, hotspot_head,
						     sizeof(hotspot_head), 1));
		else if (form == GZIP_BLOCKS || form == GZIP_ONE)
			bytes_join(&out, gzip_member(part, NULL, 0, 1));
		else
			bytes_join(&out,
				   zstd_frame(part, 1, form != ZSTD_UNSIZED));
		at += part.len;
	} while (at < plain.len);
	return out;
}

START_TEST(all_sizes)
{
	const size_t sizes[] = {0,	 1,	      MIB - 1,	   MIB,
				MIB + 1, 2 * MIB - 1, 2 * MIB + 1, 20 * MIB};
	struct bytes b = bytes_made(sizes[_i], 8);

	for (int form = 0; form < FORMS; form++) {
		struct bytes z = pack(b, form);

		file_write("z", z);
		for (unsigned threads = 0; threads <= 4; threads += 2) {
			struct outcome o = outcome_of("z", threads, 0);

			check_whole(&o, b);
			ck_assert_str_eq(o.compression,
					 form <= GZIP_ONE ? "gzip" : "zstd");
			outcome_free(&o);
		}
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(rewinding)
{
	struct bytes b = bytes_made(5 * MIB, 9);

	for (int form = 0; form < FORMS; form++) {
		struct hp_source_options options = {.threads = 2};
		struct bytes z = pack(b, form);
		struct hp_error err = {0};
		struct hp_source *s;
		uint64_t skipped;

		file_write("z", z);
		ck_assert_int_eq(hp_source_open(&s, "z", &options, &err),
				 HP_OK);
		ck_assert(hp_source_rewindable(s));
		ck_assert(!hp_source_seekable(s));
		ck_assert_uint_eq(hp_source_size(s), UINT64_MAX);
		for (size_t i = 0; i < 3; i++) {
			struct outcome o = drain(s, 1000003);

			check_whole(&o, b);
			outcome_free(&o);
			ck_assert_int_eq(hp_source_rewind(s, &err), HP_OK);
		}
		/* read again after skipping to the middle */
		ck_assert_int_eq(hp_source_skip(s, MIB + 5, &skipped, &err),
				 HP_OK);
		ck_assert_uint_eq(skipped, MIB + 5);
		ck_assert_uint_eq(hp_source_tell(s), MIB + 5);
		ck_assert_int_eq(hp_source_rewind(s, &err), HP_OK);
		ck_assert_uint_eq(hp_source_tell(s), 0);
		hp_source_close(s);
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

/*
 * Test two sources for the same file, each of which has its own position. After
 * the file was changed, opening it again must fail.
 */
START_TEST(opened_again)
{
	struct bytes b = bytes_made(3 * MIB, 9);

	for (int form = 0; form < FORMS; form++) {
		struct hp_source_options options = {.threads = 2};
		struct bytes z = pack(b, form);
		struct hp_source *first, *again;
		struct hp_error err = {0};
		uint64_t skipped;
		struct outcome o;

		file_write("z", z);
		ck_assert_int_eq(hp_source_open(&first, "z", &options, &err),
				 HP_OK);
		*hp_source_mark(first) = 7;
		ck_assert_int_eq(hp_source_skip(first, MIB, &skipped, &err),
				 HP_OK);
		/*
		 * Opening the file again succeeds although its name has
		 * changed.
		 */
		ck_assert_int_eq(rename("z", "y"), 0);
		ck_assert_int_eq(hp_source_reopen(&again, first, &err), HP_OK);
		ck_assert_uint_eq(*hp_source_mark(again), 7);
		o = drain(again, 1000003);
		check_whole(&o, b);
		outcome_free(&o);
		ck_assert_uint_eq(hp_source_tell(first), MIB);
		hp_source_close(again);
		ck_assert_int_eq(truncate("y", (off_t)z.len - 1), 0);
		ck_assert_int_eq(hp_source_reopen(&again, first, &err), HP_IO);
		ck_assert_ptr_null(again);
		hp_source_close(first);
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(close_early)
{
	struct bytes b = bytes_made(20 * MIB, 10);

	for (int form = 0; form < FORMS; form++) {
		struct bytes z = pack(b, form);

		file_write("z", z);
		for (unsigned i = 0; i < 20; i++) {
			struct hp_source_options options = {.threads =
								    1 + i % 4};
			struct hp_error err = {0};
			struct hp_source *s;
			uint64_t skipped;

			ck_assert_int_eq(
				hp_source_open(&s, "z", &options, &err), HP_OK);
			ck_assert_int_eq(
				hp_source_skip(s, i * 500000, &skipped, &err),
				HP_OK);
			ck_assert_uint_eq(skipped, i * 500000);
			hp_source_close(s);
		}
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(layers)
{
	struct bytes b = bytes_made(400000, 11);
	struct bytes z = pack(b, GZIP_ONE);

	for (unsigned depth = 1; depth <= 20; depth++) {
		struct outcome o = outcome_made(z, 2);
		struct bytes next;

		if (depth <= 3) {
			check_whole(&o, b);
		} else {
			ck_assert_int_eq(o.status, HP_OK);
			ck_assert_uint_eq(o.notes_count, 1);
			ck_assert_ptr_nonnull(
				outcome_note(&o, HP_CONTAINER_DEPTH));
		}
		ck_assert_str_eq(o.compression, depth % 2 ? "gzip" : "zstd");
		outcome_free(&o);
		next = pack(z, depth % 2 ? ZSTD_ONE : GZIP_ONE);
		bytes_free(&z);
		z = next;
	}
	bytes_free(&z);
	bytes_free(&b);
}
END_TEST

START_TEST(raw)
{
	struct hp_source_options options = {.threads = 1, .raw = true};
	struct bytes b = bytes_made(1000, 12);
	struct bytes z = pack(b, GZIP_ONE);
	struct hp_error err = {0};
	struct hp_source *s;
	struct outcome o;

	file_write("z", z);
	ck_assert_int_eq(hp_source_open(&s, "z", &options, &err), HP_OK);
	ck_assert(hp_source_seekable(s));
	o = drain(s, 64);
	check_whole(&o, z);
	outcome_free(&o);
	hp_source_close(s);
	bytes_free(&z);
	bytes_free(&b);
}
END_TEST

/* ---- limits of sizes and numbers ---- */

START_TEST(max_size)
{
	struct bytes b = bytes_made(3 * MIB, 13);

	for (int form = -1; form < FORMS; form++) {
		struct bytes z =
			form < 0 ? bytes_made(3 * MIB, 13) : pack(b, form);
		struct outcome o;

		file_write("z", z);
		o = outcome_of("z", 2, b.len);
		check_whole(&o, b);
		outcome_free(&o);
		o = outcome_of("z", 2, b.len - 1);
		ck_assert_int_eq(o.status, HP_LIMIT);
		ck_assert_uint_eq(o.bytes.len, b.len - 1);
		ck_assert(is_prefix(&o, b));
		outcome_free(&o);
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(max_size_is_met)
{
	struct bytes b = bytes_made(5000, 14);
	struct bytes z = gzip_member(b, NULL, 0, 6);
	struct hp_source *s;
	uint8_t buf[5001];
	size_t got;

	file_write("z", z);
	for (uint64_t most = 4999; most <= 5000; most++) {
		struct hp_source_options options = {.max_size = most};

		ck_assert_int_eq(hp_source_open(&s, "z", &options, NULL),
				 HP_OK);
		ck_assert(!hp_source_is_oversize(s));
		ck_assert_int_eq(hp_source_read(s, buf, 5001, &got, NULL),
				 most < 5000 ? HP_LIMIT : HP_OK);
		ck_assert_int_eq(hp_source_is_oversize(s), most < 5000);
		hp_source_close(s);
	}
	bytes_free(&z);
	bytes_free(&b);
}
END_TEST

START_TEST(max_size_at_an_offset)
{
	struct hp_source_options options = {.max_size = 1000};
	struct bytes b = bytes_made(5000, 14);
	struct hp_error err = {0};
	struct hp_source *s;
	uint8_t buf[100];
	size_t got;

	file_write("a", b);
	ck_assert_int_eq(hp_source_open(&s, "a", &options, &err), HP_OK);
	ck_assert_int_eq(hp_source_pread(s, buf, 100, 900, &got, &err), HP_OK);
	ck_assert_int_eq(hp_source_pread(s, buf, 100, 901, &got, &err),
			 HP_LIMIT);
	ck_assert(hp_source_is_oversize(s));
	hp_source_close(s);
	bytes_free(&b);
}
END_TEST

/*
 * Test 64 MiB of zeros that were compressed twice with gzip. This input must be
 * refused, because its output is much larger.
 */
START_TEST(bomb)
{
	struct bytes zeros = {.data = calloc(1, 64 * MIB), .len = 64 * MIB};
	struct bytes z = gzip_member(zeros, NULL, 0, 6);
	struct bytes zz = gzip_member(z, NULL, 0, 6);
	struct outcome o;

	ck_assert_ptr_nonnull(zeros.data);
	ck_assert_uint_lt(zz.len, 2000);
	file_write("z", zz);
	o = outcome_of("z", 2, 10 * MIB);
	ck_assert_int_eq(o.status, HP_LIMIT);
	ck_assert_uint_eq(o.bytes.len, 10 * MIB);
	outcome_free(&o);
	o = outcome_of("z", 2, 0);
	check_whole(&o, zeros);
	outcome_free(&o);
	bytes_free(&zeros);
	bytes_free(&z);
	bytes_free(&zz);
}
END_TEST

START_TEST(empty_members)
{
	struct bytes nothing = bytes_new(0);
	struct bytes one[] = {gzip_member(nothing, NULL, 0, 1),
			      zstd_frame(nothing, 1, true)};

	for (size_t i = 0; i < HP_ARRAY_LEN(one); i++) {
		struct bytes many = bytes_new(100000 * one[i].len);
		struct outcome o;

		for (size_t k = 0; k < 100000; k++)
			memcpy(many.data + k * one[i].len, one[i].data,
			       one[i].len);
		many.len = 100000 * one[i].len;
		o = outcome_made(many, 2);
		check_whole(&o, nothing);
		outcome_free(&o);
		bytes_free(&many);
		bytes_free(&one[i]);
	}
	bytes_free(&nothing);
}
END_TEST

/* Add the tests that `make check-quick` also runs, see tests/unit/quick.h. */
static void
add_case(Suite *suite, const char *name, const TTest *const *tests, size_t n)
{
	TCase *c = tcase_create(name);

	tcase_set_tags(c, "quick");
	tcase_add_checked_fixture(c, folder_make, folder_remove);
	tcase_set_timeout(c, 120);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(c, tests[i]);
	suite_add_tcase(suite, c);
}

Suite *
test_io_suite(void)
{
	const TTest *const plain[] = {pipe_again,
				      plain_file,
				      refused_paths,
				      file_that_shrinks,
				      file_in_an_append,
				      overwritten_file,
				      packed_file_that_shrinks,
				      tiny_files,
				      standard_input_file};
	const TTest *const piped[] = {pipes, pipe_skip,
				      close_with_stalled_pipe};
	const TTest *const packed[] = {rewinding, opened_again, layers, raw};
	const TTest *const limits[] = {max_size, max_size_is_met,
				       max_size_at_an_offset, bomb,
				       empty_members};
	Suite *suite = suite_create("io");
	TCase *c = tcase_create("sizes");

	add_case(suite, "plain", plain, HP_ARRAY_LEN(plain));
	add_case(suite, "pipes", piped, HP_ARRAY_LEN(piped));
	add_case(suite, "packed", packed, HP_ARRAY_LEN(packed));
	add_case(suite, "limits", limits, HP_ARRAY_LEN(limits));
	tcase_add_checked_fixture(c, folder_make, folder_remove);
	tcase_set_timeout(c, 120);
	tcase_add_loop_test(c, all_sizes, 0, 8);
	tcase_add_test(c, close_early);
	suite_add_tcase(suite, c);
	return suite;
}
