/*
 * fuzz_io.c - fuzz target: sources of plain, gzip, zstd, zip and tar bytes
 *
 * A file and a pipe, with and without threads, and with reads of any size, must
 * return the same bytes. They must also report the same problems of the
 * container.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	enum hp_status status;
	uint8_t *data;
	size_t n;
	const char *compression;
	struct hp_container_note notes[16];
	size_t nnotes;
};

static void
take_notes(struct reading *r, struct hp_source *src)
{
	const struct hp_container_note *notes =
		hp_source_notes(src, &r->nnotes);

	HP_FUZZ_CHECK(r->nnotes <= HP_ARRAY_LEN(r->notes));
	for (size_t i = 0; i < r->nnotes; i++)
		r->notes[i] = notes[i];
}

static void
read_source(struct reading *r, struct hp_source *src, size_t step)
{
	r->compression = hp_source_compression(src);
	r->status = hp_fuzz_read_all(src, step, &r->data, &r->n);
	/* HP_UNSUPPORTED is returned for an archive without a dump */
	HP_FUZZ_CHECK(r->status == HP_OK || r->status == HP_LIMIT ||
		      r->status == HP_UNSUPPORTED);
	if (r->status == HP_OK)
		HP_FUZZ_CHECK(hp_source_tell(src) == r->n);
	HP_FUZZ_CHECK(r->n <= HP_FUZZ_UNPACKED);
	take_notes(r, src);
}

static void
same(const struct reading *a, const struct reading *b)
{
	size_t n = a->n < b->n ? a->n : b->n;

	HP_FUZZ_CHECK(a->compression == b->compression);
	HP_FUZZ_CHECK(a->status == b->status);
	HP_FUZZ_CHECK(memcmp(a->data, b->data, n) == 0);
	if (a->status != HP_OK)
		return;
	HP_FUZZ_CHECK(a->n == b->n);
	HP_FUZZ_CHECK(a->nnotes == b->nnotes);
	for (size_t i = 0; i < a->nnotes; i++) {
		HP_FUZZ_CHECK(a->notes[i].problem == b->notes[i].problem);
		HP_FUZZ_CHECK(a->notes[i].offset == b->notes[i].offset);
		HP_FUZZ_CHECK(a->notes[i].raw == b->notes[i].raw);
		HP_FUZZ_CHECK(a->notes[i].count == b->notes[i].count);
	}
}

/*
 * Rewind the source, skip some bytes, and check that the rest is equal to what
 * the first reading returned.
 */
static void
again(struct hp_source *src, const struct reading *first)
{
	uint64_t skipped, want = first->n / 3;
	struct reading r = {0};

	if (!hp_source_rewindable(src) || first->status != HP_OK)
		return;
	HP_FUZZ_CHECK(hp_source_rewind(src, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_source_skip(src, want, &skipped, NULL) == HP_OK);
	HP_FUZZ_CHECK(skipped == want);
	r.status = hp_fuzz_read_all(src, 8191, &r.data, &r.n);
	HP_FUZZ_CHECK(r.status == HP_OK);
	HP_FUZZ_CHECK(r.n == first->n - want);
	HP_FUZZ_CHECK(memcmp(r.data, first->data + want, r.n) == 0);
	free(r.data);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	unsigned way = hp_fuzz_choice(data, n, 4);
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0);
	struct reading a = {0}, b = {0};

	if (!src)
		return 0;
	read_source(&a, src, 65536);
	if (hp_source_seekable(src))
		HP_FUZZ_CHECK(a.n == n && memcmp(a.data, data, n) == 0);
	again(src, &a);
	hp_source_close(src);
	src = hp_fuzz_source(data, n, way & 1 ? HP_FUZZ_PIPE : HP_FUZZ_FILE,
			     way & 2 ? 2 : 0);
	read_source(&b, src, way & 2 ? 1 << 20 : 4093);
	hp_source_close(src);
	same(&a, &b);
	free(a.data);
	free(b.data);
	return 0;
}
