/*
 * internal.h - declarations that the writer and the readers of a pack file
 * share: the directory, the list of blocks, and reading from the beginning
 *
 * A pack is a compressed archive of a dump. It consists of blocks and a
 * directory of its blocks. common/pack-format.md describes the format.
 */
#ifndef HP_PACK_INTERNAL_H
#define HP_PACK_INTERNAL_H

#include "common/base/buf.h"
#include "common/io/layer.h"
#include "common/io/source.h"
#include "common/pack/block/block.h"

#include <xxhash.h>

/*
 * ----------------------------------------------------------------------
 * The functions in hp_pack_vtable (the writer, and the layer that reads a
 * pack), and the directory of a pack
 *
 * Private to common/pack.
 */

enum {
	/* compression level of zstd if the user chose none */
	HP_PACK_LEVEL = 3,
	HP_PACK_LEVEL_MOST = 19,
	/*
	 * The number of bytes of the directory before its entries. They are a
	 * magic number and the number of blocks.
	 */
	HP_PACK_DIRECTORY_HEAD = 8,
	/* number of bytes of the directory's entry for one block */
	HP_PACK_DIRECTORY_ENTRY = 24,
	/* number of bytes of the directory after its entries */
	HP_PACK_TAIL = 56,
};

/* The entry of one block in the directory of a pack. */
struct hp_pack_entry {
	uint64_t at; /* offset of the block in the pack file */
	/* offset of the block's data in the unpacked dump */
	uint64_t offset;
	uint32_t plain; /* size of the unpacked block in bytes */
	/* size in bytes of the block in the pack file, including its header */
	uint32_t stored;
};

/*
 * The end of the directory, which is the end of the pack file. It describes the
 * whole pack.
 */
struct hp_pack_tail {
	uint64_t blocks;
	uint64_t plain;	    /* size of the unpacked dump in bytes */
	XXH128_hash_t hash; /* hash of the unpacked dump */
	uint64_t directory; /* offset of the directory in the pack file */
};

/*
 * Append the directory of a pack to @out. Set tail->directory, the offset of
 * the directory in the file, before the call. If memory runs out, the buffer
 * @out is marked as failed.
 */
void hp_pack_directory_write(const struct hp_pack_entry *entries,
			     const struct hp_pack_tail *tail,
			     struct hp_buf *out);

/* Whether a directory begins at @p. The function reads 4 bytes. */
bool hp_pack_directory_begins(const uint8_t *p);

/**
 * hp_pack_tail_read() - parse the last HP_PACK_TAIL bytes of a pack
 *
 * Returns: false if the bytes are not the end of a directory. The function does
 *          not check the hash; hp_pack_directory_intact() does.
 */
HP_MUST_USE bool hp_pack_tail_read(const uint8_t *p, struct hp_pack_tail *tail);

/*
 * Whether the hash and the counts of a directory are correct. @p points to the
 * whole directory of @n bytes.
 */
HP_MUST_USE bool hp_pack_directory_intact(const uint8_t *p, size_t n);

/* Parse the directory's entry for block @i. @p points to the directory. */
struct hp_pack_entry hp_pack_directory_entry(const uint8_t *p, size_t i);

/*
 * The functions to which the members of struct hp_pack_vtable point. The
 * comments of the members describe them.
 */
HP_MUST_USE enum hp_status hp_pack_writer_open(void **writer,
					       hp_pack_vtable_put *put,
					       void *context, int level,
					       unsigned threads, uint64_t most,
					       struct hp_error *err);
uint64_t hp_pack_writer_usual_part(uint64_t size);
/*
 * Like hp_pack_writer_open(), but each block of the pack contains up to @block
 * bytes of the dump. @block is 64 to HP_PACK_BLOCK_MOST.
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
	uint64_t plain; /* size of the unpacked dump in bytes */
};

/**
 * hp_pack_index_read() - read the directory at the end of a pack
 * @raw: the bytes of the pack; must be seekable
 *
 * Checks that the blocks follow each other without gaps, both in the dump and
 * in the file.
 * Returns: HP_OK; HP_DAMAGED if the directory is damaged or the pack is
 *          truncated; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_index_read(struct hp_pack_index *index,
					      struct hp_source *raw,
					      struct hp_error *err);

void hp_pack_index_release(struct hp_pack_index *index);

/*
 * ----------------------------------------------------------------------
 * Read a pack from its beginning to its end: blocks, lost blocks, and the
 * directory
 *
 * Private to common/pack.
 */

enum hp_pack_part_kind {
	/*
	 * A complete block. The members `head`, `list` and `body` of struct
	 * hp_pack_part are set.
	 */
	HP_PACK_PART_BLOCK,
	/*
	 * Bytes of one or more blocks are damaged or missing, so a range of the
	 * dump is lost. It begins at the offset head.offset of the dump, and
	 * ends at the offset `next`. head.number is the number of the first
	 * lost block. If `next` equals head.offset and `most` is 0, no block is
	 * lost: the file contains bytes that do not belong to this pack.
	 */
	HP_PACK_PART_LOST,
	/*
	 * The complete end of the pack. head.number and head.offset have the
	 * values for a block that would follow the last block.
	 */
	HP_PACK_PART_TAIL,
	/*
	 * The pack is truncated: the file ends before the end of its directory.
	 */
	HP_PACK_PART_CUT,
	HP_PACK_PART_FAIL, /* The pack file could not be read. */
};

/*
 * A part of a pack file: a block, lost bytes, or the end of the pack.
 * Zero-initialise the struct before its first use. Its buffer is reused for the
 * next part.
 */
struct hp_pack_part {
	enum hp_pack_part_kind kind;
	/* offset of the first byte of this part in the pack file */
	uint64_t at;
	struct hp_pack_head head;
	uint8_t list[HP_PACK_LIST_MOST];
	uint8_t *body;
	size_t body_room;
	/*
	 * only for HP_PACK_PART_BLOCK: how many bytes of memory are needed to
	 * unpack the block, including the buffers of this struct
	 */
	uint64_t needs;
	/*
	 * Only for HP_PACK_PART_LOST: where the next block that is not lost
	 * begins, as an offset in the dump.
	 */
	uint64_t next;
	/*
	 * The maximum size in bytes that the dump in a pack file of this length
	 * can have. Set for HP_PACK_PART_TAIL, and for HP_PACK_PART_LOST if no
	 * further block was found, so that `next` is not known. Otherwise 0.
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
	/*
	 * Set only for HP_PACK_PART_TAIL: the number of bytes after the end of
	 * the pack.
	 */
	uint64_t trailing;
	/*
	 * set only for HP_PACK_PART_FAIL: the status and description of the
	 * failure
	 */
	enum hp_status status;
	struct hp_error error;
};

/*
 * The state of reading a pack from its beginning to its end. Zero-initialise
 * the struct, then set `below` and `block_memory`.
 */
struct hp_pack_input {
	struct hp_layer *below;
	/* limit of the memory for unpacking a block, in bytes; 0: no limit */
	uint64_t block_memory;
	uint8_t window[16 << 10];
	size_t start, end;
	/*
	 * offset of the first byte in the buffer, window[start], in the pack
	 * file
	 */
	uint64_t at;
	/* the pack file ends after the bytes in the window (buffer) */
	bool last;
	/* the layer `below`, which reads the pack file, has no more bytes */
	bool ended;
	/*
	 * The data of a damaged block, which may contain headers of further
	 * blocks. To find these headers, the reader reads the data again before
	 * it reads more bytes of `below`.
	 */
	uint8_t *again;
	size_t again_room, again_start, again_end;
	/*
	 * The bytes before this offset of the file were already searched for
	 * blocks.
	 */
	uint64_t searched;
	bool begun;
	uint32_t number; /* number of the block that should come next */
	/* offset of the block that should come next, in the unpacked dump */
	uint64_t offset;
};

/*
 * Read the next part of a pack. Do not call the function again after a part of
 * kind TAIL, CUT or FAIL.
 */
void hp_pack_input_next(struct hp_pack_input *in, struct hp_pack_part *part);
void hp_pack_input_release(struct hp_pack_input *in);

#endif
