/*
 * planted.c - a fuzz target with deliberate faults, for planted.sh
 *
 * For certain lengths of the input, the target makes a fault. Each of these
 * lengths has a fault of its own. The sweep must detect each fault. Inputs are
 * prefixes of a fixture. For all other lengths the target does nothing.
 */
#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile kept;

/*
 * Allocate memory until the limit for the process is exceeded.
 */
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

/* Returns a large block that was freed before and that blocks.c has reused. */
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
	case 100: /* access a byte beyond the end of the block */
	case 110: /* access the block after it was freed */
	case 120: /* free the block twice */
		return use_large(n);
	}
	return 0;
}
