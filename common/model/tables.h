/*
 * tables.h - what the records outside the heap say: strings, loaded classes,
 * frames, traces, threads, allocation sites, CPU samples
 *
 * Filled in file order on one thread, read by anybody afterwards. Records that
 * are not whole are left out. Memory grows with the records seen.
 */
#ifndef HP_MODEL_TABLES_H
#define HP_MODEL_TABLES_H

#include "common/base/vec.h"
#include "common/format/reader.h"
#include "common/base/arena.h"
#include "common/ids/id_index.h"
#include "common/ids/id_map.h"

struct hp_string { /* modified UTF-8 as in the file, no NUL inside counts */
	const uint8_t *data;
	uint32_t length;
	uint8_t looks; /* hp_class_name_looks(), once a load names it */
	bool looked;
};

/*
 * Longer texts are kept once: equal ones have the same data. What takes time
 * is to be done once for each of these, however many records name it.
 */
enum {
	HP_TEXT_LONG = 256,
	/*
	 * More than any compiler makes of a name. Where a text is named
	 * over and over, no more of it is shown: an input could otherwise
	 * claim terabytes with a name and many mentions.
	 */
	HP_NAME_MOST = 8192,
	HP_NAME_ROOM = HP_NAME_MOST + 24,
};

struct hp_load {
	uint64_t class_id, name_id;
	uint32_t serial, trace;
	uint64_t offset, record;
	size_t name;   /* the string's number, from 1; 0: it came later */
	bool unloaded; /* an UNLOAD CLASS named its serial */
};

struct hp_frame {
	uint64_t id, method, signature, source; /* ids of strings */
	uint32_t class_serial;
	int32_t line;
	uint64_t offset;
};

struct hp_trace {
	uint32_t serial, thread;
	uint32_t nframes;
	const uint64_t *frames; /* ids, innermost first */
	uint64_t offset;
};

struct hp_thread { /* from START THREAD */
	uint64_t object, name, group, parent;
	uint32_t serial, trace;
	uint64_t offset;
	bool ended;
};

struct hp_site {
	uint8_t array_kind;
	uint32_t class_serial, trace;
	uint32_t live_bytes, live_instances, allocated_bytes,
		allocated_instances;
};

struct hp_sites { /* one ALLOC SITES record */
	uint16_t flags;
	uint32_t cutoff, live_bytes, live_instances;
	uint64_t allocated_bytes, allocated_instances;
	uint32_t nsites;
	struct hp_site *sites;
	uint64_t offset, record;
	unsigned dump; /* heap dumps begun before it */
};

struct hp_sample {
	uint32_t samples, trace;
};

struct hp_samples { /* one CPU SAMPLES record */
	uint32_t total, nsamples;
	struct hp_sample *samples;
	uint64_t offset, record;
};

struct hp_tables {
	unsigned id_size;
	struct hp_arena arena;
	struct hp_id_index strings;	  /* in the order of string_list */
	struct hp_id_index frames;	  /* of frame_list */
	struct hp_id_index traces;	  /* by serial, of trace_list */
	struct hp_id_map loads_by_id;	  /* class id: the last one's index+1 */
	struct hp_id_map loads_by_serial; /* the last one's index +1 */
	struct hp_id_map threads;	  /* serial: the last one's index +1 */
	struct hp_id_map long_texts;	  /* hash: struct long_text * */
	struct hp_id_map unnamed;  /* names of loads that were not there yet */
	uint64_t seed;		   /* of the hashes */
	unsigned load_looks;	   /* all of those of the loads' names */
	struct hp_vec string_list; /* struct hp_string */
	struct hp_vec load_list;   /* struct hp_load, in file order */
	struct hp_vec frame_list;  /* struct hp_frame */
	struct hp_vec trace_list;  /* struct hp_trace */
	struct hp_vec thread_list; /* struct hp_thread */
	struct hp_vec site_list;   /* struct hp_sites */
	struct hp_vec sample_list; /* struct hp_samples */
};

/*
 * How a record met what was there under its id. LOAD CLASS: by class id, SAME
 * is the same name, whatever the serial. START THREAD: a serial whose thread
 * has ended is free again. UNLOAD CLASS and END THREAD: NOTHING if nobody has
 * that serial, SAME if somebody has, DIFFERENT if it was said before.
 */
enum hp_definition {
	HP_MET_NOTHING,	  /* first of its id (or a record with no id) */
	HP_MET_SAME,	  /* its id was there with equal contents */
	HP_MET_DIFFERENT, /* its id was there with other contents: replaced */
	HP_MET_MALFORMED, /* not decoded: cut, or too short for its claims */
};

void hp_tables_init(struct hp_tables *t, unsigned id_size);
void hp_tables_release(struct hp_tables *t);

/* Bytes taken from the system. */
uint64_t hp_tables_bytes(const struct hp_tables *t);

enum { HP_TABLES_DUE = 16 };

/* Is it worth asking at this record? Little ones are taken 16 at a time. */
static inline bool
hp_tables_bytes_due(const struct hp_record *rec, struct hp_cursor body)
{
	return rec->ordinal % HP_TABLES_DUE == 0 || hp_left(&body) >= 4096;
}

/* The room that is made for the next HP_TABLES_DUE records, whatever they are:
 * slots that grow are there twice. */
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

/* Before as many strings: with @adds bytes that they keep, and their room. */
static inline uint64_t
hp_tables_bytes_with_strings(const struct hp_tables *t, uint64_t adds)
{
	return hp_tables_bytes(t) +
	       hp_id_index_growth(&t->strings, HP_TABLES_DUE) + adds;
}

/* With what a record may add to them: a trace keeps each id in eight bytes. */
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
 * hp_tables_record() - take a record in (any tag; others are ignored)
 * @met: may be NULL
 *
 * Counts that a record claims are compared with its bytes before anything is
 * allocated. The last string of an id wins; so do frames and traces. Loads are
 * all kept.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_tables_record(struct hp_tables *t, const struct hp_record *rec,
		 struct hp_cursor body, unsigned dumps, enum hp_definition *met,
		 struct hp_error *err);

/**
 * hp_tables_strings() - take in strings that are short and have ids of their
 *                       own, as nearly all of them
 * @n:     of @rows, which follow each other in the dump; from 1 to
 *         HP_ID_INDEX_TOGETHER
 * @taken: how many of these were taken in, all of them HP_MET_NOTHING; the
 *         next one may be for hp_tables_record()
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tables_strings(struct hp_tables *t,
					     const struct hp_string_row *rows,
					     size_t n, size_t *taken,
					     struct hp_error *err);

/**
 * hp_tables_take_strings() - the same of the strings that a run begins with
 * @most:  of them
 * @taken: how many were stepped over
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_tables_take_strings(struct hp_tables *t,
						  struct hp_string_run *run,
						  size_t most, size_t *taken,
						  struct hp_error *err);

/* Who takes runs of strings, and what it asks for before. */
struct hp_string_taker {
	void *ctx;
	/* Does memory allow what tables will have taken? HP_OK; HP_LIMIT. */
	enum hp_status (*due)(void *ctx, uint64_t tables, struct hp_error *err);
	/* Take up to @most of those that come next, as it is done above. */
	enum hp_status (*take)(void *ctx, struct hp_string_run *run,
			       size_t most, struct hp_error *err);
	unsigned together; /* that are taken next; 0 at first */
};

/**
 * hp_tables_scan_strings() - hand the strings of a run to their taker, several
 *                            at a time
 *
 * They are handed out up to the next record before which memory is asked for,
 * and one by one where something was odd, since looking in vain costs time.
 *
 * Returns: HP_OK: those that are taken are stepped over, the next record is for
 *          hp_tables_record(); what the taker returns.
 */
HP_MUST_USE enum hp_status hp_tables_scan_strings(const struct hp_tables *t,
						  struct hp_string_taker *k,
						  struct hp_string_run *run,
						  struct hp_error *err);

/* Each returns NULL if there is none. */
const struct hp_string *hp_tables_string(const struct hp_tables *t,
					 uint64_t id);
const struct hp_load *hp_tables_load(const struct hp_tables *t,
				     uint64_t class_id);
const struct hp_load *hp_tables_load_serial(const struct hp_tables *t,
					    uint32_t serial);
/* The raw name of a loaded class. */
const struct hp_string *hp_tables_load_name(const struct hp_tables *t,
					    const struct hp_load *load);
const struct hp_frame *hp_tables_frame(const struct hp_tables *t, uint64_t id);
const struct hp_trace *hp_tables_trace(const struct hp_tables *t,
				       uint32_t serial);
const struct hp_thread *hp_tables_thread(const struct hp_tables *t,
					 uint32_t serial);
/* The raw name of a class object, NULL if it was never loaded or named. */
const struct hp_string *hp_tables_class_name(const struct hp_tables *t,
					     uint64_t class_id);
/* Equal texts of one table? NULL equals nothing. Long ones cost no more. */
bool hp_string_same(const struct hp_string *a, const struct hp_string *b);
/* XXH3 of the text; of a long one it is known. Only for texts of a table. */
uint64_t hp_string_hash(const struct hp_string *s);

/**
 * hp_string_short() - a text of a table as it is named
 * @room: HP_NAME_ROOM bytes, which the result may borrow
 *
 * Returns: the text, of more than HP_NAME_MOST bytes only the begin with
 *          "...#" and the hash of all of it, so that names stay different.
 */
struct hp_string hp_string_short(const struct hp_string *s, char *room);

/* Is the raw name one of the two, JVM style or Java style? NULL is none. */
bool hp_string_is(const struct hp_string *raw, const char *jvm,
		  const char *java);

#endif
