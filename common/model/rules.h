/*
 * rules.h - the rules that a valid dump follows, and which violations are
 * damage
 */
#ifndef HP_MODEL_RULES_H
#define HP_MODEL_RULES_H

#include "common/base/status.h"
#include "common/format/heap.h"
#include "common/format/reader.h"
#include "common/model/dialect.h"
#include "common/model/instance_lengths.h"
#include "common/model/tables.h"

/* ----------------------------------------------------------------------
 * The catalogue of rules, with the severity of each
 *
 * The tables are generated from rules.def. The checks themselves are in
 * damage.c and in hprof-validate (check_*.c, references.c).
 */

#define RULE(symbol, id, severity, section, needs, line, message, paragraph)   \
	HP_RULE_##symbol,
enum hp_rule {
#include "common/model/rules.def"
	HP_RULE_COUNT
};

enum hp_severity {
	HP_SEVERITY_INFO,
	HP_SEVERITY_WARNING,
	HP_SEVERITY_ERROR,
	HP_SEVERITY_COUNT,
};

/*
 * Stands for the usual severity of a rule. It depends on the program that wrote
 * the dump, which is known only after the whole dump was read.
 */
#define HP_SEVERITY_DEFAULT (-1)

/* The condition under which a rule can be checked. */
enum hp_needs {
	HP_NEEDS_NOTHING,
	/* the rule can be checked only if the file header is valid */
	HP_NEEDS_HEADER,
	/*
	 * the rule can be checked only if every byte of the heap records was
	 * decoded
	 */
	HP_NEEDS_WHOLE,
	/* the rule can be checked only if the dump has a heap record */
	HP_NEEDS_HEAP,
	/*
	 * The rule can be checked only if the program also finds the class of
	 * every object, or finds out which objects are reachable.
	 */
	HP_NEEDS_GRAPH,
};

/* The sections of a report. X(symbol, heading of the section). */
#define HP_SECTIONS(X)                                                         \
	X(CONTAINER, "container and header")                                   \
	X(RECORDS, "records")                                                  \
	X(SUBRECORDS, "sub-records")                                           \
	X(STRINGS, "strings")                                                  \
	X(CLASSES, "classes")                                                  \
	X(OBJECTS, "objects and references")                                   \
	X(ROOTS, "threads, traces and roots")                                  \
	X(TEXT, "lines of the agent's text")

#define HP_SECTION_ENUM(symbol, name) HP_SECTION_##symbol,
enum hp_section { HP_SECTIONS(HP_SECTION_ENUM) };
#undef HP_SECTION_ENUM

struct hp_rule_desc {
	const char *id; /* the id of the rule, such as "ref-dangling-field" */
	enum hp_severity severity;
	enum hp_section section;
	enum hp_needs needs;
	/* a short description of the rule, for the list of rules */
	const char *line;
	/*
	 * the text of a finding of this rule, with placeholders; see rules.def
	 */
	const char *message;
	const char *paragraph; /* explanation of the rule, for --explain */
};

const struct hp_rule_desc *hp_rule_desc(enum hp_rule rule);

/*
 * Whether an error of this rule means that a part of the dump cannot be
 * decoded.
 */
bool hp_rule_breaks(enum hp_rule rule);

/*
 * Whether an error of this rule means that the dump is damaged. Then hprof-diff
 * and hprof-convert also refuse the dump.
 */
bool hp_rule_is_damage(enum hp_rule rule);

/*
 * Returns one or more sentences that say what the user can do about a finding
 * of this rule with this severity.
 */
const char *hp_rule_advice(enum hp_rule rule, enum hp_severity severity);

/*
 * Returns the severity of a rule in a dump of the given dialect (program that
 * wrote the dump). Used for findings that have no severity of their own.
 */
enum hp_severity hp_rule_severity(enum hp_rule rule, enum hp_dialect dialect);

/*
 * hp_severity_name() returns the name of a severity ("error", "warning",
 * "info"). The other function finds the severity with a given name.
 */
const char *hp_severity_name(enum hp_severity s);
bool hp_severity_find(const char *name, enum hp_severity *out);

/* The heading of a section of rules in the report. */
const char *hp_section_name(enum hp_section s);

/*
 * Returns the reason, as a text for the user, why a rule with the condition
 * @needs was not checked. NULL for HP_NEEDS_NOTHING.
 */
const char *hp_needs_reason(enum hp_needs needs);

/**
 * hp_rule_habit() - iterate over the dialects (programs that write dumps) in
 * which a rule has another severity than usual
 * @at: the state of the iteration: set it to 0 before the first call
 *
 * Returns: true with the next dialect; false if there are no more.
 */
bool hp_rule_habit(enum hp_rule rule, size_t *at, enum hp_dialect *dialect,
		   enum hp_severity *severity);

/*
 * ----------------------------------------------------------------------
 * Detect damage in a dump; all programs use it
 *
 * A symptom is one place in the dump that breaks a rule. The functions here
 * check a part of the dump and return a symptom if it breaks a rule.
 * hprof-validate reports symptoms as findings. hprof-diff and hprof-convert
 * keep the first symptom of each rule (struct hp_damage). If one of these
 * symptoms is damage (DAMAGE in rules.def), they refuse the dump.
 */

struct hp_symptom {
	enum hp_rule rule;
	/*
	 * The severity of this symptom. HP_SEVERITY_DEFAULT: use the severity
	 * of the rule.
	 */
	int8_t severity;
	/* tag of the record or sub-record at which the rule is broken */
	uint8_t tag;
	/* offset of this record or sub-record in the dump */
	uint64_t offset;
	/*
	 * The line number, from 1, if the input is text; `offset` is then the
	 * offset of that line. 0: the input is a binary dump.
	 */
	uint64_t line;
	/*
	 * Two lengths or counts that differ: `got` is the value in the dump,
	 * `want` is the value that it should have. Their exact meaning depends
	 * on the rule; see damage.c.
	 */
	uint64_t got, want;
};

/* --- detecting symptoms (places that break a rule of the format) --- */

/*
 * Convert a problem of the compression to a symptom (a place that breaks a
 * rule).
 */
struct hp_symptom hp_symptom_of_container(const struct hp_container_note *n);

/*
 * Check the file header of a dump. Returns false if it is valid. If the file
 * has a known format other than HPROF, out->got receives the number of this
 * format, h->foreign.
 */
HP_MUST_USE bool hp_symptom_of_header(const struct hp_header *h,
				      struct hp_symptom *out);

/*
 * Convert a problem that the reader of records found to a symptom (a place that
 * breaks a rule).
 */
struct hp_symptom hp_symptom_of_problem(const struct hp_problem *p);

/**
 * hp_symptom_of_record() - compare the length of a record with its fields
 * @body: the part of the body that is in memory
 *
 * If the length is wrong, @out receives the symptom. For a record of fixed
 * length, out->got and out->want are lengths in bytes. For a record with rows,
 * out->got is the number of rows that the record states, and out->want is the
 * length of the record in bytes.
 * Returns: false if the length is valid.
 */
HP_MUST_USE bool hp_symptom_of_record(const struct hp_record *rec,
				      const struct hp_cursor *body,
				      unsigned id_size, struct hp_symptom *out);

/**
 * hp_symptom_of_stop() - get the symptom (place that breaks a rule) because of
 *                        which hp_heap_next() stopped before the end of a
 *                        record
 * @it: the iterator for which hp_heap_next() returned false
 *
 * Returns: false if the iterator reached the end of the record, or if the input
 *          ends inside a sub-record. The code that reads records reports such
 *          an end.
 */
HP_MUST_USE bool hp_symptom_of_stop(const struct hp_heap_iter *it,
				    struct hp_symptom *out);

/*
 * Whether an array has more elements than Java allows (2^31 - 1). If so,
 * out->got receives the number of elements.
 */
HP_MUST_USE bool hp_symptom_of_array(const struct hp_sub *s,
				     struct hp_symptom *out);

/*
 * Whether an object has the id 0, or an instance is impossibly long. hp_scan()
 * returns such a long instance without its data, because no class can have so
 * many fields. If the instance is too long, out->got receives its length in
 * bytes.
 */
HP_MUST_USE bool hp_symptom_of_object(const struct hp_sub *s,
				      struct hp_symptom *out);

/**
 * hp_symptom_of_class() - compare the instance size of a class with its fields
 * @c: a class whose layout has been computed
 *
 * out->got receives the instance size in the dump, out->want the sum of the
 * sizes of the fields, both in bytes.
 * Returns: false if the two sizes are equal.
 */
HP_MUST_USE bool hp_symptom_of_class(const struct hp_class *c,
				     const struct hp_tables *tables,
				     struct hp_symptom *out);

/*
 * Which heap records have been read. A heap dump that consists of HEAP DUMP
 * SEGMENT records must have a HEAP DUMP END record; this struct is used to
 * check that. Zero-initialise it.
 */
struct hp_heap_records {
	/* number of all records that were read, with any tag */
	uint64_t records;
	/*
	 * A heap dump that consists of HEAP DUMP SEGMENT records has begun, and
	 * its HEAP DUMP END record was not read yet.
	 */
	bool open;
	bool seen_dump, seen_segment;
};

/**
 * hp_heap_records_see() - update @h with the next record of the dump
 *
 * Returns: true, with the symptom (place that breaks a rule) in @out, if the
 * previous heap dump has no HEAP DUMP END record: it consists of segments, and
 * @rec begins a new heap dump.
 */
HP_MUST_USE bool hp_heap_records_see(struct hp_heap_records *h,
				     const struct hp_record *rec,
				     struct hp_symptom *out);

/*
 * At the end of the input, check whether something is missing: any record at
 * all, a heap record, or the HEAP DUMP END record. @bytes: the length of the
 * input. @problem: whether the code that reads records has reported a problem.
 * Returns false if nothing is missing.
 */
HP_MUST_USE bool hp_heap_records_end(const struct hp_heap_records *h,
				     uint64_t bytes, bool problem,
				     struct hp_symptom *out);

/* --- keeping the first symptom of each rule --- */

/*
 * The first symptom (place that breaks a rule) of each rule in a dump.
 * Zero-initialise it.
 */
struct hp_damage {
	/*
	 * Whether a symptom of a rule was found. The first index is 1 for
	 * symptoms that are always errors, and 0 for symptoms with the severity
	 * HP_SEVERITY_DEFAULT.
	 */
	bool found[2][HP_RULE_COUNT];
	struct hp_symptom first[2][HP_RULE_COUNT];
	/*
	 * `sure`: a symptom was found that is damage, no matter which program
	 * wrote the dump. `surest` is the first such symptom.
	 */
	bool sure;
	struct hp_symptom surest;
};

/*
 * Keep the symptom if it is damage and no earlier symptom of the same rule is
 * known.
 */
void hp_damage_note(struct hp_damage *d, const struct hp_symptom *s);
void hp_damage_merge(struct hp_damage *into, const struct hp_damage *from);

/*
 * Check an object. If it breaks a rule, keep the symptom. For a large array,
 * and for an instance too large for the buffer, @s needs only the fixed fields.
 */
static inline void
hp_damage_object(struct hp_damage *d, const struct hp_sub *s)
{
	struct hp_symptom symptom;

	if (HP_UNLIKELY(s->id == 0 || !s->data) &&
	    hp_symptom_of_object(s, &symptom))
		hp_damage_note(d, &symptom);
	if (HP_UNLIKELY(s->count > INT32_MAX) &&
	    hp_symptom_of_array(s, &symptom))
		hp_damage_note(d, &symptom);
}

/*
 * Check the classes and the lengths of instances, and store the symptoms
 * (places that break a rule) in @d. Called when the whole dump has been read.
 */
void hp_damage_classes(struct hp_damage *d, const struct hp_classes *classes,
		       const struct hp_tables *tables,
		       const struct hp_instance_lengths *lengths);

/*
 * Store the problems of the compressed input as symptoms in @d. Call this
 * function when the source has been read to its end.
 */
void hp_damage_container(struct hp_damage *d, struct hp_source *src);

/**
 * hp_damage_first() - get the symptom to report if the dump is damaged
 *
 * A problem of the compression comes first, because it causes other symptoms.
 * If there is no such problem, the symptom with the lowest offset is returned.
 * Returns: a pointer into @d; NULL if the dump is not damaged.
 */
const struct hp_symptom *hp_damage_first(const struct hp_damage *d,
					 enum hp_dialect dialect);

enum { HP_SYMPTOM_TEXT = 352, HP_SYMPTOM_PLACE = 32 };

/*
 * Format the place of a symptom for a message: "offset 123", or "line 5" if the
 * input is text.
 */
void hp_symptom_place(const struct hp_symptom *s, char text[HP_SYMPTOM_PLACE]);

/*
 * Format a symptom (a place that breaks a rule) for a message: what is wrong
 * and the id of the rule, but not the offset.
 */
void hp_symptom_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT]);

#endif
