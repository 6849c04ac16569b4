/*
 * gzip_out.c - HotSpot's block gzip: every block of at most 1 MiB is a gzip
 * member, and the first one's comment says so
 *
 * Any gunzip reads it; Eclipse MAT can open it in place. Headers are byte for
 * byte HotSpot's: first member FLG=FCOMMENT, OS=0, the others FLG=0, OS=3.
 * Threads, cutting and writing are left to press.c.
 */
#include "common/io/press.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20)
#define HEADER 10 /* bytes, without the comment */
#define TRAILER 8
#define COMMENT "HPROF BLOCKSIZE=1048576" /* BLOCK */

enum { XFL_SMALLEST = 2, XFL_FASTEST = 4 };

struct worker {
	struct libdeflate_compressor *state;
	int level;
};

static void
worker_close(void *worker)
{
	struct worker *w = worker;

	libdeflate_free_compressor(w->state);
	free(w);
}

static void *
worker_open(int level)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->level = level;
	w->state = libdeflate_alloc_compressor(level);
	if (!w->state) {
		free(w);
		return NULL;
	}
	return w;
}

static size_t
bound(size_t n)
{
	return HEADER + sizeof(COMMENT) +
	       libdeflate_deflate_compress_bound(NULL, n) + TRAILER;
}

/* Returns the header's length. */
static size_t
put_header(uint8_t *p, int level, bool first)
{
	memset(p, 0, HEADER);
	p[0] = 0x1f;
	p[1] = 0x8b;
	p[2] = 8; /* deflate */
	p[3] = first ? 0x10 : 0;
	p[8] = level == 1 ? XFL_FASTEST : level >= 9 ? XFL_SMALLEST : 0;
	p[9] = first ? 0 : 3;
	if (!first)
		return HEADER;
	memcpy(p + HEADER, COMMENT, sizeof(COMMENT));
	return HEADER + sizeof(COMMENT);
}

static void
put_le32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static bool
encode(void *worker, struct hp_press_block *b)
{
	struct worker *w = worker;
	size_t head = put_header(b->out, w->level, b->first);
	size_t len = libdeflate_deflate_compress(w->state, b->in, b->in_len,
	                                         b->out + head,
	                                         b->out_room - head - TRAILER);

	if (len == 0)
		return false;
	put_le32(b->out + head + len, libdeflate_crc32(0, b->in, b->in_len));
	put_le32(b->out + head + len + 4, (uint32_t)b->in_len);
	b->out_len = head + len + TRAILER;
	return true;
}

const struct hp_encoder hp_gzip_encoder = {
        .good = BLOCK - BLOCK / 8,
        .most = BLOCK,
        .level_least = 1,
        .level_most = 12,
        .level_default = 1,
        .worker_open = worker_open,
        .worker_close = worker_close,
        .encode = encode,
        .bound = bound,
};
