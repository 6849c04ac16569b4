/*
 * lines.h - split text into lines, and rows of objects, on all threads
 */
#ifndef HP_TEXT_LINES_H
#define HP_TEXT_LINES_H

#include "common/base/status.h"

/* ----------------------------------------------------------------------
 * Pack consecutive objects and arrays in a block of a heap dump's text
 *
 * Nearly all lines of a large text are objects, their fields, arrays and their
 * elements. A block is packed without knowledge of what precedes it, so several
 * threads can pack blocks in parallel. Only objects that begin in the block are
 * packed. Each packed object refers to a definition: the first object of the
 * same class that shows the same fields. There are few definitions. stitch.c
 * derives classes, names and fields from the definitions, in the order of the
 * text.
 *
 * An unexpected line ends a run. Lines outside of runs are read one by one.
 */

enum {
	/* maximum bytes of text that are packed together */
	HP_TEXT_BLOCK = 1 << 20,
	/*
	 * Maximum number of runs (groups of packed lines) in a block. Lines
	 * after the last of them are read one by one.
	 */
	HP_TEXT_RUNS_MOST = 16,
	/* the agent may truncate lines of this length or more */
	HP_TEXT_LINE_CUT = 1023,
};

struct hp_text_def {
	size_t at;	 /* offset of the line in its block of text */
	uint32_t line;	 /* number of the line in its block of text, from 0 */
	uint32_t fields; /* number of field lines that follow; 0 for an array */
};

/* Where in a run (group of packed lines) a stack trace occurs first. */
struct hp_text_met {
	size_t at;
	uint32_t line, trace;
};

struct hp_text_run {
	/*
	 * offsets in the block of the first byte and of the end of the packed
	 * lines
	 */
	size_t from, to;
	/* number of the first line in the block, and the number of lines */
	uint32_t line, lines;
	/* offset of the last of these lines in the block */
	size_t last;
	/*
	 * index of the first class definition that these lines use, and their
	 * number
	 */
	uint32_t def, defs;
	/*
	 * index of the first stack trace that these lines use, and their number
	 */
	uint32_t trace, traces;
	/* begin and size of the packed rows, in bytes */
	size_t row, rows;
	bool wide; /* some id needs more than 4 bytes */
	/*
	 * The run begins with elements of an array that began in an earlier
	 * block. Their indexes are from least to behind - 1.
	 */
	bool continues;
	uint64_t least, behind;
	/*
	 * The run ends inside an array that has this many elements. The index
	 * of its next element is next.
	 */
	bool array;
	uint64_t elements, next;
};

struct hp_text_runs {
	struct hp_text_run list[HP_TEXT_RUNS_MOST];
	uint32_t count;
	uint8_t *rows;
	struct hp_text_def *defs;
	struct hp_text_met *traces;
	size_t def_room, trace_room;
};

void hp_text_runs_release(struct hp_text_runs *r);

/*
 * The first byte of each row. Ids and other numbers follow, encoded as in
 * spool.h. If places are kept, the rows of objects and arrays begin with two
 * more numbers: the distance in lines and in bytes from the object or array
 * before, or from the beginning of the run.
 */
enum hp_text_row_kind {
	/*
	 * Definition (2 bytes, little-endian), id, trace serial, value of each
	 * field.
	 */
	HP_TEXT_ROW_OBJECT = 0x40,
	/* definition, id, trace serial, number of elements */
	HP_TEXT_ROW_ARRAY,
	/* type code (1 byte), id, trace serial, number of elements */
	HP_TEXT_ROW_PRIMITIVES,
	/* an element of an array: its index and its value */
	HP_TEXT_ROW_ELEMENT,
	/*
	 * the value of an array element whose index is that of the previous
	 * element, plus 1
	 */
	HP_TEXT_ROW_NEXT,
};

struct hp_text_packer;

/*
 * Returns NULL if out of memory. @places: also keep line numbers, see enum
 * hp_text_row_kind.
 */
struct hp_text_packer *hp_text_packer_open(bool places);
void hp_text_packer_close(struct hp_text_packer *p);

/**
 * hp_text_pack() - find and pack the runs of a block (groups of lines of
 * objects and arrays)
 * @text: @length bytes, and 16 more that are readable
 * @out:  zero-initialise it before its first use; its memory is reused
 *
 * Returns: true; false if out of memory.
 */
bool hp_text_pack(struct hp_text_packer *p, const char *text, size_t length,
		  struct hp_text_runs *out);

/* ----------------------------------------------------------------------
 * Split a text into blocks that end at the end of a line
 *
 * Each block is packed separately (runs.c), in parallel if there are several
 * threads. Blocks are delivered in the order of the text. Where a block ends
 * does not depend on the threads, nor on the sizes of reads.
 */

/*
 * Reads bytes of the text, as hp_layer_read() does. It returns fewer bytes than
 * requested only at the end.
 */
typedef enum hp_status hp_text_read(void *ctx, void *buf, size_t n, size_t *got,
				    struct hp_error *err);

struct hp_text_blocks_options {
	/* The function that reads text. Never called on two threads at once. */
	hp_text_read *read;
	void *ctx;
	/*
	 * number of threads that pack blocks; 0 or 1: the calling thread does
	 * this
	 */
	unsigned threads;
	/*
	 * Limit of memory in bytes. If it is low, fewer threads are used. 0: no
	 * limit.
	 */
	uint64_t memory;
	/* keep the number of the line of each object, for messages */
	bool places;
	bool by_line; /* do not pack lines; return them one by one */
};

struct hp_text_block {
	char *text; /* whole lines; or part of a line longer than a block */
	size_t length;
	bool last; /* this block is the last of the text */
	/* not HP_OK: reading failed, the block is empty */
	enum hp_status status;
	struct hp_error error;
	/* the lines of the block were packed, so the member runs is valid */
	bool packed;
	struct hp_text_runs runs;
};

struct hp_text_blocks;

/* Open a text for reading in blocks. Returns HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_text_blocks_open(struct hp_text_blocks **out,
		    const struct hp_text_blocks_options *options,
		    struct hp_error *err);

/* Joins the threads and frees everything. @b may be NULL. */
void hp_text_blocks_close(struct hp_text_blocks *b);

/**
 * hp_text_blocks_next() - get the next block; must not be called after the last
 * @out: valid until the next call
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO; or the status of the reading function.
 */
HP_MUST_USE enum hp_status hp_text_blocks_next(struct hp_text_blocks *b,
					       const struct hp_text_block **out,
					       struct hp_error *err);

/*
 * Pack the lines of the current block, unless a worker thread has done it. This
 * is needed only inside a heap dump, so a single thread does it on demand.
 * Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_blocks_pack(struct hp_text_blocks *b,
					       struct hp_error *err);

/* Approximate memory of the blocks in bytes. */
uint64_t hp_text_blocks_memory(const struct hp_text_blocks *b);

/* ----------------------------------------------------------------------
 * Split a stream of bytes into lines, with line numbers and offsets
 *
 * Memory does not depend on the length of lines: only the first
 * HP_TEXT_LINE_MOST bytes of a very long line are returned, the rest is
 * skipped.
 *
 * If the first line ends with "\r\n", as in a file that the agent wrote on
 * Windows, all lines do.
 */

enum { HP_TEXT_LINE_MOST = 256 << 10 }; /* maximum length in bytes */

struct hp_text_line {
	/*
	 * the text of the line, without the newline and not NUL-terminated;
	 * valid until the next call
	 */
	const char *text;
	size_t length;
	uint64_t offset; /* offset of the line in the text */
	uint64_t number; /* number of the line in the text; the first is 1 */
	/*
	 * true: the line ends with a newline; false: the input ends, or
	 * hp_text_lines_split() made the rest of a line a line of its own
	 */
	bool ended;
	bool carriage; /* the line ends with a carriage return */
	/* the line is longer than HP_TEXT_LINE_MOST; the rest was skipped */
	bool longer;
};

struct hp_text_lines {
	struct hp_text_blocks *blocks;
	/* the current block; NULL: none was read yet */
	const struct hp_text_block *block;
	size_t at;	 /* offset in the block of the line to read next */
	uint64_t offset; /* offset in the text of the line to read next */
	uint64_t number; /* number of the line read last */
	/* index of the next run (group of packed lines) of this block */
	uint32_t run;
	bool crlf;    /* lines end with "\r\n" */
	bool passing; /* the rest of the last line must be skipped */
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
 * Get the run (group of packed lines) that begins with the next line; *@out is
 * NULL if there is none. Returns the same as hp_text_lines_next(), but HP_OK at
 * the end.
 */
HP_MUST_USE enum hp_status hp_text_lines_run(struct hp_text_lines *l,
					     const struct hp_text_run **out,
					     struct hp_error *err);

/*
 * Skip all lines of a run (group of packed lines). @line becomes its last line,
 * without the text.
 */
void hp_text_lines_take_run(struct hp_text_lines *l,
			    const struct hp_text_run *run,
			    struct hp_text_line *line);

/*
 * Get a line of @run (a group of packed lines) without moving the position. @at
 * is the offset of the line in the block, @number its number in the block. @run
 * must begin with the next line.
 */
void hp_text_lines_look(const struct hp_text_lines *l,
			const struct hp_text_run *run, size_t at,
			uint32_t number, struct hp_text_line *line);

#endif
