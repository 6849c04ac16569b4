/*
 * report_junit.c - write results as JUnit XML: one test suite per file, one
 * test case per rule
 *
 * Errors become failures. With --strict, warnings also become failures. A file
 * that could not be read becomes an error of its test suite.
 */
#include "validate/report/report.h"

#include "common/cli/escape.h"

static bool
is_failure(const struct hp_validate_report *r, const struct hp_reported *e)
{
	if (e->severity < r->min_severity)
		return false;
	return e->severity == HP_SEVERITY_ERROR ||
	       (r->strict && e->severity == HP_SEVERITY_WARNING);
}

/*
 * Whether a rule has findings that the report shows. With @failures: whether it
 * has findings that become failures.
 */
static bool
has_findings(const struct hp_validate_report *r, const struct hp_validation *v,
	     unsigned rule, bool failures)
{
	for (size_t i = 0; i < v->nrules; i++) {
		const struct hp_reported *e = &v->rules[i];

		if (e->rule == rule &&
		    (failures ? is_failure(r, e)
			      : e->severity >= r->min_severity))
			return true;
	}
	return false;
}

static void
write_escaped(struct hp_buf *b, const char *text)
{
	hp_escape_xml(b, text, strlen(text));
}

/*
 * Append the text of a finding. Control characters in the text are escaped
 * already.
 */
static void
put_visible(struct hp_buf *b, const char *text)
{
	hp_escape_xml_visible(b, text, strlen(text));
}

static void
write_examples(struct hp_buf *b, const struct hp_reported *e)
{
	for (size_t i = 0; i < e->nexamples; i++) {
		const struct hp_example *x = &e->examples[i];

		hp_buf_printf(
			b, "%s at %s %llu: ", hp_severity_name(e->severity),
			x->line ? "line" : "byte",
			(unsigned long long)(x->line ? x->line : x->offset));
		put_visible(b, e->examples[i].message);
		hp_buf_byte(b, '\n');
	}
	if (e->count > e->nexamples)
		hp_buf_printf(b, "%llu in all\n", (unsigned long long)e->count);
}

/*
 * Write the findings of a rule. Errors (with --strict also warnings) become a
 * failure of the test case, other findings become its output.
 */
static void
write_findings(struct hp_buf *b, const struct hp_validate_report *r,
	       const struct hp_validation *v, unsigned rule)
{
	for (size_t i = 0; i < v->nrules; i++) {
		const struct hp_reported *e = &v->rules[i];
		const char *text;

		if (e->rule != rule || !is_failure(r, e))
			continue;
		text = e->nexamples ? e->examples[0].message
				    : hp_rule_desc(e->rule)->line;
		hp_buf_printf(b, "      <failure type=\"%s\" message=\"",
			      hp_severity_name(e->severity));
		put_visible(b, text);
		hp_buf_text(b, "\">");
		write_examples(b, e);
		hp_buf_text(b, "</failure>\n");
	}
	hp_buf_text(b, "      <system-out>");
	for (size_t i = 0; i < v->nrules; i++) {
		const struct hp_reported *e = &v->rules[i];

		if (e->rule == rule && !is_failure(r, e) &&
		    e->severity >= r->min_severity)
			write_examples(b, e);
	}
	hp_buf_text(b, "</system-out>\n");
}

static void
write_case(struct hp_buf *b, const struct hp_validate_report *r,
	   const struct hp_validation *v, unsigned rule)
{
	const struct hp_rule_desc *d = hp_rule_desc((enum hp_rule)rule);

	hp_buf_text(b, "    <testcase classname=\"");
	write_escaped(b, hp_shown_path(v->path));
	hp_buf_printf(b, "\" name=\"%s\"", d->id);
	if (v->deeper[rule]) {
		hp_buf_printf(b,
			      ">\n      <skipped message=\"only with "
			      "--level=%s\"/>\n    </testcase>\n",
			      v->deeper[rule] == HP_LEVEL_GRAPH ? "graph"
								: "references");
	} else if (v->unchecked[rule]) {
		hp_buf_text(b, ">\n      <skipped message=\"");
		write_escaped(b, hp_validation_unchecked_reason(v, rule));
		hp_buf_text(b, "\"/>\n    </testcase>\n");
	} else if (has_findings(r, v, rule, false)) {
		hp_buf_text(b, ">\n");
		write_findings(b, r, v, rule);
		hp_buf_text(b, "    </testcase>\n");
	} else {
		hp_buf_text(b, "/>\n");
	}
}

static void
write_suite(struct hp_buf *b, const struct hp_validate_report *r,
	    const struct hp_validation *v)
{
	unsigned tests = 1, failures = 0, skipped = 0;
	bool unreadable = v->verdict == HP_UNREADABLE;
	bool failed = hp_validation_failed(v);

	for (unsigned i = 0; !unreadable && i < HP_RULE_COUNT; i++) {
		tests += !r->disabled[i];
		skipped += v->unchecked[i] || v->deeper[i];
		failures += has_findings(r, v, i, true);
	}
	hp_buf_text(b, "  <testsuite name=\"");
	write_escaped(b, hp_shown_path(v->path));
	hp_buf_printf(b,
		      "\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
		      "skipped=\"%u\">\n    <testcase classname=\"",
		      tests, failures, failed, skipped);
	write_escaped(b, hp_shown_path(v->path));
	hp_buf_text(b, "\" name=\"readable\"");
	if (failed) {
		hp_buf_text(b, ">\n      <error message=\"");
		write_escaped(b, v->error.text);
		hp_buf_text(b, "\"/>\n    </testcase>\n");
	} else {
		hp_buf_text(b, "/>\n");
	}
	for (unsigned i = 0; !unreadable && i < HP_RULE_COUNT; i++) {
		if (!r->disabled[i])
			write_case(b, r, v, i);
	}
	hp_buf_text(b, "  </testsuite>\n");
}

enum hp_status
hp_validate_report_junit(const struct hp_validate_report *r, FILE *file,
			 struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;

	hp_buf_text(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<testsuites name=\"hprof-validate\">\n");
	for (size_t i = 0; st == HP_OK && i < r->count; i++) {
		write_suite(&b, r, &r->files[i]);
		st = hp_buf_flush(&b, file, err);
	}
	hp_buf_text(&b, "</testsuites>\n");
	if (st == HP_OK)
		st = hp_buf_flush(&b, file, err);
	hp_buf_release(&b);
	return st;
}
