/*
 * encode_text.h - the order of the texts of a block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODE_TEXT_H
#define HP_PACK_ENCODE_TEXT_H

#include "common/pack/block/encoder.h"

/* The rows of TEXT, by their ids if that pays. False: out of memory. */
HP_MUST_USE bool hp_pack_order_texts(struct hp_pack_encoder *e);

#endif
