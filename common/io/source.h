/*
 * source.h - the bytes of an input, uncompressed, in order or at an offset
 *
 * A source alone knows about files, pipes, containers and decompression
 * threads; it knows nothing about records. What it hands out are the bytes of
 * the dump: of an archive, those of the first dump in it. Containers are found
 * by their first bytes, and unpacked at most three layers deep.
 */
#ifndef HP_IO_SOURCE_H
#define HP_IO_SOURCE_H

#include "common/io/container_problem.h"
#include "common/io/digest.h"
#include "common/io/layer.h"
#include "common/io/window.h"
#include "common/base/status.h"

/*
 * Plain bytes are read and written fastest in steps of this size, from and to
 * a buffer that stays in the processor's cache: twice as fast as in steps of
 * 1 MiB.
 */
#define HP_IO_STEP ((size_t)128 << 10)

struct hp_buffer;
struct hp_pack_vtable;
struct hp_source;
struct hp_translation;

/* Whether windows of plain files are to be had. */
enum hp_mapping {
	HP_MAP_GUARDED, /* a page that is gone reads as zeros: a handler of
			   SIGBUS is installed for the process */
	HP_MAP_BARE,	/* no handler: such a page is the caller's SIGBUS */
	HP_MAP_NEVER,	/* everything is read */
};

struct hp_source_options {
	unsigned threads;  /* that decompress; 0: it is done within reads */
	uint64_t max_size; /* bytes after decompression; 0: no limit */
	uint64_t memory;   /* that unpacking may take; 0: no limit. Packs are
			      unpacked by fewer threads; what needs more for
			      one block or window is HP_LIMIT */
	bool raw;	   /* do not peel compression */
	bool again;	   /* make it rewindable: what is no regular file is
			      copied, as it is, to a nameless temporary file
			      while it is opened */
	bool holes;	   /* what a pack lost reads as zeros, and what comes
			      behind it is handed out; see hp_source_holes() */
	enum hp_mapping mapping;
	const struct hp_pack_vtable *packing; /* how packs are read; NULL: they
					     are no compression */
	/* another format that is read as a dump; NULL: none. The context is
	 * handed to it, and stays while the source is open */
	const struct hp_translation *translation;
	void *translation_context;
	bool restore; /* what was packed is wanted, not a dump made of it */
	bool digest;  /* all bytes are hashed as they are read */
};

/**
 * hp_source_open() - open an input and peel its compression
 * @path: a path, or "-" for standard input
 *
 * With threads they are started here. A FIFO is waited for.
 * Returns: HP_OK; HP_IO if it cannot be opened or its first bytes cannot be
 *          read (a directory is HP_IO, too); HP_NOMEM; HP_LIMIT: a zstd frame
 *          at the begin needs a window of more than 128 MB; HP_UNSUPPORTED:
 *          it needs a dictionary. An empty input is HP_OK and ends at once.
 * Ownership: the caller closes *@out with hp_source_close().
 */
HP_MUST_USE enum hp_status
hp_source_open(struct hp_source **out, const char *path,
	       const struct hp_source_options *options, struct hp_error *err);

/**
 * hp_source_open_fd() - the same for an open descriptor, from its first byte
 * @name: for messages
 *
 * Ownership: @fd is closed with the source, also if this fails.
 */
HP_MUST_USE enum hp_status
hp_source_open_fd(struct hp_source **out, int fd, const char *name,
		  const struct hp_source_options *options,
		  struct hp_error *err);

#define HP_SOURCE_PEEK 512 /* bytes that can be looked at in advance */

/**
 * hp_source_peek() - look at the first bytes without taking them
 * @buf: HP_SOURCE_PEEK bytes
 * @got: how many there are; less only at the end
 *
 * Only before the first read.
 * Returns: as hp_source_read().
 */
HP_MUST_USE enum hp_status hp_source_peek(struct hp_source *s, void *buf,
					  size_t *got, struct hp_error *err);

/* Release a source; NULL is allowed. Joins its threads. */
void hp_source_close(struct hp_source *s);

/**
 * hp_source_read() - the next bytes, in order
 * @n:   how many bytes are wanted
 * @got: how many came, also on a failure; with HP_OK less than @n only at the
 *       end of the input
 *
 * Returns: HP_OK (also with *@got == 0: the end); HP_IO; HP_LIMIT once more
 *          than max_size bytes would be handed out, or for a zstd window as
 *          in hp_source_open(); HP_NOMEM. Failures stay.
 */
HP_MUST_USE enum hp_status hp_source_read(struct hp_source *s, void *buf,
					  size_t n, size_t *got,
					  struct hp_error *err);

/**
 * hp_source_skip() - pass over @n bytes without looking at them
 * @skipped: how many were there; less than @n only at the end
 *
 * Returns: as hp_source_read(). On a plain regular file nothing is read.
 */
HP_MUST_USE enum hp_status hp_source_skip(struct hp_source *s, uint64_t n,
					  uint64_t *skipped,
					  struct hp_error *err);

/**
 * hp_source_borrow() - bytes of an unpacked source where they were unpacked
 * @offset: of the first one, hp_source_tell() at most. None becomes read
 * @n:      bytes from there on
 * @held:   what they lie in: NULL at first; else they have to lie in the same.
 *          It is held until hp_buffer_unref()
 *
 * Without the copy that hp_source_read() makes. Whoever has them may change
 * them, too, unless they are to be read or lent once more.
 * Returns: NULL where they have to be read: not all in one buffer, or read too
 *          long ago, beyond max_size, or a source that was not unpacked.
 * Ownership: *held is given back before the source is rewound or closed, on
 *          any thread.
 */
uint8_t *hp_source_borrow(struct hp_source *s, uint64_t offset, size_t n,
			  struct hp_buffer **held);

/* The offset of the next byte that hp_source_read() hands out. */
uint64_t hp_source_tell(const struct hp_source *s);

/**
 * hp_source_seekable() - may hp_source_pread() be used?
 *
 * True for plain, uncompressed regular files.
 */
bool hp_source_seekable(const struct hp_source *s);

/* Bytes of a seekable source as found when it was opened; else UINT64_MAX. */
uint64_t hp_source_size(const struct hp_source *s);

/*
 * The same, and of other sources what hp_source_measure() found; UINT64_MAX:
 * not known.
 */
uint64_t hp_source_length(const struct hp_source *s);

/**
 * hp_source_measure() - find out how many bytes there are
 *
 * What is compressed is unpacked once more, to its end, and the result is kept
 * also for later passes. Nothing happens to an input that cannot be read twice,
 * nor to a translation.
 * Returns: HP_OK, hp_source_length() tells; as hp_source_reopen() and
 *          hp_source_read().
 */
HP_MUST_USE enum hp_status hp_source_measure(struct hp_source *s,
					     struct hp_error *err);

/**
 * hp_source_pread() - bytes at an offset, from any thread
 *
 * Returns: HP_OK with *@got == @n; HP_IO, also when the file has become
 *          shorter than it was when it was opened (the text says so).
 *          Asking for bytes past hp_source_size() gives less with HP_OK.
 */
HP_MUST_USE enum hp_status hp_source_pread(struct hp_source *s, void *buf,
					   size_t n, uint64_t offset,
					   size_t *got, struct hp_error *err);

/**
 * hp_source_window() - a mapped stretch of a seekable source
 * @n: bytes at @offset that have to be in it, from 1; it may hold more
 *
 * Faster than hp_source_pread(), which copies, and no worse on memory: the
 * pages are the page cache's. Its bytes must not be written to. They may
 * change while they are looked at if somebody writes to the file, so values
 * are to be read once.
 * Returns: NULL where hp_source_pread() is to be used instead.
 * Ownership: the caller's, for hp_window_unref(), before the source is closed.
 * Thread:    one at a time; the window may be read and dropped on any.
 */
struct hp_window *hp_source_window(struct hp_source *s, uint64_t n,
				   uint64_t offset);

/**
 * hp_source_window_check() - were the bytes that a window showed the file's?
 *
 * To be asked after @n bytes at @offset of @w were read, from any thread.
 * Returns: HP_OK; HP_IO: the file has become shorter or could not be read.
 */
HP_MUST_USE enum hp_status hp_source_window_check(struct hp_source *s,
						  const struct hp_window *w,
						  uint64_t n, uint64_t offset,
						  struct hp_error *err);

/**
 * hp_source_digest() - the hash of all bytes, with the option digest
 * @text:  hexadecimal digits of the XXH3-128
 * @bytes: how many bytes there are
 *
 * Reads what is left: the source is at its end then. Of a file that is mapped
 * and read at offsets nothing was hashed yet, so all of it is read.
 * Returns: as hp_source_read().
 */
HP_MUST_USE enum hp_status hp_source_digest(struct hp_source *s,
					    char text[HP_DIGEST_TEXT],
					    uint64_t *bytes,
					    struct hp_error *err);

/* The byte at @offset of the source, which is in the window. */
const uint8_t *hp_source_window_at(const struct hp_source *s,
				   const struct hp_window *w, uint64_t offset);

/**
 * hp_source_reopen() - the same file once more, beside @first, which is
 * rewindable
 *
 * Returns: HP_OK; HP_IO, also if the file was changed; as hp_source_open().
 * Ownership: hp_source_close().
 */
HP_MUST_USE enum hp_status hp_source_reopen(struct hp_source **out,
					    const struct hp_source *first,
					    struct hp_error *err);

/*
 * What a reader leaves for those of later passes, who may rely on it: 0 at
 * first, kept when the source is rewound, and for hp_source_reopen().
 */
uint64_t *hp_source_mark(struct hp_source *s);

/* May the input be read a second time (a regular file, compressed or not)? */
bool hp_source_rewindable(const struct hp_source *s);

/**
 * hp_source_rewind() - start again at the first byte
 *
 * Notes and progress start again as well; so do the threads.
 * Returns: HP_OK; HP_IO, also when the source is not rewindable or the file
 *          was changed in the meantime (size or modification time); as
 *          hp_source_open(). After a failure only hp_source_close().
 */
HP_MUST_USE enum hp_status hp_source_rewind(struct hp_source *s,
					    struct hp_error *err);

/* Bytes that unpacking may hold, about; 0 for what takes next to nothing. */
uint64_t hp_source_memory(const struct hp_source *s);

/* The name of the outermost container: "gzip", "zip"; "none". */
const char *hp_source_compression(const struct hp_source *s);

/* Is that a pack, with the option packing? */
bool hp_source_is_pack(const struct hp_source *s);

/**
 * hp_source_archive() - walk the archives that the input is packed in
 * @at: 0 at first, moved on; the outermost archive comes first
 *
 * Complete once a read has met the end.
 * Returns: false: no further archive, in which a dump was found.
 */
HP_MUST_USE bool hp_source_archive(const struct hp_source *s, unsigned *at,
				   struct hp_archive *out);

enum { HP_SOURCE_ARCHIVES = 3 }; /* there are at most */

/* All of them; how many there are. */
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

/* Is it another format, read as a dump (the option translation)? */
bool hp_source_translated(const struct hp_source *s);

/**
 * hp_source_notes() - problems of the container met so far
 * @count: how many notes there are
 *
 * Complete once a read has met the end. Borrowed until the next call on @s.
 */
const struct hp_container_note *hp_source_notes(struct hp_source *s,
						size_t *count);

/**
 * hp_source_trailing() - are there bytes behind the last member, frame or end?
 *
 * Zeros, as tapes leave them, do not count. Complete once a read has met the
 * end.
 */
bool hp_source_trailing(struct hp_source *s);

/* Does it hold more than max_size, as far as is known? That will not change. */
bool hp_source_is_oversize(const struct hp_source *s);

/**
 * hp_source_holes() - what was lost and read as zeros, with the option holes
 * @count: how many; ascending, none touches the next
 *
 * Complete once a read has met the end. Borrowed until the next call on @s.
 */
const struct hp_hole *hp_source_holes(const struct hp_source *s, size_t *count);

/*
 * For progress: bytes taken from the file or pipe so far, and the file's size
 * (0 if it has none). Any thread may ask.
 */
void hp_source_progress(const struct hp_source *s, uint64_t *taken,
			uint64_t *total);

/*
 * The identity of the open file, for the refusal to write an output over its
 * own input: false for pipes and standard input without a regular file.
 */
bool hp_source_identity(const struct hp_source *s, uint64_t *device,
			uint64_t *inode);

/*
 * Who may read it: permission bits of a regular file, 0666 of all else. What is
 * made of it should not be open to more.
 */
unsigned hp_source_mode(const struct hp_source *s);

#endif
