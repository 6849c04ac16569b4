/*
 * listen.c - listen on an address until the agent of a JVM connects
 *
 * This code runs before the process enters its sandbox, because a process in
 * the sandbox may not create a socket and a pipe.
 */
#include "convert/agent/agent.h"

#include "common/cli/quantity.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

uint64_t
hp_agent_ms(void)
{
	return hp_elapsed_begin() / 1000000;
}

/* ---- parse the address, and open a socket ---- */

static enum hp_status
split_address(const char *text, char host[256], const char **port,
	      struct hp_error *err)
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
		return hp_fail(err, HP_IO, "expected HOST:PORT, or PORT");
	/*
	 * getaddrinfo() does not reject larger numbers: it takes them modulo
	 * 65536
	 */
	if (strtoul(*port, NULL, 10) > UINT16_MAX)
		return hp_fail(err, HP_IO,
			       "%.80s is not a port: the highest port is 65535",
			       *port);
	memcpy(host, text, n);
	host[n] = '\0';
	if (n == 0) /* by default, accept connections of this machine only */
		strcpy(host, "127.0.0.1");
	return HP_OK;
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
	enum hp_status st = split_address(address, host, &port, err);

	if (st != HP_OK)
		return st;
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

/*
 * Print the address with the real port. The user needs it, because the system
 * chooses a free port if the address has the port 0.
 */
static void
print_address(const struct hp_agent_listen *l, int fd)
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

static enum hp_status
accept_first(const struct hp_agent_listen *l, int listener, int *fd,
	     struct hp_error *err)
{
	uint64_t begin = hp_agent_ms();

	for (;;) {
		struct pollfd p[2] = {{listener, POLLIN, 0},
				      {hp_agent_signals_fd(), POLLIN, 0}};
		char c = 0;

		poll(p, 2, l->most ? 250 : -1);
		if (hp_agent_signals_take(&c) && c == HP_AGENT_WAKE_END)
			return hp_fail(err, HP_STOPPED,
				       "stopped before an agent connected");
		if (!(p[0].revents & POLLIN)) {
			if (!l->most || hp_agent_ms() - begin < 1000 * l->most)
				continue;
			return hp_fail(err, HP_STOPPED,
				       "no agent connected in %llu seconds",
				       (unsigned long long)l->most);
		}
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
hp_agent_accept(const struct hp_agent_listen *l, struct hp_agent_connection *c,
		struct hp_error *err)
{
	int listener = -1;
	enum hp_status st = HP_OK;

	*c = (struct hp_agent_connection){.fd = -1, .pipe = {-1, -1}};
	if (!hp_agent_signals_catch())
		return hp_fail(err, HP_IO, "cannot create a pipe: %s",
			       strerror(errno));
	/*
	 * the thread that receives must never block when it writes to the pipe
	 */
	if (pipe2(c->pipe, O_CLOEXEC) != 0 ||
	    fcntl(c->pipe[1], F_SETFL, O_NONBLOCK) != 0)
		st = hp_fail(err, HP_IO, "cannot create a pipe: %s",
			     strerror(errno));
	if (st == HP_OK)
		st = open_listener(l->address, &listener, err);
	if (st == HP_OK) {
		print_address(l, listener);
		st = accept_first(l, listener, &c->fd, err);
		close(listener);
	}
	if (st != HP_OK)
		hp_agent_signals_release();
	return st;
}
