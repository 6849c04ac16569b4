/*
 * internal.h - output files, temporary files, and compression by blocks
 */
#ifndef HP_SINK_INTERNAL_H
#define HP_SINK_INTERNAL_H

#include "common/base/status.h"
#include "common/io/source.h"
#include "common/sink/publish.h"

#include <stdatomic.h>
#include <stdbool.h>

/* ----------------------------------------------------------------------
 * The list of temporary files that a signal handler must remove
 *
 * Private to common/sink. The list is a global variable, because a signal
 * handler has no argument through which the list could be passed.
 */

/*
 * Add a temporary file or folder to the list. @dir: descriptor of the folder
 * that contains it; borrowed until hp_temp_list_remove(), like @name. @folder:
 * true for a folder. Folders are removed after all files, because they must be
 * empty. Returns the index of the entry; -1 if the list is full.
 */
int hp_temp_list_add(int dir, const char *name, bool folder);

/*
 * Remove the entry with index @entry from the list. Returns false if the signal
 * handler has already deleted the file or folder.
 */
bool hp_temp_list_remove(int entry);

/* Delete all files and folders on the list. Async-signal-safe. */
void hp_temp_list_unlink_all(void);

/*
 * ----------------------------------------------------------------------
 * An output without compression: a file that appears under its name only when
 * it is complete, a device or pipe, or standard output
 *
 * Private to common/sink. This code writes the bytes unchanged; sink.c has
 * already compressed them.
 */

struct hp_output_file {
	int fd; /* file descriptor of the output; -1: it is closed */
	/*
	 * The descriptor of the folder that contains the output. -1: the output
	 * is written directly (see `direct`) or is an unnamed temporary file.
	 */
	int dir;
	/* permission bits of a new file, before the umask */
	unsigned mode;
	/* closing this struct also closes the descriptor `fd` */
	bool owned;
	/*
	 * the output is an existing device or pipe, or standard output, to
	 * which bytes are written directly
	 */
	bool direct;
	/* an existing file with the name of the output may be replaced */
	bool force;
	/* At the end, wait until the file is safe on the disk (fsync). */
	bool sync;
	/* A write has failed on some thread, so nothing more is written. */
	atomic_bool refused;
	/*
	 * The access mode with which a new file is opened: O_RDWR if the file
	 * can be read back, otherwise O_WRONLY.
	 */
	int access;
	/*
	 * The index of `temp` in the list of temporary files that the signal
	 * handler removes; see hp_temp_list_add(). -1: it is not in the list.
	 */
	int entry;
	char *base; /* the file name of the output in its folder */
	/* temporary name of the file; "" while the file has no name */
	char temp[HP_TEMP_NAME];
};

struct hp_output_file_options {
	bool force, sync;
	bool text; /* the output is text, which may go to a terminal */
	/*
	 * Give the file a temporary name, even if the system supports files
	 * without a name.
	 */
	bool named;
	bool write_only; /* the file is never read back */
	const struct hp_source *input;
};

/*
 * Open an output as hp_sink_open() describes. @t: a struct of the caller, which
 * needs no release after a failure.
 */
HP_MUST_USE enum hp_status
hp_output_file_open(struct hp_output_file *t, const char *path,
		    const struct hp_output_file_options *options,
		    struct hp_error *err);

/* Write all @n bytes. Returns HP_OK, HP_CLOSED or HP_IO. */
HP_MUST_USE enum hp_status hp_output_file_write(struct hp_output_file *t,
						const void *buf, size_t n,
						struct hp_error *err);

/*
 * Overwrite @n bytes of the output at offset @at. These bytes must have been
 * written before, and the output must be a file. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_output_file_patch(struct hp_output_file *t,
						uint64_t at, const void *buf,
						size_t n, struct hp_error *err);

/*
 * Duplicate the descriptor of the file, so that the caller can read the file
 * back. Returns HP_OK; HP_IO; HP_UNSUPPORTED for a direct or write-only output.
 */
HP_MUST_USE enum hp_status hp_output_file_dup(struct hp_output_file *t, int *fd,
					      struct hp_error *err);

/*
 * Make the file visible: give the complete file its final name. Returns HP_OK
 * or HP_IO, and releases @t in both cases.
 */
HP_MUST_USE enum hp_status hp_output_file_commit(struct hp_output_file *t,
						 struct hp_error *err);

/* Delete the incomplete file and release @t. */
void hp_output_file_abort(struct hp_output_file *t);

/* ----------------------------------------------------------------------
 * Compress an output in independent blocks on several threads, and write the
 * blocks in order
 *
 * Where a block ends depends only on the bytes and on the calls of
 * hp_sink_boundary(). So the output is the same for any number of threads. An
 * encoder (gzip_out.c, zstd_out.c) defines the size of blocks and compresses
 * them. Private to common/sink.
 */

struct hp_compressor;

/*
 * A block of the output: its bytes before and after a worker compresses them.
 */
struct hp_compressor_block {
	uint8_t *in;
	size_t in_len, in_room;
	bool first; /* this is the first block of the output */
	uint8_t *out;
	size_t out_len, out_room;
	/* the result of compressing the block: HP_OK or HP_NOMEM */
	enum hp_status status;
};

/*
 * The sizes of a block that was written. They are kept for the seek table at
 * the end of the output.
 */
struct hp_compressor_frame {
	/*
	 * `packed`, `plain`: the size of the block in bytes after and before
	 * compression
	 */
	uint32_t packed, plain;
	/*
	 * the last four bytes of the compressed block, as a little-endian
	 * number
	 */
	uint32_t last_word;
};

struct hp_block_encoder {
	/*
	 * A block that has at least this many bytes ends at the next position
	 * that the caller marks with hp_sink_boundary().
	 */
	size_t good;
	size_t most; /* maximum number of uncompressed bytes of a block */
	int level_least, level_most, level_default;
	void *(*worker_open)(int level);
	void (*worker_close)(void *worker);
	/*
	 * Compress @b->in to @b->out, which has room for @b->out_room bytes,
	 * and set @b->out_len. Returns false if out of memory.
	 */
	bool (*encode)(void *worker, struct hp_compressor_block *b);
	/* Returns the maximum compressed length of @n bytes. */
	size_t (*bound)(size_t n);
	/* Returns the maximum number of bytes of memory that a worker needs. */
	size_t (*working)(int level);
	/*
	 * Make the trailer: the bytes after the last block, such as a seek
	 * table. *@out receives allocated memory; NULL with *@len 0 means that
	 * the trailer is empty. Returns false if out of memory. If this member
	 * is NULL, the output has no trailer.
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
 *   suffice. 0: the thread that writes also compresses
 * @memory: maximum size in bytes of the memory for workers and blocks; 0: no
 *   limit. At least one thread is always used.
 * @written: a counter of the caller, to which the number of written bytes is
 * added; borrowed
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
 * Copy the next @n bytes of the output into blocks, which are then compressed
 * and written. Returns HP_OK, HP_IO, HP_CLOSED or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_compressor_write(struct hp_compressor *p,
					       const void *buf, size_t n,
					       struct hp_error *err);

/*
 * Mark the current position as a good place to end a block, as
 * hp_sink_boundary() does. @next: number of bytes up to the next such position;
 * 0: not known.
 */
void hp_compressor_boundary(struct hp_compressor *p, uint64_t next);

/*
 * Write all remaining blocks, and the trailer. Returns the same as
 * hp_compressor_write().
 */
HP_MUST_USE enum hp_status hp_compressor_finish(struct hp_compressor *p,
						struct hp_error *err);

/*
 * End the threads and free the compressor. @p may be NULL. If @write is true,
 * first write the submitted blocks, but not the trailer.
 */
void hp_compressor_close(struct hp_compressor *p, bool write);

#endif
