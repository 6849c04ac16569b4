/*
 * test_pack.c - tests of packs, the project's archive format: unpacking returns
 * the same bytes, and damage is reported
 */
#include "common/base/platform.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/block.h"
#include "common/pack/pack.h"
#include "common/pack/internal.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/must.h"
#include "tests/unit/test_pack_helper.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum hp_status
append_bytes(void *context, const void *buf, size_t n, struct hp_error *err)
{
	hp_buf_add(context, buf, n);
	return HP_OK;
}

struct hp_buf
test_pack_write(const void *data, size_t n, unsigned threads, size_t block)
{
	struct hp_buf out = {0};
	struct hp_error err = {0};
	const uint8_t *p = data;
	void *w;

	ck_assert_int_eq(hp_pack_writer_open_sized(&w, append_bytes, &out, 3,
						   threads, block, &err),
			 HP_OK);
	for (size_t step = 1; n > 0; step = step * 3 + 1) {
		size_t k = step < n ? step : n;

		ck_assert_int_eq(hp_pack_writer_write(w, p, k, &err), HP_OK);
		p += k;
		n -= k;
	}
	ck_assert_int_eq(hp_pack_writer_finish(w, &err), HP_OK);
	hp_pack_writer_close(w, false);
	ck_assert(hp_buf_ok(&out));
	return out;
}

struct test_pack_read
test_pack_read(const void *data, size_t n, unsigned threads, bool with_holes)
{
	const struct hp_source_options so = {.threads = threads,
					     .holes = with_holes,
					     .packing = &hp_pack_vtable};
	const struct hp_hole *holes;
	const struct hp_container_note *notes;
	struct test_pack_read r = {0};
	struct hp_source *src = NULL;
	struct hp_error err = {0};
	int fd = memfd_create("pack", 0);
	size_t got = 1;

	ck_assert_int_eq(write(fd, data, n), (ssize_t)n);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	r.status = hp_source_open_fd(&src, fd, "pack", &so, &err);
	if (r.status != HP_OK)
		return r;
	for (size_t step = 1; got > 0 && r.status == HP_OK; step += 1000) {
		uint8_t *buf = malloc(step);

		r.status = hp_source_read(src, buf, step, &got, &err);
		hp_buf_add(&r.out, buf, got);
		free(buf);
	}
	notes = hp_source_notes(src, &r.nnotes);
	ck_assert_uint_le(r.nnotes, HP_ARRAY_LEN(r.notes));
	if (r.nnotes)
		memcpy(r.notes, notes, r.nnotes * sizeof(*notes));
	holes = hp_source_holes(src, &r.nholes);
	ck_assert_uint_le(r.nholes, HP_ARRAY_LEN(r.holes));
	if (r.nholes)
		memcpy(r.holes, holes, r.nholes * sizeof(*holes));
	hp_source_close(src);
	return r;
}

static struct test_pack_read
unpack(const void *data, size_t n, unsigned threads)
{
	return test_pack_read(data, n, threads, false);
}

static void
check_round(const char *name, const void *data, size_t n, size_t block)
{
	struct hp_buf alone = test_pack_write(data, n, 0, block);
	struct hp_buf two = test_pack_write(data, n, 2, block);
	struct test_pack_read r;

	ck_assert_msg(alone.len == two.len &&
			      memcmp(alone.data, two.data, two.len) == 0,
		      "%s: threads are seen", name);
	for (unsigned threads = 0; threads <= 2; threads += 2) {
		r = unpack(alone.data, alone.len, threads);
		ck_assert_msg(
			r.status == HP_OK && r.nnotes == 0 && r.out.len == n &&
				(n == 0 || memcmp(r.out.data, data, n) == 0),
			"%s of %zu bytes, blocks of %zu: differs", name, n,
			block);
		hp_buf_release(&r.out);
	}
	hp_buf_release(&alone);
	hp_buf_release(&two);
}

START_TEST(every_fixture)
{
	static const size_t blocks[] = {64, 700, 20000, HP_PACK_BLOCK};

	for (const struct b_fixture *f = b_fixtures(); f->name; f++) {
		for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
			struct b b;

			if (!(f->id_sizes & id_size))
				continue;
			b_fixture_build(f, &b, id_size);
			if (b.len < 4 << 20)
				check_round(f->name, b.data, b.len,
					    blocks[(b.len + id_size / 4) % 4]);
			b_release(&b);
		}
	}
}
END_TEST

START_TEST(every_prefix)
{
	static const char *const names[] = {"hotspot", "agent", "art"};

	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++) {
		struct b b;

		b_fixture_build(b_fixture_find(names[i]), &b, 4);
		for (size_t n = 0; n < b.len; n += 1 + n / 200) {
			struct hp_buf p = test_pack_write(b.data, n, 0, 4096);
			struct test_pack_read r = unpack(p.data, p.len, 0);

			ck_assert_uint_eq(r.out.len, n);
			ck_assert_uint_eq(r.nnotes, 0);
			ck_assert(n == 0 || memcmp(r.out.data, b.data, n) == 0);
			hp_buf_release(&p);
			hp_buf_release(&r.out);
		}
		b_release(&b);
	}
}
END_TEST

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

START_TEST(random_bytes)
{
	uint64_t state = (uint64_t)_i + 1;
	size_t n = (size_t)1 << _i;
	uint8_t *data = malloc(n);

	for (size_t i = 0; i < n; i++)
		data[i] = (uint8_t)next_random(&state);
	check_round("random bytes", data, n, HP_PACK_BLOCK);
	check_round("random bytes", data, n, 64);
	memset(data, 0, n);
	check_round("zeros", data, n, HP_PACK_BLOCK);
	free(data);
}
END_TEST

START_TEST(changed_dumps)
{
	uint64_t state = 7;
	struct b b;

	b_fixture_build(b_fixture_find("hotspot"), &b, 8);
	for (unsigned i = 0; i < 300; i++) {
		size_t at = next_random(&state) % b.len;
		uint8_t old = b.data[at];

		b.data[at] = (uint8_t)next_random(&state);
		check_round("a changed dump", b.data, b.len,
			    i % 2 ? HP_PACK_BLOCK : 5000);
		b.data[at] = old;
	}
	b_release(&b);
}
END_TEST

START_TEST(long_arrays)
{
	size_t n = 70000 + 13 * (size_t)_i;
	struct hp_buf p;
	struct b b;

	b_init(&b, _i % 2 ? 4 : 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 0);
	b_segment(&b);
	for (unsigned k = 0; k < 6; k++) {
		uint64_t *elements = calloc(n, sizeof(*elements));
		uint64_t state = k;

		ck_assert_ptr_nonnull(elements);
		/* references to objects that are close to each other */
		for (size_t i = 0; i < n; i++)
			elements[i] =
				0x40000000 + 8 * (next_random(&state) % 1000);
		if (k % 2)
			b_primitive_array(&b, 0x10000 + k, 4 + k, (uint32_t)n,
					  elements);
		else
			b_object_array(&b, 0x10000 + k, 0x7777, (uint32_t)n,
				       elements);
		free(elements);
	}
	b_close(&b);
	check_round("long arrays", b.data, b.len, 300000);
	check_round("long arrays", b.data, b.len, 1 << 20);
	check_round("long arrays", b.data, b.len, HP_PACK_BLOCK);
	p = test_pack_write(b.data, b.len, 0, 1 << 20);
	ck_assert_uint_lt(p.len,
			  /*
			   * the pack can be this small only if the records were
			   * recognised, and not stored as plain bytes
			   */
			  b.len / 3);
	hp_buf_release(&p);
	b_release(&b);
}
END_TEST

/*
 * Test that a pack stores stack traces and allocation sites field by field, so
 * that these records shrink to a tenth.
 */
START_TEST(traces_and_sites)
{
	enum { N = 3000, DEPTH = 6 };
	static struct b_site sites[N];
	const struct b_totals totals = {0};
	unsigned id_size = _i % 2 ? 4 : 8;
	uint64_t state = 5, frames[DEPTH];
	struct hp_buf p;
	struct b b;

	b_init(&b, id_size);
	b_header(&b, "JAVA PROFILE 1.0.1", 0);
	for (uint32_t i = 0; i < N; i++) {
		for (unsigned k = 0; k < DEPTH; k++)
			frames[k] = 1000 + i / 4 + k;
		b_trace(&b, 1 + i, 7, i % DEPTH, frames);
		sites[i] = (struct b_site){.array_kind = i % 3 ? 0 : 8,
					   .class_serial =
						   next_random(&state) % 64,
					   .trace = 1 + i,
					   .live_bytes = 16 * (i % 8),
					   .live_count = i % 8,
					   .bytes = 32 * (i % 8),
					   .count = 2 * (i % 8)};
	}
	b_alloc_sites(&b, 0, 0, &totals, N, sites);
	check_round("traces and sites", b.data, b.len, 700);
	check_round("traces and sites", b.data, b.len, HP_PACK_BLOCK);
	p = test_pack_write(b.data, b.len, 0, HP_PACK_BLOCK);
	ck_assert_uint_lt(p.len, b.len / 10);
	hp_buf_release(&p);
	b_release(&b);
}
END_TEST

/* Test a small input with repeated data, which the pack contains only once. */
START_TEST(same_again)
{
	enum { N = 3 << 19 };
	struct hp_buf out = {0};
	struct hp_error err = {0};
	uint8_t *data = malloc(N);
	uint64_t state = 11;
	void *w;

	for (size_t i = 0; i < N; i++)
		data[i] = (uint8_t)next_random(&state);
	ck_assert_int_eq(
		hp_pack_writer_open(&w, append_bytes, &out, 3, 0, 0, &err),
		HP_OK);
	ck_assert_int_eq(hp_pack_writer_write(w, data, N, &err), HP_OK);
	ck_assert_int_eq(hp_pack_writer_write(w, data, N, &err), HP_OK);
	ck_assert_int_eq(hp_pack_writer_finish(w, &err), HP_OK);
	hp_pack_writer_close(w, false);
	ck_assert_uint_lt(out.len, N + N / 100);
	hp_buf_release(&out);
	free(data);
}
END_TEST

/*
 * Write names as HotSpot does. The ids of the names of a class are consecutive,
 * but the order in the dump is that of a hash table.
 */
static void
build_names(struct b *b, unsigned id_size, uint32_t n)
{
	uint64_t *ids = calloc(n, sizeof(*ids)), id = 0x70001000;
	char text[80];

	ck_assert_ptr_nonnull(ids);
	b_init(b, id_size);
	b_header(b, "JAVA PROFILE 1.0.2", 0);
	for (uint32_t i = 0; i < n; i++) {
		int len = snprintf(text, sizeof(text),
				   "org/example/service%u/Part$%u", i / 9, i);

		ids[i] = id;
		id += ((uint64_t)len + 6 + 7) / 8 * 8;
	}
	for (uint32_t i = 0; i < n;
	     /* a multiple of 7919 would repeat names */
	     i++) {
		uint32_t k = (uint32_t)((uint64_t)i * 7919 % n);

		snprintf(text, sizeof(text), "org/example/service%u/Part$%u",
			 k / 9, k);
		b_string(b, ids[k], text);
	}
	free(ids);
}

START_TEST(texts_by_id)
{
	enum { N = 5000 };
	unsigned id_size = _i % 2 ? 4 : 8;
	struct hp_buf p;
	struct b b;

	build_names(&b, id_size, N);
	check_round("names", b.data, b.len, 700);
	check_round("names", b.data, b.len, 20000);
	check_round("names", b.data, b.len, HP_PACK_BLOCK);
	p = test_pack_write(b.data, b.len, 0, HP_PACK_BLOCK);
	/*
	 * the order of the names needs two bytes for each name; ids and texts
	 * need almost nothing
	 */
	ck_assert_uint_lt(p.len, 4 * N);
	hp_buf_release(&p);
	b_release(&b);
}
END_TEST

/* Change the byte @at in data stream @id of a block, then decode the block. */
static enum hp_status
decode_changed(const struct hp_pack_encoder *e, unsigned id, size_t at,
	       uint8_t change, uint8_t *out)
{
	struct hp_buf streams[HP_PACK_STREAMS] = {0};
	struct hp_pack_decoder d = {0};
	enum hp_status st;

	for (size_t i = 0; i < e->nsegments; i++)
		hp_buf_add(&streams[e->segments[i].stream], e->segments[i].data,
			   e->segments[i].n);
	ck_assert_uint_lt(at, streams[id].len);
	streams[id].data[at] ^= (char)change;
	hp_pack_streams_clear(&d);
	for (unsigned i = 0; i < HP_PACK_STREAMS; i++)
		if (streams[i].len > 0)
			d.streams[i] = (struct hp_pack_bytes){
				(const uint8_t *)streams[i].data,
				(const uint8_t *)streams[i].data +
					streams[i].len};
	st = hp_pack_decode(&d, out, e->n);
	for (unsigned i = 0; i < HP_PACK_STREAMS; i++)
		hp_buf_release(&streams[i]);
	hp_pack_decoder_release(&d);
	return st;
}

/*
 * Test a block with a wrong order of names: its data stream lists a row twice,
 * or a row that does not exist. Decoding must report damage.
 */
START_TEST(false_order)
{
	enum { N = 300 };
	struct hp_pack_encoder e = {0};
	struct hp_pack_walk w = {.last = true};
	uint8_t *out;
	struct b b;

	build_names(&b, 8, N);
	w.at = b.data;
	w.left = b.len;
	out = malloc(b.len);
	ck_assert_int_eq(hp_pack_encode(&e, &w), HP_OK);
	ck_assert_int_eq(decode_changed(&e, HP_PACK_S_ORDER, 0, 0, out), HP_OK);
	ck_assert_mem_eq(out, b.data, b.len);
	for (size_t i = 0; i < N; i++) {
		/*
		 * Changing the low byte of an entry makes it refer to another
		 * row, which is then listed twice. Changing the high byte makes
		 * it refer to a row that does not exist.
		 */
		ck_assert_int_eq(decode_changed(&e, HP_PACK_S_ORDER, i, 1, out),
				 HP_DAMAGED);
		ck_assert_int_eq(
			decode_changed(&e, HP_PACK_S_ORDER + 1, i, 1, out),
			HP_DAMAGED);
		ck_assert_int_eq(
			decode_changed(&e, HP_PACK_S_ORDER + 1, i, 0x80, out),
			HP_DAMAGED);
	}
	hp_pack_encoder_release(&e);
	free(out);
	b_release(&b);
}
END_TEST

/* --- damaged packs ------------------------------------------------ */

static struct hp_buf
blocks_of(uint8_t *data, size_t n, size_t block)
{
	uint64_t state = 3;

	for (size_t i = 0; i < n; i++)
		data[i] = (uint8_t)next_random(&state);
	return test_pack_write(data, n, 0, block);
}

static void
check_hole(const struct hp_buf *bad, const uint8_t *data, size_t n, size_t from,
	   size_t to)
{
	for (unsigned threads = 0; threads <= 2; threads += 2) {
		struct test_pack_read r =
			test_pack_read(bad->data, bad->len, threads, true);

		ck_assert_int_eq(r.status, HP_OK);
		ck_assert_uint_eq(r.out.len, n);
		ck_assert_uint_eq(r.nholes, 1);
		ck_assert_uint_eq(r.holes[0].offset, from);
		ck_assert_uint_eq(r.holes[0].end, to);
		for (size_t i = 0; i < n; i++)
			must((uint8_t)r.out.data[i] ==
			     (i >= from && i < to ? 0 : data[i]));
		hp_buf_release(&r.out);
	}
}

START_TEST(damaged_blocks)
{
	static const size_t ranges[][2] = {{2, 2}, {0, 0}, {9, 9}, {3, 5}};
	uint8_t data[10000];
	struct hp_buf p = blocks_of(data, sizeof(data), 1000);
	size_t each = (p.len - HP_PACK_FILE_HEAD - HP_PACK_DIRECTORY_HEAD -
		       HP_PACK_TAIL) /
			      10 -
		      HP_PACK_DIRECTORY_ENTRY;

	for (size_t k = 0; k < HP_ARRAY_LEN(ranges); k++) {
		struct hp_buf bad = {0};
		struct test_pack_read r;
		size_t n = 0;

		hp_buf_add(&bad, p.data, p.len);
		for (size_t b = ranges[k][0]; b <= ranges[k][1]; b++)
			bad.data[HP_PACK_FILE_HEAD + b * each + each / 2] ^= 1;
		for (unsigned threads = 0; threads <= 2; threads += 2) {
			r = unpack(bad.data, bad.len, threads);
			ck_assert_int_eq(r.status, HP_OK);
			ck_assert_uint_eq(r.out.len, 1000 * ranges[k][0]);
			ck_assert(r.out.len == 0 ||
				  memcmp(r.out.data, data, r.out.len) == 0);
			n = ranges[k][1] - ranges[k][0] + 1;
			ck_assert_uint_eq(r.nnotes, n);
			for (size_t i = 0; i < n; i++) {
				ck_assert_int_eq(r.notes[i].problem,
						 HP_CONTAINER_PACK_BLOCK);
				ck_assert_uint_eq(r.notes[i].got,
						  ranges[k][0] + i);
				ck_assert_uint_eq(r.notes[i].want, 1000);
				ck_assert_uint_eq(r.notes[i].offset,
						  1000 * (ranges[k][0] + i));
			}
			hp_buf_release(&r.out);
		}
		check_hole(&bad, data, sizeof(data), 1000 * ranges[k][0],
			   1000 * (ranges[k][1] + 1));
		hp_buf_release(&bad);
	}
	hp_buf_release(&p);
}
END_TEST

START_TEST(versions)
{
	uint8_t head[HP_PACK_FILE_HEAD];

	hp_pack_file_head(head);
	ck_assert_uint_eq(hp_le2(head + 8), 3);
	for (uint16_t version = 0; version < 6; version++) {
		hp_put_le2(head + 8, version);
		hp_put_le4(head + 12, (uint32_t)XXH3_64bits(head, 12));
		ck_assert_int_eq(hp_pack_file_head_check(head),
				 version == 2 || version == 3 ? HP_OK
							      : HP_UNSUPPORTED);
	}
}
END_TEST

START_TEST(damaged_head)
{
	uint8_t data[5000];
	struct hp_buf p = blocks_of(data, sizeof(data), 1000);
	struct test_pack_read r;
	size_t at = HP_PACK_FILE_HEAD;

	while (memcmp(p.data + at, "HPKB\1\0\0\0", 8) != 0)
		at++;
	p.data[at + 9] ^= 4;
	r = unpack(p.data, p.len, 0);
	ck_assert_uint_eq(r.out.len, 1000);
	ck_assert_uint_eq(r.nnotes, 1);
	ck_assert_int_eq(r.notes[0].problem, HP_CONTAINER_PACK_BLOCK);
	ck_assert_uint_eq(r.notes[0].got, 1);
	ck_assert_uint_eq(r.notes[0].offset, 1000);
	ck_assert_uint_eq(r.notes[0].want, 1000);
	hp_buf_release(&r.out);
	check_hole(&p, data, sizeof(data), 1000, 2000);
	hp_buf_release(&p);
}
END_TEST

/*
 * Test damaged headers of the last blocks. The directory at the end of the pack
 * contains the sizes of these blocks, so the message must say how many bytes
 * are lost.
 */
START_TEST(damaged_last_heads)
{
	uint8_t data[5000];
	struct hp_buf p = blocks_of(data, sizeof(data), 1000);
	struct test_pack_read r;

	for (size_t at = 0; at + 8 < p.len; at++)
		if (memcmp(p.data + at, "HPKB", 4) == 0 && p.data[at + 4] >= 3)
			p.data[at + 9] ^= 4;
	r = unpack(p.data, p.len, 0);
	ck_assert_uint_eq(r.out.len, 3000);
	ck_assert_uint_eq(r.nnotes, 1);
	ck_assert_uint_eq(r.notes[0].got, 3);
	ck_assert_uint_eq(r.notes[0].want, 2000);
	hp_buf_release(&r.out);
	check_hole(&p, data, sizeof(data), 3000, 5000);
	hp_buf_release(&p);
}
END_TEST

/*
 * Test a pack with a block whose header contains a very large offset in the
 * dump. The pack is much too small for such a dump, so the reader must not fill
 * the gap with zeros.
 */
START_TEST(hole_too_long)
{
	uint8_t data[1000];
	struct hp_buf p = blocks_of(data, sizeof(data), 1000);
	uint8_t *head = (uint8_t *)p.data + HP_PACK_FILE_HEAD;
	struct hp_buf bad = {0};
	struct test_pack_read r;

	head[4 + 3] = 1;  /* change the number of the block */
	head[8 + 6] = 16; /* change the offset of the block to 2^52 */
	hp_put_le8(head + 40,
		   XXH3_64bits_withSeed(head + HP_PACK_BLOCK_HEAD,
					HP_PACK_ENTRY * hp_le4(head + 24),
					XXH3_64bits(head, 40)));
	hp_buf_add(&bad, p.data, p.len);
	for (unsigned threads = 0; threads <= 2; threads += 2) {
		r = test_pack_read(bad.data, bad.len, threads, true);
		ck_assert_int_eq(r.status, HP_OK);
		ck_assert_uint_le(r.out.len, 1000);
		ck_assert_uint_ge(r.nnotes, 1);
		hp_buf_release(&r.out);
	}
	hp_buf_release(&bad);
	hp_buf_release(&p);
}
END_TEST

START_TEST(cut_anywhere)
{
	uint8_t data[3000];
	struct hp_buf p = blocks_of(data, sizeof(data), 1000);

	for (size_t n = 8; n < p.len; n += n < 200 || n + 300 > p.len ? 1 : 7) {
		struct test_pack_read r = unpack(p.data, n, 0);

		ck_assert_uint_ge(r.nnotes, 1);
		ck_assert_int_eq(r.notes[r.nnotes - 1].problem,
				 HP_CONTAINER_PACK_TRUNCATED);
		ck_assert_uint_eq(r.out.len % 1000, 0);
		ck_assert(r.out.len == 0 ||
			  memcmp(r.out.data, data, r.out.len) == 0);
		hp_buf_release(&r.out);
	}
	hp_buf_release(&p);
}
END_TEST

/*
 * Test changing every byte of a small pack: either there is a message, or the
 * result is unchanged.
 */
START_TEST(every_byte_flipped)
{
	struct hp_buf p;
	struct b b;

	b_fixture_build(b_fixture_find("agent"), &b, 4);
	p = test_pack_write(b.data, b.len, 0, HP_PACK_BLOCK);
	for (size_t i = 8; i < p.len; i += i < 400 || i + 100 > p.len ? 1 : 3) {
		struct test_pack_read r;

		p.data[i] = (char)(p.data[i] ^ 1 << i % 8);
		r = unpack(p.data, p.len, 0);
		p.data[i] = (char)(p.data[i] ^ 1 << i % 8);
		ck_assert_msg(r.nnotes > 0 || i < 16 ||
				      r.status == HP_UNSUPPORTED,
			      "byte %zu: nothing is said", i);
		ck_assert(r.out.len == 0 || r.out.len == b.len);
		ck_assert(r.out.len == 0 ||
			  memcmp(r.out.data, b.data, b.len) == 0);
		hp_buf_release(&r.out);
	}
	hp_buf_release(&p);
	b_release(&b);
}
END_TEST

START_TEST(wrong_whole)
{
	uint8_t data[2000];
	struct hp_buf p = blocks_of(data, sizeof(data), 1000);
	uint8_t *tail = (uint8_t *)p.data + p.len - HP_PACK_TAIL;
	size_t head = HP_PACK_DIRECTORY_HEAD + 2 * HP_PACK_DIRECTORY_ENTRY;
	struct test_pack_read r;
	uint64_t hash;

	/*
	 * change only the hash of the whole dump, which is in the directory at
	 * the end
	 */
	tail[9] ^= 1;
	hash = XXH3_64bits(tail - head, head + HP_PACK_TAIL - 16);
	memcpy(tail + HP_PACK_TAIL - 16, &hash, sizeof(hash));
	r = unpack(p.data, p.len, 0);
	ck_assert_uint_eq(r.nnotes, 1);
	ck_assert_int_eq(r.notes[0].problem, HP_CONTAINER_PACK_HASH);
	hp_buf_release(&r.out);
	hp_buf_add(&p, "more", 4);
	tail = (uint8_t *)p.data + p.len - 4 - HP_PACK_TAIL;
	tail[HP_PACK_TAIL - 16] ^= 1;
	r = unpack(p.data, p.len, 0);
	ck_assert_uint_eq(r.nnotes, 2);
	ck_assert_int_eq(r.notes[0].problem, HP_CONTAINER_PACK_DIRECTORY);
	ck_assert_int_eq(r.notes[1].problem, HP_CONTAINER_PACK_TRAILING);
	ck_assert_uint_eq(r.notes[1].got, 4);
	hp_buf_release(&r.out);
	hp_buf_release(&p);
}
END_TEST

/* --- the encoding of columns -------------------------------------- */

START_TEST(codes_and_values)
{
	static const uint64_t edge[] = {0,
					1,
					7,
					8,
					255,
					256,
					UINT64_C(0x7fffffff),
					UINT64_C(0x80000000),
					UINT64_C(0xffffffff),
					UINT64_C(0x7fffffffffffffff),
					UINT64_C(0x8000000000000000),
					UINT64_MAX};
	static const uint8_t widths[] = {1, 2, 4, 8};
	uint64_t values[144], own[144], codes[144], base;
	size_t n = HP_ARRAY_LEN(edge), all = n * n;

	for (unsigned w = 0; w < 4 * 8 * HP_PACK_HOWS; w++) {
		struct hp_pack_column c = {.width = widths[w % 4],
					   .shift = w / 4 % 8,
					   .how = (uint8_t)(w / 32)};
		uint64_t mask = UINT64_MAX >> (64 - 8 * c.width);
		uint64_t prev = 0, bits = 0;

		if (c.how == HP_PACK_CONST || c.how == HP_PACK_COPY)
			continue;
		base = edge[w % n];
		c.base = base & mask;
		for (size_t i = 0; i < all; i++) {
			values[i] = edge[i % n] & mask;
			own[i] = edge[i / n] & mask;
		}
		if (!hp_pack_encode_value(&c, &prev, values, own, codes, all,
					  &bits)) {
			ck_assert_int_ne(c.how, HP_PACK_PLAIN);
			/* the encoding c.how cannot encode one of the values */
			c.how = HP_PACK_PLAIN;
			bits = prev = 0;
			ck_assert(hp_pack_encode_value(&c, &prev, values, own,
						       codes, all, &bits));
		}
		ck_assert_uint_eq(bits & ~mask, 0);
		prev = 0;
		if (c.how != HP_PACK_PLAIN)
			hp_pack_decode_value(&c, &prev, codes, own, all);
		for (size_t i = 0; i < all; i++)
			ck_assert_uint_eq(codes[i], values[i]);
	}
}
END_TEST

START_TEST(splits_and_joins)
{
	uint64_t codes[100], back[100], state = 5;
	uint8_t planes[800];

	for (unsigned count = 0; count <= 8; count++) {
		const uint8_t *from[8];
		uint64_t bits = count ? UINT64_MAX >> (64 - 8 * count) : 0;

		for (size_t i = 0; i < 100; i++)
			codes[i] = (next_random(&state) << 40 ^
				    next_random(&state) << 20 ^
				    next_random(&state)) &
				   bits;
		memset(planes, 0, sizeof(planes));
		hp_byte_shuffle(planes, 100, codes, 100, bits);
		for (unsigned p = 0; p < count; p++)
			from[p] = planes + 100 * p;
		hp_byte_unshuffle(from, count, back, 100);
		ck_assert_mem_eq(codes, back, sizeof(codes));
	}
}
END_TEST

Suite *test_pack_suite(void);

Suite *
test_pack_suite(void)
{
	Suite *s = suite_create("pack");
	TCase *t = tcase_create("pack"), *q = quick_case(s, 60);

	tcase_set_timeout(t, 120);
	tcase_add_test(t, every_fixture);
	tcase_add_test(q, every_prefix);
	tcase_add_loop_test(q, random_bytes, 0, 18);
	tcase_add_test(q, changed_dumps);
	tcase_add_loop_test(q, long_arrays, 0, 1);
	tcase_add_loop_test(t, long_arrays, 1, HP_TSAN ? 2 : 8);
	tcase_add_loop_test(q, traces_and_sites, 0, 2);
	tcase_add_test(q, same_again);
	tcase_add_loop_test(q, texts_by_id, 0, 2);
	tcase_add_test(q, false_order);
	tcase_add_test(q, damaged_blocks);
	tcase_add_test(q, versions);
	tcase_add_test(q, damaged_head);
	tcase_add_test(q, damaged_last_heads);
	tcase_add_test(q, hole_too_long);
	tcase_add_test(q, cut_anywhere);
	tcase_add_test(q, every_byte_flipped);
	tcase_add_test(q, wrong_whole);
	tcase_add_test(q, codes_and_values);
	tcase_add_test(q, splits_and_joins);
	suite_add_tcase(s, t);
	return s;
}
