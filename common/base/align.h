/*
 * align.h - round sizes and offsets up to an alignment
 */
#ifndef HP_ALIGN_H
#define HP_ALIGN_H

#include <stdint.h>

/*
 * Round @n up to a multiple of @to, a power of two. With 0 as @to, returns @n
 * unchanged.
 */
static inline uint64_t
hp_align_up(uint64_t n, uint64_t to)
{
	return to > 1 ? (n + to - 1) & -to : n;
}

#endif
