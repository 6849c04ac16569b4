/*
 * report_json.h - a file's result as JSON, for the formats that hold it
 */
#ifndef HP_VALIDATE_REPORT_REPORT_JSON_H
#define HP_VALIDATE_REPORT_REPORT_JSON_H

#include "common/cli/json.h"
#include "validate/report/report.h"

/* One object; map and places of findings only if the result has them. */
void hp_validate_json_file(struct hp_json *j,
			   const struct hp_validate_report *r,
			   const struct hp_validation *v);

#endif
