/*
 * encode_text.h - reorder the strings of a block by id
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODE_TEXT_H
#define HP_PACK_ENCODE_TEXT_H

#include "common/pack/block/encoder.h"

/*
 * Sort the rows of TEXT symbols by id if that saves space. Returns false if out
 * of memory.
 */
HP_MUST_USE bool hp_pack_order_texts(struct hp_pack_encoder *e);

#endif
