/*
 * report_html.c - the result as one self-contained page: the JSON result
 * between the fixed parts of page.c
 */
#include "diff/report.h"

#include "diff/page.h"
#include "diff/report_json.h"

/*
 * JSON inside a script element: it must not hold "</script" or "<!--". All of
 * '<' in JSON stands in strings, where \u003c means the same.
 */
static void
hp_html_data(struct hp_buf *out, const char *json, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (json[i] == '<')
			hp_buf_text(out, "\\u003c");
		else
			hp_buf_byte(out, json[i]);
	}
}

enum hp_status
hp_report_html(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf page = {0};
	struct hp_json j;
	enum hp_status st;

	hp_json_init(&j, NULL, HP_JSON_COMPACT);
	hp_report_json_result(&j, r);
	hp_buf_text(&page, hp_page_begin);
	hp_html_data(&page, j.buf.data, j.buf.len);
	hp_buf_text(&page, hp_page_end);
	hp_buf_inherit(&page, &j.buf);
	st = hp_buf_flush(&page, out, err);
	hp_buf_release(&page);
	hp_buf_release(&j.buf);
	return st;
}
