/*
 * internal.h - files, decompressors and archives: the layers of which a source
 * (source.h) consists
 */
#ifndef HP_IO_INTERNAL_H
#define HP_IO_INTERNAL_H

#include "common/io/layer.h"
#include "common/io/source.h"
#include "common/io/workers.h"

#include <isa-l/igzip_lib.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

/* ----------------------------------------------------------------------
 * The lowest layer of an input: the bytes of an open file, pipe or device
 *
 * Private to common/io.
 */

struct hp_file {
	/*
	 * must be the first member: a pointer to the layer is cast to a pointer
	 * to this struct
	 */
	struct hp_layer layer;
	int fd;
	/*
	 * An eventfd. Another thread writes to it to end a wait for data of a
	 * pipe. -1: there is none.
	 */
	int wake;
	bool owned; /* closing this struct also closes the descriptor `fd` */
	/*
	 * True for a regular file, which has a known size and is read with
	 * pread(). False for a pipe or device, which is read as a stream.
	 */
	bool regular;
	uint64_t device, inode;
	/* permission bits of a regular file; 0666 for a pipe or device */
	unsigned mode;
	/*
	 * The offset in the file at which the input begins. It can differ from
	 * 0 only for standard input.
	 */
	uint64_t base;
	/*
	 * The number of bytes from `base` to the end of the file when the file
	 * was opened. 0 for a pipe or device.
	 */
	uint64_t size;
	uint64_t pos; /* offset of the next byte to read, relative to `base` */
	/* modification time of the file when it was opened */
	struct timespec changed;
	off_t end; /* size of the whole file when it was opened */
	atomic_bool stopped;
	/*
	 * the number of bytes from `base` to the highest offset that was read
	 * so far, for progress reports
	 */
	_Atomic uint64_t taken;
	/*
	 * the part of the file that was last mapped into memory; NULL: no part
	 * was mapped
	 */
	struct hp_window *window;
};

/**
 * hp_file_open() - open a path, or standard input for "-"
 *
 * Opening a FIFO waits for a writer. If standard input is a regular file, it is
 * read from its current offset; that offset does not change.
 * Returns: HP_OK; HP_IO if it cannot be opened or is a directory; HP_NOMEM.
 * Ownership: the caller closes the file with the close operation of its layer.
 */
HP_MUST_USE enum hp_status hp_file_open(struct hp_file **out, const char *path,
					struct hp_error *err);

/*
 * Open an input on the descriptor @fd, which is open for reading. A regular
 * file is read from offset @base. If @owned, the descriptor is closed with the
 * input, or by this function if it fails. Returns the same as hp_file_open().
 */
HP_MUST_USE enum hp_status hp_file_open_fd(struct hp_file **out, int fd,
					   uint64_t base, bool owned,
					   struct hp_error *err);

/*
 * Prepare a pipe so that another thread can stop a read that waits for data,
 * with hp_layer_ops.stop. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_file_make_stoppable(struct hp_file *f,
						  struct hp_error *err);

/**
 * hp_file_pread() - read bytes at an offset of a regular file, from any thread
 *
 * Returns: HP_OK, with *@got < @n only if the range extends past f->size;
 *          HP_IO, also if the file has become shorter.
 */
HP_MUST_USE enum hp_status hp_file_pread(struct hp_file *f, void *buf, size_t n,
					 uint64_t offset, size_t *got,
					 struct hp_error *err);

/*
 * For a regular file: map a part of the file into memory, and check bytes that
 * were read from such a part. See hp_source_window() and
 * hp_source_window_check() in source.h.
 */
struct hp_window *hp_file_window(struct hp_file *f, uint64_t n, uint64_t offset,
				 bool guarded);
HP_MUST_USE enum hp_status hp_file_window_check(struct hp_file *f,
						const struct hp_window *w,
						uint64_t n, uint64_t offset,
						struct hp_error *err);

/*
 * Open the same file a second time, from its first byte. Returns HP_IO if it is
 * not a regular file, or was changed in the meantime and did not only grow.
 * Otherwise returns the same as hp_file_open_fd().
 */
HP_MUST_USE enum hp_status hp_file_reopen(struct hp_file **out,
					  const struct hp_file *first,
					  struct hp_error *err);

/*
 * Go back to the first byte. Returns HP_OK, or HP_IO if the input is not a
 * regular file, or was changed in the meantime and did not only grow.
 */
HP_MUST_USE enum hp_status hp_file_rewind(struct hp_file *f,
					  struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * A layer that decompresses the bytes of the layer below
 *
 * A compressed stream consists of units that can be decoded independently: gzip
 * members or zstd frames. Worker threads take turns to read the stream and cut
 * it into pieces. If a piece seems to consist of whole units, the worker
 * decodes it in advance. The pieces are then used in the order of the stream.
 * The decoded bytes of a piece are used if a unit really begins at the start of
 * the piece, and if they were decoded without an error. All other pieces are
 * decoded sequentially by a separate decoder thread, which starts with the
 * first such piece.
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

/*
 * maximum number of bytes that hp_feed_back() can go back before the beginning
 * of a piece
 */
#define HP_PIECE_HISTORY 8

/*
 * A piece of the compressed stream, and the decoded bytes if it was decoded in
 * advance.
 */
struct hp_piece {
	/*
	 * The allocated memory: HP_PIECE_HISTORY bytes, then the compressed
	 * bytes, to which `in` points.
	 */
	uint8_t *buf;
	uint8_t *in;
	size_t in_len, in_room;
	/*
	 * the number of bytes to which the piece probably decompresses; 0: not
	 * known
	 */
	uint64_t expect;
	/*
	 * the piece seems to consist of whole gzip members or zstd frames, so
	 * it can be decoded in advance
	 */
	bool whole;
	/*
	 * the status of reading the file after the bytes of this piece: HP_OK
	 * or a failure
	 */
	enum hp_status status;
	struct hp_error error;
	struct hp_buffer_pool *pool;
	/* the decoded bytes of the piece, from hp_piece_reserve() */
	struct hp_buffer *out;
	size_t out_len;
	/*
	 * the number of compressed bytes of the piece that were decoded to
	 * `out`; 0: the piece was not decoded in advance
	 */
	size_t used;
	/*
	 * The decoded size in bytes of the largest gzip member or zstd frame in
	 * `out`.
	 */
	uint64_t most;
	/* the reader of the layer has received the bytes of `out` */
	bool taken;
};

/*
 * The decision of a codec (gzip_in.c, zstd_in.c …) where a piece of the
 * compressed stream ends.
 */
struct hp_cut {
	/*
	 * length of the piece in bytes; 0: more bytes are needed to find its
	 * end
	 */
	size_t len;
	/*
	 * the piece seems to consist of whole gzip members or zstd frames, so
	 * it can be decoded in advance
	 */
	bool whole;
	/*
	 * the number of bytes to which the piece probably decompresses; 0: not
	 * known
	 */
	uint64_t expect;
};

/*
 * A feed: the compressed bytes that the sequential decoder reads, with its
 * current position.
 */
struct hp_feed {
	struct hp_decompress *owner;
	/*
	 * maximum memory in bytes for the window of a zstd frame; 0: no limit
	 */
	uint64_t memory;
	/* the options with which the layer was opened */
	const struct hp_layer_options *options;
	/*
	 * The piece of the compressed stream that is being decoded. NULL: no
	 * piece was read yet, or all pieces were decoded.
	 */
	struct hp_piece *piece;
	const uint8_t *p; /* pointer to the next byte to decode, in `piece` */
	/*
	 * number of bytes from `p` to the end of the piece of the compressed
	 * stream
	 */
	size_t left;
	/* offset of the byte at `p` in the compressed file */
	uint64_t raw;
	enum hp_status status; /* HP_OK, or the failure that ended the stream */
	struct hp_error error;
};

enum hp_step {
	/*
	 * the decoder is inside a gzip member or zstd frame, which has more
	 * data
	 */
	HP_STEP_MORE,
	/* a gzip member or zstd frame has ended; another may follow */
	HP_STEP_MEMBER,
	/* the compressed data has ended, or damage was found and recorded */
	HP_STEP_END,
};

struct hp_codec {
	/*
	 * `memory`: number of bytes that the layer needs in total, even without
	 * worker threads. `worker_memory`: number of bytes that each worker
	 * thread needs in addition. Both were measured. 0: negligible.
	 */
	unsigned memory, worker_memory;
	size_t piece_most; /* maximum number of compressed bytes of a piece */
	/*
	 * The size in bytes of the state of cut(), which gets a pointer to it
	 * as @cutter. The state is zeroed before the first call.
	 */
	size_t cutter_size;
	/*
	 * A piece of the compressed stream begins at @buf, where @n bytes are
	 * in memory. Find the end of the piece. If the function needs more
	 * bytes for that, it is called again, with the same bytes and more
	 * bytes after them. If @n is piece_most or @last is set, the function
	 * must find an end.
	 */
	struct hp_cut (*cut)(void *cutter, const uint8_t *buf, size_t n,
			     bool last);

	void *(*worker_open)(void *context);
	void (*worker_close)(void *worker);
	/*
	 * Decode a piece of the compressed stream in advance. Sets its members
	 * `out`, `out_len`, `used` and `most`. If the piece cannot be decoded,
	 * sets `used` to 0.
	 */
	void (*ahead)(void *worker, struct hp_piece *piece);

	void *(*stream_open)(struct hp_feed *feed);
	void (*stream_close)(void *stream);
	/*
	 * Whether the decoded bytes of @piece, which was decoded in advance,
	 * can be used. Called only if a gzip member or zstd frame begins at the
	 * start of the piece.
	 */
	bool (*accept)(void *stream, const struct hp_piece *piece);
	/*
	 * Read a header, at a position where a gzip member or zstd frame may
	 * begin. Returns HP_STEP_MORE if data follow the header; HP_STEP_MEMBER
	 * if the member or frame has no data and was read completely; or
	 * HP_STEP_END.
	 */
	enum hp_step (*begin)(void *stream);
	/*
	 * Decode some of the next bytes to @out + *@len, and increase *@len by
	 * the number of decoded bytes. *@len must not exceed @room.
	 */
	enum hp_step (*more)(void *stream, uint8_t *out, size_t room,
			     size_t *len);
};

/**
 * hp_decompress_open() - open a layer that decompresses @below
 * @o: o->threads is the number of workers that decode in advance; 0: the thread
 *   that reads also decodes
 *
 * With threads, the workers read @below until the layer is stopped.
 * Returns: HP_OK; HP_NOMEM; HP_IO if no thread could be started. Later reads
 *          can also fail with HP_IO, if they need a thread.
 * Ownership: the caller closes *@out with the close operation of the layer. The
 *            caller still owns @below.
 */
HP_MUST_USE enum hp_status hp_decompress_open(struct hp_layer **out,
					      struct hp_layer *below,
					      const struct hp_codec *codec,
					      const struct hp_layer_options *o,
					      struct hp_error *err);

/* ---- functions for codecs ---- */

/*
 * Make sure that at least one byte can be read at f->p. If the current piece of
 * the compressed stream has no more bytes, get the next piece. Returns false at
 * the end of the stream, or on failure (see f->status).
 */
bool hp_feed_fill(struct hp_feed *f);

/*
 * Read the next byte of the compressed stream. Returns -1 at the end of the
 * stream, or on failure.
 */
int hp_feed_byte(struct hp_feed *f);

/*
 * Read the next @n bytes of the compressed stream. Returns the number of bytes,
 * which is less than @n only at the end of the stream, or on failure.
 */
size_t hp_feed_bytes(struct hp_feed *f, uint8_t *to, size_t n);

/* Skip the next @n bytes of the compressed stream; @n is at most f->left. */
void hp_feed_skip(struct hp_feed *f, size_t n);

/*
 * Go back @n bytes in the compressed stream, so that these bytes are read
 * again. @n is at most HP_PIECE_HISTORY.
 */
void hp_feed_back(struct hp_feed *f, size_t n);

/*
 * Record a failure that ends the stream. Only the first failure is kept.
 * Returns HP_STEP_END.
 */
enum hp_step hp_feed_fail(struct hp_feed *f, enum hp_status status,
			  const char *fmt, ...) HP_PRINTF(3, 4);
/* Record that memory ran out, which ends the stream. Returns HP_STEP_END. */
enum hp_step hp_feed_no_memory(struct hp_feed *f);

/*
 * Record a problem (damage) at offset @raw of the compressed bytes. @len:
 * number of bytes that the current call of the decoder has produced; with it,
 * the function computes the offset of the problem in the decompressed bytes.
 * Does nothing if the feed (the input of the decoder) has failed. Returns
 * HP_STEP_END.
 */
enum hp_step hp_feed_note(struct hp_feed *f, enum hp_container_problem problem,
			  uint64_t raw, size_t len, uint64_t got,
			  uint64_t want);

/*
 * Whether hp_feed_note() has recorded a problem, or the feed (the input of the
 * decoder) has failed.
 */
bool hp_feed_noted(struct hp_feed *f);

/*
 * Record that a file in an archive is a dump. @name: the name of this file,
 * which may contain any bytes. The program reads the first dump of the archive.
 */
void hp_feed_dump(struct hp_feed *f, const char *name);

/*
 * Get room for @n bytes in piece->out; the contents are undefined. Returns NULL
 * if out of memory.
 */
uint8_t *hp_piece_reserve(struct hp_piece *piece, size_t n);

/* ----------------------------------------------------------------------
 * Decode deflate data in order, for gzip and zip, with ISA-L
 *
 * Private to common/io.
 */

struct hp_inflate {
	struct inflate_state state;
	uint64_t used; /* number of compressed bytes that were decoded so far */
	/* number of bytes that the decoder has produced so far */
	uint64_t size;
	/* CRC-32 of the bytes that the decoder has produced so far */
	uint32_t crc;
};

void hp_inflate_init(struct hp_inflate *z);

/**
 * hp_inflate_some() - decode some bytes of deflate data
 * @most: maximum number of compressed bytes to decode; may exceed feed->left
 * @len: number of bytes in @out; the function appends decoded bytes after them,
 * and increases the number
 *
 * Returns: true; false if the data is damaged.
 */
HP_MUST_USE bool hp_inflate_some(struct hp_inflate *z, struct hp_feed *feed,
				 uint64_t most, uint8_t *out, size_t room,
				 size_t *len);

/*
 * Whether the deflate data has ended. If the decoder has read bytes after this
 * end, the function moves the position of @feed (the compressed input) back, so
 * that these bytes are read again.
 */
HP_MUST_USE bool hp_inflate_over(struct hp_inflate *z, struct hp_feed *feed);

/*
 * ----------------------------------------------------------------------
 * The common part of zip and tar archives: read the first heap dump among the
 * members (files in the archive)
 *
 * An archive is read in one pass from its first to its last byte, so files and
 * pipes give the same result. Private to common/io.
 */

struct hp_member {
	/*
	 * The name of the member in the archive. It may be truncated, and may
	 * contain any bytes.
	 */
	char name[HP_ARCHIVE_NAME];
	/*
	 * Why this member (file in the archive) cannot be read, such as "is
	 * encrypted". NULL: it can be read.
	 */
	const char *closed;
};

struct hp_archive_format {
	/* name of the archive format in messages, such as "zip archive" */
	const char *name;
	/*
	 * The size in bytes of the state of the functions below, which get a
	 * pointer to it as @state. The state is zeroed at first.
	 */
	size_t state_size;

	/*
	 * Read the next header of the archive. Returns HP_STEP_MORE if the
	 * header begins a member (file in the archive), whose data follow;
	 * HP_STEP_MEMBER after another header; HP_STEP_END at the end of the
	 * archive, or after damage, which the function records with
	 * hp_feed_note().
	 */
	enum hp_step (*next)(void *state, struct hp_feed *feed,
			     struct hp_member *out);
	/*
	 * Append some of the next bytes of the member to @out + *@len. Returns
	 * HP_STEP_MORE if the member has more bytes; HP_STEP_MEMBER after its
	 * last byte, if the length and the checksum are valid; HP_STEP_END
	 * after damage, which the function records with hp_feed_note().
	 */
	enum hp_step (*read)(void *state, struct hp_feed *feed, uint8_t *out,
			     size_t room, size_t *len);
	/*
	 * Skip the rest of the current file in the archive. Returns
	 * HP_STEP_MEMBER; or HP_STEP_END after damage, which the function
	 * records with hp_feed_note().
	 */
	enum hp_step (*skip)(void *state, struct hp_feed *feed);
};

/*
 * Operations of struct hp_codec for all archive formats. @format: the format of
 * the archive, such as zip.
 */
void *hp_archive_stream_open(struct hp_feed *feed,
			     const struct hp_archive_format *format);
void hp_archive_stream_close(void *stream);
enum hp_step hp_archive_begin(void *stream);
enum hp_step hp_archive_more(void *stream, uint8_t *out, size_t room,
			     size_t *len);
struct hp_cut hp_archive_cut(void *cutter, const uint8_t *buf, size_t n,
			     bool last);

/* Maximum number of bytes of an archive in one piece (struct hp_piece). */
enum { HP_ARCHIVE_PIECE = 256 << 10 };

/* ---- functions for archive formats ---- */

/*
 * Skip the next @n bytes of the archive. Returns false on failure (see
 * f->status), or if the archive has fewer bytes left.
 */
bool hp_archive_pass(struct hp_feed *f, uint64_t n);

/*
 * Record that the archive is truncated at the current position. @len: number of
 * bytes that the current call of the decoder has produced. Returns HP_STEP_END.
 */
enum hp_step hp_archive_truncated(struct hp_feed *f, size_t len);

/*
 * Record that the archive is damaged at the current position. @len: number of
 * bytes that the current call of the decoder has produced. @got, @want: the
 * wrong and the expected value. Returns HP_STEP_END.
 */
enum hp_step hp_archive_damaged(struct hp_feed *f, size_t len, uint64_t got,
				uint64_t want);

/*
 * Call this after the last part of the archive. It reads all bytes that follow,
 * so that an outer container, such as gzip around tar, is checked to its end.
 * Returns HP_STEP_END.
 */
enum hp_step hp_archive_end(struct hp_feed *f);

/*
 * Initializer of the struct hp_codec of an archive format. Only the function
 * that opens a stream (@open) differs between the formats.
 */
#define HP_ARCHIVE_CODEC(open)                                                 \
	{                                                                      \
		.memory = 1 << 20, .piece_most = HP_ARCHIVE_PIECE,             \
		.cutter_size = 1, .cut = hp_archive_cut, .stream_open = open,  \
		.stream_close = hp_archive_stream_close,                       \
		.begin = hp_archive_begin, .more = hp_archive_more,            \
	}

#endif
