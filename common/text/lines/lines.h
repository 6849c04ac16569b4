/*
 * lines.h - split a stream of bytes into lines, with line numbers and offsets
 *
 * Memory does not depend on the length of lines: only the first
 * HP_TEXT_LINE_MOST bytes of a very long line are returned, the rest is
 * skipped.
 *
 * If the first line ends with "\r\n", as in a file that the agent wrote on
 * Windows, all lines do.
 */
#ifndef HP_TEXT_LINES_H
#define HP_TEXT_LINES_H

#include "common/text/lines/blocks.h"

enum { HP_TEXT_LINE_MOST = 256 << 10 }; /* maximum length in bytes */

struct hp_text_line {
	/*
	 * Valid until the next call. Without the newline, and not
	 * NUL-terminated.
	 */
	const char *text;
	size_t length;
	uint64_t offset; /* offset of its first byte in the text */
	uint64_t number; /* line number, from 1 */
	/*
	 * A newline follows. False: the input ends, or hp_text_lines_split()
	 * made the rest a line of its own.
	 */
	bool ended;
	bool carriage; /* a '\r' precedes the newline or the end */
	/* Longer than HP_TEXT_LINE_MOST; the rest was skipped. */
	bool longer;
};

struct hp_text_lines {
	struct hp_text_blocks *blocks;
	/* the current block; NULL: none was read yet */
	const struct hp_text_block *block;
	size_t at;	 /* position in the block */
	uint64_t offset; /* offset of the next line in the text */
	uint64_t number; /* number of the last line */
	/* number of runs of the block that end before the position */
	uint32_t run;
	bool crlf;    /* lines end with "\r\n" */
	bool passing; /* the rest of the last line is to be skipped */
	/* status of a failed read; HP_OK: none has failed */
	enum hp_status end;
};

/*
 * Open a text for reading in lines. Returns HP_OK; HP_NOMEM. Call
 * hp_text_lines_release() even after a failure.
 */
HP_MUST_USE enum hp_status
hp_text_lines_init(struct hp_text_lines *l,
		   const struct hp_text_blocks_options *options,
		   struct hp_error *err);
void hp_text_lines_release(struct hp_text_lines *l);

/*
 * Get the next line. Returns HP_OK; HP_EOF after the last line; or the status
 * of the reading function.
 */
HP_MUST_USE enum hp_status hp_text_lines_next(struct hp_text_lines *l,
					      struct hp_text_line *line,
					      struct hp_error *err);

/*
 * Truncate @line, the line that was returned last, to @keep bytes. The rest
 * becomes a line of its own with the same number.
 */
void hp_text_lines_split(struct hp_text_lines *l, struct hp_text_line *line,
			 size_t keep);

/*
 * Get the run that begins with the next line; NULL if there is none. Returns as
 * hp_text_lines_next(), but HP_OK at the end.
 */
HP_MUST_USE enum hp_status hp_text_lines_run(struct hp_text_lines *l,
					     const struct hp_text_run **out,
					     struct hp_error *err);

/* Skip all lines of a run. @line becomes its last line, without the text. */
void hp_text_lines_take_run(struct hp_text_lines *l,
			    const struct hp_text_run *run,
			    struct hp_text_line *line);

/*
 * Get a line of @run without moving the position. @at is the offset of the line
 * in the block, @number its number in the block. @run must begin with the next
 * line.
 */
void hp_text_lines_look(const struct hp_text_lines *l,
			const struct hp_text_run *run, size_t at,
			uint32_t number, struct hp_text_line *line);

#endif
