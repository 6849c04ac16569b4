/*
 * report_json.h - write the result of a file as JSON, for all formats that
 * contain it
 */
#ifndef HP_VALIDATE_REPORT_REPORT_JSON_H
#define HP_VALIDATE_REPORT_REPORT_JSON_H

#include "common/cli/json.h"
#include "validate/report/report.h"

/*
 * Write the result as one object. It has a map and places only if the result
 * has them.
 */
void hp_validate_json_file(struct hp_json *j,
			   const struct hp_validate_report *r,
			   const struct hp_validation *v);

#endif
