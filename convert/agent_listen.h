/*
 * agent_listen.h - a connection that an hprof agent makes (net=HOST:PORT)
 *
 * One is taken, before the process is confined; agent_receive.h has the rest.
 */
#ifndef HP_CONVERT_AGENT_LISTEN_H
#define HP_CONVERT_AGENT_LISTEN_H

#include "common/cli/message.h"
#include "convert/agent_commands.h"

struct hp_agent_listen {
	const char *address; /* HOST:PORT, :PORT or PORT */
	const struct hp_agent_commands *commands;
	uint64_t every;	   /* seconds from one sending to the next; 0: once */
	uint64_t idle;	   /* seconds without a byte; 0: any number */
	uint64_t most;	   /* seconds of the connection; 0: any number */
	uint64_t max_size; /* bytes; 0: any number */
	bool raw;	   /* nothing is added to what comes */
	const struct hp_messages *messages;
};

struct hp_agent_connection {
	int fd;	     /* the agent's; never blocks */
	int pipe[2]; /* to the conversion: what it reads; what is written to,
			which never blocks */
};

/**
 * hp_agent_accept() - wait for the connection
 *
 * From now on signals are caught (agent_signals.h), unless this fails.
 * Returns: HP_OK; HP_IO (the text says what); HP_STOPPED: nobody came in time.
 * Ownership: hp_agent_receive() takes *@c over. After a failure the process is
 *            expected to end.
 */
HP_MUST_USE enum hp_status hp_agent_accept(const struct hp_agent_listen *l,
					   struct hp_agent_connection *c,
					   struct hp_error *err);

/* Seconds of a clock that only goes forward. */
uint64_t hp_agent_seconds(void);

#endif
