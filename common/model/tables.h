/*
 * tables.h - the records outside the heap: strings, loaded classes, frames,
 * traces, threads, allocation sites, CPU samples
 *
 * One thread adds the records in file order; afterwards all threads may read
 * the tables. Truncated records are not added. The memory is proportional to
 * the size of the records.
 */
#ifndef HP_MODEL_TABLES_H
#define HP_MODEL_TABLES_H

#include "common/base/vec.h"
#include "common/format/reader.h"
#include "common/base/arena.h"
#include "common/object_ids/id_map.h"

/*
 * The text of a STRING record: modified UTF-8 as in the file, without a
 * terminating NUL.
 */
struct hp_string {
	const uint8_t *data;
	uint32_t length;
	/*
	 * If a LOAD CLASS record refers to this string, `looked` is true, and
	 * `looks` describes the style of the class name (the result of
	 * hp_class_name_looks()).
	 */
	uint8_t looks;
	bool looked;
};

/*
 * A text longer than HP_TEXT_LONG bytes is stored only once: equal texts share
 * one copy. So expensive work on a long text is done only once, even if many
 * records have this text.
 */
enum {
	HP_TEXT_LONG = 256,
	/*
	 * The maximum length in bytes of a name that is shown. No compiler
	 * makes longer names. Without the limit a crafted dump could request
	 * terabytes of output with one long name and many references to it.
	 */
	HP_NAME_MOST = 8192,
	HP_NAME_ROOM = HP_NAME_MOST + 24,
};

/* The contents of a LOAD CLASS record. */
struct hp_load {
	/* The id of the class, and the id of the string with its name. */
	uint64_t class_id, name_id;
	uint32_t serial, trace;
	/*
	 * The offset of the record in the file, and the position of the record
	 * among all records, from 1.
	 */
	uint64_t offset, record;
	/*
	 * The position in `string_list`, from 1, of the name of the class. 0:
	 * the name comes later in the file.
	 */
	size_t name;
	/* a later UNLOAD CLASS record has the serial number of this class */
	bool unloaded;
};

/* The contents of a STACK FRAME record. */
struct hp_frame {
	/*
	 * The id of the frame, and the ids of three strings: the name and the
	 * signature of the method, and the name of the source file.
	 */
	uint64_t id, method, signature, source;
	uint32_t class_serial;
	int32_t line;
	uint64_t offset;
};

/* The contents of a STACK TRACE record. */
struct hp_trace {
	uint32_t serial, thread;
	uint32_t nframes;
	const uint64_t *frames; /* ids of the frames, innermost frame first */
	uint64_t offset;
	/*
	 * The option --mapping may insert frames into `frames`, or remove them.
	 * The frame that was number i in the record is then frames[moved[i]].
	 * There are `nmoved` elements. NULL: no frame was inserted or removed.
	 */
	const uint32_t *moved;
	uint32_t nmoved;
};

/*
 * Returns the index in t->frames of the frame that was number @frame in the
 * record. Roots refer to frames by this number.
 */
static inline uint32_t
hp_trace_frame(const struct hp_trace *t, uint32_t frame)
{
	return t->moved && frame < t->nmoved ? t->moved[frame] : frame;
}

/* A START THREAD record. name, group and parent are ids of strings. */
struct hp_thread {
	uint64_t object, name, group, parent;
	uint32_t serial, trace;
	uint64_t offset;
	/* a later END THREAD record has the serial number of this thread */
	bool ended;
};

/* One row of an ALLOC SITES record. */
struct hp_site {
	/*
	 * The type of the elements, if this row of ALLOC SITES counts arrays.
	 * 0: the row counts other objects.
	 */
	uint8_t array_kind;
	uint32_t class_serial, trace;
	uint32_t live_bytes, live_instances, allocated_bytes,
		allocated_instances;
};

/* The contents of an ALLOC SITES record. */
struct hp_sites {
	uint16_t flags;
	uint32_t cutoff, live_bytes, live_instances;
	uint64_t allocated_bytes, allocated_instances;
	uint32_t nsites;
	struct hp_site *sites;
	uint64_t offset, record;
	/* number of heap dumps in the file that began before this record */
	unsigned dump;
};

/* One row of a CPU SAMPLES record. */
struct hp_sample {
	uint32_t samples, trace;
};

struct hp_samples {
	uint32_t total, nsamples;
	struct hp_sample *samples;
	uint64_t offset, record;
};

struct hp_tables {
	unsigned id_size;
	struct hp_arena arena;
	/*
	 * maps the id of a string to the position of the string in string_list,
	 * from 1
	 */
	struct hp_id_index strings;
	/*
	 * maps the id of a frame to the position of the frame in frame_list,
	 * from 1
	 */
	struct hp_id_index frames;
	/*
	 * maps the serial number of a trace to the position of the trace in
	 * trace_list, from 1
	 */
	struct hp_id_index traces;
	/*
	 * Maps a class id to 1 + the index in `load_list` of the last LOAD
	 * CLASS record with this id.
	 */
	struct hp_id_map loads_by_id;
	/*
	 * Maps a class serial number to 1 + the index in `load_list` of the
	 * last LOAD CLASS record with this number.
	 */
	struct hp_id_map loads_by_serial;
	/*
	 * Maps a thread serial number to 1 + the index in `thread_list` of the
	 * last thread with this number.
	 */
	struct hp_id_map threads;
	/* maps the hash of a long text to its struct long_text * */
	struct hp_id_map long_texts;
	/*
	 * The ids of strings to which LOAD CLASS records refer as names, but
	 * which have not been read yet.
	 */
	struct hp_id_map unnamed;
	uint64_t seed; /* random seed for the hashes of long texts */
	/* bitwise OR of hp_string.looks of all names of loaded classes */
	unsigned load_looks;
	struct hp_vec string_list; /* elements: struct hp_string */
	struct hp_vec load_list;   /* elements: struct hp_load, in file order */
	struct hp_vec frame_list;  /* elements: struct hp_frame */
	struct hp_vec trace_list;  /* elements: struct hp_trace */
	struct hp_vec thread_list; /* elements: struct hp_thread */
	struct hp_vec site_list;   /* elements: struct hp_sites */
	struct hp_vec sample_list; /* elements: struct hp_samples */
};

/*
 * The result of comparing a record with an earlier record that has the same id.
 * - LOAD CLASS: compared by class id. HP_MET_SAME: the same name, even if the
 *   serial differs.
 * - START THREAD: compared by serial number, which can be used again after END
 *   THREAD.
 * - UNLOAD CLASS, END THREAD: HP_MET_NOTHING: the serial is unknown;
 *   HP_MET_SAME: it is known; HP_MET_DIFFERENT: it was already unloaded or
 *   ended.
 */
enum hp_definition {
	/*
	 * no earlier record has the id of this record, or the record has no id
	 */
	HP_MET_NOTHING,
	/* an earlier record has the same id and the same contents */
	HP_MET_SAME,
	/*
	 * An earlier record has the same id, but other contents. The new record
	 * replaces it.
	 */
	HP_MET_DIFFERENT,
	/*
	 * the record was not decoded: it is truncated, or too short for its
	 * counts
	 */
	HP_MET_MALFORMED,
};

void hp_tables_init(struct hp_tables *t, unsigned id_size);
void hp_tables_release(struct hp_tables *t);

/* Returns how many bytes of memory the tables use. */
uint64_t hp_tables_bytes(const struct hp_tables *t);

enum { HP_TABLES_DUE = 16 };

/*
 * Whether the caller should check the memory limit before it adds this record
 * to the tables. To save time, this is true for only one of HP_TABLES_DUE small
 * records.
 */
static inline bool
hp_tables_bytes_due(const struct hp_record *rec, struct hp_cursor body)
{
	return rec->ordinal % HP_TABLES_DUE == 0 || hp_left(&body) >= 4096;
}

/*
 * Returns the maximum number of bytes by which the tables grow when the next
 * HP_TABLES_DUE records are added. While a hash table grows, both the old and
 * the new table exist.
 */
static inline uint64_t
hp_tables_growth(const struct hp_tables *t)
{
	return hp_id_index_growth(&t->strings, HP_TABLES_DUE) +
	       hp_id_index_growth(&t->frames, HP_TABLES_DUE) +
	       hp_id_index_growth(&t->traces, HP_TABLES_DUE) +
	       hp_id_map_growth(&t->loads_by_id, HP_TABLES_DUE) +
	       hp_id_map_growth(&t->loads_by_serial, HP_TABLES_DUE) +
	       hp_id_map_growth(&t->threads, HP_TABLES_DUE);
}

/*
 * Returns the maximum number of bytes of memory that the tables use after the
 * next HP_TABLES_DUE strings were added. @adds: size in bytes of the texts of
 * these strings. The result includes the growth of the table of strings.
 */
static inline uint64_t
hp_tables_bytes_with_strings(const struct hp_tables *t, uint64_t adds)
{
	return hp_tables_bytes(t) +
	       hp_id_index_growth(&t->strings, HP_TABLES_DUE) + adds;
}

/*
 * Returns the maximum number of bytes of memory that the tables use after the
 * record @rec was added. The tables store each frame id of a stack trace in
 * eight bytes, even if it has four in the file.
 */
static inline uint64_t
hp_tables_bytes_with(const struct hp_tables *t, const struct hp_record *rec,
		     struct hp_cursor body)
{
	uint64_t adds = rec->tag == HP_REC_STACK_TRACE
				? hp_left(&body) / t->id_size * 8
				: hp_left(&body);

	return hp_tables_bytes(t) + hp_tables_growth(t) + adds;
}

/**
 * hp_tables_record() - add a record to the table for its tag; other records are
 *                      ignored
 * @dumps: number of heap dumps of the file that began before this record
 * @met:   receives the result of comparing the record with an earlier one; may
 *         be NULL
 *
 * Before memory is allocated, the counts in the record are compared with its
 * length. If several strings, frames or traces have the same id, the last one
 * replaces the others. All LOAD CLASS records are kept.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_tables_record(struct hp_tables *t, const struct hp_record *rec,
		 struct hp_cursor body, unsigned dumps, enum hp_definition *met,
		 struct hp_error *err);

/**
 * hp_tables_strings() - add several short strings with new ids in one call
 * @rows:  @n consecutive strings of the dump; 1 to HP_ID_INDEX_TOGETHER
 * @taken: receives the number of strings that were added. If it is less than
 *         @n, the next string is long or its id is not new; add this string
 *         with hp_tables_record()
 *
 * This is the fast case; nearly all strings are short and have ids of their
 * own.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tables_strings(struct hp_tables *t,
					     const struct hp_string_row *rows,
					     size_t n, size_t *taken,
					     struct hp_error *err);

/**
 * hp_tables_take_strings() - add the first strings of a run (consecutive STRING
 * records) to the tables
 * @most:  maximum number of strings
 * @taken: receives the number of strings that were added; these are removed
 *         from the beginning of the run
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tables_take_strings(struct hp_tables *t,
						  struct hp_string_run *run,
						  size_t most, size_t *taken,
						  struct hp_error *err);

/*
 * The callbacks with which hp_tables_scan_strings() passes several strings of a
 * dump to a program in one call.
 */
struct hp_string_taker {
	void *ctx;
	/*
	 * Called before strings are added, to check whether the tables may grow
	 * to @tables bytes. Returns HP_OK, or HP_LIMIT if the memory limit
	 * forbids it. NULL: only the limit of memory.h is checked.
	 */
	enum hp_status (*due)(void *ctx, uint64_t tables, struct hp_error *err);
	/*
	 * Add the first strings of the run (consecutive STRING records), at
	 * most @most, and remove them from the run. See
	 * hp_tables_take_strings().
	 */
	enum hp_status (*take)(void *ctx, struct hp_string_run *run,
			       size_t most, struct hp_error *err);
	/*
	 * State of hp_tables_scan_strings(): the number of strings to add in
	 * the next call. 0: as many as possible. Set it to 0 before the first
	 * call.
	 */
	unsigned together;
};

/**
 * hp_tables_scan_strings() - pass the strings of a run (consecutive STRING
 * records) to the callbacks of @k, several at a time
 *
 * The memory limit is checked before each call of take(). If take() adds fewer
 * strings than it was allowed to, this function stops, and allows only one
 * string in the next call.
 *
 * Returns: HP_OK: the strings that were added are removed from the beginning of
 *          @run; if strings are left in it, the caller handles the first of
 *          them with hp_tables_record(). Otherwise the status of a callback.
 */
HP_MUST_USE enum hp_status hp_tables_scan_strings(const struct hp_tables *t,
						  struct hp_string_taker *k,
						  struct hp_string_run *run,
						  struct hp_error *err);

/*
 * Functions that find a record by its id or serial number. They return NULL if
 * there is no such record.
 */
const struct hp_string *hp_tables_string(const struct hp_tables *t,
					 uint64_t id);
const struct hp_load *hp_tables_load(const struct hp_tables *t,
				     uint64_t class_id);
const struct hp_load *hp_tables_load_serial(const struct hp_tables *t,
					    uint32_t serial);
/*
 * Returns the name of a loaded class in the form of the dump (with slashes or
 * with dots); NULL if the string is missing.
 */
const struct hp_string *hp_tables_load_name(const struct hp_tables *t,
					    const struct hp_load *load);
const struct hp_frame *hp_tables_frame(const struct hp_tables *t, uint64_t id);
const struct hp_trace *hp_tables_trace(const struct hp_tables *t,
				       uint32_t serial);
const struct hp_thread *hp_tables_thread(const struct hp_tables *t,
					 uint32_t serial);
/*
 * Returns the name of the class with the id @class_id, in the form of the dump
 * (with slashes or with dots). NULL if the dump has no LOAD CLASS record for
 * the class, or its name is missing.
 */
const struct hp_string *hp_tables_class_name(const struct hp_tables *t,
					     uint64_t class_id);
/*
 * Whether two strings of the same tables have equal texts. Returns false if one
 * of them is NULL. Takes constant time even for long texts, because equal long
 * texts are stored once.
 */
bool hp_string_same(const struct hp_string *a, const struct hp_string *b);
/*
 * Returns the XXH3 hash of a text of the tables. The hash of a long text is
 * stored with the text, so this function takes constant time.
 */
uint64_t hp_string_hash(const struct hp_string *s);

/**
 * hp_string_short() - shorten a string of the tables for use as a name
 * @room: HP_NAME_ROOM bytes; the result may point into it
 *
 * Returns: the text itself if it has at most HP_NAME_MOST bytes. Otherwise its
 *          beginning, "...#" and the hash of the whole text, so that different
 *          names stay different.
 */
struct hp_string hp_string_short(const struct hp_string *s, char *room);

/*
 * Whether a class name in the dump equals @jvm (spelled with slashes,
 * "java/lang/String") or @java (with dots). Returns false if @raw is NULL.
 */
bool hp_string_is(const struct hp_string *raw, const char *jvm,
		  const char *java);

/*
 * Whether a class name in the dump, with slashes or dots, equals @java, which
 * has dots. Returns false if @raw is NULL.
 */
bool hp_string_is_java(const struct hp_string *raw, const char *java);

#endif
