/*
 * spool.c - a pipe made readable twice
 */
#include "convert/spool.h"

#include "convert/framing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 };

static int
open_nameless(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!dir || !*dir)
		dir = "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	if ((size_t)snprintf(path, sizeof(path), "%s/hprof-convert-XXXXXX",
			     dir) >= sizeof(path))
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static enum hp_status
write_all(int fd, const uint8_t *p, size_t n, struct hp_error *err)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return hp_fail(err, HP_IO,
				       "cannot write a temporary file: %s",
				       strerror(errno));
		p += done;
		n -= (size_t)done;
	}
	return HP_OK;
}

struct hp_spooler {
	int fd;
	size_t waiting;
	uint8_t buf[CHUNK];
};

enum hp_status
hp_spooler_open(struct hp_spooler **out, struct hp_error *err)
{
	struct hp_spooler *s = malloc(sizeof(*s));

	*out = NULL;
	if (!s)
		return hp_fail(err, HP_NOMEM, "out of memory");
	s->waiting = 0;
	s->fd = open_nameless();
	if (s->fd < 0) {
		free(s);
		return hp_fail(err, HP_IO, "cannot make a temporary file: %s",
			       strerror(errno));
	}
	*out = s;
	return HP_OK;
}

enum hp_status
hp_spooler_write(struct hp_spooler *s, const void *bytes, size_t n,
		 struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (n > CHUNK - s->waiting) {
		st = write_all(s->fd, s->buf, s->waiting, err);
		s->waiting = 0;
		if (st != HP_OK)
			return st;
		if (n >= CHUNK)
			return write_all(s->fd, bytes, n, err);
	}
	memcpy(s->buf + s->waiting, bytes, n);
	s->waiting += n;
	return HP_OK;
}

enum hp_status
hp_spooler_finish(struct hp_spooler *s, struct hp_source **out,
		  struct hp_error *err)
{
	/* what was peeled once is not peeled again */
	const struct hp_source_options so = {.raw = true};
	enum hp_status st = write_all(s->fd, s->buf, s->waiting, err);
	int fd = s->fd;

	*out = NULL;
	if (st == HP_OK && lseek(fd, 0, SEEK_SET) != 0)
		st = hp_fail(err, HP_IO, "cannot rewind a temporary file");
	if (st != HP_OK) {
		hp_spooler_abort(s);
		return st;
	}
	free(s);
	return hp_source_open_fd(out, fd, "a temporary file", &so, err);
}

void
hp_spooler_abort(struct hp_spooler *s)
{
	if (!s)
		return;
	close(s->fd);
	free(s);
}

enum hp_status
hp_spool(struct hp_source *src, struct hp_source **out, struct hp_error *err)
{
	struct hp_spooler *s;
	uint8_t *buf = malloc(CHUNK);
	enum hp_status st;
	size_t got = CHUNK;

	*out = NULL;
	if (!buf)
		return hp_fail(err, HP_NOMEM, "out of memory");
	st = hp_spooler_open(&s, err);
	while (st == HP_OK && got == CHUNK) {
		st = hp_source_read(src, buf, CHUNK, &got, err);
		if (st == HP_OK)
			st = hp_spooler_write(s, buf, got, err);
	}
	free(buf);
	if (st == HP_OK)
		return hp_spooler_finish(s, out, err);
	hp_spooler_abort(s);
	return st;
}

enum hp_status
hp_spool_checked(struct hp_source *src, struct hp_source **out,
		 struct hp_error *err)
{
	enum hp_status st = hp_spool(src, out, err);
	struct hp_framing f;

	if (st != HP_OK)
		return st;
	hp_framing_init(&f);
	f.records = 1; /* they are counted later */
	hp_framing_end(&f, src);
	return f.error.status == HP_OK
		       ? HP_OK
		       : hp_fail(err, f.error.status, "%s", f.error.text);
}
