/*
 * internal.h - make records from lines of the agent's text
 */
#ifndef HP_TEXT_INTERNAL_H
#define HP_TEXT_INTERNAL_H

#include "common/base/arena.h"
#include "common/base/buf.h"
#include "common/base/vec.h"
#include "common/format/format.h"
#include "common/format/record_writer.h"
#include "common/object_ids/id_map.h"
#include "common/text/lines/lines.h"
#include "common/text/lines/parse.h"
#include "common/text/lines/spool.h"
#include "common/text/text.h"

/* ----------------------------------------------------------------------
 * Reconstruct the fields of classes from the objects in a text dump
 *
 * The text contains no list of fields. The lines of an object name only its
 * reference fields that are not null, with the fields of the topmost class
 * first. The order of the fields of a class follows from all its objects. A
 * field is inherited if an object of a super class also has it, or if it
 * precedes an inherited field. The remaining bytes of the agent's size (sz) are
 * assumed to be primitive fields.
 */

enum {
	/*
	 * The maximum number of fields of a class, and of ancestors of a class.
	 * Real classes have far fewer. Without the limits a few lines could
	 * create objects of any size.
	 */
	HP_TEXT_FIELDS_MOST = 2048,
	HP_TEXT_DEPTH_MOST = 128,
	/* maximum bytes of filler fields of a class */
	HP_TEXT_FILLER_MOST = 4096,
};
#define HP_TEXT_NO_FIELD UINT32_MAX

struct hp_text_field {
	uint32_t name; /* number of its name */
	/*
	 * Several fields may have the same name, if a subclass shadows one. 0:
	 * the topmost of them.
	 */
	uint16_t occurrence;
	/*
	 * Used if occurrence is 0: how many fields of this name the object with
	 * this stamp has shown.
	 */
	uint16_t shown;
	uint32_t next; /* the field that followed it last time */
	/*
	 * Offset in the data of an object, once resolved. HP_TEXT_NO_FIELD:
	 * left out.
	 */
	uint32_t at;
	uint64_t stamp; /* the last object that showed the field */
	uint32_t owner; /* ancestor that also has it; 0: none */
	uint32_t order; /* position in sorted, while resolving */
};

struct hp_text_shape { /* the fields of one class; initially zero */
	struct hp_text_field *fields;
	uint64_t *edges; /* pairs (from << 32 | to): from precedes to */
	size_t room, edge_room;
	uint32_t count, edge_count;
	uint32_t first; /* the first field of the last object */
	uint32_t size;	/* sz of its objects; 0: no object was seen */
	uint32_t super; /* class number of the super class; 0: none */
	uint32_t depth;
	/* The rest is set by hp_text_shapes_resolve(). */
	uint32_t *sorted; /* all field numbers, in order */
	/* hash of everything that the order depends on */
	uint64_t basis;
	/* serial of this layout; 0: sorted only */
	uint64_t layout;
	uint64_t above;	 /* serial of the super class's layout */
	uint32_t own;	 /* number of own reference fields */
	uint32_t filler; /* bytes of own filler fields */
	/* references and filler bytes, with inherited ones */
	uint32_t references, fillers;
	/*
	 * Number of references that are in the object header: the own ones of
	 * the topmost class.
	 */
	uint32_t in_header;
};

struct hp_text_model { /* how sz follows from the fields; sizes in bytes */
	uint32_t id_size, reference, header;
};

struct hp_text_shapes {
	struct hp_text_shape *list; /* by class number; [0] is unused */
	size_t room;
	uint32_t count;
	/* hash of (class, name, occurrence): field number + 1 */
	struct hp_id_map fields;
	/* hash of (class, from, to) of the known edges */
	struct hp_id_map edges;
	/*
	 * A class and the name of a field that it is known to declare, even if
	 * it has no objects of its own. 0: not in this text.
	 */
	uint32_t declares_class, declares_name;
	uint64_t layouts; /* number of layouts made */
	uint64_t seed;
};

/* Make an empty set of shapes. Returns HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_text_shapes_init(struct hp_text_shapes *s,
					       struct hp_error *err);
void hp_text_shapes_release(struct hp_text_shapes *s);

/* Add a class. Returns its number, from 1; 0 if out of memory. */
uint32_t hp_text_shapes_add(struct hp_text_shapes *s);

static inline struct hp_text_shape *
hp_text_shape(const struct hp_text_shapes *s, uint32_t class)
{
	return &s->list[class];
}

/*
 * The name of the field that followed @before in the last object of the class.
 * HP_TEXT_NO_FIELD as @before means the first field. Returns 0 if there is
 * none.
 */
uint32_t hp_text_shapes_expected(const struct hp_text_shapes *s, uint32_t class,
				 uint32_t before);

/**
 * hp_text_shapes_field() - record that an object of a class shows a field
 * @before: the slot of the object's previous field; HP_TEXT_NO_FIELD for the
 *          first
 * @stamp:  identifies the object; never 0
 * @slot:   receives the number of the field in its class; HP_TEXT_NO_FIELD if
 *          the class has too many fields
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_shapes_field(struct hp_text_shapes *s,
						uint32_t class, uint32_t before,
						uint32_t name, uint64_t stamp,
						uint32_t *slot,
						struct hp_error *err);

/**
 * hp_text_shapes_resolve() - lay out classes from what is known so far
 * @classes: @n different class numbers; the super class of each must also be in
 *           the list, or 0
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_shapes_resolve(struct hp_text_shapes *s, const uint32_t *classes,
		       uint32_t n, const struct hp_text_model *model,
		       struct hp_error *err);

/* The length in bytes of the data of an object. */
static inline uint64_t
hp_text_shape_data(const struct hp_text_shape *s, unsigned id_size)
{
	return (uint64_t)s->references * id_size + s->fillers;
}

/* Approximate memory in bytes. */
uint64_t hp_text_shapes_bytes(const struct hp_text_shapes *s);

/* ----------------------------------------------------------------------
 * The state of the translation from text to binary
 *
 * Shared by records.c and the files that it is built on: heap.c, stitch.c,
 * segments.c, reports.c, names.c, output.c.
 */

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

/* A definition in the run that is being written; see runs.c. */
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
	 * a number of fields, and the field numbers. For the rows see runs.c.
	 */
	ENTRY_RUN,
};

/* ----------------------------------------------------------------------
 * Give numbers to the names, classes, frames and traces of a text dump
 *
 * Each is written as a record later, when a report needs it.
 */

/*
 * The first id of each kind of object. Frames and strings begin where the
 * agent's own ids begin. Classes and carried lines, to which the agent gives no
 * such ids, follow.
 */
#define HP_TEXT_FRAME_IDS UINT64_C(0x70000000)
#define HP_TEXT_STRING_IDS UINT64_C(0xA0000000)
#define HP_TEXT_CLASS_IDS UINT64_C(0xC0000000)
#define HP_TEXT_CARRIED_IDS UINT64_C(0xE0000000)

static inline uint64_t
hp_text_string_id(uint32_t number)
{
	return number ? HP_TEXT_STRING_IDS + number : 0;
}

static inline uint64_t
hp_text_frame_id(uint32_t number)
{
	return HP_TEXT_FRAME_IDS + number;
}

static inline struct hp_text_word
hp_text_interned(const struct hp_text_records *r, uint32_t number)
{
	const struct hp_interned i = hp_intern_get(&r->texts, number);

	return (struct hp_text_word){i.text, i.length};
}

static inline struct hp_text_class *
hp_text_class(const struct hp_text_records *r, uint32_t number)
{
	return (struct hp_text_class *)r->classes.items + number;
}

/*
 * Whether a word contains escapes that must be undone. Only a text that
 * hprof-convert or libhprof-agent wrote has escapes.
 */
bool hp_text_is_escaped(const struct hp_text_records *r,
			struct hp_text_word word);
/*
 * The number of a name. A new name gets a STRING record, which is written
 * later. Returns 0 if out of memory.
 */
uint32_t hp_text_name(struct hp_text_records *r, struct hp_text_word word);
/* As hp_text_name(), for a text of this program, which has no escapes. */
uint32_t hp_text_own_name(struct hp_text_records *r, const char *text,
			  size_t length);
/* The number of the class with a name. Returns 0 if out of memory. */
uint32_t hp_text_class_named(struct hp_text_records *r,
			     struct hp_text_word name);
/*
 * The number of the class with an id. If the id is new, the class gets the name
 * @name. Returns 0 if out of memory.
 */
uint32_t hp_text_class_of(struct hp_text_records *r, uint64_t id,
			  struct hp_text_word name);
/* The number of the class with an id; 0 if there is none. */
uint32_t hp_text_class_known(const struct hp_text_records *r, uint64_t id);
/*
 * The number of a frame. A new frame gets a STACK FRAME record, which is
 * written later. Returns 0 if out of memory.
 */
uint32_t hp_text_frame(struct hp_text_records *r,
		       const struct hp_text_frame_key *key);
/*
 * Note that a record of the line @spot begins at the end of @b, a buffer that
 * is written later. Returns false if out of memory.
 */
bool hp_text_mark(struct hp_text_records *r, struct hp_vec *marks,
		  const struct hp_buf *b, struct hp_text_spot spot);
/*
 * Write all records that wait, with a LOAD CLASS record for every class that
 * has none. Returns false if out of memory.
 */
bool hp_text_flush(struct hp_text_records *r);
/* Store the current line in a STRING record. Returns false if out of memory. */
bool hp_text_carry(struct hp_text_records *r);
/*
 * Note that something refers to the trace with this serial, or that it is
 * defined here. Return false if out of memory.
 */
bool hp_text_use_trace(struct hp_text_records *r, uint32_t serial);
bool hp_text_print_trace(struct hp_text_records *r, uint32_t serial);
/* Report the traces that something refers to but that were never defined. */
void hp_text_check_traces(struct hp_text_records *r);
void hp_text_names_release(struct hp_text_records *r);

/* ----------------------------------------------------------------------
 * Output of the translation: bytes of the binary dump, and problems
 */

void hp_text_tell(const struct hp_text_records *r, enum hp_text_oddity oddity,
		  const struct hp_text_spot *spot, uint64_t a, uint64_t b);

static inline struct hp_text_spot
hp_text_here(const struct hp_text_records *r)
{
	return (struct hp_text_spot){r->line.number, r->line.offset};
}

static inline void
hp_text_place(const struct hp_text_records *r, uint64_t offset,
	      const struct hp_text_spot *spot)
{
	if (r->options.place)
		r->options.place(r->options.ctx, offset, spot->line,
				 spot->offset);
}

/*
 * Limit an id to the width of the ids in this text. Reports a problem if it is
 * wider.
 */
static inline uint64_t
hp_text_narrow(const struct hp_text_records *r, uint64_t id)
{
	const struct hp_text_spot here = hp_text_here(r);

	if (r->model.id_size == 8 || id <= UINT32_MAX)
		return id;
	hp_text_tell(r, HP_TEXT_ODD_ID, &here, id, 0);
	return id & UINT32_MAX;
}

static inline void
hp_text_put_id(const struct hp_text_records *r, struct hp_buf *b, uint64_t v)
{
	hp_append_uint(b, v, r->model.id_size);
}

/* Append bytes to the output. */
void hp_text_out(struct hp_text_records *r, const void *bytes, size_t n);
uint32_t hp_text_time_us(const struct hp_text_records *r, uint64_t ms);

/* ----------------------------------------------------------------------
 * Translate the lines of a heap dump in the agent's text
 */

void hp_text_heap_begin(struct hp_text_records *r,
			const struct hp_text_item *i);
/* Process a line of a heap dump. Returns HP_OK; HP_NOMEM; HP_IO. */
enum hp_status hp_text_heap_line(struct hp_text_records *r,
				 const struct hp_text_item *i,
				 struct hp_error *err);
/*
 * The number of the class of an object or array line; the class is now in the
 * dump. Returns 0 if out of memory.
 */
uint32_t hp_text_show_class(struct hp_text_records *r,
			    const struct hp_text_item *i);
/* Process the line of an object. The lines of its fields follow. */
void hp_text_show_object(struct hp_text_records *r, uint32_t class,
			 const struct hp_text_item *i);
/*
 * Process the name of the next field of the current object. @slot: receives the
 * number of the field in its class, or HP_TEXT_NO_FIELD if the class has too
 * many. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_show_field(struct hp_text_records *r,
					      struct hp_text_word name,
					      uint32_t *slot,
					      struct hp_error *err);
/*
 * Finish a heap dump after its last line, and begin to write it. @whole: that
 * line was HEAP DUMP END. Returns HP_OK; HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_heap_end(struct hp_text_records *r, bool whole,
				struct hp_error *err);

/* ----------------------------------------------------------------------
 * Translate reports that are tables: ALLOC SITES, CPU SAMPLES and others
 */

bool hp_text_report_begin(struct hp_text_records *r,
			  const struct hp_text_item *i);
bool hp_text_report_row(struct hp_text_records *r,
			const struct hp_text_item *i);
bool hp_text_report_end(struct hp_text_records *r, bool whole);

/* ----------------------------------------------------------------------
 * Write the segments of a heap dump
 */

/*
 * Make names for the filler fields that stand for primitives, before the heap
 * dump begins. Returns false if out of memory.
 */
bool hp_text_name_fillers(struct hp_text_records *r);
/*
 * Write all classes of the dump. hp_text_drain() then writes the rest. Returns
 * false if out of memory.
 */
bool hp_text_put_classes(struct hp_text_records *r);
/*
 * Write some more of the objects of the dump, until enough output is ready.
 * Returns HP_OK; HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_drain(struct hp_text_records *r, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Add packed runs of objects (runs.c) to the heap dump
 */

/*
 * Add all lines of a run to the heap dump. @taken: receives false if that is
 * not possible; then the caller must read the lines one by one. Returns HP_OK;
 * HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_take_run(struct hp_text_records *r,
				const struct hp_text_run *run, bool *taken,
				struct hp_error *err);

#endif
