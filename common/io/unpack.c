/*
 * unpack.c - the machinery of unpack.h: a thread that reads and cuts, workers
 * that decode ahead, a thread that walks the stream in order
 *
 * What the compressed bytes mean is left to the codecs.
 */
#include "common/io/unpack.h"
#include "common/io/pool.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_CHUNK ((size_t)256 << 10)   /* compressed bytes read at once */
#define STREAM_BLOCK ((size_t)256 << 10) /* bytes decoded at once in order */
#define BLOCKS 3      /* decoded blocks that wait for the reader */
#define MISSES_FREE 8 /* vain results that are always forgiven */

/* Decoded bytes on their way to hp_layer_read(). */
struct block {
	uint8_t *buf;
	size_t len, room;
	enum hp_status status; /* the stream ends with it, if not HP_OK */
	struct hp_error error;
};

struct hp_unpack {
	struct hp_layer layer; /* first: a layer is cast to its unpack */
	struct hp_layer *below;
	const struct hp_codec *codec;
	struct hp_pool *pieces, *blocks;
	pthread_t reader, decoder;
	bool reading, decoding; /* which of them were started */

	/* the reading thread's */
	void *cutter;
	uint8_t *window; /* compressed bytes not yet cut: start to end */
	size_t window_room, start, end;

	/* the decoding thread's */
	void *stream;
	struct hp_feed feed;
	uint64_t produced; /* bytes put into blocks */
	uint64_t hits, misses;

	/* shared */
	atomic_bool ahead; /* decoding ahead is worth it */
	pthread_mutex_t lock;
	struct hp_notes notes; /* under lock */

	/* the consumer's */
	struct block *block;
	size_t block_pos;
	enum hp_status status; /* how the stream ended, if badly */
	struct hp_error error;
};

bool
hp_buffer_room(uint8_t **buf, size_t *room, size_t n)
{
	if (*room >= n && *buf)
		return true;
	free(*buf);
	*buf = malloc(n ? n : 1);
	*room = *buf ? n : 0;
	return *buf;
}

/* ---- the reading thread: read below, cut ---- */

/* More compressed bytes for the window; *@last is set at the end. */
static enum hp_status
window_fill(struct hp_unpack *u, bool *last, struct hp_error *err)
{
	size_t held = u->end - u->start, got;
	enum hp_status st;

	if (u->window_room - u->end < READ_CHUNK) {
		if (held > 0)
			memmove(u->window, u->window + u->start, held);
		u->start = 0;
		u->end = held;
	}
	if (u->window_room - u->end < READ_CHUNK) {
		size_t room = 2 * u->window_room + READ_CHUNK;
		void *larger = realloc(u->window, room);

		if (!larger)
			return hp_fail(err, HP_NOMEM, "out of memory");
		u->window = larger;
		u->window_room = room;
	}
	st = hp_layer_read(u->below, u->window + u->end, READ_CHUNK, &got, err);
	u->end += got;
	*last = st != HP_OK || got < READ_CHUNK;
	return st;
}

/* Takes the cut bytes from the window into @piece. */
static bool
piece_fill(struct hp_unpack *u, struct hp_piece *piece, struct hp_cut cut)
{
	if (piece->in_room < cut.len) {
		uint8_t *buf = piece->in ? piece->in - HP_PIECE_HISTORY : NULL;

		free(buf);
		piece->in_room = 0;
		piece->in = NULL;
		buf = malloc(HP_PIECE_HISTORY + cut.len);
		if (!buf)
			return false;
		piece->in = buf + HP_PIECE_HISTORY;
		piece->in_room = cut.len;
	}
	if (cut.len > 0)
		memcpy(piece->in, u->window + u->start, cut.len);
	u->start += cut.len;
	piece->in_len = cut.len;
	piece->whole = cut.whole;
	piece->expect = cut.expect;
	return true;
}

/* The next cut of the window; reads as much as that takes. */
static struct hp_cut
next_cut(struct hp_unpack *u, bool *last, enum hp_status *st,
         struct hp_error *err)
{
	struct hp_cut cut = {0};

	while (cut.len == 0) {
		size_t n = u->end - u->start;
		bool all = n <= u->codec->piece_most;

		if (n > 0)
			cut = u->codec->cut(u->cutter, u->window + u->start,
			                    all ? n : u->codec->piece_most,
			                    *last && all);
		if (cut.len > 0 || *last)
			break;
		*st = window_fill(u, last, err);
	}
	return cut;
}

static void *
reader_run(void *argument)
{
	struct hp_unpack *u = argument;
	bool last = false, over = false;
	enum hp_status st = HP_OK;
	struct hp_error err = {0};

	while (!over) {
		struct hp_piece *piece = hp_pool_fill(u->pieces);
		struct hp_cut cut;

		if (!piece)
			return NULL;
		cut = next_cut(u, &last, &st, &err);
		if (!piece_fill(u, piece, cut)) {
			st = hp_fail(&err, HP_NOMEM, "out of memory");
			piece->in_len = 0;
			last = true;
			u->start = u->end;
		}
		over = last && u->start == u->end;
		piece->status = over ? st : HP_OK;
		piece->error = err;
		piece->used = 0;
		piece->taken = false;
		hp_pool_put(u->pieces, piece->whole && piece->in_len > 0);
	}
	hp_pool_end(u->pieces);
	return NULL;
}

/* ---- the workers: decode ahead ---- */

static void
piece_work(void *context, void *worker, void *slot)
{
	struct hp_unpack *u = context;
	struct hp_piece *piece = slot;

	if (atomic_load_explicit(&u->ahead, memory_order_relaxed))
		u->codec->ahead(worker, piece);
}

static void
piece_release(void *slot)
{
	struct hp_piece *piece = slot;

	if (piece->in)
		free(piece->in - HP_PIECE_HISTORY);
	free(piece->out);
}

/* ---- the decoding thread: walk the stream in order ---- */

/*
 * Decoding ahead is given up where it is mostly in vain. Counted in the order
 * of the stream, so that threads make no difference.
 */
static bool
worth_it(const struct hp_unpack *u)
{
	return u->misses <= MISSES_FREE + u->hits / 4;
}

/* The piece is over: was it decoded ahead in vain? */
static void
count_piece(struct hp_unpack *u, const struct hp_piece *piece)
{
	if (!piece->whole)
		return;
	if (piece->taken)
		u->hits++;
	else
		u->misses++;
	if (!worth_it(u))
		atomic_store_explicit(&u->ahead, false, memory_order_relaxed);
}

bool
hp_feed_fill(struct hp_feed *f)
{
	uint8_t history[HP_PIECE_HISTORY] = {0};

	while (f->left == 0) {
		struct hp_piece *next;

		if (f->status != HP_OK)
			return false;
		if (f->piece) {
			if (f->piece->in)
				memcpy(history, f->p - sizeof(history),
				       sizeof(history));
			f->status = f->piece->status;
			f->error = f->piece->error;
			count_piece(f->owner, f->piece);
			hp_pool_give(f->owner->pieces);
			f->piece = NULL;
		}
		if (f->status != HP_OK)
			return false;
		next = hp_pool_take(f->owner->pieces);
		if (!next)
			return false;
		f->piece = next;
		f->p = next->in;
		f->left = next->in_len;
		if (next->in)
			memcpy(next->in - sizeof(history), history,
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

void
hp_feed_pass(struct hp_feed *f, size_t n)
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

void
hp_feed_note(struct hp_feed *f, struct hp_container_note note)
{
	struct hp_unpack *u = f->owner;
	enum hp_status st;

	if (f->status != HP_OK)
		return;
	note.offset += u->produced;
	note.count = 1;
	pthread_mutex_lock(&u->lock);
	st = hp_notes_add(&u->notes, &note);
	pthread_mutex_unlock(&u->lock);
	if (st != HP_OK)
		hp_feed_fail(f, st, "out of memory");
}

static void
block_put(struct hp_unpack *u, size_t len)
{
	u->produced += len;
	hp_pool_put(u->blocks, false);
}

/*
 * A member begins here: was it decoded ahead? If so, the piece's bytes become
 * a block. *@stopped: nobody wants them any more.
 */
static bool
take_ahead(struct hp_unpack *u, bool *stopped)
{
	struct hp_piece *piece = u->feed.piece;
	struct block *b;
	struct block swap;

	if (!piece || u->feed.p != piece->in || !worth_it(u))
		return false;
	if (piece->used == 0 || !u->codec->accept(u->stream, piece))
		return false;
	piece->taken = true;
	if (piece->out_len > 0) {
		b = hp_pool_fill(u->blocks);
		*stopped = !b;
		if (!b)
			return false;
		swap = *b;
		b->buf = piece->out;
		b->room = piece->out_room;
		b->len = piece->out_len;
		b->status = HP_OK;
		piece->out = swap.buf;
		piece->out_room = swap.room;
		block_put(u, piece->out_len);
	}
	hp_feed_pass(&u->feed, piece->used);
	return true;
}

/* Decodes one member in order. False: the end, or nobody wants more. */
static bool
decode_member(struct hp_unpack *u)
{
	enum hp_step step = u->codec->begin(u->stream);
	size_t len;

	while (step == HP_STEP_MORE) {
		struct block *b = hp_pool_fill(u->blocks);

		if (!b)
			return false;
		if (!hp_buffer_room(&b->buf, &b->room, STREAM_BLOCK)) {
			hp_feed_fail(&u->feed, HP_NOMEM, "out of memory");
			return false;
		}
		len = 0;
		step = u->codec->more(u->stream, b->buf, STREAM_BLOCK, &len);
		b->len = len;
		b->status = HP_OK;
		if (len > 0)
			block_put(u, len);
	}
	return step == HP_STEP_MEMBER;
}

static void *
decoder_run(void *argument)
{
	struct hp_unpack *u = argument;
	struct block *b;
	bool stopped = false;

	for (;;) {
		hp_feed_fill(&u->feed);
		if (take_ahead(u, &stopped))
			continue;
		if (stopped || !decode_member(u))
			break;
	}
	if (u->feed.status != HP_OK) {
		b = hp_pool_fill(u->blocks);
		if (b) {
			b->len = 0;
			b->status = u->feed.status;
			b->error = u->feed.error;
			hp_pool_put(u->blocks, false);
		}
	}
	hp_pool_end(u->blocks);
	return NULL;
}

static void
block_release(void *slot)
{
	struct block *b = slot;

	free(b->buf);
}

/* ---- the consumer ---- */

/* Makes u->block a block with bytes left; false: the end or u->status. */
static bool
block_next(struct hp_unpack *u)
{
	while (!u->block || u->block_pos == u->block->len) {
		if (u->block)
			hp_pool_give(u->blocks);
		u->block = NULL;
		if (u->status != HP_OK)
			return false;
		u->block = hp_pool_take(u->blocks);
		u->block_pos = 0;
		if (!u->block)
			return false;
		u->status = u->block->status;
		u->error = u->block->error;
	}
	return true;
}

static enum hp_status
unpack_read(struct hp_layer *l, uint8_t *buf, size_t n, size_t *got,
            struct hp_error *err)
{
	struct hp_unpack *u = (struct hp_unpack *)l;

	*got = 0;
	while (*got < n && block_next(u)) {
		size_t k = u->block->len - u->block_pos;

		if (k > n - *got)
			k = n - *got;
		if (buf)
			memcpy(buf + *got, u->block->buf + u->block_pos, k);
		u->block_pos += k;
		*got += k;
	}
	if (*got == n || u->status == HP_OK)
		return HP_OK;
	return hp_fail(err, u->status, "%s", u->error.text);
}

static void
unpack_stop(struct hp_layer *l)
{
	struct hp_unpack *u = (struct hp_unpack *)l;

	hp_pool_stop(u->pieces);
	hp_pool_stop(u->blocks);
}

static void
unpack_close(struct hp_layer *l)
{
	struct hp_unpack *u = (struct hp_unpack *)l;

	if (u->pieces)
		hp_pool_stop(u->pieces);
	if (u->blocks)
		hp_pool_stop(u->blocks);
	if (u->reading)
		pthread_join(u->reader, NULL);
	if (u->decoding)
		pthread_join(u->decoder, NULL);
	hp_pool_close(u->pieces);
	hp_pool_close(u->blocks);
	if (u->stream)
		u->codec->stream_close(u->stream);
	hp_notes_release(&u->notes);
	pthread_mutex_destroy(&u->lock);
	free(u->window);
	free(u->cutter);
	free(u);
}

static enum hp_status
unpack_notes(struct hp_layer *l, struct hp_notes *out)
{
	struct hp_unpack *u = (struct hp_unpack *)l;
	enum hp_status st = HP_OK;

	pthread_mutex_lock(&u->lock);
	for (size_t i = 0; i < u->notes.count && st == HP_OK; i++)
		st = hp_notes_add(out, &u->notes.list[i]);
	pthread_mutex_unlock(&u->lock);
	return st;
}

static const struct hp_layer_ops unpack_ops = {
        .read = unpack_read,
        .stop = unpack_stop,
        .close = unpack_close,
        .notes = unpack_notes,
};

static enum hp_status
open_pools(struct hp_unpack *u, unsigned threads, struct hp_error *err)
{
	struct hp_pool_options pieces = {
	        .threads = threads,
	        .slots = threads + 2,
	        .slot_size = sizeof(struct hp_piece),
	        .work = piece_work,
	        .worker_open = u->codec->worker_open,
	        .worker_close = u->codec->worker_close,
	        .slot_release = piece_release,
	        .context = u,
	};
	struct hp_pool_options blocks = {
	        .slots = BLOCKS,
	        .slot_size = sizeof(struct block),
	        .slot_release = block_release,
	};
	enum hp_status st = hp_pool_open(&u->pieces, &pieces, err);

	return st == HP_OK ? hp_pool_open(&u->blocks, &blocks, err) : st;
}

static enum hp_status
start(struct hp_unpack *u, unsigned threads, struct hp_error *err)
{
	enum hp_status st;

	u->cutter = calloc(1, u->codec->cutter_size);
	u->stream = u->codec->stream_open(&u->feed);
	if (!u->cutter || !u->stream)
		return hp_fail(err, HP_NOMEM, "out of memory");
	st = open_pools(u, threads, err);
	if (st != HP_OK)
		return st;
	st = hp_thread_start(&u->decoder, decoder_run, u, err);
	if (st != HP_OK)
		return st;
	u->decoding = true;
	st = hp_thread_start(&u->reader, reader_run, u, err);
	u->reading = st == HP_OK;
	return st;
}

enum hp_status
hp_unpack_open(struct hp_layer **out, struct hp_layer *below,
               const struct hp_codec *codec, unsigned threads,
               struct hp_error *err)
{
	struct hp_unpack *u = calloc(1, sizeof(*u));
	enum hp_status st;

	*out = NULL;
	if (!u)
		return hp_fail(err, HP_NOMEM, "out of memory");
	u->layer.ops = &unpack_ops;
	u->below = below;
	u->codec = codec;
	u->feed.owner = u;
	atomic_init(&u->ahead, true);
	pthread_mutex_init(&u->lock, NULL);
	st = start(u, threads, err);
	if (st != HP_OK) {
		unpack_close(&u->layer);
		return st;
	}
	*out = &u->layer;
	return HP_OK;
}
