/*
 * spool.c - a queue of numbers, in memory and, if there are many, in a
 * temporary file without a name
 */
#include "common/text/lines/spool.h"
#include "common/base/memory.h"
#include "common/io/anon_file.h"

#include <string.h>
#include <unistd.h>

enum {
	ROOM = HP_TEXT_SPOOL_NEED,
	/*
	 * The number of free bytes after the buffer, which are needed because a
	 * number is always read and written as eight bytes.
	 */
	SLACK = 8,
};

void
hp_text_spool_release(struct hp_text_spool *s)
{
	if (s->has_file)
		close(s->fd);
	hp_free(s->buf);
	*s = (struct hp_text_spool){0};
}

void
hp_text_spool_reset(struct hp_text_spool *s)
{
	s->at = s->len = 0;
	s->stored = s->read = 0;
}

static enum hp_status
store(struct hp_text_spool *s, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (!s->has_file) {
		st = hp_anon_file_open(&s->fd, NULL, err);
		s->has_file = st == HP_OK;
	}
	if (st == HP_OK)
		st = hp_anon_file_write(s->fd, s->buf, s->len, s->stored, err);
	s->stored += s->len;
	s->len = 0;
	return st;
}

enum hp_status
hp_text_spool_room(struct hp_text_spool *s, struct hp_error *err)
{
	if (HP_LIKELY(s->buf && ROOM - s->len >= HP_TEXT_ENTRY_MOST))
		return HP_OK;
	if (!s->buf) {
		s->buf = hp_malloc(ROOM + SLACK);
		return s->buf ? HP_OK : hp_no_memory(err);
	}
	return store(s, err);
}

enum hp_status
hp_text_spool_add(struct hp_text_spool *s, const void *bytes, size_t n,
		  struct hp_error *err)
{
	const uint8_t *from = bytes;
	enum hp_status st = HP_OK;

	while (n > 0 && st == HP_OK) {
		size_t part = s->buf ? ROOM - s->len : 0;

		if (part == 0) {
			st = hp_text_spool_room(s, err);
			continue;
		}
		part = part < n ? part : n;
		memcpy(s->buf + s->len, from, part);
		s->len += part;
		from += part;
		n -= part;
	}
	return st;
}

enum hp_status
hp_text_spool_turn(struct hp_text_spool *s, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (s->stored > 0)
		st = store(s, err);
	s->at = 0;
	return st;
}

static enum hp_status
fill(struct hp_text_spool *s, struct hp_error *err)
{
	enum hp_status st;
	uint64_t left;
	size_t n;

	memmove(s->buf, s->buf + s->at, s->len - s->at);
	s->len -= s->at;
	s->at = 0;
	/* number of bytes of the file that have not been read yet */
	left = s->stored - s->read;
	n = left < ROOM - s->len ? (size_t)left : ROOM - s->len;
	st = hp_anon_file_read(s->fd, s->buf + s->len, n, s->read, err);
	if (st == HP_OK) {
		s->len += n;
		s->read += n;
	}
	return st;
}

enum hp_status
hp_text_spool_need(struct hp_text_spool *s, size_t n, bool *there,
		   struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (s->len - s->at < n && s->read < s->stored)
		st = fill(s, err);
	*there = s->len - s->at >= n;
	return st;
}

enum hp_status
hp_text_spool_more(struct hp_text_spool *s, bool *more, struct hp_error *err)
{
	bool whole;
	enum hp_status st =
		hp_text_spool_need(s, HP_TEXT_ENTRY_MOST, &whole, err);

	*more = s->at < s->len;
	return st;
}
