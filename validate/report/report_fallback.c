/*
 * report_fallback.c - the part of the HTML report that is shown if JavaScript
 * is off
 *
 * It shows the verdicts, the findings with advice, the contents of the dumps,
 * and the parts that were not decoded.
 */
#include "validate/report/report.h"

#include <string.h>

#include "common/cli/quantity.h"
#include "validate/file_map.h"
#include "validate/finding.h"

static void
write_number_cell(struct hp_html *h, uint64_t n)
{
	hp_buf_text(&h->buf, "<td>");
	hp_count_text(&h->buf, n);
	hp_html_markup(h, "</td>");
}

static void
write_path(struct hp_html *h, const struct hp_validation *v)
{
	hp_html_markup(h, "<code>");
	hp_html_text(h, hp_shown_path(v->path));
	hp_html_markup(h, "</code>");
}

static void
write_files(struct hp_html *h, const struct hp_validate_report *r)
{
	hp_html_markup(h, "<table><thead><tr>"
			  "<th class=\"text\" scope=\"col\">file</th>"
			  "<th class=\"text\" scope=\"col\">verdict</th>"
			  "<th scope=\"col\">errors</th>"
			  "<th scope=\"col\">warnings</th>"
			  "<th scope=\"col\">notes</th></tr></thead>"
			  "<tbody>\n");
	for (size_t i = 0; i < r->count; i++) {
		const struct hp_validation *v = &r->files[i];

		hp_html_markup(h, "<tr><th class=\"text\" scope=\"row\">");
		write_path(h, v);
		hp_html_markup(h, "</th><td class=\"text\">");
		hp_html_markup(h, hp_verdict_name(v->verdict));
		hp_html_markup(h, "</td>");
		for (unsigned s = HP_SEVERITY_COUNT; s-- > 0;)
			write_number_cell(h, v->totals[s]);
		hp_html_markup(h, "</tr>\n");
	}
	hp_html_markup(h, "</tbody></table>\n");
}

/*
 * Write one line about the file: its format, the program that wrote it, its
 * size and its date.
 */
static void
write_about(struct hp_html *h, const struct hp_validation *v)
{
	hp_html_markup(h, "<p>");
	hp_html_text(h, v->header);
	hp_buf_printf(&h->buf, ", %sdialect %s, %u-byte ids, ",
		      v->text ? "text, " : "", hp_dialect_name(v->dialect),
		      v->id_size);
	hp_size_text(&h->buf, v->bytes);
	if (strcmp(v->compression, "none") != 0)
		hp_buf_printf(&h->buf, " (%s)", v->compression);
	if (v->timestamp_ms > 0 && v->timestamp_ms < HP_TIME_END) {
		hp_buf_text(&h->buf, ", ");
		hp_time_text(&h->buf, v->timestamp_ms);
	}
	hp_html_markup(h, "</p>\n");
}

static void
write_example(struct hp_html *h, const struct hp_example *e)
{
	hp_buf_printf(&h->buf, "<li>at %s %llu", e->line ? "line" : "byte",
		      (unsigned long long)(e->line ? e->line : e->offset));
	if (e->record)
		hp_buf_printf(&h->buf, ", record %llu",
			      (unsigned long long)e->record);
	if (e->dump > 1)
		hp_buf_printf(&h->buf, ", dump %u", e->dump);
	if (e->field) {
		hp_html_markup(h, ", ");
		hp_html_visible(h, e->field);
	}
	hp_html_markup(h, ": ");
	hp_html_visible(h, e->message);
	hp_html_markup(h, "</li>\n");
}

static void
write_finding(struct hp_html *h, const struct hp_reported *e)
{
	const struct hp_rule_desc *d = hp_rule_desc(e->rule);

	hp_buf_printf(&h->buf, "<h3>%s: %s (", hp_severity_name(e->severity),
		      d->id);
	hp_count_text(&h->buf, e->count);
	hp_html_markup(h, ")</h3>\n");
	hp_html_element(h, "p", d->paragraph);
	hp_html_markup(h, "<p>What to do: ");
	hp_html_text(h, hp_rule_advice(e->rule, e->severity));
	hp_html_markup(h, "</p>\n<ul>\n");
	for (size_t i = 0; i < e->nexamples; i++)
		write_example(h, &e->examples[i]);
	if (e->nexamples < e->count)
		hp_html_markup(h, "<li>…</li>\n");
	hp_html_markup(h, "</ul>\n");
}

static void
write_counts(struct hp_html *h, const char *title, const uint64_t counts[256],
	     void (*name)(struct hp_buf *out, uint8_t tag))
{
	hp_buf_printf(&h->buf,
		      "<table><thead><tr><th class=\"text\" scope=\"col\">%s"
		      "</th><th scope=\"col\">number</th></tr></thead>"
		      "<tbody>\n",
		      title);
	for (unsigned tag = 0; tag < 256; tag++) {
		if (counts[tag] == 0)
			continue;
		hp_buf_text(&h->buf, "<tr><th class=\"text\" scope=\"row\">");
		name(&h->buf, (uint8_t)tag);
		hp_html_markup(h, "</th>");
		write_number_cell(h, counts[tag]);
		hp_html_markup(h, "</tr>\n");
	}
	hp_html_markup(h, "</tbody></table>\n");
}

/*
 * Write the ranges of the file in which bytes were not decoded. Neighbouring
 * ranges are joined.
 */
static void
write_gaps(struct hp_html *h, const struct hp_file_map *m)
{
	unsigned shift = m->kinds[0].shift;
	unsigned i = 0;

	if (m->missing > 0) {
		hp_html_markup(h, "<p class=\"bad\">Missing at the end: ");
		hp_count_text(&h->buf, m->missing);
		hp_html_markup(h, " bytes of the last record</p>\n");
	}
	while (i < HP_OFFSET_BINS) {
		uint64_t begin = (uint64_t)i << shift, end = begin, bytes = 0;

		for (; i < HP_OFFSET_BINS && hp_file_map_gap(m, i) > 0; i++) {
			bytes += hp_file_map_gap(m, i);
			end = ((uint64_t)i << shift) + hp_file_map_width(m, i);
		}
		i++;
		if (bytes == 0)
			continue;
		hp_html_markup(h, "<p class=\"bad\">Not decoded: ");
		hp_count_text(&h->buf, bytes);
		hp_buf_printf(&h->buf, " bytes between %llu and %llu",
			      (unsigned long long)begin,
			      (unsigned long long)end);
		hp_html_markup(h, "</p>\n");
	}
}

static void
write_unchecked(struct hp_html *h, const struct hp_validation *v)
{
	for (size_t i = 0; i < v->nlimits; i++) {
		hp_html_markup(h, "<p>");
		hp_html_text(h, v->limits[i]);
		hp_html_markup(h, "</p>\n");
	}
	if (!v->any_unchecked)
		return;
	hp_html_markup(h, "<p>Rules that could not be checked:");
	for (unsigned i = 0; i < HP_RULE_COUNT; i++) {
		if (v->unchecked[i])
			hp_buf_printf(&h->buf, " %s",
				      hp_rule_desc((enum hp_rule)i)->id);
	}
	hp_html_markup(h, "</p>\n");
}

static void
write_file(struct hp_html *h, const struct hp_validate_report *r,
	   const struct hp_validation *v)
{
	hp_html_markup(h, "<section>\n<h2>");
	write_path(h, v);
	hp_html_markup(h, " is ");
	hp_html_markup(h, hp_verdict_name(v->verdict));
	hp_html_markup(h, "</h2>\n");
	if (v->verdict == HP_UNREADABLE) {
		hp_html_markup(h, "<p class=\"bad\">");
		hp_html_text(h, v->error.text);
		hp_html_markup(h, "</p>\n</section>\n");
		return;
	}
	write_about(h, v);
	if (v->map)
		write_gaps(h, v->map);
	for (unsigned s = HP_SEVERITY_COUNT; s-- > r->min_severity;) {
		for (size_t k = 0; k < v->nrules; k++) {
			if (v->rules[k].severity == s)
				write_finding(h, &v->rules[k]);
		}
	}
	write_unchecked(h, v);
	write_counts(h, "records", v->records, hp_record_name);
	write_counts(h, "sub-records", v->subs, hp_subrecord_name);
	hp_html_markup(h, "</section>\n");
}

void
hp_validate_html_fallback(struct hp_html *h, const void *report)
{
	const struct hp_validate_report *r = report;

	hp_html_markup(
		h, "<h1>Heap dumps, checked</h1>\n"
		   "<p>JavaScript is disabled, so this page shows no charts."
		   "</p>\n");
	write_files(h, r);
	for (size_t i = 0; i < r->count; i++)
		write_file(h, r, &r->files[i]);
	hp_html_markup(h, "<p><code>");
	hp_html_text(h, r->command);
	hp_html_markup(h, "</code>, version " HP_VERSION "</p>\n");
}
