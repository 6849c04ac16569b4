/*
 * inflate.h - deflate data, decoded in order with ISA-L, for gzip and zip
 *
 * Private to common/io.
 */
#ifndef HP_IO_INFLATE_H
#define HP_IO_INFLATE_H

#include "common/io/decompress.h"

#include <isa-l/igzip_lib.h>

struct hp_inflate {
	struct inflate_state state;
	uint64_t used; /* bytes of the feed */
	uint64_t size; /* decoded bytes so far */
	uint32_t crc;  /* of them */
};

void hp_inflate_init(struct hp_inflate *z);

/**
 * hp_inflate_some() - one call of the decoder
 * @most: bytes of the feed that it may use, beyond those in feed->left or not
 * @len:  bytes in @out, moved on
 *
 * Returns: false: it found damage.
 */
HP_MUST_USE bool hp_inflate_some(struct hp_inflate *z, struct hp_feed *feed,
				 uint64_t most, uint8_t *out, size_t room,
				 size_t *len);

/* Is the data over? Bytes after it that the decoder took are given back. */
HP_MUST_USE bool hp_inflate_over(struct hp_inflate *z, struct hp_feed *feed);

#endif
