/*
 * threads.h - start threads, share work among them, and choose their number
 */
#ifndef HP_THREADS_H
#define HP_THREADS_H

#include "common/base/status.h"

#include <pthread.h>
#include <stdint.h>

/*
 * Choose the number of threads: @amount / @each, but at least 1 and at most
 * @wanted. For example, @amount is the whole work, and @each is the amount of
 * work for which a further thread is worthwhile. Or @amount is the available
 * memory, and @each is the memory that a thread needs.
 */
static inline unsigned
hp_threads_for(unsigned wanted, uint64_t amount, uint64_t each)
{
	uint64_t most = amount / each;

	if (wanted <= most)
		return wanted;
	return most > 0 ? (unsigned)most : 1;
}

/*
 * Like hp_threads_for(), but first subtracts @fixed from @amount (not below 0).
 * @fixed is, for example, the memory that is needed for any number of threads.
 */
static inline unsigned
hp_threads_within(unsigned wanted, uint64_t amount, uint64_t fixed,
		  uint64_t each)
{
	return hp_threads_for(wanted, amount > fixed ? amount - fixed : 0,
			      each);
}

/*
 * Start a thread that blocks all signals, so that the first thread handles
 * them. Returns: HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_thread_start(pthread_t *thread,
					   void *(*run)(void *), void *argument,
					   struct hp_error *err);

/**
 * hp_threads_run() - share work among threads, and wait until it is done
 * @n:     number of threads, including the caller's
 * @run:   the function of each thread: it handles parts of the work until none
 *         is left. Its return value is ignored
 * @items: an array of @n items of @size bytes, one for each thread; the
 * caller's thread uses the first. If @size is 0, all threads get the same item.
 *
 * If a thread cannot be started, the other threads do its part of the work, and
 * its item is not used.
 */
void hp_threads_run(unsigned n, void *(*run)(void *), void *items, size_t size);

#endif
