/*
 * block_index.h - where the blocks of a pack are
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_BLOCK_INDEX_H
#define HP_PACK_BLOCK_INDEX_H

#include "common/io/source.h"
#include "common/pack/internal.h"

struct hp_pack_index {
	struct hp_pack_entry *entries;
	size_t count, room;
	uint64_t plain; /* bytes of the dump */
};

/**
 * hp_pack_index_read() - the blocks by the directory at the end
 * @raw: the pack's bytes, seekable
 *
 * Blocks follow each other without a gap, in the dump as in the file.
 * Returns: HP_OK; HP_DAMAGED: the directory is, or the pack is truncated;
 * HP_IO;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_index_read(struct hp_pack_index *index,
					      struct hp_source *raw,
					      struct hp_error *err);

void hp_pack_index_release(struct hp_pack_index *index);

#endif
