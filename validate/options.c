/*
 * options.c - the options of hprof-validate, and what --rules and --explain
 * print
 */
#include "validate/options.h"

#include <string.h>

#include "common/options/choices.h"
#include "common/options/help.h"
#include "common/cli/quantity.h"
#include "common/options/suggest.h"

enum {
	OPT_DISABLE,
	OPT_SEVERITY,
	OPT_MIN_SEVERITY,
	OPT_EXAMPLES,
	OPT_EXPLAIN,
	OPT_LABEL,
};

enum { EXPLAIN_WIDTH = 78 }; /* columns of --explain */

/* In the order of enum hp_level. */
static const char *const levels[] = {"framing", "references", "graph", NULL};
static const char *const severities[] = {"error", "warning", "info", NULL};

#define RULE(symbol, id, severity, section, needs, line, message, paragraph) id,
static const char *const rule_ids[] = {
#include "common/model/rules.def"
	NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_validate_command, member)}

static const struct hp_option options[] = {
	{"strict", 0, false, NULL, HP_OPTION_VALUE,
	 "a warning makes the exit status 1, too", VALUE(FLAG, strict)},
	{"level", 0, false, NULL, HP_OPTION_VALUE,
	 "how deep to check: lengths and tags only, references, too (the "
	 "default), or what needs the class of every object",
	 levels, VALUE(CHOICE, run.level)},
	{"disable", 0, false, "RULE,...", OPT_DISABLE,
	 "leave rules out; may be repeated", rule_ids, HP_CHOICE_LIST},
	{"severity", 0, false, "RULE=error|warning|info", OPT_SEVERITY,
	 "how bad the findings of a rule are; may be repeated", rule_ids,
	 HP_CHOICE_PAIR, severities},
	{"min-severity", 0, false, NULL, OPT_MIN_SEVERITY,
	 "leave findings below this out of the report; they still count in "
	 "its totals (default: warning for sarif, junit and github, else "
	 "info: of text, json, html, rows and tsv)",
	 severities},
	{"max-examples", 0, false, "N", OPT_EXAMPLES,
	 "show at most N findings of a rule (default: 5), as far as their text "
	 "takes no more than the file's size explains; counts stay exact"},
	{"baseline", 0, false, "FILE", HP_OPTION_VALUE,
	 "leave out findings that FILE, an earlier JSON result, has: of every "
	 "rule as many as it counts there for the file, or, if it does not "
	 "name the file, for any",
	 VALUE(TEXT, baseline)},
	{"rules", 0, false, NULL, HP_OPTION_VALUE, "list all rules and exit",
	 VALUE(FLAG, list_rules)},
	{"explain", 0, false, "RULE", OPT_EXPLAIN,
	 "say what a rule is about and exit", rule_ids, HP_CHOICE_HEAD},
	{"label", 0, false, "KEY=VALUE", OPT_LABEL,
	 "with --format=rows and tsv: a column of every row; may be repeated"},
};

static enum hp_status
find_rule(const char *text, size_t len, enum hp_rule *rule,
	  struct hp_error *err)
{
	const char *near = hp_suggest(text, len, rule_ids);
	int shown = (int)(len < 60 ? len : 60);
	int found = hp_choice_find(rule_ids, text, len);

	if (found >= 0) {
		*rule = (enum hp_rule)found;
		return HP_OK;
	}
	if (near)
		return hp_fail(err, HP_DAMAGED,
			       "there is no rule '%.*s'; did you mean '%s'?",
			       shown, text, near);
	return hp_fail(err, HP_DAMAGED,
		       "there is no rule '%.*s'; --rules lists them", shown,
		       text);
}

static enum hp_status
set_disabled(struct hp_validate_command *c, const char *text,
	     struct hp_error *err)
{
	enum hp_status st;
	enum hp_rule rule;
	size_t n;

	do {
		n = strcspn(text, ",");
		st = find_rule(text, n, &rule, err);
		if (st == HP_OK)
			c->run.disabled[rule] = true;
		text += n;
	} while (st == HP_OK && *text++ == ',');
	return st;
}

static enum hp_status
set_severity(struct hp_validate_command *c, const char *text,
	     struct hp_error *err)
{
	const char *equals = strchr(text, '=');
	enum hp_severity severity;
	enum hp_rule rule;
	enum hp_status st;

	if (!equals)
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s' is not of the form RULE=SEVERITY",
			       text);
	st = find_rule(text, (size_t)(equals - text), &rule, err);
	if (st != HP_OK)
		return st;
	if (!hp_severity_find(equals + 1, &severity))
		return hp_choice_unknown(severities, equals + 1,
					 strlen(equals + 1), err);
	c->run.severity[rule] = (int8_t)severity;
	return HP_OK;
}

static enum hp_status
set_examples(struct hp_validate_command *c, const char *text,
	     struct hp_error *err)
{
	uint64_t n;
	enum hp_status st = hp_count_parse(text, 0, UINT32_MAX, &n, err);

	if (st == HP_OK)
		c->run.max_examples =
			n < HP_EXAMPLES_MOST ? (size_t)n : HP_EXAMPLES_MOST;
	return st;
}

static enum hp_status
set_option(void *context, int id, const char *argument, struct hp_error *err)
{
	struct hp_validate_command *c = context;

	switch (id) {
	case OPT_DISABLE:
		return set_disabled(c, argument, err);
	case OPT_SEVERITY:
		return set_severity(c, argument, err);
	case OPT_MIN_SEVERITY:
		c->min_given = hp_severity_find(argument, &c->min_severity);
		return HP_OK;
	case OPT_EXAMPLES:
		return set_examples(c, argument, err);
	case OPT_LABEL:
		return hp_labels_add(&c->labels, argument, err);
	default:
		c->explains = true;
		return find_rule(argument, strlen(argument), &c->explain, err);
	}
}

static const char *const formats[] = {"text",  "json",	 "sarif",
				      "junit", "github", "html",
				      "rows",  "tsv",	 NULL};

static const struct hp_option_alias aliases[] = {{"to", "format"}, {NULL}};

const struct hp_program hp_validate_program = {
	.name = "hprof-validate",
	.usage = "[OPTION]... FILE...",
	.summary =
		"Check heap dumps of Java virtual machines (HPROF): lengths, "
		"tags, tables and every reference. FILE is a path, or - for "
		"standard input; plain, gzip, zstd or a pack.",
	.formats = formats,
	.options = options,
	.option_count = HP_ARRAY_LEN(options),
	.aliases = aliases,
	.epilog = "Exit status: 0 if no file has an error; 1 if one has (with "
		  "--strict also a warning), or is no heap dump; 2 if one "
		  "could not be read, or the command line is wrong.",
	.set = set_option,
};

void
hp_validate_command_release(struct hp_validate_command *c)
{
	hp_labels_release(&c->labels);
}

void
hp_validate_command_init(struct hp_validate_command *c)
{
	memset(c, 0, sizeof(*c));
	c->run.level = HP_LEVEL_REFERENCES;
	c->run.max_examples = HP_EXAMPLES_SURE;
	memset(c->run.severity, HP_SEVERITY_AS_IS, sizeof(c->run.severity));
}

enum hp_severity
hp_validate_min_severity(const struct hp_validate_command *c)
{
	static const char *const quiet[] = {"sarif", "junit", "github", NULL};
	const char *format = c->common.format;

	if (c->min_given)
		return c->min_severity;
	return hp_choice_find(quiet, format, strlen(format)) >= 0
		       ? HP_SEVERITY_WARNING
		       : HP_SEVERITY_INFO;
}

void
hp_validate_list_rules(struct hp_buf *b)
{
	for (unsigned r = 0; r < HP_RULE_COUNT; r++) {
		const struct hp_rule_desc *d = hp_rule_desc((enum hp_rule)r);

		hp_buf_printf(b, "%-24s %-8s %s\n", d->id,
			      hp_severity_name(d->severity), d->line);
	}
}

void
hp_validate_explain(struct hp_buf *b, enum hp_rule rule)
{
	const struct hp_rule_desc *d = hp_rule_desc(rule);
	struct hp_buf advice = {0};
	enum hp_dialect dialect;
	enum hp_severity severity;
	size_t at = 0;

	hp_buf_printf(b, "%s: %s (%s)\n\n", d->id, d->line,
		      hp_severity_name(d->severity));
	hp_text_wrap(b, d->paragraph, EXPLAIN_WIDTH, 0, 0);
	hp_buf_byte(b, '\n');
	hp_buf_printf(&advice, "What to do: %s",
		      hp_rule_advice(rule, HP_SEVERITY_ERROR));
	hp_text_wrap(b, hp_buf_string(&advice), EXPLAIN_WIDTH, 0, 0);
	hp_buf_inherit(b, &advice);
	hp_buf_release(&advice);
	hp_buf_byte(b, '\n');
	while (hp_rule_habit(rule, &at, &dialect, &severity))
		hp_buf_printf(b, "In dumps of dialect %s: %s.\n",
			      hp_dialect_name(dialect),
			      hp_severity_name(severity));
	if (hp_rule_is_damage(rule))
		hp_buf_text(b, "Damage: a dump with an error of it is used by "
			       "hprof-diff with --partial alone,\nby "
			       "hprof-convert with --salvage alone, by neither "
			       "without a header that\ncan be read.\n");
	if (hp_needs_name(d->needs))
		hp_buf_printf(b, "Needs: %s.\n", hp_needs_name(d->needs));
	hp_buf_printf(b, "About: %s.\n", hp_section_name(d->section));
}
