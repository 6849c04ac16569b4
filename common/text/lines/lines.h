/*
 * lines.h - split the text of a dump into lines, and pack lines of objects,
 * with several threads
 */
#ifndef HP_TEXT_LINES_H
#define HP_TEXT_LINES_H

#include "common/base/status.h"

/*
 * ----------------------------------------------------------------------
 * Pack consecutive lines that describe objects and arrays, in a block of the
 * text of a heap dump
 *
 * A block is a part of the text, about 1 MB. Nearly all lines of a large text
 * describe objects, their fields, arrays and their elements. A run is a group
 * of consecutive lines of this kind, however many. The lines of a run are
 * converted ("packed") to short rows of numbers, one for each object, array or
 * element.
 *
 * A block is packed without knowledge of the text before it, so several threads
 * can pack blocks in parallel. A run has only objects that begin in its block.
 * Each row of an object refers to a definition. A definition describes all
 * objects of the run that have the same class and the same list of fields; it
 * points to the lines of the first such object. There are few definitions.
 * stitch.c reads classes, names and fields from the definitions, in the order
 * of the text.
 *
 * A line of another kind ends a run. Lines outside of runs are read one by one.
 */

enum {
	/*
	 * Maximum number of bytes of text in a block. The lines of a block are
	 * packed in one call.
	 */
	HP_TEXT_BLOCK = 1 << 20,
	/*
	 * Maximum number of runs (groups of packed lines) in a block. Lines
	 * after the last run of the block are read one by one.
	 */
	HP_TEXT_RUNS_MOST = 16,
	/* The agent may truncate lines of this length or more. */
	HP_TEXT_LINE_CUT = 1023,
};

struct hp_text_def {
	/* where the first line of the object begins in the block of text */
	size_t at;
	/*
	 * line number of the first line of the object, counted from 0 in the
	 * block of text
	 */
	uint32_t line;
	/*
	 * number of lines of fields that follow the first line of the object; 0
	 * for an array
	 */
	uint32_t fields;
};

/*
 * The first line of a run (group of packed lines) that refers to a certain
 * stack trace.
 */
struct hp_text_met {
	size_t at;
	uint32_t line, trace;
};

struct hp_text_run {
	/*
	 * the bytes of the run (group of packed lines): from the offset `from`
	 * in the block to before the offset `to`
	 */
	size_t from, to;
	/*
	 * `line`: the number of the first line of the run (group of packed
	 * lines), counted from 0 in the block. `lines`: the number of lines of
	 * the run.
	 */
	uint32_t line, lines;
	/*
	 * where the last line of the run (group of packed lines) begins, as an
	 * offset in the block
	 */
	size_t last;
	/*
	 * `def`: index of the first definition of the run (group of packed
	 * lines). `defs`: number of definitions of the run. A definition is the
	 * class and the fields of similar objects.
	 */
	uint32_t def, defs;
	/*
	 * `trace`: index of the first stack trace to which the run (group of
	 * packed lines) refers. `traces`: number of such traces.
	 */
	uint32_t trace, traces;
	/*
	 * The rows of the run (group of packed lines). `row`: their offset in
	 * the memory that contains the rows of all runs of the block. `rows`:
	 * their size in bytes.
	 */
	size_t row, rows;
	/* some id in the run (group of packed lines) needs more than 4 bytes */
	bool wide;
	/*
	 * The run (group of packed lines) begins with elements of an array
	 * whose own line is in an earlier block. The smallest index of these
	 * elements is `least`, the largest is `behind` - 1.
	 */
	bool continues;
	uint64_t least, behind;
	/*
	 * The last lines of the run (group of packed lines) belong to an array
	 * that continues after the run. `elements`: the number of elements of
	 * that array. `next`: 1 + the index of its last element in the run.
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
 * The first byte of a packed row says what the row describes. The comment of
 * each value lists the numbers that follow; they are encoded as in spool.h. If
 * hp_text_packer_open() was called with @places, the row of an object or array
 * has two more numbers directly after the first byte: the distance in lines and
 * in bytes from the previous object or array of the run (group of packed
 * lines). For the first object or array, this is the distance from the
 * beginning of the run.
 */
enum hp_text_row_kind {
	/*
	 * an object: the index of its definition (class and fields; 2 bytes,
	 * little-endian), id, trace serial number, value of each field
	 */
	HP_TEXT_ROW_OBJECT = 0x40,
	/*
	 * an array of references: index of its definition (class and fields),
	 * id, trace serial number, number of elements
	 */
	HP_TEXT_ROW_ARRAY,
	/*
	 * an array of primitives: type code (1 byte), id, trace serial number,
	 * number of elements
	 */
	HP_TEXT_ROW_PRIMITIVES,
	/* an element of an array: its index and its value */
	HP_TEXT_ROW_ELEMENT,
	/*
	 * an element of an array: its value; its index is that of the previous
	 * element plus 1
	 */
	HP_TEXT_ROW_NEXT,
};

struct hp_text_packer;

/*
 * Make the state for packing blocks. Returns NULL if out of memory. @places:
 * whether the rows also contain the line and the offset of each object; see
 * enum hp_text_row_kind.
 */
struct hp_text_packer *hp_text_packer_open(bool places);
void hp_text_packer_close(struct hp_text_packer *p);

/**
 * hp_text_pack() - find the runs (groups of consecutive lines of objects and
 * arrays) in a block, and convert their lines to short rows of numbers
 * @text: the block of text: @length bytes, and 16 more bytes that are readable
 * @out:  zero-initialise it before its first use; its memory is reused
 *
 * Returns: true; false if out of memory.
 */
bool hp_text_pack(struct hp_text_packer *p, const char *text, size_t length,
		  struct hp_text_runs *out);

/*
 * ----------------------------------------------------------------------
 * Split a text into blocks of whole lines
 *
 * Each block is packed separately (runs.c), in parallel if there are several
 * threads. The caller gets the blocks in the order of the text. The ends of
 * blocks depend neither on the number of threads nor on the sizes of reads.
 */

/*
 * A function that reads the next bytes of the text. It has the same arguments
 * and results as hp_layer_read(). It returns fewer bytes than requested only at
 * the end of the text.
 */
typedef enum hp_status hp_text_read(void *ctx, void *buf, size_t n, size_t *got,
				    struct hp_error *err);

struct hp_text_blocks_options {
	/*
	 * The function that reads the text. It is never called on two threads
	 * at the same time.
	 */
	hp_text_read *read;
	void *ctx;
	/*
	 * number of threads that pack blocks; 0 or 1: the calling thread does
	 * this
	 */
	unsigned threads;
	/*
	 * Limit of the memory of all blocks in bytes. If the limit is low,
	 * fewer threads are used. 0: no limit.
	 */
	uint64_t memory;
	/* also keep the line number and offset of each object, for messages */
	bool places;
	bool by_line; /* do not pack lines, but return them one by one */
};

struct hp_text_block {
	/*
	 * The text of the block, which consists of whole lines. If a line is
	 * longer than a block, the block is a part of that line.
	 */
	char *text;
	size_t length;
	bool last; /* this block is the last one of the text */
	/* HP_OK; another status: reading failed, and the block is empty */
	enum hp_status status;
	struct hp_error error;
	/*
	 * The lines of the block were packed, so the member `runs` (groups of
	 * packed lines) can be used.
	 */
	bool packed;
	struct hp_text_runs runs;
};

struct hp_text_blocks;

/* Open a text for reading in blocks. Returns HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_text_blocks_open(struct hp_text_blocks **out,
		    const struct hp_text_blocks_options *options,
		    struct hp_error *err);

/* End the threads and free everything. @b may be NULL. */
void hp_text_blocks_close(struct hp_text_blocks *b);

/**
 * hp_text_blocks_next() - get the next block; must not be called after the last
 * block
 * @out: receives the block, which is valid until the next call
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO; or the status of the reading function.
 */
HP_MUST_USE enum hp_status hp_text_blocks_next(struct hp_text_blocks *b,
					       const struct hp_text_block **out,
					       struct hp_error *err);

/*
 * Pack the lines of the current block, unless a worker thread has packed them.
 * Call this only for blocks inside a heap dump, because packed lines are not
 * used elsewhere. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_blocks_pack(struct hp_text_blocks *b,
					       struct hp_error *err);

/* Returns the approximate memory of the blocks in bytes. */
uint64_t hp_text_blocks_memory(const struct hp_text_blocks *b);

/*
 * ----------------------------------------------------------------------
 * Split a stream of bytes into lines, with line numbers and offsets
 *
 * The memory in use does not depend on the length of lines. If a line is longer
 * than HP_TEXT_LINE_MOST bytes, the caller gets only that many bytes; the rest
 * of the line is skipped.
 *
 * If the first line ends with "\r\n", as in a file that the agent wrote on
 * Windows, every line is expected to end with "\r\n".
 */

/* maximum length of a line in bytes */
enum { HP_TEXT_LINE_MOST = 256 << 10 };

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
	 * true: the line ends with a newline. false: the input ends here, or
	 * hp_text_lines_split() has divided the line here.
	 */
	bool ended;
	bool carriage; /* the line ends with a carriage return */
	/*
	 * The line is longer than HP_TEXT_LINE_MOST, so `text` is only its
	 * beginning.
	 */
	bool longer;
};

struct hp_text_lines {
	struct hp_text_blocks *blocks;
	/* the block that contains the next line; NULL: no block was read yet */
	const struct hp_text_block *block;
	size_t at;	 /* offset of the next line to read, in the block */
	uint64_t offset; /* offset of the next line to read, in the text */
	/* number of the last line that was read, in the text */
	uint64_t number;
	/*
	 * index of the next run (group of packed lines) to return, among the
	 * runs of the current block
	 */
	uint32_t run;
	bool crlf; /* the lines of this text end with "\r\n" */
	/*
	 * the last line that was read is too long, and its rest must be skipped
	 */
	bool passing;
	/*
	 * The status with which reading the text has failed. HP_OK: it has not
	 * failed.
	 */
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
 * Divide @line, the line that was returned last, after @keep bytes. The rest
 * becomes the next line, with the same line number.
 */
void hp_text_lines_split(struct hp_text_lines *l, struct hp_text_line *line,
			 size_t keep);

/*
 * Get the run (group of packed lines) that begins with the next line. *@out is
 * NULL if no run begins there. Returns HP_OK, also at the end of the text;
 * otherwise the same as hp_text_lines_next().
 */
HP_MUST_USE enum hp_status hp_text_lines_run(struct hp_text_lines *l,
					     const struct hp_text_run **out,
					     struct hp_error *err);

/*
 * Continue after the last line of @run, a group of packed lines. *@line becomes
 * that last line, but without its text.
 */
void hp_text_lines_take_run(struct hp_text_lines *l,
			    const struct hp_text_run *run,
			    struct hp_text_line *line);

/*
 * Get one line of @run, a group of packed lines, which must begin with the next
 * line of @l. hp_text_lines_next() still returns the same line next. @at:
 * offset of the line in the block. @number: number of the line in the block.
 */
void hp_text_lines_look(const struct hp_text_lines *l,
			const struct hp_text_run *run, size_t at,
			uint32_t number, struct hp_text_line *line);

#endif
