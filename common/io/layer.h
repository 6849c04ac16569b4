/*
 * layer.h - one layer of an input: a stream of bytes that another layer or
 * the source reads
 *
 * The lowest layer is a file or pipe (file.h); every further one unpacks what
 * the layer below hands out (decompress.h), or makes a dump of it
 * (translation.h).
 */
#ifndef HP_IO_LAYER_H
#define HP_IO_LAYER_H

#include "common/io/buffer_pool.h"
#include "common/io/container_problem.h"
#include "common/base/status.h"

struct hp_layer;

/* Container notes: one of a kind, so there is room for all. */
enum {
	HP_NOTES_BLOCKS = 8, /* that tell of a pack's blocks one by one */
	HP_NOTES_MOST = HP_CONTAINER_PROBLEMS + HP_NOTES_BLOCKS,
};

struct hp_notes {
	struct hp_container_note list[HP_NOTES_MOST];
	size_t count;
};

/* What an archive (zip, tar) has: dumps, of which the first one is read. */
enum { HP_ARCHIVE_NAMES = 4, HP_ARCHIVE_NAME = 256 };

struct hp_archive {
	uint64_t dumps; /* that were met so far */
	/* the names of the first ones: bytes of the archive, cut where they
	 * are longer */
	char names[HP_ARCHIVE_NAMES][HP_ARCHIVE_NAME];
};

struct hp_layer_ops {
	/*
	 * The next bytes: HP_OK with fewer than @n only at the end. A @buf of
	 * NULL passes over them. On failure *@got bytes came before it.
	 */
	enum hp_status (*read)(struct hp_layer *l, uint8_t *buf, size_t n,
			       size_t *got, struct hp_error *err);
	/* As hp_source_borrow(); NULL: a layer that lends nothing. */
	uint8_t *(*lend)(struct hp_layer *l, uint64_t offset, size_t n,
			 struct hp_buffer **held);
	/* From any thread: reads under way and later ones end, HP_STOPPED;
	 * NULL: they do when those of the layers below do. */
	void (*stop)(struct hp_layer *l);
	/* Joins the layer's threads and releases it; not the layer below. */
	void (*close)(struct hp_layer *l);
	/* Adds the layer's notes to @out with hp_notes_add(); may be NULL. */
	void (*notes)(struct hp_layer *l, struct hp_notes *out);
	/* As hp_source_memory(); NULL: none to speak of. */
	uint64_t (*memory)(const struct hp_layer *l);
	/* As hp_source_holes(); NULL: a layer without. */
	const struct hp_hole *(*holes)(const struct hp_layer *l, size_t *count);
	/* Of an archive in which a dump was found; NULL: no archive. False: no
	 * dump so far. */
	bool (*archive)(struct hp_layer *l, struct hp_archive *out);
};

enum hp_dump_guess {
	HP_DUMP_NO,
	HP_DUMP_YES,
	HP_DUMP_MORE, /* more bytes are needed to tell */
};

/* How a layer that unpacks does it. */
struct hp_layer_options {
	unsigned threads; /* that decompress; 0: it is done within reads */
	uint64_t memory;  /* they may take, about; 0: no limit */
	bool holes;	  /* what is lost becomes zeros; else it is the end */
	uint64_t most;	  /* bytes that may be unpacked only to be passed over;
			     0: any number */
	/*
	 * Do the first @n bytes of an archive's member begin a dump, packed or
	 * not? @last: there are no more to look at. HP_OK; HP_NOMEM.
	 */
	enum hp_status (*guess)(void *context, const uint8_t *p, size_t n,
				bool last, enum hp_dump_guess *out);
	void *context; /* for guess() */
};

#define HP_LAYER_HEAD 512 /* bytes that can be looked at in advance */

/* Zeroed but for ops before its first use. */
struct hp_layer {
	const struct hp_layer_ops *ops;
	uint8_t head[HP_LAYER_HEAD]; /* peeked, not yet read */
	size_t head_pos, head_len;   /* head_pos <= head_len */
	uint64_t pos;		     /* bytes handed out */
	uint64_t limit;		     /* refuse to hand out more; 0: none */
	bool over;		     /* the limit was met */
};

/*
 * Adds a note, or counts it with one that has the same problem; a pack's
 * damaged blocks are told one by one, the first eight.
 */
void hp_notes_add(struct hp_notes *notes, const struct hp_container_note *note);

/**
 * hp_layer_peek() - look at the first bytes without taking them
 * @buf: HP_LAYER_HEAD bytes
 * @got: how many there are; less only at the end
 *
 * Only before the first hp_layer_read().
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_LIMIT; HP_UNSUPPORTED; HP_STOPPED.
 */
HP_MUST_USE enum hp_status hp_layer_peek(struct hp_layer *l, uint8_t *buf,
					 size_t *got, struct hp_error *err);

/**
 * hp_layer_read() - the next bytes, within the layer's limit
 * @buf: NULL passes over the bytes
 * @got: how many came, also on a failure; less than @n with HP_OK only at the
 *       end
 *
 * Returns: HP_OK; HP_LIMIT when more than the limit is there; HP_IO; HP_NOMEM;
 *          HP_STOPPED.
 */
HP_MUST_USE enum hp_status hp_layer_read(struct hp_layer *l, void *buf,
					 size_t n, size_t *got,
					 struct hp_error *err);

/* As hp_source_borrow(). */
uint8_t *hp_layer_borrow(struct hp_layer *l, uint64_t offset, size_t n,
			 struct hp_buffer **held);

#endif
