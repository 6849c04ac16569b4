/*
 * agent.h - receive dumps from agents, and send them commands
 */
#ifndef HP_CONVERT_AGENT_H
#define HP_CONVERT_AGENT_H

#include "common/base/buf.h"
#include "common/base/status.h"
#include "common/cli/message.h"

/* ----------------------------------------------------------------------
 * Deliver signals as bytes in a pipe, for poll()
 *
 * While hprof-convert listens to an agent, SIGUSR1 sends the commands again.
 * SIGINT and SIGTERM stop receiving, and the received data is saved.
 */

enum hp_agent_wake {
	/* SIGUSR1: send the commands to the agent again */
	HP_AGENT_WAKE_SEND = 's',
	/*
	 * sent by SIGINT and SIGTERM: stop receiving, and save the data
	 * received so far
	 */
	HP_AGENT_WAKE_END = 'e',
	/*
	 * hp_agent_receiver_finish() was called: the conversion no longer reads
	 * its pipe, so the receiving thread must check this and end
	 */
	HP_AGENT_WAKE_LOOK = 'l',
};

/*
 * Install the handlers for SIGUSR1, SIGINT and SIGTERM. Returns false, with
 * errno set, if no pipe could be created.
 */
bool hp_agent_signals_catch(void);

/*
 * Restore the previous signal handlers, but ignore SIGUSR1. Calling this twice
 * is harmless.
 */
void hp_agent_signals_release(void);

/* Returns the read end of the pipe, for poll(). */
int hp_agent_signals_fd(void);

/*
 * Read the next byte of the pipe into *@wake: an enum hp_agent_wake. Returns
 * false if the pipe is empty.
 */
bool hp_agent_signals_take(char *wake);

/*
 * Write the byte @wake into the pipe, as a signal handler would do. Any thread
 * and any signal handler may call this.
 */
void hp_agent_signals_wake(enum hp_agent_wake wake);

/*
 * ----------------------------------------------------------------------
 * A queue for received bytes that were not passed on yet
 *
 * The queue is a temporary file without a name. New bytes are appended at the
 * end of the file, and the queue is read from the front. If the file contains
 * more bytes that were already read than unread bytes, the unread bytes move to
 * the front of the file. So the file has at most twice the size of the queue,
 * plus 1 MiB.
 */

struct hp_agent_backlog {
	int fd; /* descriptor of the temporary file; -1: the file is not open */
	/* offset in the temporary file of the next byte to read */
	uint64_t read;
	uint64_t length;
};

/*
 * Create the temporary file of an empty queue. Returns HP_OK or HP_IO. Call
 * hp_agent_backlog_close() in any case.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_open(struct hp_agent_backlog *b,
						 struct hp_error *err);
void hp_agent_backlog_close(struct hp_agent_backlog *b);

/*
 * Append @n bytes to the queue. Returns HP_OK; HP_IO: the disk is full, and
 * nothing was added.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_add(struct hp_agent_backlog *b,
						const void *bytes, size_t n,
						struct hp_error *err);

/*
 * Copy up to @n bytes from the front of the queue, without removing them.
 * Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status
hp_agent_backlog_peek(const struct hp_agent_backlog *b, void *bytes, size_t n,
		      size_t *got, struct hp_error *err);

/* Remove the first @n bytes of the queue. Returns HP_OK or HP_IO. */
HP_MUST_USE enum hp_status hp_agent_backlog_drop(struct hp_agent_backlog *b,
						 uint64_t n,
						 struct hp_error *err);

/*
 * Move the unread bytes to the front of the file, and shorten the file. This
 * needs no additional disk space. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_compact(struct hp_agent_backlog *b,
						    struct hp_error *err);

/* Returns the number of bytes in the queue. */
static inline uint64_t
hp_agent_backlog_bytes(const struct hp_agent_backlog *b)
{
	return b->length - b->read;
}

/*
 * ----------------------------------------------------------------------
 * Encode commands for the socket of the hprof agent
 *
 * Format: u1 command | u4 sequence number | u4 body length | body; EOF is a
 * single byte. Numbers are big-endian, except the id of a thread, which the
 * agent reads in the byte order of its machine. Source: hprof_listener.c of
 * OpenJDK 8. The manual of the agent confuses two commands: really, command 7
 * sets the depth of stack traces, and command 6 clears the allocation sites.
 */

struct hp_agent_commands {
	struct hp_buf bytes; /* the bytes to send to the agent, in order */
	/*
	 * name of the first command in the list that can end the VM, for a
	 * warning; NULL: there is none
	 */
	const char *dangerous;
	/*
	 * the list ends with the command eof or exit, so the agent closes the
	 * connection
	 */
	bool ends;
};

/**
 * hp_agent_commands_parse() - parse a list of commands, for example
 * "dump-heap,alloc-sites:2:0.01,eof"
 *
 * Names: gc, dump-heap, alloc-sites[:FLAGS[:CUTOFF]], heap-summary, exit,
 * dump-traces, cpu-samples[:CUTOFF], traces-on, traces-off,
 * samples-on[:THREAD[:le|be]], samples-off[:THREAD[:le|be]], clear-samples,
 * clear-sites, depth:N, eof.
 * Returns: HP_OK; HP_DAMAGED with a message; HP_NOMEM.
 * Ownership: call hp_buf_release() on out->bytes in any case.
 */
HP_MUST_USE enum hp_status
hp_agent_commands_parse(const char *list, struct hp_agent_commands *out,
			struct hp_error *err);

/* ----------------------------------------------------------------------
 * Wait for the connection of an hprof agent (net=HOST:PORT)
 *
 * hprof-convert accepts one connection, before it enters its sandbox. receive.c
 * then reads from the connection.
 */

struct hp_agent_listen {
	/* the address to listen on: HOST:PORT, :PORT or PORT */
	const char *address;
	const struct hp_agent_commands *commands;
	/*
	 * interval in seconds at which the commands are sent again
	 * (--send-every); 0: send the commands only once
	 */
	uint64_t every;
	/*
	 * the connection ends after this many seconds without a byte from the
	 * agent; 0: no limit
	 */
	uint64_t idle;
	/* maximum duration of the connection in seconds; 0: no limit */
	uint64_t most;
	/* maximum number of bytes to receive (--max-size); 0: no limit */
	uint64_t max_size;
	/* --raw: do not add a missing HEAP DUMP END to the received bytes */
	bool raw;
	const struct hp_messages *messages;
};

struct hp_agent_connection {
	int fd; /* the socket that is connected to the agent; non-blocking */
	/*
	 * The pipe through which the receiving thread passes the bytes to the
	 * conversion: [0] for reading, [1] for writing (non-blocking).
	 */
	int pipe[2];
};

/**
 * hp_agent_accept() - wait until an agent connects
 *
 * On success, the signals SIGUSR1, SIGINT and SIGTERM are caught from now on,
 * see signals.c.
 * Returns: HP_OK; HP_IO with a message; HP_STOPPED: no agent connected in time.
 * Ownership: hp_agent_receive() takes over *@c. After a failure the caller
 * should end the process.
 */
HP_MUST_USE enum hp_status hp_agent_accept(const struct hp_agent_listen *l,
					   struct hp_agent_connection *c,
					   struct hp_error *err);

/* Returns the time of a monotonic clock, in milliseconds. */
uint64_t hp_agent_ms(void);

/*
 * ----------------------------------------------------------------------
 * Find how much of the received bytes is complete
 *
 * The agent sends a binary dump or a text, in pieces of any size. In a binary
 * dump, these functions find the end of the last complete record. In a text,
 * they find the end of the last complete report, or of the last complete line
 * that is not in a report.
 */

enum hp_agent_state {
	/*
	 * at the start of the stream: it is not yet known whether the stream is
	 * binary or text
	 */
	HP_AGENT_START,
	HP_AGENT_HEADER,
	/* inside the head of a record: the 9 bytes with tag, time and length */
	HP_AGENT_HEAD,
	HP_AGENT_BODY,
	HP_AGENT_TEXT,
	/*
	 * the stream is neither a binary dump nor a text, so all bytes are
	 * passed on
	 */
	HP_AGENT_ODD,
};

/*
 * How many bytes at the start of a text line are examined, to recognise the
 * beginning or the end of a report.
 */
enum { HP_AGENT_LINE = 80 };

/* Which part of the agent's text contains a line. */
enum hp_agent_place {
	HP_AGENT_BETWEEN,  /* in no report: the text may end here */
	HP_AGENT_PROLOGUE, /* before the first report */
	HP_AGENT_INSIDE,   /* inside a report */
};

struct hp_agent_stream {
	enum hp_agent_state state;
	/* number of bytes passed to hp_agent_stream_feed() so far */
	uint64_t taken;
	/* number of bytes up to the end of the last complete record */
	uint64_t whole;
	/*
	 * number of bytes of the current header or record that have not arrived
	 * yet
	 */
	uint64_t left;
	/* number of bytes that the array `head` contains */
	unsigned n;
	uint8_t head[HP_AGENT_LINE];
	/* where the current line of the agent's text is */
	enum hp_agent_place place;
	/*
	 * the beginning of a heap dump in segments has arrived, but not its
	 * HEAP DUMP END
	 */
	bool heap_open;
};

/*
 * Examine the next @n bytes from the agent. At the start of the stream, *@s
 * must be zeroed.
 */
void hp_agent_stream_feed(struct hp_agent_stream *s, const uint8_t *bytes,
			  size_t n);

/*
 * ----------------------------------------------------------------------
 * Receive what an hprof agent sends, and pass it on in a pipe
 *
 * One thread receives the bytes, sends the commands and watches the time
 * limits. The received bytes, up to the end of the last complete record, go
 * into a pipe. The conversion reads the pipe like any other input, while more
 * bytes arrive. Bytes of an incomplete record, and bytes that the conversion
 * has not read yet, wait in a temporary file (backlog.c), because a record can
 * have 4 GB. The agent stops its VM until all bytes are sent. So the thread
 * always accepts the bytes, unless the disk is full.
 *
 * If the connection ends inside a heap dump made of segments, the thread adds a
 * HEAP DUMP END. This makes the output valid; the agent cannot send the dump
 * again.
 */

/* Why the connection ended. */
enum hp_agent_end {
	HP_AGENT_CLOSED, /* the agent closed the connection */
	/* SIGINT, SIGTERM or the time limit ended the connection */
	HP_AGENT_STOPPED,
	/* the connection was reset, or the agent sent nothing for too long */
	HP_AGENT_VANISHED,
	HP_AGENT_TOO_MUCH, /* the agent sent more than --max-size */
};

struct hp_agent_received {
	/* number of received bytes up to the end of the last complete record */
	uint64_t bytes;
	/*
	 * number of received bytes after the last complete record; these bytes
	 * are discarded
	 */
	uint64_t lost;
	/* the connection ended inside a heap dump, before its HEAP DUMP END */
	bool heap_open;
	enum hp_agent_end end;
};

struct hp_agent_receiver;

/**
 * hp_agent_receive() - start a thread that sends the commands and receives the
 * dump
 * @l: copied; the data to which its members point must stay valid
 * @c: taken over, even after a failure
 * @fd: receives the descriptor from which the caller reads the dump; the caller
 *      closes it
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
 * Call this when the conversion no longer reads the pipe.
 * Returns: HP_OK, however the connection ended; HP_IO: received bytes could not
 *          be stored, so the pipe ended too early.
 */
HP_MUST_USE enum hp_status
hp_agent_receiver_finish(struct hp_agent_receiver *r,
			 struct hp_agent_received *out, struct hp_error *err);

#endif
