/*
 * random_stream.h - streams that no compression makes smaller
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_RANDOM_STREAM_H
#define HP_PACK_RANDOM_STREAM_H

#include "common/pack/block/encoder.h"

/**
 * hp_pack_stream_random() - does a stream look like random bytes?
 * @segments: of an encoder
 * @order: the numbers of the stream's segments, in its order
 * @count: of @order
 * @n: bytes of all of them
 *
 * Encrypted and compressed payload does: pictures, archives, keys. To find that
 * out takes a tenth of the time of an attempt to compress it. The answer
 * depends on nothing but the bytes.
 *
 * Returns: true if all values are equally frequent and nothing of eight bytes
 *          was found twice, as far as samples tell; false for short streams.
 */
HP_MUST_USE bool hp_pack_stream_random(const struct hp_pack_segment *segments,
				       const size_t *order, size_t count,
				       size_t n);

#endif
