/*
 * encode.h - a block of a dump as streams
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODE_H
#define HP_PACK_ENCODE_H

#include "common/pack/block/encoder.h"

/**
 * hp_pack_encode() - encode a block
 * @w: where the walk is at its first byte; at and left say what the block is,
 *    last is set
 *
 * Returns: HP_OK with e->segments, which borrow from @e and from the block;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_encode(struct hp_pack_encoder *e,
					  const struct hp_pack_walk *w);

#endif
