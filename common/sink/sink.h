/*
 * sink.h - where an output goes: a file that appears whole or not at all, or
 * standard output; plain, zstd or gzip
 *
 * Bytes are handed over in order. Compression runs on the sink's own threads
 * and never changes the order. Nothing is visible at the output's place before
 * hp_sink_commit().
 */
#ifndef HP_SINK_SINK_H
#define HP_SINK_SINK_H

#include "common/io/source.h"
#include "common/base/status.h"

struct hp_sink;

/* How an output is compressed. */
enum hp_compression {
	HP_COMPRESSION_NONE,
	HP_COMPRESSION_GZIP,
	HP_COMPRESSION_ZSTD,
	HP_COMPRESSION_PACK,
};

struct hp_sink_options {
	enum hp_compression compression;
	int level; /* 0: the compression's default; gzip 1 to 12,
		      zstd -7 to 22, pack 1 to 19 */
	const struct hp_pack_vtable *packing; /* for packs */
	uint64_t pack_most; /* bytes that go together in a pack; more of them is
			       HP_LIMIT. 0: any number */
	bool force;	    /* replace an existing file */
	bool sync;	    /* wait for the disk before commit returns */
	unsigned threads;   /* that compress; 0: within the writes */
	uint64_t memory;    /* that compression may take: fewer threads then; 0:
			       no limit. Packs are the caller's concern */
	const struct hp_source *input; /* refuse to overwrite it; may be NULL */
	bool text;		       /* plain text: a terminal may have it */
	bool verify;	 /* hash what is handed over, for hp_sink_verify() */
	bool write_only; /* a file is opened without the right to read it: no
			    hp_sink_reopen(), no hp_sink_verify() */
};

/**
 * hp_sink_open() - start an output
 * @path: where it will appear; NULL or "-" for standard output
 *
 * Files are written beside their place under an unpredictable name (or with
 * no name at all where the system allows that), with mode 0666 less the umask
 * and less what the input's mode does not allow others, and never follow a
 * symbolic link at @path: the link itself is replaced. What is no file (a
 * device, a FIFO) is written to as it stands, and so are /dev/stdout, /dev/fd/N
 * and other links below /dev and /proc. The program ignores SIGPIPE, so that a
 * broken pipe is a status here, HP_CLOSED.
 *
 * Returns: HP_OK; HP_IO (exists and no force, is a directory, is the input,
 *          cannot be created, standard output is a terminal and the bytes are
 *          binary); HP_UNSUPPORTED (level; a pack without packing); HP_LIMIT
 *          (64 outputs are open); HP_NOMEM.
 * Ownership: ends with hp_sink_commit() or hp_sink_abort(), either of which
 *          releases the sink.
 */
HP_MUST_USE enum hp_status hp_sink_open(struct hp_sink **out, const char *path,
					const struct hp_sink_options *options,
					struct hp_error *err);

/**
 * hp_sink_open_temporary() - an output that never appears
 *
 * A plain file without a name in $TMPDIR, or /tmp, to be read back with
 * hp_sink_reopen() and thrown away with hp_sink_abort(), after which what was
 * opened can still be read.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_sink_open_temporary(struct hp_sink **out,
						  struct hp_error *err);

/**
 * hp_sink_write() - hand over the next bytes
 *
 * The bytes are copied or written before it returns.
 * Returns: HP_OK; HP_CLOSED (the reader is gone), HP_IO (disk full ...), after
 *          which only hp_sink_abort() makes sense; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_sink_write(struct hp_sink *s, const void *buf,
					 size_t n, struct hp_error *err);

/**
 * hp_sink_patch() - change bytes that were written before
 * @at: their offset; at most hp_sink_tell() - @n
 *
 * Only for sinks of hp_sink_open_temporary(), which neither compress nor hash.
 * Returns: HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_sink_patch(struct hp_sink *s, uint64_t at,
					 const void *bytes, size_t n,
					 struct hp_error *err);

/* Did writing fail? Then the failure is about the output, not the input. */
bool hp_sink_refused(const struct hp_sink *s);

/*
 * A good place to end a compressed block: between two records. The sink ends
 * its block here if the block is full enough, or has no room for the @next
 * bytes, up to the next such place (0: not known), while a block of their own
 * has; a block that gets too full without a boundary is ended where it stands.
 */
void hp_sink_boundary(struct hp_sink *s, uint64_t next);

/* Uncompressed bytes handed over so far. */
uint64_t hp_sink_tell(const struct hp_sink *s);

/* Compressed bytes written so far; exact after hp_sink_finish(). */
uint64_t hp_sink_written(const struct hp_sink *s);

/**
 * hp_sink_finish() - everything is handed over: flush, write seek tables
 *
 * Afterwards the bytes can be read back through hp_sink_reopen(), and then
 * hp_sink_commit() makes them visible.
 * Returns: HP_OK; HP_IO; HP_NOMEM; of a second call what the first one did.
 */
HP_MUST_USE enum hp_status hp_sink_finish(struct hp_sink *s,
					  struct hp_error *err);

/* Can the output be read back: is it a file, not a device or a pipe? */
bool hp_sink_readable(const struct hp_sink *s);

/**
 * hp_sink_reopen() - read what was written, before anybody else sees it
 *
 * Returns: HP_OK with a source over the finished file; HP_UNSUPPORTED for
 *          standard output; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_sink_reopen(struct hp_sink *s, struct hp_source **out,
	       const struct hp_source_options *options, struct hp_error *err);

/**
 * hp_sink_verify() - read everything back and compare it with what was written
 * @threads: that decompress
 *
 * For sinks opened with verify set, finished ones. By length and XXH3-128.
 * Returns: HP_OK; HP_IO: the file holds something else; as hp_sink_reopen().
 */
HP_MUST_USE enum hp_status hp_sink_verify(struct hp_sink *s, unsigned threads,
					  struct hp_error *err);

/**
 * hp_sink_commit() - make the output visible and release the sink
 *
 * Calls hp_sink_finish() if that was not done yet.
 * Returns: HP_OK; HP_IO: nothing is left behind.
 */
HP_MUST_USE enum hp_status hp_sink_commit(struct hp_sink *s,
					  struct hp_error *err);

/* Throw the output away and release the sink; NULL is allowed. */
void hp_sink_abort(struct hp_sink *s);

/*
 * For a signal handler: remove the temporary files of all open sinks.
 * Async-signal-safe.
 */
void hp_sink_unlink_all(void);

#endif
