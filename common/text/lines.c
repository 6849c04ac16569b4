/*
 * lines.c - cuts a stream of bytes at its newlines
 */
#include "common/text/lines.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 }; /* of the buffer; more than HP_TEXT_LINE_MOST */

enum hp_status
hp_text_lines_init(struct hp_text_lines *l, hp_text_read *read, void *ctx,
		   struct hp_error *err)
{
	*l = (struct hp_text_lines){.read = read, .ctx = ctx};
	l->buf = malloc(ROOM);
	return l->buf ? HP_OK : hp_fail(err, HP_NOMEM, "out of memory");
}

void
hp_text_lines_release(struct hp_text_lines *l)
{
	free(l->buf);
	*l = (struct hp_text_lines){0};
}

/* Moves what is left to the front and fills the buffer up. */
static enum hp_status
refill(struct hp_text_lines *l, struct hp_error *err)
{
	size_t left = l->len - l->at, got;
	enum hp_status st;

	memmove(l->buf, l->buf + l->at, left);
	st = l->read(l->ctx, l->buf + left, ROOM - left, &got, err);
	l->end = st == HP_OK && got < ROOM - left;
	l->at = 0;
	l->len = left + got;
	return st;
}

/* The rest of a line that is too long, with its newline. */
static enum hp_status
pass_over(struct hp_text_lines *l, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (;;) {
		const char *p = l->buf + l->at;
		const char *end = memchr(p, '\n', l->len - l->at);
		size_t n = end ? (size_t)(end - p) + 1 : l->len - l->at;

		l->at += n;
		l->offset += n;
		if (end || l->end || st != HP_OK)
			return st;
		st = refill(l, err);
	}
}

/* Takes the line of @length bytes at the front. */
static void
take(struct hp_text_lines *l, size_t length, bool ended,
     struct hp_text_line *line)
{
	*line = (struct hp_text_line){.text = l->buf + l->at,
				      .length = length,
				      .offset = l->offset,
				      .number = ++l->number,
				      .ended = ended};
	l->at += length + ended;
	l->offset += length + ended;
}

enum hp_status
hp_text_lines_next(struct hp_text_lines *l, struct hp_text_line *line,
		   struct hp_error *err)
{
	enum hp_status st = l->passing ? pass_over(l, err) : HP_OK;
	const char *end;

	l->passing = false;
	if (st != HP_OK)
		return st;
	end = memchr(l->buf + l->at, '\n', l->len - l->at);
	if (!end && !l->end) {
		st = refill(l, err);
		if (st != HP_OK)
			return st;
		end = memchr(l->buf, '\n', l->len);
	}
	if (!end && l->at == l->len)
		return HP_EOF;
	take(l, end ? (size_t)(end - l->buf) - l->at : l->len - l->at,
	     end != NULL, line);
	line->longer = line->length > HP_TEXT_LINE_MOST;
	l->passing = line->longer && !end && !l->end;
	if (line->longer)
		line->length = HP_TEXT_LINE_MOST;
	return HP_OK;
}

void
hp_text_lines_split(struct hp_text_lines *l, struct hp_text_line *line,
		    size_t keep)
{
	size_t back = line->length - keep + line->ended;

	l->at -= back;
	l->offset -= back;
	l->number--;
	line->length = keep;
	line->ended = false;
}
