/*
 * report_json.c - write results as JSON and as SARIF 2.1.0
 */
#include "validate/report/report.h"

#include "common/base/memory.h"
#include "common/options/options.h"
#include "common/cli/escape.h"
#include "common/cli/json.h"
#include "common/cli/quantity.h"
#include "common/secrets/secrets.h"
#include "validate/file_map.h"
#include "validate/finding.h"
#include "validate/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <xxhash.h>

/* --- the program's own JSON ---------------------------------------------- */

static void
write_counts(struct hp_json *j, const char *key, const uint64_t *counts,
	     void (*name)(struct hp_buf *out, uint8_t tag))
{
	struct hp_buf b = {0};

	hp_json_put_object(j, key);
	for (unsigned tag = 0; tag < 256; tag++) {
		if (counts[tag] == 0)
			continue;
		hp_buf_clear(&b);
		name(&b, (uint8_t)tag);
		hp_json_put_u64(j, hp_buf_string(&b), counts[tag]);
		hp_buf_inherit(&j->buf, &b);
	}
	hp_json_object_end(j);
	hp_buf_release(&b);
}

static void
write_references(struct hp_json *j, const struct hp_validation *v)
{
	hp_json_key(j, "references");
	if (!v->has_references) {
		hp_json_null(j);
		return;
	}
	hp_json_object_flat(j);
	hp_json_put_u64(j, "checked", v->checked);
	hp_json_put_u64(j, "null", v->null);
	hp_json_put_u64(j, "dangling", v->dangling);
	if (v->more_may_dangle)
		hp_json_put_bool(j, "dangling_known", false);
	hp_json_object_end(j);
}

/*
 * Returns the number of bins (ranges of equal size) into which a dump of @bytes
 * bytes is divided. In damaged dumps, findings may have offsets after the end
 * of the dump; no bin contains these.
 */
static unsigned
used_bins(const struct hp_offset_bins *b, uint64_t bytes)
{
	uint64_t n = bytes ? ((bytes - 1) >> b->shift) + 1 : 1;

	return n < HP_OFFSET_BINS ? (unsigned)n : HP_OFFSET_BINS;
}

static void
write_bins(struct hp_json *j, const char *key, const struct hp_offset_bins *b,
	   unsigned n)
{
	hp_json_put_u64s(j, key, b->amounts, n);
}

/*
 * Write the map of the file: how many bytes of each kind are in each bin. A bin
 * has "width" bytes of the dump. Kinds without bytes are left out.
 */
static void
write_map(struct hp_json *j, const struct hp_file_map *m)
{
	static const struct hp_offset_bins none;
	unsigned n = used_bins(&m->kinds[0], m->bytes);
	struct hp_offset_bins gap = {.shift = m->kinds[0].shift};

	for (unsigned i = 0; i < n; i++)
		gap.amounts[i] = hp_file_map_gap(m, i);
	hp_json_put_object(j, "map");
	hp_json_put_u64(j, "width", UINT64_C(1) << gap.shift);
	hp_json_put_u64(j, "missing", m->missing);
	hp_json_put_object(j, "kinds");
	for (unsigned k = 0; k <= HP_CONTENT_KINDS; k++) {
		const struct hp_offset_bins *b =
			k < HP_CONTENT_KINDS ? &m->kinds[k] : &gap;

		if (memcmp(b->amounts, none.amounts, sizeof(none.amounts)) != 0)
			write_bins(j, hp_content_name((enum hp_content)k), b,
				   n);
	}
	hp_json_object_end(j);
	hp_json_object_end(j);
}

static void
write_rule(struct hp_json *j, const struct hp_reported *r, uint64_t bytes)
{
	hp_json_object(j);
	hp_json_put_string(j, "rule", hp_rule_desc(r->rule)->id);
	hp_json_put_string(j, "severity", hp_severity_name(r->severity));
	hp_json_put_u64(j, "count", r->count);
	if (r->places) {
		hp_json_put_u64(j, "width", UINT64_C(1) << r->places->shift);
		write_bins(j, "places", r->places, used_bins(r->places, bytes));
	}
	hp_json_put_array(j, "examples");
	for (size_t i = 0; i < r->nexamples; i++) {
		const struct hp_example *e = &r->examples[i];

		hp_json_object_flat(j);
		hp_json_put_u64(j, "offset", e->offset);
		if (e->line)
			hp_json_put_u64(j, "line", e->line);
		hp_json_put_u64(j, "record", e->record);
		if (e->dump > 1)
			hp_json_put_u64(j, "dump", e->dump);
		if (e->field)
			hp_json_put_visible(j, "field", e->field);
		hp_json_put_visible(j, "message", e->message);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
}

/*
 * Write the rules that were not checked, if there are any, and the checks that
 * the memory limit did not allow.
 */
static void
write_gaps(struct hp_json *j, const struct hp_validation *v)
{
	if (v->known > 0)
		hp_json_put_u64(j, "known", v->known);
	if (v->any_unchecked) {
		hp_json_put_array(j, "not_checked");
		for (unsigned r = 0; r < HP_RULE_COUNT; r++) {
			if (v->unchecked[r])
				hp_json_string(
					j, hp_rule_desc((enum hp_rule)r)->id);
		}
		hp_json_array_end(j);
	}
	if (v->nlimits > 0) {
		hp_json_put_array(j, "limits");
		for (size_t i = 0; i < v->nlimits; i++)
			hp_json_string(j, v->limits[i]);
		hp_json_array_end(j);
	}
	if (hp_validation_failed(v))
		hp_json_put_string(j, "error", v->error.text);
}

/*
 * With --secrets: write the categories that were searched, even if nothing was
 * found.
 */
static void
write_secrets(struct hp_json *j, const struct hp_validation *v)
{
	if (!v->secrets)
		return;
	hp_json_put_object_flat(j, "secrets");
	hp_json_put_array(j, "categories");
	for (unsigned i = 0; i < HP_SECRET_CATEGORIES; i++)
		if (v->secrets >> i & 1)
			hp_json_string(j, hp_secret_words[i]);
	hp_json_array_end(j);
	hp_json_put_u64(j, "found", v->secrets_found);
	hp_json_put_bool(j, "complete", !v->secrets_incomplete);
	hp_json_object_end(j);
}

void
hp_validate_json_file(struct hp_json *j, const struct hp_validate_report *r,
		      const struct hp_validation *v)
{
	hp_json_object(j);
	hp_json_put_string(j, "path", v->path);
	hp_json_put_u64(j, "bytes", v->bytes);
	hp_json_put_string(j, "compression", v->compression);
	if (v->narchives > 0)
		hp_json_put_string(j, "member",
				   v->archives[v->narchives - 1].names[0]);
	if (v->text)
		hp_json_put_string(j, "format", "text");
	hp_json_put_string(j, "header", v->header[0] ? v->header : NULL);
	hp_json_put_u64(j, "id_size", v->id_size);
	/*
	 * Write an impossible time as 0. jansson, which reads the result as a
	 * baseline, cannot read a number above 2^63 - 1.
	 */
	hp_json_put_u64(j, "timestamp_ms",
			v->timestamp_ms < HP_TIME_END ? v->timestamp_ms : 0);
	hp_json_put_string(j, "dialect", hp_dialect_name(v->dialect));
	hp_json_put_string(j, "verdict", hp_verdict_name(v->verdict));
	write_counts(j, "records", v->records, hp_record_name);
	write_counts(j, "subrecords", v->subs, hp_subrecord_name);
	write_references(j, v);
	hp_json_put_object_flat(j, "totals");
	hp_json_put_u64(j, "error", v->totals[HP_SEVERITY_ERROR]);
	hp_json_put_u64(j, "warning", v->totals[HP_SEVERITY_WARNING]);
	hp_json_put_u64(j, "info", v->totals[HP_SEVERITY_INFO]);
	hp_json_object_end(j);
	hp_json_put_array(j, "rules");
	for (size_t i = 0; i < v->nrules; i++)
		if (v->rules[i].severity >= r->min_severity)
			write_rule(j, &v->rules[i], v->bytes);
	hp_json_array_end(j);
	write_secrets(j, v);
	write_gaps(j, v);
	if (v->map)
		write_map(j, v->map);
	hp_json_object_end(j);
}

enum hp_status
hp_validate_report_json(const struct hp_validate_report *r, FILE *file,
			struct hp_error *err)
{
	struct hp_json j;

	hp_json_init(&j, file, HP_JSON_INDENT);
	hp_json_object(&j);
	hp_json_put_string(&j, "tool", "hprof-validate");
	hp_json_put_string(&j, "version", HP_VERSION);
	hp_json_put_u64(&j, "schema", 1);
	hp_confine_json(&j, r->sandbox_missing);
	hp_json_put_array(&j, "files");
	for (size_t i = 0; i < r->count; i++)
		hp_validate_json_file(&j, r, &r->files[i]);
	hp_json_array_end(&j);
	hp_json_object_end(&j);
	return hp_json_finish(&j, err);
}

/* --- SARIF --------------------------------------------------------------- */

static const char *
sarif_level(enum hp_severity s)
{
	static const char *const levels[] = {"note", "warning", "error"};

	return levels[s];
}

static void
put_help(struct hp_json *j, enum hp_rule rule)
{
	struct hp_buf b = {0};

	hp_validate_explain(&b, rule);
	hp_json_put_object_flat(j, "help");
	hp_json_key(j, "text");
	hp_json_lines(j, b.data, b.len);
	hp_json_object_end(j);
	hp_buf_inherit(&j->buf, &b);
	hp_buf_release(&b);
}

static void
write_rules(struct hp_json *j)
{
	for (unsigned i = 0; i < HP_RULE_COUNT; i++) {
		const struct hp_rule_desc *d = hp_rule_desc((enum hp_rule)i);

		hp_json_object(j);
		hp_json_put_string(j, "id", d->id);
		hp_sarif_text(j, "shortDescription", d->line);
		hp_sarif_text(j, "fullDescription", d->paragraph);
		put_help(j, (enum hp_rule)i);
		hp_sarif_level(j, sarif_level(d->severity));
		hp_json_object_end(j);
	}
	hp_sarif_rules_end(j);
}

static void
write_artifact(struct hp_json *j, const struct hp_validation *v, size_t file)
{
	hp_json_put_object_flat(j, "artifactLocation");
	hp_sarif_uri(j, v->path, strlen(v->path));
	hp_json_put_u64(j, "index", file);
	hp_json_object_end(j);
}

/*
 * Write the message with the offset: "at byte 123: ...". SARIF viewers show
 * only line numbers, and a dump has no lines.
 */
static void
put_sarif_message(struct hp_json *j, const struct hp_reported *r,
		  const struct hp_example *e)
{
	struct hp_buf b = {0};

	if (e)
		hp_buf_printf(&b, "at byte %" PRIu64 ": %s", e->offset,
			      e->message);
	else
		hp_buf_text(&b, hp_rule_desc(r->rule)->line);
	hp_json_put_object_flat(j, "message");
	hp_json_put_buf(j, "text", &b);
	hp_json_object_end(j);
	hp_buf_release(&b);
}

/*
 * Write the position of an example of a finding. SARIF requires a line number:
 * for a binary dump it is always 1.
 */
static void
put_region(struct hp_json *j, const struct hp_example *e)
{
	hp_json_put_object_flat(j, "region");
	hp_json_put_u64(j, "startLine", e && e->line ? e->line : 1);
	if (e)
		hp_json_put_u64(j, "byteOffset", e->offset);
	hp_json_object_end(j);
}

/*
 * The field of an example of a finding, and the index of the example. Used to
 * sort examples by field.
 */
struct field_place {
	const char *field; /* "" if the example has no field */
	size_t place;
};

static int
compare_field_places(const void *a, const void *b)
{
	const struct field_place *x = a, *y = b;
	int c = strcmp(x->field, y->field);

	return c != 0 ? c : hp_order(x->place, y->place);
}

/*
 * For each example of a finding, compute its number, from 1, among the examples
 * with the same field. The examples are sorted for this, because there may be
 * many. Returns a list that the caller frees; NULL if out of memory.
 */
static size_t *
number_by_field(const struct hp_reported *r)
{
	size_t n = r->nexamples, number = 0;
	struct field_place *sorted = hp_calloc(n + 1, sizeof(*sorted));
	size_t *numbers = hp_calloc(n + 1, sizeof(*numbers));

	for (size_t i = 0; sorted && i < n; i++) {
		const char *field = r->examples[i].field;

		sorted[i] = (struct field_place){field ? field : "", i};
	}
	if (sorted && numbers) {
		/* a rule without examples has one result, whose number is 1 */
		numbers[0] = 1;
		qsort(sorted, n, sizeof(*sorted), compare_field_places);
		for (size_t i = 0; i < n; i++) {
			number = i > 0 && strcmp(sorted[i - 1].field,
						 sorted[i].field) == 0
					 ? number + 1
					 : 1;
			numbers[sorted[i].place] = number;
		}
	}
	if (!sorted) {
		hp_free(numbers);
		numbers = NULL;
	}
	hp_free(sorted);
	return numbers;
}

/*
 * Write the fingerprint with which viewers recognise a result of an earlier
 * run. It consists of the file, the rule, the field, and a number that
 * distinguishes results for which these three are equal. It contains no offsets
 * and no ids, because they differ in every dump.
 */
static void
put_fingerprint(struct hp_json *j, const struct hp_validation *v,
		const struct hp_reported *r, size_t example, size_t number)
{
	const char *field = r->nexamples ? r->examples[example].field : NULL;
	struct hp_buf b = {0};
	XXH128_hash_t hash;
	char text[64];

	hp_buf_add(&b, v->path, strlen(v->path) + 1);
	hp_buf_text(&b, hp_rule_desc(r->rule)->id);
	hp_buf_byte(&b, '\0');
	hp_buf_text(&b, field ? field : "");
	hash = XXH3_128bits(b.data, b.len);
	snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64 ":%zu",
		 hash.high64, hash.low64, number);
	hp_json_put_object_flat(j, "partialFingerprints");
	hp_json_put_string(j, "hprofFinding/v1", text);
	hp_json_object_end(j);
	hp_buf_inherit(&j->buf, &b);
	hp_buf_release(&b);
}

/*
 * Write one SARIF result, for the example with the index @k. A rule without
 * examples also has one result, with @k = 0. @number: see number_by_field().
 */
static void
write_sarif_result(struct hp_json *j, const struct hp_validation *v,
		   size_t file, const struct hp_reported *r, size_t k,
		   size_t number)
{
	const struct hp_example *e = k < r->nexamples ? &r->examples[k] : NULL;

	hp_json_object(j);
	hp_json_put_string(j, "ruleId", hp_rule_desc(r->rule)->id);
	hp_json_put_u64(j, "ruleIndex", r->rule);
	hp_json_put_string(j, "level", sarif_level(r->severity));
	put_sarif_message(j, r, e);
	hp_json_put_array(j, "locations");
	hp_json_object(j);
	hp_json_put_object(j, "physicalLocation");
	write_artifact(j, v, file);
	put_region(j, e);
	hp_json_object_end(j);
	hp_json_object_end(j);
	hp_json_array_end(j);
	put_fingerprint(j, v, r, k, number);
	hp_json_put_object_flat(j, "properties");
	hp_json_put_u64(j, "count", r->count);
	if (e) {
		hp_json_put_u64(j, "record", e->record);
		if (e->field)
			hp_json_put_visible(j, "field", e->field);
	}
	hp_json_object_end(j);
	hp_json_object_end(j);
}

static void
write_sarif_results(struct hp_json *j, const struct hp_validate_report *report,
		    size_t file)
{
	const struct hp_validation *v = &report->files[file];

	for (size_t i = 0; i < v->nrules; i++) {
		const struct hp_reported *r = &v->rules[i];
		size_t *numbers;

		if (r->severity < report->min_severity)
			continue;
		numbers = number_by_field(r);
		j->buf.failed |= numbers == NULL;
		for (size_t k = 0; numbers && (k == 0 || k < r->nexamples); k++)
			write_sarif_result(j, v, file, r, k, numbers[k]);
		hp_free(numbers);
	}
}

static void
write_notification(struct hp_json *j, const struct hp_validation *v,
		   size_t file, const char *level, const char *text)
{
	hp_json_object(j);
	hp_json_put_string(j, "level", level);
	hp_sarif_text(j, "message", text);
	hp_json_put_array(j, "locations");
	hp_json_object(j);
	hp_json_put_object(j, "physicalLocation");
	write_artifact(j, v, file);
	hp_json_object_end(j);
	hp_json_object_end(j);
	hp_json_array_end(j);
	hp_json_object_end(j);
}

/*
 * Write whether all files could be read and checked as requested. If not, also
 * write the reason.
 */
static void
write_invocation(struct hp_json *j, const struct hp_validate_report *r)
{
	bool fine = true;

	for (size_t i = 0; i < r->count; i++)
		fine &= !hp_validation_failed(&r->files[i]) &&
			!hp_validation_left_out(&r->files[i]);
	hp_json_put_array(j, "invocations");
	hp_json_object(j);
	hp_json_put_bool(j, "executionSuccessful", fine);
	hp_json_put_array(j, "toolExecutionNotifications");
	for (size_t i = 0; i < r->count; i++) {
		const struct hp_validation *v = &r->files[i];

		if (hp_validation_failed(v))
			write_notification(j, v, i, "error", v->error.text);
		for (size_t k = 0; k < v->nlimits; k++)
			write_notification(j, v, i, "warning", v->limits[k]);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
	hp_json_array_end(j);
}

enum hp_status
hp_validate_report_sarif(const struct hp_validate_report *r, FILE *file,
			 struct hp_error *err)
{
	struct hp_json j;

	hp_sarif_begin(&j, file, "hprof-validate");
	write_rules(&j);
	write_invocation(&j, r);
	hp_json_put_array(&j, "artifacts");
	for (size_t i = 0; i < r->count; i++) {
		hp_json_object(&j);
		hp_json_put_object_flat(&j, "location");
		hp_sarif_uri(&j, r->files[i].path, strlen(r->files[i].path));
		hp_json_object_end(&j);
		hp_json_object_end(&j);
	}
	hp_json_array_end(&j);
	hp_json_put_array(&j, "results");
	for (size_t i = 0; i < r->count; i++)
		write_sarif_results(&j, r, i);
	hp_json_array_end(&j);
	return hp_sarif_end(&j, err);
}
