/*
 * agent_listen.h - what an hprof agent sends over the network (net=HOST:PORT)
 *
 * The agent connects; one connection is taken, before the process is confined.
 * What comes goes to a nameless temporary file, so that a slow conversion never
 * holds up the VM, and is cut behind its last record.
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
	const struct hp_messages *messages;
};

/* Why nothing more came. */
enum hp_agent_end {
	HP_AGENT_CLOSED,   /* by the agent */
	HP_AGENT_STOPPED,  /* by a signal, or after the time that was given */
	HP_AGENT_VANISHED, /* reset, or silent for too long */
	HP_AGENT_TOO_MUCH, /* more than --max-size */
};

struct hp_agent_received {
	int fd;		/* of a file with what came, up to the last record */
	uint64_t bytes; /* in it */
	uint64_t lost;	/* bytes behind the last record */
	enum hp_agent_end end;
};

/**
 * hp_agent_accept() - wait for the connection
 * @fd: the caller's, for hp_agent_receive()
 *
 * Returns: HP_OK; HP_IO (the text says what); HP_STOPPED: nobody came in time.
 */
HP_MUST_USE enum hp_status hp_agent_accept(const struct hp_agent_listen *l,
					   int *fd, struct hp_error *err);

/**
 * hp_agent_receive() - send the commands and take what comes, to the end
 * @fd: closed
 *
 * Returns: HP_OK, however it ended: out->end says; HP_IO (the file).
 * Ownership: the caller closes out->fd after HP_OK.
 */
HP_MUST_USE enum hp_status hp_agent_receive(const struct hp_agent_listen *l,
					    int fd,
					    struct hp_agent_received *out,
					    struct hp_error *err);

#endif
