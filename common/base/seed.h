/*
 * seed.h - a secret random seed for hash tables
 *
 * An attacker who does not know the seed cannot craft names or ids that all
 * collide.
 */
#ifndef HP_SEED_H
#define HP_SEED_H

#include <stdint.h>

/*
 * Returns random bits from getrandom(). If that fails, it mixes the time and
 * the address of @owner instead.
 */
uint64_t hp_seed(const void *owner);

/*
 * The slot of a hash in a table of @cap slots, a power of two: the upper bits
 * of the product with a secret odd number (multiplicative hashing).
 */
static inline uint64_t
hp_seed_place(uint64_t seed, uint64_t hash, uint64_t cap)
{
	return (uint64_t)((unsigned __int128)(hash * (seed | 1)) * cap >> 64);
}

#endif
