/*
 * agent_backlog.c - a queue of bytes in a temporary file
 */
#include "convert/agent_backlog.h"

#include "common/io/anon_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Bytes that are given back at a time. */
static const uint64_t step = UINT64_C(16) << 20;

enum hp_status
hp_agent_backlog_open(struct hp_agent_backlog *b, struct hp_error *err)
{
	*b = (struct hp_agent_backlog){.fd = -1};
	return hp_anon_file_open(&b->fd, NULL, err);
}

void
hp_agent_backlog_close(struct hp_agent_backlog *b)
{
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
}

enum hp_status
hp_agent_backlog_add(struct hp_agent_backlog *b, const void *bytes, size_t n,
		     struct hp_error *err)
{
	enum hp_status st = hp_anon_file_write(b->fd, bytes, n, b->length, err);

	if (st == HP_OK)
		b->length += n;
	return st;
}

enum hp_status
hp_agent_backlog_peek(const struct hp_agent_backlog *b, void *bytes, size_t n,
		      size_t *got, struct hp_error *err)
{
	ssize_t r;

	do {
		r = pread(b->fd, bytes, n, (off_t)b->read);
	} while (r < 0 && errno == EINTR);
	*got = r > 0 ? (size_t)r : 0;
	return r >= 0 ? HP_OK
		      : hp_fail(err, HP_IO, "cannot read a temporary file: %m");
}

void
hp_agent_backlog_drop(struct hp_agent_backlog *b, uint64_t n)
{
	b->read += n;
	if (b->read == b->length) {
		/* a small file is written over, which costs nothing */
		if (b->length >= step && ftruncate(b->fd, 0) != 0)
			return;
		b->read = b->length = b->freed = 0;
	} else if (b->read - b->freed >= step) {
		/* not every file system can; then the file just stays long */
		(void)fallocate(b->fd,
				FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				(off_t)b->freed, (off_t)(b->read - b->freed));
		b->freed = b->read;
	}
}
