/* seed.c - get a random seed for hash tables from the system */
#include "common/base/hash.h"

#include <sys/random.h>
#include <time.h>
#include <xxhash.h>

uint64_t
hp_seed(const void *owner)
{
	struct {
		struct timespec now;
		const void *owner, *stack;
	} mix = {.owner = owner, .stack = &mix};
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) ==
	    (ssize_t)sizeof(seed))
		return seed;
	clock_gettime(CLOCK_MONOTONIC, &mix.now);
	return XXH3_64bits(&mix, sizeof(mix));
}
