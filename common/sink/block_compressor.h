/*
 * block_compressor.h - compresses an output in independent blocks on several
 * threads and writes them in order
 *
 * Where the blocks end depends on the bytes and boundaries alone, so the
 * output is the same for any number of threads. An encoder (gzip_out.c,
 * zstd_out.c) says how large blocks are and what one becomes. Private to
 * common/io.
 */
#ifndef HP_SINK_BLOCK_COMPRESSOR_H
#define HP_SINK_BLOCK_COMPRESSOR_H

#include "common/sink/output_file.h"

#include <stdatomic.h>

struct hp_compressor;

/* A block on its way through the workers. */
struct hp_compressor_block {
	uint8_t *in;
	size_t in_len, in_room;
	bool first; /* of the output */
	uint8_t *out;
	size_t out_len, out_room;
	enum hp_status status; /* NOMEM: it could not be compressed */
};

/* What was written for a block. */
struct hp_compressor_frame {
	uint32_t packed, plain; /* bytes */
	uint32_t last_word;	/* the last four bytes, little-endian */
};

struct hp_block_encoder {
	size_t good; /* bytes of a block that ends at the next boundary */
	size_t most; /* bytes of a block without a boundary */
	int level_least, level_most, level_default;
	void *(*worker_open)(int level);
	void (*worker_close)(void *worker);
	/* Sets out_len (out has out_room) or returns false: out of memory. */
	bool (*encode)(void *worker, struct hp_compressor_block *b);
	/* Bytes that encode() may need for @n bytes. */
	size_t (*bound)(size_t n);
	/* Bytes that a worker takes at most. */
	size_t (*working)(int level);
	/*
	 * What follows the last block, malloc'd; NULL with *@len 0: nothing.
	 * False: out of memory. May be NULL.
	 */
	bool (*trailer)(const struct hp_compressor_frame *frames, size_t count,
			uint8_t **out, size_t *len);
};

extern const struct hp_block_encoder hp_gzip_encoder;
extern const struct hp_block_encoder hp_zstd_encoder;

/**
 * hp_compressor_open() - start the compressing threads
 * @target:  where the bytes go; borrowed until the close
 * @level:   0: the encoder's default
 * @threads: that compress, fewer where @memory allows no more; 0: it is done
 *           within the writes
 * @memory:  bytes that workers and blocks may take; 0: no limit.
 *           One thread's are always taken
 * @written: grows by the bytes that were written; borrowed
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO (no thread); HP_UNSUPPORTED (level);
 *           HP_LIMIT: one worker takes more than @memory.
 * Ownership: the caller ends it with hp_compressor_close().
 */
HP_MUST_USE enum hp_status
hp_compressor_open(struct hp_compressor **out, struct hp_output_file *target,
		   const struct hp_block_encoder *encoder, int level,
		   unsigned threads, uint64_t memory, _Atomic uint64_t *written,
		   struct hp_error *err);

/* The bytes are copied. HP_OK; HP_IO; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_compressor_write(struct hp_compressor *p,
					       const void *buf, size_t n,
					       struct hp_error *err);

/* As hp_sink_boundary(). */
void hp_compressor_boundary(struct hp_compressor *p, uint64_t next);

/* Writes all that waits, and the trailer. As hp_compressor_write(). */
HP_MUST_USE enum hp_status hp_compressor_finish(struct hp_compressor *p,
						struct hp_error *err);

/*
 * Joins the threads and releases; NULL is allowed. @write: blocks that are
 * filled are written, and no trailer.
 */
void hp_compressor_close(struct hp_compressor *p, bool write);

#endif
