/*
 * decompress.h - a layer that decompresses what the layer below hands out
 *
 * The compressed stream is cut into pieces. Pieces that look like whole
 * members (gzip) or frames (zstd) are decoded ahead, on several threads, which
 * take turns in reading and cutting. The stream is then walked in order: where
 * a member begins exactly at a piece that was decoded without a fault, that
 * result is taken; everything else is decoded as a stream, from the first such
 * place on by a thread of its own. So what comes out is what sequential
 * decoding gives, whatever the number of threads, and damage is always met by
 * the sequential decoder.
 *
 *  below --workers--> pieces --> read
 *  below --workers--> pieces --decoder--> blocks --> read
 *
 * A codec (gzip_in.c, zstd_in.c) says where to cut and how to decode. Private
 * to common/io.
 */
#ifndef HP_IO_DECOMPRESS_H
#define HP_IO_DECOMPRESS_H

#include "common/io/layer.h"
#include "common/io/buffer_pool.h"

#define HP_PIECE_HISTORY 8 /* bytes before a piece that can be stepped back */

/* A stretch of the compressed stream, and what was decoded of it ahead. */
struct hp_piece {
	uint8_t *buf; /* HP_PIECE_HISTORY bytes, then in */
	uint8_t *in;
	size_t in_len, in_room;
	uint64_t expect;       /* bytes that out should hold, if known */
	bool whole;	       /* worth decoding ahead */
	enum hp_status status; /* what reading met after it */
	struct hp_error error;
	struct hp_buffer_pool *pool;
	struct hp_buffer *out; /* by hp_piece_reserve() */
	size_t out_len;
	size_t used;   /* bytes of in that out comes from; 0: not decoded */
	uint64_t most; /* bytes of the largest member in out */
	bool taken;    /* ... and was handed on, as a block */
};

/* Where to cut. */
struct hp_cut {
	size_t len;	 /* bytes of the piece; 0: more are wanted */
	bool whole;	 /* as in struct hp_piece */
	uint64_t expect; /* likewise */
};

/* The compressed stream as the decoder walks it. */
struct hp_feed {
	struct hp_decompress *owner;
	uint64_t memory; /* that a window may take; 0: no limit */
	const struct hp_layer_options *options; /* how the layer was opened */
	struct hp_piece *piece;			/* NULL: none yet, or the end */
	const uint8_t *p;			/* next byte */
	size_t left;				/* bytes at p */
	uint64_t raw;	       /* offset of p in the compressed stream */
	enum hp_status status; /* why the end is not the end */
	struct hp_error error;
};

enum hp_step {
	HP_STEP_MORE,	/* inside a member */
	HP_STEP_MEMBER, /* a member is over, another one may follow */
	HP_STEP_END,	/* nothing follows, or damage, which is noted */
};

struct hp_codec {
	/* measured, what is beyond next to nothing: in all, and a worker's */
	unsigned memory, worker_memory;
	size_t piece_most;  /* bytes of a compressed piece, no more */
	size_t cutter_size; /* the cutter's memory, zeroed at first */
	/*
	 * The bytes at the front of the stream: where does the piece end?
	 * @buf is the same stretch, longer, until a cut is made. Must cut
	 * when @n is piece_most or @last is set.
	 */
	struct hp_cut (*cut)(void *cutter, const uint8_t *buf, size_t n,
			     bool last);

	void *(*worker_open)(void *context);
	void (*worker_close)(void *worker);
	/* Decode ahead: sets out, out_len, used and most, or used to 0. */
	void (*ahead)(void *worker, struct hp_piece *piece);

	void *(*stream_open)(struct hp_feed *feed);
	void (*stream_close)(void *stream);
	/* May this piece's result be taken at a member's begin? */
	bool (*accept)(void *stream, const struct hp_piece *piece);
	/* At a place where a member may begin. MEMBER: an empty one. */
	enum hp_step (*begin)(void *stream);
	/* Decodes at most @room bytes to @out; @len says how many came. */
	enum hp_step (*more)(void *stream, uint8_t *out, size_t room,
			     size_t *len);
};

/**
 * hp_decompress_open() - put a decompressing layer on top of @below
 * @o:       threads are workers that decode ahead; 0: no threads at all, the
 *           bytes are decoded as they are read
 *
 * With threads @below is read by them until it is stopped.
 * Returns: HP_OK; HP_NOMEM; HP_IO (no thread could be started, which reads
 *          may also find, when one is needed).
 * Ownership: closed through its operations; @below stays the caller's.
 */
HP_MUST_USE enum hp_status hp_decompress_open(struct hp_layer **out,
					      struct hp_layer *below,
					      const struct hp_codec *codec,
					      const struct hp_layer_options *o,
					      struct hp_error *err);

/* For codecs. */

/* There is a byte at f->p; false: the end, or f->status says why. */
bool hp_feed_fill(struct hp_feed *f);

/* The next byte, or -1 as hp_feed_fill() false. */
int hp_feed_byte(struct hp_feed *f);

/* The next @n bytes; how many there are, fewer only as hp_feed_fill() false. */
size_t hp_feed_bytes(struct hp_feed *f, uint8_t *to, size_t n);

/* Passes over @n of the f->left bytes. */
void hp_feed_skip(struct hp_feed *f, size_t n);

/* Goes back @n bytes, HP_PIECE_HISTORY at most. */
void hp_feed_back(struct hp_feed *f, size_t n);

/* The stream cannot go on; the first failure wins. Returns HP_STEP_END. */
enum hp_step hp_feed_fail(struct hp_feed *f, enum hp_status status,
			  const char *fmt, ...) HP_PRINTF(3, 4);

/*
 * Notes a problem at the offset @raw of the compressed bytes, as many decoded
 * ones behind those that were handed on before the present call as @len says.
 * Forgotten where the feed has failed. Returns HP_STEP_END.
 */
enum hp_step hp_feed_note(struct hp_feed *f, enum hp_container_problem problem,
			  uint64_t raw, size_t len, uint64_t got,
			  uint64_t want);

/* Was anything noted, or has the feed failed? */
bool hp_feed_noted(struct hp_feed *f);

/*
 * An archive: its first dump is the member of that name, or it has a further
 * one. Names may hold anything.
 */
void hp_feed_dump(struct hp_feed *f, const char *name);

/* Room for @n bytes in piece->out, whatever is in it. NULL: no memory. */
uint8_t *hp_piece_reserve(struct hp_piece *piece, size_t n);

#endif
