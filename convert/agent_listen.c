/*
 * agent_listen.c - one connection: commands out, the agent's file in
 *
 * After the connection was taken only what a confined process may do is done:
 * poll, read, write. A signal becomes a byte in a pipe: SIGUSR1 sends the
 * commands once more, SIGINT and SIGTERM end the receiving, and what came is
 * saved.
 */
#include "convert/agent_listen.h"

#include "common/cli/signals.h"
#include "common/io/anon_file.h"
#include "convert/agent_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 64 << 10 };

static int wake[2] = {-1, -1}; /* of the signals' handler */

struct session {
	const struct hp_agent_listen *listen;
	struct hp_agent_stream stream;
	struct hp_agent_received *out;
	struct hp_buf waiting; /* commands that are not sent yet */
	size_t sent;
	uint64_t begin, heard, next; /* seconds */
	int fd;
	uint8_t *chunk;
	bool over, stopping;
};

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec;
}

/* ---- signals ---- */

static void
on_signal(int number)
{
	const int saved = errno;
	const char c = number == SIGUSR1 ? 's' : 'e';

	if (write(wake[1], &c, 1) < 0)
		errno = saved; /* full: there are enough in it */
	errno = saved;
}

static bool
catch_signals(void)
{
	struct sigaction a = {.sa_handler = on_signal};

	if (wake[0] < 0 && pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
		return false;
	sigemptyset(&a.sa_mask);
	sigaction(SIGUSR1, &a, NULL);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	return true;
}

static void
release_signals(void)
{
	signal(SIGUSR1, SIG_IGN);
	hp_signals_install();
	for (int i = 0; i < 2; i++) {
		close(wake[i]);
		wake[i] = -1;
	}
}

/* ---- the address ---- */

/* Of HOST:PORT, [HOST]:PORT, :PORT or PORT; false: it is none. */
static bool
split_address(const char *text, char host[256], const char **port)
{
	const char *colon = strrchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : 0;

	*port = colon ? colon + 1 : text;
	if (n >= 2 && text[0] == '[' && text[n - 1] == ']') {
		text++;
		n -= 2;
	}
	if (n >= 256 || **port == '\0' ||
	    strspn(*port, "0123456789") != strlen(*port))
		return false;
	memcpy(host, text, n);
	host[n] = '\0';
	if (n == 0) /* only this machine, unless another is named */
		strcpy(host, "127.0.0.1");
	return true;
}

static int
bind_one(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC,
			a->ai_protocol);
	const int on = 1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, 1) == 0)
		return fd;
	close(fd);
	return -1;
}

static enum hp_status
open_listener(const char *address, int *fd, struct hp_error *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
				       .ai_flags = AI_PASSIVE};
	struct addrinfo *list, *a;
	char host[256];
	const char *port;
	int code;

	if (!split_address(address, host, &port))
		return hp_fail(err, HP_IO, "expected HOST:PORT, or PORT");
	code = getaddrinfo(host, port, &hints, &list);
	if (code != 0)
		return hp_fail(err, HP_IO, "%s", gai_strerror(code));
	*fd = -1;
	for (a = list; a && *fd < 0; a = a->ai_next)
		*fd = bind_one(a);
	code = errno;
	freeaddrinfo(list);
	return *fd >= 0 ? HP_OK
			: hp_fail(err, HP_IO, "cannot listen: %s",
				  strerror(code));
}

/* The port may have been 0: say which one it is. */
static void
tell_address(const struct hp_agent_listen *l, int fd)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof(a);
	char host[256], port[32];

	if (getsockname(fd, (struct sockaddr *)&a, &n) == 0 &&
	    getnameinfo((struct sockaddr *)&a, n, host, sizeof(host), port,
			sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) == 0)
		hp_message(l->messages, HP_MESSAGE_NOTE, NULL,
			   "listening on %s:%s for an agent (net=%s:%s)", host,
			   port, host, port);
}

/* The first that connects. */
static enum hp_status
take_first(const struct hp_agent_listen *l, int listener, int *fd,
	   struct hp_error *err)
{
	uint64_t begin = now();

	for (;;) {
		struct pollfd p[2] = {{listener, POLLIN, 0},
				      {wake[0], POLLIN, 0}};
		char c = 0;

		if (l->most && now() - begin >= l->most)
			return hp_fail(err, HP_STOPPED,
				       "no agent connected in %llu seconds",
				       (unsigned long long)l->most);
		poll(p, 2, l->most ? 250 : -1);
		if (read(wake[0], &c, 1) == 1 && c == 'e')
			return hp_fail(err, HP_STOPPED,
				       "stopped before an agent connected");
		if (!(p[0].revents & POLLIN))
			continue;
		*fd = accept4(listener, NULL, NULL,
			      SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (*fd >= 0)
			return HP_OK;
		if (errno != EINTR && errno != ECONNABORTED)
			return hp_fail(err, HP_IO, "cannot accept: %s",
				       strerror(errno));
	}
}

enum hp_status
hp_agent_accept(const struct hp_agent_listen *l, int *fd, struct hp_error *err)
{
	int listener = -1;
	enum hp_status st;

	if (!catch_signals())
		return hp_fail(err, HP_IO, "no pipe: %s", strerror(errno));
	st = open_listener(l->address, &listener, err);
	if (st == HP_OK) {
		tell_address(l, listener);
		st = take_first(l, listener, fd, err);
		close(listener);
	}
	if (st != HP_OK)
		release_signals();
	return st;
}

/* ---- the connection ---- */

static void
queue_commands(struct session *s)
{
	const struct hp_agent_listen *l = s->listen;

	if (!l->commands || l->commands->bytes.len == 0)
		return;
	/* one that does not read gets no more than a few lists */
	if (s->waiting.len - s->sent < (1 << 16))
		hp_buf_add(&s->waiting, l->commands->bytes.data,
			   l->commands->bytes.len);
	if (l->every)
		s->next = now() + l->every;
}

static void
end_session(struct session *s, enum hp_agent_end end)
{
	s->over = true;
	s->out->end = end;
}

static void
take_signals(struct session *s)
{
	char c;

	while (read(wake[0], &c, 1) == 1) {
		if (c == 's')
			queue_commands(s);
		else
			end_session(s, HP_AGENT_STOPPED);
	}
}

static void
take_time(struct session *s)
{
	const struct hp_agent_listen *l = s->listen;
	uint64_t t = now();

	if (l->every && t >= s->next)
		queue_commands(s);
	if (l->most && t - s->begin >= l->most)
		end_session(s, HP_AGENT_STOPPED);
	else if (l->idle && t - s->heard >= l->idle)
		end_session(s, HP_AGENT_VANISHED);
}

static void
send_some(struct session *s)
{
	ssize_t n = write(s->fd, s->waiting.data + s->sent,
			  s->waiting.len - s->sent);

	if (n > 0)
		s->sent += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		s->sent = s->waiting.len; /* reading will tell what it is */
	if (s->sent == s->waiting.len) {
		hp_buf_clear(&s->waiting);
		s->sent = 0;
	}
}

static enum hp_status
receive_some(struct session *s, struct hp_error *err)
{
	uint64_t most = s->listen->max_size, taken = s->stream.taken;
	ssize_t n = read(s->fd, s->chunk, CHUNK);
	enum hp_status st;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return HP_OK;
	if (n <= 0) {
		end_session(s, n == 0 ? HP_AGENT_CLOSED : HP_AGENT_VANISHED);
		return HP_OK;
	}
	s->heard = now();
	if (most && (uint64_t)n > most - taken) {
		n = (ssize_t)(most - taken);
		end_session(s, HP_AGENT_TOO_MUCH);
	}
	st = hp_anon_file_write(s->out->fd, s->chunk, (size_t)n, taken, err);
	hp_agent_stream_feed(&s->stream, s->chunk, (size_t)n);
	return st;
}

/* How long nothing may happen, in milliseconds. */
static int
patience(const struct session *s)
{
	const struct hp_agent_listen *l = s->listen;

	return l->every || l->idle || l->most ? 250 : -1;
}

static enum hp_status
run_session(struct session *s, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	queue_commands(s);
	while (st == HP_OK && !s->over) {
		struct pollfd p[2] = {{s->fd, POLLIN, 0}, {wake[0], POLLIN, 0}};

		if (s->waiting.len > s->sent)
			p[0].events |= POLLOUT;
		poll(p, 2, patience(s));
		take_signals(s);
		take_time(s);
		if (s->over)
			break;
		if (p[0].revents & POLLOUT)
			send_some(s);
		if (p[0].revents & (POLLIN | POLLHUP | POLLERR))
			st = receive_some(s, err);
	}
	return st;
}

/* The agent's listener would spin if the connection just ended. */
static void
say_goodbye(const struct session *s)
{
	static const char end = (char)0xFF;

	if (s->out->end != HP_AGENT_CLOSED && write(s->fd, &end, 1) < 0)
		return; /* it is gone */
}

static enum hp_status
cut(struct session *s, struct hp_error *err)
{
	struct hp_agent_received *out = s->out;

	out->bytes = s->stream.whole;
	out->lost = s->stream.taken - s->stream.whole;
	if (ftruncate(out->fd, (off_t)out->bytes) == 0 &&
	    lseek(out->fd, 0, SEEK_SET) == 0)
		return HP_OK;
	return hp_fail(err, HP_IO, "a temporary file cannot be cut: %s",
		       strerror(errno));
}

enum hp_status
hp_agent_receive(const struct hp_agent_listen *l, int fd,
		 struct hp_agent_received *out, struct hp_error *err)
{
	struct session s = {.listen = l,
			    .out = out,
			    .fd = fd,
			    .begin = now(),
			    .heard = now(),
			    .chunk = malloc(CHUNK)};
	enum hp_status st =
		s.chunk ? HP_OK : hp_fail(err, HP_NOMEM, "out of memory");

	*out = (struct hp_agent_received){.fd = -1};
	if (st == HP_OK)
		st = hp_anon_file_open(&out->fd, NULL, err);
	if (st == HP_OK)
		st = run_session(&s, err);
	if (st == HP_OK)
		st = cut(&s, err);
	say_goodbye(&s);
	close(fd);
	release_signals();
	hp_buf_release(&s.waiting);
	free(s.chunk);
	if (st != HP_OK && out->fd >= 0)
		close(out->fd);
	return st;
}
