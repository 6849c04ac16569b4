/*
 * decompress.c - decompress a file with several threads; internal.h describes
 * the method
 *
 * Threads read the file, divide its bytes into pieces and decode these pieces
 * in advance, in any order. The results are then used in the order of the file.
 * One further thread decodes the pieces that could not be decoded in advance. A
 * codec (gzip_in.c, zstd_in.c and so on) has the code for one compressed
 * format.
 */
#include "common/io/internal.h"

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/io/workers.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* number of compressed bytes to read in one call */
#define READ_CHUNK ((size_t)128 << 10)
/* maximum number of bytes that the sequential decoder produces in one call */
#define STREAM_BLOCK ((size_t)256 << 10)
/* maximum number of decoded blocks that wait to be read */
#define BLOCKS 3
/*
 * If the decoded bytes of more than this number of pieces could not be used,
 * the program may stop decoding pieces in advance; see is_ahead_worthwhile().
 */
#define MISSES_FREE 8
/*
 * Wake a waiting reader only when the next piece and this number of pieces
 * after it are decoded. This saves thread switches.
 */
#define TOGETHER 2

/* A block of decoded bytes, which hp_layer_read() will return. */
struct block {
	/* the decoded bytes; NULL: the block has no bytes */
	struct hp_buffer *buffer;
	size_t len;
	/*
	 * the failure that ended the stream after this block; HP_OK: no failure
	 */
	enum hp_status status;
	struct hp_error error;
};

struct hp_decompress {
	/*
	 * must be the first member, because a pointer to the layer is cast to a
	 * pointer to this struct
	 */
	struct hp_layer layer;
	struct hp_layer *below;
	const struct hp_codec *codec;
	unsigned threads;
	/*
	 * pools of threads: `pieces` decode pieces in advance, `blocks` has the
	 * thread that decodes in order. NULL without threads
	 */
	struct hp_worker_pool *pieces, *blocks;
	pthread_t decoder;
	bool decoding; /* the decoder thread was started */
	/*
	 * the thread that decodes in order should be started, because the next
	 * bytes of the file were not decoded in advance
	 */
	bool wanted;

	/*
	 * The members from here to read_error are for reading the file and
	 * dividing it into pieces. Only one thread at a time uses them. cutter:
	 * the state of the function cut() of the codec (the code for one
	 * compressed format).
	 */
	void *cutter;
	/*
	 * window[start] to window[end - 1]: compressed bytes that were read,
	 * but not added to a piece yet
	 */
	uint8_t *window;
	size_t window_room, start, end;
	/* the compressed file has no bytes after those in `window` */
	bool last;
	/*
	 * the compressed file was read to its end, and all its bytes were added
	 * to pieces
	 */
	bool read;
	enum hp_status read_status;
	struct hp_error read_error;

	/*
	 * The state of the sequential decoder, which handles the pieces in
	 * order. At first the reading thread uses it, later the decoder thread.
	 */
	void *stream;
	struct hp_feed feed;
	/*
	 * the piece of the file that is being decoded, if there are no threads
	 */
	struct hp_piece own_piece;
	/*
	 * number of decoded bytes that were passed to the reader or wait for it
	 */
	uint64_t produced;
	uint64_t hits, misses;
	/* the next byte to decode is inside a gzip member or zstd frame */
	bool inside;
	bool over;
	/*
	 * The reader has received the block with the final status of the stream
	 * (end or failure). No further block follows.
	 */
	bool told;

	/* The members below are shared by all threads. */
	/*
	 * pieces of the file should be decoded in advance (see
	 * is_ahead_worthwhile())
	 */
	atomic_bool ahead;
	struct hp_buffer_pool pool;
	pthread_mutex_t lock;
	struct hp_notes notes;	   /* protected by lock */
	struct hp_archive archive; /* protected by lock */
	struct hp_layer_options options;

	/*
	 * The members below are used only by the thread that calls
	 * hp_layer_read().
	 */
	/*
	 * the block of decoded bytes that is being read, if there is no decoder
	 * thread
	 */
	struct block own_block;
	struct block *block;
	size_t block_pos;
	/* offset of the first byte of `block` in the decompressed file */
	uint64_t block_offset;
	/* the failure that ended the decompressed stream; HP_OK: none */
	enum hp_status status;
	struct hp_error error;
};

/* ---- reading the layer below, and dividing the bytes into pieces ---- */

static bool
piece_room(struct hp_piece *piece, size_t n)
{
	uint8_t *grown;

	if (piece->buf && piece->in_room >= n)
		return true;
	grown = hp_realloc(piece->buf, HP_PIECE_HISTORY + n);
	if (!grown)
		return false;
	piece->buf = grown;
	piece->in = grown + HP_PIECE_HISTORY;
	piece->in_room = n;
	return true;
}

/*
 * Read the next READ_CHUNK compressed bytes from the layer below, and append
 * them to the piece. Sets u->last and u->read_status.
 */
static void
piece_read(struct hp_decompress *u, struct hp_piece *piece)
{
	size_t got = 0, n = piece->in_len + READ_CHUNK;
	size_t room = 2 * piece->in_room;

	if (room > u->codec->piece_most + READ_CHUNK)
		room = u->codec->piece_most + READ_CHUNK;
	if (piece->in_room >= n || piece_room(piece, room > n ? room : n))
		u->read_status =
			hp_layer_read(u->below, piece->in + piece->in_len,
				      READ_CHUNK, &got, &u->read_error);
	else
		u->read_status = hp_no_memory(&u->read_error);
	piece->in_len += got;
	u->last = u->read_status != HP_OK || got < READ_CHUNK;
}

/*
 * Ask the codec where the piece ends that begins at @buf. The returned length
 * is 0 if the codec needs more bytes to decide.
 */
static struct hp_cut
try_cut(struct hp_decompress *u, const uint8_t *buf, size_t n)
{
	bool all = n <= u->codec->piece_most;

	if (n == 0)
		return (struct hp_cut){0};
	return u->codec->cut(u->cutter, buf, all ? n : u->codec->piece_most,
			     u->last && all);
}

/*
 * The piece ends after its first @len bytes. Move the other bytes into
 * u->window, from which the next piece takes them. Returns false if out of
 * memory.
 */
static bool
keep_rest(struct hp_decompress *u, struct hp_piece *piece, size_t len)
{
	size_t rest = piece->in_len - len;

	if (rest > u->window_room) {
		hp_free(u->window);
		u->window = hp_malloc(rest);
		u->window_room = u->window ? rest : 0;
		if (!u->window)
			return false;
	}
	if (rest > 0)
		memcpy(u->window, piece->in + len, rest);
	u->end = rest;
	piece->in_len = len;
	return true;
}

/*
 * Get the bytes of the next piece, first from u->window, then from the layer
 * below. *@cut receives the codec's decision where the piece ends. Returns
 * HP_OK or HP_NOMEM.
 */
static enum hp_status
piece_cut(struct hp_decompress *u, struct hp_piece *piece, struct hp_cut *cut)
{
	size_t n = u->end - u->start;
	const uint8_t *from = n > 0 ? u->window + u->start : NULL;
	bool ready;

	*cut = try_cut(u, from, n);
	ready = cut->len > 0;
	piece->in_len = ready ? cut->len : n;
	if (!piece_room(piece, piece->in_len))
		return HP_NOMEM;
	if (piece->in_len > 0)
		memcpy(piece->in, from, piece->in_len);
	u->start += piece->in_len;
	if (ready)
		return HP_OK;
	u->start = u->end = 0;
	while (cut->len == 0 && !u->last) {
		piece_read(u, piece);
		*cut = try_cut(u, piece->in, piece->in_len);
	}
	return keep_rest(u, piece, cut->len) ? HP_OK : HP_NOMEM;
}

static void
piece_fill(struct hp_decompress *u, struct hp_piece *piece)
{
	struct hp_cut cut = {0};

	if (piece_cut(u, piece, &cut) != HP_OK) {
		u->read_status = hp_no_memory(&u->read_error);
		piece->in_len = 0;
		u->last = true;
		u->start = u->end;
	}
	u->read = u->last && u->start == u->end;
	piece->whole = piece->in_len > 0 && cut.whole;
	piece->expect = cut.expect;
	piece->pool = &u->pool;
	piece->used = 0;
	piece->taken = false;
	piece->status = u->read ? u->read_status : HP_OK;
	piece->error = u->read_error;
}

static bool
piece_supply(void *context, void *slot, bool *work)
{
	struct hp_decompress *u = context;
	struct hp_piece *piece = slot;

	piece_fill(u, piece);
	*work = piece->whole;
	return !u->read;
}

/* ---- workers: decoding in advance ---- */

uint8_t *
hp_piece_reserve(struct hp_piece *piece, size_t n)
{
	return hp_buffer_pool_take(piece->pool, &piece->out, n);
}

static void
piece_work(void *context, void *worker, void *slot)
{
	struct hp_decompress *u = context;
	struct hp_piece *piece = slot;

	if (atomic_load_explicit(&u->ahead, memory_order_relaxed))
		u->codec->ahead(worker, piece);
}

static void
piece_release(void *slot)
{
	struct hp_piece *piece = slot;

	hp_free(piece->buf);
	hp_buffer_unref(piece->out);
}

/* ---- using the decoded pieces in the order of the file ---- */

/*
 * Whether to continue to decode pieces in advance. Returns false if the decoded
 * bytes of too many pieces could not be used. Pieces are counted in the order
 * of the file, so the decision does not depend on the timing of threads.
 */
static bool
is_ahead_worthwhile(const struct hp_decompress *u)
{
	return u->misses <= MISSES_FREE + u->hits / 4;
}

/*
 * Called at the end of a piece that was decoded in advance. If the decoded
 * bytes were used, increment u->hits, otherwise u->misses.
 */
static void
count_piece(struct hp_decompress *u, const struct hp_piece *piece)
{
	if (!piece->whole)
		return;
	if (piece->taken)
		u->hits++;
	else
		u->misses++;
	if (!is_ahead_worthwhile(u))
		atomic_store_explicit(&u->ahead, false, memory_order_relaxed);
}

static struct hp_piece *
piece_next(struct hp_decompress *u)
{
	struct hp_piece *before = u->feed.piece;

	if (before)
		count_piece(u, before);
	if (u->pieces) {
		if (before)
			hp_worker_pool_give(u->pieces);
		return hp_worker_pool_take(u->pieces);
	}
	if (u->read)
		return NULL;
	piece_fill(u, &u->own_piece);
	return &u->own_piece;
}

bool
hp_feed_fill(struct hp_feed *f)
{
	while (f->left == 0) {
		uint8_t history[HP_PIECE_HISTORY] = {0};

		if (f->piece && f->piece->in)
			memcpy(history, f->p - sizeof(history),
			       sizeof(history));
		if (f->status == HP_OK && f->piece) {
			f->status = f->piece->status;
			f->error = f->piece->error;
		}
		if (f->status != HP_OK)
			return false;
		f->piece = piece_next(f->owner);
		if (!f->piece)
			return false;
		f->p = f->piece->in;
		f->left = f->piece->in_len;
		if (f->piece->in)
			memcpy(f->piece->in - sizeof(history), history,
			       sizeof(history));
	}
	return true;
}

int
hp_feed_byte(struct hp_feed *f)
{
	if (!hp_feed_fill(f))
		return -1;
	f->left--;
	f->raw++;
	return *f->p++;
}

size_t
hp_feed_bytes(struct hp_feed *f, uint8_t *to, size_t n)
{
	size_t i = 0;

	for (int c; i < n && (c = hp_feed_byte(f)) >= 0; i++)
		to[i] = (uint8_t)c;
	return i;
}

void
hp_feed_skip(struct hp_feed *f, size_t n)
{
	f->p += n;
	f->left -= n;
	f->raw += n;
}

void
hp_feed_back(struct hp_feed *f, size_t n)
{
	f->p -= n;
	f->left += n;
	f->raw -= n;
}

enum hp_step
hp_feed_no_memory(struct hp_feed *f)
{
	if (f->status == HP_OK)
		f->status = hp_no_memory(&f->error);
	return HP_STEP_END;
}

enum hp_step
hp_feed_fail(struct hp_feed *f, enum hp_status status, const char *fmt, ...)
{
	va_list ap;
	char text[sizeof(f->error.text)];

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (f->status == HP_OK)
		f->status = hp_fail(&f->error, status, "%s", text);
	return HP_STEP_END;
}

enum hp_step
hp_feed_note(struct hp_feed *f, enum hp_container_problem problem, uint64_t raw,
	     size_t len, uint64_t got, uint64_t want)
{
	struct hp_decompress *u = f->owner;
	const struct hp_container_note note = {.problem = problem,
					       .offset = u->produced + len,
					       .raw = raw,
					       .got = got,
					       .want = want,
					       .count = 1};

	if (f->status != HP_OK)
		return HP_STEP_END;
	pthread_mutex_lock(&u->lock);
	hp_notes_add(&u->notes, &note);
	pthread_mutex_unlock(&u->lock);
	return HP_STEP_END;
}

bool
hp_feed_noted(struct hp_feed *f)
{
	struct hp_decompress *u = f->owner;
	bool any;

	pthread_mutex_lock(&u->lock);
	any = u->notes.count > 0;
	pthread_mutex_unlock(&u->lock);
	return any || f->status != HP_OK;
}

void
hp_feed_dump(struct hp_feed *f, const char *name)
{
	struct hp_archive *a = &f->owner->archive;

	pthread_mutex_lock(&f->owner->lock);
	if (a->dumps < HP_ARCHIVE_NAMES)
		snprintf(a->names[a->dumps], HP_ARCHIVE_NAME, "%s", name);
	a->dumps++;
	pthread_mutex_unlock(&f->owner->lock);
}

/*
 * Called at the beginning of a gzip member or zstd frame. If the current piece
 * was decoded in advance and its decoded bytes can be used, move them to the
 * block @b and return true.
 */
static bool
adopt_decoded_piece(struct hp_decompress *u, struct block *b)
{
	struct hp_piece *piece = u->feed.piece;

	if (!piece || u->feed.p != piece->in || piece->used == 0 ||
	    !is_ahead_worthwhile(u) || !u->codec->accept(u->stream, piece))
		return false;
	piece->taken = true;
	hp_buffer_unref(b->buffer);
	b->buffer = piece->out;
	b->len = piece->out_len;
	piece->out = NULL;
	hp_feed_skip(&u->feed, piece->used);
	return true;
}

/*
 * Decode some bytes with the sequential decoder, and append them to the block.
 * A call may decode no bytes.
 */
static enum hp_step
decode_some(struct hp_decompress *u, struct block *b)
{
	uint8_t *out;

	if (!u->inside)
		return u->codec->begin(u->stream);
	out = hp_buffer_pool_take(&u->pool, &b->buffer, STREAM_BLOCK);
	if (!out)
		return hp_feed_no_memory(&u->feed);
	return u->codec->more(u->stream, out, STREAM_BLOCK, &b->len);
}

/*
 * Fill the next block with decoded bytes, or with the error that ended the
 * decompression. Returns false after the last bytes, or if the decoder thread
 * has to start first (u->wanted).
 */
static bool
block_fill(struct hp_decompress *u, struct block *b)
{
	b->len = 0;
	b->status = HP_OK;
	while (!u->over && b->len == 0) {
		enum hp_step step;

		if (!u->inside) {
			hp_feed_fill(&u->feed);
			if (adopt_decoded_piece(u, b))
				continue;
		}
		u->wanted = u->blocks && !u->decoding && u->feed.left > 0;
		if (u->wanted)
			return false;
		step = decode_some(u, b);
		u->inside = step == HP_STEP_MORE;
		u->over = step == HP_STEP_END;
	}
	u->produced += b->len;
	if (b->len > 0)
		return true;
	if (u->told || u->feed.status == HP_OK)
		return false;
	u->told = true;
	b->status = u->feed.status;
	b->error = u->feed.error;
	return true;
}

static void *
decoder_main(void *argument)
{
	struct hp_decompress *u = argument;
	struct block *b = hp_worker_pool_fill(u->blocks);

	while (b && block_fill(u, b)) {
		hp_worker_pool_put(u->blocks, false);
		b = hp_worker_pool_fill(u->blocks);
	}
	hp_worker_pool_end(u->blocks);
	return NULL;
}

static void
block_release(void *slot)
{
	struct block *b = slot;

	hp_buffer_unref(b->buffer);
	b->buffer = NULL;
}

/* ---- the thread that reads the decompressed bytes ---- */

/*
 * Get the next block of decoded bytes. Called while there is no decoder thread,
 * because all bytes so far were decoded in advance. If the next bytes must be
 * decoded in order, starts the decoder thread and returns NULL. Also returns
 * NULL at the end, and after an error (u->status).
 */
static struct block *
block_without_thread(struct hp_decompress *u)
{
	if (block_fill(u, &u->own_block))
		return &u->own_block;
	if (!u->wanted)
		return NULL;
	u->decoding = true;
	u->status = hp_thread_start(&u->decoder, decoder_main, u, &u->error);
	if (u->status != HP_OK)
		u->decoding = false;
	return NULL;
}

/*
 * Release the current block of decoded bytes, and return the next one; NULL at
 * the end.
 */
static struct block *
block_take(struct hp_decompress *u)
{
	struct block *before = u->block;

	if (before)
		block_release(before);
	if (!u->decoding) {
		struct block *b = block_without_thread(u);

		if (b || !u->decoding)
			return b;
		before = NULL;
	}
	if (before)
		hp_worker_pool_give(u->blocks);
	return hp_worker_pool_take(u->blocks);
}

/*
 * Make sure that u->block has a byte that hp_layer_read() has not returned yet.
 * Returns false at the end or on failure (u->status).
 */
static bool
block_next(struct hp_decompress *u)
{
	while (!u->block || u->block_pos == u->block->len) {
		if (u->status != HP_OK)
			return false;
		if (u->block)
			u->block_offset += u->block->len;
		u->block = block_take(u);
		u->block_pos = 0;
		if (!u->block)
			return false;
		u->status = u->block->status;
		u->error = u->block->error;
	}
	return true;
}

static enum hp_status
decompress_read(struct hp_layer *l, uint8_t *buf, size_t n, size_t *got,
		struct hp_error *err)
{
	struct hp_decompress *u = (struct hp_decompress *)l;

	*got = 0;
	while (*got < n && block_next(u)) {
		size_t k = u->block->len - u->block_pos;

		if (k > n - *got)
			k = n - *got;
		if (buf)
			memcpy(buf + *got,
			       u->block->buffer->bytes + u->block_pos, k);
		u->block_pos += k;
		*got += k;
	}
	if (*got == n || u->status == HP_OK)
		return HP_OK;
	return hp_fail(err, u->status, "%s", u->error.text);
}

static uint8_t *
decompress_lend(struct hp_layer *l, uint64_t offset, size_t n,
		struct hp_buffer **held)
{
	struct hp_decompress *u = (struct hp_decompress *)l;
	uint64_t at;

	if (!u->block || offset < u->block_offset)
		return NULL;
	if (offset == u->block_offset + u->block_pos && !block_next(u))
		return NULL;
	at = offset - u->block_offset;
	if (at > u->block->len || n > u->block->len - at)
		return NULL;
	if (*held && *held != u->block->buffer)
		return NULL;
	if (!*held)
		*held = hp_buffer_ref(u->block->buffer);
	return u->block->buffer->bytes + at;
}

static void
decompress_stop(struct hp_layer *l)
{
	struct hp_decompress *u = (struct hp_decompress *)l;

	if (u->pieces)
		hp_worker_pool_stop(u->pieces);
	if (u->blocks)
		hp_worker_pool_stop(u->blocks);
}

static void
decompress_close(struct hp_layer *l)
{
	struct hp_decompress *u = (struct hp_decompress *)l;

	decompress_stop(l);
	if (u->decoding)
		pthread_join(u->decoder, NULL);
	hp_worker_pool_close(u->pieces);
	hp_worker_pool_close(u->blocks);
	piece_release(&u->own_piece);
	block_release(&u->own_block);
	if (u->stream)
		u->codec->stream_close(u->stream);
	hp_buffer_pool_release(&u->pool);
	pthread_mutex_destroy(&u->lock);
	hp_free(u->window);
	hp_free(u->cutter);
	hp_free(u);
}

static void
decompress_notes(struct hp_layer *l, struct hp_notes *out)
{
	struct hp_decompress *u = (struct hp_decompress *)l;

	pthread_mutex_lock(&u->lock);
	for (size_t i = 0; i < u->notes.count; i++)
		hp_notes_add(out, &u->notes.list[i]);
	pthread_mutex_unlock(&u->lock);
}

static bool
decompress_archive(struct hp_layer *l, struct hp_archive *out)
{
	struct hp_decompress *u = (struct hp_decompress *)l;

	pthread_mutex_lock(&u->lock);
	*out = u->archive;
	pthread_mutex_unlock(&u->lock);
	return out->dumps > 0;
}

static uint64_t
decompress_memory(const struct hp_layer *l)
{
	const struct hp_decompress *u = (const struct hp_decompress *)l;

	return u->codec->memory +
	       (uint64_t)u->threads * u->codec->worker_memory;
}

static const struct hp_layer_ops decompress_ops = {
	.read = decompress_read,
	.lend = decompress_lend,
	.stop = decompress_stop,
	.close = decompress_close,
	.notes = decompress_notes,
	.memory = decompress_memory,
	.archive = decompress_archive,
};

static enum hp_status
open_pools(struct hp_decompress *u, unsigned threads, struct hp_error *err)
{
	struct hp_worker_pool_options pieces = {
		.threads = threads,
		.slots = threads + 2 + TOGETHER,
		.together = TOGETHER,
		.slot_size = sizeof(struct hp_piece),
		.fill = piece_supply,
		.work = piece_work,
		.worker_open = u->codec->worker_open,
		.worker_close = u->codec->worker_close,
		.slot_release = piece_release,
		.context = u,
	};
	struct hp_worker_pool_options blocks = {
		.slots = BLOCKS,
		.slot_size = sizeof(struct block),
		.slot_release = block_release,
	};
	enum hp_status st = hp_worker_pool_open(&u->blocks, &blocks, err);

	/*
	 * Open the pool of pieces last, because its threads start to read the
	 * file at once.
	 */
	return st == HP_OK ? hp_worker_pool_open(&u->pieces, &pieces, err) : st;
}

static enum hp_status
start_threads(struct hp_decompress *u, unsigned threads, struct hp_error *err)
{
	u->cutter = hp_calloc(1, u->codec->cutter_size);
	u->stream = u->codec->stream_open(&u->feed);
	if (!u->cutter || !u->stream)
		return hp_no_memory(err);
	if (threads == 0)
		return HP_OK;
	return open_pools(u, threads, err);
}

enum hp_status
hp_decompress_open(struct hp_layer **out, struct hp_layer *below,
		   const struct hp_codec *codec,
		   const struct hp_layer_options *o, struct hp_error *err)
{
	struct hp_decompress *u = hp_calloc(1, sizeof(*u));
	enum hp_status st;

	*out = NULL;
	if (!u)
		return hp_no_memory(err);
	u->layer.ops = &decompress_ops;
	u->below = below;
	u->codec = codec;
	u->feed.owner = u;
	u->options = *o;
	u->feed.memory = o->memory;
	u->feed.options = &u->options;
	u->threads = o->threads;
	atomic_init(&u->ahead, true);
	pthread_mutex_init(&u->lock, NULL);
	hp_buffer_pool_init(&u->pool);
	st = start_threads(u, o->threads, err);
	if (st != HP_OK) {
		decompress_close(&u->layer);
		return st;
	}
	*out = &u->layer;
	return HP_OK;
}
