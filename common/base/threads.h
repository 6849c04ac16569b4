/*
 * threads.h - how many threads memory has room for
 */
#ifndef HP_THREADS_H
#define HP_THREADS_H

#include <stdint.h>

/*
 * As many of @wanted threads as @memory bytes have room for, which take @each
 * bytes beside @fixed ones; 1 at least.
 */
static inline unsigned
hp_threads_within(unsigned wanted, uint64_t memory, uint64_t fixed,
		  uint64_t each)
{
	uint64_t most = memory > fixed ? (memory - fixed) / each : 0;

	if (wanted <= most)
		return wanted;
	return most > 0 ? (unsigned)most : 1;
}

#endif
