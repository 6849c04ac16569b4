/*
 * internal.h - functions behind hp_pack_vtable: the writer, the reading layer,
 * and the directory
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_INTERNAL_H
#define HP_PACK_INTERNAL_H

#include "common/base/buf.h"
#include "common/io/layer.h"
#include "common/io/pack_vtable.h"

#include <xxhash.h>

enum {
	HP_PACK_LEVEL = 3, /* default compression level */
	HP_PACK_LEVEL_MOST = 19,
	HP_PACK_DIRECTORY_HEAD = 8,   /* bytes: magic, number of blocks */
	HP_PACK_DIRECTORY_ENTRY = 24, /* bytes for each block */
	HP_PACK_TAIL = 56,	      /* bytes after the entries */
};

/* The directory entry of a block. */
struct hp_pack_entry {
	uint64_t at;	 /* offset of the block in the file */
	uint64_t offset; /* offset of the block's data in the dump */
	uint32_t plain;	 /* bytes of the dump in the block */
	uint32_t stored; /* bytes in the file, with the header */
};

/* The last part of the directory; it describes the whole pack. */
struct hp_pack_tail {
	uint64_t blocks;
	uint64_t plain;	    /* bytes of the dump */
	XXH128_hash_t hash; /* hash of the dump */
	uint64_t directory; /* offset of the directory in the file */
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

/* The entry of block @i in a directory. */
struct hp_pack_entry hp_pack_directory_entry(const uint8_t *p, size_t i);

/* See struct hp_pack_vtable. */
HP_MUST_USE enum hp_status hp_pack_writer_open(void **writer,
					       hp_pack_vtable_put *put,
					       void *context, int level,
					       unsigned threads, uint64_t most,
					       struct hp_error *err);
uint64_t hp_pack_writer_usual_part(uint64_t size);
/*
 * As hp_pack_writer_open(), with blocks of @block bytes, 64 to
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

#endif
