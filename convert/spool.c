/*
 * spool.c - a pipe made readable twice
 */
#include "convert/spool.h"

#include "common/io/nameless.h"
#include "convert/framing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 };

struct hp_spooler {
	int fd;
	uint64_t size; /* bytes in the file */
	size_t waiting;
	uint8_t buf[CHUNK];
};

enum hp_status
hp_spooler_open(struct hp_spooler **out, struct hp_error *err)
{
	struct hp_spooler *s = malloc(sizeof(*s));
	enum hp_status st;

	*out = NULL;
	if (!s)
		return hp_fail(err, HP_NOMEM, "out of memory");
	s->size = s->waiting = 0;
	st = hp_nameless_open(&s->fd, NULL, err);
	if (st == HP_OK)
		*out = s;
	else
		free(s);
	return st;
}

static enum hp_status
write_out(struct hp_spooler *s, const void *bytes, size_t n,
	  struct hp_error *err)
{
	enum hp_status st = hp_nameless_write(s->fd, bytes, n, s->size, err);

	s->size += n;
	return st;
}

enum hp_status
hp_spooler_write(struct hp_spooler *s, const void *bytes, size_t n,
		 struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (n > CHUNK - s->waiting) {
		st = write_out(s, s->buf, s->waiting, err);
		s->waiting = 0;
		if (st != HP_OK)
			return st;
		if (n >= CHUNK)
			return write_out(s, bytes, n, err);
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
	enum hp_status st = write_out(s, s->buf, s->waiting, err);
	int fd = s->fd;

	*out = NULL;
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
