/*
 * report.h - a result in each of the formats
 */
#ifndef HP_DIFF_REPORT_REPORT_H
#define HP_DIFF_REPORT_REPORT_H

#include <stdio.h>

#include "common/cli/table.h"
#include "common/html/page.h"
#include "diff/result.h"

/* Each returns HP_OK, HP_IO or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_report_json(const struct hp_result *r, FILE *out,
					  struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_ndjson(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_csv(const struct hp_result *r, FILE *out,
					 struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_table(const struct hp_result *r,
					   const struct hp_table_style *style,
					   FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_folded(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_html(const struct hp_result *r, FILE *out,
					  struct hp_error *err);

/* The HTML report for those who have no JavaScript: struct hp_result *. */
void hp_html_fallback(struct hp_html *h, const void *result);

#endif
