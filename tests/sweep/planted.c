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
#include <unistd.h>

static void *volatile kept;

/* More memory than the input explains, in pieces that are no news. */
static void
take_memory(void)
{
	for (;;)
		kept = malloc(16 << 20);
}

/* A deadlock, where there is no other thread. */
static void
wait_forever(void)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
}

/* A large block that has been another's before: see blocks.c. */
static volatile uint8_t *
large(size_t n)
{
	kept = malloc(n);
	free(kept);
	kept = malloc(n);
	return kept;
}

static int
use_large(size_t how)
{
	const size_t n = 300000;
	volatile uint8_t *p = large(n);
	volatile size_t at = how == 100 ? n : 1;

	for (size_t times = (how - 100) / 10; times > 0; times--)
		free(kept);
	return p[at];
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
		break;
	case 90:
		pause();
		break;
	case 100: /* behind its end */
	case 110: /* after it was freed */
	case 120: /* freed twice */
		return use_large(n);
	}
	return 0;
}
