/*
 * input.c - turn bytes in memory into files, pipes and sources, and choose the
 * variant of a test
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

static unsigned fuzz_round;

void
hp_fuzz_round(unsigned round)
{
	fuzz_round = round;
}

unsigned
hp_fuzz_choice(const uint8_t *data, size_t n, unsigned ways)
{
	return (unsigned)((XXH3_64bits(data, n) + fuzz_round) % ways);
}

_Noreturn void
hp_fuzz_violated(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

static void
write_all(int fd, const uint8_t *data, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, data, n);

		HP_FUZZ_CHECK(done > 0);
		data += done;
		n -= (size_t)done;
	}
}

int
hp_fuzz_file(const uint8_t *data, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	HP_FUZZ_CHECK(fd >= 0);
	write_all(fd, data, n);
	HP_FUZZ_CHECK(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

int
hp_fuzz_pipe(const uint8_t *data, size_t n)
{
	int ends[2];

	HP_FUZZ_CHECK(pipe2(ends, O_CLOEXEC) == 0);
	if (n > 65536)
		HP_FUZZ_CHECK(fcntl(ends[1], F_SETPIPE_SZ, HP_FUZZ_MAX) > 0);
	write_all(ends[1], data, n);
	close(ends[1]);
	return ends[0];
}

struct hp_source *
hp_fuzz_source(const uint8_t *data, size_t n, enum hp_fuzz_kind kind,
	       unsigned threads)
{
	const struct hp_source_options options = {.threads = threads,
						  .max_size = HP_FUZZ_UNPACKED};
	struct hp_source *src = NULL;
	struct hp_error err = {0};
	int fd = kind == HP_FUZZ_FILE ? hp_fuzz_file(data, n)
				      : hp_fuzz_pipe(data, n);
	enum hp_status st = hp_source_open_fd(&src, fd, "fuzz", &options, &err);

	if (st == HP_LIMIT || st == HP_UNSUPPORTED)
		return NULL;
	if (st != HP_OK)
		hp_fuzz_violated(err.text, __FILE__, __LINE__);
	return src;
}

enum hp_status
hp_fuzz_read_all(struct hp_source *src, size_t step, uint8_t **buf, size_t *n)
{
	size_t cap = 0, got = 0;
	enum hp_status st;

	*buf = NULL;
	*n = 0;
	do {
		if (cap - *n < step) {
			cap = cap * 2 + step;
			*buf = realloc(*buf, cap);
			HP_FUZZ_CHECK(*buf != NULL);
		}
		st = hp_source_read(src, *buf + *n, step, &got, NULL);
		if (st == HP_OK)
			*n += got;
	} while (st == HP_OK && got == step);
	return st;
}
