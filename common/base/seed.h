/*
 * seed.h - a number that nobody outside can know, for hash tables
 *
 * With it crafted names and ids cannot pile up in one place.
 */
#ifndef HP_SEED_H
#define HP_SEED_H

#include <stdint.h>

/* Random bits of the system; failing that, of time and addresses. */
uint64_t hp_seed(const void *owner);

/*
 * Where a hash belongs in a table of @cap slots, a power of two: the upper
 * bits of a product with an odd number that is as secret.
 */
static inline uint64_t
hp_seed_place(uint64_t seed, uint64_t hash, uint64_t cap)
{
	return (uint64_t)((unsigned __int128)(hash * (seed | 1)) * cap >> 64);
}

#endif
