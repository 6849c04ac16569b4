/*
 * planted.c - a fuzz target with faults of each kind, for planted.sh
 *
 * An input of so many bytes, a prefix of a fixture, does what the sweep has
 * to notice; any other does nothing.
 */
#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *volatile kept;

/* More memory than the input explains, in pieces that are no news. */
static void
take_memory(void)
{
	for (;;)
		kept = malloc(16 << 20);
}

static void
wait_forever(void)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	volatile int most = INT_MAX;
	volatile size_t beyond = n;

	switch (n) {
	case 10:
		return data[beyond];
	case 20:
		for (;;)
			kept = NULL;
	case 30:
		HP_FUZZ_CHECK(n != 30);
		break;
	case 40:
		take_memory();
		break;
	case 50:
		return most + 1;
	case 60:
		kept = malloc(60);
		kept = NULL;
		break;
	case 70:
		exit(0);
	case 80:
		wait_forever();
	}
	return 0;
}
