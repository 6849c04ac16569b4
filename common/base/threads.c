/*
 * threads.c - threads that block all signals, so that the main thread gets them
 */
#include "common/base/threads.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum hp_status
hp_thread_start(pthread_t *thread, void *(*run)(void *), void *argument,
		struct hp_error *err)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	/* a thread must get its own SIGBUS: window.c handles it */
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGFPE);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(thread, NULL, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = failed;
	return failed ? hp_fail(err, HP_IO, "cannot start a thread: %m")
		      : HP_OK;
}

void
hp_threads_run(unsigned n, void *(*run)(void *), void *items, size_t size)
{
	pthread_t *others = calloc(n, sizeof(*others));
	unsigned started = 1;

	while (others && started < n &&
	       hp_thread_start(&others[started], run,
			       (char *)items + started * size, NULL) == HP_OK)
		started++;
	run(items);
	while (--started > 0)
		pthread_join(others[started], NULL);
	free(others);
}
