/*
 * random_stream.h - detect streams that cannot be compressed
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_RANDOM_STREAM_H
#define HP_PACK_RANDOM_STREAM_H

#include "common/pack/block/encoder.h"

/**
 * hp_pack_stream_random() - whether a stream looks like random bytes
 * @segments: the segments of an encoder
 * @order:    the numbers of the @count segments of the stream, in order
 * @n:        total size of the stream in bytes
 *
 * Encrypted and compressed data look random: pictures, archives, keys. This
 * test takes a tenth of the time of trying to compress the stream. The result
 * depends on the bytes only.
 *
 * Returns: true if samples show that all byte values are equally frequent, and
 *          no sequence of eight bytes was found twice; always false for short
 *          streams.
 */
HP_MUST_USE bool hp_pack_stream_random(const struct hp_pack_segment *segments,
				       const size_t *order, size_t count,
				       size_t n);

#endif
