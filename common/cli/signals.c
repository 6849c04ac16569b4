/*
 * signals.c - remove temporary files when a signal ends the program
 *
 * The list of temporary files is in common/sink (hp_sink_unlink_all()).
 */
#include "common/cli/resources.h"

#include <signal.h>
#include <unistd.h>

#include "common/sink/sink.h"

/*
 * The signal handler: remove the temporary files, and send the signal to this
 * process again. The system has removed the handler when it called it, and the
 * signal is blocked until this function returns. So when the function returns,
 * the signal ends the process with the right status. raise() is not used,
 * because in musl it needs a system call that the sandbox forbids.
 */
static void
end_by_signal(int number)
{
	hp_sink_unlink_all();
	kill(getpid(), number);
}

/* SIGPIPE was already ignored when the program began, for example by nohup */
static bool pipe_ignored;

void
hp_signals_install(void)
{
	/*
	 * The signals that end a process by default, except those for faults
	 * such as SIGSEGV.
	 */
	static const int ends[] = {SIGINT,  SIGTERM,   SIGHUP,	SIGQUIT,
				   SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
				   SIGUSR1, SIGUSR2,   SIGPOLL};
	struct sigaction end = {.sa_handler = end_by_signal,
				.sa_flags = (int)SA_RESETHAND};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction old;

	sigemptyset(&ignore.sa_mask);
	sigfillset(&end.sa_mask);
	for (size_t i = 0; i < HP_ARRAY_LEN(ends); i++) {
		if (sigaction(ends[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(ends[i], &end, NULL);
	}
	if (sigaction(SIGPIPE, &ignore, &old) == 0)
		pipe_ignored = old.sa_handler == SIG_IGN;
	sigaction(SIGXFSZ, &ignore, NULL);
}

void
hp_signals_end_closed(const struct hp_error *err)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t pipe;

	if (err->status != HP_CLOSED || pipe_ignored)
		return;
	hp_sink_unlink_all();
	sigemptyset(&usual.sa_mask);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigaction(SIGPIPE, &usual, NULL);
	sigprocmask(SIG_UNBLOCK, &pipe, NULL);
	raise(SIGPIPE);
	/*
	 * This line is reached only if SIGPIPE did not end the process, for
	 * example because it is the first process of a container.
	 */
	_exit(128 + SIGPIPE);
}
