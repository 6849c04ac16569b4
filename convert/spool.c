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

static enum hp_status
fill(struct hp_source *src, int fd, uint8_t *buf, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t got = CHUNK;

	while (st == HP_OK && got == CHUNK) {
		st = hp_source_read(src, buf, CHUNK, &got, err);
		if (st == HP_OK)
			st = write_all(fd, buf, got, err);
	}
	if (st == HP_OK && lseek(fd, 0, SEEK_SET) != 0)
		st = hp_fail(err, HP_IO, "cannot rewind a temporary file");
	return st;
}

enum hp_status
hp_spool(struct hp_source *src, struct hp_source **out, struct hp_error *err)
{
	/* what was peeled once is not peeled again */
	const struct hp_source_options so = {.raw = true};
	uint8_t *buf = malloc(CHUNK);
	enum hp_status st = HP_OK;
	int fd = -1;

	*out = NULL;
	if (!buf)
		return hp_fail(err, HP_NOMEM, "out of memory");
	fd = open_nameless();
	if (fd < 0)
		st = hp_fail(err, HP_IO, "cannot make a temporary file: %s",
			     strerror(errno));
	if (st == HP_OK)
		st = fill(src, fd, buf, err);
	free(buf);
	if (st == HP_OK)
		return hp_source_open_fd(out, fd, hp_source_name(src), &so,
					 err);
	if (fd >= 0)
		close(fd);
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
	return f.error.status == HP_OK ?
		       HP_OK :
		       hp_fail(err, f.error.status, "%s", f.error.text);
}
