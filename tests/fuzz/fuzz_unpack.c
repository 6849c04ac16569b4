/*
 * fuzz_unpack.c - fuzz target: damaged packs, and bytes that are no pack
 *
 * The hashes in a pack detect nearly every change, so random changes would
 * never reach the decoder. The target therefore decodes three kinds of data
 * without their hashes: any bytes after the header of a pack; any bytes as the
 * table of a block; and the data streams of a packed dump with some changed
 * bytes.
 */
#include "common/pack/block/block.h"
#include "common/pack/pack.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum {
	CHANGES = 6
	/*
	 * maximum number of bytes to change; 4 bytes of the input describe each
	 * change
	 */
};

static enum hp_status
count(void *context, const struct hp_pack_symbol *s,
      const struct hp_pack_residue *residues)
{
	return s->rows ? HP_OK : HP_DAMAGED;
}

static enum hp_status
append_bytes(void *context, const void *bytes, size_t n, struct hp_error *err)
{
	return HP_OK;
}

static void
read_file(const uint8_t *file, size_t n, unsigned threads, bool holes)
{
	const struct hp_source_options so = {.threads = threads,
					     .max_size = HP_FUZZ_UNPACKED,
					     .holes = holes,
					     .packing = &hp_pack_vtable};
	struct hp_source *src = NULL;
	enum hp_status st;
	uint8_t *back;
	size_t got;

	st = hp_source_open_fd(&src, hp_fuzz_file(file, n), "pack", &so, NULL);
	HP_FUZZ_CHECK(st == HP_OK);
	st = hp_fuzz_read_all(src, 5000, &back, &got);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_LIMIT ||
		      /*
		       * HP_UNSUPPORTED is returned for an archive without a
		       * dump
		       */
		      st == HP_UNSUPPORTED);
	free(back);
	hp_source_close(src);
}

static void
as_file(const uint8_t *data, size_t n, unsigned threads)
{
	const struct hp_source_options raw = {.raw = true};
	const struct hp_table_counts_options o = {
		.memory = UINT64_MAX, .count = count, .put = append_bytes};
	struct hp_table_counts_facts facts;
	struct hp_source *src = NULL;
	uint8_t *file = malloc(HP_PACK_FILE_HEAD + n);
	enum hp_status st;

	HP_FUZZ_CHECK(file != NULL);
	hp_pack_file_head(file);
	memcpy(file + HP_PACK_FILE_HEAD, data, n);
	n += HP_PACK_FILE_HEAD;
	read_file(file, n, threads, false);
	read_file(file, n, threads, true);
	st = hp_source_open_fd(&src, hp_fuzz_file(file, n), "pack", &raw, NULL);
	HP_FUZZ_CHECK(st == HP_OK);
	st = hp_table_counts(src, &o, &facts, NULL);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_UNSUPPORTED);
	hp_source_close(src);
	free(file);
}

static void
as_table(const uint8_t *data, size_t n)
{
	struct hp_pack_table t = {0};
	enum hp_status st = hp_pack_table_read(&t, data, n, 1 << 20);

	HP_FUZZ_CHECK(st == HP_OK || st == HP_DAMAGED);
	hp_pack_table_release(&t);
}

/*
 * Join the parts of each data stream of a block, so that each stream is
 * contiguous in memory.
 */
static void
join(const struct hp_pack_encoder *e, struct hp_buf *streams)
{
	for (size_t i = 0; i < e->nsegments; i++)
		hp_buf_add(&streams[e->segments[i].stream], e->segments[i].data,
			   e->segments[i].n);
}

/*
 * Change bytes of the data streams. @how, the last bytes of the input,
 * describes the changes.
 */
static void
change(struct hp_buf *streams, const uint8_t *how)
{
	for (unsigned i = 0; i < CHANGES; i++, how += 4) {
		unsigned id = how[0] % HP_PACK_STREAMS;

		while (streams[id].len == 0)
			id = (id + 1) % HP_PACK_STREAMS;
		if (how[3])
			streams[id].data[(how[1] | how[2] << 8) %
					 streams[id].len] ^= (char)how[3];
	}
}

static void
as_streams(const uint8_t *data, size_t n)
{
	struct hp_pack_encoder e = {0};
	struct hp_pack_decoder d = {0};
	struct hp_buf streams[HP_PACK_STREAMS] = {0};
	struct hp_pack_walk w = {.at = data, .left = n, .last = true};
	uint8_t *out = malloc(n);
	enum hp_status st;

	HP_FUZZ_CHECK(out != NULL);
	w.left = n - 4 * CHANGES;
	HP_FUZZ_CHECK(hp_pack_encode(&e, &w) == HP_OK);
	join(&e, streams);
	change(streams, data + w.left);
	hp_pack_streams_clear(&d);
	for (unsigned i = 0; i < HP_PACK_STREAMS; i++) {
		const uint8_t *p = (const uint8_t *)streams[i].data;

		if (streams[i].len > 0)
			d.streams[i] =
				(struct hp_pack_bytes){p, p + streams[i].len};
	}
	st = hp_pack_decode(&d, out, (uint32_t)w.left);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_DAMAGED);
	for (unsigned i = 0; i < HP_PACK_STREAMS; i++)
		hp_buf_release(&streams[i]);
	hp_pack_decoder_release(&d);
	hp_pack_encoder_release(&e);
	free(out);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	unsigned way = hp_fuzz_choice(data, n, 8);

	if (way < 2)
		as_file(data, n, way);
	else if (way == 2)
		as_table(data, n);
	else if (n > 4 * CHANGES)
		as_streams(data, n);
	return 0;
}
