/*
 * threads.h - threads: started, run side by side, and as many as memory has
 * room for
 */
#ifndef HP_THREADS_H
#define HP_THREADS_H

#include "common/base/status.h"

#include <pthread.h>
#include <stdint.h>

/*
 * As many of @wanted threads as there are @each in @amount: of work that one is
 * started for, or of bytes that it takes; 1 at least.
 */
static inline unsigned
hp_threads_for(unsigned wanted, uint64_t amount, uint64_t each)
{
	uint64_t most = amount / each;

	if (wanted <= most)
		return wanted;
	return most > 0 ? (unsigned)most : 1;
}

/* The same with @fixed of it set aside, as far as there is so much. */
static inline unsigned
hp_threads_within(unsigned wanted, uint64_t amount, uint64_t fixed,
		  uint64_t each)
{
	return hp_threads_for(wanted, amount > fixed ? amount - fixed : 0,
			      each);
}

/*
 * Starts a thread that leaves all signals to the others. HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_thread_start(pthread_t *thread,
					   void *(*run)(void *), void *argument,
					   struct hp_error *err);

/**
 * hp_threads_run() - share work among threads, and wait until it is done
 * @n:     threads, the caller's among them
 * @run:   takes one part of the work after another until none is left; what it
 *         returns is ignored
 * @items: @n of them, one for each thread, the first the caller's; they have
 *         @size bytes each, or none: then all get the same
 *
 * A thread that cannot be started is done without: its item is not touched, and
 * the others do its part.
 */
void hp_threads_run(unsigned n, void *(*run)(void *), void *items, size_t size);

#endif
