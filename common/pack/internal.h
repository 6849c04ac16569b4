/*
 * internal.h - what is behind hp_pack_vtable: the writer, the reading layer,
 * and the directory that both know
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
	HP_PACK_LEVEL = 3, /* the default */
	HP_PACK_LEVEL_MOST = 19,
	HP_PACK_DIRECTORY_HEAD = 8,   /* magic, number of blocks */
	HP_PACK_DIRECTORY_ENTRY = 24, /* a block */
	HP_PACK_TAIL = 56,	      /* what is behind the entries */
};

/* A block in the directory. */
struct hp_pack_entry {
	uint64_t at;	 /* of its head in the file */
	uint64_t offset; /* of its bytes in the dump */
	uint32_t plain;	 /* bytes of the dump */
	uint32_t stored; /* bytes in the file, with its head */
};

/* What the end of a pack says of the whole. */
struct hp_pack_tail {
	uint64_t blocks;
	uint64_t plain;	    /* bytes of the dump */
	XXH128_hash_t hash; /* of the dump */
	uint64_t directory; /* where it begins in the file */
};

/*
 * Appends the directory of a pack; @at: where it stands in the file. @out
 * fails if there is no memory.
 */
void hp_pack_directory_write(const struct hp_pack_entry *entries,
			     const struct hp_pack_tail *tail,
			     struct hp_buf *out);

/* Is it a directory's begin? */
bool hp_pack_directory_begins(const uint8_t *p);

/**
 * hp_pack_tail_read() - the last HP_PACK_TAIL bytes of a pack
 *
 * Returns: false if they are no tail. Whether all of the directory is intact
 *          says hp_pack_directory_intact().
 */
HP_MUST_USE bool hp_pack_tail_read(const uint8_t *p, struct hp_pack_tail *tail);

/* @p: the directory, of @n bytes, with its tail. */
HP_MUST_USE bool hp_pack_directory_intact(const uint8_t *p, size_t n);

/* Entry number @i of a directory. */
struct hp_pack_entry hp_pack_directory_entry(const uint8_t *p, size_t i);

/* As in struct hp_pack_vtable. */
HP_MUST_USE enum hp_status hp_pack_writer_open(void **writer,
					       hp_pack_vtable_put *put,
					       void *context, int level,
					       unsigned threads, uint64_t most,
					       struct hp_error *err);
uint64_t hp_pack_writer_usual_part(uint64_t size);
/* With blocks of @block bytes, from 64 to HP_PACK_BLOCK_MOST. */
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
