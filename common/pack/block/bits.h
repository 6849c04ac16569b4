/*
 * bits.h - LEB128 and zigzag encoding of numbers
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_BITS_H
#define HP_PACK_BITS_H

#include "common/base/buf.h"
#include "common/base/byte_order.h"

/*
 * Append a number in LEB128: seven bits a byte, low bits first. The top bit of
 * a byte is set if another byte follows.
 */
static inline void
hp_put_varint(struct hp_buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		hp_buf_byte(b, (char)(v | 0x80));
	hp_buf_byte(b, (char)v);
}

/* Bytes that are still to be read. Invariant: p <= end. */
struct hp_pack_bytes {
	const uint8_t *p, *end;
};

static inline size_t
hp_pack_left(const struct hp_pack_bytes *b)
{
	return (size_t)(b->end - b->p);
}

/*
 * Read a LEB128 number. Returns false if the bytes end inside it, or it exceeds
 * 64 bits.
 */
static inline HP_MUST_USE bool
hp_get_varint(struct hp_pack_bytes *b, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 64 && b->p < b->end; shift += 7) {
		uint8_t c = *b->p++;

		if (shift == 63 && c > 1)
			return false;
		*v |= (uint64_t)(c & 0x7F) << shift;
		if (c < 0x80)
			return true;
	}
	return false;
}

/* As hp_get_varint(), but returns false if the number exceeds 32 bits. */
static inline HP_MUST_USE bool
hp_get_varint32(struct hp_pack_bytes *b, uint32_t *v)
{
	uint64_t wide;

	if (!hp_get_varint(b, &wide) || wide > UINT32_MAX)
		return false;
	*v = (uint32_t)wide;
	return true;
}

static inline uint64_t
hp_zigzag(uint64_t d)
{
	return d << 1 ^ (0 - (d >> 63));
}

static inline uint64_t
hp_unzigzag(uint64_t z)
{
	return z >> 1 ^ (0 - (z & 1));
}

#endif
