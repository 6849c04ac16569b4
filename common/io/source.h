/*
 * source.h - the bytes of a dump from a file, a pipe or memory, decompressed
 */
#ifndef HP_IO_SOURCE_H
#define HP_IO_SOURCE_H

#include "common/base/status.h"
#include "common/io/layer.h"

#include <stddef.h>

/* ----------------------------------------------------------------------
 * XXH3-128, a hash of bytes that arrive in parts
 */

#define HP_DIGEST_TEXT 33 /* room for 32 hexadecimal digits and a NUL */

struct hp_digest;

/*
 * Create a hash to which no bytes have been added yet. Returns NULL if out of
 * memory.
 */
struct hp_digest *hp_digest_open(void);
void hp_digest_close(struct hp_digest *d); /* @d may be NULL */
void hp_digest_add(struct hp_digest *d, const void *bytes, size_t n);
/* Forget all bytes added so far, and start again. */
void hp_digest_restart(struct hp_digest *d);
/* Get the hash of all bytes added so far, as hexadecimal digits. */
void hp_digest_text(const struct hp_digest *d, char text[HP_DIGEST_TEXT]);

/* Hash @n bytes in a single call. */
void hp_digest_once(const void *bytes, size_t n, char text[HP_DIGEST_TEXT]);

/* ----------------------------------------------------------------------
 * Windows: parts of a plain file that are mapped into memory, so that they are
 * read without a copy
 *
 * A mapped file may become shorter, or its disk may fail. Pages that are no
 * longer readable then read as zeros, and hp_window_broken() returns true. In
 * this case, the reader must discard what it has read from the window. Private
 * to common/.
 */

struct hp_window;

/*
 * A window begins at a multiple of this number of bytes in the file. If the
 * kernel caches files in large pages, it can then map whole large pages.
 */
#define HP_WINDOW_UNIT ((uint64_t)2 << 20)

/**
 * hp_window_open() - map a part of a regular file
 * @fd: a descriptor that is open for reading
 * @offset: offset in the file, with any alignment
 * @n: number of bytes, at least 1
 * @guarded: replace unreadable pages by zeros. A SIGBUS handler does this; the
 *   first guarded window installs the handler for the process.
 *
 * Returns: the window; NULL if the part cannot be mapped, so that the caller
 *          has to read the file.
 * Ownership: the caller has one reference, and releases it with
 *            hp_window_unref().
 */
struct hp_window *hp_window_open(int fd, uint64_t offset, uint64_t n,
				 bool guarded);

/*
 * Add a reference to the window (mapped part of a file), for a further user.
 * Returns @w.
 */
struct hp_window *hp_window_ref(struct hp_window *w);

/* Release a reference, from any thread. @w may be NULL. */
void hp_window_unref(struct hp_window *w);

/*
 * Whether the window (mapped part of a file) contains all @n bytes at offset
 * @offset of the file.
 */
bool hp_window_covers(const struct hp_window *w, uint64_t offset, uint64_t n);

/*
 * Returns a pointer to the byte at @offset of the file. The window (mapped part
 * of the file) must contain this byte. The bytes are read-only.
 */
const uint8_t *hp_window_at(const struct hp_window *w, uint64_t offset);

/*
 * Whether a page of the window (mapped part of a file) could not be read and
 * was replaced by zeros.
 */
bool hp_window_broken(const struct hp_window *w);

/* ----------------------------------------------------------------------
 * Read the bytes of an input, decompressed, in order or at an offset
 *
 * A source hides files, pipes, containers and decompression threads from the
 * parser; it knows nothing about the records of a dump. It returns the
 * decompressed bytes of the dump. If the input is an archive, these are the
 * bytes of the first dump in the archive. A source recognises a container by
 * its first bytes, and unpacks at most three nested layers.
 */

/*
 * The number of bytes to read or write in one call. A buffer of this size stays
 * in the cache of the processor, which makes it twice as fast as a buffer of 1
 * MiB.
 */
#define HP_IO_STEP ((size_t)128 << 10)

struct hp_buffer;
struct hp_pack_vtable;
struct hp_source;
struct hp_translation;

/* Whether hp_source_window() may map plain files into memory, and how. */
enum hp_mapping {
	/*
	 * Install a SIGBUS handler for the process. If the file becomes
	 * shorter, the mapped pages after its end then read as zeros.
	 */
	HP_MAP_GUARDED,
	/*
	 * Install no handler. The caller has to handle the SIGBUS that is
	 * raised if a mapped page can no longer be read.
	 */
	HP_MAP_BARE,
	/* Never map files; hp_source_window() always returns NULL. */
	HP_MAP_NEVER,
};

struct hp_source_options {
	/*
	 * number of threads that decompress; 0: decompress in the thread that
	 * reads
	 */
	unsigned threads;
	/* maximum size in bytes of the decompressed input; 0: no limit */
	uint64_t max_size;
	/*
	 * The approximate number of bytes of memory that decompression may use.
	 * 0: no limit. With little memory, fewer threads decompress packs. If a
	 * single block of a pack, or the window of a zstd frame, needs more,
	 * reading fails with HP_LIMIT.
	 */
	uint64_t memory;
	bool raw; /* deliver the bytes of the file without decompressing them */
	/*
	 * Make it possible to read the source several times. If the input is
	 * not a regular file, opening it copies the input, still compressed, to
	 * an unnamed temporary file.
	 */
	bool again;
	/*
	 * Continue after damaged parts of a pack. The bytes of these parts are
	 * lost and read as zeros; see hp_source_holes().
	 */
	bool holes;
	enum hp_mapping mapping;
	/*
	 * functions that read packs (compressed dumps, common/pack); NULL: a
	 * pack is read as plain bytes, without decompression
	 */
	const struct hp_pack_vtable *packing;
	/*
	 * The functions that recognise another format and translate it into a
	 * binary dump. NULL: nothing is translated. They receive
	 * translation_context, which must live as long as the source.
	 */
	const struct hp_translation *translation;
	void *translation_context;
	/*
	 * If an input in another format was packed, return the bytes in that
	 * format. Do not translate them into a dump.
	 */
	bool restore;
	/*
	 * compute the hash of all bytes while they are read, for
	 * hp_source_digest()
	 */
	bool digest;
};

/* Returns a path of an input as users see it: "-" is "standard input". */
const char *hp_shown_path(const char *path);

/*
 * Like hp_shown_path(), but without the folder. A path that ends with a slash
 * is returned unchanged.
 */
const char *hp_shown_file_name(const char *path);

/**
 * hp_source_open() - open an input and recognise its compression
 * @path: a path, or "-" for standard input
 *
 * Starts the decompression threads, if there are any. Opening a FIFO waits for
 * a writer.
 *
 * Returns: HP_OK, also for an empty input; HP_IO if the input cannot be opened,
 *          is a directory, or its first bytes cannot be read; HP_NOMEM;
 *          HP_LIMIT if the first zstd frame needs a window of more than 128 MB,
 *          or more than @options->memory allows; HP_UNSUPPORTED if that frame
 *          needs a dictionary. Ownership: the caller closes *@out with
 *          hp_source_close().
 */
HP_MUST_USE enum hp_status
hp_source_open(struct hp_source **out, const char *path,
	       const struct hp_source_options *options, struct hp_error *err);

/**
 * hp_source_open_fd() - open a source on a descriptor, from its first byte
 * @name: the name of the input in messages
 *
 * In all other respects this function works like hp_source_open(). Ownership:
 * the source closes @fd, also if this function fails.
 */
HP_MUST_USE enum hp_status
hp_source_open_fd(struct hp_source **out, int fd, const char *name,
		  const struct hp_source_options *options,
		  struct hp_error *err);

#define HP_SOURCE_PEEK 512 /* number of bytes that hp_source_peek() returns */

/**
 * hp_source_peek() - copy the first bytes of the source; later reads return
 *                    these bytes again
 * @buf: room for HP_SOURCE_PEEK bytes
 * @got: receives the number of bytes; less than HP_SOURCE_PEEK only if the
 *   input is shorter
 *
 * Call it only before the first read.
 * Returns: the same as hp_source_read().
 */
HP_MUST_USE enum hp_status hp_source_peek(struct hp_source *s, void *buf,
					  size_t *got, struct hp_error *err);

/* Close a source and join its threads. @s may be NULL. */
void hp_source_close(struct hp_source *s);

/**
 * hp_source_read() - read the next bytes
 * @n: the number of bytes to read
 * @got: receives the number of bytes that were read, also on failure; with
 *   HP_OK it is less than @n only at the end of the input
 *
 * Returns: HP_OK, also with *@got == 0 at the end; HP_IO; HP_NOMEM; HP_LIMIT if
 *          the input has more than max_size bytes, or needs a zstd window that
 *          is too large (see hp_source_open()). After a failure, further calls
 *          also fail.
 */
HP_MUST_USE enum hp_status hp_source_read(struct hp_source *s, void *buf,
					  size_t n, size_t *got,
					  struct hp_error *err);

/**
 * hp_source_skip() - skip the next @n bytes
 * @skipped: receives the number of bytes that were skipped; less than @n only
 *           at the end of the input
 *
 * In a regular file that is not compressed, this reads nothing.
 * Returns: the same as hp_source_read().
 */
HP_MUST_USE enum hp_status hp_source_skip(struct hp_source *s, uint64_t n,
					  uint64_t *skipped,
					  struct hp_error *err);

/**
 * hp_source_borrow() - use decompressed bytes in place, without copying them
 * @offset: offset of the first byte, at most hp_source_tell(). The position of
 *   the source does not change.
 * @n: number of bytes
 * @held: *@held is NULL before the first call. The first call sets it to the
 *   buffer that contains the bytes, with a reference for the caller. If *@held
 *   is not NULL, the function returns only bytes that are in this buffer.
 *
 * The caller may even change the bytes, unless they are to be read or borrowed
 * again.
 * Returns: a pointer to the bytes; NULL if the caller has to read the bytes
 *          instead, because the bytes are not all in one buffer, were read too
 *          long ago or exceed max_size, or because the source does not
 *          decompress. Ownership: the caller releases *@held with
 *          hp_buffer_unref(), on any thread, before the source is rewound or
 *          closed.
 */
uint8_t *hp_source_borrow(struct hp_source *s, uint64_t offset, size_t n,
			  struct hp_buffer **held);

/* Returns the offset of the next byte that hp_source_read() returns. */
uint64_t hp_source_tell(const struct hp_source *s);

/**
 * hp_source_seekable() - whether hp_source_pread() can read this source at any
 *                        offset
 *
 * Returns: true for uncompressed regular files.
 */
bool hp_source_seekable(const struct hp_source *s);

/*
 * Returns the size in bytes that a seekable source had when it was opened;
 * UINT64_MAX for other sources.
 */
uint64_t hp_source_size(const struct hp_source *s);

/*
 * Returns the size of the source in uncompressed bytes: the size of the file if
 * the source is seekable, otherwise the size that hp_source_measure() or an
 * earlier pass to the end of the input has found. UINT64_MAX if the size is not
 * known.
 */
uint64_t hp_source_length(const struct hp_source *s);

/**
 * hp_source_measure() - find the decompressed size of the input
 *
 * Decompresses a compressed input to its end in a separate pass. The result is
 * kept for later passes. If the input cannot be read twice, or is translated
 * from another format, the function does nothing.
 * Returns: HP_OK, and then hp_source_length() returns the size if it is known;
 *          or the failures of hp_source_reopen() and hp_source_read().
 */
HP_MUST_USE enum hp_status hp_source_measure(struct hp_source *s,
					     struct hp_error *err);

/**
 * hp_source_pread() - read bytes at an offset of a seekable source; callable
 * from any thread
 *
 * Returns: HP_OK, with *@got < @n only if the range extends past
 *          hp_source_size(); HP_IO, also if the file is now shorter than when
 *          it was opened; HP_LIMIT if the range extends past max_size.
 */
HP_MUST_USE enum hp_status hp_source_pread(struct hp_source *s, void *buf,
					   size_t n, uint64_t offset,
					   size_t *got, struct hp_error *err);

/**
 * hp_source_window() - map a part of a seekable source into memory
 * @n: number of bytes, at least 1, that the window must contain at @offset; it
 *   may contain more bytes
 *
 * A window is faster than hp_source_pread(), because it copies nothing. It
 * needs no extra memory, because its pages belong to the page cache. The caller
 * must not write to the bytes. Another process may change the file at any time,
 * so the caller must read each value only once.
 * Returns: NULL if the caller has to use hp_source_pread() instead.
 * Ownership: the caller releases the window with hp_window_unref(), before it
 *            closes the source.
 * Thread: only one thread at a time may call this; any thread may read and
 *   release the window.
 */
struct hp_window *hp_source_window(struct hp_source *s, uint64_t n,
				   uint64_t offset);

/**
 * hp_source_window_check() - whether the bytes read from a window were valid
 *
 * Call it after reading @n bytes at @offset from @w, from any thread.
 * Returns: HP_OK; HP_IO if the file has become shorter or a page could not be
 *          read, so that the bytes must be discarded.
 */
HP_MUST_USE enum hp_status hp_source_window_check(struct hp_source *s,
						  const struct hp_window *w,
						  uint64_t n, uint64_t offset,
						  struct hp_error *err);

/**
 * hp_source_digest() - compute the hash of all bytes of the source
 * @text: receives the hash (XXH3-128) as hexadecimal digits
 * @bytes: receives the number of bytes
 *
 * Needs the option digest. Reads the rest of the source; afterwards the source
 * is at its end. A seekable file is read again from its start, because bytes
 * that were read at an offset or from a window were not added to the hash.
 * Returns: the same as hp_source_read().
 */
HP_MUST_USE enum hp_status hp_source_digest(struct hp_source *s,
					    char text[HP_DIGEST_TEXT],
					    uint64_t *bytes,
					    struct hp_error *err);

/*
 * Returns a pointer to the byte at @offset of the source. The window (mapped
 * part of the file) must contain this byte.
 */
const uint8_t *hp_source_window_at(const struct hp_source *s,
				   const struct hp_window *w, uint64_t offset);

/**
 * hp_source_reopen() - open the same file a second time
 * @first: a source for which hp_source_rewindable() returns true; it stays open
 *
 * Returns: HP_OK; HP_IO, also if the file was changed in the meantime; or the
 *          failures of hp_source_open(). Ownership: the caller closes *@out
 *          with hp_source_close().
 */
HP_MUST_USE enum hp_status hp_source_reopen(struct hp_source **out,
					    const struct hp_source *first,
					    struct hp_error *err);

/*
 * Returns the address of a number for any use by the code that reads this
 * source. The number is 0 at first. hp_source_rewind() keeps the number, and
 * hp_source_reopen() copies it to the new source, so that a later pass can use
 * the number.
 */
uint64_t *hp_source_mark(struct hp_source *s);

/*
 * Whether the input can be read a second time. This is true for a regular file,
 * compressed or not.
 */
bool hp_source_rewindable(const struct hp_source *s);

/**
 * hp_source_rewind() - start again at the first byte
 *
 * Also forgets the notes about problems, resets the progress, and restarts the
 * decompression threads.
 * Returns: HP_OK; HP_IO, also if the source is not rewindable, or if the size
 *          or modification time of the file has changed and the file did not
 *          only grow; or the failures of hp_source_open(). After a failure the
 *          caller may only close the source.
 */
HP_MUST_USE enum hp_status hp_source_rewind(struct hp_source *s,
					    struct hp_error *err);

/*
 * Returns approximately how many bytes of memory decompression may use; 0 if
 * the memory is negligible.
 */
uint64_t hp_source_memory(const struct hp_source *s);

/*
 * The name of the outermost container, such as "gzip" or "zip"; "none" if the
 * input is in no container.
 */
const char *hp_source_compression(const struct hp_source *s);

/* Whether the input is a pack. Always false without the option `packing`. */
bool hp_source_is_pack(const struct hp_source *s);

/**
 * hp_source_archive() - iterate over the nested archives of the input
 * @at: the state of the iteration: set it to 0 before the first call; each call
 *   advances it
 *
 * The function returns the outermost archive first. It skips archives in which
 * no dump was found. The result is complete only after a read has reached the
 * end of the input.
 * Returns: true with the archive in @out; false after the last archive.
 */
HP_MUST_USE bool hp_source_archive(const struct hp_source *s, unsigned *at,
				   struct hp_archive *out);

enum { HP_SOURCE_ARCHIVES = 3 }; /* the maximum number of nested archives */

/*
 * Store the names of the dumps of all nested archives of the input in @out.
 * Returns the number of archives.
 */
static inline size_t
hp_source_archives(const struct hp_source *s,
		   struct hp_archive out[HP_SOURCE_ARCHIVES])
{
	unsigned at = 0;
	size_t n = 0;

	while (n < HP_SOURCE_ARCHIVES && hp_source_archive(s, &at, &out[n]))
		n++;
	return n;
}

/*
 * Whether the source translates another format into a dump (see the option
 * translation).
 */
bool hp_source_translated(const struct hp_source *s);

/**
 * hp_source_notes() - the problems of the containers found so far
 * @count: receives the number of notes
 *
 * All problems are known only after a read has reached the end of the input.
 * The notes are valid until the next call on @s.
 */
const struct hp_container_note *hp_source_notes(struct hp_source *s,
						size_t *count);

/**
 * hp_source_trailing() - whether other bytes follow the compressed data in the
 *                        file
 *
 * Zero bytes, which tapes append, are ignored. The result is valid only after a
 * read has reached the end of the input.
 */
bool hp_source_trailing(struct hp_source *s);

/*
 * Whether the input is known to exceed max_size. Once this is true, it stays
 * true.
 */
bool hp_source_is_oversize(const struct hp_source *s);

/**
 * hp_source_holes() - the ranges of bytes that were lost, and therefore read as
 * zeros
 * @count: receives the number of holes
 *
 * Needs the option holes. The ranges are in ascending order. There are intact
 * bytes between any two ranges. All ranges are known only after a read has
 * reached the end of the input. The result is valid until the next call on @s.
 */
const struct hp_hole *hp_source_holes(const struct hp_source *s, size_t *count);

/*
 * For progress reports, callable from any thread: the bytes read so far from
 * the file or pipe, and the size of the file (0 if unknown).
 */
void hp_source_progress(const struct hp_source *s, uint64_t *taken,
			uint64_t *total);

/*
 * Get the device and inode of the open file, so that the caller can refuse to
 * overwrite its own input. Returns false if the input is not a regular file.
 */
bool hp_source_identity(const struct hp_source *s, uint64_t *device,
			uint64_t *inode);

/*
 * Returns the permission bits of a regular file; 0666 for other inputs. Used to
 * create an output file that is accessible to no more users than its input.
 */
unsigned hp_source_mode(const struct hp_source *s);

/*
 * ----------------------------------------------------------------------
 * An identifier of a dump
 *
 * A dump may be loaded into a database twice, or several programs may report on
 * it. Equal identifiers show that it is the same dump. The identifier is a hash
 * (XXH3-128) of the uncompressed bytes of the dump. If the bytes cannot be
 * hashed, the identifier is a hash of the path, size and modification time of
 * the file. The member `of` says from which of the two the hash was computed.
 */

struct hp_dump_id {
	char text[HP_DIGEST_TEXT];
	/*
	 * the input of the hash: "bytes" (the bytes of the dump) or "file" (the
	 * path, size and modification time of the file)
	 */
	const char *of;
	uint64_t bytes; /* uncompressed size of the dump; 0 if `of` is "file" */
};

/*
 * Compute the identifier from the path, size and modification time of the file.
 * If the same file is loaded again, it gets the same identifier. Returns HP_OK
 * or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_dump_id_of_file(struct hp_dump_id *id,
					      const char *path,
					      struct hp_error *err);

/**
 * hp_dump_id_read() - compute the identifier of a dump that was already read
 * @s: the source, opened with the option digest. The function reads it to its
 *   end. NULL: the input could not be opened
 * @path: the path from the command line
 *
 * If the source was not opened, cannot be decompressed or exceeds a limit, the
 * identifier is computed from the path, size and time of the file.
 * Returns: HP_OK; HP_IO or HP_NOMEM if the bytes could not be read for another
 *          reason. Then @id is computed from the path, size and time of the
 *          file, and must not be used as the identifier of the dump.
 */
HP_MUST_USE enum hp_status hp_dump_id_read(struct hp_dump_id *id,
					   struct hp_source *s,
					   const char *path,
					   struct hp_error *err);

#endif
