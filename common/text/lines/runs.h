/*
 * runs.h - rows of objects and arrays in a block of a heap dump's text, packed
 *
 * Nearly all lines of a large text are objects, their fields, arrays and their
 * elements. A block is looked at without knowing what stands before it: whole
 * objects that begin in it are packed, each with the number of its definition,
 * the first object of the same class that shows the same fields. What follows
 * from all of them together (classes, names, fields) follows from definitions,
 * of which there are few, and is found in the order of the text by stitch.c.
 *
 * Anything odd ends a run; what is in none is read line by line.
 */
#ifndef HP_TEXT_RUNS_H
#define HP_TEXT_RUNS_H

#include "common/base/status.h"

enum {
	HP_TEXT_BLOCK = 1 << 20, /* bytes of a block at most */
	HP_TEXT_RUNS_MOST = 16,	 /* of a block; more is read line by line */
	HP_TEXT_LINE_CUT = 1023, /* from so many bytes on lines may be cut */
};

struct hp_text_def {
	size_t at;	 /* of the line in the block */
	uint32_t line;	 /* its number in the block, from 0 */
	uint32_t fields; /* lines that follow; arrays have none */
};

/* A trace that is met for the first time in a run. */
struct hp_text_met {
	size_t at;
	uint32_t line, trace;
};

struct hp_text_run {
	size_t from, to;	 /* bytes of the block */
	uint32_t line, lines;	 /* number of the first, how many */
	size_t last;		 /* where the last line begins */
	uint32_t def, defs;	 /* definitions: the first, how many */
	uint32_t trace, traces;	 /* traces, likewise */
	size_t row, rows;	 /* bytes of the rows */
	bool wide;		 /* has ids of more than 4 bytes */
	bool continues;		 /* begins with elements of an open array, */
	uint64_t least, behind;	 /* of these indexes */
	bool array;		 /* ends with an array, of so many elements, */
	uint64_t elements, next; /* which the next index of is this */
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
 * What a row is, its first byte; ids and other numbers follow as in spool.h.
 * With places, objects and arrays have two numbers first: how many lines and
 * bytes behind the object or array before, or behind the run's begin.
 */
enum hp_text_row_kind {
	HP_TEXT_ROW_OBJECT = 0x40, /* definition (2 bytes, the lowest first),
				      id, trace, value of each field */
	HP_TEXT_ROW_ARRAY,	   /* definition, id, trace, elements */
	HP_TEXT_ROW_PRIMITIVES,	   /* type (a byte), id, trace, elements */
	HP_TEXT_ROW_ELEMENT,	   /* index, value */
	HP_TEXT_ROW_NEXT,	   /* value of the element behind the last */
};

struct hp_text_packer;

/* @places: as above. NULL: out of memory. */
struct hp_text_packer *hp_text_packer_open(bool places);
void hp_text_packer_close(struct hp_text_packer *p);

/**
 * hp_text_pack() - the runs of a block
 * @text: followed by 16 bytes that may be read
 * @out:  zeroed before its first use; its memory is used again
 *
 * Returns: false: out of memory.
 */
bool hp_text_pack(struct hp_text_packer *p, const char *text, size_t length,
		  struct hp_text_runs *out);

#endif
