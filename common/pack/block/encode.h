/*
 * encode.h - encode a block of a dump into streams
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODE_H
#define HP_PACK_ENCODE_H

#include "common/pack/block/encoder.h"

/**
 * hp_pack_encode() - encode a block
 * @w: state of the parser at the first byte; at and left give the bytes of the
 *     block, last must be true
 *
 * Returns: HP_OK, with e->segments, which point into @e and the block;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_encode(struct hp_pack_encoder *e,
					  const struct hp_pack_walk *w);

#endif
