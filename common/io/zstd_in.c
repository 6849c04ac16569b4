/*
 * zstd_in.c - read zstd files
 *
 * A zstd file consists of frames, which can be decoded independently. A frame
 * consists of blocks. Each block has a header with its length, so the end of a
 * frame is found by stepping from block to block. Some files have a table of
 * frames, which is not used. Frames whose header states a moderate size are
 * decoded in advance. decompress.c manages the threads.
 *
 * Source: RFC 8878.
 */
#include "common/base/memory.h"
#include "common/base/zstd_memory.h"
#include "common/io/layer.h"
#include "common/io/internal.h"

#include <string.h>
#include <zstd_errors.h>

/*
 * If a piece of the file has at least this number of compressed bytes, it ends
 * where the next frame begins.
 */
#define PIECE_GOOD ((size_t)128 << 10)
/*
 * If the frames of a piece decode to at least this number of bytes, the piece
 * ends where the next frame begins.
 */
#define OUT_GOOD ((uint64_t)1 << 20)
/* maximum number of decoded bytes of a piece of the file */
#define OUT_MOST ((uint64_t)8 << 20)
#define PIECE_MOST (((size_t)8 << 20) + ((size_t)64 << 10))
/* maximum number of compressed bytes of a piece that is decoded in order */
#define PIECE_RAW ((size_t)256 << 10)
/*
 * base-2 logarithm of the largest allowed zstd window (the memory for
 * decoding): the default limit of the zstd command
 */
#define WINDOW_LOG_MOST 27
/*
 * base-2 logarithm of a zstd window size that suffices for all compression
 * levels up to 19
 */
#define WINDOW_LOG_LEAST 23

#define MAGIC 0xFD2FB528u
/*
 * the first of 16 magic numbers of skippable frames, which contain no
 * compressed data
 */
#define SKIPPABLE 0x184D2A50u

static uint64_t
load_le(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = n; i > 0; i--)
		v = v << 8 | p[i - 1];
	return v;
}

static bool
is_skippable(uint32_t magic)
{
	return (magic & 0xfffffff0u) == SKIPPABLE;
}

/* ---- dividing the file between frames ---- */

enum place {
	/* where a frame should begin, or where its magic number was found */
	AT_FRAME,
	AT_BLOCK, /* at the header of a block inside a frame */
	/* the data is not valid zstd, so pieces of the file may end anywhere */
	LOST,
};

struct cutter {
	enum place place;
	/*
	 * The offset of the next frame header or block header, from the
	 * beginning of the current piece of the file.
	 */
	uint64_t at;
	/*
	 * The decompressed size in bytes of all frames that begin before offset
	 * `at` of the piece.
	 */
	uint64_t expect;
	/* the current frame ends with a checksum of its contents */
	bool checksum;
	bool inside; /* the piece of the file begins inside a frame */
	/*
	 * the piece of the file has a frame that must be decoded sequentially
	 */
	bool plain;
};

/* bits of the first byte of a frame header, the frame header descriptor */
enum {
	FLAG_CHECKSUM = 0x04,
	FLAG_RESERVED = 0x08,
	/*
	 * single segment: the zstd window is as large as the contents of the
	 * frame
	 */
	FLAG_SINGLE = 0x20,
};

/* The window size that the window descriptor @byte encodes. */
static uint64_t
window_size(uint8_t byte)
{
	uint64_t base = UINT64_C(1) << (10 + (byte >> 3));

	return base + base / 8 * (byte & 7);
}

/*
 * Read the header of a frame. Returns false if more bytes are needed. If the
 * header is invalid or the zstd window is large, sets *@plain to true, so that
 * the frame is decoded sequentially: only the sequential decoder reports damage
 * and checks the limit for windows.
 */
static bool
frame_header(const uint8_t *p, size_t n, size_t *len, uint64_t *content,
	     bool *checksum, bool *plain)
{
	static const uint8_t id_len[] = {0, 1, 2, 4};
	uint8_t descriptor, code;
	bool single;
	size_t size_len, before;

	if (n < 5)
		return false;
	descriptor = p[4];
	code = descriptor >> 6;
	single = descriptor & FLAG_SINGLE;
	size_len = code ? (size_t)1 << code : single;
	before = 5 + (single ? 0 : 1) + id_len[descriptor & 3];
	if (n < before + size_len)
		return false;
	*len = before + size_len;
	*content = size_len ? load_le(p + before, size_len) : UINT64_MAX;
	if (size_len == 2)
		*content += 256;
	*checksum = descriptor & FLAG_CHECKSUM;
	*plain = descriptor & FLAG_RESERVED ||
		 (!single && window_size(p[5]) > UINT64_C(1)
							 << WINDOW_LOG_LEAST);
	return true;
}

static struct hp_cut
set_cut(struct cutter *c, size_t len)
{
	struct hp_cut cut = {.len = len,
			     .whole = !c->inside && !c->plain &&
				      c->place == AT_FRAME && c->at == len,
			     .expect = c->expect};

	c->at = c->at > len ? c->at - len : 0;
	c->inside = c->place == AT_BLOCK || c->at > 0;
	c->expect = 0;
	c->plain = false;
	return cut;
}

/*
 * Whether a piece of the file should end at the end of this frame, because it
 * is large enough.
 */
static bool
is_cut_point(const struct cutter *c)
{
	return c->at > 0 && (c->inside || c->plain || c->at >= PIECE_GOOD ||
			     c->expect >= OUT_GOOD);
}

/*
 * Read the frame header at offset c->at of the @n bytes at @p. Returns false if
 * more bytes are needed. If the piece should end before this frame, sets *@cut
 * to true and returns false.
 */
static bool
step_frame(struct cutter *c, const uint8_t *p, size_t n, bool *cut)
{
	uint64_t content;
	size_t len;
	bool plain;

	*cut = false;
	if (n < 4)
		return false;
	if (is_skippable((uint32_t)load_le(p, 4))) {
		if (n < 8)
			return false;
		c->at += 8 + load_le(p + 4, 4);
		return true;
	}
	if (load_le(p, 4) != MAGIC) {
		c->place = LOST;
		return true;
	}
	if (!frame_header(p, n, &len, &content, &c->checksum, &plain))
		return false;
	if (plain || content > OUT_MOST || c->expect + content > OUT_MOST) {
		if (c->at > 0) {
			*cut = true;
			return false;
		}
		c->plain = true;
	} else {
		c->expect += content;
	}
	c->at += len;
	c->place = AT_BLOCK;
	return true;
}

static bool
step_block(struct cutter *c, const uint8_t *p, size_t n)
{
	uint32_t head, type;

	if (n < 3)
		return false;
	head = (uint32_t)load_le(p, 3);
	type = head >> 1 & 3;
	c->at += 3 + (type == 1 ? 1 : head >> 3);
	if (type == 3) {
		c->place = LOST;
	} else if (head & 1) {
		c->at += c->checksum ? 4 : 0;
		c->place = AT_FRAME;
	}
	return true;
}

static struct hp_cut
zstd_cut(void *cutter, const uint8_t *buf, size_t n, bool last)
{
	struct cutter *c = cutter;
	bool more = true, cut = false;
	size_t most;

	while (more && c->place != LOST && c->at <= n) {
		size_t left = n - (size_t)c->at;

		if (c->place == AT_FRAME && is_cut_point(c))
			return set_cut(c, (size_t)c->at);
		if (c->place == AT_FRAME)
			more = step_frame(c, buf + c->at, left, &cut);
		else
			more = step_block(c, buf + c->at, left);
		if (cut)
			return set_cut(c, (size_t)c->at);
	}
	most = c->inside || c->plain || c->place == LOST ? PIECE_RAW
							 : PIECE_MOST;
	if (n >= most || last)
		return set_cut(c, n);
	return (struct hp_cut){0};
}

/* ---- decoding in advance ---- */

static void *
worker_open(void *context)
{
	return hp_zstd_new_decoder();
}

static void
worker_close(void *worker)
{
	ZSTD_freeDCtx(worker);
}

static void
decode_frames_ahead(void *worker, struct hp_piece *piece)
{
	size_t room = (size_t)piece->expect;
	uint8_t *out = hp_piece_reserve(piece, room);
	size_t len;

	if (!out)
		return;
	len = ZSTD_decompressDCtx(worker, out, room, piece->in, piece->in_len);
	if (ZSTD_isError(len) || len != room)
		return;
	piece->out_len = len;
	piece->used = piece->in_len;
}

/* ---- decoding in order ---- */

struct stream {
	struct hp_feed *feed;
	ZSTD_DCtx *state;
	/*
	 * base-2 logarithm of the largest zstd window (memory for decoding)
	 * that is allowed
	 */
	int window_log;
	bool decoded; /* at least one frame was decoded completely */
};

static void
stream_close(void *stream)
{
	struct stream *s = stream;

	ZSTD_freeDCtx(s->state);
	hp_free(s);
}

/*
 * Returns the base-2 logarithm of the largest allowed size of a zstd window,
 * which may use half of @memory bytes.
 */
static int
window_log(uint64_t memory)
{
	int log = WINDOW_LOG_MOST;

	while (memory && log > WINDOW_LOG_LEAST && UINT64_C(2) << log > memory)
		log--;
	return log;
}

static void *
stream_open(struct hp_feed *feed)
{
	struct stream *s = hp_calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->feed = feed;
	s->window_log = window_log(feed->memory);
	s->state = hp_zstd_new_decoder();
	if (!s->state ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(s->state, ZSTD_d_windowLogMax,
						s->window_log))) {
		stream_close(s);
		return NULL;
	}
	return s;
}

static bool
zstd_accept(void *stream, const struct hp_piece *piece)
{
	struct stream *s = stream;

	s->decoded = true;
	return true;
}

static enum hp_step
skip_frame(struct stream *s)
{
	uint8_t b[4];
	uint64_t left;

	if (hp_feed_bytes(s->feed, b, sizeof(b)) < sizeof(b))
		return hp_feed_note(s->feed, HP_CONTAINER_ZSTD_TRUNCATED,
				    s->feed->raw, 0, 0, 0);
	left = load_le(b, 4);
	while (left > 0) {
		size_t n;

		if (!hp_feed_fill(s->feed))
			return hp_feed_note(s->feed,
					    HP_CONTAINER_ZSTD_TRUNCATED,
					    s->feed->raw, 0, 0, left);
		n = left < s->feed->left ? (size_t)left : s->feed->left;
		hp_feed_skip(s->feed, n);
		left -= n;
	}
	return HP_STEP_MEMBER;
}

/*
 * Whether the @n bytes at the end of the file could be the start of a truncated
 * frame.
 */
static bool
begins_frame(const uint8_t *p, size_t n)
{
	const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd};
	const uint8_t rest[] = {0x2a, 0x4d, 0x18};

	if (memcmp(p, frame, n) == 0)
		return true;
	return (p[0] & 0xf0) == 0x50 && memcmp(p + 1, rest, n - 1) == 0;
}

static enum hp_step
refuse_window(struct stream *s)
{
	return hp_feed_fail(s->feed, HP_LIMIT,
			    "a zstd frame needs a window of more than "
			    "%u MB (made with --long or --ultra): %s",
			    1u << (s->window_log - 20),
			    s->window_log < WINDOW_LOG_MOST
				    ? "allow more --memory"
				    : "recompress it");
}

/*
 * Begin to decode a frame whose magic number was read. The window size is
 * checked here, because the decoder does not check it for a small frame that is
 * completely in the input.
 */
static enum hp_step
begin_frame(struct stream *s)
{
	uint8_t b[2];
	size_t n = hp_feed_bytes(s->feed, b, sizeof(b));

	if (n == sizeof(b) && !(b[0] & (FLAG_SINGLE | FLAG_RESERVED)) &&
	    window_size(b[1]) > UINT64_C(1) << s->window_log)
		return refuse_window(s);
	hp_feed_back(s->feed, 4 + n);
	ZSTD_DCtx_reset(s->state, ZSTD_reset_session_only);
	return HP_STEP_MORE;
}

static enum hp_step
zstd_begin(void *stream)
{
	struct stream *s = stream;
	uint64_t from = s->feed->raw;
	uint8_t b[4];
	size_t n = hp_feed_bytes(s->feed, b, sizeof(b));

	if (n == 0)
		return HP_STEP_END;
	if (n < sizeof(b))
		return hp_feed_note(s->feed,
				    begins_frame(b, n)
					    ? HP_CONTAINER_ZSTD_TRUNCATED
					    : HP_CONTAINER_ZSTD_TRAILING,
				    from, 0, n, 0);
	if (is_skippable((uint32_t)load_le(b, 4)))
		return skip_frame(s);
	if (load_le(b, 4) != MAGIC)
		return hp_feed_note(s->feed, HP_CONTAINER_ZSTD_TRAILING, from,
				    0, 0, 0);
	return begin_frame(s);
}

/*
 * Handle an error of the decoder: the frame is damaged, or memory ran out. If
 * the first frame needs a dictionary, the whole file needs one and cannot be
 * read. If a later frame needs one, it is damaged.
 */
static enum hp_step
note_decoder_error(struct stream *s, size_t result, size_t len)
{
	ZSTD_ErrorCode code = ZSTD_getErrorCode(result);

	if (code == ZSTD_error_dictionary_wrong && !s->decoded)
		return hp_feed_fail(s->feed, HP_UNSUPPORTED,
				    "a zstd frame needs the dictionary that it "
				    "was made with: decompress it with zstd "
				    "-D first");
	switch (code) {
	case ZSTD_error_memory_allocation:
		return hp_feed_no_memory(s->feed);
	case ZSTD_error_frameParameter_windowTooLarge:
		return refuse_window(s);
	default:
		return hp_feed_note(s->feed, HP_CONTAINER_ZSTD_FRAME,
				    s->feed->raw, len, 0, 0);
	}
}

static enum hp_step
zstd_more(void *stream, uint8_t *out, size_t room, size_t *len)
{
	struct stream *s = stream;
	ZSTD_outBuffer to = {.dst = out, .size = room};

	for (;;) {
		ZSTD_inBuffer from = {.src = s->feed->p, .size = s->feed->left};
		size_t r = ZSTD_decompressStream(s->state, &to, &from);

		hp_feed_skip(s->feed, from.pos);
		*len = to.pos;
		if (ZSTD_isError(r))
			return note_decoder_error(s, r, *len);
		if (r == 0) {
			s->decoded = true;
			return HP_STEP_MEMBER;
		}
		if (to.pos == to.size)
			return HP_STEP_MORE;
		if (!hp_feed_fill(s->feed))
			return hp_feed_note(s->feed,
					    HP_CONTAINER_ZSTD_TRUNCATED,
					    s->feed->raw, *len, 0, 0);
	}
}

static const struct hp_codec zstd_codec = {
	.memory = 15 << 20,
	.worker_memory = 8 << 20,
	.piece_most = PIECE_MOST,
	.cutter_size = sizeof(struct cutter),
	.cut = zstd_cut,
	.worker_open = worker_open,
	.worker_close = worker_close,
	.ahead = decode_frames_ahead,
	.stream_open = stream_open,
	.stream_close = stream_close,
	.accept = zstd_accept,
	.begin = zstd_begin,
	.more = zstd_more,
};

static bool
zstd_begins(const uint8_t *head, size_t n)
{
	return n >= 4 && (load_le(head, 4) == MAGIC ||
			  is_skippable((uint32_t)load_le(head, 4)));
}

static enum hp_status
zstd_open(struct hp_layer **out, struct hp_layer *below,
	  const struct hp_layer_options *o, struct hp_error *err)
{
	return hp_decompress_open(out, below, &zstd_codec, o, err);
}

const struct hp_container hp_zstd_container = {
	.name = "zstd", .begins = zstd_begins, .open = zstd_open};
