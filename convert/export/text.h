/* text.h - export a dump as text in the format of the HPROF agent */
#ifndef HP_CONVERT_EXPORT_TEXT_H
#define HP_CONVERT_EXPORT_TEXT_H

#include "common/base/buf.h"
#include "common/base/vec.h"
#include "common/object_ids/id_map.h"
#include "common/model/java_string.h"
#include "common/sink/sink.h"
#include "convert/options.h"
#include "convert/prepass/class_prepass.h"
#include "convert/prepass/dump_tables.h"

/* ----------------------------------------------------------------------
 * Passes before the text is written: order of events, roots, totals
 */

enum hp_event_kind {
	HP_EVENT_THREAD_START,
	HP_EVENT_THREAD_END,
	/*
	 * a heap dump begins; the offset of this event is the offset of the
	 * first heap record
	 */
	HP_EVENT_DUMP,
	HP_EVENT_SITES,
	HP_EVENT_SAMPLES,
	/*
	 * A line of the agent's text. The dump was made from this text, and a
	 * STRING record contains the line.
	 */
	HP_EVENT_CARRIED,
};

struct hp_event {
	enum hp_event_kind kind;
	uint64_t offset; /* offset in the file of the record of this event */
	/* time of the event, in microseconds since the time in the header */
	uint32_t time_us;
	/*
	 * serial number of the thread; for HP_EVENT_DUMP: the number of the
	 * dump
	 */
	uint32_t serial;
	/*
	 * For HP_EVENT_THREAD_START, `object` is the id of the thread object;
	 * `name` and `group` are the string ids of the names of the thread and
	 * its group. For HP_EVENT_CARRIED, `name` is the id of the STRING
	 * record, and the others are unused.
	 */
	uint64_t object, name, group;
};

/*
 * The roots in one batch (part of the dump), as the bytes of their sub-records.
 */
struct hp_root_chunk {
	uint64_t batch;
	unsigned dump;
	struct hp_buf bytes;
};

struct hp_text_prepass_dump {
	/* offset in the file of the last heap record of this dump */
	uint64_t end;
	uint64_t objects, bytes;
	/*
	 * For each object to which a JNI global root refers: maps the id of the
	 * object to 1 + the serial number of the stack trace, or to 0 if this
	 * number is not known yet.
	 */
	struct hp_id_map globals;
};

struct hp_text_prepass {
	struct hp_prepass *prepass;
	unsigned threads;
	struct hp_vec events; /* elements: struct hp_event, in file order */
	/*
	 * elements: struct hp_text_prepass_dump, one for each dump, from dump 1
	 * on
	 */
	struct hp_vec dumps;
	/* elements: struct hp_root_chunk, sorted by dump and by file offset */
	struct hp_vec chunks;
	pthread_mutex_t lock;
	struct hp_text_prepass_worker *workers;
};

/**
 * hp_text_prepass_init() - initialise
 * @l: zeroed
 * @prepass: has want_tables and want_layout set; borrowed. Call
 * hp_prepass_run() for it before hp_text_prepass_totals().
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_prepass_init(struct hp_text_prepass *l,
						struct hp_prepass *prepass,
						unsigned threads,
						struct hp_error *err);

/*
 * Returns the first pass, which collects the events and the roots in file
 * order. The pass does not need the elements of large arrays (HP_NEED_HEADS).
 * It ignores damage, but can fail with HP_UNSUPPORTED or HP_NOMEM.
 */
struct hp_pass hp_text_prepass_order(struct hp_text_prepass *l);

/**
 * hp_text_prepass_totals() - run the second pass, which counts objects and
 * bytes
 * @src: is rewound first
 * @also: another pass that is run during the same scan, see scan_two.c; or NULL
 *
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM; a status of @also.
 */
HP_MUST_USE enum hp_status hp_text_prepass_totals(struct hp_text_prepass *l,
						  struct hp_source *src,
						  const struct hp_pass *also,
						  struct hp_error *err);
void hp_text_prepass_release(struct hp_text_prepass *l);

/*
 * Returns the size that the text shows for an object. As in the agent's text,
 * the size of a primitive array does not include the object header. The size of
 * other objects is computed by the layout model. @k is the class if the object
 * is an instance, otherwise NULL.
 */
uint64_t hp_text_prepass_bytes(const struct hp_text_prepass *l,
			       const struct hp_sub *s,
			       const struct hp_class *k);

/*
 * Returns the data collected about the heap dump with number @dump, or NULL if
 * there is no such dump.
 */
static inline struct hp_text_prepass_dump *
hp_text_prepass_dump(const struct hp_text_prepass *l, unsigned dump)
{
	return dump >= 1 && dump <= l->dumps.count
		       ? (struct hp_text_prepass_dump *)l->dumps.items +
				 (dump - 1)
		       : NULL;
}

/*
 * ----------------------------------------------------------------------
 * The values of Strings, for their lines in text and NDJSON
 *
 * A String refers to an array that may be anywhere in the dump. Two passes find
 * it: the first collects the ids of the arrays that Strings refer to, the
 * second the offsets of these arrays. The last pass reads the array at its
 * offset. Long values are written piece by piece when their line is written, so
 * nothing is truncated and memory does not grow with them.
 *
 * If several Strings share an array, and the value has more than 256 bytes in
 * this array, only the line of the first String shows the value. The others
 * show the id of the array. Without this rule, a small dump in which many
 * Strings share one long array could become a huge text.
 */

struct hp_strings_worker;
struct hp_deferred_value;

struct hp_strings {
	const struct hp_prepass *prepass;
	struct hp_source *src; /* the input, which must be seekable; borrowed */
	unsigned id_size, threads;
	/*
	 * the class java.lang.String of each dump, in the order of
	 * prepass->dumps
	 */
	struct hp_java_string_class *classes;
	/* maps the id of an array to the file offset of the array */
	struct hp_dump_tables tables;
	struct hp_strings_worker *workers;
	pthread_mutex_t lock;
	struct hp_deferred_value
		/*
		 * Long values, which are written later. Each entry also
		 * contains the batch (part of the dump) that the String is in.
		 */
		*late;
	/* temporary buffer of the thread that writes the output */
	struct hp_buf piece;
	/*
	 * Maps the offset of an array with a long text to a batch (part of the
	 * dump): the first batch found so far with a String that uses this
	 * array.
	 */
	struct hp_id_map first_batches;
	/* limit for the memory of first_batches, in bytes */
	uint64_t shared_memory;
	_Atomic uint64_t missing;
	/*
	 * Texts around a value in the output format, borrowed. `intro` comes
	 * before the quotes of a value. `shared` and `shared_end` come before
	 * and after the id of an array, if another line shows its value.
	 */
	const char *intro, *shared, *shared_end;
};

/**
 * hp_strings_init() - initialise with no arrays
 * @s: zeroed, except intro, shared and shared_end
 * @src: seekable; borrowed
 * @prepass: hp_prepass_run() was called for it, with want_tables set; borrowed
 * @memory: limit for the tables, in bytes
 *
 * Returns: HP_OK; HP_LIMIT: too many dumps for the memory; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_init(struct hp_strings *s,
					   const struct hp_prepass *prepass,
					   struct hp_source *src,
					   unsigned threads, uint64_t memory,
					   struct hp_error *err);

/*
 * Returns the first pass, which collects the ids of arrays. Run it with
 * hp_scan(), alone or together with another pass. The pass does not need the
 * elements of large arrays (HP_NEED_HEADS).
 */
struct hp_pass hp_strings_note_pass(struct hp_strings *s);

/*
 * Run the second pass, which finds the offsets of the arrays. Returns HP_OK;
 * HP_LIMIT: too many Strings for the memory; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_place(struct hp_strings *s,
					    struct hp_error *err);
void hp_strings_release(struct hp_strings *s);

/**
 * hp_strings_value() - append the text of a String, if the instance @sub is one
 *
 * Appends s->intro and a JSON string. Appends nothing if the reference to the
 * array is null. If the array is missing, it appends nothing and counts the
 * String. Long values are not appended now: hp_strings_write() writes them
 * later, if no other line shows the same value. Called by workers.
 * Returns: HP_OK; HP_IO; HP_LIMIT: too many long values for the memory;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_value(struct hp_strings *s,
					    const struct hp_batch *b,
					    const struct hp_sub *sub,
					    struct hp_buf *out,
					    struct hp_error *err);

/*
 * Write the output of one batch, and the long values that belong to it. Call
 * this in file order.
 */
HP_MUST_USE enum hp_status hp_strings_write(struct hp_strings *s,
					    const struct hp_batch *b,
					    const struct hp_buf *out,
					    struct hp_sink *sink,
					    struct hp_error *err);

/* The number of Strings whose character array is missing. */
static inline uint64_t
hp_strings_missing(const struct hp_strings *s)
{
	return s->missing;
}

/* ----------------------------------------------------------------------
 * The lines of the agent's text, with the agent's spelling and column widths
 */

struct hp_text_names {
	unsigned id_size;
	const struct hp_prepass *prepass;
	const struct hp_text_prepass *look;
	struct hp_name_cache naming;
	/*
	 * Maps a struct hp_class * to its plan: the list of the reference
	 * fields of the class (struct hp_text_plan *).
	 */
	struct hp_id_map plans;
	/*
	 * memory of the plans (lists of reference fields); the lock in `naming`
	 * protects this memory and the plans
	 */
	struct hp_arena arena;
	enum hp_dialect dialect;
	/*
	 * Called repeatedly while a long report, trace or class is formatted,
	 * because its text may be too large for one buffer.
	 */
	void (*flush)(void *ctx);
	void *flush_ctx;
};

/*
 * A reference field in the plan of a class (the list of its reference fields).
 * The fields of superclasses come first.
 */
struct hp_text_field {
	struct hp_name name;
	uint32_t at; /* offset of the field in the data of an instance */
};

struct hp_text_plan {
	uint32_t count;
	struct hp_text_field fields[];
};

/*
 * Returns the plan of the class @k: the list of its reference fields, from the
 * cache or created now. NULL if out of memory. Any thread may call this.
 */
const struct hp_text_plan *hp_text_plan(struct hp_text_names *n,
					const struct hp_prepass_dump *d,
					const struct hp_class *k);

/*
 * Append the first lines of the text. @ms: the time in the header, in
 * milliseconds since 1970.
 */
void hp_text_prologue(const struct hp_text_names *n, struct hp_buf *out,
		      uint64_t ms);
/*
 * Append a line of the agent's original text. The STRING record with the id
 * @string contains the line.
 */
void hp_text_carried(const struct hp_text_names *n, uint64_t string,
		     struct hp_buf *out);
/* Append the line of a thread that starts or ends. */
void hp_text_thread(const struct hp_text_names *n, const struct hp_event *e,
		    struct hp_buf *out);
void hp_text_trace(const struct hp_text_names *n, const struct hp_trace *t,
		   struct hp_buf *out);
/* Append the line of a root that is in the dump @d. */
void hp_text_root(const struct hp_text_names *n,
		  const struct hp_text_prepass_dump *d, const struct hp_sub *s,
		  struct hp_buf *out);
/*
 * Append the line of an instance or array, without the ")" and the line feed at
 * its end. @k: the class of an instance, or NULL.
 */
void hp_text_object(const struct hp_text_names *n, const struct hp_sub *s,
		    const struct hp_class *k, struct hp_buf *out);
/*
 * Append one line for each array element that is not null. @first is the index
 * of the first element at @p.
 */
void hp_text_elements(const struct hp_text_names *n, const uint8_t *p,
		      uint64_t first, uint64_t count, const struct hp_batch *b,
		      struct hp_buf *out);
/*
 * Append one line for each reference field of an instance, except for null
 * references. @data is the data of the instance.
 */
void hp_text_fields(const struct hp_text_names *n,
		    const struct hp_text_plan *plan, const uint8_t *data,
		    const struct hp_batch *b, struct hp_buf *out);
/* Append the lines of a class and of its references. */
void hp_text_class(const struct hp_text_names *n, const struct hp_class *k,
		   struct hp_buf *out);
/*
 * Append a SITES report. @ms: the time of the report, in milliseconds since
 * 1970.
 */
void hp_text_sites(const struct hp_text_names *n, const struct hp_sites *s,
		   uint64_t ms, struct hp_buf *out);
/*
 * Append a CPU SAMPLES report. @ms: the time of the report, in milliseconds
 * since 1970.
 */
void hp_text_samples(const struct hp_text_names *n, const struct hp_samples *s,
		     uint64_t ms, struct hp_buf *out);

/* ----------------------------------------------------------------------
 * Export a dump in the text format of the JDK's hprof agent
 */

struct hp_text_result {
	/* number of Strings whose character array is missing */
	uint64_t missing;
};

/**
 * hp_text_convert() - write @src to @sink as text, and finish the sink
 * @src: at its first byte; must be rewindable, and seekable with strings. It is
 *       read four times, six times with strings.
 * @options: the member strings is used. Half of the memory is used to look up
 *           the values of Strings.
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED: a record is too
 *          long for the tables; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_convert(struct hp_source *src, struct hp_sink *sink,
		const struct hp_convert_options *options,
		struct hp_text_result *result, struct hp_error *err);

#endif
