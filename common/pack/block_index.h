/*
 * block_index.h - the list of the blocks of a pack, from its directory
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

#endif
