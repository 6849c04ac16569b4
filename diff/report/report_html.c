/*
 * report_html.c - the result as one self-contained page
 *
 * The build makes strings of page.html, page.css and page.js: page_html ...
 * Nothing is fetched, and the page's own policy forbids it. The script reads
 * the JSON result from the element "data" and only ever sets text, never
 * markup.
 */
#include "diff/report/report.h"

#include "diff/report/report_json.h"

#include "diff/report/page.css.inc"
#include "diff/report/page.html.inc"
#include "diff/report/page.js.inc"

static enum hp_status
write_data(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_json j;

	hp_json_init(&j, out, HP_JSON_COMPACT);
	j.script = true;
	hp_report_json_result(&j, r);
	return hp_json_finish(&j, err);
}

/* Lines of the page that stand for a part: "@page.css@", "@data@" ... */
enum hp_status
hp_report_html(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	struct hp_buf text = {0};
	const char *line = page_html, *end;

	for (; st == HP_OK && (end = strchr(line, '\n')); line = end + 1) {
		if (strncmp(line, "@page.css@", 10) == 0)
			hp_buf_text(&text, page_css);
		else if (strncmp(line, "@page.js@", 9) == 0)
			hp_buf_text(&text, page_js);
		else if (strncmp(line, "@data@", 6) != 0)
			hp_buf_add(&text, line, (size_t)(end + 1 - line));
		else if ((st = hp_buf_flush(&text, out, err)) == HP_OK)
			st = write_data(r, out, err);
	}
	if (st == HP_OK)
		st = hp_buf_flush(&text, out, err);
	hp_buf_release(&text);
	return st;
}
