/*
 * report_sarif.c - write failed gates and suspects as SARIF 2.1.0
 *
 * A result in SARIF is a gate with one row on which it failed, or a suspect.
 * The location of a result is a source line if the row has a stack: the line
 * that allocated the objects. Otherwise the location is the dump.
 */
#include "diff/report/report.h"

#include "common/cli/escape.h"
#include "common/cli/quantity.h"
#include "diff/report/profile.h"

#include <stdio.h>
#include <string.h>

enum rule { GATE, SUSPECT, OWNER, RULES };

static const struct {
	const char *id, *text, *level;
} rules[RULES] = {
	[GATE] = {"gate", "A gate (--fail-if) failed.", "error"},
	[SUSPECT] = {"leak-suspect",
		     "An object keeps much of the growth of the heap alive.",
		     "warning"},
	[OWNER] = {"large-owner", "An object keeps much of the heap alive.",
		   "note"},
};

/*
 * If a gate failed on many rows, at most this many of them are written as
 * results.
 */
enum { RESULTS_OF_A_GATE = 20 };

static void
write_rules(struct hp_json *j)
{
	for (unsigned i = 0; i < RULES; i++) {
		hp_json_object(j);
		hp_json_put_string(j, "id", rules[i].id);
		hp_sarif_text(j, "shortDescription", rules[i].text);
		hp_sarif_level(j, rules[i].level);
		hp_json_object_end(j);
	}
	for (unsigned i = 0; i < HP_UNUSUALS; i++) {
		const struct hp_unusual_kind *k = &hp_unusual_kinds[i];

		hp_json_object(j);
		hp_json_put_string(j, "id", k->id);
		hp_sarif_text(j, "shortDescription", k->line);
		hp_sarif_text(j, "fullDescription", k->paragraph);
		hp_sarif_text(j, "help", k->advice);
		hp_sarif_level(j, "warning");
		hp_json_object_end(j);
	}
	hp_sarif_rules_end(j);
}

/*
 * Write the location of a result: the innermost frame of @row whose source file
 * is known. If there is none, or @row is NULL, the location is the last dump.
 */
static void
write_place(struct hp_json *j, const struct hp_result *r,
	    const struct hp_row *row)
{
	struct hp_profile_place place = {0};
	const char *dump = r->dumps[r->ndumps - 1].path;

	for (uint32_t i = 0; row && i < row->frames.count && !place.file; i++)
		place = hp_profile_place(row->frames.text[i],
					 strlen(row->frames.text[i]));
	hp_json_put_array(j, "locations");
	hp_json_object(j);
	hp_json_put_object(j, "physicalLocation");
	hp_json_put_object_flat(j, "artifactLocation");
	if (place.file)
		hp_sarif_uri(j, place.file, place.file_len);
	else
		hp_sarif_uri(j, dump, strlen(dump));
	hp_json_object_end(j);
	hp_json_put_object_flat(j, "region");
	hp_json_put_u64(j, "startLine", place.line ? place.line : 1);
	hp_json_object_end(j);
	hp_json_object_end(j);
	hp_json_object_end(j);
	hp_json_array_end(j);
}

/*
 * Write one result. @rule: an enum rule, or RULES and the number of a finding.
 * @fingerprint: if results of two runs have equal fingerprints, programs that
 *   show SARIF treat them as the same result. @known: the entry of the --known
 *   file that allows the suspect or finding; NULL: there is none.
 */
static void
write_result(struct hp_json *j, const struct hp_result *r, unsigned rule,
	     struct hp_buf *message, const char *fingerprint,
	     const struct hp_row *row, const struct hp_known_leak *known)
{
	hp_json_object(j);
	hp_json_put_string(j, "ruleId",
			   rule < RULES ? rules[rule].id
					: hp_unusual_kinds[rule - RULES].id);
	hp_json_put_u64(j, "ruleIndex", rule);
	hp_json_put_string(j, "level",
			   rule < RULES ? rules[rule].level : "warning");
	hp_json_put_object_flat(j, "message");
	hp_json_put_buf(j, "text", message);
	hp_json_object_end(j);
	write_place(j, r, row);
	hp_json_put_object_flat(j, "partialFingerprints");
	hp_json_put_string(j, "hprofDiff/v2", fingerprint);
	hp_json_object_end(j);
	if (known) {
		hp_json_put_array_flat(j, "suppressions");
		hp_json_object_flat(j);
		hp_json_put_string(j, "kind", "external");
		hp_json_put_visible(j, "justification", known->reason);
		hp_json_object_end(j);
		hp_json_array_end(j);
	}
	hp_json_object_end(j);
}

/*
 * Write a gate that failed as a result. @identity: a text without counts and
 * object ids. If results of two runs have the same text, programs that show
 * SARIF treat them as the same result.
 */
static void
write_failure(struct hp_json *j, const struct hp_result *r,
	      struct hp_buf *message, struct hp_buf *identity,
	      const struct hp_row *row)
{
	const struct hp_fingerprint f = hp_fingerprint_text(
		hp_buf_string(identity), hp_buf_length(identity));

	write_result(j, r, GATE, message, f.text, row, NULL);
}

/*
 * Write one result for a failed gate "new suspect". The suspects themselves are
 * separate results.
 */
static void
write_suspects_gate(struct hp_json *j, const struct hp_result *r,
		    const struct hp_gate *g)
{
	struct hp_buf message = {0}, identity = {0};

	hp_text_clean(&message, g->text, strlen(g->text));
	hp_buf_printf(&identity, "gate %s", hp_buf_string(&message));
	hp_buf_text(&message, " failed: ");
	hp_count_noun_text(&message, hp_gate_failures(r, g), "new suspect");
	write_failure(j, r, &message, &identity, NULL);
	hp_buf_inherit(&j->buf, &identity);
	hp_buf_release(&message);
	hp_buf_release(&identity);
}

static void
write_gate(struct hp_json *j, const struct hp_result *r,
	   const struct hp_gate *g)
{
	size_t n = g->of == HP_GATE_TOTAL || g->of == HP_GATE_FINDING ? 1
		   : g->nrows < RESULTS_OF_A_GATE		      ? g->nrows
						  : RESULTS_OF_A_GATE;

	for (size_t i = 0; i < n; i++) {
		const struct hp_row *row = g->of == HP_GATE_FINDING ? NULL
					   : g->of == HP_GATE_TOTAL
						   ? r->total
						   : g->rows[i];
		struct hp_buf message = {0}, identity = {0};

		hp_text_clean(&message, g->text, strlen(g->text));
		hp_buf_text(&message, " failed");
		hp_buf_printf(&identity, "gate %s", g->text);
		hp_buf_text(&message, ": ");
		if (row) {
			hp_gate_row_text(&message, r, g, row);
			hp_buf_byte(&identity, ' ');
			hp_buf_add(&identity, row->key, row->key_len);
		} else {
			hp_unusual_text(&message, g->finding,
					&r->findings[g->finding]);
		}
		if (i + 1 == n && g->nrows > n) {
			hp_buf_text(&message, " (and ");
			hp_count_noun_text(&message, g->nrows - n, "more row");
			hp_buf_byte(&message, ')');
		}
		write_failure(j, r, &message, &identity, row);
		hp_buf_inherit(&j->buf, &identity);
		hp_buf_release(&message);
		hp_buf_release(&identity);
	}
}

static void
write_suspect(struct hp_json *j, const struct hp_result *r,
	      const struct hp_suspect *s)
{
	struct hp_buf message = {0};

	hp_suspect_line(&message, r, s);
	write_result(j, r, r->ndumps > 1 ? SUSPECT : OWNER, &message,
		     s->fingerprint.text, NULL, s->known);
	hp_buf_release(&message);
}

static void
write_finding(struct hp_json *j, const struct hp_result *r, unsigned kind)
{
	struct hp_buf message = {0};
	const struct hp_fingerprint f =
		hp_fingerprint_finding(hp_unusual_kinds[kind].id);

	hp_unusual_text(&message, (enum hp_unusual)kind, &r->findings[kind]);
	write_result(j, r, RULES + kind, &message, f.text, NULL,
		     r->known_findings[kind]);
	hp_buf_release(&message);
}

static void
write_invocation(struct hp_json *j, const struct hp_result *r)
{
	struct hp_buf ignored = {0};

	hp_ignored_text(&ignored, r);
	hp_json_put_array(j, "invocations");
	hp_json_object(j);
	hp_json_put_bool(j, "executionSuccessful", true);
	hp_json_put_array(j, "toolExecutionNotifications");
	for (size_t i = 0; i < r->ndumps; i++) {
		if (!r->dumps[i].partial)
			continue;
		hp_json_object(j);
		hp_json_put_string(j, "level", "warning");
		hp_sarif_text(j, "message",
			      "a dump is damaged; only its readable part was "
			      "used");
		hp_json_object_end(j);
	}
	if (ignored.len > 0) {
		hp_json_object(j);
		hp_json_put_string(j, "level", "note");
		hp_sarif_text(j, "message", hp_buf_string(&ignored));
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
	hp_json_array_end(j);
	hp_buf_inherit(&j->buf, &ignored);
	hp_buf_release(&ignored);
}

enum hp_status
hp_report_sarif(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_json j;

	hp_sarif_begin(&j, out, "hprof-diff");
	write_rules(&j);
	write_invocation(&j, r);
	hp_json_put_array(&j, "results");
	for (size_t i = 0; i < r->ngates; i++)
		if (r->gates[i].tripped && r->gates[i].of == HP_GATE_SUSPECTS)
			write_suspects_gate(&j, r, &r->gates[i]);
		else if (r->gates[i].tripped)
			write_gate(&j, r, &r->gates[i]);
	for (size_t i = 0; i < r->nsuspects; i++)
		write_suspect(&j, r, &r->suspects[i]);
	for (unsigned i = 0; i < HP_UNUSUALS; i++)
		if (r->findings[i].applies)
			write_finding(&j, r, i);
	hp_json_array_end(&j);
	return hp_sarif_end(&j, err);
}
