/*
 * layer.h - one layer of an input: a stream of bytes that the next higher layer
 * or the source reads
 *
 * The lowest layer is a file or pipe (file.h). Each further layer decompresses
 * the bytes of the layer below (decompress.h), or translates them into a dump
 * (translation.h).
 */
#ifndef HP_IO_LAYER_H
#define HP_IO_LAYER_H

#include "common/io/buffer_pool.h"
#include "common/io/container_problem.h"
#include "common/base/status.h"

struct hp_layer;

/*
 * Limits for container notes. hp_notes_add() merges the notes of one problem,
 * so HP_NOTES_MOST has room for all notes.
 */
enum {
	HP_NOTES_BLOCKS = 8, /* notes about single damaged blocks of a pack */
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
	uint64_t dumps; /* number of dumps found so far */
	/*
	 * The names of the first HP_ARCHIVE_NAMES dumps, as bytes from the
	 * archive. Longer names are truncated.
	 */
	char names[HP_ARCHIVE_NAMES][HP_ARCHIVE_NAME];
};

struct hp_layer_ops {
	/*
	 * Read the next bytes. Returns HP_OK with fewer than @n bytes only at
	 * the end. If @buf is NULL, skips the bytes. On failure *@got is the
	 * number of bytes before the failure.
	 */
	enum hp_status (*read)(struct hp_layer *l, uint8_t *buf, size_t n,
			       size_t *got, struct hp_error *err);
	/* Implements hp_source_borrow(). NULL: this layer cannot lend bytes. */
	uint8_t *(*lend)(struct hp_layer *l, uint64_t offset, size_t n,
			 struct hp_buffer **held);
	/*
	 * Makes current and later reads end with HP_STOPPED; callable from any
	 * thread. NULL: they end when the reads of the layers below end.
	 */
	void (*stop)(struct hp_layer *l);
	/*
	 * Join the threads of this layer and free it. The layer below stays
	 * open.
	 */
	void (*close)(struct hp_layer *l);
	/*
	 * Add the notes of this layer to @out with hp_notes_add(). May be NULL.
	 */
	void (*notes)(struct hp_layer *l, struct hp_notes *out);
	/* Implements hp_source_memory(). NULL: the layer uses little memory. */
	uint64_t (*memory)(const struct hp_layer *l);
	/* Implements hp_source_holes(). NULL: this layer has no holes. */
	const struct hp_hole *(*holes)(const struct hp_layer *l, size_t *count);
	/*
	 * Get the dumps that were found in an archive. NULL: this layer is not
	 * an archive. Returns false if no dump was found so far.
	 */
	bool (*archive)(struct hp_layer *l, struct hp_archive *out);
};

enum hp_dump_guess {
	HP_DUMP_NO,
	HP_DUMP_YES,
	HP_DUMP_MORE, /* more bytes are needed to decide */
};

/* Options for layers that decompress. */
struct hp_layer_options {
	/* number of decompression threads; 0: reads decompress by themselves */
	unsigned threads;
	/* bytes of memory that decompression may use, about; 0: no limit */
	uint64_t memory;
	/* true: lost bytes read as zeros; false: the stream ends there */
	bool holes;
	/*
	 * limit in bytes for data that has to be decompressed only to be
	 * skipped; 0: no limit
	 */
	uint64_t most;
	/*
	 * Guess whether the first @n bytes of an archive member begin a dump,
	 * which may itself be compressed. @last: no further bytes are
	 * available. Returns HP_OK or HP_NOMEM. NULL: every member counts as no
	 * dump.
	 */
	enum hp_status (*guess)(void *context, const uint8_t *p, size_t n,
				bool last, enum hp_dump_guess *out);
	void *context; /* passed to guess() */
};

#define HP_LAYER_HEAD 512 /* bytes that hp_layer_peek() returns */

/* Everything except ops is zero before the first use. */
struct hp_layer {
	const struct hp_layer_ops *ops;
	/* bytes returned by hp_layer_peek(), for the first reads */
	uint8_t head[HP_LAYER_HEAD];
	size_t head_pos, head_len; /* Invariant: head_pos <= head_len. */
	uint64_t pos;		   /* number of bytes handed out */
	/* maximum for pos; reading more fails with HP_LIMIT; 0: no limit */
	uint64_t limit;
	bool over; /* there are more bytes than the limit */
};

/*
 * Add a note. If a note with the same problem exists, add to its count instead.
 * Damaged blocks of a pack (HP_CONTAINER_PACK_BLOCK) get up to HP_NOTES_BLOCKS
 * separate notes.
 */
void hp_notes_add(struct hp_notes *notes, const struct hp_container_note *note);

/**
 * hp_layer_peek() - copy the first bytes without consuming them
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
 * @buf: NULL skips the bytes
 * @got: receives how many bytes were read, also on failure; with HP_OK it is
 *   less than @n only at the end
 *
 * Returns: HP_OK; HP_LIMIT if the layer has more bytes than its limit; HP_IO;
 *          HP_NOMEM; HP_UNSUPPORTED; HP_STOPPED.
 */
HP_MUST_USE enum hp_status hp_layer_read(struct hp_layer *l, void *buf,
					 size_t n, size_t *got,
					 struct hp_error *err);

/* Implements hp_source_borrow() for a layer, within its limit. */
uint8_t *hp_layer_borrow(struct hp_layer *l, uint64_t offset, size_t n,
			 struct hp_buffer **held);

#endif
