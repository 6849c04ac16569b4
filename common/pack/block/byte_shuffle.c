/*
 * byte_shuffle.c - loops that split numbers into planes and join planes to
 * numbers
 *
 * The first plane contains the first byte of each number, the second plane
 * contains the second byte of each number, and so on. The Makefile compiles
 * this file with options for vectorisation.
 */
#include "common/pack/block/coding.h"

#include "common/format/cursor.h"

void
hp_byte_shuffle(uint8_t *planes, size_t stride, const uint64_t *codes, size_t n,
		uint64_t bits)
{
	for (unsigned p = 0; p < 8; p++) {
		uint8_t *restrict to = planes + p * stride;
		unsigned shift = 8 * p;

		if (!(bits >> shift & 0xFF))
			continue;
		for (size_t i = 0; i < n; i++)
			to[i] = (uint8_t)(codes[i] >> shift);
	}
}

void
hp_byte_unshuffle(const uint8_t *const planes[], unsigned count,
		  uint64_t *codes, size_t n)
{
	const uint8_t *a, *b, *c, *d;

	switch (count) {
	case 0:
		memset(codes, 0, n * sizeof(*codes));
		return;
	case 1:
		a = planes[0];
		for (size_t i = 0; i < n; i++)
			codes[i] = a[i];
		return;
	case 2:
		a = planes[0];
		b = planes[1];
		for (size_t i = 0; i < n; i++)
			codes[i] = a[i] | (uint64_t)b[i] << 8;
		return;
	case 3:
		a = planes[0];
		b = planes[1];
		c = planes[2];
		for (size_t i = 0; i < n; i++)
			codes[i] = a[i] | (uint64_t)b[i] << 8 |
				   (uint64_t)c[i] << 16;
		return;
	default:
		a = planes[0];
		b = planes[1];
		c = planes[2];
		d = planes[3];
		for (size_t i = 0; i < n; i++)
			codes[i] = a[i] | (uint64_t)b[i] << 8 |
				   (uint64_t)c[i] << 16 | (uint64_t)d[i] << 24;
	}
	for (unsigned p = 4; p < count; p++) {
		a = planes[p];
		for (size_t i = 0; i < n; i++)
			codes[i] |= (uint64_t)a[i] << (8 * p);
	}
}

void
hp_rows_load(uint64_t *values, const uint8_t *base, const uint32_t *rows,
	     size_t n, size_t off, unsigned width)
{
	base += off;
	if (width == 8)
		for (size_t i = 0; i < n; i++)
			values[i] = hp_load8(base + rows[i]);
	else if (width == 4)
		for (size_t i = 0; i < n; i++)
			values[i] = hp_load4(base + rows[i]);
	else if (width == 2)
		for (size_t i = 0; i < n; i++)
			values[i] = hp_load2(base + rows[i]);
	else
		for (size_t i = 0; i < n; i++)
			values[i] = base[rows[i]];
}

void
hp_rows_store(const uint64_t *values, uint8_t *base, const uint32_t *rows,
	      size_t n, size_t off, unsigned width)
{
	base += off;
	if (width == 8)
		for (size_t i = 0; i < n; i++)
			hp_store8(base + rows[i], values[i]);
	else if (width == 4)
		for (size_t i = 0; i < n; i++)
			hp_store4(base + rows[i], (uint32_t)values[i]);
	else if (width == 2)
		for (size_t i = 0; i < n; i++)
			hp_store2(base + rows[i], (uint16_t)values[i]);
	else
		for (size_t i = 0; i < n; i++)
			base[rows[i]] = (uint8_t)values[i];
}

void
hp_run_load(uint64_t *values, const uint8_t *at, size_t n, unsigned width)
{
	if (width == 8)
		for (size_t i = 0; i < n; i++)
			values[i] = hp_load8(at + 8 * i);
	else if (width == 4)
		for (size_t i = 0; i < n; i++)
			values[i] = hp_load4(at + 4 * i);
	else if (width == 2)
		for (size_t i = 0; i < n; i++)
			values[i] = hp_load2(at + 2 * i);
	else
		for (size_t i = 0; i < n; i++)
			values[i] = at[i];
}

void
hp_run_store(const uint64_t *values, uint8_t *at, size_t n, unsigned width)
{
	if (width == 8)
		for (size_t i = 0; i < n; i++)
			hp_store8(at + 8 * i, values[i]);
	else if (width == 4)
		for (size_t i = 0; i < n; i++)
			hp_store4(at + 4 * i, (uint32_t)values[i]);
	else if (width == 2)
		for (size_t i = 0; i < n; i++)
			hp_store2(at + 2 * i, (uint16_t)values[i]);
	else
		for (size_t i = 0; i < n; i++)
			at[i] = (uint8_t)values[i];
}
