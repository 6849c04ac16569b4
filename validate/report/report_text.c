/*
 * report_text.c - write results as text for people, and as GitHub workflow
 * commands
 */
#include "validate/report/report.h"

#include <string.h>

#include "common/cli/escape.h"
#include "common/cli/output.h"
#include "common/cli/quantity.h"
#include "common/secrets/secrets.h"

/* --- write text ---------------------------------------------------------- */

static void
write_path(struct hp_buf *b, const struct hp_validation *v)
{
	const char *path = hp_shown_path(v->path);

	hp_text_clean(b, path, strlen(path));
}

static void
write_colored(struct hp_buf *b, const struct hp_validate_report *r,
	      enum hp_color color, const char *text)
{
	if (r->color)
		hp_buf_text(b, hp_color_begin(color));
	hp_buf_text(b, text);
	if (r->color)
		hp_buf_text(b, hp_color_end(color));
}

static enum hp_color
severity_color(enum hp_severity s)
{
	static const enum hp_color colors[] = {HP_COLOR_CYAN, HP_COLOR_YELLOW,
					       HP_COLOR_RED};

	return colors[s];
}

static uint64_t
sum_of(const uint64_t counts[256])
{
	uint64_t n = 0;

	for (unsigned i = 0; i < 256; i++)
		n += counts[i];
	return n;
}

static void
write_about(struct hp_buf *b, const struct hp_validation *v)
{
	struct hp_buf when = {0};

	hp_buf_text(b, "  ");
	hp_text_clean(b, v->header, strlen(v->header));
	hp_buf_printf(b, ", %sdialect %s, %u-byte ids, ",
		      v->text ? "text, " : "", hp_dialect_name(v->dialect),
		      v->id_size);
	hp_size_text(b, v->bytes);
	if (strcmp(v->compression, "none") != 0)
		hp_buf_printf(b, " (%s)", v->compression);
	if (hp_time_text(&when, v->timestamp_ms))
		hp_buf_printf(b, ", %s", hp_buf_string(&when));
	hp_buf_inherit(b, &when);
	hp_buf_release(&when);
	hp_buf_text(b, "\n  ");
	hp_count_noun_text(b, sum_of(v->records), "record");
	hp_buf_text(b, ", ");
	hp_count_noun_text(b, sum_of(v->subs), "sub-record");
	if (v->has_references) {
		hp_buf_text(b, ", ");
		hp_count_noun_text(b, v->checked, "reference");
		hp_buf_text(b, v->more_may_dangle ? " (at least " : " (");
		hp_count_text(b, v->dangling);
		hp_buf_text(b, " dangling)");
	}
	if (v->dumps > 1)
		hp_buf_printf(b, ", %u dumps", v->dumps);
	hp_buf_byte(b, '\n');
}

static void
write_example(struct hp_buf *b, const struct hp_example *e)
{
	if (e->line)
		hp_buf_printf(b, "    at line %llu",
			      (unsigned long long)e->line);
	else
		hp_buf_printf(b, "    at byte %llu",
			      (unsigned long long)e->offset);
	if (e->record)
		hp_buf_printf(b, ", record %llu",
			      (unsigned long long)e->record);
	if (e->dump > 1)
		hp_buf_printf(b, ", dump %u", e->dump);
	if (e->field)
		hp_buf_printf(b, ", %s", e->field);
	hp_buf_printf(b, ": %s\n", e->message);
}

static void
write_rule(struct hp_buf *b, const struct hp_validate_report *r,
	   const struct hp_reported *e)
{
	hp_buf_text(b, "  ");
	write_colored(b, r, severity_color(e->severity),
		      hp_severity_name(e->severity));
	hp_buf_printf(b, " %s", hp_rule_desc(e->rule)->id);
	if (e->count > 1) {
		hp_buf_text(b, ": ");
		hp_count_text(b, e->count);
	}
	hp_buf_byte(b, '\n');
	for (size_t i = 0; i < e->nexamples; i++)
		write_example(b, &e->examples[i]);
	if (e->nexamples > 0 && e->count > e->nexamples) {
		hp_buf_text(b, "    ... and ");
		hp_count_text(b, e->count - e->nexamples);
		hp_buf_text(b, " more\n");
	}
}

/* Append the findings: first the errors, then the warnings. */
static void
write_rules(struct hp_buf *b, const struct hp_validate_report *r,
	    const struct hp_validation *v)
{
	for (unsigned s = HP_SEVERITY_ERROR; s > HP_SEVERITY_INFO; s--) {
		for (size_t i = 0; s >= r->min_severity && i < v->nrules; i++) {
			if (v->rules[i].severity == s)
				write_rule(b, r, &v->rules[i]);
		}
	}
}

static bool
has_rules(const struct hp_validate_report *r, const struct hp_validation *v)
{
	for (size_t i = 0; i < v->nrules; i++)
		if ((r->verbose || v->rules[i].severity > HP_SEVERITY_INFO) &&
		    v->rules[i].severity >= r->min_severity)
			return true;
	return false;
}

/*
 * Append a hint at --explain, if a finding is shown. The hint appears only once
 * for all files.
 */
static void
write_hint(struct hp_buf *b, const struct hp_validate_report *r)
{
	bool any = false;

	for (size_t i = 0; i < r->count && !any; i++)
		any = has_rules(r, &r->files[i]);
	if (any && !r->quiet)
		hp_buf_printf(
			b, "%s--explain=RULE explains a rule and what to do\n",
			r->count == 1 ? "  " : "");
}

/*
 * Append the informational notes: with -v all of them, otherwise one line with
 * their number.
 */
static void
write_notes(struct hp_buf *b, const struct hp_validate_report *r,
	    const struct hp_validation *v)
{
	uint64_t notes = 0, rules = 0;

	for (size_t i = 0; i < v->nrules; i++) {
		const struct hp_reported *e = &v->rules[i];

		if (e->severity != HP_SEVERITY_INFO)
			continue;
		if (r->verbose)
			write_rule(b, r, e);
		notes += e->count;
		rules++;
	}
	if (notes == 0 || r->verbose)
		return;
	hp_buf_text(b, "  ");
	hp_count_noun_text(b, notes, "informational note");
	hp_buf_text(b, " (");
	hp_count_noun_text(b, rules, "rule");
	hp_buf_text(b, "), no action needed; -v lists them\n");
}

/*
 * Append one line with the rules that were not checked for the reason @reason.
 */
static void
write_unchecked_line(struct hp_buf *b, const struct hp_validate_report *r,
		     const struct hp_validation *v, const char *reason)
{
	uint64_t rules = 0;

	for (unsigned i = 0; i < HP_RULE_COUNT; i++)
		rules += v->unchecked[i] &&
			 strcmp(hp_validation_unchecked_reason(v, i), reason) ==
				 0;
	hp_buf_text(b, "  ");
	hp_count_noun_text(b, rules, "rule");
	hp_buf_printf(b, " not checked because %s%s", reason,
		      r->verbose ? ":" : "; -v lists them\n");
	for (unsigned i = 0; i < HP_RULE_COUNT && r->verbose; i++)
		if (v->unchecked[i] &&
		    strcmp(hp_validation_unchecked_reason(v, i), reason) == 0)
			hp_buf_printf(b, " %s",
				      hp_rule_desc((enum hp_rule)i)->id);
	if (r->verbose)
		hp_buf_byte(b, '\n');
}

/* Append one line for each reason why rules were not checked. */
static void
write_unchecked(struct hp_buf *b, const struct hp_validate_report *r,
		const struct hp_validation *v)
{
	const char *reasons[HP_RULE_COUNT];
	size_t n = 0, k;

	for (unsigned i = 0; i < HP_RULE_COUNT; i++) {
		const char *reason;

		if (!v->unchecked[i])
			continue;
		reason = hp_validation_unchecked_reason(v, i);
		if (reason == hp_needs_reason(HP_NEEDS_HEADER)) {
			/*
			 * The header of the file is not readable, so no rule
			 * about the dump could be checked.
			 */
			hp_buf_printf(b,
				      "  no other rule was checked because "
				      "%s\n",
				      reason);
			return;
		}
		for (k = 0; k < n && strcmp(reasons[k], reason) != 0; k++)
			;
		if (k == n)
			reasons[n++] = reason;
	}
	for (k = 0; k < n; k++)
		write_unchecked_line(b, r, v, reasons[k]);
}

/*
 * With --secrets: if no secret was found, append a line with the categories
 * that were searched. No line is appended if a baseline was used, because known
 * findings are not in the result, or if a part of the file was not searched.
 */
static void
write_no_secrets(struct hp_buf *b, const struct hp_validation *v)
{
	unsigned left = v->secrets;

	for (size_t i = 0; i < v->nrules; i++)
		if (v->rules[i].rule == HP_RULE_SECRET)
			return;
	if (!left || v->known || v->secrets_incomplete)
		return;
	hp_buf_text(b, "  found no ");
	for (unsigned i = 0; i < HP_SECRET_CATEGORIES; i++) {
		if (!(left >> i & 1))
			continue;
		left &= ~(1u << i);
		hp_buf_text(b, hp_secret_plural(i));
		if (left)
			hp_buf_text(b, left & (left - 1) ? ", " : " and ");
	}
	hp_buf_byte(b, '\n');
}

static void
write_verdict(struct hp_buf *b, const struct hp_validate_report *r,
	      const struct hp_validation *v)
{
	bool fine = v->verdict == HP_VALID;

	write_path(b, v);
	hp_buf_text(b, ": ");
	write_colored(b, r, fine ? HP_COLOR_GREEN : HP_COLOR_RED,
		      hp_verdict_name(v->verdict));
	if (v->verdict == HP_UNREADABLE) {
		hp_buf_byte(b, '\n');
		return;
	}
	hp_buf_text(b, ": ");
	hp_count_noun_text(b, v->totals[HP_SEVERITY_ERROR], "error");
	hp_buf_text(b, ", ");
	hp_count_noun_text(b, v->totals[HP_SEVERITY_WARNING], "warning");
	if (v->known) {
		hp_buf_text(b, "; ");
		hp_count_text(b, v->known);
		hp_buf_text(b, " known");
	}
	hp_buf_byte(b, '\n');
}

static void
write_file(struct hp_buf *b, const struct hp_validate_report *r,
	   const struct hp_validation *v)
{
	if (v->verdict != HP_UNREADABLE || v->lacks_dump) {
		write_path(b, v);
		hp_buf_text(b, "\n");
		if (v->header[0])
			write_about(b, v);
		write_rules(b, r, v);
		if (!r->quiet && r->min_severity == HP_SEVERITY_INFO)
			write_notes(b, r, v);
		write_unchecked(b, r, v);
		if (!r->quiet)
			write_no_secrets(b, v);
		for (size_t i = 0; i < v->nlimits; i++)
			hp_buf_printf(b, "  limit: %s\n", v->limits[i]);
		if (v->lacks_dump)
			hp_buf_printf(b, "  not checked: %s\n", v->error.text);
		if (r->count == 1)
			write_hint(b, r);
	}
	write_verdict(b, r, v);
}

static void
write_summary(struct hp_buf *b, const struct hp_validate_report *r)
{
	uint64_t n[3] = {0};

	for (size_t i = 0; i < r->count; i++)
		n[r->files[i].verdict]++;
	hp_count_noun_text(b, r->count, "file");
	hp_buf_printf(b, ": %llu valid, %llu invalid, %llu unreadable\n",
		      (unsigned long long)n[HP_VALID],
		      (unsigned long long)n[HP_INVALID],
		      (unsigned long long)n[HP_UNREADABLE]);
}

enum hp_status
hp_validate_text_file(const struct hp_validate_report *r, size_t i, FILE *file,
		      struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st;

	write_file(&b, r, &r->files[i]);
	st = hp_buf_flush(&b, file, err);
	hp_buf_release(&b);
	return st == HP_OK ? hp_output_flush(file, err) : st;
}

enum hp_status
hp_validate_report_text(const struct hp_validate_report *r, FILE *file,
			struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st;

	if (r->count < 2)
		return HP_OK;
	write_hint(&b, r);
	write_summary(&b, r);
	st = hp_buf_flush(&b, file, err);
	hp_buf_release(&b);
	return st;
}

/* --- GitHub -------------------------------------------------------------- */

/*
 * Append the beginning of a GitHub workflow command, for example "::error
 * file=a.hprof,title=ref-dangling-field::".
 */
static void
write_command(struct hp_buf *b, const char *command,
	      const struct hp_validation *v, const char *title)
{
	hp_buf_printf(b, "::%s file=", command);
	hp_escape_github_property(b, v->path, strlen(v->path));
	hp_buf_printf(b, ",title=hprof-validate%%3A %s::", title);
}

static void
write_annotation(struct hp_buf *b, const struct hp_validation *v,
		 const struct hp_reported *e)
{
	static const char *const commands[] = {"notice", "warning", "error"};
	const struct hp_example *first = e->nexamples ? e->examples : NULL;
	const char *text = first ? first->message : hp_rule_desc(e->rule)->line;

	write_command(b, commands[e->severity], v, hp_rule_desc(e->rule)->id);
	if (first && first->line)
		hp_buf_printf(
			b, "at line %llu: ", (unsigned long long)first->line);
	else if (first)
		hp_buf_printf(
			b, "at byte %llu: ", (unsigned long long)first->offset);
	hp_escape_github_visible(b, text, strlen(text));
	if (e->count > 1)
		hp_buf_printf(b, " (%llu in all)",
			      (unsigned long long)e->count);
	hp_buf_byte(b, '\n');
}

enum hp_status
hp_validate_report_github(const struct hp_validate_report *r, FILE *file,
			  struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st;

	for (size_t i = 0; i < r->count; i++) {
		const struct hp_validation *v = &r->files[i];

		if (hp_validation_failed(v)) {
			write_command(&b, "error", v,
				      v->lacks_dump ? "no such dump"
						    : "unreadable");
			hp_escape_github(&b, v->error.text,
					 strlen(v->error.text));
			hp_buf_byte(&b, '\n');
		}
		for (size_t k = 0; k < v->nrules; k++)
			if (v->rules[k].severity >= r->min_severity)
				write_annotation(&b, v, &v->rules[k]);
	}
	st = hp_buf_flush(&b, file, err);
	hp_buf_release(&b);
	return st;
}
