/*
 * internal.h - the parts of a pack file
 */
#ifndef HP_PACK_INTERNAL_H
#define HP_PACK_INTERNAL_H

#include "common/base/buf.h"
#include "common/io/layer.h"
#include "common/io/source.h"
#include "common/pack/block/block.h"

#include <xxhash.h>

/* ----------------------------------------------------------------------
 * Functions behind hp_pack_vtable: the writer, the reading layer, and the
 * directory
 *
 * Private to common/pack.
 */

enum {
	HP_PACK_LEVEL = 3, /* level of zstd if the user chose none */
	HP_PACK_LEVEL_MOST = 19,
	/*
	 * bytes of the directory before its entries: a magic number and the
	 * number of blocks
	 */
	HP_PACK_DIRECTORY_HEAD = 8,
	/* bytes of the directory's entry for one block */
	HP_PACK_DIRECTORY_ENTRY = 24,
	/* bytes of the directory after its entries */
	HP_PACK_TAIL = 56,
};

/* The directory entry of a block. */
struct hp_pack_entry {
	uint64_t at;	 /* offset of the block in the pack file */
	uint64_t offset; /* offset of the block's bytes in the unpacked dump */
	uint32_t plain;	 /* bytes of the unpacked block */
	/* bytes of the block in the pack file, with its header */
	uint32_t stored;
};

/* The end of the directory; it describes the whole pack. */
struct hp_pack_tail {
	uint64_t blocks;
	uint64_t plain;	    /* bytes of the unpacked dump */
	XXH128_hash_t hash; /* hash of the unpacked dump */
	uint64_t directory; /* offset of the directory in the pack file */
};

/*
 * Append the directory of a pack to @out. tail->directory is its offset in the
 * file. @out fails if out of memory.
 */
void hp_pack_directory_write(const struct hp_pack_entry *entries,
			     const struct hp_pack_tail *tail,
			     struct hp_buf *out);

/* Whether a directory begins at @p; reads 4 bytes. */
bool hp_pack_directory_begins(const uint8_t *p);

/**
 * hp_pack_tail_read() - parse the last HP_PACK_TAIL bytes of a pack
 *
 * Returns: false if they are not the end of a directory. Only
 *          hp_pack_directory_intact() checks the whole directory.
 */
HP_MUST_USE bool hp_pack_tail_read(const uint8_t *p, struct hp_pack_tail *tail);

/*
 * Whether the hash and the counts of a directory are correct. @p: the whole
 * directory, @n bytes.
 */
HP_MUST_USE bool hp_pack_directory_intact(const uint8_t *p, size_t n);

/* Parse the entry of block @i in a directory. */
struct hp_pack_entry hp_pack_directory_entry(const uint8_t *p, size_t i);

/* The functions of hp_pack_vtable; see struct hp_pack_vtable. */
HP_MUST_USE enum hp_status hp_pack_writer_open(void **writer,
					       hp_pack_vtable_put *put,
					       void *context, int level,
					       unsigned threads, uint64_t most,
					       struct hp_error *err);
uint64_t hp_pack_writer_usual_part(uint64_t size);
/*
 * Like hp_pack_writer_open(), but with blocks of @block bytes, 64 to
 * HP_PACK_BLOCK_MOST.
 */
HP_MUST_USE enum hp_status
hp_pack_writer_open_sized(void **writer, hp_pack_vtable_put *put, void *context,
			  int level, unsigned threads, size_t block,
			  struct hp_error *err);
HP_MUST_USE enum hp_status hp_pack_writer_write(void *writer, const void *buf,
						size_t n, struct hp_error *err);
HP_MUST_USE enum hp_status hp_pack_writer_finish(void *writer,
						 struct hp_error *err);
void hp_pack_writer_close(void *writer, bool write);
HP_MUST_USE enum hp_status hp_pack_layer_open(struct hp_layer **out,
					      struct hp_layer *below,
					      const struct hp_layer_options *o,
					      struct hp_error *err);

/* ----------------------------------------------------------------------
 * The list of the blocks of a pack, from its directory
 *
 * Private to common/pack.
 */

struct hp_pack_index {
	struct hp_pack_entry *entries;
	size_t count, room;
	uint64_t plain; /* bytes of the unpacked dump */
};

/**
 * hp_pack_index_read() - read the directory at the end of a pack
 * @raw: the bytes of the pack; must be seekable
 *
 * Checks that blocks follow each other without gaps, in the dump and in the
 * file.
 * Returns: HP_OK; HP_DAMAGED if the directory is damaged or the pack is
 *          truncated; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_index_read(struct hp_pack_index *index,
					      struct hp_source *raw,
					      struct hp_error *err);

void hp_pack_index_release(struct hp_pack_index *index);

/* ----------------------------------------------------------------------
 * Read a pack sequentially: blocks, lost blocks, and the end
 *
 * Private to common/pack.
 */

enum hp_pack_part_kind {
	/* A complete block. The members head, list and body are set. */
	HP_PACK_PART_BLOCK,
	/*
	 * A lost block: damaged or missing. head.number and head.offset
	 * identify it; it extends to next. If next equals head.offset and most
	 * is 0, no block is lost: the bytes do not belong to this pack.
	 */
	HP_PACK_PART_LOST,
	/*
	 * The end of the pack is complete. head.number and head.offset are
	 * those that a further block would have.
	 */
	HP_PACK_PART_TAIL,
	/* the pack file ends although the end of the directory has not come */
	HP_PACK_PART_CUT,
	HP_PACK_PART_FAIL, /* The pack file could not be read. */
};

/*
 * A part of a pack file: a block, lost bytes, or the end. Zero-initialise it.
 * The buffer is reused.
 */
struct hp_pack_part {
	enum hp_pack_part_kind kind;
	uint64_t at; /* offset of this part in the pack file */
	struct hp_pack_head head;
	uint8_t list[HP_PACK_LIST_MOST];
	uint8_t *body;
	size_t body_room;
	/*
	 * BLOCK: bytes of memory that are needed to unpack it, including the
	 * buffers of this struct.
	 */
	uint64_t needs;
	/* LOST: offset in the dump where the next block begins */
	uint64_t next;
	/*
	 * LOST: not 0 if no block follows, so next is unknown. TAIL: the
	 * maximum size of a dump in a pack of this length.
	 */
	uint64_t most;
	/*
	 * set only for HP_PACK_PART_TAIL: the contents of the end of the pack
	 */
	struct hp_pack_tail tail;
	/*
	 * set only for HP_PACK_PART_TAIL: the directory does not match its hash
	 */
	bool directory_bad;
	/* set only for HP_PACK_PART_TAIL: bytes after the end of the pack */
	uint64_t trailing;
	/* set only for HP_PACK_PART_FAIL: the reason */
	enum hp_status status;
	struct hp_error error;
};

/*
 * The state of reading a pack from its beginning to its end. Zero-initialise
 * it, but set `below` and `block_memory`.
 */
struct hp_pack_input {
	struct hp_layer *below;
	/* limit in bytes for unpacking a block; 0: no limit */
	uint64_t block_memory;
	uint8_t window[16 << 10];
	size_t start, end;
	/* offset of the first buffered byte (window[start]) in the pack file */
	uint64_t at;
	bool last; /* the file ends after the buffered bytes */
	/* The source of the pack file (below) has no more bytes. */
	bool ended;
	/*
	 * The body of a damaged block, in which further blocks are searched.
	 * Its bytes are read again before the bytes of `below`.
	 */
	uint8_t *again;
	size_t again_room, again_start, again_end;
	/* bytes up to this file offset have been searched for blocks */
	uint64_t searched;
	bool begun;
	uint32_t number; /* number of the block that should come next */
	/* offset in the unpacked dump of the block that should come next */
	uint64_t offset;
};

/* Read the next part. Must not be called after TAIL, CUT or FAIL. */
void hp_pack_input_next(struct hp_pack_input *in, struct hp_pack_part *part);
void hp_pack_input_release(struct hp_pack_input *in);

#endif
