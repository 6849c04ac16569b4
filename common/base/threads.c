/*
 * threads.c - threads that block all signals, so that the main thread gets them
 */
#include "common/base/threads.h"
#include "common/base/memory.h"

#include <errno.h>
#include <signal.h>

/*
 * The function that a new thread runs, and its argument. The thread that starts
 * the new thread owns this struct.
 */
struct start {
	void *(*run)(void *);
	void *argument;
	struct hp_memory *memory;
};

static void *
run_in_memory(void *argument)
{
	struct start start = *(struct start *)argument;

	hp_memory_enter(start.memory);
	hp_free(argument);
	return start.run(start.argument);
}

enum hp_status
hp_thread_start(pthread_t *thread, void *(*run)(void *), void *argument,
		struct hp_error *err)
{
	struct start *start = hp_malloc(sizeof(*start));
	sigset_t all, before;
	int failed;

	if (!start)
		return hp_no_memory(err);
	*start = (struct start){run, argument, hp_memory_now()};
	sigfillset(&all);
	/*
	 * Signals for faults are not blocked, because the thread that causes a
	 * fault must receive the signal. io/window.c handles SIGBUS.
	 */
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGFPE);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(thread, NULL, run_in_memory, start);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed)
		hp_free(start);
	errno = failed;
	return failed ? hp_fail(err, HP_IO, "cannot start a thread: %m")
		      : HP_OK;
}

void
hp_threads_run(unsigned n, void *(*run)(void *), void *items, size_t size)
{
	pthread_t *others = n > 1 ? hp_calloc(n, sizeof(*others)) : NULL;
	unsigned started = 1;

	while (others && started < n &&
	       hp_thread_start(&others[started], run,
			       (char *)items + started * size, NULL) == HP_OK)
		started++;
	run(items);
	while (--started > 0)
		pthread_join(others[started], NULL);
	hp_free(others);
}
