/*
 * backlog.c - a queue of bytes in a temporary file, for data that the
 * agent sends faster than it is converted
 */
#include "convert/agent/agent.h"

#include "common/io/anon_file.h"

#include <errno.h>
#include <unistd.h>

enum {
	/*
	 * number of bytes that are copied at a time while the unread bytes of
	 * the queue move to the front of the file
	 */
	CHUNK = 64 << 10,
	/*
	 * The unread bytes move to the front of the file only if at least this
	 * many bytes were already read.
	 */
	STEP = 1 << 20,
};

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

static enum hp_status
read_at(const struct hp_agent_backlog *b, uint64_t offset, void *bytes,
	size_t n, size_t *got, struct hp_error *err)
{
	ssize_t r;

	do {
		r = pread(b->fd, bytes, n, (off_t)offset);
	} while (r < 0 && errno == EINTR);
	*got = r > 0 ? (size_t)r : 0;
	return r >= 0 ? HP_OK
		      : hp_fail(err, HP_IO, "cannot read a temporary file: %m");
}

enum hp_status
hp_agent_backlog_peek(const struct hp_agent_backlog *b, void *bytes, size_t n,
		      size_t *got, struct hp_error *err)
{
	uint64_t there = hp_agent_backlog_bytes(b);

	return read_at(b, b->read, bytes, n < there ? n : (size_t)there, got,
		       err);
}

enum hp_status
hp_agent_backlog_compact(struct hp_agent_backlog *b, struct hp_error *err)
{
	uint8_t bytes[CHUNK];
	uint64_t to = 0;

	while (to < b->length - b->read) {
		uint64_t left = b->length - b->read - to;
		size_t n = left < CHUNK ? (size_t)left : CHUNK, got;
		enum hp_status st =
			read_at(b, b->read + to, bytes, n, &got, err);

		if (st == HP_OK && got == 0)
			st = hp_fail(err, HP_IO,
				     "a temporary file was truncated");
		if (st == HP_OK)
			st = hp_anon_file_write(b->fd, bytes, got, to, err);
		if (st != HP_OK)
			return st;
		to += got;
	}
	if (ftruncate(b->fd, (off_t)to) != 0)
		return hp_fail(err, HP_IO,
			       "cannot truncate a temporary file: %m");
	b->length = to;
	b->read = 0;
	return HP_OK;
}

enum hp_status
hp_agent_backlog_drop(struct hp_agent_backlog *b, uint64_t n,
		      struct hp_error *err)
{
	b->read += n;
	if (b->read == b->length && b->length < STEP) {
		/*
		 * all bytes were read, so start again at the front of the file
		 */
		b->read = b->length = 0;
		return HP_OK;
	}
	/*
	 * Move the unread bytes only if at least as many bytes were already
	 * read. So on average, each byte of the queue is moved at most once.
	 */
	return b->read >= STEP && b->read >= b->length - b->read
		       ? hp_agent_backlog_compact(b, err)
		       : HP_OK;
}
