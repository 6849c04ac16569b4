/*
 * byte_shuffle.h - numbers split into their bytes, all lowest bytes first
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_BYTE_SHUFFLE_H
#define HP_PACK_BYTE_SHUFFLE_H

#include "common/base/status.h"

/*
 * The bytes of @n codes to planes: byte p of code i to
 * planes[p * stride + i]. A plane without a bit in @bits is left alone.
 */
void hp_byte_shuffle(uint8_t *planes, size_t stride, const uint64_t *codes,
		     size_t n, uint64_t bits);

/* The reverse, of @count planes; their places are planes[0 .. count-1]. */
void hp_byte_unshuffle(const uint8_t *const planes[], unsigned count,
		       uint64_t *codes, size_t n);

/*
 * Loads of big-endian numbers that stand @off bytes behind @base + rows[i],
 * and their stores. @width: 1, 2, 4, 8.
 */
void hp_rows_load(uint64_t *values, const uint8_t *base, const uint32_t *rows,
		  size_t n, size_t off, unsigned width);
void hp_rows_store(const uint64_t *values, uint8_t *base, const uint32_t *rows,
		   size_t n, size_t off, unsigned width);
/* The same for numbers side by side. */
void hp_run_load(uint64_t *values, const uint8_t *at, size_t n, unsigned width);
void hp_run_store(const uint64_t *values, uint8_t *at, size_t n,
		  unsigned width);

#endif
