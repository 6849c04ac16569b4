/*
 * report_html.c - write results as one self-contained HTML page
 *
 * The page consists of common/html/ and validate/report/page.html, page.css and
 * page.js. Its script reads the JSON result, and the descriptions of the rules
 * that occur in it.
 */
#include "validate/report/report.h"

#include <string.h>

#include "common/options/options.h"
#include "common/cli/quantity.h"
#include "common/html/html.h"

/*
 * the constant parts of the page; the build creates this variable from
 * page.html, page.css and page.js
 */
extern const struct hp_page_text hp_validate_page;

/*
 * Whether the page has findings of the rule, or says that the rule was not
 * checked.
 */
static bool
is_rule_shown(const struct hp_validate_report *r, unsigned rule)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct hp_validation *v = &r->files[i];

		if (v->unchecked[rule])
			return true;
		for (size_t k = 0; k < v->nrules; k++) {
			if (v->rules[k].rule == rule)
				return true;
		}
	}
	return false;
}

/* Write the descriptions of all rules that the page mentions, with advice. */
static void
write_catalogue(struct hp_json *j, const struct hp_validate_report *r)
{
	hp_json_put_object(j, "catalogue");
	for (unsigned i = 0; i < HP_RULE_COUNT; i++) {
		const struct hp_rule_desc *d = hp_rule_desc((enum hp_rule)i);

		if (!is_rule_shown(r, i))
			continue;
		hp_json_put_object_flat(j, d->id);
		hp_json_put_string(j, "line", d->line);
		hp_json_put_string(j, "about", hp_section_name(d->section));
		hp_json_put_string(j, "meaning", d->paragraph);
		hp_json_put_string(
			j, "advice",
			hp_rule_advice((enum hp_rule)i, HP_SEVERITY_ERROR));
		hp_json_object_end(j);
	}
	hp_json_object_end(j);
}

static void
write_data(struct hp_json *j, const void *report)
{
	const struct hp_validate_report *r = report;

	hp_json_object(j);
	hp_json_put_string(j, "tool", "hprof-validate");
	hp_json_put_string(j, "version", HP_VERSION);
	hp_json_put_string(j, "command", r->command);
	hp_json_put_bool(j, "strict", r->strict);
	hp_json_put_string(j, "min_severity",
			   hp_severity_name(r->min_severity));
	hp_confine_json(j, r->sandbox_missing);
	write_catalogue(j, r);
	hp_json_put_array(j, "files");
	for (size_t i = 0; i < r->count; i++)
		hp_validate_json_file(j, r, &r->files[i]);
	hp_json_array_end(j);
	hp_json_object_end(j);
}

/*
 * Append the title: "invalid: a.hprof · hprof-validate". It begins with the
 * verdict, because browser tabs show only the beginning.
 */
static void
add_title(struct hp_buf *b, const void *ctx)
{
	const struct hp_validate_report *r = ctx;
	uint64_t bad = 0;

	if (r->count == 1) {
		hp_buf_printf(b, "%s: ", hp_verdict_name(r->files[0].verdict));
		hp_buf_text(b, hp_shown_file_name(r->files[0].path));
	} else {
		for (size_t i = 0; i < r->count; i++)
			bad += r->files[i].verdict != HP_VALID;
		hp_count_text(b, bad);
		hp_buf_text(b, " of ");
		hp_count_text(b, r->count);
		hp_buf_text(b, " files are not valid");
	}
	hp_buf_text(b, " · hprof-validate");
}

enum hp_status
hp_validate_report_html(const struct hp_validate_report *r, FILE *file,
			struct hp_error *err)
{
	const struct hp_page page = {.text = &hp_validate_page,
				     .write_title = add_title,
				     .write_fallback =
					     hp_validate_html_fallback,
				     .write_data = write_data,
				     .ctx = r};

	return hp_page_write(&page, file, err);
}
