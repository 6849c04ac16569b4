/*
 * lines.h - a stream of bytes as lines, with their numbers and places
 *
 * Memory does not depend on how long lines are: of a very long one the first
 * HP_TEXT_LINE_MOST bytes are handed out and the rest is passed over.
 */
#ifndef HP_TEXT_LINES_H
#define HP_TEXT_LINES_H

#include "common/base/status.h"

enum { HP_TEXT_LINE_MOST = 256 << 10 }; /* bytes of a line that are kept */

/* As hp_layer_read(): fewer bytes than wanted only at the end. */
typedef enum hp_status hp_text_read(void *ctx, void *buf, size_t n, size_t *got,
				    struct hp_error *err);

struct hp_text_line {
	const char *text; /* borrowed until the next call; no newline, no NUL */
	size_t length;
	uint64_t offset; /* of its first byte */
	uint64_t number; /* from 1 */
	bool ended;	 /* a newline follows; false: the input ends, or the
			    rest was cut off to be a line of its own */
	bool longer;	 /* than HP_TEXT_LINE_MOST: the rest was passed over */
};

struct hp_text_lines {
	hp_text_read *read;
	void *ctx;
	char *buf;
	size_t at, len;	 /* bytes of buf that are taken, that are there */
	uint64_t offset; /* of buf[at] */
	uint64_t number; /* of the last line */
	bool end;	 /* nothing comes after buf */
	bool passing;	 /* the rest of the last line is to be passed over */
};

/* HP_OK; HP_NOMEM. hp_text_lines_release() in any case. */
HP_MUST_USE enum hp_status hp_text_lines_init(struct hp_text_lines *l,
					      hp_text_read *read, void *ctx,
					      struct hp_error *err);
void hp_text_lines_release(struct hp_text_lines *l);

/* HP_OK; HP_EOF after the last line; what the reading function returns. */
HP_MUST_USE enum hp_status hp_text_lines_next(struct hp_text_lines *l,
					      struct hp_text_line *line,
					      struct hp_error *err);

/*
 * Only the first @keep bytes of @line, the last one handed out, are that line:
 * what follows them is a line of its own that has the same number.
 */
void hp_text_lines_split(struct hp_text_lines *l, struct hp_text_line *line,
			 size_t keep);

#endif
