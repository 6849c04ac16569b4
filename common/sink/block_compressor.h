/*
 * block_compressor.h - compress an output in independent blocks on several
 * threads, and write the blocks in order
 *
 * The ends of the blocks depend only on the bytes and on the boundaries. So the
 * output is the same for any number of threads. An encoder (gzip_out.c,
 * zstd_out.c) defines the size of blocks and compresses them. Private to
 * common/sink.
 */
#ifndef HP_SINK_BLOCK_COMPRESSOR_H
#define HP_SINK_BLOCK_COMPRESSOR_H

#include "common/sink/output_file.h"

#include <stdatomic.h>

struct hp_compressor;

/* A block while the workers compress it. */
struct hp_compressor_block {
	uint8_t *in;
	size_t in_len, in_room;
	bool first; /* the first block of the output */
	uint8_t *out;
	size_t out_len, out_room;
	enum hp_status status; /* HP_OK; HP_NOMEM if compressing failed */
};

/* What the compressor keeps of a block that was written. */
struct hp_compressor_frame {
	uint32_t packed, plain; /* compressed and uncompressed bytes */
	/* the last four compressed bytes, little-endian */
	uint32_t last_word;
};

struct hp_block_encoder {
	/* a block of at least this many bytes ends at the next boundary */
	size_t good;
	size_t most; /* maximum bytes of a block */
	int level_least, level_most, level_default;
	void *(*worker_open)(int level);
	void (*worker_close)(void *worker);
	/*
	 * Compress @b->in to @b->out, which has out_room bytes. Sets out_len.
	 * Returns false if out of memory.
	 */
	bool (*encode)(void *worker, struct hp_compressor_block *b);
	/* The maximum compressed length of @n bytes. */
	size_t (*bound)(size_t n);
	/* The maximum bytes of memory that a worker needs. */
	size_t (*working)(int level);
	/*
	 * Make the bytes that follow the last block. *@out is allocated; NULL
	 * with *@len 0 means that there are none. Returns false if out of
	 * memory. A NULL pointer here means that there is no trailer.
	 */
	bool (*trailer)(const struct hp_compressor_frame *frames, size_t count,
			uint8_t **out, size_t *len);
};

extern const struct hp_block_encoder hp_gzip_encoder;
extern const struct hp_block_encoder hp_zstd_encoder;

/**
 * hp_compressor_open() - start the compression threads
 * @target: the file to write to; borrowed until hp_compressor_close()
 * @level: compression level; 0: the default of the encoder
 * @threads: number of compression threads; fewer are used if @memory does not
 *   suffice. 0: writes compress by themselves
 * @memory: bytes of memory for workers and blocks; 0: no limit. At least one
 *   thread is used in any case.
 * @written: increased by the number of bytes written; borrowed
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO if no thread can be started; HP_UNSUPPORTED
 *          if the level is not supported; HP_LIMIT if a single worker needs
 *          more than @memory.
 * Ownership: the caller closes *@out with hp_compressor_close().
 */
HP_MUST_USE enum hp_status
hp_compressor_open(struct hp_compressor **out, struct hp_output_file *target,
		   const struct hp_block_encoder *encoder, int level,
		   unsigned threads, uint64_t memory, _Atomic uint64_t *written,
		   struct hp_error *err);

/*
 * Copy the next bytes of the output. Returns HP_OK, HP_IO, HP_CLOSED or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_compressor_write(struct hp_compressor *p,
					       const void *buf, size_t n,
					       struct hp_error *err);

/* Mark a good place to end a block, see hp_sink_boundary(). */
void hp_compressor_boundary(struct hp_compressor *p, uint64_t next);

/*
 * Write all remaining blocks, and the trailer. Returns the same as
 * hp_compressor_write().
 */
HP_MUST_USE enum hp_status hp_compressor_finish(struct hp_compressor *p,
						struct hp_error *err);

/*
 * Join the threads and free the compressor. NULL is allowed. @write: first
 * write the submitted blocks, but not the trailer.
 */
void hp_compressor_close(struct hp_compressor *p, bool write);

#endif
