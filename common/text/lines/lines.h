/*
 * lines.h - a stream of bytes as lines, with their numbers and places
 *
 * Memory does not depend on how long lines are: of a very long one the first
 * HP_TEXT_LINE_MOST bytes are handed out and the rest is passed over.
 *
 * Where the first line ends in "\r\n", as all do in a file that the agent wrote
 * on Windows, that is a newline.
 */
#ifndef HP_TEXT_LINES_H
#define HP_TEXT_LINES_H

#include "common/text/lines/blocks.h"

enum { HP_TEXT_LINE_MOST = 256 << 10 }; /* bytes of a line that are kept */

struct hp_text_line {
	const char *text; /* borrowed until the next call; no newline, no NUL */
	size_t length;
	uint64_t offset; /* of its first byte */
	uint64_t number; /* from 1 */
	bool ended;	 /* a newline follows; false: the input ends, or the
			    rest was cut off to be a line of its own */
	bool carriage;	 /* a '\r' stands before the newline, or the end */
	bool longer;	 /* than HP_TEXT_LINE_MOST: the rest was passed over */
};

struct hp_text_lines {
	struct hp_text_blocks *blocks;
	const struct hp_text_block *block; /* NULL: none yet */
	size_t at;	    /* bytes of the block that are taken */
	uint64_t offset;    /* of the next line */
	uint64_t number;    /* of the last line */
	uint32_t run;	    /* runs of the block that were passed */
	bool crlf;	    /* newlines are "\r\n" */
	bool passing;	    /* the rest of the last line is passed over */
	enum hp_status end; /* what reading failed with; HP_OK: it did not */
};

/* HP_OK; HP_NOMEM. hp_text_lines_release() in any case. */
HP_MUST_USE enum hp_status
hp_text_lines_init(struct hp_text_lines *l,
		   const struct hp_text_blocks_options *options,
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

/* The run that begins with the next line, NULL if there is none; as
 * hp_text_lines_next(), but HP_OK at the end. */
HP_MUST_USE enum hp_status hp_text_lines_run(struct hp_text_lines *l,
					     const struct hp_text_run **out,
					     struct hp_error *err);

/* All lines of it were taken; @line becomes the last one, without its text. */
void hp_text_lines_take_run(struct hp_text_lines *l,
			    const struct hp_text_run *run,
			    struct hp_text_line *line);

/* The line at byte @at of the block, which has the number @number there: one
 * of @run, which begins with the next line. */
void hp_text_lines_look(const struct hp_text_lines *l,
			const struct hp_text_run *run, size_t at,
			uint32_t number, struct hp_text_line *line);

#endif
