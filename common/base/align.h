/*
 * align.h - rounding up to where something may stand
 */
#ifndef HP_ALIGN_H
#define HP_ALIGN_H

#include <stdint.h>

/* The least multiple of @to, a power of two, that is not below @n; of 0: @n. */
static inline uint64_t
hp_align_up(uint64_t n, uint64_t to)
{
	return to > 1 ? (n + to - 1) & -to : n;
}

#endif
