/*
 * test_pack_table_counts.c - tests of counting objects from the tables in a
 * pack, and of tables that contradict the dump
 */
#include "common/format/heap.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/block.h"
#include "common/pack/internal.h"
#include "common/pack/pack.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/test_pack_helper.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

/* The results of counting the objects and records in a pack from its tables. */
struct counts {
	uint64_t rows[HP_PACK_KINDS];
	/* number of primitive arrays for each element type */
	uint64_t elements[HP_TYPE_END];
	uint64_t residues[HP_TYPE_END][256];
	/*
	 * for each tag: numbers of records, and of sub-records that are not
	 * objects
	 */
	uint64_t records[256], subrecords[256];
};

static enum hp_status
count_rows(void *context, const struct hp_pack_symbol *s,
	   const struct hp_pack_residue *residues)
{
	struct counts *c = context;
	uint64_t rows = 0;

	c->rows[s->kind] += s->rows;
	c->elements[s->type] += s->elements;
	for (uint32_t i = 0; i < s->nresidues; i++) {
		c->residues[s->type][residues[i].residue] += residues[i].rows;
		rows += residues[i].rows;
	}
	ck_assert_uint_eq(rows, s->kind == HP_PACK_INSTANCE ? 0 : s->rows);
	return HP_OK;
}

static void
count_heap(struct counts *c, struct hp_cursor body, unsigned id_size)
{
	struct hp_heap_iter it =
		hp_heap_begin(body.data, body.len, body.len, 0);
	struct hp_sub s = {0};

	while (hp_heap_next(&it, &s, id_size))
		c->subrecords[s.tag]++;
	ck_assert_int_eq(it.stop, HP_HEAP_END);
}

/*
 * A callback that receives the dump without its objects. It checks that the
 * data consists of complete records.
 */
static enum hp_status
take_rest(void *context, const void *bytes, size_t n, struct hp_error *err)
{
	struct hp_cursor dump = {.data = bytes, .len = n}, part, body;
	struct counts *c = context;
	uint32_t id_size = 0;

	ck_assert(hp_take(&dump, 19, &part));
	ck_assert_mem_eq(part.data, "JAVA PROFILE 1.0.", 17);
	ck_assert(hp_uint32(&dump, 4, &id_size) && hp_take(&dump, 8, &part));
	while (hp_left(&dump) > 0) {
		uint8_t tag;

		ck_assert(hp_take(&dump, HP_HEAD_SIZE, &part));
		tag = part.data[0];
		ck_assert(hp_take(&dump, hp_load4(part.data + 5), &body));
		if (tag == HP_REC_HEAP_DUMP || tag == HP_REC_HEAP_DUMP_SEGMENT)
			count_heap(c, body, id_size);
		else
			c->records[tag]++;
	}
	return HP_OK;
}

static enum hp_status
skim_pack(const struct hp_buf *p, struct counts *counts)
{
	const struct hp_source_options so = {.raw = true};
	const struct hp_table_counts_options o = {.memory = UINT64_MAX,
						  .context = counts,
						  .count = count_rows,
						  .put = take_rest};
	struct hp_source *src = NULL;
	struct hp_table_counts_facts facts;
	int fd = memfd_create("pack", 0);
	enum hp_status st;

	ck_assert_int_eq(write(fd, p->data, p->len), (ssize_t)p->len);
	ck_assert_int_eq(hp_source_open_fd(&src, fd, "pack", &so, NULL), HP_OK);
	ck_assert(hp_table_counts_possible(src));
	*counts = (struct counts){0};
	st = hp_table_counts(src, &o, &facts, NULL);
	hp_source_close(src);
	return st;
}

/*
 * Pack the dump @b without its last @cut bytes, and count the contents of the
 * pack. Returns the status.
 */
static enum hp_status
skim(const struct b *b, size_t block, size_t cut, struct counts *counts)
{
	struct hp_buf p = test_pack_write(b->data, b->len, 0, block);
	enum hp_status st;

	p.len -= cut;
	st = skim_pack(&p, counts);
	hp_buf_release(&p);
	return st;
}

START_TEST(skims)
{
	struct counts counts;
	uint64_t objects;
	struct b b;

	b_fixture_build(b_fixture_find("many-objects"), &b, 8);
	objects = b.subrecords[HP_SUB_INSTANCE_DUMP];
	ck_assert_uint_gt(objects, 0);
	/*
	 * Use several block sizes. Counting the truncated pack from its tables
	 * must fail.
	 */
	for (size_t block = 5000; block < HP_PACK_BLOCK; block *= 8) {
		ck_assert_int_eq(skim(&b, block, 0, &counts), HP_OK);
		ck_assert_uint_eq(counts.rows[HP_PACK_INSTANCE], objects);
		for (size_t cut = 1; cut < 1000; cut += 499)
			ck_assert_int_eq(skim(&b, block, cut, &counts),
					 HP_UNSUPPORTED);
	}
	b_release(&b);
	b_fixture_build(b_fixture_find("two-dumps"), &b, 4);
	ck_assert_int_eq(skim(&b, 1 << 20, 0, &counts), HP_UNSUPPORTED);
	b_release(&b);
}
END_TEST

/*
 * Test a dump that was truncated before it was packed. If it ends between two
 * sub-records, only the length of the heap record shows the truncation. If the
 * dump ends exactly at the end of a block, nothing shows the truncation.
 */
START_TEST(cut_before)
{
	struct counts counts;
	struct b b;
	size_t each, end;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1);
	b_heap_dump(&b);
	end = b.len;
	for (unsigned i = 0; i < 1000; i++)
		b_instance_bytes(&b, 0x1000 + 16 * i, 0x10, "12345678", 8);
	each = (b.len - end) / 1000;
	b_close(&b);
	end = b.len;
	for (size_t n = 1; n < 900; n += 89) {
		b.len = end - n * each;
		ck_assert_int_eq(skim(&b, 1 << 20, 0, &counts), HP_UNSUPPORTED);
		/*
		 * with blocks of b.len bytes, the dump ends where the first
		 * block ends; with half of that, where the second block ends
		 */
		ck_assert_int_eq(skim(&b, b.len, 0, &counts), HP_UNSUPPORTED);
		if (b.len % 2 == 0)
			ck_assert_int_eq(skim(&b, b.len / 2, 0, &counts),
					 HP_UNSUPPORTED);
	}
	b.len = end;
	b_release(&b);
}
END_TEST

/*
 * Test that counting returns all records that contain no objects, for every
 * block size. Heap records that contain only objects are left out.
 */
START_TEST(rests)
{
	static const char *const names[] = {
		"hotspot", "hotspot25",	   "hotspot7",	   "native",
		"mat",	   "classes-last", "many-objects", "leak-after"};
	struct counts c;
	struct b b;

	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++) {
		b_fixture_build(b_fixture_find(names[i]), &b, 8);
		for (size_t block = 1000; block < HP_PACK_BLOCK; block *= 3) {
			if (b.len / block > 2000)
				continue;
			ck_assert_msg(skim(&b, block, 0, &c) == HP_OK,
				      "%s in blocks of %zu", names[i], block);
			for (unsigned t = 0; t < 256; t++) {
				bool heap = t == HP_REC_HEAP_DUMP ||
					    t == HP_REC_HEAP_DUMP_SEGMENT;
				bool object = t >= HP_SUB_INSTANCE_DUMP &&
					      t <= HP_SUB_PRIMITIVE_ARRAY_DUMP;

				ck_assert_uint_eq(c.records[t],
						  heap ? 0 : b.records[t]);
				ck_assert_uint_eq(c.subrecords[t],
						  object ? 0 : b.subrecords[t]);
			}
		}
		b_release(&b);
	}
}
END_TEST

/*
 * Test a pack with a wrong byte. Counting does not unpack all data streams, but
 * it checks their checksums, so no wrong counts are returned.
 */
START_TEST(wrong_bytes)
{
	struct counts counts;
	struct hp_buf p;
	struct b b;
	size_t used = 0;

	b_fixture_build(b_fixture_find("many-objects"), &b, 8);
	p = test_pack_write(b.data, b.len, 0, 1 << 20);
	ck_assert_int_eq(skim_pack(&p, &counts), HP_OK);
	/*
	 * change only bytes in the middle, because the directory is at the end
	 */
	for (size_t i = p.len / 4; i < p.len / 4 * 3; i += p.len / 64 + 1) {
		p.data[i] ^= 1;
		used += skim_pack(&p, &counts) == HP_OK;
		p.data[i] ^= 1;
	}
	ck_assert_uint_eq(used, 0);
	hp_buf_release(&p);
	b_release(&b);
}
END_TEST

/* --- false sums of array lengths in the tables ------------------------ */

enum { ARRAYS = 700 }; /* number of arrays of each element type */

/*
 * Returns the length of array number @i of @type. All lengths except one are
 * small.
 */
static uint32_t
array_length(unsigned type, unsigned i)
{
	return type == HP_TYPE_CHAR && i == 9 ? 200000 : i * i % (40 + type);
}

static void
build_arrays(struct b *b, unsigned id_size)
{
	static const uint64_t zeros[200000];

	b_init(b, id_size);
	b_header(b, "JAVA PROFILE 1.0.2", 0);
	b_segment(b);
	b_root_unknown(b, 0x1000);
	for (unsigned i = 0; i < ARRAYS; i++) {
		b_object_array(b, 0x1000 + 64 * i, 0x7777,
			       array_length(HP_TYPE_OBJECT, i), zeros);
		for (unsigned type = HP_TYPE_BOOLEAN; type < HP_TYPE_END;
		     type++)
			b_primitive_array(b, 0x90000 + 64 * i + type, type,
					  array_length(type, i), zeros);
	}
	b_close(b);
}

START_TEST(sums)
{
	for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
		struct counts c;
		struct b b;

		build_arrays(&b, id_size);
		ck_assert_int_eq(skim(&b, 50000, 0, &c), HP_OK);
		b_release(&b);
		ck_assert_uint_gt(c.rows[HP_PACK_PRIMITIVES_HEAD], 0);
		for (unsigned type = 0; type < HP_TYPE_END; type++) {
			/*
			 * size of an element in a heap, by the number of its
			 * type; a reference has 4 bytes
			 */
			static const uint8_t widths[] = {0, 0, 4, 0, 1, 2,
							 4, 8, 1, 2, 4, 8};
			uint64_t elements = 0, residues[256] = {0};

			if (!widths[type])
				continue;
			for (unsigned i = 0; i < ARRAYS; i++) {
				uint32_t n = array_length(type, i);

				elements += n;
				residues[n & (256 / widths[type] - 1)]++;
			}
			ck_assert_uint_eq(c.elements[type], elements);
			ck_assert_mem_eq(c.residues[type], residues,
					 sizeof(residues));
		}
	}
}
END_TEST

static struct hp_buf
forge(const struct hp_buf *p, const struct hp_buf *table)
{
	const uint8_t *from = (const uint8_t *)p->data + HP_PACK_FILE_HEAD;
	struct hp_buf out = {0};
	struct hp_pack_head h;
	const uint8_t *stream;
	uint8_t *list;

	ck_assert(hp_pack_head_read(&h, from));
	stream = from + HP_PACK_BLOCK_HEAD + HP_PACK_ENTRY * h.nstreams;
	hp_buf_add(&out, p->data, (size_t)(stream - (uint8_t *)p->data));
	for (unsigned i = 0; i < h.nstreams; i++) {
		size_t at = HP_PACK_FILE_HEAD + HP_PACK_BLOCK_HEAD +
			    HP_PACK_ENTRY * i;
		uint32_t packed;

		list = (uint8_t *)out.data + at;
		packed = hp_le4(list + 8);
		if (list[0] != HP_PACK_S_SYMBOLS) {
			hp_buf_add(&out, stream, packed);
			stream += packed;
			continue;
		}
		stream += packed;
		h.body += (uint32_t)table->len - packed;
		list[1] = 0;
		hp_put_le4(list + 4, (uint32_t)table->len);
		hp_put_le4(list + 8, (uint32_t)table->len);
		hp_put_le4(list + 12,
			   (uint32_t)XXH3_64bits(table->data, table->len));
		hp_buf_add(&out, table->data, table->len);
	}
	list = (uint8_t *)out.data + HP_PACK_FILE_HEAD;
	hp_put_le4(list + 20, h.body);
	hp_put_le8(list + 40, XXH3_64bits_withSeed(list + HP_PACK_BLOCK_HEAD,
						   HP_PACK_ENTRY * h.nstreams,
						   XXH3_64bits(list, 40)));
	return out;
}

static void
read_table(const struct hp_buf *p, struct hp_pack_table *t)
{
	const uint8_t *at = (const uint8_t *)p->data + HP_PACK_FILE_HEAD;
	const uint8_t *list = at + HP_PACK_BLOCK_HEAD;
	struct hp_pack_unpacker u;
	struct hp_pack_bytes *b;
	struct hp_pack_head h;

	ck_assert(hp_pack_unpacker_init(&u));
	ck_assert(hp_pack_head_read(&h, at));
	ck_assert_int_eq(
		hp_pack_block_streams(&u, &h, list,
				      list + HP_PACK_ENTRY * h.nstreams),
		HP_OK);
	b = &u.decoder.streams[HP_PACK_S_SYMBOLS];
	*t = (struct hp_pack_table){0};
	ck_assert_int_eq(hp_pack_table_read(t, b->p, hp_pack_left(b), h.plain),
			 HP_OK);
	hp_pack_unpacker_release(&u);
}

/* Falsify a sum in a valid table. @how selects the sum. */
static void
falsify(struct hp_pack_table *t, int how)
{
	struct hp_pack_symbol *s = t->symbols;
	struct hp_pack_residue *r;

	while (s->nresidues < 3)
		s++;
	r = &t->residues[s->residue];
	switch (how) {
	case 1:
		s->elements++;
		break;
	/*
	 * count an array in the row of a remainder that its length does not
	 * have
	 */
	case 2:
		r[0].rows++;
		r[2].rows--;
		break;
	case 3: /* give two rows the same remainder */
		r[2].rows += r[1].rows;
		memmove(r + 1, r + 2, (s->nresidues - 2) * sizeof(*r));
		s->nresidues--;
		break;
	case 4: /* count one more array */
		r[0].rows++;
		break;
	case 5: /* count one array less */
		r[1].rows--;
		break;
	/* a remainder that no length of an array of this type can have */
	case 6:
		r[s->nresidues - 1].residue = 256;
		break;
	default:
		break;
	}
}

static void
add_directory(struct hp_buf *p, size_t plain)
{
	const struct hp_pack_entry only = {
		.at = HP_PACK_FILE_HEAD,
		.plain = (uint32_t)plain,
		.stored = (uint32_t)(p->len - HP_PACK_FILE_HEAD)};
	const struct hp_pack_tail tail = {
		.blocks = 1, .plain = plain, .directory = p->len};

	hp_pack_directory_write(&only, &tail, p);
}

/*
 * Test packs in which the sums in a table are wrong, but the hashes and the
 * bytes of the dump are right. Reading the block must report damage. Counting
 * from the table must accept sums that are possible, and refuse all others.
 */
START_TEST(false_sums)
{
	struct hp_buf p, table = {0}, bad;
	struct hp_pack_table t;
	struct counts counts;
	struct test_pack_read r;
	struct b b;

	build_arrays(&b, 8);
	p = test_pack_write(b.data, b.len, 0, HP_PACK_BLOCK);
	read_table(&p, &t);
	falsify(&t, _i);
	hp_pack_table_write(&t, &table);
	bad = forge(&p, &table);
	r = test_pack_read(bad.data, bad.len, 0, false);
	ck_assert_int_eq(r.status, HP_OK);
	ck_assert_uint_eq(r.out.len, _i ? 0 : b.len);
	ck_assert_uint_eq(r.nnotes, _i ? 2 : 1);
	ck_assert_int_eq(r.notes[r.nnotes - 1].problem,
			 HP_CONTAINER_PACK_TRUNCATED);
	if (_i)
		ck_assert_int_eq(r.notes[0].problem, HP_CONTAINER_PACK_BLOCK);
	add_directory(&bad, b.len);
	ck_assert_int_eq(skim_pack(&bad, &counts),
			 _i < 4 ? HP_OK : HP_UNSUPPORTED);
	hp_pack_table_release(&t);
	hp_buf_release(&r.out);
	hp_buf_release(&table);
	hp_buf_release(&bad);
	hp_buf_release(&p);
	b_release(&b);
}
END_TEST

Suite *test_pack_table_counts_suite(void);

Suite *
test_pack_table_counts_suite(void)
{
	Suite *s = suite_create("pack skim");
	TCase *t = tcase_create("pack skim");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, skims);
	tcase_add_test(t, cut_before);
	tcase_add_test(t, rests);
	tcase_add_test(t, wrong_bytes);
	tcase_add_test(t, sums);
	tcase_add_loop_test(t, false_sums, 0, 7);
	suite_add_tcase(s, t);
	return s;
}
