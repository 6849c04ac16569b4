/*
 * report_json.h - pieces of the JSON result that the HTML report embeds, too
 */
#ifndef HP_DIFF_REPORT_JSON_H
#define HP_DIFF_REPORT_JSON_H

#include "common/cli/json.h"
#include "diff/result.h"

/*
 * A text that is in the visible form already, as a value. The text functions
 * of json.h would escape its escapes.
 */
void hp_report_json_visible(struct hp_json *j, const char *text, size_t n);

/* The whole result as one object. */
void hp_report_json_result(struct hp_json *j, const struct hp_result *r);

#endif
