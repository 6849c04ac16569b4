/*
 * byte_shuffle.h - split numbers into bytes, grouped by significance
 *
 * Plane p contains byte p of every number, where byte 0 is the low-order byte.
 * Planes compress better than whole numbers. Private to common/pack.
 */
#ifndef HP_PACK_BYTE_SHUFFLE_H
#define HP_PACK_BYTE_SHUFFLE_H

#include "common/base/status.h"

/*
 * Split @n codes into planes: byte p of code i goes to planes[p * stride + i].
 * A plane is not written if none of its bits is set in @bits.
 */
void hp_byte_shuffle(uint8_t *planes, size_t stride, const uint64_t *codes,
		     size_t n, uint64_t bits);

/* The reverse of hp_byte_shuffle(): join @count planes to @n codes. */
void hp_byte_unshuffle(const uint8_t *const planes[], unsigned count,
		       uint64_t *codes, size_t n);

/*
 * Load or store big-endian numbers at base + rows[i] + off. @width: 1, 2, 4 or
 * 8 bytes.
 */
void hp_rows_load(uint64_t *values, const uint8_t *base, const uint32_t *rows,
		  size_t n, size_t off, unsigned width);
void hp_rows_store(const uint64_t *values, uint8_t *base, const uint32_t *rows,
		   size_t n, size_t off, unsigned width);
/* Load or store @n consecutive big-endian numbers. */
void hp_run_load(uint64_t *values, const uint8_t *at, size_t n, unsigned width);
void hp_run_store(const uint64_t *values, uint8_t *at, size_t n,
		  unsigned width);

#endif
