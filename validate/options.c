/*
 * options.c - the options of hprof-validate, and the output of --rules and
 * --explain
 */
#include "validate/options.h"

#include <string.h>

#include "common/base/bytes.h"
#include "common/options/options.h"
#include "common/cli/quantity.h"
#include "common/secrets/secrets.h"

enum {
	OPT_DISABLE,
	OPT_SEVERITY,
	OPT_MIN_SEVERITY,
	OPT_EXAMPLES,
	OPT_EXPLAIN,
	OPT_LABEL,
	OPT_MAPPING,
	OPT_SECRETS,
};

enum { EXPLAIN_WIDTH = 78 }; /* width of the text of --explain, in columns */

/* the arguments of --level, in the order of enum hp_level */
static const char *const levels[] = {"framing", "references", "graph", NULL};
static const char *const severities[] = {"error", "warning", "info", NULL};

#define RULE(symbol, id, severity, section, needs, line, message, paragraph) id,
static const char *const rule_ids[] = {
#include "common/model/rules.def"
	NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_validate_command, member)}

#define GROUP_CHECKS "What to check"
#define GROUP_REPORT "What to report"

static const struct hp_option options[] = {
	{"level", 0, false, NULL, HP_OPTION_VALUE,
	 "how much to check: framing (tags and lengths of records), references "
	 "(also every reference; the default), or graph (also the class of "
	 "every object, and which objects are unreachable)",
	 levels, VALUE(CHOICE, run.level), .group = GROUP_CHECKS,
	 .brief_argument = "LEVEL",
	 .brief = "framing, references (default) or graph"},
	{"strict", 0, false, NULL, HP_OPTION_VALUE,
	 "a warning also makes the exit status 1", VALUE(FLAG, strict),
	 .group = GROUP_CHECKS, .brief = "exit with 1 also for warnings"},
	{"disable", 0, false, "RULE,...", OPT_DISABLE,
	 "do not check these rules; may be repeated", rule_ids, HP_CHOICE_LIST,
	 .group = GROUP_CHECKS, .brief = "do not check these rules"},
	{"severity", 0, false, "RULE=error|warning|info", OPT_SEVERITY,
	 "change the severity of a rule; may be repeated", rule_ids,
	 HP_CHOICE_PAIR, severities, .group = GROUP_CHECKS,
	 .brief_argument = "RULE=WORD",
	 .brief = "make a rule an error, a warning or info"},
	{"secrets", 0, true, "CATEGORY,...", OPT_SECRETS,
	 "also search texts for private keys, keys and tokens of known "
	 "services, passwords in URLs and properties, and values of fields and "
	 "map keys called password, secret, token and similar names; and, if "
	 "you list these categories, for sessions (session ids of web "
	 "servers), email (e-mail addresses), cards (numbers of payment "
	 "cards), or all; each secret is reported as an error, and its text is "
	 "never shown",
	 hp_secret_words, HP_CHOICE_LIST, .group = GROUP_CHECKS,
	 .brief = "also search for credentials"},
	{"rules", 0, false, NULL, HP_OPTION_VALUE, "list all rules and exit",
	 VALUE(FLAG, list_rules), .group = GROUP_CHECKS,
	 .brief = "list all rules"},
	{"explain", 0, false, "RULE", OPT_EXPLAIN,
	 "explain a rule, say what to do about it, and exit", rule_ids,
	 HP_CHOICE_HEAD, .group = GROUP_CHECKS,
	 .brief = "explain a rule, and what to do"},
	{"min-severity", 0, false, NULL, OPT_MIN_SEVERITY,
	 "do not report less severe findings; totals still count them "
	 "(default: warning for sarif, junit and github, otherwise info)",
	 severities, .group = GROUP_REPORT, .brief_argument = "WORD",
	 .brief = "report only findings of at least this severity"},
	{"max-examples", 0, false, "N", OPT_EXAMPLES,
	 "show at most N findings of each rule; the counts stay exact "
	 "(default: 5)",
	 .group = GROUP_REPORT, .brief = "show N findings of each rule"},
	{"baseline", 0, false, "FILE", HP_OPTION_VALUE,
	 "do not report findings that are also in FILE, an earlier JSON result",
	 VALUE(TEXT, baseline), .group = GROUP_REPORT,
	 .brief = "report only findings that are new"},
	{"mapping", 0, false, "FILE", OPT_MAPPING,
	 "show the original names of classes, fields and methods that R8 or "
	 "ProGuard renamed; FILE is the mapping.txt of the build; may be "
	 "repeated",
	 .group = GROUP_REPORT},
	{"label", 0, false, "KEY=VALUE", OPT_LABEL,
	 "with --format=rows and tsv, add a column KEY with this VALUE to "
	 "every row; may be repeated",
	 .group = GROUP_REPORT},
};

static const char *const groups[] = {GROUP_CHECKS,
				     GROUP_REPORT,
				     HP_GROUP_INPUT,
				     HP_GROUP_OUTPUT,
				     HP_GROUP_LIMITS,
				     HP_GROUP_MESSAGES,
				     NULL};

static const struct hp_usage_example examples[] = {
	{"hprof-validate app.hprof.gz", "check a dump"},
	{"hprof-validate --strict --format=junit -o dumps.xml dumps/*.hprof",
	 "check all dumps of a build"},
	{"hprof-validate --explain=record-truncated", "explain a finding"},
	{"hprof-validate --format=html -o report.html app.hprof",
	 "write an HTML page"},
	{NULL, NULL}};

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
	enum hp_status st = HP_OK;
	struct hp_slice id;
	enum hp_rule rule;

	while (st == HP_OK && hp_list_next(&text, &id)) {
		st = find_rule(id.text, id.length, &rule, err);
		if (st == HP_OK)
			c->run.disabled[rule] = true;
	}
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
set_secrets(struct hp_validate_command *c, const char *text,
	    struct hp_error *err)
{
	const char *wrong;

	c->run.secrets |= HP_SECRETS_STANDARD;
	wrong = text ? hp_secret_categories_add(text, &c->run.secrets) : NULL;
	return wrong ? hp_choice_unknown(hp_secret_words, wrong,
					 strcspn(wrong, ","), err)
		     : HP_OK;
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
	case OPT_SECRETS:
		return set_secrets(c, argument, err);
	case OPT_MAPPING:
		return hp_mappings_add(&c->run.mappings, argument, err);
	case OPT_LABEL:
		return hp_labels_add(&c->labels, argument, err);
	default:
		c->explains = true;
		return find_rule(argument, strlen(argument), &c->explain, err);
	}
}

static const struct hp_option_alias aliases[] = {{"to", "format"}, {NULL}};

const struct hp_program hp_validate_program = {
	.name = "hprof-validate",
	.usage = "[OPTION]... FILE...",
	.summary = "Checks that heap dumps (HPROF) are complete and that every "
		   "record and reference in them is valid. A dump may be "
		   "compressed, or - for standard input.",
	.formats = hp_validate_format_names,
	.suffixes = hp_validate_format_suffixes,
	.options = options,
	.option_count = HP_ARRAY_LEN(options),
	.aliases = aliases,
	.groups = groups,
	.examples = examples,
	.epilog = "Exit status: 0 no error; 1 a file has an error (with "
		  "--strict, or a warning) or is not a heap dump; 2 a file "
		  "cannot be read, or the command line is wrong.",
	.set = set_option,
};

void
hp_validate_command_release(struct hp_validate_command *c)
{
	hp_labels_release(&c->labels);
	hp_mappings_release(&c->run.mappings);
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
	if (c->min_given)
		return c->min_severity;
	return hp_validate_format_holds(c->common.format, HP_VALIDATE_INFOS)
		       ? HP_SEVERITY_INFO
		       : HP_SEVERITY_WARNING;
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
		hp_buf_text(b, "To read a dump with an error of this rule, "
			       "hprof-diff needs --partial,\nand hprof-convert "
			       "needs --salvage.\n");
	if (hp_needs_reason(d->needs))
		hp_buf_printf(b, "Not checked if %s.\n",
			      d->needs == HP_NEEDS_GRAPH
				      ? "--level=graph is not given"
				      : hp_needs_reason(d->needs));
	hp_buf_printf(b, "About: %s.\n", hp_section_name(d->section));
}
