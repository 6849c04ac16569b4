/*
 * report_html.c - the result as one self-contained page: the JSON result
 * between the fixed parts of html_template.c
 */
#include "diff/report/report.h"

#include "diff/report/html_template.h"
#include "diff/report/report_json.h"

enum hp_status
hp_report_html(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf fixed = {0};
	struct hp_json j;
	enum hp_status st;

	hp_buf_text(&fixed, hp_page_begin);
	st = hp_buf_flush(&fixed, out, err);
	if (st == HP_OK) {
		hp_json_init(&j, out, HP_JSON_COMPACT);
		j.script = true;
		hp_report_json_result(&j, r);
		st = hp_json_finish(&j, err);
	}
	if (st == HP_OK) {
		hp_buf_text(&fixed, hp_page_end);
		st = hp_buf_flush(&fixed, out, err);
	}
	hp_buf_release(&fixed);
	return st;
}
