/*
 * test_convert_salvage.c - tests of --salvage, for packs with lost blocks and
 * for every truncation of a dump
 *
 * All objects after a lost block must be recovered. No object may be recovered
 * that was not in the dump.
 */
#include "common/pack/pack.h"
#include "common/pack/internal.h"
#include "convert/pipeline.h"
#include "convert/salvage/internal.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/validate_helper.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_convert_salvage_suite(void);

enum { BLOCKS_MOST = 400 };

/* A packed dump with small blocks, and the offset of each block. */
struct packed {
	struct hp_buf bytes;
	size_t blocks;
	struct hp_pack_entry entry[BLOCKS_MOST];
};

static enum hp_status
append_bytes(void *context, const void *buf, size_t n, struct hp_error *err)
{
	hp_buf_add(context, buf, n);
	return HP_OK;
}

static void
pack_small(struct packed *p, const struct b *b)
{
	struct hp_error err = {0};
	struct hp_pack_tail tail;
	const uint8_t *bytes;
	void *w;

	*p = (struct packed){0};
	ck_assert_int_eq(hp_pack_writer_open_sized(&w, append_bytes, &p->bytes,
						   3, 0, 1500, &err),
			 HP_OK);
	ck_assert_int_eq(hp_pack_writer_write(w, b->data, b->len, &err), HP_OK);
	ck_assert_int_eq(hp_pack_writer_finish(w, &err), HP_OK);
	hp_pack_writer_close(w, false);
	bytes = (const uint8_t *)p->bytes.data;
	ck_assert(
		hp_pack_tail_read(bytes + p->bytes.len - HP_PACK_TAIL, &tail));
	p->blocks = tail.blocks;
	ck_assert_uint_le(p->blocks, BLOCKS_MOST);
	for (size_t i = 0; i < p->blocks; i++)
		p->entry[i] =
			hp_pack_directory_entry(bytes + tail.directory, i);
}

/*
 * Damage a block by inverting bits. A second call for the same block repairs
 * it.
 */
static void
hit(struct packed *p, size_t block)
{
	const struct hp_pack_entry *e = &p->entry[block];

	p->bytes.data[e->at + e->stored - 3] ^= 0x10;
}

static int
file_of(const struct hp_buf *bytes)
{
	int fd = bytes_as_file(bytes->data, bytes->len);

	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/*
 * Returns the number of objects in a dump. The test fails if hprof-validate
 * finds errors in it. If @nulled is true, dangling references also count as
 * errors.
 */
static uint64_t
judge(const char *path, bool nulled)
{
	struct hp_validate_options o = {.threads = 1,
					.memory = 64 << 20,
					.level = HP_LEVEL_REFERENCES,
					.max_examples = 1};
	struct hp_validation v;
	uint64_t objects = 0;

	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	hp_validate_file(path, &o, &v);
	ck_assert_uint_eq(v.totals[HP_SEVERITY_ERROR], 0);
	for (unsigned tag = HP_SUB_INSTANCE_DUMP;
	     tag <= HP_SUB_PRIMITIVE_ARRAY_DUMP; tag++)
		objects += v.subs[tag];
	ck_assert(!nulled || v.dangling == 0);
	hp_validation_release(&v);
	return objects;
}

static uint64_t
salvaged(const struct hp_buf *bytes, bool nulls, struct hp_pipeline *s,
	 enum hp_status *st)
{
	const struct hp_source_options so = {.holes = true,
					     .packing = &hp_pack_vtable};
	struct hp_convert_options o = {.salvage = true, .null_dangling = nulls};
	struct hp_error err = {0};
	struct hp_source *src, *back;
	struct hp_sink *sink;
	struct hp_buf out = {0};
	uint64_t objects = 0;
	char path[32];
	int fd;

	o.common.threads = 1;
	*s = (struct hp_pipeline){.options = &o};
	ck_assert_int_eq(
		hp_source_open_fd(&src, file_of(bytes), "a pack", &so, &err),
		HP_OK);
	ck_assert_int_eq(hp_sink_open_temporary(&sink, &err), HP_OK);
	*st = hp_pipeline_run(s, src, sink, &err);
	if (*st == HP_OK) {
		uint8_t buf[4096];
		size_t got = sizeof(buf);

		ck_assert_int_eq(hp_sink_reopen(sink, &back, &so, &err), HP_OK);
		while (got == sizeof(buf)) {
			ck_assert_int_eq(hp_source_read(back, buf, sizeof(buf),
							&got, &err),
					 HP_OK);
			hp_buf_add(&out, buf, got);
		}
		hp_source_close(back);
		fd = file_of(&out);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		objects = judge(path, nulls);
		close(fd);
		hp_buf_release(&out);
	}
	hp_sink_abort(sink);
	hp_source_close(src);
	return objects;
}

/*
 * Test that losing a block loses only the objects that are in it completely or
 * partly.
 */
START_TEST(each_block_lost)
{
	static const char *const names[] = {"leak-after", "hotspot", "art"};
	struct packed p;
	struct hp_pipeline s;
	enum hp_status st;
	uint64_t all;
	struct b b;

	b_fixture_build(b_fixture_find(names[_i / 2]), &b, _i % 2 ? 8 : 4);
	pack_small(&p, &b);
	b_release(&b);
	all = salvaged(&p.bytes, true, &s, &st);
	ck_assert_int_eq(st, HP_OK);
	ck_assert_uint_eq(s.salvage.lost, 0);
	ck_assert_int_eq(s.container.status, HP_OK);
	ck_assert_uint_ge(p.blocks, 3);
	for (size_t i = 0; i < p.blocks; i++) {
		uint64_t objects;
		char name[32];

		hit(&p, i);
		objects = salvaged(&p.bytes, true, &s, &st);
		hit(&p, i);
		/* the first block contains the header of the dump */
		if (i == 0) {
			ck_assert_int_eq(st, HP_DAMAGED);
			continue;
		}
		snprintf(name, sizeof(name), "block %zu (", i);
		ck_assert_int_eq(st, HP_OK);
		ck_assert_ptr_nonnull(strstr(s.container.text, name));
		ck_assert_uint_ge(s.salvage.lost, p.entry[i].plain);
		ck_assert_uint_lt(s.salvage.lost, p.entry[i].plain + 3000);
		ck_assert_uint_le(objects, all);
		if (_i / 2 == 0 &&
		    /* the blocks of the second half contain no class dumps */
		    i > p.blocks / 2)
			ck_assert_uint_ge(objects + 3000 / 22, all);
	}
	hp_buf_release(&p.bytes);
}
END_TEST

/*
 * Test that an array is lost if a lost block is in the middle of it. It must
 * not be recovered with zeros as elements.
 */
START_TEST(array_over_a_hole)
{
	uint64_t values[9000];
	struct packed p;
	struct hp_pipeline s;
	enum hp_status st;
	struct b b;

	for (size_t i = 0; i < HP_ARRAY_LEN(values); i++)
		values[i] = i;
	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 0);
	b_segment(&b);
	b_primitive_array(&b, 0x1000, 8, HP_ARRAY_LEN(values), values);
	b_primitive_array(&b, 0x4000, 8, 100, values);
	b_close(&b);
	pack_small(&p, &b);
	b_release(&b);
	ck_assert_uint_eq(salvaged(&p.bytes, false, &s, &st), 2);
	hit(&p, 2);
	ck_assert_uint_eq(salvaged(&p.bytes, false, &s, &st), 1);
	ck_assert_uint_ge(s.salvage.lost, HP_ARRAY_LEN(values));
	hp_buf_release(&p.bytes);
}
END_TEST

/*
 * Test that every truncated dump that has at least one complete record becomes
 * a valid dump. Without a complete record there must be no output.
 */
START_TEST(every_prefix)
{
	static const struct {
		const char *name;
		unsigned id_size;
	} dumps[] = {{"tiny", 4}, {"tiny", 8}, {"all-tags", 4}};
	struct hp_buf prefix = {0};
	uint64_t objects = 0, first;
	struct hp_pipeline s;
	enum hp_status st;
	struct b b;

	b_fixture_build(b_fixture_find(dumps[_i].name), &b, dumps[_i].id_size);
	first = 31 + 9 + hp_load4(b.data + 31 + 5);
	for (size_t n = 0; n <= b.len; n++) {
		prefix.len = 0;
		hp_buf_add(&prefix, b.data, n);
		objects = salvaged(&prefix, false, &s, &st);
		ck_assert_int_eq(st, n < first ? HP_DAMAGED : HP_OK);
	}
	ck_assert_uint_gt(objects, 2);
	hp_buf_release(&prefix);
	b_release(&b);
}
END_TEST

/* ---- decisions about a single offset of a damaged dump ---- */

/*
 * A damaged dump in a file, with ids of 4 bytes, for the functions that read it
 * at any offset.
 */
struct wreck {
	struct hp_resync w;
	struct hp_plausible known;
	struct hp_error err;
};

static void
wreck_open(struct wreck *k, int fd)
{
	const struct hp_source_options so = {.threads = 0};
	struct hp_source *src;

	*k = (struct wreck){.known = {.id_size = 4}};
	ck_assert_int_eq(hp_source_open_fd(&src, fd, "a wreck", &so, &k->err),
			 HP_OK);
	k->w = (struct hp_resync){.src = src,
				  .size = hp_source_size(src),
				  .id_size = 4,
				  .known = &k->known,
				  .err = &k->err};
	ck_assert_int_eq(hp_resync_init(&k->w), HP_OK);
}

static void
wreck_close(struct wreck *k)
{
	hp_source_close(k->w.src);
	hp_resync_release(&k->w);
	hp_plausible_release(&k->known);
}

/*
 * The last HEAP DUMP of a file can be longer than 4 GB, but its length field
 * holds only the remainder modulo 4 GB. The end of the file shows the real
 * length. A HEAP DUMP SEGMENT cannot be that long.
 */
START_TEST(giant_heap_ends_with_the_file)
{
	static const uint64_t begin = 40, length = 1000;
	const uint64_t size = begin + HP_HEAD_SIZE + (1ull << 32) + length;
	int fd = memfd_create("giant", MFD_CLOEXEC);
	struct wreck k;
	bool sure;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
	wreck_open(&k, fd);
	ck_assert_uint_eq(k.w.size, size);
	ck_assert_uint_eq(hp_resync_heap_end(&k.w, begin, HP_REC_HEAP_DUMP,
					     length, &sure),
			  size);
	ck_assert(sure);
	hp_resync_heap_end(&k.w, begin, HP_REC_HEAP_DUMP, length - 1, &sure);
	ck_assert(!sure);
	hp_resync_heap_end(&k.w, begin, HP_REC_HEAP_DUMP_SEGMENT, length,
			   &sure);
	ck_assert(!sure);
	wreck_close(&k);
}
END_TEST

START_TEST(segments_of_a_gigabyte)
{
	static const uint64_t begin = 40, length = 400u << 20;
	const uint64_t whole = 14 + length;
	uint8_t head[14] = {HP_SUB_PRIMITIVE_ARRAY_DUMP};
	uint8_t record[HP_HEAD_SIZE] = {HP_REC_HEAP_DUMP};
	int fd = memfd_create("long", MFD_CLOEXEC);
	struct hp_salvage_result result = {0};
	struct hp_salvage s = {.result = &result};
	struct wreck k;

	ck_assert_int_ge(fd, 0);
	hp_store4(record + 5, (uint32_t)(3 * whole));
	ck_assert_int_eq(pwrite(fd, record, sizeof(record), (off_t)begin),
			 sizeof(record));
	hp_store4(head + 9, (uint32_t)length);
	head[13] = HP_TYPE_BYTE;
	for (uint64_t i = 0; i < 3; i++) {
		head[4] = (uint8_t)(i + 1);
		ck_assert_int_eq(
			pwrite(fd, head, sizeof(head),
			       (off_t)(begin + HP_HEAD_SIZE + i * whole)),
			sizeof(head));
	}
	ck_assert_int_eq(
		ftruncate(fd, (off_t)(begin + HP_HEAD_SIZE + 3 * whole)), 0);
	wreck_open(&k, fd);
	s.w = k.w;
	s.w.known = &s.known;
	s.known.id_size = 4;
	s.known.learning = true;
	s.err = &k.err;
	ck_assert_int_eq(hp_plausible_begin(&s.known, s.err), HP_OK);
	hp_salvage_heap_record(&s, begin, HP_REC_HEAP_DUMP,
			       (uint32_t)(3 * whole));
	ck_assert_int_eq(s.status, HP_OK);
	ck_assert_uint_eq(s.objects, 3);
	ck_assert_uint_eq(s.heap_bytes, 3 * whole);
	ck_assert_uint_eq(s.segments, 2);
	hp_plausible_release(&s.known);
	k.w = s.w;
	wreck_close(&k);
}
END_TEST

/*
 * The elements of a byte array in a damaged dump may be missing. The bytes
 * after the array decide whether they are missing. If both cases are equally
 * likely, the elements count as missing.
 */
START_TEST(cropped_or_whole)
{
	/*
	 * the bytes after the fixed fields of the array: a root, or the head of
	 * a heap record without a length
	 */
	static const uint8_t root[] = {HP_SUB_ROOT_STICKY_CLASS, 0, 0, 1, 0};
	static const uint8_t heap[HP_HEAD_SIZE] = {HP_REC_HEAP_DUMP};
	static const struct {
		const uint8_t *elements;
		uint8_t count;
		bool root_follows, cropped;
	} tests[] = {{root, sizeof(root), true, true},
		     {heap, sizeof(heap), false, false}};
	const uint8_t count = tests[_i].count;
	const uint8_t head[] = {HP_SUB_PRIMITIVE_ARRAY_DUMP,
				0,
				0,
				2,
				0,
				0,
				0,
				0,
				1,
				0,
				0,
				0,
				count,
				HP_TYPE_BYTE};
	struct hp_buf bytes = {0};
	struct hp_sub sub = {0};
	struct wreck k;

	hp_buf_add(&bytes, head, sizeof(head));
	hp_buf_add(&bytes, tests[_i].elements, count);
	if (tests[_i].root_follows)
		hp_buf_add(&bytes, root, sizeof(root));
	wreck_open(&k, file_of(&bytes));
	k.w.cropped = true;
	ck_assert(hp_resync_sub(&k.w, 0, k.w.size, false, &sub));
	ck_assert_uint_eq(sub.size, tests[_i].cropped ? sizeof(head)
						      : sizeof(head) + count);
	ck_assert_uint_eq(sub.tag, tests[_i].cropped
					   ? HP_SUB_PRIMITIVE_ARRAY_NODATA
					   : HP_SUB_PRIMITIVE_ARRAY_DUMP);
	wreck_close(&k);
	hp_buf_release(&bytes);
}
END_TEST

Suite *
test_convert_salvage_suite(void)
{
	Suite *suite = suite_create("convert_salvage");
	TCase *t = tcase_create("packs"), *q = quick_case(suite, 60);

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(q, each_block_lost, 0, 6);
	tcase_add_test(q, array_over_a_hole);
	tcase_add_test(q, giant_heap_ends_with_the_file);
	tcase_add_test(q, segments_of_a_gigabyte);
	tcase_add_loop_test(q, cropped_or_whole, 0, 2);
	tcase_add_loop_test(q, every_prefix, 0, 1);
	tcase_add_loop_test(t, every_prefix, 1, 3);
	suite_add_tcase(suite, t);
	return suite;
}
