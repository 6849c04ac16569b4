/*
 * report_html.c - the result as one self-contained page
 */
#include "diff/report.h"

enum hp_status
hp_report_html(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	(void)r;
	(void)out;
	return hp_fail(err, HP_UNSUPPORTED, "no HTML here");
}
