/*
 * content_hash.c - hash contents with XXH3, or as a multilinear sum
 *
 * Source: M. Dietzfelbinger et al., "Polynomial hash functions are reliable",
 * 1992; L. Carter and M. Wegman, "Universal classes of hash functions", 1979
 */
#include "diff/waste/internal.h"

#include "common/base/hash.h"

#include <string.h>
#include <xxhash.h>

#define PRIME ((UINT64_C(1) << 61) - 1)

void
hp_content_key_init(struct hp_content_key *k)
{
	uint8_t *secret = k->secret[0];

	for (size_t i = 0; i < sizeof(k->secret); i += sizeof(uint64_t)) {
		uint64_t bits = hp_seed(k);

		memcpy(secret + i, &bits, sizeof(bits));
	}
	k->seed[0] = hp_seed(k);
	k->seed[1] = hp_seed(k);
}

/* Returns the remainder of @n modulo the prime 2^61 - 1. */
static uint64_t
reduce(unsigned __int128 n)
{
	uint64_t low = (uint64_t)n & PRIME, high = (uint64_t)(n >> 61);

	low += high & PRIME;
	low += high >> 61;
	low = (low & PRIME) + (low >> 61);
	return low == PRIME ? 0 : low;
}

/*
 * Returns the factor by which the element with index @index is multiplied. It
 * is computed from the secret @seed by the random number generator SplitMix64.
 */
static uint64_t
factor(uint64_t seed, uint64_t index)
{
	uint64_t z = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return (z ^ z >> 31) & PRIME;
}

void
hp_content_sum_add(const struct hp_content_key *k, struct hp_content_sum *s,
		   uint64_t index, uint64_t value)
{
	for (unsigned i = 0; i < HP_ARRAY_LEN(s->v); i++)
		s->v[i] = reduce((unsigned __int128)factor(k->seed[i], index) *
					 value +
				 s->v[i]);
}

void
hp_content_sum_join(struct hp_content_sum *s, const struct hp_content_sum *more)
{
	for (unsigned i = 0; i < HP_ARRAY_LEN(s->v); i++)
		s->v[i] = reduce((unsigned __int128)s->v[i] + more->v[i]);
}

struct hp_content_hash
hp_content_sum_hash(const struct hp_content_key *k, unsigned domain, uint64_t n,
		    const struct hp_content_sum *s)
{
	const uint64_t all[] = {s->v[0], s->v[1], n};

	return hp_content_hash(k, domain, all, sizeof(all));
}

struct hp_content_hash
hp_content_hash(const struct hp_content_key *k, unsigned domain,
		const void *bytes, size_t n)
{
	XXH128_hash_t h = XXH3_128bits_withSecret(bytes, n, k->secret[domain],
						  sizeof(k->secret[domain]));

	return (struct hp_content_hash){{h.low64, h.high64}};
}
