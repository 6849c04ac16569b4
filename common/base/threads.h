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

/*
 * Starts a thread that leaves all signals to the others. HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_thread_start(pthread_t *thread,
					   void *(*run)(void *), void *argument,
					   struct hp_error *err);

/**
 * hp_threads_run() - run a function in several threads, and wait for all
 * @n:     threads, the caller's among them
 * @run:   what it returns is ignored
 * @items: @n of them, one for each thread; they have @size bytes each, or none:
 *         then all get the same
 *
 * Returns: HP_OK; HP_NOMEM: none ran; HP_IO: some could not be started. The
 *          others have run.
 */
HP_MUST_USE enum hp_status hp_threads_run(unsigned n, void *(*run)(void *),
					  void *items, size_t size,
					  struct hp_error *err);

#endif
