/*
 * sink.h - write an output to a file or a pipe, compressed by several threads
 */
#ifndef HP_SINK_SINK_H
#define HP_SINK_SINK_H

#include "common/base/status.h"
#include "common/io/source.h"
#include "common/io/workers.h"

/*
 * ----------------------------------------------------------------------
 * Process blocks of data on several threads, and write the results on one
 * thread in the order of the blocks
 *
 * This is used to compress outputs and to write packs. The caller fills a
 * block, a worker thread processes it, and another thread writes the result.
 * Without threads, hp_ordered_writer_submit() processes and writes the block
 * itself. A block is a slot of a worker pool (io/workers.h).
 */

struct hp_ordered_writer {
	/*
	 * The options of the worker pool, which the caller sets before
	 * hp_ordered_writer_open(). `o.threads` may be 0.
	 */
	struct hp_worker_pool_options o;
	/*
	 * Write the result that o.work() has stored in the slot of a block.
	 * Called for one block after the other, in the order in which they were
	 * submitted. A status other than HP_OK ends the writing.
	 */
	enum hp_status (*write)(void *context, void *slot,
				struct hp_error *err);

	/*
	 * the worker threads; NULL: the caller's thread processes each block
	 * itself
	 */
	struct hp_worker_pool *pool;
	pthread_t thread;
	/*
	 * the thread that writes the results (`thread`) was started
	 */
	bool writing;
	/*
	 * Only used without threads: `slot` is the single block, and `state` is
	 * the worker state for o.work().
	 */
	void *slot, *state;
	pthread_mutex_t lock;
	/* the first failure of the function write(); protected by the lock */
	struct hp_error error;
};

/*
 * Start the threads. Returns HP_OK; HP_NOMEM; HP_IO if no thread can be
 * started. Even after a failure the caller must call hp_ordered_writer_close().
 */
HP_MUST_USE enum hp_status hp_ordered_writer_open(struct hp_ordered_writer *w,
						  struct hp_error *err);

/*
 * Wait for a free block, to be filled by the caller. Returns HP_OK, or the
 * failure of an earlier write.
 */
HP_MUST_USE enum hp_status hp_ordered_writer_begin(struct hp_ordered_writer *w,
						   void **slot,
						   struct hp_error *err);

/*
 * Submit the block that the caller has filled, so that it is processed and
 * written. Failures are returned by the next hp_ordered_writer_begin() or by
 * hp_ordered_writer_finish().
 */
void hp_ordered_writer_submit(struct hp_ordered_writer *w);

/* Wait until all blocks are written. Returns HP_OK or the first failure. */
HP_MUST_USE enum hp_status hp_ordered_writer_finish(struct hp_ordered_writer *w,
						    struct hp_error *err);

/*
 * End the threads and free the blocks. If @write is true, first write the
 * blocks that were submitted; otherwise discard them.
 */
void hp_ordered_writer_close(struct hp_ordered_writer *w, bool write);

/* ----------------------------------------------------------------------
 * The output of a program: a file that appears complete or not at all, or
 * standard output; plain, or compressed as zstd, gzip or a pack
 *
 * The caller writes the bytes in order. The sink compresses them on its own
 * threads, and keeps the order. Nothing is visible at the output's path before
 * hp_sink_commit().
 */

struct hp_sink;

/* The compression of an output. */
enum hp_compression {
	HP_COMPRESSION_NONE,
	HP_COMPRESSION_GZIP,
	HP_COMPRESSION_ZSTD,
	HP_COMPRESSION_PACK,
};

struct hp_sink_options {
	enum hp_compression compression;
	/*
	 * Compression level: gzip 1 to 12, zstd -7 to 22, pack 1 to 19. 0: the
	 * default of the compression.
	 */
	int level;
	/* functions that write a pack; NULL: this build cannot write packs */
	const struct hp_pack_vtable *packing;
	/*
	 * Only for packs: the maximum number of bytes of the dump that are
	 * compressed together. If the dump needs larger blocks, writing fails
	 * with HP_LIMIT. 0: no limit.
	 */
	uint64_t pack_most;
	/* an existing file with the name of the output may be replaced */
	bool force;
	/* At the end, wait until the file is safe on the disk (fsync). */
	bool sync;
	/*
	 * The number of compression threads. 0: the thread that writes also
	 * compresses.
	 */
	unsigned threads;
	/*
	 * The maximum size in bytes of the memory for compression. With little
	 * memory, fewer threads are used. 0: no limit. This does not apply to
	 * packs, for which the caller limits the memory.
	 */
	uint64_t memory;
	/*
	 * The input of the program, which must not be overwritten. The output
	 * gets no permissions that the input does not have. May be NULL.
	 */
	const struct hp_source *input;
	/* the output is plain text, which may go to a terminal */
	bool text;
	bool verify; /* compute a hash of all bytes, for hp_sink_verify() */
	/*
	 * Open the file without read access. hp_sink_reopen() and
	 * hp_sink_verify() are then not possible.
	 */
	bool write_only;
};

/**
 * hp_sink_open() - start an output
 * @path: the path of the output; NULL or "-" for standard output
 *
 * A new file is created next to @path, under an unpredictable name, or without
 * a name if the system supports that. Its mode is 0666 minus the umask.
 * Permissions that the input does not give to its group or to others are also
 * removed. A symbolic link at @path is replaced, not followed.
 *
 * The bytes are written directly to a device or FIFO, and to the target of a
 * link in /dev or /proc, such as /dev/stdout and /dev/fd/N. The program must
 * ignore SIGPIPE, so that a broken pipe gives the status HP_CLOSED.
 *
 * Returns: HP_OK; HP_UNSUPPORTED if the level is not supported, or for a pack
 *          without the option packing; HP_LIMIT if 64 outputs are open;
 *          HP_NOMEM; HP_IO in these cases:
 * - the output exists and force is not set
 * - the output is a directory, is the input or cannot be created
 * - binary bytes would go to a terminal
 * Ownership: the caller ends the output with hp_sink_commit() or
 *            hp_sink_abort(), which both free the sink.
 */
HP_MUST_USE enum hp_status hp_sink_open(struct hp_sink **out, const char *path,
					const struct hp_sink_options *options,
					struct hp_error *err);

/**
 * hp_sink_open_temporary() - start an output that never becomes visible
 *
 * The output is a plain unnamed file in $TMPDIR or /tmp. It can be read back
 * with hp_sink_reopen(). hp_sink_abort() deletes it, but sources that were
 * opened with hp_sink_reopen() can still read it.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_sink_open_temporary(struct hp_sink **out,
						  struct hp_error *err);

/**
 * hp_sink_write() - write the next bytes
 *
 * The bytes are copied or written before the function returns.
 * Returns: HP_OK; HP_CLOSED if the reader of a pipe has closed it; HP_IO, for
 *          example if the disk is full; HP_NOMEM. After a failure the caller
 *          should call hp_sink_abort().
 */
HP_MUST_USE enum hp_status hp_sink_write(struct hp_sink *s, const void *buf,
					 size_t n, struct hp_error *err);

/**
 * hp_sink_patch() - overwrite bytes that were written before
 * @at: offset of the first byte; at most hp_sink_tell() - @n
 *
 * Only for sinks that hp_sink_open_temporary() has opened, because they do not
 * compress or hash.
 * Returns: HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_sink_patch(struct hp_sink *s, uint64_t at,
					 const void *bytes, size_t n,
					 struct hp_error *err);

/*
 * Whether a write has failed. If so, messages should name the output, not the
 * input.
 */
bool hp_sink_refused(const struct hp_sink *s);

/*
 * Mark the current position as a good place to end a compressed block, for
 * example because a record ends here. @next: the number of bytes up to the next
 * such position; 0: not known. The sink ends its block here in two cases: if
 * the block is full enough, or if the next @next bytes do not fit into it but
 * fit into a new block. A block that reaches its maximum size before the next
 * marked position ends at any byte.
 */
void hp_sink_boundary(struct hp_sink *s, uint64_t next);

/* Returns the number of uncompressed bytes written so far. */
uint64_t hp_sink_tell(const struct hp_sink *s);

/*
 * Returns the number of compressed bytes written so far. It is exact after
 * hp_sink_finish().
 */
uint64_t hp_sink_written(const struct hp_sink *s);

/**
 * hp_sink_finish() - compress and write everything that remains after the last
 * hp_sink_write(), and then the seek table
 *
 * Afterwards hp_sink_reopen() can read the bytes back, and hp_sink_commit() can
 * make them visible.
 * Returns: HP_OK; HP_IO; HP_CLOSED; HP_NOMEM. A second call returns the same as
 *          the first one.
 */
HP_MUST_USE enum hp_status hp_sink_finish(struct hp_sink *s,
					  struct hp_error *err);

/*
 * Whether the output can be read back with hp_sink_reopen(): true for a file,
 * false for a device or a pipe.
 */
bool hp_sink_readable(const struct hp_sink *s);

/**
 * hp_sink_reopen() - open a source that reads back the output before it is
 *                    visible
 *
 * Returns: HP_OK with a source for the finished file; HP_UNSUPPORTED for a
 *          device, a pipe or standard output; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_sink_reopen(struct hp_sink *s, struct hp_source **out,
	       const struct hp_source_options *options, struct hp_error *err);

/**
 * hp_sink_verify() - read the whole output back, and compare its length and
 * hash (XXH3-128) with those of the bytes that were written
 * @threads: number of decompression threads
 *
 * Needs the option verify, and hp_sink_finish().
 * Returns: HP_OK; HP_IO if the file contains something else; or the failures of
 *          hp_sink_reopen() and hp_source_read().
 */
HP_MUST_USE enum hp_status hp_sink_verify(struct hp_sink *s, unsigned threads,
					  struct hp_error *err);

/**
 * hp_sink_commit() - make the output visible and free the sink
 *
 * Calls hp_sink_finish() first if the caller has not.
 * Returns: HP_OK; HP_IO or another failure, after which the new file is
 *          deleted.
 */
HP_MUST_USE enum hp_status hp_sink_commit(struct hp_sink *s,
					  struct hp_error *err);

/* Delete the output and free the sink. @s may be NULL. */
void hp_sink_abort(struct hp_sink *s);

/*
 * Remove the temporary files of all open sinks. Async-signal-safe, for signal
 * handlers.
 */
void hp_sink_unlink_all(void);

#endif
