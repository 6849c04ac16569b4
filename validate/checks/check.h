/*
 * check.h - the checks of records, tables, strings, classes and roots
 */
#ifndef HP_VALIDATE_CHECKS_CHECK_H
#define HP_VALIDATE_CHECKS_CHECK_H

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/model/classes.h"
#include "common/model/dialect.h"
#include "common/model/rules.h"
#include "common/model/tables.h"
#include "validate/references/references.h"
#include "validate/worker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* ----------------------------------------------------------------------
 * The state and functions that the checks of one file share
 *
 * All checks run on the thread that reads the file. check_records.c checks
 * records one by one. check_tables.c checks records that refer to other
 * records, and check_strings.c checks STRING records. check_classes.c and
 * check_roots.c check a dump after it was read completely.
 */

/*
 * A mention: a reference to a record that was not read yet. The reference is
 * checked again at the end of the file, because the record may come later.
 */
enum hp_mention_kind {
	/*
	 * a reference to a string; the member `what` (enum hp_string_use) says
	 * which kind of record refers to it
	 */
	HP_MENTION_STRING,
	/* a reference to a class by its serial number, in a stack frame */
	HP_MENTION_CLASS_SERIAL,
	/* a reference to a stack trace by its serial number, in an object */
	HP_MENTION_TRACE,
};

struct hp_mention {
	uint64_t id, holder, offset, record, count;
	uint32_t dump;
	uint8_t kind, what;
};

/*
 * The kinds of references to strings. The message of the rule string-missing
 * shows the kind.
 */
enum hp_string_use {
	HP_STRING_OF_LOAD,
	HP_STRING_OF_FRAME,
	HP_STRING_OF_FIELD,
	HP_STRING_OF_STATIC,
	HP_STRING_OF_HEAP,
	HP_STRING_OF_THREAD,
};

/*
 * A position in the dump: an offset in bytes, and the ordinal of the record at
 * this offset.
 */
struct hp_position {
	uint64_t offset, record;
};

/*
 * The position of a string in the dump. Stored only for strings that do not
 * directly follow the previous string.
 */
struct hp_string_place {
	size_t index;
	struct hp_position at;
};

/*
 * A heap segment that is larger than the segments of current JVMs. It is
 * reported only if it has more than one sub-record.
 */
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
	bool framing_only; /* check only lengths and tags (--level=framing) */
	uint64_t records[256];
	/*
	 * The members from here up to those of check_strings.c are used only by
	 * check_records.c.
	 */
	uint32_t last_time;
	unsigned dump; /* number, from 1, of the last dump that has begun */
	struct hp_heap_records heaps;
	/* position at which the last heap segment that was read begins */
	struct hp_position segment;
	bool mixed, settings, problem;
	/* position at which the first heap record of the current dump begins */
	struct hp_position dump_spot;
	/* ordinal of the last record that was counted */
	uint64_t last_counted;
	uint8_t last_tag;
	/* tag of the first record after the last heap segment that was read */
	uint8_t between_tag;
	uint64_t between_count;
	struct hp_position between;
	/* large heap segments, elements: struct hp_big_segment */
	struct hp_vec big;
	/* The members from here on are used only by check_strings.c. */
	/*
	 * For each string in the tables: the length of the text in the first
	 * STRING record with this id. Elements: uint32_t.
	 */
	struct hp_vec string_lengths;
	/* the positions of strings; elements: struct hp_string_place */
	struct hp_vec string_places;
	/* the position directly after the last STRING record that was read */
	struct hp_position string_next;
	/*
	 * one bit for each string in the tables; the bit is set if something
	 * refers to the string
	 */
	uint8_t *used;
	size_t used_bytes;
	/*
	 * references to strings that were not read yet; elements: struct
	 * hp_mention
	 */
	struct hp_vec uses;
	/*
	 * the ids of strings to which a record refers, but whose STRING records
	 * were not read yet
	 */
	struct hp_id_map awaited;
	/* ids of all classes that have a class dump */
	struct hp_id_map dumped;
};

/*
 * Initialise the state @c. All other arguments are borrowed. @src is used later
 * to find out whether its container, such as a gzip stream, is damaged.
 */
void hp_check_init(struct hp_check *c, struct hp_findings *findings,
		   struct hp_tables *tables, const struct hp_header *header,
		   struct hp_source *src, bool framing_only);
void hp_check_release(struct hp_check *c);

/* --- check_records.c: rules of the header and of record headers --------- */

void hp_check_header(struct hp_check *c);
void hp_check_problem(struct hp_check *c, const struct hp_problem *p);
/*
 * Whether the time of a record is before that of the previous record. A
 * difference of 2^31 or more is a wrap-around of the 32-bit time, not an
 * earlier time.
 */
static inline bool
hp_check_is_earlier(uint32_t time, uint32_t last)
{
	return time < last && last - time < UINT32_C(1) << 31;
}

/*
 * Check the header and the body of a record, and add the record to the tables.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_check_record(struct hp_check *c,
					   const struct hp_record *rec,
					   struct hp_cursor body,
					   struct hp_error *err);
/**
 * hp_check_strings() - check consecutive STRING records that have no findings,
 * and add them to the tables
 * @most: the maximum number of records; the function stops before the first
 * record that needs hp_check_record()
 *
 * This is the fast path for the many consecutive STRING records at the
 * beginning of a dump.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_check_strings(struct hp_check *c,
					    struct hp_string_run *run,
					    size_t most, struct hp_error *err);
/*
 * Count a heap record of a dump that the user did not choose. Its sub-records
 * are not read, and hp_check_heap_end() is not called for it.
 */
void hp_check_passed_over(struct hp_check *c, const struct hp_record *rec);
/* Count a heap record whose sub-records were read to the end. */
void hp_check_heap_end(struct hp_check *c, const struct hp_record *rec);
/*
 * Apply the rules that need all records of the file.
 * @multi: the ordinals of the large heap segments that have several
 * sub-records, in ascending order
 * @bytes: the length of the dump
 */
void hp_check_records_end(struct hp_check *c, const uint64_t *multi,
			  size_t nmulti, uint64_t bytes,
			  enum hp_dialect dialect);

/*
 * Report the damage of the compression or archive (gzip, zstd, ...) as
 * findings.
 */
struct hp_container_note;
void hp_check_container(struct hp_findings *f,
			const struct hp_container_note *notes, size_t count);

/*
 * --- check_tables.c: records that refer to other records --------------------
 */

/*
 * Add a record to the tables, and check the references in the record. Returns
 * HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_check_tables(struct hp_check *c,
					   const struct hp_record *rec,
					   struct hp_cursor body,
					   struct hp_error *err);
/*
 * Report classes that have a LOAD CLASS record, but no CLASS DUMP in any dump
 * of the file. Called after the last dump.
 */
void hp_check_loads_end(struct hp_check *c);
/*
 * Check allocation sites and CPU samples. Report references to records that the
 * file does not contain.
 */
HP_MUST_USE enum hp_status hp_check_tables_end(struct hp_check *c,
					       struct hp_error *err);

/* --- check_strings.c ----------------------------------------------------- */

HP_MUST_USE enum hp_status hp_check_string(struct hp_check *c,
					   const struct hp_record *rec,
					   struct hp_cursor body,
					   enum hp_definition met,
					   struct hp_error *err);
/*
 * Read the next STRING records without consuming them, and store at most @most
 * strings in @rows. Stops before the first string that has a finding or whose
 * id is not new. Returns the number of strings stored.
 */
size_t hp_check_ordinary_strings(const struct hp_check *c,
				 const struct hp_string_run *run,
				 struct hp_string_row *rows, size_t most);
/*
 * Store the lengths of @n strings that were appended to the tables. @at: the
 * position of the first string; @rows: the strings; only their lengths are
 * used. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_check_strings_taken(struct hp_check *c, struct hp_position at,
		       const struct hp_string_row *rows, size_t n,
		       struct hp_error *err);
/*
 * Called for each reference to a string. @id: the id of the string; @at: the
 * position of the reference. If the string was not read yet, the reference is
 * checked again at the end of the file. @dump and @holder describe the finding
 * in case the string is not in the file. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_check_string_use(struct hp_check *c, uint64_t id,
					       enum hp_string_use what,
					       struct hp_position at,
					       unsigned dump, uint64_t holder,
					       struct hp_error *err);
HP_MUST_USE enum hp_status hp_check_strings_end(struct hp_check *c,
						struct hp_error *err);

/*
 * --- checks at the end of a dump ---------------------------------------------
 */

/*
 * Check all classes of a dump. @refs: knows the ids of the objects and classes
 * of the dump. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_check_classes(struct hp_check *c,
					    const struct hp_references *refs,
					    enum hp_dialect dialect,
					    struct hp_error *err);

/*
 * Check the roots, the Android heaps and the statistics of a dump. @w has the
 * merged results of all threads. Returns HP_OK, HP_NOMEM, or HP_LIMIT if the
 * check does not fit in memory.
 */
HP_MUST_USE enum hp_status hp_check_roots(struct hp_check *c,
					  struct hp_worker *w,
					  const struct hp_references *refs,
					  struct hp_error *err);

/*
 * --- report findings -------------------------------------------------------
 */

/*
 * Report a finding about a field, which is given by its name @word. The
 * arguments after @word (up to five) are the arguments of the rule's message.
 * @at points to any struct with an offset and the ordinal of its record: an
 * object, a class or a position.
 */
#define hp_check_found(c, rule, at, word, ...)                                 \
	HP_CHECK_FOUND(c, rule, (at)->offset, (at)->record, word, __VA_ARGS__)

/*
 * Like hp_check_found(), for a finding about the whole record and not about one
 * field.
 */
#define hp_check_whole(c, rule, at, ...)                                       \
	HP_CHECK_WHOLE(c, rule, (at)->offset, (at)->record, __VA_ARGS__)

/*
 * Like hp_check_found(), for a field that has no name. The field is given by an
 * HP_PLACE_ constant and an index: for example, element 3 of an array.
 */
#define hp_check_placed(c, rule_, at, place_, index_, ...)                     \
	hp_findings_add(                                                       \
		(c)->findings,                                                 \
		&(struct hp_finding){                                          \
			HP_CHECK_COMMON(c, rule_, (at)->offset, (at)->record), \
			.place = (place_), .index = (index_),                  \
			.args = {__VA_ARGS__}})

/*
 * Like hp_check_found() and hp_check_whole(). The offset and the ordinal come
 * from the struct hp_record @rec.
 */
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
