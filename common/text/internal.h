/*
 * internal.h - make records of a binary dump from the agent's text
 *
 * The agent is the JVMTI agent hprof of the JDK (java -agentlib:hprof), or
 * libhprof-agent. Both can write a heap dump as lines of text.
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

/*
 * ----------------------------------------------------------------------
 * Reconstruct the fields of classes from the objects in a text dump
 *
 * The text has no list of the fields of a class. The line of an object is
 * followed by one line for each of its reference fields that is not null. The
 * fields of the topmost class come first. The order of the fields of a class
 * follows from all its objects. A field is inherited if an object of a super
 * class also has it, or if it precedes an inherited field. The text has the
 * size of an object ("sz="). Bytes of the object that are neither its header
 * nor references are assumed to be primitive fields.
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
	 * The text does not show the primitive fields of an object. So the
	 * translation adds made-up fields ("fillers") of the same size. This is
	 * the maximum size of the fillers of a class, in bytes.
	 */
	HP_TEXT_FILLER_MOST = 4096,
};
#define HP_TEXT_NO_FIELD UINT32_MAX

struct hp_text_field {
	/* number of the name of the field in hp_text_records.texts */
	uint32_t name;
	/*
	 * Several fields of an object have the same name if a subclass declares
	 * a field that its super class also has. This is the index of this
	 * field among the fields with its name; 0 is the field of the topmost
	 * class.
	 */
	uint16_t occurrence;
	/*
	 * How many fields with this name were read so far in the object with
	 * the serial number `stamp`. If a class has several fields with this
	 * name, only the one with `occurrence` 0 uses this member.
	 */
	uint16_t shown;
	/*
	 * The number of the field that came directly after this field in the
	 * last object that had this field.
	 */
	uint32_t next;
	/*
	 * Offset of the field in the data of an object in the binary dump, set
	 * by hp_text_shapes_resolve(). HP_TEXT_NO_FIELD: the field is left out.
	 */
	uint32_t at;
	/* stamp (serial number) of the last object that had this field */
	uint64_t stamp;
	/*
	 * number of a super class whose objects also have this field, so that
	 * this super class declares it; 0: none
	 */
	uint32_t owner;
	/* while the fields are sorted: the new index of this field */
	uint32_t order;
};

struct hp_text_shape { /* the fields of one class; initially zero */
	struct hp_text_field *fields;
	/*
	 * The known order of fields. Each element is a pair of field numbers,
	 * first << 32 | second: in some object, the first field came before the
	 * second field.
	 */
	uint64_t *edges;
	size_t room, edge_room;
	uint32_t count, edge_count;
	/* number of the first field in the last object of this class */
	uint32_t first;
	/* size in bytes of an object of the class ("sz="); 0: no object read */
	uint32_t size;
	/* number of the super class; 0: the super class is not known */
	uint32_t super;
	uint32_t depth;
	/*
	 * This member and those after it are set by hp_text_shapes_resolve(),
	 * which sorts the fields.
	 */
	/* the numbers of all fields of the class, in the order of the dump */
	uint32_t *sorted;
	/*
	 * A hash of all facts from which the order of the fields was computed.
	 * If the hash is unchanged, the order need not be computed again.
	 */
	uint64_t basis;
	/*
	 * The number of the current layout of this class (the order and offsets
	 * of its fields). Each computed layout gets a new number. 0: no layout
	 * was computed.
	 */
	uint64_t layout;
	/*
	 * The value that `layout` of the super class had when the layout of
	 * this class was computed. If the super class has another value now,
	 * its layout has changed.
	 */
	uint64_t above;
	/* number of reference fields that the class itself declares */
	uint32_t own;
	/*
	 * bytes of the made-up (filler) fields that the class itself declares
	 */
	uint32_t filler;
	/*
	 * Totals for the class and all its super classes: the number of
	 * reference fields, and the number of bytes of filler fields (which
	 * stand for primitive fields).
	 */
	uint32_t references, fillers;
	/*
	 * Number of reference fields that the topmost class itself declares.
	 * They are a part of the header of every object.
	 */
	uint32_t in_header;
};

/*
 * How the size of an object in the text ("sz=") follows from its fields. All
 * members are sizes in bytes: of an id in the dump, of a reference in the JVM,
 * and of an object header.
 */
struct hp_text_model {
	uint32_t id_size, reference, header;
};

struct hp_text_shapes {
	/*
	 * the shape of each class (the known names, types and order of its
	 * fields); the index is the class number, and element 0 is unused
	 */
	struct hp_text_shape *list;
	size_t room;
	uint32_t count;
	/* maps a hash of (class, name, occurrence) to 1 + the field's number */
	struct hp_id_map fields;
	/*
	 * A set of hashes of (class, first field, second field), so that each
	 * known pair of fields is stored only once.
	 */
	struct hp_id_map edges;
	/*
	 * The class with the number `declares_class` is known to declare a
	 * field with the name `declares_name`, even if no objects of this class
	 * are in the text. 0: the text does not mention this class.
	 */
	uint32_t declares_class, declares_name;
	/* number of field layouts of classes that were computed so far */
	uint64_t layouts;
	uint64_t seed;
};

/*
 * Make an empty set of shapes. The shape of a class is the known part of its
 * fields. Returns HP_OK; HP_NOMEM.
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
 * Guess the name of the next field of an object. The guess is the name of the
 * field that came after the field @before in the last object of the class. If
 * @before is HP_TEXT_NO_FIELD, it is the name of the first field of that
 * object. Returns 0 if there is no guess.
 */
uint32_t hp_text_shapes_expected(const struct hp_text_shapes *s, uint32_t class,
				 uint32_t before);

/**
 * hp_text_shapes_field() - record that an object of a class has a field
 * @before: the number of the object's previous field; HP_TEXT_NO_FIELD for the
 *          first field
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
 * classes, from the objects that were recorded so far
 * @classes: @n different class numbers; the list must also contain the super
 *           class of each class, if there is one
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_shapes_resolve(struct hp_text_shapes *s, const uint32_t *classes,
		       uint32_t n, const struct hp_text_model *model,
		       struct hp_error *err);

/*
 * Returns the length in bytes of the field values of an object in the binary
 * dump.
 */
static inline uint64_t
hp_text_shape_data(const struct hp_text_shape *s, unsigned id_size)
{
	return (uint64_t)s->references * id_size + s->fillers;
}

/* Returns the approximate memory of the shapes (fields of classes) in bytes. */
uint64_t hp_text_shapes_bytes(const struct hp_text_shapes *s);

/* ----------------------------------------------------------------------
 * The state of the translation from text to binary
 *
 * Shared by records.c and the files that it uses: heap.c, stitch.c, segments.c,
 * reports.c, names.c, output.c.
 */

/* A line number, from 1, and the offset of the line in the text. */
struct hp_text_spot {
	uint64_t line, offset;
};

/*
 * A class. The number of a class is its index in hp_text_records.classes. The
 * same number is the index of its shape (its fields) and the serial number of
 * the class in the binary dump.
 */
struct hp_text_class {
	/* number of the class's name in hp_text_records.texts */
	uint32_t name;
	/*
	 * serial number of the stack trace in the CLS line (the description) of
	 * the class
	 */
	uint32_t trace;
	uint64_t id; /* id of the class in the text, if has_id is true */
	bool has_id, loaded;
	/*
	 * This is an array class whose name was made up, because a text of JDK
	 * 1.4 mentions only the class of the elements.
	 */
	bool made_up;
	/* number, from 1, of the last heap dump with objects of the class */
	uint32_t shown;
	/*
	 * number, from 1, of the last heap dump with a CLS line for the class
	 */
	uint32_t dumped;
	/*
	 * number of the last heap dump for which list_classes() listed the
	 * class
	 */
	uint32_t listed;
	/*
	 * where the first object of this class is in the text, in the heap dump
	 * number `shown`
	 */
	struct hp_text_spot spot;
};

/* A static field of a class, or an entry of its constant pool. */
struct hp_text_member {
	bool is_static;
	/*
	 * number of the name of the static field; for a constant: its index in
	 * the constant pool
	 */
	uint32_t name;
	uint64_t value;
};

/*
 * The description of a class in the text: a CLS line, and the lines after it
 * with the static fields and constants of the class.
 */
struct hp_text_cls {
	uint32_t class, trace;
	/*
	 * Ids of the super class, the class loader and other objects that the
	 * class refers to. The index is an enum hp_text_link.
	 */
	uint64_t links[4];
	/*
	 * index of the first static field or constant of this class in
	 * hp_text_records.links
	 */
	size_t first;
	uint32_t statics, constants;
	struct hp_text_spot spot;
};

/*
 * The values that identify a stack frame: the numbers of its class and of three
 * names, and the line number. The struct has no padding, because it is hashed
 * as bytes.
 */
struct hp_text_frame_key {
	uint32_t class, method, signature, source;
	int32_t line;
};

/*
 * A record that waits in a buffer until it can be written. `at`: the offset of
 * the record in the buffer. `spot`: the line of the text from which the record
 * was made.
 */
struct hp_text_mark {
	size_t at;
	struct hp_text_spot spot;
};

/* A stack trace (its serial number) to which a line of the text refers. */
struct hp_text_use {
	uint32_t serial;
	/* the first line of the text that refers to the trace */
	struct hp_text_spot spot;
};

struct hp_text_row {
	uint32_t class, trace;
	/* live bytes, live objects, allocated bytes, allocated objects */
	uint64_t values[4];
};

/*
 * Classes with a special meaning, such as java.lang.Object, that the
 * translation finds by their names.
 */
enum hp_text_named {
	HP_TEXT_OBJECT_CLASS,
	HP_TEXT_INTEGER_CLASS,
	HP_TEXT_REFERENCE_CLASS,
	HP_TEXT_NAMED,
};

struct hp_text_bounds {
	double low, high;
};

/*
 * The report (a table such as ALLOC SITES) that is being read, and the sums of
 * its rows so far.
 */
struct hp_text_report {
	struct hp_text_spot spot;
	uint64_t total, sum, all_sum;
	uint64_t live_count, all_count;
	/*
	 * The value of the previous row in the column by which the table is
	 * sorted. It is used to check the order of the rows.
	 */
	uint64_t last;
	/*
	 * The smallest and the largest possible total of the table, computed
	 * from the percentages of the rows. `exact` assumes that each
	 * percentage was rounded once. `loose` assumes that the agent added up
	 * percentages as 32-bit floats.
	 */
	struct hp_text_bounds exact, loose;
	uint32_t rank;
	bool by_allocated, told;
	uint32_t time_us;
	/* the rows of the table; elements: struct hp_text_row */
	struct hp_vec rows;
};

/*
 * The object array that is being written. The text has one line for the array,
 * and after it one line for each element.
 */
struct hp_text_long {
	/*
	 * the line of the array was read, so lines of its elements may follow
	 */
	bool open;
	/*
	 * The array does not fit into a heap dump segment of the usual size. So
	 * it is a segment of its own, which is written directly to the output.
	 */
	bool alone;
	/*
	 * The index of the next element to write, and the number of elements of
	 * the array.
	 */
	uint64_t next, count;
};

/*
 * A definition in a run. A run is a group of consecutive lines of similar
 * objects, packed by runs.c. Each object of the run refers to a definition,
 * which has the class and the list of fields of the object.
 */
struct hp_text_run_def {
	uint32_t class, fields;
	/* index in run_slots of the entry for the first field of the list */
	size_t first;
};

struct hp_text_records {
	struct hp_text_reading options;
	struct hp_text_lines lines;
	struct hp_text_line line; /* the line that is being translated */
	enum hp_text_within within;
	bool ended; /* The last line of the text was read. */
	/* the caller has received all bytes of the binary dump */
	bool finished;
	bool begun; /* the header of the binary dump has been written */
	/*
	 * The text was written by hprof-convert or libhprof-agent, not by the
	 * JDK's agent. So special characters in names are escaped.
	 */
	bool ours;
	struct hp_text_model model;
	/* the line of the text that contains the settings of libhprof-agent */
	struct hp_buf settings;
	uint64_t start_ms;

	/*
	 * All names, each stored once. In this header, "the number of a name"
	 * is its number in this table of texts.
	 */
	struct hp_intern texts;
	/*
	 * Finds a class by its name. The index is the number of the name in
	 * `texts`. The element (uint32_t) is the number of the class with this
	 * name; 0: there is no such class.
	 */
	struct hp_vec by_name;
	struct hp_text_shapes shapes;
	/* elements: struct hp_text_class; element 0 is unused */
	struct hp_vec classes;
	/* number of the first class that has no LOAD CLASS record yet */
	uint32_t flushed;
	/*
	 * The classes with smaller numbers were already compared with the names
	 * of enum hp_text_named.
	 */
	uint32_t looked;
	/*
	 * For each value of enum hp_text_named, the number of the first class
	 * with that name. 0: no such class so far.
	 */
	uint32_t named[HP_TEXT_NAMED];
	/* maps the id of a class to the number of the class */
	struct hp_id_map by_id;
	/* memory in which a name of the text is unescaped */
	struct hp_buf scratch;
	/*
	 * All stack frames, each stored once. A frame is stored as the bytes of
	 * a struct hp_text_frame_key.
	 */
	struct hp_intern frames;
	/*
	 * The key is the serial number of a stack trace. The value has two
	 * flags: a line of the text refers to the trace; the text defines the
	 * trace.
	 */
	struct hp_id_map traces;
	/*
	 * the stack traces to which lines of the text refer; elements: struct
	 * hp_text_use
	 */
	struct hp_vec uses;
	/*
	 * number of lines of the text that were stored in STRING records,
	 * because the binary format has no record for them
	 */
	uint32_t carried;
	/*
	 * number of classes that got a made-up id, because the text has no id
	 * for them
	 */
	uint64_t made_up;

	/*
	 * Records that must wait until the heap dump is complete, because lines
	 * of the heap dump may still give ids to classes. They are written in
	 * this order: `strings`, all LOAD CLASS records, `waiting`.
	 */
	struct hp_buf strings, waiting;
	/*
	 * For the records in `strings` and in `waiting`: the lines of the text
	 * from which they were made. Elements: struct hp_text_mark.
	 */
	struct hp_vec string_marks, marks;

	/* the lines of the frames of a stack trace are being read */
	bool in_trace;
	uint32_t trace, trace_thread;
	struct hp_text_spot trace_spot;
	/* frame numbers (uint32_t) of the stack trace that is being read */
	struct hp_vec stack;

	struct hp_text_report report;

	/* number of the heap dump being read; the first in the text is 1 */
	uint32_t dump;
	bool in_heap, draining, heap_whole;
	uint32_t heap_time;
	struct hp_text_spot heap_spot;
	struct hp_text_spool spool;
	/*
	 * serial number of the current object, whose lines of fields are being
	 * read
	 */
	uint64_t stamp;
	/* class number of the current object; 0: no object is being read */
	uint32_t class;
	/* number of the field that was read last in the current object */
	uint32_t field;
	/* number of elements of the array whose element lines are being read */
	uint64_t elements;
	uint64_t next_index;
	/*
	 * The definitions (class and list of fields) of the run (group of
	 * packed lines) that is being stored in the spool, the temporary file.
	 * They have the format of ENTRY_RUN below.
	 */
	struct hp_buf defs;
	/*
	 * In some definition of the run (group of packed lines), a field was
	 * left out because the class has too many fields.
	 */
	bool def_left_out;
	/*
	 * the CLS lines (descriptions of classes) of the heap dump; elements:
	 * struct hp_text_cls
	 */
	struct hp_vec cls;
	/* numbers (uint32_t) of the classes with objects in this heap dump */
	struct hp_vec shown;
	/*
	 * the numbers of all classes in `shown` or `cls`, each once, in
	 * ascending order; elements: uint32_t
	 */
	struct hp_vec listed;
	/*
	 * the static fields and constants of all classes; elements: struct
	 * hp_text_member
	 */
	struct hp_vec links;

	/*
	 * The output. `segment`: the heap dump segment that is being filled.
	 * `object`: the instance or array that is being made. `out`: bytes that
	 * are ready for the caller.
	 */
	struct hp_buf segment, object, out;
	size_t out_at;
	/*
	 * The number of zero bytes that come after the bytes in `out`. They are
	 * only counted, not stored.
	 */
	uint64_t zeros;
	/*
	 * The number of bytes of the binary dump that were produced so far,
	 * including zero bytes that are not stored.
	 */
	uint64_t total;
	struct hp_text_long array;
	/*
	 * the definitions of the current run. A run is a group of packed lines;
	 * a definition is the class and the fields of similar objects.
	 * Elements: struct hp_text_run_def
	 */
	struct hp_vec run_defs;
	/*
	 * for each field of each definition in `run_defs`: the offset of the
	 * field in the data of an object; elements: uint32_t
	 */
	struct hp_vec run_slots;
	/*
	 * The end of the rows (packed lines) of the current run, as an offset
	 * in the buffer of the spool (temporary file). 0: no run is written.
	 */
	size_t run_end;
	/* the line of the text with the previous object or array of this run */
	struct hp_text_spot run_spot;
};

/*
 * The kinds of entries in the spool, the temporary file that holds the objects
 * of a heap dump. An entry consists of its kind and of the numbers that the
 * comment of this kind lists.
 */
enum entry {
	/*
	 * a root: the kind of root, the object id, and two numbers whose
	 * meaning depends on the kind
	 */
	ENTRY_ROOT = 1,
	/* an object: its id, trace serial number and class number */
	ENTRY_OBJECT,
	/*
	 * a field of the object of the previous ENTRY_OBJECT: the number of the
	 * field in its class, and its value
	 */
	ENTRY_FIELD,
	/*
	 * an object array: its id, trace serial number, class number, number of
	 * elements
	 */
	ENTRY_ARRAY,
	/*
	 * an element of the array of the previous ENTRY_ARRAY: its index and
	 * its value
	 */
	ENTRY_ELEMENT,
	/*
	 * an array of primitives: its id, trace serial number, type code,
	 * number of elements
	 */
	ENTRY_PRIMITIVES,
	/*
	 * A run (group of packed lines). The entry has the number of
	 * definitions, their size in bytes, and the size of the rows in bytes;
	 * then the definitions and the rows. A definition is a class number, a
	 * number of fields, and the field numbers. runs.c describes the rows.
	 */
	ENTRY_RUN,
};

/*
 * ----------------------------------------------------------------------
 * Give numbers to the names, classes, frames and traces of a text dump
 *
 * Each of them becomes a record of the binary dump. The record is written
 * later, before the report that needs it.
 */

/*
 * The first id that this program assigns to each kind of record. The ids of
 * frames and strings begin at the same numbers as those of the JDK's agent.
 * Classes without an id and carried lines (lines stored in STRING records) get
 * ids from ranges after these. The JDK's agent has no such ids.
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

static inline struct hp_slice
hp_text_interned(const struct hp_text_records *r, uint32_t number)
{
	const struct hp_slice i = hp_intern_get(&r->texts, number);

	return (struct hp_slice){i.text, i.length};
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
bool hp_text_is_escaped(const struct hp_text_records *r, struct hp_slice word);
/*
 * Returns the number of a name. A new name gets a STRING record, which is
 * written later. Returns 0 if out of memory.
 */
uint32_t hp_text_name(struct hp_text_records *r, struct hp_slice word);
/*
 * Like hp_text_name(), for a name that this program chooses, which has no
 * escapes.
 */
uint32_t hp_text_own_name(struct hp_text_records *r, const char *text,
			  size_t length);
/*
 * Returns the number of the class with the name @name. The class is added if it
 * is new. Returns 0 if out of memory.
 */
uint32_t hp_text_class_named(struct hp_text_records *r, struct hp_slice name);
/*
 * Returns the number of the class with an id. If the id is new, the class gets
 * the name @name. Returns 0 if out of memory.
 */
uint32_t hp_text_class_of(struct hp_text_records *r, uint64_t id,
			  struct hp_slice name);
/*
 * Returns the number of the class with the id @id in the text; 0 if no class
 * has this id.
 */
uint32_t hp_text_class_known(const struct hp_text_records *r, uint64_t id);
/*
 * Returns the number of the stack frame @key. A new frame gets a STACK FRAME
 * record, which is written later. Returns 0 if out of memory.
 */
uint32_t hp_text_frame(struct hp_text_records *r,
		       const struct hp_text_frame_key *key);
/*
 * Note in @marks that the next record of the buffer @b is made from the line
 * @spot of the text. Call this before you append the record. Returns false if
 * out of memory.
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
 * hp_text_use_trace() notes that a line refers to the trace with this serial
 * number. hp_text_print_trace() notes that the text defines the trace. Both
 * return false if out of memory.
 */
bool hp_text_use_trace(struct hp_text_records *r, uint32_t serial);
bool hp_text_print_trace(struct hp_text_records *r, uint32_t serial);
/*
 * Report a problem for each trace to which a line refers but which the text
 * does not define.
 */
void hp_text_check_traces(struct hp_text_records *r);
void hp_text_names_release(struct hp_text_records *r);

/*
 * ----------------------------------------------------------------------
 * Write the output of the translation, the bytes of the binary dump, and report
 * problems of the text
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
 * Truncate an id to the size of ids in the binary dump. Reports a problem if
 * this changes the id.
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
 * Get the number of the class in the line @i of an object or array, and note
 * that the heap dump has objects of this class. Returns 0 if out of memory.
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
					      struct hp_slice name,
					      uint32_t *slot,
					      struct hp_error *err);
/*
 * Finish reading a heap dump after its last line, and begin to write its
 * segments. @whole: the last line was HEAP DUMP END, so the dump is complete.
 * Returns HP_OK; HP_NOMEM; HP_IO.
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
 * Make names for the filler fields, which stand for primitive fields that the
 * text does not list. Call it before the heap dump is written. Returns false if
 * out of memory.
 */
bool hp_text_name_fillers(struct hp_text_records *r);
/*
 * Write the CLASS DUMP of every class of the heap dump. Afterwards
 * hp_text_drain() writes the objects. Returns false if out of memory.
 */
bool hp_text_put_classes(struct hp_text_records *r);
/*
 * Write more objects of the dump, until enough output for the caller is ready.
 * Returns HP_OK; HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_drain(struct hp_text_records *r, struct hp_error *err);

/* ---- runs: groups of lines that the reader has packed (runs.c) ---- */

/*
 * Add all lines of a run (group of packed lines) to the heap dump. If that is
 * not possible, *@taken receives false, and the caller must process the lines
 * one by one. Returns HP_OK; HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_take_run(struct hp_text_records *r,
				const struct hp_text_run *run, bool *taken,
				struct hp_error *err);

#endif
