/*
 * agent_signals.h - deliver signals as bytes in a pipe, for poll()
 *
 * While hprof-convert listens to an agent, SIGUSR1 sends the commands again.
 * SIGINT and SIGTERM stop receiving, and the received data is saved.
 */
#ifndef HP_CONVERT_AGENT_SIGNALS_H
#define HP_CONVERT_AGENT_SIGNALS_H

#include "common/base/status.h"

enum hp_agent_wake {
	HP_AGENT_WAKE_SEND = 's', /* sent by SIGUSR1: send the commands again */
	/* sent by SIGINT and SIGTERM: stop receiving */
	HP_AGENT_WAKE_END = 'e',
	/*
	 * sent by hp_agent_receiver_finish(): check whether the pipe is still
	 * read
	 */
	HP_AGENT_WAKE_LOOK = 'l',
};

/*
 * Start to catch the signals. Returns false, with errno set, if no pipe could
 * be created.
 */
bool hp_agent_signals_catch(void);

/*
 * Restore the previous handlers, but ignore SIGUSR1. Calling this twice is
 * harmless.
 */
void hp_agent_signals_release(void);

/* Returns the file descriptor to poll for reading. */
int hp_agent_signals_fd(void);

/* Read the next byte. Returns false if there is none. */
bool hp_agent_signals_take(char *wake);

/* Add a byte as a signal would. Safe in all threads and in signal handlers. */
void hp_agent_signals_wake(enum hp_agent_wake wake);

#endif
