/*
 * net.c - the old agent's socket protocol
 *
 * The agent connects; the stream is the file's, in pieces. Commands are
 * u1 tag | u4 sequence number | u4 length | body. Unlike the old agent this one
 * believes the length, ends when the peer does, and no command it cannot obey
 * ends the VM. A peer that reads nothing is given up after a while.
 */
#include "agent/net.h"

#include "agent/cpu.h"
#include "agent/publish.h"
#include "agent/samples.h"
#include "agent/vm_dump.h"
#include "common/base/byte_order.h"
#include "common/text/agent_protocol.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	PATIENCE_S = 10,   /* for a peer to take bytes */
	BODY_MOST = 65536, /* of a command; more ends the conversation */
};

struct hp_agent_net {
	int fd;
	bool begun;	    /* the header is written */
	atomic_bool broken; /* the peer is gone */
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
			return hp_fail(err, HP_IO, "the peer of net=: %s",
				       strerror(errno));
		}
		p += k;
		n -= (size_t)k;
	}
	return n ? hp_fail(err, HP_IO, "the peer of net= is gone") : HP_OK;
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

static const struct hp_agent_format *
format_of(const struct hp_agent *a)
{
	return a->o.text ? &hp_agent_text : &hp_agent_binary;
}

/* The header once, and what is new of the tables. */
static enum hp_status
send_tables(struct hp_agent *a, struct hp_error *err)
{
	struct hp_agent_net *net = a->net;

	if (!net->begun)
		format_of(a)->header(&net->w);
	net->begun = true;
	return format_of(a)->tables(&net->w, err);
}

/* What follows the header of the VM's dump are records like any others. */
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
		hp_agent_write_report(format_of(a), &a->net->w, r);
	return st == HP_OK ? hp_agent_writer_flush(&a->net->w, 0, err) : st;
}

/* ---- commands ---- */

static bool
receive(struct hp_agent_net *net, uint8_t *to, size_t n)
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

static double
load_cutoff(const uint8_t *p)
{
	uint32_t bits = hp_load4(p);
	float cutoff;

	memcpy(&cutoff, &bits, sizeof(cutoff));
	return cutoff >= 0 && cutoff <= 1 ? (double)cutoff : 0;
}

/* HEAP SUMMARY, or nothing but the tables. */
static void
send_small(struct hp_agent *a, bool summary)
{
	struct hp_agent_report r = {.now_ms = hp_agent_now_ms(),
				    .time_us = hp_agent_time_us(a)};
	struct hp_error err = {0};
	enum hp_status st;

	pthread_mutex_lock(&a->reporting);
	st = send_tables(a, &err);
	if (st == HP_OK && summary) {
		hp_agent_report_total(&r, a);
		format_of(a)->summary(&a->net->w, &r);
	}
	if (st == HP_OK)
		st = hp_agent_writer_flush(&a->net->w, 0, &err);
	pthread_mutex_unlock(&a->reporting);
	if (st != HP_OK)
		hp_agent_say("%s", err.text);
}

static void
send_sites(struct hp_agent *a, JNIEnv *jni, const uint8_t *body)
{
	uint16_t flags = hp_load2(body);
	struct hp_agent_wish wish = {
		.sites = true,
		.flags = flags & (HP_AGENT_BY_ALLOCATED | HP_AGENT_COLLECTED),
		.collect = flags & HP_AGENT_COLLECTED,
		.cutoff = load_cutoff(body + 2)};

	hp_agent_publish(a, jni, &wish);
}

static void
control(struct hp_agent *a, const uint8_t *body, uint32_t length)
{
	struct hp_error err = {0};
	unsigned what = hp_load2(body);

	if (what == HP_CTL_DEPTH ||
	    (what == HP_CTL_SITES_CLEAR && length >= 4)) {
		uint32_t depth = length >= 4 ? hp_load2(body + 2) : 0;

		if (depth >= 1 && depth <= HP_AGENT_DEPTH_MOST)
			atomic_store_explicit(&a->depth, depth,
					      memory_order_relaxed);
		return;
	}
	switch (what) {
	case HP_CTL_SITES_ON:
	case HP_CTL_SITES_OFF:
		if (a->o.heap &&
		    hp_agent_samples_enable(a, what == HP_CTL_SITES_ON, &err) !=
			    HP_OK)
			hp_agent_say("%s", err.text);
		break;
	case HP_CTL_CPU_ON:
	case HP_CTL_CPU_OFF:
		atomic_store(&a->cpu_on, what == HP_CTL_CPU_ON);
		break;
	case HP_CTL_CPU_CLEAR:
		hp_agent_cpu_clear(a);
		break;
	default:
		hp_agent_say("control command %u is not known", what);
		break;
	}
}

static void
exit_vm(JNIEnv *jni)
{
	jclass system = (*jni)->FindClass(jni, "java/lang/System");
	jmethodID leave = NULL;

	if (system)
		leave = (*jni)->GetStaticMethodID(jni, system, "exit", "(I)V");
	if (leave)
		(*jni)->CallStaticVoidMethod(jni, system, leave, 0);
	(*jni)->ExceptionClear(jni);
}

static void
obey(struct hp_agent *a, JNIEnv *jni, unsigned tag, const uint8_t *body,
     uint32_t length)
{
	struct hp_agent_wish wish = {0};

	switch (tag) {
	case HP_CMD_GC:
		hp_agent_collect_garbage(a);
		break;
	case HP_CMD_DUMP:
		wish.dump = a->o.heap & HP_AGENT_HEAP_DUMP;
		if (wish.dump)
			hp_agent_publish(a, jni, &wish);
		else
			hp_agent_say("no heap dump: start with heap=dump");
		break;
	case HP_CMD_SITES:
		if (length >= 6)
			send_sites(a, jni, body);
		break;
	case HP_CMD_SUMMARY:
	case HP_CMD_TRACES:
		send_small(a, tag == HP_CMD_SUMMARY);
		break;
	case HP_CMD_EXIT:
		exit_vm(jni);
		break;
	case HP_CMD_SAMPLES:
		wish.samples = true;
		hp_agent_publish(a, jni, &wish);
		break;
	case HP_CMD_CONTROL:
		if (length >= 2)
			control(a, body, length);
		break;
	default:
		hp_agent_say("socket command %u is not known", tag);
		break;
	}
}

static void JNICALL
listen_to(jvmtiEnv *jvmti, JNIEnv *jni, void *ctx)
{
	struct hp_agent *a = ctx;
	const bool live = hp_agent_await_live(a);
	uint8_t head[9], *body = malloc(BODY_MOST);
	uint32_t length;

	while (live && body && receive(a->net, head, 1) &&
	       head[0] != HP_CMD_EOF) {
		if (!receive(a->net, head + 1, 8))
			break;
		length = hp_load4(head + 5);
		if (length > BODY_MOST) {
			hp_agent_say("a socket command of %u bytes: no more "
				     "are taken",
				     (unsigned)length);
			break;
		}
		if (!receive(a->net, body, length) || atomic_load(&a->closing))
			break;
		if ((*jni)->PushLocalFrame(jni, 64) == 0) {
			obey(a, jni, head[0], body, length);
			(*jni)->PopLocalFrame(jni, NULL);
		}
		(*jni)->ExceptionClear(jni);
	}
	free(body);
	atomic_fetch_sub(&a->own_threads, 1);
}

enum hp_status
hp_agent_net_listen(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	return hp_agent_run_thread(a, jni, "hprof-agent net", listen_to, err);
}
