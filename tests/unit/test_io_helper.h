/*
 * test_io_helper.h - helpers for the tests of common/io
 *
 * They generate data, create files in a temporary folder, compress bytes
 * without using common/io, and read inputs to their end.
 */
#ifndef HP_TEST_IO_HELPER_H
#define HP_TEST_IO_HELPER_H

#include "common/io/source.h"

#include <check.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define UNUSED __attribute__((unused))

struct bytes {
	uint8_t *data;
	size_t len, room;
};

static char test_folder[64];

static UNUSED void
folder_make(void)
{
	strcpy(test_folder, "/tmp/hprof-io-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(test_folder));
	ck_assert_int_eq(chdir(test_folder), 0);
}

static UNUSED void
folder_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", test_folder);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(system(command), 0);
}

static UNUSED struct bytes
bytes_new(size_t room)
{
	struct bytes b = {.data = malloc(room + 1), .room = room};

	ck_assert_ptr_nonnull(b.data);
	return b;
}

static UNUSED void
bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

static UNUSED void
bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (n > b->room - b->len) {
		b->room = 2 * (b->len + n);
		b->data = realloc(b->data, b->room + 1);
		ck_assert_ptr_nonnull(b->data);
	}
	if (n > 0)
		memcpy(b->data + b->len, data, n);
	b->len += n;
}

static UNUSED void
bytes_join(struct bytes *b, struct bytes more)
{
	bytes_add(b, more.data, more.len);
	bytes_free(&more);
}

static UNUSED struct bytes
bytes_made(size_t n, uint64_t seed)
{
	struct bytes b = bytes_new(n);
	uint64_t x = seed * 2654435761u + 88172645463325252u;

	for (size_t i = 0; i < n; i++) {
		if (i % 16 == 0) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
		}
		b.data[i] = (uint8_t)(i % 16 < 6 ? x >> 8 * (i % 16) : i % 16);
	}
	b.len = n;
	return b;
}

static UNUSED void
file_write(const char *path, struct bytes b)
{
	FILE *f = fopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(b.data, 1, b.len, f), b.len);
	ck_assert_int_eq(fclose(f), 0);
}

static UNUSED struct bytes
file_read(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct bytes b = bytes_new(0);
	uint8_t chunk[65536];
	size_t n;

	ck_assert_ptr_nonnull(f);
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		bytes_add(&b, chunk, n);
	fclose(f);
	return b;
}

/*
 * Make a gzip member (one complete stream) that contains @plain. @head is the
 * header; NULL means the shortest header.
 */
static UNUSED struct bytes
gzip_member(struct bytes plain, const void *head, size_t head_len, int level)
{
	static const uint8_t shortest[10] = {0x1f, 0x8b, 8, 0, 0,
					     0,	   0,	 0, 4, 3};
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
	size_t most = libdeflate_deflate_compress_bound(c, plain.len);
	struct bytes b = bytes_new(0), body = bytes_new(most);
	uint32_t crc = libdeflate_crc32(0, plain.data, plain.len);
	uint32_t size = (uint32_t)plain.len;

	bytes_add(&b, head ? head : shortest, head ? head_len : 10);
	body.len = libdeflate_deflate_compress(c, plain.data, plain.len,
					       body.data, most);
	ck_assert_uint_gt(body.len, 0);
	bytes_join(&b, body);
	/*
	 * The bytes are little-endian in a gzip file, and on the machines that
	 * run the tests.
	 */
	bytes_add(&b, &crc, 4);
	bytes_add(&b, &size, 4);
	libdeflate_free_compressor(c);
	return b;
}

/*
 * Make a zstd frame with a checksum that contains @plain. If @size_known is
 * true, the header of the frame contains the size.
 */
static UNUSED struct bytes
zstd_frame(struct bytes plain, int level, bool size_known)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	struct bytes b = bytes_new(ZSTD_compressBound(plain.len) + 4);

	ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, size_known);
	b.len = ZSTD_compress2(c, b.data, ZSTD_compressBound(plain.len) + 4,
			       plain.data, plain.len);
	ck_assert(!ZSTD_isError(b.len));
	ZSTD_freeCCtx(c);
	return b;
}

/* The result of reading an input (a source) to its end. */
struct outcome {
	/* the status of the failed open, or the status of the last read */
	enum hp_status status;
	struct hp_error error;
	struct bytes bytes;
	const char *compression;
	struct hp_container_note notes[8];
	size_t notes_count;
};

static UNUSED void
outcome_notes(struct outcome *o, struct hp_source *s)
{
	const struct hp_container_note *list =
		hp_source_notes(s, &o->notes_count);

	ck_assert_uint_le(o->notes_count, HP_ARRAY_LEN(o->notes));
	for (size_t i = 0; i < o->notes_count; i++)
		o->notes[i] = list[i];
}

static UNUSED struct outcome
drain(struct hp_source *s, size_t step)
{
	struct outcome o = {.bytes = bytes_new(0)};
	uint8_t *buf = malloc(step);
	size_t got = step;

	ck_assert_ptr_nonnull(buf);
	while (o.status == HP_OK && got == step) {
		o.status = hp_source_read(s, buf, step, &got, &o.error);
		ck_assert_uint_le(got, step);
		bytes_add(&o.bytes, buf, got);
		ck_assert_uint_eq(hp_source_tell(s), o.bytes.len);
	}
	free(buf);
	o.compression = hp_source_compression(s);
	outcome_notes(&o, s);
	return o;
}

static UNUSED struct outcome
outcome_of(const char *path, unsigned threads, uint64_t max_size)
{
	struct hp_source_options options = {.threads = threads,
					    .max_size = max_size};
	struct outcome o = {0};
	struct hp_source *s;

	o.status = hp_source_open(&s, path, &options, &o.error);
	if (o.status == HP_OK)
		o = drain(s, 100000);
	else
		ck_assert_ptr_null(s);
	hp_source_close(s);
	return o;
}

static UNUSED struct outcome
outcome_made(struct bytes b, unsigned threads)
{
	file_write("made", b);
	return outcome_of("made", threads, 0);
}

static UNUSED void
outcome_free(struct outcome *o)
{
	bytes_free(&o->bytes);
}

static UNUSED const struct hp_container_note *
outcome_note(const struct outcome *o, enum hp_container_problem problem)
{
	for (size_t i = 0; i < o->notes_count; i++)
		if (o->notes[i].problem == problem)
			return &o->notes[i];
	return NULL;
}

/*
 * Check that reading the input returned exactly the bytes of @want, and no
 * message about damage.
 */
static UNUSED void
check_whole(const struct outcome *o, struct bytes want)
{
	ck_assert_int_eq(o->status, HP_OK);
	ck_assert_uint_eq(o->notes_count, 0);
	ck_assert_uint_eq(o->bytes.len, want.len);
	ck_assert(want.len == 0 ||
		  memcmp(o->bytes.data, want.data, want.len) == 0);
}

/* Whether the bytes that reading the input returned are a prefix of @want. */
static UNUSED bool
is_prefix(const struct outcome *o, struct bytes want)
{
	return o->bytes.len <= want.len &&
	       (o->bytes.len == 0 ||
		memcmp(o->bytes.data, want.data, o->bytes.len) == 0);
}

static UNUSED void
check_same(const struct outcome *a, const struct outcome *b)
{
	ck_assert_int_eq(a->status, b->status);
	ck_assert_uint_eq(a->bytes.len, b->bytes.len);
	ck_assert(a->bytes.len == 0 ||
		  memcmp(a->bytes.data, b->bytes.data, a->bytes.len) == 0);
	ck_assert_uint_eq(a->notes_count, b->notes_count);
	for (size_t i = 0; i < a->notes_count; i++) {
		ck_assert_int_eq(a->notes[i].problem, b->notes[i].problem);
		ck_assert_uint_eq(a->notes[i].offset, b->notes[i].offset);
		ck_assert_uint_eq(a->notes[i].raw, b->notes[i].raw);
		ck_assert_uint_eq(a->notes[i].count, b->notes[i].count);
	}
}

#endif
