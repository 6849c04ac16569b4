/*
 * test_io_gzip_out.c - a block of gzip is the same bytes wherever the encoder
 * lies in memory
 */
#include "common/io/block_compressor.h"
#include "tests/unit/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	PLACES = 3000,
	WINDOW = 64 << 10,
	LINES = 6,
};

Suite *test_io_gzip_out_suite(void);

/* A block of lines that begin alike, as NDJSON has. */
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

/* Encodes the block with a new worker of the fastest level. */
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
	uint8_t first[4096];
	size_t length;

	block_fill(&b);
	block_encode(&b);
	length = b.out_len;
	must(length <= sizeof(first));
	memcpy(first, b.out, length);
	for (unsigned i = 0; i < PLACES; i++) {
		/* these take what the worker had: the next lies elsewhere */
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
	free(b.in);
	free(b.out);
}
END_TEST

Suite *
test_io_gzip_out_suite(void)
{
	Suite *suite = suite_create("io_gzip_out");
	TCase *c = tcase_create("gzip_out");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, same_at_any_address);
	suite_add_tcase(suite, c);
	return suite;
}
