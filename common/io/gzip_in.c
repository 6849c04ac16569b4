/*
 * gzip_in.c - read gzip files
 *
 * A gzip file consists of one or more members, which can be decoded
 * independently. The file is divided into pieces at the beginnings of members.
 * Complete members of moderate size, such as those that HotSpot writes, are
 * decoded in advance with libdeflate. With the checksum, libdeflate takes 0.8
 * to 0.9 of the time of ISA-L. All other bytes are decoded in order with ISA-L.
 * Only this decoder reports damage. decompress.c manages the threads.
 *
 * Source: RFC 1952; HotSpot's block layout (a comment in the first member).
 */
#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/io/layer.h"
#include "common/io/internal.h"

#include <isa-l/crc.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/*
 * minimum number of compressed bytes of a piece (the part of the file that one
 * thread decodes)
 */
#define PIECE_LEAST ((size_t)1 << 10)
/*
 * If a piece has at least this number of compressed bytes, it ends where the
 * next gzip member begins.
 */
#define PIECE_GOOD ((size_t)32 << 10)
/*
 * Maximum number of compressed bytes of a piece. A gzip member with 1 MiB of
 * incompressible data fits into such a piece.
 */
#define PIECE_MOST ((size_t)9 << 17)
/* maximum number of compressed bytes of a piece that is decoded in order */
#define PIECE_RAW ((size_t)256 << 10)
/*
 * If the members of a piece decode to at least this number of bytes, the piece
 * ends where the next gzip member begins.
 */
#define OUT_GOOD ((uint64_t)1 << 20)
/* maximum number of decoded bytes of a piece of the file */
#define OUT_MOST ((size_t)2 << 20)
/* maximum ratio of the decoded size to the compressed size of deflate data */
#define DEFLATE_MOST 1032
/*
 * length in bytes of the shortest possible header and trailer of a gzip member
 * together
 */
#define MEMBER_LEAST 18
/* length in bytes of the trailer of a gzip member: CRC-32 and size */
#define TRAILER 8
/* number of positions that one call of any_magic() tests */
#define SEARCH 128
/* maximum number of bytes of the comment in a gzip header that are kept */
#define COMMENT_ROOM 64

enum {
	FLAG_HCRC = 0x02,
	FLAG_EXTRA = 0x04,
	FLAG_NAME = 0x08,
	FLAG_COMMENT = 0x10,
	FLAGS_RESERVED = 0xe0,
};

static const char BLOCKSIZE[] = "HPROF BLOCKSIZE=";

/* ---- dividing the file where gzip members seem to begin ---- */

struct cutter {
	/*
	 * The number of bytes from the beginning of the piece that were already
	 * searched for the start of a gzip member.
	 */
	size_t scanned;
	/*
	 * sum of the decoded sizes, in bytes, that are stored in the gzip
	 * members of this piece
	 */
	uint64_t expect;
	bool many; /* the piece contains the start of a second gzip member */
};

/*
 * Whether a gzip member may begin at @p. At least four bytes must be readable
 * there.
 */
static bool
may_begin_member(const uint8_t *p)
{
	return p[0] == 0x1f && p[1] == 0x8b && p[2] == 8 &&
	       (p[3] & FLAGS_RESERVED) == 0;
}

/*
 * Whether the two magic bytes of gzip occur at one of the SEARCH positions that
 * begin at @p. The compiler vectorises the loop.
 */
static bool
any_magic(const uint8_t *p)
{
	uint8_t any = 0;

	for (size_t i = 0; i < SEARCH; i++)
		any |= (uint8_t)((p[i] == 0x1f) & (p[i + 1] == 0x8b));
	return any;
}

/*
 * Returns the next offset in @buf, at or after @from, where a gzip member may
 * begin; @n if there is none.
 */
static size_t
find_member(const uint8_t *buf, size_t from, size_t n)
{
	size_t end = n < 4 ? 0 : n - 3, stop;

	while (from < end) {
		if (n - from > SEARCH && !any_magic(buf + from)) {
			from += SEARCH;
			continue;
		}
		for (stop = end - from < SEARCH ? end : from + SEARCH;
		     from < stop; from++)
			if (may_begin_member(buf + from))
				return from;
	}
	return n;
}

static struct hp_cut
set_cut(struct cutter *c, size_t len, bool whole)
{
	*c = (struct cutter){0};
	return (struct hp_cut){.len = len, .whole = whole};
}

static struct hp_cut
gzip_cut(void *cutter, const uint8_t *buf, size_t n, bool last)
{
	struct cutter *c = cutter;
	bool starts = n >= 4 && may_begin_member(buf);
	size_t from = c->scanned > MEMBER_LEAST ? c->scanned : MEMBER_LEAST;

	for (;;) {
		size_t at = starts ? find_member(buf, from, n)
				   : find_member(buf, c->scanned, n);

		if (at >= n)
			break;
		if (!starts)
			return set_cut(c, at, false);
		c->many = true;
		c->expect += hp_le4(buf + at - 4);
		if (at >= PIECE_GOOD ||
		    (at >= PIECE_LEAST && c->expect >= OUT_GOOD))
			return set_cut(c, at, true);
		from = at + MEMBER_LEAST;
	}
	if (last)
		return set_cut(c, n, starts);
	if (n >= (starts ? PIECE_MOST : PIECE_RAW))
		return set_cut(c, n, starts && c->many);
	c->scanned = n > 3 ? n - 3 : 0;
	if (starts && c->scanned < from)
		c->scanned = from;
	return (struct hp_cut){0};
}

/* ---- decoding in advance ---- */

static void *
worker_open(void *context)
{
	return libdeflate_alloc_decompressor();
}

static void
worker_close(void *worker)
{
	libdeflate_free_decompressor(worker);
}

/*
 * Decode in advance the gzip members of the piece, up to the first one that has
 * an error. Also stop before a member whose header has a checksum, because only
 * the sequential decoder checks this checksum.
 */
static void
decode_members_ahead(void *worker, struct hp_piece *piece)
{
	size_t room = OUT_MOST;
	uint8_t *out;

	if (piece->in_len < OUT_MOST / DEFLATE_MOST)
		room = piece->in_len * DEFLATE_MOST;
	out = hp_piece_reserve(piece, room);
	if (!out)
		return;
	piece->out_len = 0;
	piece->most = 0;
	while (piece->in_len - piece->used >= MEMBER_LEAST) {
		const uint8_t *in = piece->in + piece->used;
		size_t used, len;

		if (!may_begin_member(in) || (in[3] & FLAG_HCRC) ||
		    libdeflate_gzip_decompress_ex(
			    worker, in, piece->in_len - piece->used,
			    out + piece->out_len, room - piece->out_len, &used,
			    &len) != LIBDEFLATE_SUCCESS)
			break;
		piece->used += used;
		piece->out_len += len;
		if (len > piece->most)
			piece->most = len;
	}
}

/* ---- decoding in order ---- */

struct stream {
	struct hp_feed *feed;
	struct hp_inflate data;
	uint64_t members; /* number of gzip members that have begun so far */
	/* offset of the header of the current member in the file */
	uint64_t begin;
	/*
	 * The maximum decoded size in bytes of a gzip member, as the comment of
	 * the first member states. 0: the first member has no such comment.
	 */
	uint64_t block_size;
};

/* The state of reading the header of a gzip member byte by byte. */
struct header {
	uint32_t crc;
	bool cut; /* the input ended inside the header of the gzip member */
	size_t comment_len;
	char comment[COMMENT_ROOM];
};

static void *
stream_open(struct hp_feed *feed)
{
	struct stream *s = hp_calloc(1, sizeof(*s));

	if (s)
		s->feed = feed;
	return s;
}

static enum hp_step
note_problem(struct stream *s, enum hp_container_problem problem, size_t len,
	     uint64_t got, uint64_t want)
{
	return hp_feed_note(s->feed, problem, s->feed->raw, len, got, want);
}

/*
 * Returns the decoded block size that the comment of a gzip member states, as
 * in files of HotSpot. Returns 0 if the comment does not state it.
 */
static uint64_t
promised_block_size(const char *comment)
{
	const char *digits = comment + sizeof(BLOCKSIZE) - 1;

	if (strncmp(comment, BLOCKSIZE, sizeof(BLOCKSIZE) - 1) != 0 ||
	    *digits < '0' || *digits > '9')
		return 0;
	return strtoull(digits, NULL, 10);
}

/*
 * Whether the decoded bytes of a piece, which was decoded in advance, can be
 * used. If the first gzip member has a comment as HotSpot writes it, the
 * function reads the block size from it. Returns false if this member has a
 * long comment or other optional fields, or if a member is longer than the
 * block size: then the sequential decoder must decode the piece.
 */
static bool
gzip_accept(void *stream, const struct hp_piece *piece)
{
	struct stream *s = stream;
	uint64_t block_size = s->block_size;
	const uint8_t *nul;

	if (s->members == 0 && (piece->in[3] & FLAG_COMMENT)) {
		if (piece->in[3] != FLAG_COMMENT)
			return false;
		nul = memchr(piece->in + 10, 0, piece->used - 10);
		if (!nul || nul - (piece->in + 10) >= COMMENT_ROOM)
			return false;
		block_size = promised_block_size((const char *)piece->in + 10);
	}
	if (block_size && piece->most > block_size)
		return false;
	s->block_size = block_size;
	s->members++;
	return true;
}

static int
header_byte(struct stream *s, struct header *h)
{
	int c = hp_feed_byte(s->feed);
	uint8_t byte = (uint8_t)c;

	if (c < 0)
		h->cut = true;
	else
		h->crc = crc32_gzip_refl(h->crc, &byte, 1);
	return c;
}

static void
header_skip(struct stream *s, struct header *h, size_t n)
{
	while (n-- > 0 && header_byte(s, h) >= 0)
		;
}

static void
header_text(struct stream *s, struct header *h)
{
	int c;

	h->comment_len = 0;
	while ((c = header_byte(s, h)) > 0)
		if (h->comment_len < COMMENT_ROOM - 1)
			h->comment[h->comment_len++] = (char)c;
	h->comment[h->comment_len] = '\0';
}

/*
 * Read the header of a gzip member after its two magic bytes. Returns
 * HP_STEP_MORE; or HP_STEP_END after damage, for which the function has added a
 * note.
 */
static enum hp_step
read_header(struct stream *s)
{
	static const uint8_t magic[] = {0x1f, 0x8b};
	struct header h = {.crc = crc32_gzip_refl(0, magic, sizeof(magic))};
	int method = header_byte(s, &h);
	int flags = header_byte(s, &h);
	int low, high;

	if ((method >= 0 && method != 8) ||
	    (flags >= 0 && (flags & FLAGS_RESERVED)))
		return note_problem(s, HP_CONTAINER_GZIP_MEMBER, 0, 0, 0);
	header_skip(s, &h, 6);
	if (!h.cut && (flags & FLAG_EXTRA)) {
		low = header_byte(s, &h);
		high = header_byte(s, &h);
		if (!h.cut)
			header_skip(s, &h, (size_t)low | (size_t)high << 8);
	}
	if (!h.cut && (flags & FLAG_NAME))
		header_text(s, &h);
	if (!h.cut && (flags & FLAG_COMMENT)) {
		header_text(s, &h);
		if (!h.cut && s->members == 0)
			s->block_size = promised_block_size(h.comment);
	}
	if (!h.cut && (flags & FLAG_HCRC)) {
		uint32_t want = h.crc & 0xffff;

		low = header_byte(s, &h);
		high = header_byte(s, &h);
		if (!h.cut && want != ((uint32_t)low | (uint32_t)high << 8))
			return note_problem(s, HP_CONTAINER_GZIP_MEMBER, 0,
					    (uint32_t)low | (uint32_t)high << 8,
					    want);
	}
	if (h.cut)
		return note_problem(s, HP_CONTAINER_GZIP_TRUNCATED, 0, 0, 0);
	return HP_STEP_MORE;
}

/*
 * Read the bytes after the last gzip member, and add a note about them. The
 * kind of the note depends on whether all these bytes are zero (padding).
 */
static enum hp_step
read_rest(struct stream *s, uint64_t from, bool zero)
{
	while (zero && hp_feed_fill(s->feed)) {
		size_t k = 0;

		while (k < s->feed->left && s->feed->p[k] == 0)
			k++;
		zero = k == s->feed->left;
		hp_feed_skip(s->feed, k);
	}
	return zero ? hp_feed_note(s->feed, HP_CONTAINER_GZIP_PADDING, from, 0,
				   s->feed->raw - from, 0)
		    : hp_feed_note(s->feed, HP_CONTAINER_GZIP_TRAILING, from, 0,
				   0, 0);
}

static enum hp_step
gzip_begin(void *stream)
{
	struct stream *s = stream;
	uint64_t from = s->feed->raw;
	int first = hp_feed_byte(s->feed);
	int second = first == 0x1f ? hp_feed_byte(s->feed) : -1;
	enum hp_step step;

	if (first < 0)
		return HP_STEP_END;
	if (second != 0x8b)
		return read_rest(s, from, first == 0);
	s->begin = from;
	step = read_header(s);
	s->members++;
	hp_inflate_init(&s->data);
	return step;
}

/*
 * At the end of the data of a gzip member, compare the checksum and the size
 * with the trailer of the member.
 */
static enum hp_step
read_trailer(struct stream *s, size_t len)
{
	uint8_t b[TRAILER];
	uint32_t crc, size;

	if (hp_feed_bytes(s->feed, b, TRAILER) < TRAILER)
		return note_problem(s, HP_CONTAINER_GZIP_TRUNCATED, len, 0, 0);
	crc = hp_le4(b);
	size = hp_le4(b + 4);
	if (crc != s->data.crc)
		return note_problem(s, HP_CONTAINER_GZIP_MEMBER, len,
				    s->data.crc, crc);
	if (size != (uint32_t)s->data.size)
		return note_problem(s, HP_CONTAINER_GZIP_MEMBER, len,
				    s->data.size, size);
	if (s->block_size && s->data.size > s->block_size)
		hp_feed_note(s->feed, HP_CONTAINER_GZIP_BLOCKSIZE, s->begin,
			     len, s->data.size, s->block_size);
	return HP_STEP_MEMBER;
}

static enum hp_step
gzip_more(void *stream, uint8_t *out, size_t room, size_t *len)
{
	struct stream *s = stream;

	while (*len < room) {
		if (!hp_inflate_some(&s->data, s->feed, UINT64_MAX, out, room,
				     len))
			return note_problem(s, HP_CONTAINER_GZIP_MEMBER, *len,
					    0, 0);
		if (hp_inflate_over(&s->data, s->feed))
			return read_trailer(s, *len);
		if (*len < room && !hp_feed_fill(s->feed))
			return note_problem(s, HP_CONTAINER_GZIP_TRUNCATED,
					    *len, 0, 0);
	}
	return HP_STEP_MORE;
}

static const struct hp_codec gzip_codec = {
	.piece_most = PIECE_MOST,
	.cutter_size = sizeof(struct cutter),
	.cut = gzip_cut,
	.worker_open = worker_open,
	.worker_close = worker_close,
	.ahead = decode_members_ahead,
	.stream_open = stream_open,
	.stream_close = hp_free,
	.accept = gzip_accept,
	.begin = gzip_begin,
	.more = gzip_more,
};

static bool
gzip_begins(const uint8_t *head, size_t n)
{
	return n >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static enum hp_status
gzip_open(struct hp_layer **out, struct hp_layer *below,
	  const struct hp_layer_options *o, struct hp_error *err)
{
	return hp_decompress_open(out, below, &gzip_codec, o, err);
}

const struct hp_container hp_gzip_container = {
	.name = "gzip", .begins = gzip_begins, .open = gzip_open};
