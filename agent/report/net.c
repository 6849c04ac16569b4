/*
 * net.c - send reports over a socket
 *
 * The agent connects to the host of the option net=. It sends the same contents
 * as to a file, in pieces. If the other side does not read for some seconds,
 * the agent gives up.
 */
#include "agent/report/net.h"

#include "agent/report/vm_dump.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* how many seconds to wait if the other side does not read */
enum { PATIENCE_S = 10 };

struct hp_agent_net {
	int fd;
	bool begun; /* the header of the dump was sent over this connection */
	/* sending has failed, so nothing more is sent */
	atomic_bool broken;
	struct hp_agent_writer w;
};

static enum hp_status
send_all(void *ctx, const void *bytes, size_t n, struct hp_error *err)
{
	struct hp_agent_net *net = ctx;
	const char *p = bytes;

	while (n && !atomic_load(&net->broken)) {
		ssize_t k = send(net->fd, p, n, MSG_NOSIGNAL);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			atomic_store(&net->broken, true);
			return hp_fail(err, HP_IO, "cannot write to net=: %s",
				       strerror(errno));
		}
		p += k;
		n -= (size_t)k;
	}
	return n ? hp_fail(err, HP_IO,
			   "the program that listens at the "
			   "address of net= closed the connection")
		 : HP_OK;
}

static int
connect_to(const struct hp_agent_options *o, struct hp_error *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	const struct timeval patience = {.tv_sec = PATIENCE_S};
	struct addrinfo *list = NULL;
	int fd = -1, e = getaddrinfo(o->host, o->port, &hints, &list);

	if (e) {
		hp_fail(err, HP_IO, "net=%s:%s: %s", o->host, o->port,
			gai_strerror(e));
		return -1;
	}
	for (const struct addrinfo *i = list; i && fd < 0; i = i->ai_next) {
		fd = socket(i->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd < 0) {
			e = errno;
			continue;
		}
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience,
			   sizeof(patience));
		if (connect(fd, i->ai_addr, i->ai_addrlen) == 0)
			break;
		e = errno;
		close(fd);
		fd = -1;
	}
	freeaddrinfo(list);
	if (fd < 0)
		hp_fail(err, HP_IO, "net=%s:%s: %s", o->host, o->port,
			strerror(e));
	return fd;
}

enum hp_status
hp_agent_net_open(struct hp_agent *a, struct hp_error *err)
{
	struct hp_agent_net *net = calloc(1, sizeof(*net));

	if (!net)
		return hp_no_memory(err);
	net->fd = connect_to(&a->o, err);
	if (net->fd < 0) {
		free(net);
		return HP_IO;
	}
	net->w = (struct hp_agent_writer){.a = a,
					  .id_size = hp_agent_id_size(a),
					  .put = send_all,
					  .ctx = net};
	a->net = net;
	return HP_OK;
}

void
hp_agent_net_close(struct hp_agent *a)
{
	if (!a->net)
		return;
	close(a->net->fd);
	hp_buf_release(&a->net->w.out);
	free(a->net);
	a->net = NULL;
}

/*
 * Send the new entries of the agent's tables. Before the first ones, send the
 * header of the dump.
 */
static enum hp_status
send_tables(struct hp_agent *a, struct hp_error *err)
{
	struct hp_agent_net *net = a->net;

	if (!net->begun)
		hp_agent_format_of(a)->header(&net->w);
	net->begun = true;
	return hp_agent_format_of(a)->tables(&net->w, err);
}

/*
 * Send the heap dump of the JVM without its header, because other records were
 * sent before.
 */
static enum hp_status
send_dump(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	const char *folder = getenv("TMPDIR");
	enum hp_status st;
	struct hp_buf b = {0};
	int fd = -1;

	hp_buf_printf(&b, "%s/x", folder && *folder ? folder : "/tmp");
	st = hp_buf_ok(&b) ? hp_agent_dump(a, jni, hp_buf_string(&b), &fd, err)
			   : hp_no_memory(err);
	hp_buf_release(&b);
	if (st == HP_OK)
		st = send_tables(a, err);
	if (st == HP_OK)
		st = hp_agent_writer_flush(&a->net->w, 0, err);
	if (st == HP_OK)
		st = hp_agent_dump_rest(fd, send_all, a->net, err);
	if (fd >= 0)
		close(fd);
	return st;
}

enum hp_status
hp_agent_net_report(struct hp_agent *a, JNIEnv *jni,
		    const struct hp_agent_report *r, bool dump,
		    struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (dump && jni)
		st = send_dump(a, jni, err);
	if (st == HP_OK)
		st = send_tables(a, err);
	if (st == HP_OK)
		hp_agent_write_report(hp_agent_format_of(a), &a->net->w, r);
	return st == HP_OK ? hp_agent_writer_flush(&a->net->w, 0, err) : st;
}

void
hp_agent_net_tables(struct hp_agent *a, bool summary)
{
	struct hp_agent_report r = {.now_ms = hp_agent_now_ms(),
				    .time_us = hp_agent_time_us(a)};
	struct hp_error err = {0};
	enum hp_status st;

	pthread_mutex_lock(&a->reporting);
	st = send_tables(a, &err);
	if (st == HP_OK && summary) {
		hp_agent_report_total(&r, a);
		hp_agent_format_of(a)->summary(&a->net->w, &r);
	}
	if (st == HP_OK)
		st = hp_agent_writer_flush(&a->net->w, 0, &err);
	pthread_mutex_unlock(&a->reporting);
	if (st != HP_OK)
		hp_agent_say("%s", err.text);
}

bool
hp_agent_net_receive(struct hp_agent_net *net, uint8_t *to, size_t n)
{
	while (n) {
		ssize_t k = recv(net->fd, to, n, 0);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		to += k;
		n -= (size_t)k;
	}
	return true;
}
