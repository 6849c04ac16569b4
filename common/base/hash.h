/*
 * hash.h - the seed of hash functions, and tables of zeroed memory
 */
#ifndef HP_BASE_HASH_H
#define HP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * A secret random seed for hash tables
 *
 * An attacker who does not know the seed cannot craft names or ids that all
 * collide.
 */

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

/* ----------------------------------------------------------------------
 * Zeroed memory for hash tables
 */

/**
 * hp_zeroed_table_new() - allocate @bytes of zeros that will be accessed at
 * random
 *
 * Asks the kernel for huge pages, and to populate them now. Otherwise each
 * first access to a page would take a page fault in the middle of a hot loop.
 * Returns: memory for hp_free(); NULL if out of memory.
 */
void *hp_zeroed_table_new(size_t bytes);

#endif
