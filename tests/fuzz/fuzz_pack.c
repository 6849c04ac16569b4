/*
 * fuzz_pack.c - fuzz target: any bytes can be packed and unpacked
 *
 * The target uses blocks of any size, with and without threads, from a file and
 * from a pipe. It also counts the objects of the pack by reading only its
 * tables, which must not crash.
 */
#include "common/pack/pack.h"
#include "common/pack/internal.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum hp_status
append_bytes(void *context, const void *buf, size_t n, struct hp_error *err)
{
	hp_buf_add(context, buf, n);
	return HP_OK;
}

static struct hp_buf
pack(const uint8_t *data, size_t n, unsigned threads, size_t block)
{
	struct hp_buf out = {0};
	void *w = NULL;

	HP_FUZZ_CHECK(hp_pack_writer_open_sized(&w, append_bytes, &out, 1,
						threads, block, NULL) == HP_OK);
	for (size_t at = 0; at < n; at += 5000)
		HP_FUZZ_CHECK(
			hp_pack_writer_write(w, data + at,
					     n - at < 5000 ? n - at : 5000,
					     NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_pack_writer_finish(w, NULL) == HP_OK);
	hp_pack_writer_close(w, false);
	HP_FUZZ_CHECK(hp_buf_ok(&out));
	return out;
}

static void
check_back(const struct hp_buf *packed, const uint8_t *data, size_t n,
	   bool pipe, unsigned threads)
{
	const struct hp_source_options so = {.threads = threads,
					     .packing = &hp_pack_vtable};
	const uint8_t *bytes = (const uint8_t *)packed->data;
	struct hp_source *src = NULL;
	size_t got, notes;
	uint8_t *back;
	int fd = pipe ? hp_fuzz_pipe(bytes, packed->len)
		      : hp_fuzz_file(bytes, packed->len);

	HP_FUZZ_CHECK(hp_source_open_fd(&src, fd, "pack", &so, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_source_is_pack(src));
	HP_FUZZ_CHECK(hp_fuzz_read_all(src, 4093, &back, &got) == HP_OK);
	HP_FUZZ_CHECK(got == n && (n == 0 || memcmp(back, data, n) == 0));
	hp_source_notes(src, &notes);
	HP_FUZZ_CHECK(notes == 0);
	free(back);
	hp_source_close(src);
}

/*
 * Check an entry of a table of a pack. For arrays, the entry has one row for
 * each remainder of the array length (see struct hp_pack_residue), with the
 * number of arrays. The sum of these numbers must be the number of arrays.
 */
static enum hp_status
count(void *context, const struct hp_pack_symbol *s,
      const struct hp_pack_residue *residues)
{
	uint64_t rows = 0, least = 0;

	for (uint32_t i = 0; i < s->nresidues; i++) {
		rows += residues[i].rows;
		least += (uint64_t)residues[i].rows * residues[i].residue;
	}
	HP_FUZZ_CHECK(rows == (hp_pack_is_array(s->kind) ? s->rows : 0));
	HP_FUZZ_CHECK(s->elements >= least);
	return HP_OK;
}

static enum hp_status
put_rest(void *context, const void *bytes, size_t n, struct hp_error *err)
{
	HP_FUZZ_CHECK(bytes || n == 0);
	return HP_OK;
}

static void
check_skim(const struct hp_buf *packed)
{
	const struct hp_source_options so = {.raw = true};
	const struct hp_table_counts_options o = {
		.memory = UINT64_MAX, .count = count, .put = put_rest};
	struct hp_table_counts_facts facts;
	struct hp_source *src = NULL;
	enum hp_status st;
	int fd = hp_fuzz_file((const uint8_t *)packed->data, packed->len);

	HP_FUZZ_CHECK(hp_source_open_fd(&src, fd, "pack", &so, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_table_counts_possible(src));
	st = hp_table_counts(src, &o, &facts, NULL);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_UNSUPPORTED);
	hp_source_close(src);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	static const size_t blocks[] = {HP_FUZZ_MAX, 64, 1000, 8192};
	unsigned way = hp_fuzz_choice(data, n, 8);
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0);
	bool plain = src && hp_source_seekable(src);
	struct hp_buf packed;

	hp_source_close(src);
	/*
	 * reading a compressed input returns decompressed bytes, so the bytes
	 * cannot be compared
	 */
	if (!plain)
		return 0;
	packed = pack(data, n, way & 4 ? 1 : 0, blocks[way % 4]);
	if (packed.len > HP_FUZZ_MAX)
		/*
		 * read the pack from a file, because it is too long for a pipe
		 */
		way = 0;
	check_back(&packed, data, n, way & 1, way & 2 ? 1 : 0);
	check_skim(&packed);
	hp_buf_release(&packed);
	return 0;
}
