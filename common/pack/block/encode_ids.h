/*
 * encode_ids.h - the ids and traces of a block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODE_IDS_H
#define HP_PACK_ENCODE_IDS_H

#include "common/pack/block/encoder.h"

/* The ids and traces of all objects. False: out of memory. */
HP_MUST_USE bool hp_pack_encode_ids(struct hp_pack_encoder *e);

#endif
