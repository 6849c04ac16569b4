/*
 * agent_listen.h - wait for the connection of an hprof agent (net=HOST:PORT)
 *
 * One connection is accepted, before the process is confined. agent_receive.h
 * does the rest.
 */
#ifndef HP_CONVERT_AGENT_LISTEN_H
#define HP_CONVERT_AGENT_LISTEN_H

#include "common/cli/message.h"
#include "convert/agent_commands.h"

struct hp_agent_listen {
	const char *address; /* HOST:PORT, :PORT or PORT */
	const struct hp_agent_commands *commands;
	/* seconds between two sendings of the commands; 0: send once */
	uint64_t every;
	/* seconds without a byte after which to give up; 0: no limit */
	uint64_t idle;
	/* maximum duration of the connection, in seconds; 0: no limit */
	uint64_t most;
	uint64_t max_size; /* maximum number of bytes to receive; 0: no limit */
	/* --raw: do not add a missing HEAP DUMP END to the received bytes */
	bool raw;
	const struct hp_messages *messages;
};

struct hp_agent_connection {
	int fd; /* the socket of the agent; non-blocking */
	/*
	 * the pipe to the conversion: [0] to read from, [1] to write to,
	 * non-blocking
	 */
	int pipe[2];
};

/**
 * hp_agent_accept() - wait for the connection
 *
 * On success, signals are caught from now on, see agent_signals.h.
 * Returns: HP_OK; HP_IO with a message; HP_STOPPED: no agent connected in time.
 * Ownership: hp_agent_receive() takes over *@c. After a failure the caller
 * should end the process.
 */
HP_MUST_USE enum hp_status hp_agent_accept(const struct hp_agent_listen *l,
					   struct hp_agent_connection *c,
					   struct hp_error *err);

/* Returns the seconds of a monotonic clock. */
uint64_t hp_agent_seconds(void);

#endif
