/*
 * finding.h - findings: the problems of a dump, and collectors for them
 *
 * Each worker has its own collector. A collector has exact counts for each
 * rule, the first few examples, and groups of findings that have the same
 * cause. The result depends only on the set of findings, never on their order,
 * so that collectors can be merged in any order. finding_text.h makes texts of
 * findings.
 */
#ifndef HP_VALIDATE_FINDING_H
#define HP_VALIDATE_FINDING_H

#include "common/model/rules.h"
#include "validate/offset_bins.h"

/* Which field of the record or sub-record a finding is about. */
enum hp_place {
	HP_PLACE_NONE,
	HP_PLACE_NAME,	  /* a named field; index is an enum hp_word */
	HP_PLACE_ELEMENT, /* elements[index] */
	/*
	 * the field at offset index in the data of an instance; holder is the
	 * class
	 */
	HP_PLACE_INSTANCE_FIELD,
	/* static field number index of the class holder */
	HP_PLACE_STATIC,
	HP_PLACE_CONSTANT, /* constants[index] of a class */
	HP_PLACE_FRAME,	   /* frames[index] of a stack trace */
	HP_PLACE_ROW,	   /* rows[index] of ALLOC SITES or CPU SAMPLES */
};

/* The fields for HP_PLACE_NAME: X(symbol, name of the field). */
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
	/* the arguments of the rule's message */
	uint64_t args[HP_FINDING_ARGS];
	uint64_t holder; /* class id, for places and for grouping */
	uint64_t index;
	uint64_t name; /* string id of the field's name, if @named */
	uint32_t dump; /* number of the dump in the file, from 1; 0: none */
	uint16_t rule;
	int8_t severity; /* enum hp_severity, or HP_SEVERITY_DEFAULT */
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
	/* must be the first member: groups are sorted as findings */
	struct hp_finding first;
	/* number of findings; 0: a free slot of the hash table */
	uint64_t count;
};

struct hp_findings {
	size_t max_examples;
	bool located; /* also count findings by offset, see places */
	bool failed;  /* out of memory: some examples are missing */
	bool any;     /* at least one finding was added */
	uint64_t counts[HP_RULE_COUNT][HP_FINDING_SLOTS];
	struct hp_finding_list lists[HP_RULE_COUNT][HP_FINDING_SLOTS];
	/*
	 * Counts by offset, if located is set; NULL if there are no findings.
	 */
	struct hp_offset_bins *places[HP_RULE_COUNT][HP_FINDING_SLOTS];
	/*
	 * A hash table with open addressing. The key is (rule, severity, dump,
	 * holder, field).
	 */
	struct hp_finding_group *groups;
	size_t ngroups, groups_cap;
	bool ungrouped; /* there were more than HP_FINDING_GROUPS groups */
	uint64_t items; /* allocated items of all lists */
	uint64_t seed;
};

/*
 * Returns HP_LIMIT if @bytes, the memory of the findings or of their texts, is
 * more than @most; otherwise HP_OK.
 */
HP_MUST_USE enum hp_status hp_findings_budget(uint64_t bytes, uint64_t most,
					      struct hp_error *err);

/* The memory that grows with the findings, in bytes. */
static inline uint64_t
hp_findings_bytes(const struct hp_findings *f)
{
	return f->groups_cap * sizeof(*f->groups) +
	       f->items * sizeof(struct hp_finding);
}

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

#endif
