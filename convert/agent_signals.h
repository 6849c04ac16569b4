/*
 * agent_signals.h - signals as bytes that a poll can wait for
 *
 * While an agent is listened to SIGUSR1 sends the commands once more, SIGINT
 * and SIGTERM end the receiving, and what came is saved.
 */
#ifndef HP_CONVERT_AGENT_SIGNALS_H
#define HP_CONVERT_AGENT_SIGNALS_H

#include "common/base/status.h"

enum hp_agent_wake {
	HP_AGENT_WAKE_SEND = 's', /* SIGUSR1 */
	HP_AGENT_WAKE_END = 'e',  /* SIGINT, SIGTERM */
	HP_AGENT_WAKE_LOOK = 'l', /* at something else that was changed */
};

/* From now on. False, with errno: no pipe is to be had. */
bool hp_agent_signals_catch(void);

/* They do again what they did before; but SIGUSR1 is ignored. Twice is fine. */
void hp_agent_signals_release(void);

/* What to poll for reading. */
int hp_agent_signals_fd(void);

/* The next byte; false: there is none. */
bool hp_agent_signals_take(char *wake);

/* As if a signal had come; from any thread, and from handlers. */
void hp_agent_signals_wake(enum hp_agent_wake wake);

#endif
