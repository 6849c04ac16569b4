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
	/*
	 * The text does not show all bytes of an object. Made-up ("filler")
	 * fields stand for the rest: at most so many bytes in a class.
	 */
	HP_TEXT_FILLER_MOST = 4096,
};
#define HP_TEXT_NO_FIELD UINT32_MAX

struct hp_text_field {
	uint32_t name; /* the number of the field's name in the list of names */
	/*
	 * If several fields have the same name, because a subclass shadows one:
	 * which of them this is. 0: the topmost.
	 */
	uint16_t occurrence;
	/*
	 * Used if occurrence is 0: how many fields of this name the object with
	 * this stamp has in the text.
	 */
	uint16_t shown;
	/*
	 * number of the field that followed this one in the last object that
	 * had it
	 */
	uint32_t next;
	/*
	 * Offset of the field in the data of an object, set by
	 * hp_text_shapes_resolve(). HP_TEXT_NO_FIELD: the field is left out.
	 */
	uint32_t at;
	/* serial number of the last object that showed this field */
	uint64_t stamp;
	/*
	 * a superclass that also shows this field, to which it is moved; 0:
	 * none
	 */
	uint32_t owner;
	/*
	 * place of the field in the list of sorted fields, while they are
	 * ordered
	 */
	uint32_t order;
};

struct hp_text_shape { /* the fields of one class; initially zero */
	struct hp_text_field *fields;
	/*
	 * Pairs of field numbers (first << 32 | second): in objects, the first
	 * field comes before the second.
	 */
	uint64_t *edges;
	size_t room, edge_room;
	uint32_t count, edge_count;
	/* number of the field that came first in the object read last */
	uint32_t first;
	/*
	 * bytes of an object of the class (sz= in the text); 0: no object was
	 * seen
	 */
	uint32_t size;
	uint32_t super; /* number of the super class; 0: none */
	uint32_t depth;
	/* The following members are set by hp_text_shapes_resolve(). */
	/* the numbers of all fields, in the order of the class */
	uint32_t *sorted;
	/* hash of all data from which the order was computed */
	uint64_t basis;
	/*
	 * identifies the computed order of the fields; 0: no layout was
	 * computed
	 */
	uint64_t layout;
	/* value of `layout` of the super class when this layout was computed */
	uint64_t above;
	/*
	 * number of reference fields of the class itself, without inherited
	 * ones
	 */
	uint32_t own;
	/*
	 * bytes of the class's made-up fields, which stand for what the text
	 * omits
	 */
	uint32_t filler;
	/*
	 * number of reference fields and of filler bytes, with inherited ones
	 */
	uint32_t references, fillers;
	/*
	 * Number of reference fields that are in the object header: those that
	 * the topmost class itself declares.
	 */
	uint32_t in_header;
};

/*
 * how the size of objects in the text (sz=) follows from their fields; sizes in
 * bytes
 */
struct hp_text_model {
	uint32_t id_size, reference, header;
};

struct hp_text_shapes {
	/*
	 * the shape of each class; the index is the class number; entry 0 is
	 * unused
	 */
	struct hp_text_shape *list;
	size_t room;
	uint32_t count;
	/* maps a hash of (class, name, occurrence) to field number + 1 */
	struct hp_id_map fields;
	/*
	 * set of the hashes of (class, from, to) of all known pairs of fields
	 */
	struct hp_id_map edges;
	/*
	 * A class and the name of a field that the class is known to declare,
	 * even if the text has no objects of it. 0: not in this text.
	 */
	uint32_t declares_class, declares_name;
	uint64_t layouts; /* number of layouts computed so far */
	uint64_t seed;
};

/*
 * Make an empty set of shapes (what is known about the fields of classes).
 * Returns HP_OK; HP_NOMEM.
 */
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
 * The name of the field that came after field @before in the last object of the
 * class. HP_TEXT_NO_FIELD as @before means the first field. Returns 0 if there
 * is none.
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
 * hp_text_shapes_resolve() - compute the order and offsets of the fields of
 * classes, from what is known so far
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

/* The approximate memory of the shapes in bytes. */
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

/*
 * A class. Its number is also the number of its shape (the fields), and its
 * serial number in the dump.
 */
struct hp_text_class {
	uint32_t name; /* number of the class's name in the list of names */
	/* serial number of the stack trace in the class's CLS line */
	uint32_t trace;
	uint64_t id; /* id of the class in the text, if has_id is true */
	bool has_id, loaded;
	/* a class of arrays that the text does not list (JDK 1.4) */
	bool made_up;
	/*
	 * number, from 1, of the last heap dump that has objects of this class
	 */
	uint32_t shown;
	/* number of the last heap dump that has a CLS line for this class */
	uint32_t dumped;
	/*
	 * number of the last heap dump for which list_classes() has listed the
	 * class
	 */
	uint32_t listed;
	/* where the first object of the class is in that dump */
	struct hp_text_spot spot;
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
	/*
	 * ids of the super class, the loader and others; index: enum
	 * hp_text_link
	 */
	uint64_t links[4];
	/*
	 * index of the first static field or constant of this class in the list
	 * links
	 */
	size_t first;
	uint32_t statics, constants;
	struct hp_text_spot spot;
};

/*
 * What identifies a frame. The struct has no padding, because it is hashed as
 * bytes.
 */
struct hp_text_frame_key {
	uint32_t class, method, signature, source;
	int32_t line;
};

/*
 * A record that waits in a buffer until it is written. `at` is its offset in
 * the buffer.
 */
struct hp_text_mark {
	size_t at;
	struct hp_text_spot spot;
};

/* A stack trace to which something refers. */
struct hp_text_use {
	uint32_t serial;
	/* where in the text a line refers to the trace first */
	struct hp_text_spot spot;
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

/* The report (table) that is being read, and the sums of its rows so far. */
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
	/* elements: struct hp_text_row, the rows of the table */
	struct hp_vec rows;
};

/* The array of objects that is being written. */
struct hp_text_long {
	/* the array's line was read, so lines of its elements may follow */
	bool open;
	/*
	 * The array is larger than a segment: it has its own, and is written
	 * directly.
	 */
	bool alone;
	/* index of the next element, and number of elements of the array */
	uint64_t next, count;
};

/*
 * A definition (class and fields of similar objects) in the run of packed
 * objects that is being written; see runs.c.
 */
struct hp_text_run_def {
	uint32_t class, fields;
	size_t first; /* index in run_slots of the number of its first field */
};

struct hp_text_records {
	struct hp_text_reading options;
	struct hp_text_lines lines;
	struct hp_text_line line; /* the line that is being translated */
	enum hp_text_within within;
	bool ended; /* the last line of the text has been read */
	/* all bytes of the binary dump were returned to the caller */
	bool finished;
	bool begun; /* the header of the binary dump has been written */
	/*
	 * hprof-convert or libhprof-agent wrote the text, so names are escaped
	 */
	bool ours;
	struct hp_text_model model;
	/* the text's line with the settings of libhprof-agent */
	struct hp_buf settings;
	uint64_t start_ms;

	/*
	 * All names, each stored once. Elsewhere a name is given by its number
	 * here.
	 */
	struct hp_intern texts;
	/*
	 * vector of uint32_t: for each text, the number of the class with that
	 * name
	 */
	struct hp_vec by_name;
	struct hp_text_shapes shapes;
	/* elements: struct hp_text_class; element 0 is unused */
	struct hp_vec classes;
	/* classes with smaller numbers have a LOAD CLASS record */
	uint32_t flushed;
	/*
	 * classes with smaller numbers have been compared with the names of
	 * enum hp_text_named
	 */
	uint32_t looked;
	/*
	 * for each of these names: number of the first class of the name; 0:
	 * none yet
	 */
	uint32_t named[HP_TEXT_NAMED];
	struct hp_id_map by_id; /* finds the number of a class by its id */
	/* memory in which a name of the text is unescaped */
	struct hp_buf scratch;
	/* set of struct hp_text_frame_key, interned as bytes */
	struct hp_intern frames;
	/*
	 * For each trace serial number: flags that say whether the trace is
	 * used and whether the text defines it.
	 */
	struct hp_id_map traces;
	/* elements: struct hp_text_use, traces that lines refer to */
	struct hp_vec uses;
	/*
	 * number of lines of the text that are kept in STRING records because
	 * no binary record can express them
	 */
	uint32_t carried;
	/*
	 * number of classes without an id in the text, which got a made-up id
	 */
	uint64_t made_up;

	/*
	 * Records that are written later, because a heap dump may still give
	 * ids to classes. Those in `strings` are written first, then the LOAD
	 * CLASS records, then those in `waiting`.
	 */
	struct hp_buf strings, waiting;
	/* elements: struct hp_text_mark, one for each waiting record */
	struct hp_vec string_marks, marks;

	/* a trace is being read, and its frames follow */
	bool in_trace;
	uint32_t trace, trace_thread;
	struct hp_text_spot trace_spot;
	/*
	 * elements: uint32_t, the frame numbers of the trace that is being read
	 */
	struct hp_vec stack;

	struct hp_text_report report;

	/* The heap dump that is being read. */
	/* number of the heap dump that is being read; the first is 1 */
	uint32_t dump;
	bool in_heap, draining, heap_whole;
	uint32_t heap_time;
	struct hp_text_spot heap_spot;
	struct hp_text_spool spool;
	/* serial number of the object whose fields are being read */
	uint64_t stamp;
	/* class number of that object; 0: no object is being read */
	uint32_t class;
	/* number of that object's field that was read last */
	uint32_t field;
	/* number of elements of the array that is being read */
	uint64_t elements;
	uint64_t next_index;
	/*
	 * the definitions (class and fields) of a run of packed objects, as
	 * stored in the spool
	 */
	struct hp_buf defs;
	/* a class has so many fields that one was left out */
	bool def_left_out;
	/* elements: struct hp_text_cls, the CLS lines of the dump */
	struct hp_vec cls;
	/*
	 * vector of uint32_t: numbers of the classes that have objects in this
	 * dump
	 */
	struct hp_vec shown;
	/*
	 * Vector of uint32_t: numbers of the classes in `shown` and `cls`, each
	 * once, ascending.
	 */
	struct hp_vec listed;
	/*
	 * elements: struct hp_text_member, static fields and constants of all
	 * classes
	 */
	struct hp_vec links;

	/*
	 * The output: the current segment, the current object, and finished
	 * bytes.
	 */
	struct hp_buf segment, object, out;
	size_t out_at;
	/* number of zero bytes to write after the bytes in out */
	uint64_t zeros;
	/* number of bytes of the binary dump so far, with the zero bytes */
	uint64_t total;
	struct hp_text_long array;
	/* elements: struct hp_text_run_def, definitions of the current run */
	struct hp_vec run_defs;
	/*
	 * Vector of uint32_t: where the fields of the definitions are in the
	 * data of an object.
	 */
	struct hp_vec run_slots;
	/*
	 * Where the rows (packed lines) of the current run end in the buffer of
	 * the spool. 0: there is no current run.
	 */
	size_t run_end;
	/* where in the text the previous object or array of the run is */
	struct hp_text_spot run_spot;
};

/*
 * The kinds of entries in the spool (temporary file). Each entry is its kind,
 * followed by numbers.
 */
enum entry {
	/*
	 * a root: its kind, the object id, and two numbers that depend on the
	 * kind
	 */
	ENTRY_ROOT = 1,
	/* an object: its id, trace serial number and class number */
	ENTRY_OBJECT,
	/*
	 * a field of the object before: its number in the class, and its value
	 */
	ENTRY_FIELD,
	/* id, trace serial, class number, number of elements */
	ENTRY_ARRAY,
	/* an element of the array before: its index and its value */
	ENTRY_ELEMENT,
	ENTRY_PRIMITIVES, /* id, trace serial, type code, number of elements */
	/*
	 * Packed lines: number of definitions, their size in bytes, the size of
	 * the rows in bytes; then the definitions and rows. A definition is a
	 * class number, a number of fields, and the field numbers. runs.c
	 * describes the rows.
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
/*
 * Like hp_text_name(), for a name that this program chooses, which has no
 * escapes.
 */
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
/* The number of the class with an id; 0 if no class has it. */
uint32_t hp_text_class_known(const struct hp_text_records *r, uint64_t id);
/*
 * The number of a frame. A new frame gets a STACK FRAME record, which is
 * written later. Returns 0 if out of memory.
 */
uint32_t hp_text_frame(struct hp_text_records *r,
		       const struct hp_text_frame_key *key);
/*
 * Note that the record at the end of buffer @b, which is written later, comes
 * from the line @spot. Returns false if out of memory.
 */
bool hp_text_mark(struct hp_text_records *r, struct hp_vec *marks,
		  const struct hp_buf *b, struct hp_text_spot spot);
/*
 * Write all waiting records, and a LOAD CLASS record for every class that has
 * none. Returns false if out of memory.
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

/*
 * ---- Packed lines of consecutive objects (runs.c) become part of the heap
 * dump
 */

/*
 * Add all lines of a run (packed objects) to the heap dump. @taken: receives
 * false if that is not possible; then the caller must read the lines one by
 * one. Returns HP_OK; HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_take_run(struct hp_text_records *r,
				const struct hp_text_run *run, bool *taken,
				struct hp_error *err);

#endif
