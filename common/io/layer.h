/*
 * layer.h - the layers through which an input is read: decompression, archives,
 * translation of text
 */
#ifndef HP_IO_LAYER_H
#define HP_IO_LAYER_H

#include "common/base/status.h"
#include "common/io/workers.h"

#include <stdint.h>

/* ----------------------------------------------------------------------
 * Problems of the compression of an input, and ranges of bytes that are lost
 */

/*
 * Problems of a container (gzip, zstd, zip, tar or pack). A problem never makes
 * a read fail. The source returns the bytes before the problem, and then
 * behaves as if the input ended there. Exception: with the option `holes`, the
 * source continues after a damaged block of a pack (the compressed format of
 * this project).
 */
enum hp_container_problem {
	/*
	 * the checksum, the length or the deflate data of a gzip member is
	 * wrong
	 */
	HP_CONTAINER_GZIP_MEMBER,
	HP_CONTAINER_GZIP_TRUNCATED, /* the file ends inside a gzip member */
	/* bytes that are not gzip follow the last gzip member */
	HP_CONTAINER_GZIP_TRAILING,
	/* zero bytes follow the last gzip member */
	HP_CONTAINER_GZIP_PADDING,
	/*
	 * A gzip member decompresses to more bytes than the comment in the gzip
	 * header promises.
	 */
	HP_CONTAINER_GZIP_BLOCKSIZE,
	/* wrong checksum or damaged block in a zstd frame */
	HP_CONTAINER_ZSTD_FRAME,
	HP_CONTAINER_ZSTD_TRUNCATED, /* the file ends inside a zstd frame */
	/* bytes that are not zstd follow the last zstd frame */
	HP_CONTAINER_ZSTD_TRAILING,
	/* there are more than three nested layers of compression or archives */
	HP_CONTAINER_DEPTH,
	/*
	 * A header of a zip or tar archive is damaged; or the file that is read
	 * from the archive has damaged data or a wrong checksum.
	 */
	HP_CONTAINER_ARCHIVE_DAMAGED,
	/* the archive ends before its end mark */
	HP_CONTAINER_ARCHIVE_TRUNCATED,
	/*
	 * A block of a pack is damaged. got: the number of the block. want: the
	 * number of bytes of the dump that are lost, beginning at `offset`.
	 */
	HP_CONTAINER_PACK_BLOCK,
	/* the pack ends before its directory */
	HP_CONTAINER_PACK_TRUNCATED,
	/* the directory of the pack is damaged, but the blocks are intact */
	HP_CONTAINER_PACK_DIRECTORY,
	/*
	 * The blocks of the pack are intact, but the unpacked bytes differ from
	 * the dump that was packed: their hash or length is wrong. If the
	 * length is wrong, got is the actual length, and want is the right
	 * length.
	 */
	HP_CONTAINER_PACK_HASH,
	/*
	 * Bytes that do not belong to the pack follow its end. got: the number
	 * of these bytes.
	 */
	HP_CONTAINER_PACK_TRAILING,
	/*
	 * Lines of a dump in text format are lost. offset: the offset of the
	 * first lost line in the text. raw: the number of that line. got: the
	 * rule (enum hp_rule) that reports the loss.
	 */
	HP_CONTAINER_TEXT,
	HP_CONTAINER_PROBLEMS
};

struct hp_container_note {
	enum hp_container_problem problem;
	/* offset of the problem in the decompressed bytes of the dump */
	uint64_t offset;
	/*
	 * The offset of the problem in the compressed file. For a dump in text
	 * format: the number of the line.
	 */
	uint64_t raw;
	/*
	 * Two sizes or checksums: `got` is the value found, `want` is the value
	 * expected. Both are 0 if the problem has no such values. Some kinds of
	 * problems use them differently; see enum hp_container_problem.
	 */
	uint64_t got, want;
	/*
	 * How often this kind of problem occurred. The other members describe
	 * the first occurrence only.
	 */
	uint64_t count;
};

/*
 * A range of bytes of the dump that are lost, because a block of a pack is
 * damaged.
 */
struct hp_hole {
	/*
	 * The first lost byte and the byte after the last lost byte, as offsets
	 * in the uncompressed dump.
	 */
	uint64_t offset, end;
};

/*
 * ----------------------------------------------------------------------
 * One layer of an input: a stream of bytes
 *
 * The next higher layer, or the source, reads this stream. The lowest layer is
 * a file or pipe (file.c). Each higher layer decompresses the bytes of the
 * layer below (decompress.c), or translates these bytes into a dump (struct
 * hp_translation below).
 */

struct hp_layer;

/*
 * Limits on the number of messages about a compressed file. hp_notes_add()
 * merges messages about the same problem, so HP_NOTES_MOST is enough for all of
 * them.
 */
enum {
	/* maximum number of messages about single damaged blocks of a pack */
	HP_NOTES_BLOCKS = 8,
	HP_NOTES_MOST = HP_CONTAINER_PROBLEMS + HP_NOTES_BLOCKS,
};

struct hp_notes {
	struct hp_container_note list[HP_NOTES_MOST];
	size_t count;
};

/*
 * The dumps that were found in an archive (zip, tar). Only the first dump is
 * read.
 */
enum { HP_ARCHIVE_NAMES = 4, HP_ARCHIVE_NAME = 256 };

struct hp_archive {
	uint64_t dumps; /* number of dumps found in the archive so far */
	/*
	 * The names of the first HP_ARCHIVE_NAMES dumps. They may contain any
	 * bytes. A name that is too long is truncated.
	 */
	char names[HP_ARCHIVE_NAMES][HP_ARCHIVE_NAME];
};

struct hp_layer_ops {
	/*
	 * Read the next bytes. If @buf is NULL, skips the bytes. *@got receives
	 * the number of bytes. It is less than @n only at the end of the stream
	 * or on failure.
	 */
	enum hp_status (*read)(struct hp_layer *l, uint8_t *buf, size_t n,
			       size_t *got, struct hp_error *err);
	/*
	 * Lets the caller use decompressed bytes in place; see
	 * hp_source_borrow(). NULL: this is not possible with this layer, and
	 * the caller must copy the bytes with read().
	 */
	uint8_t *(*lend)(struct hp_layer *l, uint64_t offset, size_t n,
			 struct hp_buffer **held);
	/*
	 * Makes current and later reads end with HP_STOPPED. Any thread may
	 * call this. NULL: a read of this layer ends when the read of the layer
	 * below ends.
	 */
	void (*stop)(struct hp_layer *l);
	/*
	 * Wait for the threads of this layer to end, and free it. The layer
	 * below stays open.
	 */
	void (*close)(struct hp_layer *l);
	/*
	 * Add the notes about problems of this layer to @out with
	 * hp_notes_add(). May be NULL.
	 */
	void (*notes)(struct hp_layer *l, struct hp_notes *out);
	/*
	 * Returns the maximum number of bytes of memory that this layer uses.
	 * NULL: the layer uses little memory.
	 */
	uint64_t (*memory)(const struct hp_layer *l);
	/*
	 * Returns the ranges of bytes that are lost and read as zeros; see
	 * hp_source_holes(). NULL: this layer does not continue after lost
	 * bytes.
	 */
	const struct hp_hole *(*holes)(const struct hp_layer *l, size_t *count);
	/*
	 * Get the names of the dumps that were found in an archive so far.
	 * Returns false if there are none. NULL: this layer is not an archive.
	 */
	bool (*archive)(struct hp_layer *l, struct hp_archive *out);
};

enum hp_dump_guess {
	HP_DUMP_NO,
	HP_DUMP_YES,
	/* more bytes of the file are needed to decide whether it is a dump */
	HP_DUMP_MORE,
};

/* Options for opening a layer that decompresses. */
struct hp_layer_options {
	/*
	 * The number of threads that decompress. 0: the thread that reads the
	 * layer also decompresses.
	 */
	unsigned threads;
	/*
	 * The approximate number of bytes of memory that decompression may use.
	 * 0: no limit.
	 */
	uint64_t memory;
	/*
	 * true: replace lost bytes by zeros and continue; false: end before the
	 * first lost byte
	 */
	bool holes;
	/*
	 * The maximum number of bytes that are decompressed only to skip them,
	 * such as files of an archive that are not dumps. 0: no limit.
	 */
	uint64_t most;
	/*
	 * Guess whether a file in an archive is a dump, which may itself be
	 * compressed. @p: the first @n bytes of the file. @last: the file has
	 * no further bytes. Returns HP_OK or HP_NOMEM. NULL: no file is treated
	 * as a dump.
	 */
	enum hp_status (*guess)(void *context, const uint8_t *p, size_t n,
				bool last, enum hp_dump_guess *out);
	void *context; /* the argument @context of the function guess() */
};

#define HP_LAYER_HEAD 512 /* number of bytes that hp_layer_peek() returns */

/* A layer. All members except ops are zero before the first use. */
struct hp_layer {
	const struct hp_layer_ops *ops;
	/*
	 * bytes that hp_layer_peek() has read; the first calls of
	 * hp_layer_read() return them again
	 */
	uint8_t head[HP_LAYER_HEAD];
	/*
	 * `head_pos`: how many bytes of `head` were already returned.
	 * Invariant: head_pos <= head_len.
	 */
	size_t head_pos, head_len;
	/*
	 * number of bytes that hp_layer_read() has returned or skipped so far
	 */
	uint64_t pos;
	/*
	 * The largest value that `pos` may reach. Reading more bytes fails with
	 * HP_LIMIT. 0: no limit.
	 */
	uint64_t limit;
	/* the layer is known to have more bytes than `limit` allows */
	bool over;
};

/*
 * Add a note about a problem of a container. If @notes already has a note about
 * the same kind of problem, increase its count instead. However, damaged blocks
 * of a pack (HP_CONTAINER_PACK_BLOCK) get separate notes, up to
 * HP_NOTES_BLOCKS.
 */
void hp_notes_add(struct hp_notes *notes, const struct hp_container_note *note);

/**
 * hp_layer_peek() - copy the first bytes of the layer; later reads return these
 *                   bytes again
 * @buf: room for HP_LAYER_HEAD bytes
 * @got: receives the number of bytes; less than HP_LAYER_HEAD only if the
 *   stream is shorter
 *
 * Call it only before the first hp_layer_read().
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_LIMIT; HP_UNSUPPORTED; HP_STOPPED.
 */
HP_MUST_USE enum hp_status hp_layer_peek(struct hp_layer *l, uint8_t *buf,
					 size_t *got, struct hp_error *err);

/**
 * hp_layer_read() - read the next bytes, within the limit of the layer
 * @buf: receives the bytes; NULL: skip them
 * @got: receives the number of bytes that were read, also on failure; with
 *   HP_OK it is less than @n only at the end
 *
 * Returns: HP_OK; HP_LIMIT if the layer has more bytes than its limit; HP_IO;
 *          HP_NOMEM; HP_UNSUPPORTED; HP_STOPPED.
 */
HP_MUST_USE enum hp_status hp_layer_read(struct hp_layer *l, void *buf,
					 size_t n, size_t *got,
					 struct hp_error *err);

/*
 * Let the caller use decompressed bytes of a layer in place; see
 * hp_source_borrow(). Bytes after the limit of the layer cannot be used.
 */
uint8_t *hp_layer_borrow(struct hp_layer *l, uint64_t offset, size_t n,
			 struct hp_buffer **held);

/* ----------------------------------------------------------------------
 * Containers, which are formats that compress or pack an input: gzip, zstd,
 * zip, tar, and packs
 *
 * A struct hp_container has the name of a container, recognises its first
 * bytes, and opens a layer that decompresses it. To add a container:
 * - write a file with a struct hp_container,
 * - add the struct to the table of container_table.c,
 * - add the rules for its damage to common/model/damage.c.
 */

struct hp_container {
	/* the name of the format in results, such as "gzip" */
	const char *name;

	/*
	 * Whether an input that begins with the @n bytes at @head is such a
	 * container. @n is at most HP_LAYER_HEAD.
	 */
	bool (*begins)(const uint8_t *head, size_t n);

	/*
	 * Open a layer that decompresses the bytes of @below. The caller closes
	 * *@out with the close operation of the layer. Returns HP_OK; HP_NOMEM;
	 * HP_IO if no thread can be started.
	 */
	enum hp_status (*open)(struct hp_layer **out, struct hp_layer *below,
			       const struct hp_layer_options *options,
			       struct hp_error *err);

	/*
	 * true: if begins() recognises the container, it certainly contains a
	 * dump, as a pack does
	 */
	bool begins_dump;
};

extern const struct hp_container hp_gzip_container;
extern const struct hp_container hp_zstd_container;
extern const struct hp_container hp_zip_container;
extern const struct hp_container hp_tar_container;

/* ----------------------------------------------------------------------
 * Find the container that begins with given bytes
 */

/*
 * Find the container format (gzip, zip ...) of an input that begins with the @n
 * bytes at @head. Returns NULL if the input is not in a container. @extra: an
 * additional container to try first, or NULL.
 */
const struct hp_container *hp_container_find(const struct hp_container *extra,
					     const uint8_t *head, size_t n);

/*
 * ----------------------------------------------------------------------
 * The interface through which sources and sinks read and write packs
 *
 * A pack is this project's format for compressed dumps (common/pack). Its code
 * depends on the records of a dump, which common/io does not know. So programs
 * pass these operations in the options of sources and sinks. Without these
 * operations, a source reads a pack as plain bytes.
 */

/*
 * Receives the next bytes of a pack that is being written. Returns HP_OK, or a
 * failure, which ends the writing.
 */
typedef enum hp_status hp_pack_vtable_put(void *context, const void *buf,
					  size_t n, struct hp_error *err);

struct hp_pack_vtable {
	/*
	 * the functions that recognise a pack and open it for reading, as for
	 * other containers
	 */
	struct hp_container container;
	/*
	 * The usual maximum number of bytes of a dump that are packed together
	 * as one part of the pack.
	 */
	uint64_t part;

	/*
	 * Returns how many bytes of memory each thread needs to pack parts of
	 * @part bytes of the dump. @level: the compression level; 0: the
	 * default. Packing without threads needs as much memory as one thread.
	 */
	uint64_t (*packing)(int level, uint64_t part);
	/*
	 * A dump of @size bytes is divided into parts for packing. Returns the
	 * usual size of a part in bytes. If a single item of the dump is
	 * longer, its part becomes larger.
	 */
	uint64_t (*usual_part)(uint64_t size);

	/*
	 * Begin to write a pack. @put receives the bytes, from one thread at a
	 * time.
	 * @level: the zstd level; 0: the default. @most: maximum number of
	 *   bytes of the dump that are packed together; 0: no limit. If the
	 *   dump needs larger parts, writing fails with HP_LIMIT. Returns
	 *   HP_OK; HP_NOMEM; HP_IO if no thread can be started; HP_UNSUPPORTED
	 *   if the level is not supported.
	 */
	enum hp_status (*open)(void **writer, hp_pack_vtable_put *put,
			       void *context, int level, unsigned threads,
			       uint64_t most, struct hp_error *err);
	/* Add the next bytes of the dump. The writer copies them. */
	enum hp_status (*write)(void *writer, const void *buf, size_t n,
				struct hp_error *err);
	/* Write all remaining bytes and the end of the pack. */
	enum hp_status (*finish)(void *writer, struct hp_error *err);
	/*
	 * End the threads and free the writer. @writer may be NULL. If @write
	 * is true, first write those parts of the pack that are complete but
	 * not written yet.
	 */
	void (*close)(void *writer, bool write);
};

/*
 * Returns the number of threads (at most @wanted) that can pack a dump within
 * @memory bytes. A thread needs @each bytes, and a part of the dump that waits
 * for the thread needs another @each bytes. Returns 0 if @memory does not
 * suffice for one thread.
 */
static inline unsigned
hp_pack_vtable_threads(uint64_t each, uint64_t memory, unsigned wanted)
{
	uint64_t n = memory / each;

	if (n == 0)
		return 0;
	return n - 1 < wanted ? (unsigned)(n - 1) : wanted;
}

/*
 * ----------------------------------------------------------------------
 * The interface through which a source reads an input of another format as a
 * binary dump
 *
 * common/io does not know the other format (see common/text). Programs pass
 * this interface in the options of a source. The translation is the top layer,
 * above all decompression. It is not a container, so hp_source_compression()
 * ignores it.
 */

struct hp_layer;

struct hp_translation {
	/*
	 * Whether an input that begins with the @n bytes at @head has the
	 * format that this interface translates.
	 */
	bool (*begins)(const void *head, size_t n);

	/*
	 * Open a layer that translates the bytes of @below into a binary dump.
	 * The caller closes *@out with the close operation of the layer.
	 * @context: the option translation_context
	 * @threads: number of threads that the layer may start; 0: none
	 * @memory: number of bytes of memory that the layer may use; 0: no
	 *   limit. Reads that need more memory fail with HP_LIMIT. Returns
	 *   HP_OK or HP_NOMEM.
	 */
	enum hp_status (*read)(struct hp_layer **out, struct hp_layer *below,
			       void *context, unsigned threads, uint64_t memory,
			       struct hp_error *err);
};

#endif
