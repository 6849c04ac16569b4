/*
 * check.h - what the checks of one file share; all on the reading thread
 *
 * check_records.c looks at records as they come, check_strings.c at names,
 * check_classes.c and check_roots.c at a dump once it is complete.
 */
#ifndef HP_VALIDATE_CHECKS_CHECK_H
#define HP_VALIDATE_CHECKS_CHECK_H

#include "common/base/vec.h"
#include "common/model/classes.h"
#include "common/model/damage.h"
#include "common/model/dialect.h"
#include "common/model/tables.h"
#include "validate/references/references.h"
#include "validate/worker.h"

#include <stdlib.h>

/* Something named that was not defined when it was: looked at again later. */
enum hp_mention_kind {
	HP_MENTION_STRING,	 /* what: as in string-missing */
	HP_MENTION_CLASS_SERIAL, /* of a frame */
	HP_MENTION_TRACE,	 /* of objects */
};

struct hp_mention {
	uint64_t id, holder, offset, record, count;
	uint32_t dump;
	uint8_t kind, what;
};

/* The first argument of string-missing. */
enum hp_string_use {
	HP_STRING_OF_LOAD,
	HP_STRING_OF_FRAME,
	HP_STRING_OF_FIELD,
	HP_STRING_OF_STATIC,
	HP_STRING_OF_HEAP,
	HP_STRING_OF_THREAD,
};

/* A place in the file. */
struct hp_position {
	uint64_t offset, record;
};

/* A string that does not stand right behind the one before it. */
struct hp_string_place {
	size_t index;
	struct hp_position at;
};

/* A segment above today's size: is there more than one sub-record in it? */
struct hp_big_segment {
	uint64_t offset, record, length;
};

struct hp_check {
	struct hp_findings *findings;
	struct hp_tables *tables;
	const struct hp_header *header;
	struct hp_source *src;
	struct hp_dialect_evidence evidence;
	unsigned id_size;
	bool framing_only; /* --level=framing */
	uint64_t memory;   /* that this and the tables may take */
	uint64_t records[256];
	/* check_records.c */
	uint32_t last_time;
	unsigned dump; /* the last one begun */
	struct hp_heap_records heaps;
	struct hp_position segment; /* the last one */
	bool mixed, settings, problem;
	struct hp_position dump_spot; /* the first heap record of the dump */
	uint64_t last_counted;	      /* ordinal of the last record counted */
	uint8_t last_tag;
	uint8_t between_tag; /* records since the last segment */
	uint64_t between_count;
	struct hp_position between;
	struct hp_vec big; /* struct hp_big_segment */
	/* check_strings.c */
	struct hp_vec string_lengths;	/* uint32_t, as tables' strings: theirs
					 * when they were met first */
	struct hp_vec string_places;	/* struct hp_string_place */
	struct hp_position string_next; /* right behind the last string */
	uint8_t *used;			/* a bit a string */
	size_t used_bytes;
	struct hp_vec uses;	  /* struct hp_mention */
	struct hp_id_map awaited; /* string ids used before their string */
	struct hp_id_map dumped;  /* ids of all class dumps */
};

/* All but @c are borrowed; @src is asked what its container has lost. */
void hp_check_init(struct hp_check *c, struct hp_findings *findings,
		   struct hp_tables *tables, const struct hp_header *header,
		   struct hp_source *src, bool framing_only, uint64_t memory);
void hp_check_release(struct hp_check *c);
/* Bytes that grow with the records. */
uint64_t hp_check_bytes(const struct hp_check *c);
/* With tables of @tables bytes they fit in memory: HP_OK; or HP_LIMIT. */
HP_MUST_USE enum hp_status hp_check_budget(const struct hp_check *c,
					   uint64_t tables,
					   struct hp_error *err);

/* --- check_records.c: 6.1, 6.2, 6.4, the records of 6.7 ------------------ */

void hp_check_header(struct hp_check *c);
void hp_check_problem(struct hp_check *c, const struct hp_problem *p);
/* Does a record's time lie before that of the record before it? */
static inline bool
hp_check_is_earlier(uint32_t time, uint32_t last)
{
	return time < last && last - time < UINT32_C(1) << 31;
}

/* A record's head and body; takes it into the tables. HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_check_record(struct hp_check *c,
					   const struct hp_record *rec,
					   struct hp_cursor body,
					   struct hp_error *err);
/**
 * hp_check_strings() - records of a run that are strings and nothing odd
 * @most: records to take; fewer are taken where one is left to
 *        hp_check_record()
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_check_strings(struct hp_check *c,
					    struct hp_string_run *run,
					    size_t most, struct hp_error *err);
/* Of a record of a dump that is not wanted no heap end will be seen. */
void hp_check_passed_over(struct hp_check *c, const struct hp_record *rec);
/* A heap record was read to its end. */
void hp_check_heap_end(struct hp_check *c, const struct hp_record *rec);
/*
 * All records are read. @multi: the ordinals of large segments with several
 * sub-records, ascending.
 */
void hp_check_records_end(struct hp_check *c, const uint64_t *multi,
			  size_t nmulti, uint64_t bytes,
			  enum hp_dialect dialect);

/* Notes of the container as findings. */
struct hp_container_note;
void hp_check_container(struct hp_findings *f,
			const struct hp_container_note *notes, size_t count);

/* --- check_tables.c: records that refer to others ------------------------ */

/* A record of a table; @met: how. HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_check_tables(struct hp_check *c,
					   const struct hp_record *rec,
					   struct hp_cursor body,
					   struct hp_error *err);
/* After the last dump: loaded classes that no dump of the file has. */
void hp_check_loads_end(struct hp_check *c);
/* Sites, samples, what was named and never defined. */
HP_MUST_USE enum hp_status hp_check_tables_end(struct hp_check *c,
					       struct hp_error *err);

/* --- check_strings.c ----------------------------------------------------- */

HP_MUST_USE enum hp_status hp_check_string(struct hp_check *c,
					   const struct hp_record *rec,
					   struct hp_cursor body,
					   enum hp_definition met,
					   struct hp_error *err);
/*
 * Look ahead in a run: up to @most strings of which nothing is to be said, as
 * records and as strings, if their ids are new. Returns: how many @rows.
 */
size_t hp_check_ordinary_strings(const struct hp_check *c,
				 const struct hp_string_run *run,
				 struct hp_string_row *rows, size_t most);
/*
 * @n strings, the first of which is @at, are the tables' last ones now; of
 * @rows only the lengths are looked at. HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_check_strings_taken(struct hp_check *c, struct hp_position at,
		       const struct hp_string_row *rows, size_t n,
		       struct hp_error *err);
/*
 * String @id is named @at a place: note that, and whether it is defined by now.
 * @dump, @holder: of the finding, if it never is. HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_check_string_use(struct hp_check *c, uint64_t id,
					       enum hp_string_use what,
					       struct hp_position at,
					       unsigned dump, uint64_t holder,
					       struct hp_error *err);
HP_MUST_USE enum hp_status hp_check_strings_end(struct hp_check *c,
						struct hp_error *err);

/* --- at the end of a dump ------------------------------------------------ */

/* @refs: what is known of the dump's objects and classes. HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_check_classes(struct hp_check *c,
					    const struct hp_references *refs,
					    enum hp_dialect dialect,
					    struct hp_error *err);

/* Roots, Android's heaps, statistics; @w: all workers' merged. HP_LIMIT, too:
 * what is looked at does not fit in memory. */
HP_MUST_USE enum hp_status hp_check_roots(struct hp_check *c,
					  struct hp_worker *w,
					  const struct hp_references *refs,
					  struct hp_error *err);

/* --- adding findings ------------------------------------------------------ */

/*
 * A finding of a field by name, with up to five arguments; @at points to what
 * has an offset and the ordinal of its record: an object, a class, a position.
 */
#define hp_check_found(c, rule, at, word, ...)                                 \
	HP_CHECK_FOUND(c, rule, (at)->offset, (at)->record, word, __VA_ARGS__)

/* The same of it as a whole. */
#define hp_check_whole(c, rule, at, ...)                                       \
	HP_CHECK_WHOLE(c, rule, (at)->offset, (at)->record, __VA_ARGS__)

/* The same of a place that is none of the words: HP_PLACE_ and its index. */
#define hp_check_placed(c, rule_, at, place_, index_, ...)                     \
	hp_findings_add(                                                       \
		(c)->findings,                                                 \
		&(struct hp_finding){                                          \
			HP_CHECK_COMMON(c, rule_, (at)->offset, (at)->record), \
			.place = (place_), .index = (index_),                  \
			.args = {__VA_ARGS__}})

/* The same of a struct hp_record, and of it as a whole. */
#define hp_record_found(c, rule, rec, word, ...)                               \
	HP_CHECK_FOUND(c, rule, (rec)->offset, (rec)->ordinal, word,           \
		       __VA_ARGS__)
#define hp_record_whole(c, rule, rec, ...)                                     \
	HP_CHECK_WHOLE(c, rule, (rec)->offset, (rec)->ordinal, __VA_ARGS__)

#define HP_CHECK_FOUND(c, rule, at, ordinal, word, ...)                        \
	hp_findings_add(                                                       \
		(c)->findings,                                                 \
		&(struct hp_finding){HP_CHECK_COMMON(c, rule, at, ordinal),    \
				     .place = HP_PLACE_NAME, .index = (word),  \
				     .args = {__VA_ARGS__}})

#define HP_CHECK_WHOLE(c, rule_, at, ordinal, ...)                             \
	hp_findings_add(                                                       \
		(c)->findings,                                                 \
		&(struct hp_finding){HP_CHECK_COMMON(c, rule_, at, ordinal),   \
				     .args = {__VA_ARGS__}})

#define HP_CHECK_COMMON(c, rule_, at, ordinal)                                 \
	.rule = (uint16_t)(rule_), .severity = HP_SEVERITY_DEFAULT,            \
	.offset = (at), .record = (ordinal), .dump = (c)->dump

#endif
