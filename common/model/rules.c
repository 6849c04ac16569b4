/*
 * rules.c - the tables that are generated from rules.def, and look-ups in them
 */
#include "common/model/rules.h"

#include <string.h>

#define RULE(symbol, name, sev, part, need, text, template, par)               \
	[HP_RULE_##symbol] = {.id = name,                                      \
			      .severity = HP_SEVERITY_##sev,                   \
			      .section = HP_SECTION_##part,                    \
			      .needs = HP_NEEDS_##need,                        \
			      .line = text,                                    \
			      .message = template,                             \
			      .paragraph = par},
static const struct hp_rule_desc rules[] = {
#include "common/model/rules.def"
};

struct habit {
	enum hp_rule rule;
	enum hp_dialect dialect;
	enum hp_severity severity;
};

#define HABIT(symbol, where, how)                                              \
	{HP_RULE_##symbol, HP_DIALECT_##where, HP_SEVERITY_##how},
static const struct habit habits[] = {
#include "common/model/rules.def"
};

#define BREAKS(symbol) [HP_RULE_##symbol] = true,
static const bool breaks[HP_RULE_COUNT] = {
#include "common/model/rules.def"
};

#define DAMAGE(symbol) [HP_RULE_##symbol] = true,
static const bool damages[HP_RULE_COUNT] = {
#include "common/model/rules.def"
};

#define ADVICE(name, text) ADVICE_##name,
enum advice {
#include "common/model/rules.def"
};

#define ADVICE(name, text) [ADVICE_##name] = text,
static const char *const advice_texts[] = {
#include "common/model/rules.def"
};

#define ADVISE(symbol, name) [HP_RULE_##symbol] = ADVICE_##name,
static const uint8_t advised[HP_RULE_COUNT] = {
#include "common/model/rules.def"
};

const struct hp_rule_desc *
hp_rule_desc(enum hp_rule rule)
{
	return &rules[rule];
}

bool
hp_rule_breaks(enum hp_rule rule)
{
	return breaks[rule];
}

bool
hp_rule_is_damage(enum hp_rule rule)
{
	return damages[rule];
}

const char *
hp_rule_advice(enum hp_rule rule, enum hp_severity severity)
{
	return advice_texts[severity == HP_SEVERITY_INFO ? ADVICE_NOTHING
							 : advised[rule]];
}

bool
hp_rule_habit(enum hp_rule rule, size_t *at, enum hp_dialect *dialect,
	      enum hp_severity *severity)
{
	for (; *at < HP_ARRAY_LEN(habits); (*at)++) {
		const struct habit *h = &habits[*at];

		if (h->rule != rule)
			continue;
		*dialect = h->dialect;
		*severity = h->severity;
		(*at)++;
		return true;
	}
	return false;
}

enum hp_severity
hp_rule_severity(enum hp_rule rule, enum hp_dialect dialect)
{
	enum hp_dialect where;
	enum hp_severity how;
	size_t at = 0;

	while (hp_rule_habit(rule, &at, &where, &how)) {
		if (where == dialect)
			return how;
	}
	return rules[rule].severity;
}

static const char *const severity_names[] = {
	[HP_SEVERITY_INFO] = "info",
	[HP_SEVERITY_WARNING] = "warning",
	[HP_SEVERITY_ERROR] = "error",
};

const char *
hp_severity_name(enum hp_severity s)
{
	return severity_names[s];
}

bool
hp_severity_find(const char *name, enum hp_severity *out)
{
	for (unsigned s = 0; s < HP_SEVERITY_COUNT; s++) {
		if (strcmp(name, severity_names[s]) == 0) {
			*out = (enum hp_severity)s;
			return true;
		}
	}
	return false;
}

const char *
hp_section_name(enum hp_section s)
{
#define NAME(symbol, name) name,
	static const char *const names[] = {HP_SECTIONS(NAME)};
#undef NAME

	return names[s];
}

const char *
hp_needs_reason(enum hp_needs needs)
{
	static const char *const names[] = {
		[HP_NEEDS_NOTHING] = NULL,
		[HP_NEEDS_HEADER] = "the header cannot be read",
		[HP_NEEDS_WHOLE] = "the dump is damaged",
		[HP_NEEDS_HEAP] = "the file has no heap record",
		[HP_NEEDS_GRAPH] = "the graph could not be read",
	};

	return names[needs];
}
