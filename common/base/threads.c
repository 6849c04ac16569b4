/*
 * threads.c - threads that leave all signals to the others
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
	/* those of the thread's own doing: window.c mends a SIGBUS */
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

enum hp_status
hp_threads_run(unsigned n, void *(*run)(void *), void *items, size_t size,
	       struct hp_error *err)
{
	pthread_t *others = calloc(n, sizeof(*others));
	enum hp_status st = HP_OK;
	unsigned started = 1;

	if (!others)
		return hp_fail(err, HP_NOMEM, "out of memory");
	while (started < n && st == HP_OK) {
		st = hp_thread_start(&others[started], run,
				     (char *)items + started * size, err);
		started += st == HP_OK;
	}
	run(items);
	while (--started > 0)
		pthread_join(others[started], NULL);
	free(others);
	return st;
}
