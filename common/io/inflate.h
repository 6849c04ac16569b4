/*
 * inflate.h - decode deflate data in order, for gzip and zip, with ISA-L
 *
 * Private to common/io.
 */
#ifndef HP_IO_INFLATE_H
#define HP_IO_INFLATE_H

#include "common/io/decompress.h"

#include <isa-l/igzip_lib.h>

struct hp_inflate {
	struct inflate_state state;
	uint64_t used; /* bytes taken from the feed */
	uint64_t size; /* decoded bytes so far */
	uint32_t crc;  /* CRC-32 of the decoded bytes */
};

void hp_inflate_init(struct hp_inflate *z);

/**
 * hp_inflate_some() - call the decoder once
 * @most: maximum number of bytes to take from the feed; may exceed feed->left
 * @len: number of bytes in @out; increased by the decoded bytes
 *
 * Returns: true; false if the data is damaged.
 */
HP_MUST_USE bool hp_inflate_some(struct hp_inflate *z, struct hp_feed *feed,
				 uint64_t most, uint8_t *out, size_t room,
				 size_t *len);

/*
 * Whether the deflate data has ended. If so, returns the bytes after the data
 * that the decoder has read ahead to the feed.
 */
HP_MUST_USE bool hp_inflate_over(struct hp_inflate *z, struct hp_feed *feed);

#endif
