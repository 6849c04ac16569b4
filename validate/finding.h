/*
 * finding.h - findings: which rules a dump violates, where, and the texts of
 * the messages
 */
#ifndef HP_VALIDATE_FINDING_H
#define HP_VALIDATE_FINDING_H

#include "common/base/buf.h"
#include "common/base/hash.h"
#include "common/model/rules.h"
#include "common/model/tables.h"

#include <stdint.h>

/* ----------------------------------------------------------------------
 * Offset bins: an amount for each part of a dump, for example the number of
 * findings
 *
 * The number of bins is fixed. The length of a dump from a pipe is known only
 * at its end, so bins start narrow. Whenever an offset is after the last bin,
 * neighbouring bins are merged in pairs, so that the width of the bins doubles.
 * The result does not depend on the order of the additions, so bins of several
 * threads can be merged.
 */

enum { HP_OFFSET_BINS = 256 };

/*
 * Offset bins (ranges of offsets). amounts[i] is the sum for the offsets from i
 * << shift up to the beginning of the next bin. A zeroed struct is empty.
 */
struct hp_offset_bins {
	uint64_t amounts[HP_OFFSET_BINS];
	unsigned shift;
};

/*
 * Make the bins so wide that the last bin includes all offsets below @end. Bins
 * never become narrower.
 */
void hp_offset_bins_widen(struct hp_offset_bins *b, uint64_t end);

/* Add @amount to the bin that contains @offset. */
void hp_offset_bins_add(struct hp_offset_bins *b, uint64_t offset,
			uint64_t amount);

/*
 * Add the @length bytes from @offset on to the bins that contain them. Bytes
 * beyond the largest possible offset are ignored.
 */
void hp_offset_bins_add_bytes(struct hp_offset_bins *b, uint64_t offset,
			      uint64_t length);

/* Add the bins of @from to those of @into. @from does not change. */
void hp_offset_bins_merge(struct hp_offset_bins *into,
			  const struct hp_offset_bins *from);

/* ----------------------------------------------------------------------
 * Findings: the problems of a dump. A collector counts them.
 *
 * Each worker has its own collector. A collector contains the exact number of
 * findings of each rule, their first few examples, and groups of findings that
 * have the same cause. Its contents depend only on the set of findings, never
 * on their order, so that collectors can be merged in any order. finding_text.c
 * makes texts of findings.
 */

/*
 * The kind of field that a finding is about. The member `index` of the finding
 * says which field of this kind it is.
 */
enum hp_place {
	HP_PLACE_NONE,
	/* a field of a record with a fixed name; `index` is an enum hp_word */
	HP_PLACE_NAME,
	/* an element of an array; `index` is the index of the element */
	HP_PLACE_ELEMENT,
	/*
	 * a field of an instance; `index` is the offset in the data of the
	 * instance, and `holder` is the class of the instance
	 */
	HP_PLACE_INSTANCE_FIELD,
	/*
	 * a static field; `index` is its number in the class dump of the class
	 * `holder`
	 */
	HP_PLACE_STATIC,
	/* a constant of a class; `index` is its number in the class dump */
	HP_PLACE_CONSTANT,
	/* a frame of a stack trace; `index` is its number in the trace */
	HP_PLACE_FRAME,
	/*
	 * a row of ALLOC SITES or CPU SAMPLES; `index` is its number in the
	 * record
	 */
	HP_PLACE_ROW,
};

/*
 * The names of fields, for HP_PLACE_NAME. Each entry is X(symbol, name of the
 * field).
 */
#define HP_WORD_LIST(X)                                                        \
	X(TAG, "tag")                                                          \
	X(LENGTH, "length")                                                    \
	X(TIME, "time")                                                        \
	X(ID, "id")                                                            \
	X(SERIAL, "serial")                                                    \
	X(NAME, "name_id")                                                     \
	X(CLASS, "class_id")                                                   \
	X(SUPER, "super_id")                                                   \
	X(LOADER, "loader_id")                                                 \
	X(SIGNERS, "signers_id")                                               \
	X(DOMAIN, "protection_domain_id")                                      \
	X(RESERVED, "reserved")                                                \
	X(SIZE, "instance_size")                                               \
	X(TYPE, "type")                                                        \
	X(COUNT, "count")                                                      \
	X(TRACE, "trace_serial")                                               \
	X(THREAD, "thread_serial")                                             \
	X(FRAME, "frame_index")                                                \
	X(LINE, "line")                                                        \
	X(REFERENCE, "jni_ref_id")                                             \
	X(VERSION, "version")                                                  \
	X(ID_SIZE, "id_size")                                                  \
	X(TIMESTAMP, "timestamp")                                              \
	X(TOTAL, "total")                                                      \
	X(TEXT, "text")

#define HP_WORD_ENUM(symbol, name) HP_WORD_##symbol,
enum hp_word { HP_WORD_LIST(HP_WORD_ENUM) HP_WORDS };
#undef HP_WORD_ENUM
const char *hp_place_word(enum hp_word word);

enum { HP_FINDING_ARGS = 5 };

struct hp_finding {
	/* offset of the record or sub-record in the dump */
	uint64_t offset;
	/* ordinal, from 1, of the record with the finding; 0: file header */
	uint64_t record;
	/* the arguments for the placeholders in the message of the rule */
	uint64_t args[HP_FINDING_ARGS];
	/*
	 * class id of the object that contains the field; the message shows
	 * this class, and similar findings are grouped by this class
	 */
	uint64_t holder;
	uint64_t index;
	/* string id of the name of the field; only valid if `named` is set */
	uint64_t name;
	/* number of the dump in the file, from 1; 0: outside of all dumps */
	uint32_t dump;
	uint16_t rule;
	/*
	 * severity of this finding, or HP_SEVERITY_DEFAULT for the severity of
	 * its rule
	 */
	int8_t severity;
	uint8_t place;
	/*
	 * This finding stands for a group of similar findings. args[3] is the
	 * number of the other findings in the group.
	 */
	bool first;
	/*
	 * the member `name` is set, because the name of the field was looked up
	 * in its class
	 */
	bool named;
};

/*
 * The maximum number of groups of similar findings. More groups occur only in
 * damaged dumps, and would not help a reader. If there are more, all groups are
 * removed, so that the result does not depend on the order in which threads
 * find errors.
 */
enum { HP_FINDING_GROUPS = 1 << 14 };

/*
 * Number of counters of a rule: one for findings with the default severity of
 * the rule, and one for each severity that a finding can have instead.
 */
enum { HP_FINDING_SLOTS = HP_SEVERITY_COUNT + 1 };

/*
 * The examples of a rule for one severity: the findings with the smallest
 * offsets. They are stored as a binary max-heap: items[0] has the largest
 * offset.
 */
struct hp_finding_list {
	struct hp_finding *items;
	size_t count, cap;
};

struct hp_finding_group {
	/*
	 * The first finding of the group, which stands for the whole group.
	 * This member must be the first one, because groups are sorted with the
	 * comparison function for findings.
	 */
	struct hp_finding first;
	uint64_t count; /* number of findings in the group */
};

struct hp_findings {
	size_t max_examples;
	/*
	 * also count the findings of each rule by offset, in the member
	 * `places`
	 */
	bool located;
	/* memory ran out, so some examples are missing; the counts are exact */
	bool failed;
	bool any; /* at least one finding was added to the collector */
	uint64_t counts[HP_RULE_COUNT][HP_FINDING_SLOTS];
	struct hp_finding_list lists[HP_RULE_COUNT][HP_FINDING_SLOTS];
	/*
	 * If `located` is set: the number of findings by offset, for each rule
	 * and each of its counters (see HP_FINDING_SLOTS). NULL if there are no
	 * findings.
	 */
	struct hp_offset_bins *places[HP_RULE_COUNT][HP_FINDING_SLOTS];
	struct hp_finding_group *groups;
	size_t ngroups, groups_cap;
	/*
	 * hash table that finds the group of a finding by its rule, severity,
	 * dump, `holder` and field
	 */
	struct hp_hash_table group_table;
	/*
	 * there were more than HP_FINDING_GROUPS groups, so all groups were
	 * removed
	 */
	bool ungrouped;
};

/*
 * Initialise an empty collector. A zeroed struct is also an empty collector,
 * but it keeps no examples. @located: also count findings by offset.
 */
void hp_findings_init(struct hp_findings *f, size_t max_examples, bool located);
void hp_findings_release(struct hp_findings *f);

/* Remove all findings of a collector, but keep its settings. */
void hp_findings_clear(struct hp_findings *f);

/**
 * hp_findings_add() - count a finding, and keep it as an example if it is among
 * the first findings of the rule
 *
 * Findings of the rules ref-dangling-array, ref-dangling-field and
 * ref-dangling-static are grouped by the class `holder` and the field. The
 * function never fails: if out of memory it sets f->failed, and the counts stay
 * exact.
 */
void hp_findings_add(struct hp_findings *f, const struct hp_finding *finding);

/*
 * Count @n similar findings. Only one of them, @finding, may be kept as an
 * example.
 */
void hp_findings_add_many(struct hp_findings *f,
			  const struct hp_finding *finding, uint64_t n);

/**
 * hp_findings_count_one() - count a finding that would not be kept as an
 * example
 *
 * This is a fast path for rules with many findings that are not grouped and are
 * found in ascending order of offsets. The caller need not fill in a struct
 * hp_finding. The findings have the default severity of the rule.
 *
 * Returns: true; false if the finding may be kept as an example. Then nothing
 *          was counted, and the caller must call hp_findings_add().
 */
static inline bool
hp_findings_count_one(struct hp_findings *f, enum hp_rule rule, uint64_t offset)
{
	const unsigned slot = HP_SEVERITY_COUNT;
	const struct hp_finding_list *l = &f->lists[rule][slot];

	if (f->located || l->count < f->max_examples ||
	    (l->count > 0 && offset <= l->items[0].offset))
		return false;
	f->any = true;
	f->counts[rule][slot]++;
	return true;
}

/*
 * Count @n more findings for which hp_findings_count_one() would return true.
 */
static inline void
hp_findings_count_more(struct hp_findings *f, enum hp_rule rule, uint64_t n)
{
	f->counts[rule][HP_SEVERITY_COUNT] += n;
}

/* Add all findings of the collector @from to @into. @from does not change. */
void hp_findings_merge(struct hp_findings *into,
		       const struct hp_findings *from);

/*
 * Returns the index of the counter for a finding: its severity, or
 * HP_SEVERITY_COUNT if it has the default severity of its rule.
 */
unsigned hp_finding_slot(const struct hp_finding *a);

/*
 * Whether the findings of a rule are grouped. This is the case if a single
 * field of a class may have thousands of findings.
 */
bool hp_finding_is_grouped(unsigned rule);

/* A comparison function for qsort(): the order of findings in a report. */
int hp_finding_compare(const void *a, const void *b);

/* ----------------------------------------------------------------------
 * Find the name that a class id had at an offset in the file
 *
 * In a later dump of the same file, the same id may belong to another class.
 * The tables of the file contain only the last name for an id. But a finding
 * about an earlier dump must show the name that the class had there.
 */

struct hp_load_history {
	const struct hp_tables *tables;
	/*
	 * indexes of all LOAD CLASS records, sorted by class id, then by offset
	 */
	uint32_t *loads;
	size_t count;
};

/**
 * hp_load_history_init() - sort the LOAD CLASS records of a file
 * @renamed: whether at least one class id has two names in the file. If not,
 * the tables of the file suffice, and nothing is allocated
 *
 * Memory: 4 bytes per LOAD CLASS record
 * Returns: HP_OK; HP_NOMEM. Call hp_load_history_release() in any case.
 */
HP_MUST_USE enum hp_status hp_load_history_init(struct hp_load_history *h,
						const struct hp_tables *tables,
						bool renamed,
						struct hp_error *err);
void hp_load_history_release(struct hp_load_history *h);

/*
 * Returns the name that the class had at @offset, unchanged from the file. The
 * name is from the last LOAD CLASS record of the class before @offset. If there
 * is none before @offset, the name is from the first one. NULL if the class was
 * never loaded or has no name.
 */
const struct hp_string *hp_load_history_name(const struct hp_load_history *h,
					     uint64_t class_id,
					     uint64_t offset);

/* ----------------------------------------------------------------------
 * Convert findings to text, with names from the tables
 *
 * The message template of a rule may have these placeholders. N is the number
 * of an argument of the finding:
 *   {secret:N}   the name of a kind of credentials
 *   {u:N} {i:N}  an unsigned or a signed number    {x:N}  an id, 0x...
 *   {s:N}        "s" unless the number is 1        {field}  the field
 *   {class:N}    a class by id, as in Java source  {string:N}  a string by id
 *   {record:N} {sub:N}  the name of a tag          {type:N}  a basic type
 *   {guess:N}    the probable format of a file that is not a dump
 *   {N?a|b|...}  one of the texts: the number selects it, and the last one is
 *                for all larger numbers
 */

/*
 * How names are shown in messages. By default the whole name is shown. A name
 * with more than HP_NAME_MOST bytes is shortened to its beginning and a hash.
 * @brief: show only the first bytes of each name, because very many findings
 * with long names would need more memory than the dump.
 */
struct hp_naming {
	/* the tables with the names of classes and strings; may be NULL */
	const struct hp_tables *tables;
	/* finds the name that a class had at an offset of the file */
	const struct hp_load_history *loads;
	bool brief;
};

/* Append the message of a finding, with control characters escaped. */
void hp_finding_message(struct hp_buf *out, const struct hp_finding *f,
			const struct hp_naming *names);

/*
 * Append the name of the field that the finding is about, with control
 * characters escaped. Appends nothing if the finding is not about a field.
 */
void hp_finding_field(struct hp_buf *out, const struct hp_finding *f,
		      const struct hp_naming *names);

/*
 * Append the name of a tag from the HPROF manual. For unknown tags, append the
 * number, such as "0x77".
 */
void hp_record_name(struct hp_buf *out, uint8_t tag);
void hp_subrecord_name(struct hp_buf *out, uint8_t tag);

#endif
