/*
 * encode_ids.h - encode the object ids and trace serials of a block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODE_IDS_H
#define HP_PACK_ENCODE_IDS_H

#include "common/pack/block/encoder.h"

/* Encode the ids and traces of all objects. Returns false if out of memory. */
HP_MUST_USE bool hp_pack_encode_ids(struct hp_pack_encoder *e);

#endif
