/*
 * test_sink_gzip_out.c - tests of the gzip encoder, and of outputs that are
 * written directly to their file
 *
 * A gzip block must have the same bytes for any addresses of the encoder's
 * memory. After an error, the length of an output that is written directly must
 * not depend on the number of threads.
 */
#include "common/sink/internal.h"
#include "common/sink/sink.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	PLACES = 3000,
	/* number of additional workers, as on a large machine */
	OTHERS = 200,
	WINDOW = 64 << 10,
	LINES = 6,
	/* the test writes one and a half times as many bytes as this */
	FILLED = 7 << 20,
};

Suite *test_sink_gzip_out_suite(void);

static void
block_fill(struct hp_compressor_block *b)
{
	b->in_room = 4096;
	b->in = calloc(1, b->in_room);
	must(b->in);
	for (unsigned i = 0; i < LINES; i++)
		b->in_len += (size_t)snprintf(
			(char *)b->in + b->in_len, b->in_room - b->in_len,
			"{\"record\":\"STRING\",\"offset\":%u,\"time\":0}\n",
			31 + 46 * i);
	b->out_room = hp_gzip_encoder.bound(b->in_len);
	b->out = malloc(b->out_room);
	must(b->out);
}

static void
block_encode(struct hp_compressor_block *b)
{
	void *worker = hp_gzip_encoder.worker_open(1);

	must(worker);
	must(hp_gzip_encoder.encode(worker, b));
	hp_gzip_encoder.worker_close(worker);
}

START_TEST(same_at_any_address)
{
	struct hp_compressor_block b = {0};
	static void *taken[PLACES];
	void *others[OTHERS];
	uint8_t first[4096];
	size_t length;

	block_fill(&b);
	block_encode(&b);
	length = b.out_len;
	must(length <= sizeof(first));
	memcpy(first, b.out, length);
	for (unsigned i = 0; i < OTHERS; i++) {
		others[i] = hp_gzip_encoder.worker_open(1);
		must(others[i]);
	}
	for (unsigned i = 0; i < PLACES; i++) {
		/*
		 * allocate the memory that the worker has freed, so that the
		 * next worker gets other addresses
		 */
		taken[i] = malloc(WINDOW);
		must(taken[i]);
		must(mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0) != MAP_FAILED);
		block_encode(&b);
		ck_assert_uint_eq(b.out_len, length);
		ck_assert_mem_eq(b.out, first, length);
	}
	for (unsigned i = 0; i < PLACES; i++)
		free(taken[i]);
	for (unsigned i = 0; i < OTHERS; i++)
		hp_gzip_encoder.worker_close(others[i]);
	free(b.in);
	free(b.out);
}
END_TEST

/*
 * Write an output, and abort it in the middle of its last block. Returns the
 * size of the output.
 */
static off_t
given_up(enum hp_compression compression, unsigned threads)
{
	static uint8_t bytes[FILLED + FILLED / 2];
	const struct hp_sink_options options = {.compression = compression,
						.threads = threads};
	int fd = memfd_create("out", 0);
	struct hp_sink *s;
	char path[32];
	off_t length;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * i >> 7);
	must(fd >= 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	must(hp_sink_open(&s, path, &options, NULL) == HP_OK);
	must(hp_sink_write(s, bytes, sizeof(bytes), NULL) == HP_OK);
	hp_sink_abort(s);
	length = lseek(fd, 0, SEEK_END);
	close(fd);
	return length;
}

START_TEST(given_up_at_the_same_place)
{
	enum hp_compression c = _i ? HP_COMPRESSION_ZSTD : HP_COMPRESSION_GZIP;
	off_t length = given_up(c, 0);

	ck_assert_int_gt(length, 0);
	for (unsigned threads = 1; threads <= 8; threads++)
		ck_assert_int_eq(given_up(c, threads), length);
}
END_TEST

Suite *
test_sink_gzip_out_suite(void)
{
	Suite *suite = suite_create("sink_gzip_out");
	TCase *c = tcase_create("gzip_out"), *q = quick_case(suite, 60);

	tcase_set_timeout(c, 120);
	tcase_add_test(c, same_at_any_address);
	tcase_add_loop_test(q, given_up_at_the_same_place, 0, 1);
	tcase_add_loop_test(c, given_up_at_the_same_place, 1, 2);
	suite_add_tcase(suite, c);
	return suite;
}
