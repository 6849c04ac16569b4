/*
 * html_details.h - what the HTML report knows of a row that opens
 */
#ifndef HP_DIFF_REPORT_HTML_DETAILS_H
#define HP_DIFF_REPORT_HTML_DETAILS_H

#include "common/cli/json.h"
#include "diff/result.h"

/*
 * "holders", "paths", "loaders" and "sites", into the object at hand; with
 * --heap the first alone. Out of memory, @j fails.
 */
void hp_html_details(struct hp_json *j, const struct hp_result *r);

#endif
