/*
 * records_state.h - the state of the translation from text to binary
 *
 * Shared by records.c and the files that it is built on: heap.c, stitch.c,
 * segments.c, reports.c, names.c, output.c.
 */
#ifndef HP_TEXT_RECORDS_STATE_H
#define HP_TEXT_RECORDS_STATE_H

#include "common/base/buf.h"
#include "common/base/intern.h"
#include "common/base/vec.h"
#include "common/format/format.h"
#include "common/format/record_writer.h"
#include "common/text/lines/parse.h"
#include "common/text/lines/lines.h"
#include "common/text/reading.h"
#include "common/text/shape.h"
#include "common/text/lines/spool.h"

/* A line number, from 1, and the offset of the line in the text. */
struct hp_text_spot {
	uint64_t line, offset;
};

/* A class. Its number is also the number of its shape, and its serial. */
struct hp_text_class {
	uint32_t name;	/* number of its name in texts */
	uint32_t trace; /* serial of the trace in its CLS line */
	uint64_t id;	/* class id, if has_id is true */
	bool has_id, loaded;
	/* A class of arrays that the text of JDK 1.4 does not list. */
	bool made_up;
	/* Number, from 1, of the last heap dump with objects of this class. */
	uint32_t shown;
	/* number of the last heap dump with a CLS line for this class */
	uint32_t dumped;
	/* number of the last heap dump that lists the class */
	uint32_t listed;
	struct hp_text_spot spot; /* its first object in that dump */
};

/* A static field, or an entry of the constant pool. */
struct hp_text_member {
	bool is_static;
	uint32_t
		name; /* number of the field's name, or index of the constant */
	uint64_t value;
};

/* A CLS line and the lines below it. */
struct hp_text_cls {
	uint32_t class, trace;
	uint64_t links[4]; /* ids, by enum hp_text_link */
	size_t first;	   /* position of its first member in links */
	uint32_t statics, constants;
	struct hp_text_spot spot;
};

/* Key of a frame. It must have no padding, because it is hashed as bytes. */
struct hp_text_frame_key {
	uint32_t class, method, signature, source;
	int32_t line;
};

/* A record that waits in a buffer. at is its offset in the buffer. */
struct hp_text_mark {
	size_t at;
	struct hp_text_spot spot;
};

/* A trace that something refers to. */
struct hp_text_use {
	uint32_t serial;
	struct hp_text_spot spot; /* the first line that refers to it */
};

struct hp_text_row {
	uint32_t class, trace;
	/* live bytes, live objects, allocated bytes, allocated objects */
	uint64_t values[4];
};

/* Classes that the translation looks up by name. */
enum hp_text_named {
	HP_TEXT_OBJECT_CLASS,
	HP_TEXT_INTEGER_CLASS,
	HP_TEXT_REFERENCE_CLASS,
	HP_TEXT_NAMED,
};

struct hp_text_bounds {
	double low, high;
};

/* The report that is being read, and the sums of its rows so far. */
struct hp_text_report {
	struct hp_text_spot spot;
	uint64_t total, sum, all_sum;
	uint64_t live_count, all_count;
	uint64_t last; /* the value of the row before, to check the order */
	/*
	 * Bounds of the total that follow from the percentages. exact: each
	 * percentage was rounded once. loose: percentages were summed as 32-bit
	 * floats.
	 */
	struct hp_text_bounds exact, loose;
	uint32_t rank;
	bool by_allocated, told;
	uint32_t time_us;
	struct hp_vec rows; /* vector of struct hp_text_row */
};

/* The array of objects that is being written. */
struct hp_text_long {
	bool open; /* elements may follow */
	/*
	 * The array is larger than a segment: it has its own, and is written
	 * directly.
	 */
	bool alone;
	uint64_t next, count; /* next element, number of elements */
};

/* A definition in the run that is being written; see runs.h. */
struct hp_text_run_def {
	uint32_t class, fields;
	size_t first; /* position of its first field in run_slots */
};

struct hp_text_records {
	struct hp_text_reading options;
	struct hp_text_lines lines;
	struct hp_text_line line; /* the current line */
	enum hp_text_within within;
	bool ended;    /* the last line has been read */
	bool finished; /* all output has been delivered */
	bool begun;    /* the header has been written */
	/* hprof-convert or libhprof-agent wrote the text: names are escaped. */
	bool ours;
	struct hp_text_model model;
	struct hp_buf settings; /* the line with libhprof-agent's settings */
	uint64_t start_ms;

	/* All names, interned. Elsewhere a name is given by its number here. */
	struct hp_intern texts;
	/* vector of uint32_t: for each text, the class of that name */
	struct hp_vec by_name;
	struct hp_text_shapes shapes;
	/* vector of struct hp_text_class; item 0 is unused */
	struct hp_vec classes;
	/* Classes before this number have a LOAD CLASS record. */
	uint32_t flushed;
	/*
	 * Classes before this number have been compared with the names of enum
	 * hp_text_named.
	 */
	uint32_t looked;
	/* the first class of each name; 0: none yet */
	uint32_t named[HP_TEXT_NAMED];
	struct hp_id_map by_id; /* class id: class number */
	struct hp_buf scratch;	/* an unescaped name */
	/* set of struct hp_text_frame_key, interned as bytes */
	struct hp_intern frames;
	struct hp_id_map traces; /* trace serial: flags USED and PRINTED */
	struct hp_vec uses;	 /* vector of struct hp_text_use */
	uint32_t carried;	 /* number of carried lines */
	uint64_t made_up;	 /* number of class ids that were made up */

	/*
	 * Records that wait to be written. strings come first, then LOAD CLASS
	 * records, then waiting. They wait because a heap dump may still give
	 * ids to classes.
	 */
	struct hp_buf strings, waiting;
	struct hp_vec string_marks, marks; /* vectors of struct hp_text_mark */

	/* The trace whose frames are being read. */
	bool in_trace;
	uint32_t trace, trace_thread;
	struct hp_text_spot trace_spot;
	struct hp_vec stack; /* vector of uint32_t: frame numbers */

	struct hp_text_report report;

	/* The heap dump that is being read. */
	uint32_t dump; /* number of the heap dump, from 1 */
	bool in_heap, draining, heap_whole;
	uint32_t heap_time;
	struct hp_text_spot heap_spot;
	struct hp_text_spool spool;
	uint64_t stamp;	   /* serial of the open object */
	uint32_t class;	   /* its class; 0: none is open */
	uint32_t field;	   /* its last field */
	uint64_t elements; /* number of elements of the open array */
	uint64_t next_index;
	struct hp_buf defs; /* definitions of a run, as stored in the spool */
	bool def_left_out;  /* a definition has a field that is left out */
	struct hp_vec cls;  /* vector of struct hp_text_cls */
	/* vector of uint32_t: classes that have objects in this dump */
	struct hp_vec shown;
	/*
	 * Vector of uint32_t: the classes of shown and cls, each once,
	 * ascending.
	 */
	struct hp_vec listed;
	struct hp_vec links; /* vector of struct hp_text_member */

	/* The output. */
	struct hp_buf segment, object, out;
	size_t out_at;
	uint64_t zeros; /* zero bytes that follow out */
	uint64_t total; /* bytes of output so far, with zeros */
	struct hp_text_long array;
	struct hp_vec run_defs; /* vector of struct hp_text_run_def */
	/*
	 * Vector of uint32_t: where the fields of the definitions are in the
	 * data of an object.
	 */
	struct hp_vec run_slots;
	/*
	 * End of the rows of the open run in the buffer of the spool. 0: no run
	 * is open.
	 */
	size_t run_end;
	struct hp_text_spot run_spot; /* line of the previous object or array */
};

/* The kinds of entries in the spool. Each entry is its kind, then numbers. */
enum entry {
	ENTRY_ROOT = 1, /* kind of root, object id, two numbers */
	ENTRY_OBJECT,	/* id, trace serial, class number */
	ENTRY_FIELD,	/* field number in the class, value */
	/* id, trace serial, class number, number of elements */
	ENTRY_ARRAY,
	ENTRY_ELEMENT,	  /* index of the element, value */
	ENTRY_PRIMITIVES, /* id, trace serial, type code, number of elements */
	/*
	 * Number of definitions, their size in bytes, the size of the rows in
	 * bytes; then the definitions and rows. A definition is a class number,
	 * a number of fields, and the field numbers. For the rows see runs.h.
	 */
	ENTRY_RUN,
};

#endif
