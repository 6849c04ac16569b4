/*
 * report_rows.h - write results as rows for databases
 */
#ifndef HP_VALIDATE_REPORT_REPORT_ROWS_H
#define HP_VALIDATE_REPORT_REPORT_ROWS_H

#include "common/cli/flat_rows.h"
#include "validate/validate.h"

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
