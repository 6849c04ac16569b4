/*
 * report.h - the output formats of hprof-validate
 */
#ifndef HP_VALIDATE_REPORT_REPORT_H
#define HP_VALIDATE_REPORT_REPORT_H

#include "common/cli/flat_rows.h"
#include "common/cli/json.h"
#include "common/cli/message.h"
#include "common/html/html.h"
#include "validate/validate.h"

/* ----------------------------------------------------------------------
 * Write results, with one function for each format
 */

struct hp_validate_report {
	const struct hp_validation *files;
	size_t count;
	/*
	 * for each rule: whether the user has disabled the rule with an option
	 */
	const bool *disabled;
	/* findings of a lower severity are counted but not shown */
	enum hp_severity min_severity;
	/* --strict: a file with warnings counts as invalid */
	bool strict;
	bool color, quiet, verbose;
	/* the command line, quoted for a shell, for reports that show it */
	const char *command;
	/*
	 * parts of the sandbox that are not active, as HP_SANDBOX_ bits from
	 * hp_confine()
	 */
	unsigned sandbox_missing;
};

/**
 * hp_validate_text_file() - write the text report about one file, as soon as it
 * is checked
 *
 * Returns: HP_OK, HP_NOMEM or HP_IO.
 */
HP_MUST_USE enum hp_status
hp_validate_text_file(const struct hp_validate_report *r, size_t i, FILE *file,
		      struct hp_error *err);

/*
 * Write the report about all files. In the text format, the reports about
 * single files were already written, so write only the part after them. Returns
 * HP_OK, HP_NOMEM or HP_IO.
 */
typedef enum hp_status hp_validate_writer(const struct hp_validate_report *r,
					  FILE *file, struct hp_error *err);

hp_validate_writer hp_validate_report_text;
hp_validate_writer hp_validate_report_json;
hp_validate_writer hp_validate_report_sarif;
hp_validate_writer hp_validate_report_junit;
hp_validate_writer hp_validate_report_github;
hp_validate_writer hp_validate_report_html;

/*
 * Write the report as plain HTML, for browsers without JavaScript. @report: a
 * struct hp_validate_report.
 */
void hp_validate_html_fallback(struct hp_html *h, const void *report);

/* ----------------------------------------------------------------------
 * Write the result of a file as JSON, for all formats that contain it
 */

/*
 * Write the result of one file as a JSON object. The members "map" and "places"
 * are written only if the result has them.
 */
void hp_validate_json_file(struct hp_json *j,
			   const struct hp_validate_report *r,
			   const struct hp_validation *v);

/* ----------------------------------------------------------------------
 * Write results as rows for databases
 */

/* Start writing rows. @format is "rows" or "tsv". */
void hp_validate_rows_open(struct hp_flat_rows *f, const char *format,
			   const struct hp_labels *labels, FILE *out);

/**
 * hp_validate_rows_file() - write the rows of one file
 * @least: findings with a lower severity get no row
 *
 * Returns: HP_OK, HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validate_rows_file(struct hp_flat_rows *f,
						 const struct hp_validation *v,
						 enum hp_severity least,
						 struct hp_error *err);

#endif
