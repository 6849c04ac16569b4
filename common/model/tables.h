/*
 * tables.h - the records outside the heap: strings, loaded classes, frames,
 * traces, threads, allocation sites, CPU samples
 *
 * One thread fills the tables in file order; afterwards all threads may read
 * them. Truncated records are left out. The memory is proportional to the
 * records read.
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
	 * How the text is spelled as a class name: the result of
	 * hp_class_name_looks(). Only valid if looked is true. That is set when
	 * a LOAD CLASS record refers to this string.
	 */
	uint8_t looks;
	bool looked;
};

/*
 * A text longer than HP_TEXT_LONG bytes is stored only once: equal texts share
 * one copy. Expensive work is done once for each copy, even if many records
 * refer to it.
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
	uint64_t class_id, name_id; /* name_id: id of a string */
	uint32_t serial, trace;
	/* file offset of the record, and its ordinal */
	uint64_t offset, record;
	/*
	 * Position of the name in string_list, from 1. 0: the string comes
	 * later in the file.
	 */
	size_t name;
	/* an UNLOAD CLASS record with its serial number follows */
	bool unloaded;
};

/* The contents of a STACK FRAME record. */
struct hp_frame {
	/* ids of strings, except for the id of the frame */
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
	 * With --mapping, frames may have been inserted or left out. Element i
	 * is the index in @frames that frame i of the record has now; there are
	 * @nmoved elements. NULL: no frame has moved.
	 */
	const uint32_t *moved;
	uint32_t nmoved;
};

/* The index in t->frames of a frame to which a root refers by its number. */
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
	bool ended; /* an END THREAD record with its serial number follows */
};

/* One row of an ALLOC SITES record. */
struct hp_site {
	/* type of the elements of the arrays; 0: no arrays */
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
	unsigned dump; /* number of heap dumps that began before it */
};

/* One row of a CPU SAMPLES record. */
struct hp_sample {
	uint32_t samples, trace;
};

/* The contents of a CPU SAMPLES record. */
struct hp_samples {
	uint32_t total, nsamples;
	struct hp_sample *samples;
	uint64_t offset, record;
};

struct hp_tables {
	unsigned id_size;
	struct hp_arena arena;
	/* maps a string id to a position in string_list */
	struct hp_id_index strings;
	/* maps a frame id to a position in frame_list */
	struct hp_id_index frames;
	/* maps the serial number of a trace to a position in trace_list */
	struct hp_id_index traces;
	/* maps a class id to 1 + index of its last LOAD CLASS */
	struct hp_id_map loads_by_id;
	/*
	 * maps a class serial number to 1 + index of the last class loaded with
	 * it
	 */
	struct hp_id_map loads_by_serial;
	/*
	 * maps a thread serial number to 1 + index of the last thread with it
	 */
	struct hp_id_map threads;
	/* maps the hash of a text to its struct long_text * */
	struct hp_id_map long_texts;
	/* Ids of class names for which no string has been read yet. */
	struct hp_id_map unnamed;
	uint64_t seed; /* random seed for the hashes of long texts */
	/* bitwise OR of the member looks of all names of loaded classes */
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
 * How a record relates to an earlier record with the same id.
 * - LOAD CLASS: compared by class id. SAME means the same name, even if the
 *   serial differs.
 * - START THREAD: after END THREAD the serial is free again.
 * - UNLOAD CLASS, END THREAD: NOTHING if the serial is unknown, SAME if it is
 *   known, DIFFERENT if it was already unloaded or ended.
 */
enum hp_definition {
	/* first record with this id, or a record without an id */
	HP_MET_NOTHING,
	HP_MET_SAME,	  /* equal to the earlier record */
	HP_MET_DIFFERENT, /* differs from the earlier record, and replaces it */
	/*
	 * the record was not decoded: it is truncated, or too short for its
	 * counts
	 */
	HP_MET_MALFORMED,
};

void hp_tables_init(struct hp_tables *t, unsigned id_size);
void hp_tables_release(struct hp_tables *t);

/* Bytes that the tables have allocated. */
uint64_t hp_tables_bytes(const struct hp_tables *t);

enum { HP_TABLES_DUE = 16 };

/*
 * Whether the caller should check the memory limit before this record. For
 * small records this is so only once in HP_TABLES_DUE records.
 */
static inline bool
hp_tables_bytes_due(const struct hp_record *rec, struct hp_cursor body)
{
	return rec->ordinal % HP_TABLES_DUE == 0 || hp_left(&body) >= 4096;
}

/*
 * How many bytes the tables may grow by with the next HP_TABLES_DUE records of
 * any kind. While a hash table grows, both the old and the new table exist.
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
 * How many bytes the tables will have after the next HP_TABLES_DUE strings:
 * with @adds bytes for their texts, and with the growth of the string table.
 */
static inline uint64_t
hp_tables_bytes_with_strings(const struct hp_tables *t, uint64_t adds)
{
	return hp_tables_bytes(t) +
	       hp_id_index_growth(&t->strings, HP_TABLES_DUE) + adds;
}

/*
 * How many bytes the tables will have with this record. A stack trace stores
 * each frame id in eight bytes.
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
 * hp_tables_record() - add a record; records that no table holds are ignored
 * @dumps: number of heap dumps that began before it
 * @met:   receives how it relates to earlier records; may be NULL
 *
 * Counts in the record are checked against its length before any allocation. If
 * several strings, frames or traces have the same id, the last one wins. All
 * loads are kept.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_tables_record(struct hp_tables *t, const struct hp_record *rec,
		 struct hp_cursor body, unsigned dumps, enum hp_definition *met,
		 struct hp_error *err);

/**
 * hp_tables_strings() - add several short strings with new ids at once
 * @rows:  @n consecutive strings of the dump; 1 to HP_ID_INDEX_TOGETHER
 * @taken: receives the number of strings that were added; each is
 *         HP_MET_NOTHING. It may be less than @n: then add the next string with
 *         hp_tables_record()
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
 * records) with hp_tables_strings()
 * @most:  maximum number of strings
 * @taken: receives the number of strings that were added; the run moves past
 *         them
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tables_take_strings(struct hp_tables *t,
						  struct hp_string_run *run,
						  size_t most, size_t *taken,
						  struct hp_error *err);

/* The callbacks of code that uses several strings of a dump at once. */
struct hp_string_taker {
	void *ctx;
	/*
	 * Asked before strings are added: may the tables grow to @tables bytes?
	 * Returns HP_OK, or HP_LIMIT if the memory limit forbids it. NULL: the
	 * limit of memory.h is enough.
	 */
	enum hp_status (*due)(void *ctx, uint64_t tables, struct hp_error *err);
	/*
	 * Add up to @most of the next strings of the run (consecutive STRING
	 * records), as hp_tables_take_strings() does.
	 */
	enum hp_status (*take)(void *ctx, struct hp_string_run *run,
			       size_t most, struct hp_error *err);
	/*
	 * How many strings to add in the next call; 0 means as many as
	 * possible. Start with 0.
	 */
	unsigned together;
};

/**
 * hp_tables_scan_strings() - pass the strings of a run (consecutive STRING
 * records) to a callback, several at a time
 *
 * A call covers at most the strings up to the next check of the memory limit.
 * After a call that added too few strings, strings are passed one by one,
 * because a failed attempt costs time.
 *
 * Returns: HP_OK: the run is past the strings that were added, and the next
 *          record is for hp_tables_record(); or the status of a callback.
 */
HP_MUST_USE enum hp_status hp_tables_scan_strings(const struct hp_tables *t,
						  struct hp_string_taker *k,
						  struct hp_string_run *run,
						  struct hp_error *err);

/* Look-ups. Each returns NULL if there is no such record. */
const struct hp_string *hp_tables_string(const struct hp_tables *t,
					 uint64_t id);
const struct hp_load *hp_tables_load(const struct hp_tables *t,
				     uint64_t class_id);
const struct hp_load *hp_tables_load_serial(const struct hp_tables *t,
					    uint32_t serial);
/* The raw name of a loaded class; NULL if its string is missing. */
const struct hp_string *hp_tables_load_name(const struct hp_tables *t,
					    const struct hp_load *load);
const struct hp_frame *hp_tables_frame(const struct hp_tables *t, uint64_t id);
const struct hp_trace *hp_tables_trace(const struct hp_tables *t,
				       uint32_t serial);
const struct hp_thread *hp_tables_thread(const struct hp_tables *t,
					 uint32_t serial);
/*
 * The name of a class as the dump spells it, by the id of its class object.
 * NULL if the class was never loaded, or its name is missing.
 */
const struct hp_string *hp_tables_class_name(const struct hp_tables *t,
					     uint64_t class_id);
/*
 * Whether two strings of the same tables have equal texts. NULL equals nothing.
 * Takes constant time for long texts too, because equal ones share their data.
 */
bool hp_string_same(const struct hp_string *a, const struct hp_string *b);
/*
 * The XXH3 hash of a text of the tables. For a long text it is stored, so this
 * takes constant time.
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
 * Whether a raw name equals @jvm (with slashes) or @java (with dots). Returns
 * false if @raw is NULL.
 */
bool hp_string_is(const struct hp_string *raw, const char *jvm,
		  const char *java);

#endif
