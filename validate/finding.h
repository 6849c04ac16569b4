/*
 * finding.h - findings: what a dump breaks, where, and the text about it
 */
#ifndef HP_VALIDATE_FINDING_H
#define HP_VALIDATE_FINDING_H

#include "common/base/buf.h"
#include "common/base/hash.h"
#include "common/model/rules.h"
#include "common/model/tables.h"

#include <stdint.h>

/* ----------------------------------------------------------------------
 * How much of something is in each part of a dump
 *
 * The number of bins is fixed. The length of a dump from a pipe is known only
 * at its end, so bins start narrow. Whenever an offset is beyond the last bin,
 * neighbours are added together and the width doubles. The result depends
 * neither on the order of the additions nor on how they were distributed over
 * collectors.
 */

enum { HP_OFFSET_BINS = 256 };

/* Bin i has the offsets from i << shift on. A zeroed struct is empty. */
struct hp_offset_bins {
	uint64_t amounts[HP_OFFSET_BINS];
	unsigned shift;
};

/* Make the bins wide enough for offsets below @end. Bins never get narrower. */
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

/* Add all bins of @from, which does not change. */
void hp_offset_bins_merge(struct hp_offset_bins *into,
			  const struct hp_offset_bins *from);

/* ----------------------------------------------------------------------
 * Findings: the problems of a dump, and collectors for them
 *
 * Each worker has its own collector. A collector has exact counts for each
 * rule, the first few examples, and groups of findings that have the same
 * cause. The result depends only on the set of findings, never on their order,
 * so that collectors can be merged in any order. finding_text.c makes texts of
 * findings.
 */

/* Which field of the record or sub-record a finding is about. */
enum hp_place {
	HP_PLACE_NONE,
	/* a field with a fixed name; index is an enum hp_word */
	HP_PLACE_NAME,
	HP_PLACE_ELEMENT, /* element number index of an array */
	/*
	 * the field at offset index in the data of an instance; holder is the
	 * class of the instance
	 */
	HP_PLACE_INSTANCE_FIELD,
	/* static field number index of the class holder */
	HP_PLACE_STATIC,
	HP_PLACE_CONSTANT, /* constant number index of a class */
	HP_PLACE_FRAME,	   /* frame number index of a stack trace */
	HP_PLACE_ROW,	   /* row number index of ALLOC SITES or CPU SAMPLES */
};

/* The field names for HP_PLACE_NAME: X(symbol, name of the field). */
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
	/* of the record or sub-record, from the start of the dump */
	uint64_t offset;
	uint64_t record; /* ordinal of the record, from 1; 0: the header */
	/* the values that the message of the rule shows */
	uint64_t args[HP_FINDING_ARGS];
	/*
	 * class id of the object with the field; used to describe and to group
	 * findings
	 */
	uint64_t holder;
	uint64_t index;
	/* string id of the name of the field, if the member named is set */
	uint64_t name;
	uint32_t dump; /* number of the dump in the file, from 1; 0: none */
	uint16_t rule;
	/*
	 * severity of this finding, or HP_SEVERITY_DEFAULT for the severity of
	 * its rule
	 */
	int8_t severity;
	uint8_t place;
	/*
	 * this finding stands for its group; args[3] is the number of other
	 * findings in it
	 */
	bool first;
	bool named; /* name is set: the class of the field was looked up */
};

/*
 * The maximum number of groups. More groups occur only in damaged dumps, and
 * they would not help a reader. Then no groups are kept at all, regardless of
 * how the findings are distributed over collectors.
 */
enum { HP_FINDING_GROUPS = 1 << 14 };

/*
 * The counters of each rule: one for each severity, and a last one for the
 * rule's default severity.
 */
enum { HP_FINDING_SLOTS = HP_SEVERITY_COUNT + 1 };

/*
 * The examples of a rule for one severity: those with the smallest offsets. A
 * binary max-heap, with the largest offset at items[0].
 */
struct hp_finding_list {
	struct hp_finding *items;
	size_t count, cap;
};

struct hp_finding_group {
	/*
	 * must be the first member, because groups are sorted by the comparison
	 * function for findings
	 */
	struct hp_finding first;
	uint64_t count; /* number of findings */
};

struct hp_findings {
	size_t max_examples;
	bool located; /* also count findings by offset, see the member places */
	bool failed;  /* out of memory: some examples are missing */
	bool any;     /* at least one finding was added */
	uint64_t counts[HP_RULE_COUNT][HP_FINDING_SLOTS];
	struct hp_finding_list lists[HP_RULE_COUNT][HP_FINDING_SLOTS];
	/*
	 * The counts by offset, if located is set; NULL if there are no
	 * findings.
	 */
	struct hp_offset_bins *places[HP_RULE_COUNT][HP_FINDING_SLOTS];
	struct hp_finding_group *groups;
	size_t ngroups, groups_cap;
	/* finds a group by rule, severity, dump, holder and field */
	struct hp_hash_table group_table;
	bool ungrouped; /* there were more than HP_FINDING_GROUPS groups */
};

/*
 * Initialise an empty collector. A zeroed collector is also empty, and keeps no
 * examples.
 */
void hp_findings_init(struct hp_findings *f, size_t max_examples, bool located);
void hp_findings_release(struct hp_findings *f);

/* Remove all findings, and keep the settings. */
void hp_findings_clear(struct hp_findings *f);

/**
 * hp_findings_add() - count a finding, and keep it if it is among the first
 *
 * Findings of ref-dangling-array, -field and -static are grouped by holder and
 * field. The function never fails: if out of memory it sets f->failed, and the
 * counts stay exact.
 */
void hp_findings_add(struct hp_findings *f, const struct hp_finding *finding);

/* Count @n findings. Only @finding, one of them, is kept as an example. */
void hp_findings_add_many(struct hp_findings *f,
			  const struct hp_finding *finding, uint64_t n);

/**
 * hp_findings_count_one() - count a finding that would not be kept as an
 * example
 *
 * For rules that are not grouped and have many findings, found in ascending
 * order of offset: the caller need not describe these findings. They have the
 * default severity.
 *
 * Returns: true; false if the finding may be among the first. Then nothing was
 *          counted, and the caller must add it in the usual way.
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

/* Add all findings of @from, which does not change. */
void hp_findings_merge(struct hp_findings *into,
		       const struct hp_findings *from);

/*
 * Returns the index of the counter in which a finding is counted: its severity,
 * or HP_SEVERITY_COUNT if it has the default severity of its rule.
 */
unsigned hp_finding_slot(const struct hp_finding *a);

/*
 * Whether findings of a rule are grouped, because a single field of a class may
 * have thousands of them.
 */
bool hp_finding_is_grouped(unsigned rule);

/* The order of findings in a report. A comparison function for qsort(). */
int hp_finding_compare(const void *a, const void *b);

/* ----------------------------------------------------------------------
 * Find the name that a class id had at a place in the file
 *
 * In a later dump of the same file, the same id may belong to another class.
 * The tables have only the last name. Findings about earlier dumps show the
 * name of that time.
 */

struct hp_load_history {
	const struct hp_tables *tables;
	uint32_t
		/*
		 * indexes of LOAD CLASS records, sorted by class id, then by
		 * offset
		 */
		*loads;
	size_t count;
};

/**
 * hp_load_history_init() - sort the loads of a file
 * @renamed: whether some id had another name before. If false, the tables are
 *           enough and nothing is allocated
 *
 * Memory:  4 bytes per load
 * Returns: HP_OK; HP_NOMEM. Release it in any case.
 */
HP_MUST_USE enum hp_status hp_load_history_init(struct hp_load_history *h,
						const struct hp_tables *tables,
						bool renamed,
						struct hp_error *err);
void hp_load_history_release(struct hp_load_history *h);

/*
 * The raw name of a class at @offset: the name of its last load before that
 * offset or, if there is none, of its first load. Returns NULL if the class was
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
 * How to show names. By default the whole name is shown; of a name with more
 * than HP_NAME_MOST bytes, only the beginning and a hash. @brief: show only the
 * first bytes, because with very many findings long names would make the result
 * far larger than the dump.
 */
struct hp_naming {
	/* names of classes and strings; may be NULL */
	const struct hp_tables *tables;
	/* which class had which name at which offset of the file */
	const struct hp_load_history *loads;
	bool brief;
};

/* Append the message of a finding, with control characters escaped. */
void hp_finding_message(struct hp_buf *out, const struct hp_finding *f,
			const struct hp_naming *names);

/*
 * Append the name of the field, with control characters escaped. Appends
 * nothing if the finding has no field.
 */
void hp_finding_field(struct hp_buf *out, const struct hp_finding *f,
		      const struct hp_naming *names);

/* Append the official name of a tag. Unknown tags are shown as "0x77". */
void hp_record_name(struct hp_buf *out, uint8_t tag);
void hp_subrecord_name(struct hp_buf *out, uint8_t tag);

#endif
