/*
 * rules.h - the catalogue of rules, and how bad a finding of each is
 *
 * Made from rules.def. What a rule checks is code elsewhere (damage.h, and of
 * hprof-validate check_*.c and references.c); here is only what is known of it.
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

/* As a severity: that of the rule in the dialect, known at the end only. */
#define HP_SEVERITY_DEFAULT (-1)

/* What a rule needs to be worth anything. */
enum hp_needs {
	HP_NEEDS_NOTHING,
	HP_NEEDS_HEADER, /* a header that can be read */
	HP_NEEDS_WHOLE,	 /* every byte of the heap was decoded */
	HP_NEEDS_HEAP,	 /* a heap record is there */
	HP_NEEDS_GRAPH,	 /* the class of every object, or reachability */
};

/* X(symbol, heading). */
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
	const char *id; /* "ref-dangling-field" */
	enum hp_severity severity;
	enum hp_section section;
	enum hp_needs needs;
	const char *line;      /* of the catalogue */
	const char *message;   /* template, see rules.def */
	const char *paragraph; /* for --explain */
};

const struct hp_rule_desc *hp_rule_desc(enum hp_rule rule);

/* Does an error of the rule leave part of the dump undecoded? */
bool hp_rule_breaks(enum hp_rule rule);

/* Is an error of the rule damage, for all programs? */
bool hp_rule_is_damage(enum hp_rule rule);

/* What to do about a finding of the rule that is so bad; one sentence or more.
 */
const char *hp_rule_advice(enum hp_rule rule, enum hp_severity severity);

/* The severity of a rule in a dialect, for findings without their own. */
enum hp_severity hp_rule_severity(enum hp_rule rule, enum hp_dialect dialect);

/* "error", "warning", "info". */
const char *hp_severity_name(enum hp_severity s);
bool hp_severity_find(const char *name, enum hp_severity *out);

/* The name of a section, as a heading. */
const char *hp_section_name(enum hp_section s);

/* Why a rule that needs this was not checked, for people. NULL for
 * HP_NEEDS_NOTHING. */
const char *hp_needs_reason(enum hp_needs needs);

/**
 * hp_rule_habit() - walk the dialects in which a rule has another severity
 * @at: 0 at first, moved on
 *
 * Returns: false at the end.
 */
bool hp_rule_habit(enum hp_rule rule, size_t *at, enum hp_dialect *dialect,
		   enum hp_severity *severity);

#endif
