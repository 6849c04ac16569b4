/*
 * test_pack_lost.c - tests of packs with truncated, moved or missing blocks
 *
 * The reader must find the undamaged blocks, and report each loss with its
 * offset in the dump.
 */
#include "common/base/platform.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/block.h"
#include "common/pack/internal.h"
#include "tests/unit/must.h"
#include "tests/unit/test_pack_helper.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_pack_lost_suite(void);

enum { BLOCKS = 6, DIRECTORY = BLOCKS };

/*
 * A piece of the damaged file: a block or the directory. Bytes can be removed
 * at its beginning or end.
 */
struct piece {
	int block;
	int front, back;
};

#define WHOLE(i)                                                               \
	{                                                                      \
		i, 0, 0                                                        \
	}

static const struct {
	const char *name;
	unsigned lost; /* bit i is set if block i is lost */
	unsigned notes;
	/* some bytes of the damaged file do not belong to a block */
	bool misplaced;
	int npieces;
	struct piece pieces[BLOCKS + 3];
} files[] = {
	{"the end of one",
	 1 << 2,
	 1,
	 false,
	 7,
	 {WHOLE(0),
	  WHOLE(1),
	  {2, 0, 50},
	  WHOLE(3),
	  WHOLE(4),
	  WHOLE(5),
	  WHOLE(DIRECTORY)}},
	{"the begin of one",
	 1 << 2,
	 1,
	 false,
	 7,
	 {WHOLE(0),
	  WHOLE(1),
	  {2, 50, 0},
	  WHOLE(3),
	  WHOLE(4),
	  WHOLE(5),
	  WHOLE(DIRECTORY)}},
	{"the ends of two",
	 1 << 2 | 1 << 3,
	 2,
	 false,
	 7,
	 {WHOLE(0),
	  WHOLE(1),
	  {2, 0, 50},
	  {3, 0, 60},
	  WHOLE(4),
	  WHOLE(5),
	  WHOLE(DIRECTORY)}},
	{"the ends of all",
	 (1 << BLOCKS) - 1,
	 BLOCKS,
	 false,
	 7,
	 {{0, 0, 50},
	  {1, 0, 50},
	  {2, 0, 50},
	  {3, 0, 50},
	  {4, 0, 50},
	  {5, 0, 50},
	  WHOLE(DIRECTORY)}},
	{"from within one into the next",
	 1 << 2 | 1 << 3,
	 2,
	 false,
	 7,
	 {WHOLE(0),
	  WHOLE(1),
	  {2, 0, 50},
	  {3, 100, 0},
	  WHOLE(4),
	  WHOLE(5),
	  WHOLE(DIRECTORY)}},
	{"all but the begin of one",
	 1 << 2,
	 1,
	 false,
	 7,
	 {WHOLE(0),
	  WHOLE(1),
	  {2, 0, 700},
	  WHOLE(3),
	  WHOLE(4),
	  WHOLE(5),
	  WHOLE(DIRECTORY)}},
	{"exactly one",
	 1 << 2,
	 1,
	 false,
	 6,
	 {WHOLE(0), WHOLE(1), WHOLE(3), WHOLE(4), WHOLE(5), WHOLE(DIRECTORY)}},
	{"the first",
	 1 << 0,
	 1,
	 false,
	 6,
	 {WHOLE(1), WHOLE(2), WHOLE(3), WHOLE(4), WHOLE(5), WHOLE(DIRECTORY)}},
	{"the last",
	 1 << 5,
	 1,
	 false,
	 6,
	 {WHOLE(0), WHOLE(1), WHOLE(2), WHOLE(3), WHOLE(4), WHOLE(DIRECTORY)}},
	{"the end of the last",
	 1 << 5,
	 1,
	 false,
	 7,
	 {WHOLE(0),
	  WHOLE(1),
	  WHOLE(2),
	  WHOLE(3),
	  WHOLE(4),
	  {5, 0, 50},
	  WHOLE(DIRECTORY)}},
	{"two behind each other",
	 1 << 2 | 1 << 3,
	 1,
	 false,
	 5,
	 {WHOLE(0), WHOLE(1), WHOLE(4), WHOLE(5), WHOLE(DIRECTORY)}},
	{"two of them",
	 1 << 1 | 1 << 3,
	 2,
	 false,
	 5,
	 {WHOLE(0), WHOLE(2), WHOLE(4), WHOLE(5), WHOLE(DIRECTORY)}},
	{"two in each other's place",
	 1 << 1,
	 1,
	 true,
	 7,
	 {WHOLE(0), WHOLE(2), WHOLE(1), WHOLE(3), WHOLE(4), WHOLE(5),
	  WHOLE(DIRECTORY)}},
	{"one twice",
	 0,
	 0,
	 true,
	 8,
	 {WHOLE(0), WHOLE(1), WHOLE(2), WHOLE(2), WHOLE(3), WHOLE(4), WHOLE(5),
	  WHOLE(DIRECTORY)}},
	{"a part of one again",
	 0,
	 0,
	 true,
	 8,
	 {WHOLE(0),
	  WHOLE(1),
	  {1, 500, 0},
	  WHOLE(2),
	  WHOLE(3),
	  WHOLE(4),
	  WHOLE(5),
	  WHOLE(DIRECTORY)}},
};

static void
find_blocks(const struct hp_buf *pack, uint64_t *at)
{
	const uint8_t *tail =
		(const uint8_t *)pack->data + pack->len - HP_PACK_TAIL;
	const uint8_t *directory;
	struct hp_pack_tail t;

	ck_assert(hp_pack_tail_read(tail, &t));
	ck_assert_uint_eq(t.blocks, BLOCKS);
	directory = (const uint8_t *)pack->data + t.directory;
	for (unsigned i = 0; i < BLOCKS; i++)
		at[i] = hp_pack_directory_entry(directory, i).at;
	at[BLOCKS] = t.directory;
	at[BLOCKS + 1] = pack->len;
}

static struct hp_buf
put_together(const struct hp_buf *pack, const struct piece *pieces, int n)
{
	uint64_t at[BLOCKS + 2];
	struct hp_buf out = {0};

	find_blocks(pack, at);
	hp_buf_add(&out, pack->data, HP_PACK_FILE_HEAD);
	for (int i = 0; i < n; i++) {
		const struct piece *p = &pieces[i];
		uint64_t from = at[p->block] + (uint64_t)p->front;
		uint64_t to = at[p->block + 1] - (uint64_t)p->back;

		hp_buf_add(&out, pack->data + from, to - from);
	}
	return out;
}

/*
 * Check that the data of every block was returned, with zeros instead of the
 * data of lost blocks.
 */
static void
check_dump(const char *name, const struct hp_buf *out, const uint8_t *data,
	   size_t block, unsigned lost)
{
	ck_assert_msg(out->len == BLOCKS * block, "%s: %zu bytes", name,
		      out->len);
	for (size_t i = 0; i < out->len; i++)
		if ((uint8_t)out->data[i] !=
		    (lost >> i / block & 1 ? 0 : data[i]))
			ck_abort_msg("%s: byte %zu of block %zu", name,
				     i % block, i / block);
}

/*
 * Check that there is a message for each loss: one or more consecutive blocks
 * that are lost. The message must contain the offset of the first of them.
 */
static void
check_notes(const char *name, const struct test_pack_read *r, size_t block,
	    unsigned lost, unsigned notes, bool misplaced)
{
	uint64_t bytes = 0;

	ck_assert_msg(r->nnotes == notes + misplaced, "%s: %zu notes", name,
		      r->nnotes);
	for (unsigned i = 0; i < notes; i++) {
		const struct hp_container_note *n = &r->notes[i];

		ck_assert_int_eq(n->problem, HP_CONTAINER_PACK_BLOCK);
		ck_assert_msg(lost >> n->got & 1, "%s: block %u", name,
			      (unsigned)n->got);
		ck_assert_uint_eq(n->offset, n->got * block);
		bytes += n->want;
	}
	for (unsigned i = 0; i < BLOCKS; i++)
		bytes -= lost >> i & 1 ? block : 0;
	ck_assert_msg(bytes == 0, "%s: other bytes are named", name);
	if (misplaced)
		ck_assert_int_eq(r->notes[notes].problem,
				 HP_CONTAINER_PACK_DIRECTORY);
}

/*
 * Test blocks that are shorter, and blocks that are longer, than the part of
 * the file that is read at a time.
 */
START_TEST(bytes_and_blocks)
{
	static const size_t blocks[] = {1000, 40000, 3000000};
	size_t block = blocks[_i];
	uint8_t *data = malloc(BLOCKS * block);
	struct hp_buf pack;
	uint64_t state = 3;

	for (size_t i = 0; i < BLOCKS * block; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		data[i] = (uint8_t)(state >> 33);
	}
	pack = test_pack_write(data, BLOCKS * block, 0, block);
	for (size_t k = 0; k < HP_ARRAY_LEN(files); k++) {
		struct hp_buf bad =
			put_together(&pack, files[k].pieces, files[k].npieces);

		for (unsigned threads = 0; threads <= 2; threads += 2) {
			struct test_pack_read r = test_pack_read(
				bad.data, bad.len, threads, true);

			ck_assert_int_eq(r.status, HP_OK);
			check_dump(files[k].name, &r.out, data, block,
				   files[k].lost);
			check_notes(files[k].name, &r, block, files[k].lost,
				    files[k].notes, files[k].misplaced);
			hp_buf_release(&r.out);
		}
		hp_buf_release(&bad);
	}
	hp_buf_release(&pack);
	free(data);
}
END_TEST

static void
forge_head(uint8_t *p, uint32_t number, uint64_t offset)
{
	memset(p, 0, HP_PACK_BLOCK_HEAD);
	memcpy(p, "HPKB", 4);
	hp_put_le4(p + 4, number);
	hp_put_le8(p + 8, offset);
	hp_put_le4(p + 16, HP_PACK_BLOCK_MOST);
	hp_put_le4(p + 20, 2 * HP_PACK_BLOCK_MOST);
	hp_put_le8(p + 40, XXH3_64bits_withSeed("", 0, XXH3_64bits(p, 40)));
}

/*
 * Test a file that consists only of block headers. Each block claims to reach
 * to the end of the file. Searching all data of each block would take quadratic
 * time: hours.
 */
START_TEST(heads_in_bodies)
{
	size_t heads = (HP_SANITIZED ? 2 << 20 : 8 << 20) / HP_PACK_BLOCK_HEAD;
	size_t n = HP_PACK_FILE_HEAD + heads * HP_PACK_BLOCK_HEAD;
	uint8_t *file = malloc(n);
	struct test_pack_read r;

	hp_pack_file_head(file);
	for (size_t i = 0; i < heads; i++)
		forge_head(file + HP_PACK_FILE_HEAD + i * HP_PACK_BLOCK_HEAD,
			   (uint32_t)i, i * HP_PACK_BLOCK_MOST);
	for (unsigned threads = 0; threads <= 2; threads += 2) {
		r = test_pack_read(file, n, threads, false);
		ck_assert_int_eq(r.status, HP_OK);
		ck_assert_uint_eq(r.out.len, 0);
		ck_assert_uint_ge(r.nnotes, 1);
		hp_buf_release(&r.out);
	}
	free(file);
}
END_TEST

Suite *
test_pack_lost_suite(void)
{
	Suite *s = suite_create("pack_lost");
	TCase *t = tcase_create("pack_lost"), *q = quick_case(s, 60);

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(q, bytes_and_blocks, 0, 1);
	tcase_add_loop_test(t, bytes_and_blocks, 1, 3);
	tcase_add_test(q, heads_in_bodies);
	suite_add_tcase(s, t);
	return s;
}
