/*
 * decompress.h - a layer that decompresses the bytes of the layer below
 *
 * Worker threads take turns to read the compressed stream and cut it into
 * pieces. They decode in advance the pieces that look like whole gzip members
 * or zstd frames. The stream is then processed in order. If a member begins
 * exactly at the start of a piece that was decoded without an error, the result
 * is used. Everything else is decoded sequentially. From the first such place
 * on, a separate decoder thread does this.
 *
 * So the output is the same as with one sequential decoder, for any number of
 * threads. Only the sequential decoder reports damage.
 *
 *   below --workers--> pieces --> read
 *   below --workers--> pieces --decoder--> blocks --> read
 *
 * A codec (gzip_in.c, zstd_in.c) decides where to cut and how to decode.
 * Private to common/io.
 */
#ifndef HP_IO_DECOMPRESS_H
#define HP_IO_DECOMPRESS_H

#include "common/io/layer.h"
#include "common/io/buffer_pool.h"

/* how many bytes hp_feed_back() can go back before the start of a piece */
#define HP_PIECE_HISTORY 8

/*
 * A part of the compressed stream, and the output if it was decoded in advance.
 */
struct hp_piece {
	/* the allocation: HP_PIECE_HISTORY bytes, followed by in */
	uint8_t *buf;
	uint8_t *in;
	size_t in_len, in_room;
	uint64_t expect;       /* bytes that decoding should give, if known */
	bool whole;	       /* the piece can be decoded in advance */
	enum hp_status status; /* result of the read after this piece */
	struct hp_error error;
	struct hp_buffer_pool *pool;
	struct hp_buffer *out; /* output, from hp_piece_reserve() */
	size_t out_len;
	size_t used;   /* bytes of in that were decoded to out; 0: none */
	uint64_t most; /* bytes of the largest member in out */
	bool taken;    /* out was used as a block */
};

/* The result of cutting: where the piece ends. */
struct hp_cut {
	size_t len;	 /* bytes of the piece; 0: more are needed to decide */
	bool whole;	 /* the piece can be decoded in advance */
	uint64_t expect; /* bytes that decoding should give, if known */
};

/* The position in the compressed stream of the sequential decoder. */
struct hp_feed {
	struct hp_decompress *owner;
	uint64_t memory; /* bytes that a window may use; 0: no limit */
	/* the options with which the layer was opened */
	const struct hp_layer_options *options;
	/* NULL: none yet, or at the end */
	struct hp_piece *piece;
	const uint8_t *p; /* pointer to the next byte */
	/* bytes of the piece from p on */
	size_t left;
	uint64_t raw;	       /* offset of p in the compressed stream */
	enum hp_status status; /* HP_OK, or the failure that ended the stream */
	struct hp_error error;
};

enum hp_step {
	HP_STEP_MORE,	/* more data of the current member follow */
	HP_STEP_MEMBER, /* a member has ended; another member may follow */
	HP_STEP_END,	/* the stream has ended, or damage was noted */
};

struct hp_codec {
	/*
	 * Memory use in bytes, as measured, if it is not negligible: for the
	 * whole layer, and for each worker.
	 */
	unsigned memory, worker_memory;
	size_t piece_most;  /* maximum compressed bytes of a piece */
	size_t cutter_size; /* size of the cutter, which is initially zero */
	/*
	 * Find where the piece ends that begins at @buf. Until a cut is made,
	 * the next call passes the same bytes and more. The function must cut
	 * if @n is piece_most or @last is set.
	 */
	struct hp_cut (*cut)(void *cutter, const uint8_t *buf, size_t n,
			     bool last);

	void *(*worker_open)(void *context);
	void (*worker_close)(void *worker);
	/*
	 * Decode a piece in advance. Sets out, out_len, used and most; or sets
	 * used to 0 if it cannot be decoded.
	 */
	void (*ahead)(void *worker, struct hp_piece *piece);

	void *(*stream_open)(struct hp_feed *feed);
	void (*stream_close)(void *stream);
	/*
	 * Whether the result of a piece that was decoded in advance can be used
	 * at the start of a member.
	 */
	bool (*accept)(void *stream, const struct hp_piece *piece);
	/*
	 * Called where a member may begin. Returns HP_STEP_MORE at the start of
	 * a member; HP_STEP_MEMBER after a member without data; or HP_STEP_END.
	 */
	enum hp_step (*begin)(void *stream);
	/*
	 * Decode the next bytes to @out + *@len and increase *@len, which stays
	 * at most @room.
	 */
	enum hp_step (*more)(void *stream, uint8_t *out, size_t room,
			     size_t *len);
};

/**
 * hp_decompress_open() - open a layer that decompresses @below
 * @o: threads is the number of workers that decode in advance; 0: no threads,
 *   so that reads decode the bytes
 *
 * With threads, the workers read @below until the layer is stopped.
 * Returns: HP_OK; HP_NOMEM; HP_IO if no thread could be started. Later reads
 *          can also fail with HP_IO, if they need a thread.
 * Ownership: the caller closes *@out with its close operation, and still owns
 *            @below.
 */
HP_MUST_USE enum hp_status hp_decompress_open(struct hp_layer **out,
					      struct hp_layer *below,
					      const struct hp_codec *codec,
					      const struct hp_layer_options *o,
					      struct hp_error *err);

/* ---- functions for codecs ---- */

/*
 * Make sure that there is a byte at f->p. Returns false at the end of the
 * stream, or on failure (see f->status).
 */
bool hp_feed_fill(struct hp_feed *f);

/* Returns the next byte; -1 if hp_feed_fill() returns false. */
int hp_feed_byte(struct hp_feed *f);

/*
 * Read the next @n bytes. Returns the number of bytes; fewer than @n if
 * hp_feed_fill() returns false.
 */
size_t hp_feed_bytes(struct hp_feed *f, uint8_t *to, size_t n);

/* Skip @n bytes, at most f->left. */
void hp_feed_skip(struct hp_feed *f, size_t n);

/* Go back @n bytes, at most HP_PIECE_HISTORY. */
void hp_feed_back(struct hp_feed *f, size_t n);

/* Make the stream fail. Only the first failure is kept. Returns HP_STEP_END. */
enum hp_step hp_feed_fail(struct hp_feed *f, enum hp_status status,
			  const char *fmt, ...) HP_PRINTF(3, 4);

/*
 * Note a problem at offset @raw of the compressed bytes. @len: the number of
 * bytes that the present call has decoded so far. It determines the offset of
 * the problem in the decompressed bytes. Does nothing if the feed has failed.
 * Returns HP_STEP_END.
 */
enum hp_step hp_feed_note(struct hp_feed *f, enum hp_container_problem problem,
			  uint64_t raw, size_t len, uint64_t got,
			  uint64_t want);

/* Whether a problem was noted or the feed has failed. */
bool hp_feed_noted(struct hp_feed *f);

/*
 * Report that a member of an archive is a dump. The first reported dump is the
 * dump that is read. @name may contain any bytes.
 */
void hp_feed_dump(struct hp_feed *f, const char *name);

/*
 * Get room for @n bytes in piece->out; the contents are undefined. Returns NULL
 * if out of memory.
 */
uint8_t *hp_piece_reserve(struct hp_piece *piece, size_t n);

#endif
