/*
 * finding.h - problems of a dump as values, and collecting them
 *
 * A worker has a collector of its own: exact counts for each rule, the first
 * few examples, and groups for rules that many findings of one cause break.
 * Everything kept depends on the findings alone, never on their order, so
 * collectors can be merged in any order. No text is made here; see
 * finding_text.h.
 */
#ifndef HP_VALIDATE_FINDING_H
#define HP_VALIDATE_FINDING_H

#include "common/model/rules.h"
#include "validate/offset_bins.h"

/* Which field of the record or sub-record a finding is about. */
enum hp_place {
	HP_PLACE_NONE,
	HP_PLACE_NAME,		 /* a word of hp_place_word: index */
	HP_PLACE_ELEMENT,	 /* elements[index] */
	HP_PLACE_INSTANCE_FIELD, /* the field at byte index of the data of an
				    instance of class holder */
	HP_PLACE_STATIC,	 /* static index of class holder */
	HP_PLACE_CONSTANT,	 /* constants[index] */
	HP_PLACE_FRAME,		 /* frames[index] of a trace */
	HP_PLACE_ROW,		 /* rows[index] of sites or samples */
};

/* For HP_PLACE_NAME: X(symbol, name of the field). */
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
	uint64_t offset; /* of the record or sub-record, in the dump */
	uint64_t record; /* ordinal of the record, from 1; 0: the header */
	uint64_t args[HP_FINDING_ARGS]; /* what the rule's message wants */
	uint64_t holder; /* class id for places, and for grouping */
	uint64_t index;
	uint64_t name; /* the field's name, a string id, if it is named */
	uint32_t dump; /* from 1; 0: none */
	uint16_t rule;
	int8_t severity; /* enum hp_severity, or HP_SEVERITY_DEFAULT */
	uint8_t place;
	bool first; /* of its group: args[3] says how many more */
	bool named; /* fields and statics: their class was looked up */
};

/*
 * Groups that are kept. Where there are more, which is known only of damage,
 * they tell nobody anything: then there are none, however the findings are
 * spread over collectors.
 */
enum { HP_FINDING_GROUPS = 1 << 14 };

/* Slots of a rule: its own severities, then the default one. */
enum { HP_FINDING_SLOTS = HP_SEVERITY_COUNT + 1 };

/* The first findings of a rule and slot, by offset: a heap, worst on top. */
struct hp_finding_list {
	struct hp_finding *items;
	size_t count, cap;
};

struct hp_finding_group {
	struct hp_finding first; /* in front: groups are sorted as findings */
	uint64_t count;		 /* 0: a free slot of the table */
};

struct hp_findings {
	size_t max_examples;
	bool located; /* note where they are, see places */
	bool failed;  /* an allocation failed: examples are missing */
	bool any;     /* something was added */
	uint64_t counts[HP_RULE_COUNT][HP_FINDING_SLOTS];
	struct hp_finding_list lists[HP_RULE_COUNT][HP_FINDING_SLOTS];
	/* by offset, of those that are located and have any; else NULL */
	struct hp_offset_bins *places[HP_RULE_COUNT][HP_FINDING_SLOTS];
	/* open addressing: (rule, severity, dump, holder, field) */
	struct hp_finding_group *groups;
	size_t ngroups, groups_cap;
	bool ungrouped; /* there were more than HP_FINDING_GROUPS */
	uint64_t items; /* room in all lists */
	uint64_t seed;
};

/* HP_LIMIT: with the findings, or what is said of them, @bytes are too many. */
HP_MUST_USE enum hp_status hp_findings_budget(uint64_t bytes, uint64_t most,
					      struct hp_error *err);

/* Bytes that grow with the findings. */
static inline uint64_t
hp_findings_bytes(const struct hp_findings *f)
{
	return f->groups_cap * sizeof(*f->groups) +
	       f->items * sizeof(struct hp_finding);
}

/* A zeroed collector is empty and keeps no examples. */
void hp_findings_init(struct hp_findings *f, size_t max_examples, bool located);
void hp_findings_release(struct hp_findings *f);

/* Empty it; what it was made to keep it keeps as before. */
void hp_findings_clear(struct hp_findings *f);

/**
 * hp_findings_add() - count a finding, keep it if it is among the first
 *
 * Findings of ref-dangling-array, -field and -static are grouped by holder
 * and field. Never fails: without memory f->failed is set and counts stay
 * exact.
 */
void hp_findings_add(struct hp_findings *f, const struct hp_finding *finding);

/* Count @n findings of which only this one is described. */
void hp_findings_add_many(struct hp_findings *f,
			  const struct hp_finding *finding, uint64_t n);

/**
 * hp_findings_count_one() - count a finding that would not be kept anyway
 *
 * For rules with many findings, found in the order of their offsets, which
 * are not grouped: spares describing them. Of the default severity.
 *
 * Returns: false if it may be among the first: nothing was counted.
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

/* @n more of which that would be true. */
static inline void
hp_findings_count_more(struct hp_findings *f, enum hp_rule rule, uint64_t n)
{
	f->counts[rule][HP_SEVERITY_COUNT] += n;
}

/* Add all of @from, which stays as it is. */
void hp_findings_merge(struct hp_findings *into,
		       const struct hp_findings *from);

/* Which slot of its rule a finding counts in. */
unsigned hp_finding_slot(const struct hp_finding *a);

/* Does it have groups: may one field of a class have thousands of findings? */
bool hp_finding_is_grouped(unsigned rule);

/* The order of struct hp_finding in a report: for qsort(), too. */
int hp_finding_compare(const void *a, const void *b);

#endif
