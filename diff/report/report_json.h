/*
 * report_json.h - pieces of the JSON result that the HTML report embeds, too
 */
#ifndef HP_DIFF_REPORT_REPORT_JSON_H
#define HP_DIFF_REPORT_REPORT_JSON_H

#include "common/cli/json.h"
#include "diff/result.h"

/* The whole result; the object that it is in is the caller's. */
void hp_report_json_members(struct hp_json *j, const struct hp_result *r);

#endif
