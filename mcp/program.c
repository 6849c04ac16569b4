/* program.c - run one of the programs and collect its output */
#include "mcp/mcp.h"

#include "common/base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_OUT = 64 << 20, MOST_ERR = 64 << 10, CHUNK = 64 << 10 };

extern char **environ;

/*
 * The bytes that were read from standard output or standard error of the
 * program.
 */
struct stream {
	int fd;
	size_t most; /* maximum number of bytes of the stream to keep */
	struct hp_buf text;
	bool too_much;
};

/*
 * Read the available bytes of a stream. Bytes beyond the maximum are read and
 * discarded. If they were not read, the program would wait forever.
 */
static void
read_some(struct stream *s)
{
	char piece[CHUNK];
	ssize_t n = read(s->fd, piece, sizeof(piece));

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		close(s->fd);
		s->fd = -1;
		return;
	}
	if (s->text.len + (size_t)n <= s->most)
		hp_buf_add(&s->text, piece, (size_t)n);
	else
		s->too_much = true;
}

static void
read_streams(struct stream list[2])
{
	while (list[0].fd >= 0 || list[1].fd >= 0) {
		struct pollfd fds[2] = {{list[0].fd, POLLIN, 0},
					{list[1].fd, POLLIN, 0}};

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		for (int i = 0; i < 2; i++)
			if (fds[i].revents)
				read_some(&list[i]);
	}
}

static pid_t
start(const char *path, char **argv, const int out[2], const int err[2])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, pipe;
	pid_t pid = -1;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return -1;
	if (posix_spawnattr_init(&attributes) != 0) {
		posix_spawn_file_actions_destroy(&actions);
		return -1;
	}
	/*
	 * hprof-mcp ignores SIGPIPE, but the program that it runs needs the
	 * default action
	 */
	sigemptyset(&none);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &pipe);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	posix_spawn_file_actions_adddup2(&actions, err[1], 2);
	if (posix_spawnp(&pid, path, &actions, &attributes, argv, environ) != 0)
		pid = -1;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static int
exit_status(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
close_pipe(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

void
mcp_run(struct mcp_run *r, const struct mcp_options *o, char **argv)
{
	struct stream list[2] = {{.fd = -1, .most = MOST_OUT},
				 {.fd = -1, .most = MOST_ERR}};
	char path[PATH_MAX];
	int out[2], err[2];
	pid_t pid;

	*r = (struct mcp_run){.status = -1};
	snprintf(path, sizeof(path), "%s%s%s", o->programs ? o->programs : "",
		 o->programs ? "/" : "", argv[0]);
	if (pipe2(out, O_CLOEXEC) != 0)
		return;
	if (pipe2(err, O_CLOEXEC) != 0) {
		close_pipe(out);
		return;
	}
	pid = start(path, argv, out, err);
	if (pid < 0) {
		close_pipe(out);
		close_pipe(err);
		return;
	}
	close(out[1]);
	close(err[1]);
	list[0].fd = out[0];
	list[1].fd = err[0];
	read_streams(list);
	r->status = exit_status(pid);
	r->out = list[0].text;
	r->err = list[1].text;
	r->too_much = list[0].too_much || !hp_buf_ok(&r->out);
}

void
mcp_run_release(struct mcp_run *r)
{
	hp_buf_release(&r->out);
	hp_buf_release(&r->err);
	*r = (struct mcp_run){0};
}
