/*
 * rules.h - the catalogue of rules, with the severity of each
 *
 * The tables are generated from rules.def. The checks themselves are in
 * damage.h and in hprof-validate (check_*.c, references.c).
 */
#ifndef HP_MODEL_RULES_H
#define HP_MODEL_RULES_H

#include "common/model/dialect.h"
#include "common/base/status.h"

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
 * In place of a severity: the rule and the dialect, known at the end, decide.
 */
#define HP_SEVERITY_DEFAULT (-1)

/* What a rule requires to give useful results. */
enum hp_needs {
	HP_NEEDS_NOTHING,
	HP_NEEDS_HEADER, /* a readable header */
	HP_NEEDS_WHOLE,	 /* every byte of the heap was decoded */
	HP_NEEDS_HEAP,	 /* at least one heap record */
	HP_NEEDS_GRAPH,	 /* the class of every object, or reachability */
};

/* X(symbol, heading in the report). */
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
	const char *id; /* the id of the rule, as "ref-dangling-field" */
	enum hp_severity severity;
	enum hp_section section;
	enum hp_needs needs;
	const char *line;      /* one line for the list of rules */
	const char *message;   /* template of the message, see rules.def */
	const char *paragraph; /* explanation for --explain */
};

const struct hp_rule_desc *hp_rule_desc(enum hp_rule rule);

/* Whether an error of the rule leaves part of the dump undecoded. */
bool hp_rule_breaks(enum hp_rule rule);

/* Whether an error of the rule counts as damage, in all programs. */
bool hp_rule_is_damage(enum hp_rule rule);

/*
 * What the user can do about a finding of this rule with this severity: one or
 * more sentences.
 */
const char *hp_rule_advice(enum hp_rule rule, enum hp_severity severity);

/*
 * The severity of a rule in a dialect, for findings that have none of their
 * own.
 */
enum hp_severity hp_rule_severity(enum hp_rule rule, enum hp_dialect dialect);

/* The name of a severity: "error", "warning", "info". */
const char *hp_severity_name(enum hp_severity s);
bool hp_severity_find(const char *name, enum hp_severity *out);

/* The heading of a section. */
const char *hp_section_name(enum hp_section s);

/*
 * Why a rule with this requirement was not checked, as text for the user. NULL
 * for HP_NEEDS_NOTHING.
 */
const char *hp_needs_reason(enum hp_needs needs);

/**
 * hp_rule_habit() - iterate over the dialects in which a rule has another
 * severity
 * @at: position of the iteration; start with 0
 *
 * Returns: false at the end.
 */
bool hp_rule_habit(enum hp_rule rule, size_t *at, enum hp_dialect *dialect,
		   enum hp_severity *severity);

#endif
