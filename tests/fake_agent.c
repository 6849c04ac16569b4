/*
 * fake_agent.c - imitate the HPROF agent of a JVM, which sends a dump over a
 * socket (net=HOST:PORT)
 *
 * fake-agent PORT FILE [--chunk=N] [--delay=MS] [--commands=N] [--cut=N]
 *            [--reset] [--stay[=MS]] [--forever] [--hold=PATH] [--ready=PATH]
 *            [--pause=PID]
 *
 * The program connects to PORT, sends FILE in pieces of N bytes, and ends. With
 * --commands=N it first waits for N commands and prints each of them. It reads
 * a command as hprof_listener.c of the JDK does: first nine bytes, then the
 * number of bytes that this kind of command always has. The length field in the
 * nine bytes is ignored.
 *
 * --cut=N sends only the first N bytes of FILE. --reset resets the connection
 * instead of closing it, when the other side has read everything. --stay keeps
 * the connection open until the other side closes it, and fails if this takes
 * less than MS milliseconds. --forever sends FILE again and again. --hold=PATH
 * sends the first half and waits until the file PATH exists.
 *
 * --ready=PATH creates the file PATH after the first command, or, without
 * --commands, when the other side has read everything. A script waits for this
 * file before it sends a signal to the other side. --pause=PID stops the
 * process PID, which is the other side, until FILE was sent. So the time limits
 * of that process begin when all data have already arrived, however slow this
 * program is.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* longest time to wait for the other side, in steps of 20 ms: a minute */
enum { STEP_MS = 20, STEPS = 3000 };

struct options {
	int port;
	size_t chunk, cut;
	long delay_ms, commands, stay_ms;
	int reset, stay, forever;
	pid_t pause;
	const char *hold, *ready;
};

static void
fail(const char *what)
{
	fprintf(stderr, "fake-agent: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void
rest_a_while(long ms)
{
	const struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	if (ms > 0)
		nanosleep(&t, NULL);
}

static int
dial(int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
				.sin_port = htons((uint16_t)port),
				.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	for (int tries = 0; tries < 200; tries++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		if (fd < 0)
			fail("socket");
		if (connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0)
			return fd;
		close(fd);
		rest_a_while(50);
	}
	fail("connect");
	return -1;
}

static int
get(int fd, uint8_t *to, size_t n)
{
	for (size_t have = 0; have < n;) {
		ssize_t got = recv(fd, to + have, n - have, 0);

		if (got <= 0)
			return 0;
		have += (size_t)got;
	}
	return 1;
}

/*
 * Returns the number of bytes of this command that follow its first nine bytes.
 */
static size_t
body_of(uint8_t tag)
{
	return tag == 0x03 || tag == 0x07 ? 6 : 0;
}

static size_t
argument_of(unsigned control)
{
	return control == 3 || control == 4 ? 4 : control == 7 ? 2 : 0;
}

static int
print_command(int fd)
{
	uint8_t head[9], body[8];
	size_t n;

	if (!get(fd, head, 1))
		return 0;
	if (head[0] == 0xFF) {
		puts("ff");
		return 1;
	}
	if (!get(fd, head + 1, 8))
		return 0;
	n = body_of(head[0]);
	if (head[0] == 0x08) {
		if (!get(fd, body, 2))
			return 0;
		n = 2 + argument_of((unsigned)body[0] << 8 | body[1]);
		if (!get(fd, body + 2, n - 2))
			return 0;
	} else if (!get(fd, body, n)) {
		return 0;
	}
	printf("%02x length %u:", head[0],
	       (unsigned)head[5] << 24 | (unsigned)head[6] << 16 |
		       (unsigned)head[7] << 8 | head[8]);
	for (size_t i = 0; i < n; i++)
		printf(" %02x", body[i]);
	putchar('\n');
	return 1;
}

static void
put_all(int fd, const char *bytes, size_t n, const struct options *o)
{
	size_t step = o->chunk ? o->chunk : n ? n : 1;

	do {
		for (size_t at = 0; at < n;) {
			size_t part = n - at < step ? n - at : step;
			ssize_t put = send(fd, bytes + at, part, 0);

			if (put <= 0)
				return;
			at += (size_t)put;
			rest_a_while(o->delay_ms);
		}
	} while (o->forever);
}

static long
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void
wait_for(const char *path)
{
	for (int i = 0; access(path, F_OK) != 0; i++) {
		if (i == STEPS)
			fail(path);
		rest_a_while(STEP_MS);
	}
}

static void
create(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f || fclose(f) != 0)
		fail(path);
}

/*
 * Returns the number of bytes that the other side has not read yet: the column
 * rx_queue of the kernel's table, in the line of the other side's socket.
 */
static unsigned
count_unread(unsigned port, unsigned own_port)
{
	FILE *f = fopen("/proc/net/tcp", "r");
	unsigned local, remote, queue, unread = 0;
	char line[512];

	if (!f)
		fail("/proc/net/tcp");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, " %*d: %*x:%x %*x:%x %*x %*x:%x", &local,
			   &remote, &queue) == 3 &&
		    local == port && remote == own_port)
			unread = queue;
	fclose(f);
	return unread;
}

static void
wait_until_read(int fd, const struct options *o)
{
	struct sockaddr_in own;
	socklen_t n = sizeof(own);

	if (getsockname(fd, (struct sockaddr *)&own, &n) != 0)
		fail("getsockname");
	for (int i = 0;
	     count_unread((unsigned)o->port, ntohs(own.sin_port)) > 0; i++) {
		if (i == STEPS)
			fail("unread data");
		rest_a_while(STEP_MS);
	}
}

static char *
read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *bytes = NULL;
	size_t room = 0;

	if (!f)
		fail(path);
	for (*n = 0;;) {
		if (*n == room) {
			room = room ? 2 * room : 65536;
			bytes = realloc(bytes, room);
			if (!bytes)
				fail("memory");
		}
		size_t got = fread(bytes + *n, 1, room - *n, f);

		*n += got;
		if (got == 0)
			break;
	}
	fclose(f);
	return bytes;
}

static void
take_option(struct options *o, const char *a)
{
	if (strncmp(a, "--chunk=", 8) == 0)
		o->chunk = strtoul(a + 8, NULL, 10);
	else if (strncmp(a, "--cut=", 6) == 0)
		o->cut = strtoul(a + 6, NULL, 10);
	else if (strncmp(a, "--delay=", 8) == 0)
		o->delay_ms = strtol(a + 8, NULL, 10);
	else if (strncmp(a, "--commands=", 11) == 0)
		o->commands = strtol(a + 11, NULL, 10);
	else if (strncmp(a, "--hold=", 7) == 0)
		o->hold = a + 7;
	else if (strncmp(a, "--ready=", 8) == 0)
		o->ready = a + 8;
	else if (strncmp(a, "--pause=", 8) == 0)
		o->pause = (pid_t)strtol(a + 8, NULL, 10);
	else if (strcmp(a, "--reset") == 0)
		o->reset = 1;
	else if (strcmp(a, "--stay") == 0)
		o->stay = 1;
	else if (strncmp(a, "--stay=", 7) == 0)
		o->stay_ms = strtol(a + 7, NULL, 10), o->stay = 1;
	else if (strcmp(a, "--forever") == 0)
		o->forever = 1;
	else
		fail(a);
}

static void
signal_other(const struct options *o, int number)
{
	if (o->pause > 0 && kill(o->pause, number) != 0)
		fail("kill");
}

static void
take_commands(int fd, const struct options *o)
{
	for (long i = 0; i < o->commands && print_command(fd); i++)
		if (i == 0 && o->ready)
			create(o->ready);
}

static void
send_dump(int fd, const char *bytes, size_t n, const struct options *o)
{
	size_t first = o->hold ? n / 2 : n;

	put_all(fd, bytes, first, o);
	if (o->hold) {
		wait_for(o->hold);
		put_all(fd, bytes + first, n - first, o);
	}
}

/* Wait until the other side closes the connection. */
static void
stay(int fd, long began_ms, const struct options *o)
{
	while (print_command(fd))
		;
	if (now_ms() - began_ms < o->stay_ms)
		printf("closed after %ld ms\n", now_ms() - began_ms);
}

int
main(int argc, char **argv)
{
	struct options o = {.cut = SIZE_MAX};
	const struct linger now = {1, 0};
	long began_ms;
	size_t n;
	char *bytes;
	int fd;

	if (argc < 3)
		fail("PORT FILE");
	signal(SIGPIPE, SIG_IGN);
	o.port = atoi(argv[1]);
	for (int i = 3; i < argc; i++)
		take_option(&o, argv[i]);
	bytes = read_file(argv[2], &n);
	signal_other(&o, SIGSTOP);
	began_ms = now_ms();
	fd = dial(o.port);
	take_commands(fd, &o);
	send_dump(fd, bytes, n < o.cut ? n : o.cut, &o);
	signal_other(&o, SIGCONT);
	if (o.reset || (o.ready && o.commands == 0))
		wait_until_read(fd, &o);
	if (o.ready && o.commands == 0)
		create(o.ready);
	if (o.stay)
		stay(fd, began_ms, &o);
	if (o.reset)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
	free(bytes);
	return 0;
}
