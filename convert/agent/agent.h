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

/* Read the next byte of the pipe. Returns false if there is none. */
bool hp_agent_signals_take(char *wake);

/* Add a byte as a signal would. Safe in all threads and in signal handlers. */
void hp_agent_signals_wake(enum hp_agent_wake wake);

/* ----------------------------------------------------------------------
 * A queue for received bytes that were not passed on yet
 *
 * The queue is a temporary file without a name. It is written at its end and
 * read from its front. When more bytes were read than are left, the rest moves
 * to the front. So the file has at most twice the size of the queue, plus 1
 * MiB.
 */

struct hp_agent_backlog {
	int fd;		 /* file descriptor; -1: not open */
	uint64_t read;	 /* offset in the file of the next byte to read */
	uint64_t length; /* size of the file, in bytes */
};

/* Returns HP_OK or HP_IO. Call hp_agent_backlog_close() in any case. */
HP_MUST_USE enum hp_status hp_agent_backlog_open(struct hp_agent_backlog *b,
						 struct hp_error *err);
void hp_agent_backlog_close(struct hp_agent_backlog *b);

/*
 * Append @n bytes. Returns HP_OK; HP_IO: the disk is full, and nothing was
 * added.
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

/* Remove the first @n bytes. Returns HP_OK or HP_IO. */
HP_MUST_USE enum hp_status hp_agent_backlog_drop(struct hp_agent_backlog *b,
						 uint64_t n,
						 struct hp_error *err);

/*
 * Move the queue to the front of the file and shrink the file. Needs no
 * additional disk space. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_agent_backlog_compact(struct hp_agent_backlog *b,
						    struct hp_error *err);

/* Returns the number of bytes in the queue. */
static inline uint64_t
hp_agent_backlog_bytes(const struct hp_agent_backlog *b)
{
	return b->length - b->read;
}

/* ----------------------------------------------------------------------
 * Encode commands for the socket of the hprof agent
 *
 * Format: u1 command | u4 sequence number | u4 body length | body; EOF is a
 * single byte. Numbers are big-endian, except the id of a thread, which the
 * agent reads in the byte order of its machine. Source: hprof_listener.c of
 * OpenJDK 8. It differs from the manual: 7 sets the depth, not 6, and 6 clears
 * the allocation sites.
 */

/* A list of commands, encoded as the bytes to send to the agent. */
struct hp_agent_commands {
	struct hp_buf bytes; /* the bytes to send, in order */
	/* name of a command that can end the VM; NULL: there is none */
	const char *dangerous;
	bool ends; /* the list ends with eof or exit */
};

/**
 * hp_agent_commands_parse() - parse a list, as
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
 * One connection is accepted, before the process is confined. receive.c
 * does the rest.
 */

struct hp_agent_listen {
	const char *address; /* HOST:PORT, :PORT or PORT */
	const struct hp_agent_commands *commands;
	/* seconds between two sendings of the commands; 0: send once */
	uint64_t every;
	/* seconds without a byte after which to give up; 0: no limit */
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
	int fd; /* the socket of the agent; non-blocking */
	/*
	 * the pipe to the conversion: [0] for reading, [1] for writing
	 * (non-blocking)
	 */
	int pipe[2];
};

/**
 * hp_agent_accept() - wait for the connection
 *
 * On success, signals are caught from now on, see signals.c.
 * Returns: HP_OK; HP_IO with a message; HP_STOPPED: no agent connected in time.
 * Ownership: hp_agent_receive() takes over *@c. After a failure the caller
 * should end the process.
 */
HP_MUST_USE enum hp_status hp_agent_accept(const struct hp_agent_listen *l,
					   struct hp_agent_connection *c,
					   struct hp_error *err);

/* Returns the seconds of a monotonic clock. */
uint64_t hp_agent_seconds(void);

/* ----------------------------------------------------------------------
 * Find how much of the received bytes is complete
 *
 * The bytes are those of the agent's file, binary or text, and arrive in pieces
 * of any size. This finds the end of the last record. In a text, it finds the
 * end of the last line outside of an open report.
 */

enum hp_agent_state {
	/* at the start of the stream, before its kind is known */
	HP_AGENT_START,
	HP_AGENT_HEADER,
	HP_AGENT_HEAD, /* inside the head of a record */
	HP_AGENT_BODY,
	HP_AGENT_TEXT,
	HP_AGENT_ODD, /* neither binary nor text: all bytes are passed on */
};

enum { HP_AGENT_LINE = 80 }; /* number of bytes of a line that are examined */

struct hp_agent_stream {
	enum hp_agent_state state;
	uint64_t taken; /* number of bytes that the stream has had so far */
	/* number of bytes up to the end of the last complete record */
	uint64_t whole;
	/* bytes of the current record or header that have not arrived yet */
	uint64_t left;
	unsigned n; /* number of bytes in the member head */
	uint8_t head[HP_AGENT_LINE];
	bool prologue; /* the text has begun, but its first report has not */
	bool inside;   /* the current line is inside a report of a text */
	/* a heap dump made of segments has begun and not ended */
	bool heap_open;
};

/* Process the next bytes. A zeroed stream is at its start. */
void hp_agent_stream_feed(struct hp_agent_stream *s, const uint8_t *bytes,
			  size_t n);

/* ----------------------------------------------------------------------
 * Receive what an hprof agent sends, and pass it on in a pipe
 *
 * A thread receives, sends commands and keeps the time limits. The received
 * bytes, up to the end of the last complete record, go into a pipe. The
 * conversion reads the pipe like any other input, while more bytes arrive.
 * Bytes that are incomplete, or that nobody has read yet, wait in a temporary
 * file (backlog.c). They must not wait in the agent, because it stops its
 * VM while it waits to send, and a record can have 4 GB. The agent waits only
 * if the disk is full.
 *
 * If the connection ends inside a heap dump made of segments, a HEAP DUMP END
 * is added, because the output must be a valid file and the agent cannot send
 * again.
 */

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
	/* number of bytes after the last complete record; they are discarded */
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
