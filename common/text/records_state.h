/*
 * records_state.h - what is known of a text while records are made of it
 *
 * For records.c and the files that it stands on: heap.c, stitch.c, segments.c,
 * reports.c, names.c, output.c.
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

/* A line's place, for problems and for what is made of it. */
struct hp_text_spot {
	uint64_t line, offset;
};

struct hp_text_class {	/* its number is that of its shape, and its serial */
	uint32_t name;	/* a number of the texts */
	uint32_t trace; /* of its CLS line */
	uint64_t id;	/* if it has one */
	bool has_id, loaded;
	bool made_up;		  /* of arrays, in a text of JDK 1.4 */
	uint32_t shown;		  /* the dump that has objects of it, from 1 */
	uint32_t dumped;	  /* the dump that has a CLS line of it */
	uint32_t listed;	  /* the dump that it is laid out for */
	struct hp_text_spot spot; /* of its first object in that dump */
};

struct hp_text_member { /* a static or a constant */
	bool is_static;
	uint32_t name; /* or index */
	uint64_t value;
};

struct hp_text_cls { /* a CLS line with what is below */
	uint32_t class, trace;
	uint64_t links[4]; /* enum hp_text_link */
	size_t first;	   /* of its statics and constants */
	uint32_t statics, constants;
	struct hp_text_spot spot;
};

struct hp_text_frame_key { /* no padding */
	uint32_t class, method, signature, source;
	int32_t line;
};

struct hp_text_mark { /* a record that waits to be written */
	size_t at;
	struct hp_text_spot spot;
};

struct hp_text_use { /* a trace that something has */
	uint32_t serial;
	struct hp_text_spot spot; /* of the first use */
};

struct hp_text_row {
	uint32_t class, trace;
	uint64_t values[4]; /* live bytes, objects, allocated ones */
};

/* Classes that are looked for by their names. */
enum hp_text_named {
	HP_TEXT_OBJECT_CLASS,
	HP_TEXT_INTEGER_CLASS,
	HP_TEXT_REFERENCE_CLASS,
	HP_TEXT_NAMED,
};

struct hp_text_bounds {
	double low, high;
};

/* The report whose rows are read. */
struct hp_text_report {
	struct hp_text_spot spot;
	uint64_t total, sum, all_sum;
	uint64_t live_count, all_count;
	uint64_t last;	  /* what the row before had */
	/* bounds of the total, from the percentages: if they were rounded
	 * only once, and if they were summed as 32-bit floats */
	struct hp_text_bounds exact, loose;
	uint32_t rank;
	bool by_allocated, told;
	uint32_t time_us;
	struct hp_vec rows; /* struct hp_text_row */
};

/* An array of objects, while it is written. */
struct hp_text_long {
	bool open;	      /* elements may come */
	bool alone;	      /* in a segment of its own, put out as it comes */
	uint64_t next, count; /* elements */
};

/* A definition of the run that comes out. */
struct hp_text_run_def {
	uint32_t class, fields;
	size_t first; /* of its fields in run_slots */
};

struct hp_text_records {
	struct hp_text_reading options;
	struct hp_text_lines lines;
	struct hp_text_line line; /* the current one */
	enum hp_text_within within;
	bool ended;    /* after the last line */
	bool finished; /* and all of it was written */
	bool begun;    /* the prologue is over */
	bool ours;     /* written by hprof-convert: names are escaped */
	struct hp_text_model model;
	struct hp_buf settings; /* libhprof-agent's line */
	uint64_t start_ms;

	/* names */
	struct hp_intern texts;
	struct hp_vec by_name; /* uint32_t by text: its class */
	struct hp_text_shapes shapes;
	struct hp_vec classes; /* struct hp_text_class; [0] is none */
	uint32_t flushed; /* classes before this one have their LOAD CLASS */
	uint32_t looked;  /* and those before this one are no named ones, but */
	uint32_t named[HP_TEXT_NAMED]; /* the first of each; 0: none yet */
	struct hp_id_map by_id;	       /* class id: its number */
	struct hp_buf scratch;	       /* a name without its escapes */
	struct hp_intern frames;       /* struct hp_text_frame_key as texts */
	struct hp_id_map traces; /* serial: whether it was used, or printed */
	struct hp_vec uses;	 /* struct hp_text_use */
	uint32_t carried;	 /* lines that were */
	uint64_t made_up;	 /* class ids that were */

	/* records that wait for class ids */
	struct hp_buf strings, waiting;
	struct hp_vec string_marks, marks; /* struct hp_text_mark */

	/* the open trace */
	bool in_trace;
	uint32_t trace, trace_thread;
	struct hp_text_spot trace_spot;
	struct hp_vec stack; /* uint32_t: frames */

	struct hp_text_report report;

	/* the heap dump */
	uint32_t dump; /* from 1 */
	bool in_heap, draining, heap_whole;
	uint32_t heap_time;
	struct hp_text_spot heap_spot;
	struct hp_text_spool spool;
	uint64_t stamp;	   /* of the open object */
	uint32_t class;	   /* of it */
	uint32_t field;	   /* its last one */
	uint64_t elements; /* of the open array */
	uint64_t next_index;
	struct hp_buf defs;   /* a run's definitions, as they go to the spool */
	bool def_left_out;    /* one of them has a field too many */
	struct hp_vec cls;    /* struct hp_text_cls */
	struct hp_vec shown;  /* uint32_t: classes that have objects */
	struct hp_vec listed; /* uint32_t: these, and those of cls; each once */
	struct hp_vec links;  /* struct hp_text_member */

	/* what comes out */
	struct hp_buf segment, object, out;
	size_t out_at;
	uint64_t zeros; /* that come behind out */
	uint64_t total; /* bytes put out, zeros, too */
	struct hp_text_long array;
	struct hp_vec run_defs;	 /* struct hp_text_run_def */
	struct hp_vec run_slots; /* uint32_t: bytes of an object's data */
	size_t run_end; /* of its rows, in the spool's buffer; 0: none */
	struct hp_text_spot run_spot; /* of the object or array before */
};

/* What an entry of the spool is. */
enum entry {
	ENTRY_ROOT = 1,	  /* kind, id, two numbers */
	ENTRY_OBJECT,	  /* id, trace, class */
	ENTRY_FIELD,	  /* number in the class, value */
	ENTRY_ARRAY,	  /* id, trace, class, elements */
	ENTRY_ELEMENT,	  /* index, value */
	ENTRY_PRIMITIVES, /* id, trace, type, elements */
	ENTRY_RUN, /* definitions, bytes of them, bytes of rows; then both:
		      of a definition the class, the number of its fields,
		      each one's number in the class; rows as in runs.h */
};

#endif
