/* writers.c - the table of the functions that write each output format */
#include "diff/report/report.h"

/*
 * There is no function for a format that is written one dump at a time:
 * hp_report_rows() writes these formats.
 */
#define hp_report_each_dump NULL

#define FORMAT(symbol, name, suffixes, writer, ...) hp_report_##writer,
static enum hp_status (*const writers[HP_DIFF_FORMATS])(
	const struct hp_result *r, FILE *out, struct hp_error *err) = {
#include "diff/tables/formats.def"
};

enum hp_status
hp_report_write(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	return writers[hp_diff_format_id(r->options->common.format)](r, out,
								     err);
}
