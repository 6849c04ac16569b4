/*
 * runs.h - pack consecutive objects and arrays in a block of a heap dump's text
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
#ifndef HP_TEXT_RUNS_H
#define HP_TEXT_RUNS_H

#include "common/base/status.h"

enum {
	HP_TEXT_BLOCK = 1 << 20, /* maximum bytes of a block */
	/*
	 * Maximum number of runs in a block. Further lines are read one by one.
	 */
	HP_TEXT_RUNS_MOST = 16,
	/* the agent may truncate lines of this length or more */
	HP_TEXT_LINE_CUT = 1023,
};

struct hp_text_def {
	size_t at;	 /* offset of the line in the block */
	uint32_t line;	 /* line number in the block, from 0 */
	uint32_t fields; /* number of field lines that follow; 0 for an array */
};

/* The first use of a trace in a run. */
struct hp_text_met {
	size_t at;
	uint32_t line, trace;
};

struct hp_text_run {
	size_t from, to;	/* begin and end in the block, in bytes */
	uint32_t line, lines;	/* number of the first line; number of lines */
	size_t last;		/* offset of the last line in the block */
	uint32_t def, defs;	/* first definition; number of definitions */
	uint32_t trace, traces; /* first trace; number of traces */
	/* begin and size of the packed rows, in bytes */
	size_t row, rows;
	bool wide; /* contains ids of more than 4 bytes */
	/*
	 * The run begins with elements of an array of an earlier block. Their
	 * indexes are from least to behind - 1.
	 */
	bool continues;
	uint64_t least, behind;
	/*
	 * The run ends inside an array with so many elements. Its next index is
	 * next.
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
	HP_TEXT_ROW_ELEMENT, /* index of the element, value */
	HP_TEXT_ROW_NEXT,    /* value of the element at the next index */
};

struct hp_text_packer;

/*
 * @places: keep line numbers, see enum hp_text_row_kind. Returns NULL if out of
 *          memory.
 */
struct hp_text_packer *hp_text_packer_open(bool places);
void hp_text_packer_close(struct hp_text_packer *p);

/**
 * hp_text_pack() - find and pack the runs of a block
 * @text: @length bytes, and 16 more that are readable
 * @out:  zero-initialise it before its first use; its memory is reused
 *
 * Returns: true; false if out of memory.
 */
bool hp_text_pack(struct hp_text_packer *p, const char *text, size_t length,
		  struct hp_text_runs *out);

#endif
