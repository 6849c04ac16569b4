/*
 * output.c - write a report to a temporary file in the folder of the report,
 * then rename the file
 */
#include "agent/report/output.h"

#include "common/sink/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * maximum number of names that the agent tries with the option force=n, until
 * it finds an unused name
 */
enum { FREE_NAMES = 100000 };

uint64_t
hp_agent_random(void)
{
	struct timespec t;
	uint64_t v;

	if (getrandom(&v, sizeof(v), GRND_NONBLOCK) == sizeof(v))
		return v;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec ^
	       (uint64_t)getpid() << 20;
}

char *
hp_agent_path(const char *pattern)
{
	struct hp_buf b = {0};

	for (const char *p = pattern; *p; p++) {
		if (p[0] == '%' && p[1] == 'p') {
			hp_buf_i64(&b, getpid());
			p++;
		} else {
			hp_buf_byte(&b, *p);
		}
	}
	return hp_buf_take(&b);
}

char *
hp_agent_path_beside(const char *path, const char *suffix)
{
	const char *base = strrchr(path, '/');
	size_t folder = base ? (size_t)(base - path) + 1 : 0;
	struct hp_buf b = {0};

	hp_buf_add(&b, path, folder);
	hp_buf_text(&b, ".hprof-agent-");
	hp_buf_hex(&b, hp_agent_random(), 16);
	hp_buf_text(&b, suffix);
	return hp_buf_take(&b);
}

static enum hp_status
refused(const struct hp_agent_output *o, struct hp_error *err)
{
	return hp_fail(err, HP_IO, "%.300s: %s", o->path, strerror(errno));
}

/*
 * Whether a path is a link to an open file of the process, such as /dev/stdout.
 */
static bool
is_stream_link(const char *path)
{
	struct stat sb;

	return hp_publish_is_system(path) && lstat(path, &sb) == 0 &&
	       S_ISLNK(sb.st_mode);
}

/*
 * Check that the report's path is a regular file or does not exist. Renaming
 * the new file would replace a device or named pipe. The agent cannot write
 * into it either: each report repeats all earlier ones, and the JVM must not
 * wait for a reader.
 */
static enum hp_status
check_target(const struct hp_agent_output *o, struct hp_error *err)
{
	struct stat sb;

	if (stat(o->path, &sb) != 0)
		return errno == ENOENT ? HP_OK : refused(o, err);
	if (S_ISDIR(sb.st_mode))
		return hp_fail(err, HP_IO, "%.300s: is a directory", o->path);
	if (!S_ISREG(sb.st_mode) || is_stream_link(o->path))
		return hp_fail(err, HP_IO, "%.300s: is no regular file",
			       o->path);
	return HP_OK;
}

enum hp_status
hp_agent_output_open(struct hp_agent_output *o, const char *path, bool force,
		     struct hp_error *err)
{
	enum hp_status st;
	char *temp;

	*o = (struct hp_agent_output){.fd = -1, .force = force};
	o->path = strdup(path);
	if (!o->path)
		return hp_no_memory(err);
	st = check_target(o, err);
	if (st != HP_OK)
		return st;
	temp = hp_agent_path_beside(path, ".tmp");
	if (!temp)
		return hp_no_memory(err);
	o->fd = open(temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (o->fd >= 0) {
		o->temp = temp;
		return HP_OK;
	}
	st = refused(o, err);
	free(temp);
	return st;
}

enum hp_status
hp_agent_output_put(void *output, const void *bytes, size_t n,
		    struct hp_error *err)
{
	struct hp_agent_output *o = output;
	const char *p = bytes;

	while (n) {
		ssize_t k = write(o->fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return refused(o, err);
		p += k;
		n -= (size_t)k;
	}
	return HP_OK;
}

/*
 * Give the temporary file the first unused name of "x", "x.1", "x.2" and so on.
 */
static enum hp_status
link_free(struct hp_agent_output *o, struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;
	bool linked = false;

	hp_buf_text(&b, o->path);
	for (unsigned i = 1; st == HP_OK; i++) {
		linked = hp_buf_ok(&b) && link(o->temp, hp_buf_string(&b)) == 0;
		if (linked)
			break;
		if (!hp_buf_ok(&b))
			st = hp_no_memory(err);
		else if (errno != EEXIST || i > FREE_NAMES)
			st = refused(o, err);
		hp_buf_clear(&b);
		hp_buf_printf(&b, "%s.%u", o->path, i);
	}
	if (linked) {
		free(o->path);
		o->path = hp_buf_take(&b);
		unlink(o->temp);
	}
	hp_buf_release(&b);
	return st;
}

enum hp_status
hp_agent_output_commit(struct hp_agent_output *o, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	int fd = o->fd;

	o->fd = -1;
	if (close(fd) != 0)
		return refused(o, err);
	if (o->force)
		/*
		 * check again, because something may have been created at the
		 * path meanwhile
		 */
		st = check_target(o, err);
	else
		st = link_free(o, err);
	if (st == HP_OK && o->force && rename(o->temp, o->path) != 0)
		st = refused(o, err);
	if (st == HP_OK) {
		free(o->temp);
		o->temp = NULL;
	}
	return st;
}

void
hp_agent_output_release(struct hp_agent_output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	if (o->temp)
		unlink(o->temp);
	free(o->temp);
	free(o->path);
	*o = (struct hp_agent_output){.fd = -1};
}
