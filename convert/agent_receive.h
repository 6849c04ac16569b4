/*
 * agent_receive.h - receive what an hprof agent sends, and pass it on in a pipe
 *
 * A thread receives, sends commands and keeps the time limits. The received
 * bytes, up to the end of the last complete record, go into a pipe. The
 * conversion reads the pipe like any other input, while more bytes arrive.
 * Bytes that are incomplete, or that nobody has read yet, wait in a temporary
 * file (agent_backlog.h). They must not wait in the agent, because it stops its
 * VM while it waits to send, and a record can have 4 GB. The agent waits only
 * if the disk is full.
 *
 * If the connection ends inside a heap dump made of segments, a HEAP DUMP END
 * is added, because the output must be a valid file and the agent cannot send
 * again.
 */
#ifndef HP_CONVERT_AGENT_RECEIVE_H
#define HP_CONVERT_AGENT_RECEIVE_H

#include "convert/agent_listen.h"

/* Why the connection ended. */
enum hp_agent_end {
	HP_AGENT_CLOSED,  /* the agent closed the connection */
	HP_AGENT_STOPPED, /* a signal or the time limit ended the connection */
	/* the connection was reset, or the agent was silent for too long */
	HP_AGENT_VANISHED,
	HP_AGENT_TOO_MUCH, /* the agent sent more than --max-size */
};

struct hp_agent_received {
	/* number of bytes up to the end of the last complete record */
	uint64_t bytes;
	/* number of bytes after the last complete record; they are dropped */
	uint64_t lost;
	bool heap_open; /* the connection ended before the HEAP DUMP END */
	enum hp_agent_end end;
};

struct hp_agent_receiver;

/**
 * hp_agent_receive() - start a thread that sends the commands and receives
 * @l: copied; the data that it points to must stay valid
 * @c: taken over, even after a failure
 * @fd: receives the end of the pipe to read from; the caller closes it
 *
 * Returns: HP_OK; HP_IO: no temporary file or no thread could be created;
 *          HP_NOMEM.
 * Ownership: call hp_agent_receiver_finish() after HP_OK.
 */
HP_MUST_USE enum hp_status hp_agent_receive(struct hp_agent_receiver **out,
					    const struct hp_agent_listen *l,
					    const struct hp_agent_connection *c,
					    int *fd, struct hp_error *err);

/**
 * hp_agent_receiver_finish() - end the thread and report how the connection
 * ended
 * @r: released; may be NULL
 *
 * Call this when nobody reads the pipe any more.
 * Returns: HP_OK, however the connection ended; HP_IO: received bytes could not
 *          be stored, so the pipe ended too early.
 */
HP_MUST_USE enum hp_status
hp_agent_receiver_finish(struct hp_agent_receiver *r,
			 struct hp_agent_received *out, struct hp_error *err);

#endif
