/*
 * agent_receive.h - what an hprof agent sends, as a pipe to read from
 *
 * A thread receives, sends commands and keeps time. What it received, up to the
 * end of the last record, comes out of a pipe that is read as any other, so
 * that it is compressed, stripped, packed while more comes. What is not whole
 * yet, and what was not read yet, waits in a temporary file (agent_backlog.h),
 * not in the agent: a record can have 4 GB, and the agent holds up its VM while
 * it waits to send. Only on a full disk it has to.
 *
 * A heap dump of several segments that ends with the connection gets a HEAP
 * DUMP END: what came is to be a whole file, and cannot be had again.
 */
#ifndef HP_CONVERT_AGENT_RECEIVE_H
#define HP_CONVERT_AGENT_RECEIVE_H

#include "convert/agent_listen.h"

/* Why nothing more came. */
enum hp_agent_end {
	HP_AGENT_CLOSED,   /* by the agent */
	HP_AGENT_STOPPED,  /* by a signal, or after the time that was given */
	HP_AGENT_VANISHED, /* reset, or silent for too long */
	HP_AGENT_TOO_MUCH, /* more than --max-size */
};

struct hp_agent_received {
	uint64_t bytes; /* up to the end of the last record */
	uint64_t lost;	/* bytes behind it */
	bool heap_open; /* its heap dump has no end of its own */
	enum hp_agent_end end;
};

struct hp_agent_receiver;

/**
 * hp_agent_receive() - send the commands and receive, on a thread
 * @l:  copied; what it points to has to stay
 * @c:  taken over, also on a failure
 * @fd: the pipe's end to read from; the caller's
 *
 * Returns: HP_OK; HP_IO: no temporary file, or no thread; HP_NOMEM.
 * Ownership: hp_agent_receiver_finish() after HP_OK.
 */
HP_MUST_USE enum hp_status hp_agent_receive(struct hp_agent_receiver **out,
					    const struct hp_agent_listen *l,
					    const struct hp_agent_connection *c,
					    int *fd, struct hp_error *err);

/**
 * hp_agent_receiver_finish() - nobody reads any more: end, and tell how it was
 * @r: released; NULL is allowed
 *
 * Returns: HP_OK, however the agent ended; HP_IO: what it sent could not be
 *          kept, so the pipe ended before its time.
 */
HP_MUST_USE enum hp_status
hp_agent_receiver_finish(struct hp_agent_receiver *r,
			 struct hp_agent_received *out, struct hp_error *err);

#endif
