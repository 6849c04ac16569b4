/*
 * report.h - results written out, one function a format
 */
#ifndef HP_VALIDATE_REPORT_REPORT_H
#define HP_VALIDATE_REPORT_REPORT_H

#include "common/cli/terminal.h"
#include "common/html/html.h"
#include "validate/validate.h"

struct hp_validate_report {
	const struct hp_validation *files;
	size_t count;
	const bool *disabled;	       /* by rule */
	enum hp_severity min_severity; /* what is below is only counted */
	bool strict;		       /* warnings are failures */
	bool color, quiet, verbose;
	const char *command;	  /* as a shell would read it */
	unsigned sandbox_missing; /* HP_SANDBOX_ layers, hp_confine() */
};

/**
 * hp_validate_text_file() - the text about one file, as soon as it is checked
 *
 * Returns: HP_OK, HP_NOMEM or HP_IO.
 */
HP_MUST_USE enum hp_status
hp_validate_text_file(const struct hp_validate_report *r, size_t i, FILE *file,
		      struct hp_error *err);

/* Each returns HP_OK, HP_NOMEM or HP_IO. Of text only what follows the files'
 * own is left to be written. */
typedef enum hp_status hp_validate_writer(const struct hp_validate_report *r,
					  FILE *file, struct hp_error *err);

hp_validate_writer hp_validate_report_text;
hp_validate_writer hp_validate_report_json;
hp_validate_writer hp_validate_report_sarif;
hp_validate_writer hp_validate_report_junit;
hp_validate_writer hp_validate_report_github;
hp_validate_writer hp_validate_report_html;

/* @report, a struct hp_validate_report, for those who have no JavaScript. */
void hp_validate_html_fallback(struct hp_html *h, const void *report);

/* "standard input" for "-". */
const char *hp_validate_shown_path(const struct hp_validation *v);

#endif
