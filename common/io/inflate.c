/*
 * inflate.c - decode deflate data (the contents of gzip and zip), with the
 * library ISA-L
 */
#include "common/io/internal.h"

#include <isa-l/crc.h>

/*
 * maximum number of bytes that one match (a copy of earlier bytes) in deflate
 * data produces
 */
#define MATCH_MOST 258

void
hp_inflate_init(struct hp_inflate *z)
{
	isal_inflate_init(&z->state);
	z->used = z->size = 0;
	z->crc = 0;
}

/*
 * If the decoder finds damage, only its pointers are reliable. Its counts of
 * remaining bytes can be too small, even negative, because the fast loop of
 * ISA-L uses the buffers as if they ended earlier. ISA-L also detects a wrong
 * match only after it has advanced the output pointer past the match. So the
 * last MATCH_MOST bytes of the output are discarded, because they may be old
 * contents of the buffer.
 */
bool
hp_inflate_some(struct hp_inflate *z, struct hp_feed *feed, uint64_t most,
		uint8_t *out, size_t room, size_t *len)
{
	struct inflate_state *s = &z->state;
	size_t left = feed->left < UINT32_MAX ? feed->left : UINT32_MAX;
	size_t used, got;
	bool damaged;

	if (left > most)
		left = (size_t)most;
	s->next_in = (uint8_t *)(uintptr_t)feed->p;
	s->avail_in = (uint32_t)left;
	s->next_out = out + *len;
	s->avail_out = (uint32_t)(room - *len);
	damaged = isal_inflate(s) < 0;
	used = (size_t)(s->next_in - feed->p);
	got = (size_t)(s->next_out - (out + *len));
	if (damaged)
		got -= got < MATCH_MOST ? got : MATCH_MOST;
	if (used > left)
		used = left;
	hp_feed_skip(feed, used);
	z->used += used;
	z->crc = crc32_gzip_refl(z->crc, out + *len, got);
	z->size += got;
	*len += got;
	/*
	 * If there are bytes to decode and room for output, but the decoder
	 * makes no progress, the data is treated as damaged. Otherwise the
	 * caller would call this function again and again.
	 */
	return !damaged && (got > 0 || used > 0 || left == 0 ||
			    s->block_state == ISAL_BLOCK_FINISH);
}

bool
hp_inflate_over(struct hp_inflate *z, struct hp_feed *feed)
{
	size_t back;

	if (z->state.block_state != ISAL_BLOCK_FINISH)
		return false;
	/*
	 * The decoder may have read whole bytes after the end of the deflate
	 * data. Give these bytes back to the feed (the compressed input), so
	 * that they are read again.
	 */
	back = (size_t)(z->state.read_in_length / 8);
	hp_feed_back(feed, back);
	z->used -= back;
	return true;
}
