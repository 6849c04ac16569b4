/*
 * signals.c - a handler for SIGINT and SIGTERM: it writes a byte into a pipe,
 * and so wakes up poll()
 */
#include "convert/agent/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM};

static int wake[2] = {-1, -1};
static struct sigaction before[HP_ARRAY_LEN(caught)];
static bool catching;

void
hp_agent_signals_wake(enum hp_agent_wake what)
{
	const int saved = errno;
	const char c = (char)what;

	if (write(wake[1], &c, 1) < 0)
		/*
		 * Ignore the error. Only a full pipe can cause it, and a full
		 * pipe also wakes up poll().
		 */
		errno = saved;
	errno = saved;
}

static void
on_signal(int number)
{
	hp_agent_signals_wake(number == SIGUSR1 ? HP_AGENT_WAKE_SEND
						: HP_AGENT_WAKE_END);
}

bool
hp_agent_signals_catch(void)
{
	struct sigaction a = {.sa_handler = on_signal};

	if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
		return false;
	sigemptyset(&a.sa_mask);
	sigaction(SIGUSR1, &a, NULL);
	for (size_t i = 0; i < HP_ARRAY_LEN(caught); i++)
		sigaction(caught[i], &a, &before[i]);
	catching = true;
	return true;
}

/*
 * Restore the handlers, but keep the pipe open, because a signal handler may
 * still run on another thread.
 */
void
hp_agent_signals_release(void)
{
	if (!catching)
		return;
	catching = false;
	signal(SIGUSR1, SIG_IGN);
	for (size_t i = 0; i < HP_ARRAY_LEN(caught); i++)
		sigaction(caught[i], &before[i], NULL);
}

int
hp_agent_signals_fd(void)
{
	return wake[0];
}

bool
hp_agent_signals_take(char *what)
{
	return read(wake[0], what, 1) == 1;
}
