/*
 * encode_columns.h - encode the columns of a block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODE_COLUMNS_H
#define HP_PACK_ENCODE_COLUMNS_H

#include "common/pack/block/encoder.h"

/* Encode the columns of all symbols. Returns false if out of memory. */
HP_MUST_USE bool hp_pack_encode_columns(struct hp_pack_encoder *e);

#endif
