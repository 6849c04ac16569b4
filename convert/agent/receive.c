/*
 * receive.c - a thread that sends commands to the agent, receives its
 * dump, and writes the dump to a pipe for the conversion
 */
#include "convert/agent/agent.h"

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/format/format.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

enum { CHUNK = 64 << 10 };

struct hp_agent_receiver {
	struct hp_agent_listen listen;
	pthread_t thread;
	/* the conversion no longer reads the pipe */
	atomic_bool unread;

	/*
	 * The receiving thread alone uses the following members until it has
	 * ended.
	 */
	int fd;	  /* the socket of the agent; -1: closed */
	int pipe; /* the pipe to the conversion; -1: closed */
	struct hp_agent_stream stream;
	struct hp_agent_backlog backlog;
	/* number of received bytes that were already written to the pipe */
	uint64_t passed;
	/* bytes of commands to send to the agent */
	struct hp_buf waiting;
	/* number of bytes of `waiting` that were already sent */
	size_t sent;
	/*
	 * times in milliseconds: `begin` when the connection began, `heard`
	 * when the last byte arrived, `next` when to send the commands again
	 */
	uint64_t begin, heard, next;
	bool heap_ended;
	enum hp_agent_end end;
	enum hp_status status;
	struct hp_error error;
	/*
	 * number of bytes in the array `in` that could not yet be written to
	 * the temporary file
	 */
	size_t kept_back;
	uint8_t in[CHUNK], out[CHUNK];
};

/* ---- end the connection ---- */

/*
 * Send the command EOF to the agent. Without this command, the thread of the
 * agent that reads commands would loop forever after the end of the connection.
 */
static void
say_goodbye(int fd)
{
	static const char end = (char)0xFF;

	if (write(fd, &end, 1) < 0)
		return; /* the agent has already closed the connection */
}

/*
 * Stop receiving. Complete records that were received still go into the pipe.
 */
static void
end_receiving(struct hp_agent_receiver *r, enum hp_agent_end end)
{
	if (r->fd < 0)
		return;
	r->end = end;
	if (end != HP_AGENT_CLOSED)
		say_goodbye(r->fd);
	close(r->fd);
	r->fd = -1;
	/*
	 * The first SIGINT stops receiving. A second SIGINT then ends the
	 * process.
	 */
	hp_agent_signals_release();
}

/*
 * Close the pipe: either the conversion no longer reads it, or an error
 * prevents a valid output.
 */
static void
end_passing(struct hp_agent_receiver *r)
{
	end_receiving(r, HP_AGENT_STOPPED);
	if (r->pipe >= 0)
		close(r->pipe);
	r->pipe = -1;
}

/* ---- read from the agent, and send commands ---- */

static void
queue_commands(struct hp_agent_receiver *r)
{
	const struct hp_agent_listen *l = &r->listen;

	if (!l->commands || l->commands->bytes.len == 0)
		return;
	/*
	 * An agent can ignore the commands and not read them. So limit the
	 * number of bytes that wait to be sent.
	 */
	if (r->waiting.len - r->sent < (1 << 16))
		hp_buf_add(&r->waiting, l->commands->bytes.data,
			   l->commands->bytes.len);
	if (l->every)
		r->next = hp_agent_ms() + 1000 * l->every;
}

static void
take_signals(struct hp_agent_receiver *r)
{
	char c;

	while (hp_agent_signals_take(&c)) {
		if (c == HP_AGENT_WAKE_SEND)
			queue_commands(r);
		else if (c == HP_AGENT_WAKE_END)
			end_receiving(r, HP_AGENT_STOPPED);
	}
	if (atomic_load(&r->unread))
		end_passing(r);
}

static void
take_time(struct hp_agent_receiver *r)
{
	const struct hp_agent_listen *l = &r->listen;
	uint64_t t = hp_agent_ms();

	if (r->kept_back > 0)
		/*
		 * While received bytes wait for disk space, this thread reads
		 * nothing from the socket. Do not count this time as silence of
		 * the agent.
		 */
		r->heard = t;
	if (l->every && t >= r->next)
		queue_commands(r);
	if (l->most && t - r->begin >= 1000 * l->most)
		end_receiving(r, HP_AGENT_STOPPED);
	else if (l->idle && t - r->heard >= 1000 * l->idle)
		end_receiving(r, HP_AGENT_VANISHED);
}

static void
send_some(struct hp_agent_receiver *r)
{
	ssize_t n = write(r->fd, r->waiting.data + r->sent,
			  r->waiting.len - r->sent);

	if (n > 0)
		r->sent += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		/*
		 * discard all commands; the next read from the socket will
		 * report the failure
		 */
		r->sent = r->waiting.len;
	if (r->sent == r->waiting.len) {
		hp_buf_clear(&r->waiting);
		r->sent = 0;
	}
}

static void
receive_some(struct hp_agent_receiver *r)
{
	uint64_t most = r->listen.max_size, taken = r->stream.taken;
	ssize_t n = read(r->fd, r->in, CHUNK);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		end_receiving(r, n == 0 ? HP_AGENT_CLOSED : HP_AGENT_VANISHED);
		return;
	}
	r->heard = hp_agent_ms();
	if (most && (uint64_t)n > most - taken) {
		n = (ssize_t)(most - taken);
		end_receiving(r, HP_AGENT_TOO_MUCH);
	}
	r->kept_back = (size_t)n;
}

/*
 * Move the received bytes to the temporary file. If the disk is full, the bytes
 * stay in memory, and the agent must wait until the conversion has read more.
 * Returns HP_IO if the conversion has read everything but a single record still
 * fills the disk.
 */
static enum hp_status
store_received(struct hp_agent_receiver *r, struct hp_error *err)
{
	enum hp_status st;

	if (r->kept_back == 0)
		return HP_OK;
	st = hp_agent_backlog_add(&r->backlog, r->in, r->kept_back, err);
	if (st != HP_OK && r->stream.whole > r->passed)
		return HP_OK;
	if (st != HP_OK && r->backlog.read > 0) {
		st = hp_agent_backlog_compact(&r->backlog, err);
		if (st == HP_OK)
			st = hp_agent_backlog_add(&r->backlog, r->in,
						  r->kept_back, err);
	}
	if (st != HP_OK)
		return st;
	hp_agent_stream_feed(&r->stream, r->in, r->kept_back);
	r->kept_back = 0;
	return HP_OK;
}

/* ---- write to the pipe ---- */

static bool
must_end_heap(const struct hp_agent_receiver *r)
{
	return r->fd < 0 && r->kept_back == 0 && r->stream.heap_open &&
	       !r->listen.raw && !r->heap_ended;
}

static bool
has_to_pass(const struct hp_agent_receiver *r)
{
	return r->stream.whole > r->passed || must_end_heap(r);
}

static enum hp_status
pass_some(struct hp_agent_receiver *r, struct hp_error *err)
{
	static const uint8_t heap_end[9] = {HP_REC_HEAP_DUMP_END};
	uint64_t left = r->stream.whole - r->passed;
	size_t n = left < CHUNK ? (size_t)left : CHUNK, got;
	enum hp_status st =
		hp_agent_backlog_peek(&r->backlog, r->out, n, &got, err);
	ssize_t put;

	if (st != HP_OK)
		return st;
	/* A pipe takes either all of these few bytes or none of them. */
	if (n == 0)
		put = write(r->pipe, heap_end, sizeof(heap_end));
	else
		put = write(r->pipe, r->out, got);
	if (put > 0 && n == 0) {
		r->heap_ended = true;
	} else if (put > 0) {
		r->passed += (uint64_t)put;
		st = hp_agent_backlog_drop(&r->backlog, (uint64_t)put, err);
	} else if (put < 0 && errno != EAGAIN && errno != EINTR) {
		/* the pipe has no reader: the conversion has ended */
		end_passing(r);
	}
	return st;
}

/* ---- the main loop of the thread that receives ---- */

static enum hp_status
handle_event(struct hp_agent_receiver *r, struct hp_error *err)
{
	struct pollfd p[3] = {{r->kept_back ? -1 : r->fd, POLLIN, 0},
			      {hp_agent_signals_fd(), POLLIN, 0},
			      {has_to_pass(r) ? r->pipe : -1, POLLOUT, 0}};
	const struct hp_agent_listen *l = &r->listen;
	bool timed = r->fd >= 0 && (l->every || l->idle || l->most);
	enum hp_status st = HP_OK;

	if (r->waiting.len > r->sent)
		p[0].events |= POLLOUT;
	poll(p, HP_ARRAY_LEN(p), timed ? 250 : -1);
	take_signals(r);
	if (r->fd >= 0 && p[0].revents & POLLOUT)
		send_some(r);
	if (r->fd >= 0 && p[0].revents & (POLLIN | POLLHUP | POLLERR))
		receive_some(r);
	if (r->fd >= 0)
		take_time(r);
	if (r->pipe >= 0 && p[2].revents)
		st = pass_some(r, err);
	return st == HP_OK ? store_received(r, err) : st;
}

static void *
receiver_main(void *argument)
{
	struct hp_agent_receiver *r = argument;

	queue_commands(r);
	while (r->status == HP_OK && r->pipe >= 0 &&
	       (r->fd >= 0 || r->kept_back > 0 || has_to_pass(r)))
		r->status = handle_event(r, &r->error);
	end_passing(r);
	return NULL;
}

static void
receiver_free(struct hp_agent_receiver *r)
{
	hp_agent_backlog_close(&r->backlog);
	hp_buf_release(&r->waiting);
	hp_free(r);
}

enum hp_status
hp_agent_receive(struct hp_agent_receiver **out,
		 const struct hp_agent_listen *l,
		 const struct hp_agent_connection *c, int *fd,
		 struct hp_error *err)
{
	struct hp_agent_receiver *r = hp_calloc(1, sizeof(*r));
	enum hp_status st =
		r ? hp_agent_backlog_open(&r->backlog, err) : hp_no_memory(err);

	*out = NULL;
	if (st == HP_OK) {
		r->listen = *l;
		r->fd = c->fd;
		r->pipe = c->pipe[1];
		r->begin = r->heard = hp_agent_ms();
		st = hp_thread_start(&r->thread, receiver_main, r, err);
	}
	if (st != HP_OK) {
		say_goodbye(c->fd);
		close(c->fd);
		close(c->pipe[0]);
		close(c->pipe[1]);
		hp_agent_signals_release();
		if (r)
			receiver_free(r);
		return st;
	}
	*fd = c->pipe[0];
	*out = r;
	return HP_OK;
}

enum hp_status
hp_agent_receiver_finish(struct hp_agent_receiver *r,
			 struct hp_agent_received *out, struct hp_error *err)
{
	enum hp_status st;

	*out = (struct hp_agent_received){0};
	if (!r)
		return HP_OK;
	atomic_store(&r->unread, true);
	hp_agent_signals_wake(HP_AGENT_WAKE_LOOK);
	pthread_join(r->thread, NULL);
	*out = (struct hp_agent_received){.bytes = r->stream.whole,
					  .lost = r->stream.taken -
						  r->stream.whole,
					  .heap_open = r->stream.heap_open,
					  .end = r->end};
	st = r->status;
	if (st != HP_OK)
		*err = r->error;
	receiver_free(r);
	return st;
}
