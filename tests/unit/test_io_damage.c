/*
 * test_io_damage.c - tests of damaged compressed files: truncated, with flipped
 * bits, padded, or with false sizes
 *
 * Reading must return the bytes before the damage and a message. The result
 * must be the same for any number of threads.
 */
#include "common/io/source.h"
#include "tests/unit/test_io_helper.h"
#include "tests/unit/quick.h"

#define MIB ((size_t)1 << 20)

Suite *test_io_damage_suite(void);

/*
 * Read the bytes with zero, one, two and four threads. Checks that all results
 * are equal, and returns one of them.
 */
static struct outcome
outcome_same(struct bytes b)
{
	struct outcome one = outcome_made(b, 0);

	for (unsigned threads = 1; threads <= 4; threads *= 2) {
		struct outcome more = outcome_of("made", threads, 0);

		check_same(&one, &more);
		outcome_free(&more);
	}
	return one;
}

static void
check_note(const struct outcome *o, enum hp_container_problem problem,
	   uint64_t offset, uint64_t raw_offset)
{
	const struct hp_container_note *note = outcome_note(o, problem);

	ck_assert_int_eq(o->status, HP_OK);
	ck_assert_uint_eq(o->notes_count, 1);
	ck_assert_ptr_nonnull(note);
	ck_assert_uint_eq(note->offset, offset);
	ck_assert_uint_eq(note->raw, raw_offset);
}

/* ---- gzip headers ---- */

static struct bytes
gzip_head(uint8_t flags)
{
	uint8_t start[10] = {0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 3};
	struct bytes b = bytes_new(0);

	bytes_add(&b, start, sizeof(start));
	if (flags & 4)
		bytes_add(&b, "\x05\0ab\0\x1f\x8b", 7);
	if (flags & 8)
		bytes_add(&b, "name", 5);
	if (flags & 16)
		bytes_add(&b, "a comment", 10);
	if (flags & 2) {
		uint16_t sum = (uint16_t)libdeflate_crc32(0, b.data, b.len);

		bytes_add(&b, &sum, 2);
	}
	return b;
}

START_TEST(gzip_headers)
{
	struct bytes b = bytes_made(1000, 1);
	struct bytes want = bytes_new(0), all = bytes_new(0);

	for (int flags = 0; flags < 32; flags++) {
		struct bytes head = gzip_head((uint8_t)flags);
		struct bytes z = gzip_member(b, head.data, head.len, 1);
		struct outcome o = outcome_same(z);

		check_whole(&o, b);
		outcome_free(&o);
		bytes_add(&want, b.data, b.len);
		bytes_join(&all, z);
		bytes_free(&head);
	}
	struct outcome o = outcome_same(all);

	check_whole(&o, want);
	outcome_free(&o);
	bytes_free(&all);
	bytes_free(&want);
	bytes_free(&b);
}
END_TEST

START_TEST(gzip_header_checksum)
{
	struct bytes b = bytes_made(1000, 1), all = bytes_new(0);
	struct bytes head = gzip_head(2), z = gzip_member(b, NULL, 0, 1);
	struct outcome o;
	uint64_t at;

	bytes_join(&all, z);
	head.data[head.len - 1] ^= 1;
	at = all.len + head.len;
	bytes_join(&all, gzip_member(b, head.data, head.len, 1));
	o = outcome_same(all);
	check_note(&o, HP_CONTAINER_GZIP_MEMBER, 1000, at);
	ck_assert(is_prefix(&o, b));
	outcome_free(&o);
	bytes_free(&head);
	bytes_free(&all);
	bytes_free(&b);
}
END_TEST

START_TEST(gzip_method_and_flags)
{
	static const uint8_t heads[][10] = {
		{0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 3},
		{0x1f, 0x8b, 8, 0x20, 0, 0, 0, 0, 0, 3},
	};
	struct bytes b = bytes_made(1000, 1);

	for (size_t i = 0; i < HP_ARRAY_LEN(heads); i++) {
		struct bytes z = gzip_member(b, heads[i], 10, 1);
		struct outcome o = outcome_same(z);

		check_note(&o, HP_CONTAINER_GZIP_MEMBER, 0, 4);
		ck_assert_uint_eq(o.bytes.len, 0);
		outcome_free(&o);
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

/* ---- bytes after the last gzip member or zstd frame ---- */

START_TEST(gzip_padding)
{
	struct bytes b = bytes_made(MIB + 5, 2);
	struct bytes z = gzip_member(b, NULL, 0, 1);
	struct bytes zeros = {.data = calloc(1, 700000), .len = 700000};
	size_t len = z.len;
	struct outcome o;

	bytes_join(&z, zeros);
	o = outcome_same(z);
	check_note(&o, HP_CONTAINER_GZIP_PADDING, b.len, len);
	ck_assert_uint_eq(o.notes[0].got, 700000);
	ck_assert_uint_eq(o.bytes.len, b.len);
	outcome_free(&o);
	bytes_add(&z, "x", 1);
	o = outcome_same(z);
	check_note(&o, HP_CONTAINER_GZIP_TRAILING, b.len, len);
	ck_assert_uint_eq(o.bytes.len, b.len);
	outcome_free(&o);
	bytes_free(&z);
	bytes_free(&b);
}
END_TEST

START_TEST(trailing)
{
	static const char *const ends[] = {"x", "\x1f", "PK", "garbage"};
	struct bytes b = bytes_made(1000, 3);

	for (size_t i = 0; i < 2 * HP_ARRAY_LEN(ends); i++) {
		struct bytes z = i % 2 ? zstd_frame(b, 1, true)
				       : gzip_member(b, NULL, 0, 1);
		size_t len = z.len;
		struct outcome o;

		bytes_add(&z, ends[i / 2], strlen(ends[i / 2]));
		o = outcome_same(z);
		check_note(&o,
			   i % 2 ? HP_CONTAINER_ZSTD_TRAILING
				 : HP_CONTAINER_GZIP_TRAILING,
			   1000, len);
		ck_assert_uint_eq(o.bytes.len, b.len);
		outcome_free(&o);
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

/* ---- truncated compressed files, and flipped bits ---- */

enum { GZIP, ZSTD, ZSTD_UNSIZED, IN_ZSTD, KINDS };

static struct bytes
three(int kind, struct bytes *plain)
{
	struct bytes all = bytes_new(0);

	*plain = bytes_new(0);
	for (uint64_t i = 0; i < 3; i++) {
		struct bytes b = bytes_made(150 + 50 * i, 40 + i);
		struct bytes head = gzip_head(i == 1 ? 0x1e : 0);

		if (kind == GZIP || kind == IN_ZSTD)
			bytes_join(&all,
				   gzip_member(b, head.data, head.len, 1));
		else
			bytes_join(&all, zstd_frame(b, 1, kind == ZSTD));
		bytes_join(plain, b);
		bytes_free(&head);
	}
	if (kind == IN_ZSTD) {
		struct bytes outer = zstd_frame(all, 1, true);

		bytes_free(&all);
		all = outer;
	}
	return all;
}

/*
 * Test the compressed file @z, truncated at every byte. @plain: its contents.
 * Returns how many of the truncated files are complete compressed files.
 */
static size_t
count_whole(struct bytes z, struct bytes plain)
{
	size_t whole = 0;

	for (size_t n = 5; n <= z.len; n++) {
		struct bytes cut = {.data = z.data, .len = n};
		struct outcome o = outcome_made(cut, n % 16 ? 0 : 2);

		ck_assert_int_eq(o.status, HP_OK);
		ck_assert(is_prefix(&o, plain));
		whole += o.notes_count == 0;
		ck_assert(o.notes_count == 0 ||
			  outcome_note(&o, HP_CONTAINER_GZIP_TRUNCATED) ||
			  outcome_note(&o, HP_CONTAINER_GZIP_TRAILING) ||
			  outcome_note(&o, HP_CONTAINER_ZSTD_TRUNCATED) ||
			  outcome_note(&o, HP_CONTAINER_ZSTD_TRAILING));
		if (n == z.len)
			check_whole(&o, plain);
		outcome_free(&o);
	}
	return whole;
}

START_TEST(every_prefix)
{
	static const size_t whole[KINDS] = {3, 3, 3, 1};
	struct bytes plain, z = three(_i, &plain);

	ck_assert_uint_eq(count_whole(z, plain), whole[_i]);
	bytes_free(&z);
	bytes_free(&plain);
}
END_TEST

/*
 * Test three changes of every byte after the magic number. Either all bytes
 * must be returned (for example, if the changed byte was a time), or there must
 * be a message about the damage.
 */
START_TEST(every_flip)
{
	static const uint8_t flips[] = {0x01, 0x80, 0xff};
	struct bytes plain, z = three(_i, &plain);

	for (size_t at = _i == GZIP ? 2 : 4; at < z.len; at++) {
		uint8_t before = z.data[at];

		for (size_t k = 0; k < sizeof(flips); k++) {
			struct outcome o;

			z.data[at] = before ^ flips[k];
			o = outcome_made(z, at % 16 ? 0 : 2);
			ck_assert(o.status == HP_OK || o.status == HP_LIMIT ||
				  o.status == HP_UNSUPPORTED);
			if (o.status == HP_OK && o.notes_count == 0)
				check_whole(&o, plain);
			outcome_free(&o);
		}
		z.data[at] = before;
	}
	bytes_free(&z);
	bytes_free(&plain);
}
END_TEST

/*
 * Test a damaged file that consists of blocks, as HotSpot writes it. The blocks
 * before the damaged block must be returned.
 */
START_TEST(bad_block)
{
	struct bytes b = bytes_made(MIB, 5);
	const char *const what[] = {"data", "crc", "size", "cut"};

	for (size_t i = 0; i < HP_ARRAY_LEN(what); i++) {
		struct bytes all = bytes_new(0);
		struct bytes z = gzip_member(b, NULL, 0, 1);
		struct outcome o;

		for (int k = 0; k < 8; k++)
			bytes_add(&all, z.data, z.len);
		if (i == 0)
			memset(all.data + 5 * z.len + z.len / 2, 0xff, 1000);
		else if (i < 3)
			all.data[6 * z.len - 4 * i] ^= 1;
		else
			all.len = 6 * z.len - 9;
		o = outcome_same(all);
		ck_assert_int_eq(o.status, HP_OK);
		ck_assert_uint_ge(o.bytes.len, 5 * MIB);
		ck_assert_uint_le(o.bytes.len, 6 * MIB);
		for (size_t k = 0; k < 5; k++)
			ck_assert_mem_eq(o.bytes.data + k * MIB, b.data, MIB);
		ck_assert_uint_eq(o.notes_count, 1);
		ck_assert_int_eq(o.notes[0].problem,
				 i == 3 ? HP_CONTAINER_GZIP_TRUNCATED
					: HP_CONTAINER_GZIP_MEMBER);
		ck_assert_uint_eq(o.notes[0].offset, o.bytes.len);
		/*
		 * those bytes of the damaged block that come before the damage
		 * must also be returned
		 */
		ck_assert_uint_gt(o.bytes.len, 5 * MIB + 100000);
		outcome_free(&o);
		bytes_free(&all);
		bytes_free(&z);
	}
	bytes_free(&b);
}
END_TEST

START_TEST(bad_frame)
{
	struct bytes b = bytes_made(MIB, 6);
	struct bytes z = zstd_frame(b, 1, true), all = bytes_new(0);
	struct outcome o;

	for (int k = 0; k < 8; k++)
		bytes_add(&all, z.data, z.len);
	memset(all.data + 5 * z.len + z.len / 2, 0xff, 1000);
	o = outcome_same(all);
	ck_assert_uint_ge(o.bytes.len, 5 * MIB + 100000);
	ck_assert_uint_eq(o.notes_count, 1);
	ck_assert_int_eq(o.notes[0].problem, HP_CONTAINER_ZSTD_FRAME);
	ck_assert_uint_eq(o.notes[0].offset, o.bytes.len);
	outcome_free(&o);
	bytes_free(&all);
	bytes_free(&z);
	bytes_free(&b);
}
END_TEST

/* ---- files with false sizes ---- */

/*
 * Test a gzip member that contains more bytes than its comment says: there must
 * be a message.
 */
START_TEST(block_size)
{
	static const uint8_t head[] =
		"\x1f\x8b\x08\x10\0\0\0\0\4\0HPROF BLOCKSIZE=1000";
	struct bytes all = bytes_new(0), want = bytes_new(0);
	static const size_t sizes[] = {1000, 999, 1001, 1000, 5000};
	uint64_t at = 0;
	struct outcome o;

	for (size_t i = 0; i < HP_ARRAY_LEN(sizes); i++) {
		struct bytes b = bytes_made(sizes[i], i);

		if (i == 2)
			at = all.len;
		bytes_join(&all, gzip_member(b, i ? NULL : head,
					     i ? 0 : sizeof(head), 1));
		bytes_join(&want, b);
	}
	o = outcome_same(all);
	check_note(&o, HP_CONTAINER_GZIP_BLOCKSIZE, 3000, at);
	ck_assert_uint_eq(o.notes[0].got, 1001);
	ck_assert_uint_eq(o.notes[0].want, 1000);
	ck_assert_uint_eq(o.notes[0].count, 2);
	ck_assert_uint_eq(o.bytes.len, want.len);
	ck_assert_mem_eq(o.bytes.data, want.data, want.len);
	outcome_free(&o);
	bytes_free(&all);
	bytes_free(&want);
}
END_TEST

/*
 * Test gzip members whose uncompressed data consists of gzip members and
 * headers. Because the data is stored without compression, these appear in the
 * file. The reader must not mistake them for real members.
 */
START_TEST(false_begins)
{
	struct bytes inner = bytes_new(0), all = bytes_new(0);
	struct bytes small = bytes_made(40000, 7), want = bytes_new(0);
	struct bytes z = gzip_member(small, NULL, 0, 1);
	struct outcome o;

	for (int i = 0; i < 40; i++)
		bytes_add(&inner, z.data, z.len);
	for (int i = 0; i < 3000; i++)
		bytes_add(&inner, "\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0", 16);
	for (int i = 0; i < 6; i++) {
		struct bytes part = {.data = inner.data,
				     .len = inner.len - (size_t)i * 100000};

		bytes_add(&want, "plain", 5);
		bytes_join(&all,
			   gzip_member((struct bytes){(uint8_t *)"plain", 5, 5},
				       NULL, 0, 1));
		bytes_add(&want, part.data, part.len);
		bytes_join(&all, gzip_member(part, NULL, 0, 0));
	}
	o = outcome_same(all);
	check_whole(&o, want);
	outcome_free(&o);
	bytes_free(&all);
	bytes_free(&inner);
	bytes_free(&small);
	bytes_free(&want);
	bytes_free(&z);
}
END_TEST

START_TEST(mixed_members)
{
	struct bytes all = bytes_new(0), want = bytes_new(0);
	struct outcome o;

	for (uint64_t i = 0; i < 60; i++) {
		static const size_t sizes[] = {1,    3 * MIB, 70000, 0,
					       MIB,  5,	      65280, 9 * MIB,
					       2000, 65280};
		struct bytes b = bytes_made(sizes[i % 10], i);

		bytes_join(&all, gzip_member(b, NULL, 0, i % 3 ? 1 : 0));
		bytes_join(&want, b);
	}
	o = outcome_same(all);
	check_whole(&o, want);
	outcome_free(&o);
	bytes_free(&all);
	bytes_free(&want);
}
END_TEST

static struct bytes
skippable(uint32_t kind, const void *data, uint32_t n)
{
	struct bytes b = bytes_new(0);
	uint32_t magic = 0x184D2A50 + kind;

	bytes_add(&b, &magic, 4);
	bytes_add(&b, &n, 4);
	bytes_add(&b, data, n);
	return b;
}

/*
 * Test a file with large frames, small frames, frames without a size, skippable
 * frames, and a false seek table at the end.
 */
START_TEST(mixed_frames)
{
	struct bytes all = skippable(3, "at the start", 12);
	struct bytes want = bytes_new(0);
	static const uint8_t table[] =
		"\xff\xff\xff\x7f\xff\xff\xff\x7f\1\2\3\4"
		"\1\0\0\0\0\0\0\0\1\2\3\4"
		"\2\0\0\0\x80\xb1\xea\x92\x8f";
	struct outcome o;

	for (uint64_t i = 0; i < 40; i++) {
		static const size_t sizes[] = {1, 2 * MIB, 70000, 0, 9 * MIB};
		struct bytes b = bytes_made(sizes[i % 5], i);

		bytes_join(&all, zstd_frame(b, 1, i % 4));
		bytes_join(&want, b);
		if (i % 7 == 0)
			bytes_join(&all,
				   skippable(i % 16, table, sizeof(table)));
	}
	bytes_join(&all, skippable(14, table, sizeof(table) - 1));
	o = outcome_same(all);
	check_whole(&o, want);
	outcome_free(&o);
	bytes_free(&all);
	bytes_free(&want);
}
END_TEST

START_TEST(skippable_frames)
{
	struct bytes cut = skippable(0, "", 0), only = skippable(0, "abc", 3);
	struct bytes nothing = bytes_new(0);
	struct outcome o = outcome_same(only);

	check_whole(&o, nothing);
	ck_assert_str_eq(o.compression, "zstd");
	outcome_free(&o);
	memset(cut.data + 4, 0xff, 4);
	o = outcome_same(cut);
	check_note(&o, HP_CONTAINER_ZSTD_TRUNCATED, 0, 8);
	outcome_free(&o);
	bytes_free(&cut);
	bytes_free(&only);
	bytes_free(&nothing);
}
END_TEST

/*
 * Test that a zstd frame with a window above the limit is refused, at any place
 * in the file.
 */
START_TEST(huge_window)
{
	static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00,
					0xa8, 0x01, 0x00, 0x00};
	struct bytes z = bytes_new(0);
	struct outcome o;

	bytes_add(&z, frame, sizeof(frame));
	o = outcome_made(z, 2);
	ck_assert_int_eq(o.status, HP_LIMIT);
	ck_assert_ptr_nonnull(strstr(o.error.text, "window"));
	outcome_free(&o);
	bytes_free(&z);
}
END_TEST

/*
 * Make a zstd frame of known size from stored blocks, with the window size
 * @window. @dictionary is the id of the dictionary that the frame needs, or 0.
 */
static struct bytes
stored_frame(struct bytes plain, uint8_t window, uint8_t dictionary)
{
	const uint8_t head[] = {
		0x28,	0xb5,	   0x2f, 0xfd, 0xc0 | !!dictionary,
		window, dictionary};
	struct bytes z = bytes_new(0);
	uint64_t size = plain.len;

	bytes_add(&z, head, dictionary ? 7 : 6);
	bytes_add(&z, &size, sizeof(size));
	for (size_t at = 0, n; at < plain.len; at += n) {
		uint32_t block;

		n = plain.len - at < 100000 ? plain.len - at : 100000;
		block = (uint32_t)n << 3 | (at + n == plain.len);
		bytes_add(&z, &block, 3);
		bytes_add(&z, plain.data + at, n);
	}
	return z;
}

/*
 * Test that the limit for windows is the same whether or not a frame is decoded
 * in advance, and whether or not the whole frame was read.
 */
START_TEST(large_windows)
{
	static const struct {
		uint8_t window;
		bool fine;
	} cases[] = {{13 << 3, true},	   {13 << 3 | 1, true},
		     {17 << 3, true},	   {17 << 3 | 1, false},
		     {21 << 3 | 7, false}, {31 << 3 | 7, false}};
	struct bytes b = bytes_made(_i ? MIB : 20000, 4);
	struct bytes first = zstd_frame(b, 1, true);

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct bytes z = bytes_new(0), want = bytes_new(0);

		bytes_add(&z, first.data, first.len);
		bytes_join(&z, stored_frame(b, cases[i].window, 0));
		bytes_add(&want, b.data, b.len);
		if (cases[i].fine)
			bytes_add(&want, b.data, b.len);
		for (unsigned threads = 0; threads < 4; threads++) {
			struct outcome o = outcome_made(z, threads);

			ck_assert_int_eq(o.status,
					 cases[i].fine ? HP_OK : HP_LIMIT);
			o.status = HP_OK;
			check_whole(&o, want);
			outcome_free(&o);
		}
		bytes_free(&z);
		bytes_free(&want);
	}
	bytes_free(&first);
	bytes_free(&b);
}
END_TEST

/*
 * Test frames that need a dictionary. As the first frame of a file, such a
 * frame is unsupported; after other frames, it counts as damage.
 */
START_TEST(dictionaries)
{
	struct bytes b = bytes_made(MIB, 4);
	struct bytes z = skippable(1, "abc", 3);

	bytes_join(&z, stored_frame(b, 13 << 3, 7));
	for (unsigned threads = 0; threads < 4; threads++) {
		struct outcome o = outcome_made(z, threads);

		ck_assert_int_eq(o.status, HP_UNSUPPORTED);
		ck_assert_ptr_nonnull(strstr(o.error.text, "dictionary"));
		ck_assert_uint_eq(o.bytes.len + o.notes_count, 0);
		outcome_free(&o);
	}
	z.len = 0;
	bytes_join(&z, stored_frame(b, 13 << 3, 0));
	bytes_join(&z, stored_frame(b, 13 << 3, 7));
	for (unsigned threads = 0; threads < 4; threads++) {
		struct outcome o = outcome_made(z, threads);

		ck_assert_int_eq(o.status, HP_OK);
		ck_assert_uint_eq(o.bytes.len, b.len);
		ck_assert_uint_eq(o.notes_count, 1);
		ck_assert_int_eq(o.notes[0].problem, HP_CONTAINER_ZSTD_FRAME);
		outcome_free(&o);
	}
	bytes_free(&z);
	bytes_free(&b);
}
END_TEST

START_TEST(damage_in_layers)
{
	struct bytes b = bytes_made(3 * MIB, 9);
	struct bytes inner = gzip_member(b, NULL, 0, 1);
	struct bytes outer;
	struct outcome o;

	inner.data[inner.len - 5] ^= 1;
	outer = zstd_frame(inner, 1, true);
	o = outcome_same(outer);
	ck_assert_uint_eq(o.bytes.len, b.len);
	ck_assert_uint_eq(o.notes_count, 1);
	ck_assert_ptr_nonnull(outcome_note(&o, HP_CONTAINER_GZIP_MEMBER));
	outcome_free(&o);
	outer.len /= 2;
	o = outcome_same(outer);
	ck_assert(is_prefix(&o, b));
	ck_assert_uint_eq(o.notes_count, 2);
	ck_assert_ptr_nonnull(outcome_note(&o, HP_CONTAINER_ZSTD_TRUNCATED));
	ck_assert_ptr_nonnull(outcome_note(&o, HP_CONTAINER_GZIP_TRUNCATED));
	outcome_free(&o);
	bytes_free(&outer);
	bytes_free(&inner);
	bytes_free(&b);
}
END_TEST

/* ---- invalid deflate data ---- */

struct bits {
	struct bytes bytes;
	/* bits that do not yet form a complete byte */
	uint32_t held;
	unsigned n; /* number of bits in `held` */
};

static void
put_bits(struct bits *b, uint32_t value, unsigned n)
{
	b->held |= value << b->n;
	for (b->n += n; b->n >= 8; b->n -= 8) {
		uint8_t byte = (uint8_t)b->held;

		bytes_add(&b->bytes, &byte, 1);
		b->held >>= 8;
	}
}

/* Write a Huffman code, whose highest bit comes first. */
static void
put_code(struct bits *b, unsigned code, unsigned n)
{
	while (n-- > 0)
		put_bits(b, code >> n & 1, 1);
}

static void
put_literals(struct bits *b, size_t n, struct bytes *plain)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t byte = (uint8_t)(i % 97 + 1);

		put_code(b, 0x30u + byte, 8);
		if (plain)
			bytes_add(plain, &byte, 1);
	}
}

static void
put_bad_symbol(struct bits *b, int kind)
{
	put_code(b, kind == 2 ? 0xc6 : 0xc5,
		 /*
		  * the length symbol 286 is invalid; 285, before it, means the
		  * length 258
		  */
		 8);
	if (kind < 2) {
		put_code(b, kind == 0 ? 29 : 30,
			 5); /* the distance symbol 30 is invalid */
		/* the code for a distance of 32,768 bytes */
		put_bits(b, 0x1fff, 13);
	}
}

/*
 * Test a gzip member with invalid data, after a valid member and before other
 * data. The invalid data is a match that begins before the member, or a symbol
 * that does not exist. All data before the error must be returned. Only the
 * last match before it may be missing, because the decoder can discard it when
 * it detects the error.
 */
START_TEST(bad_symbol)
{
	static const size_t counts[] = {0, 20, 258, 1000, 200000};

	for (size_t i = 0; i < HP_ARRAY_LEN(counts) * 6; i++) {
		struct bytes want = bytes_made(50000, i);
		struct bits b = {gzip_member(want, NULL, 0, 1), 0, 0};
		size_t count = counts[i / 6], least;
		int kind = (int)(i % 3);
		struct outcome o;

		if (kind == 0 && count > 32767)
			/*
			 * the match refers to the byte 32,768 bytes before it,
			 * which must not exist
			 */
			count = 32767;
		bytes_add(&b.bytes, "\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
		/* the head of the last block, which has fixed Huffman codes */
		put_bits(&b, 3, 3);
		put_literals(&b, count, &want);
		put_bad_symbol(&b, kind);
		put_literals(&b, i % 6 < 3 ? 3 : 1000, NULL);
		o = outcome_same(b.bytes);
		least = want.len - (count < 258 ? count : 258);
		ck_assert(is_prefix(&o, want));
		ck_assert_uint_ge(o.bytes.len, least);
		ck_assert_uint_eq(o.notes_count, 1);
		ck_assert_ptr_nonnull(
			outcome_note(&o, HP_CONTAINER_GZIP_MEMBER));
		outcome_free(&o);
		bytes_free(&b.bytes);
		bytes_free(&want);
	}
}
END_TEST

Suite *
test_io_damage_suite(void)
{
	const TTest *const tests[] = {
		gzip_headers,
		gzip_header_checksum,
		gzip_method_and_flags,
		gzip_padding,
		trailing,
		bad_block,
		bad_frame,
		bad_symbol,
		block_size,
		false_begins,
		skippable_frames,
		huge_window,
		dictionaries,
		damage_in_layers,
	};
	Suite *suite = suite_create("io_damage");
	TCase *c = tcase_create("damage"), *q = quick_case(suite, 60);

	tcase_add_checked_fixture(c, folder_make, folder_remove);
	tcase_set_timeout(c, 300);
	tcase_add_checked_fixture(q, folder_make, folder_remove);
	for (size_t i = 0; i < HP_ARRAY_LEN(tests); i++)
		tcase_add_test(q, tests[i]);
	tcase_add_loop_test(q, large_windows, 0, 2);
	tcase_add_loop_test(q, every_prefix, 0, KINDS);
	tcase_add_test(c, mixed_members);
	tcase_add_test(c, mixed_frames);
	tcase_add_loop_test(c, every_flip, 0, KINDS);
	suite_add_tcase(suite, c);
	return suite;
}
