/*
 * report_rows.h - what is right and wrong about dumps as rows for engines
 */
#ifndef HP_VALIDATE_REPORT_REPORT_ROWS_H
#define HP_VALIDATE_REPORT_REPORT_ROWS_H

#include "common/cli/flat_rows.h"
#include "validate/validate.h"

/* Start, in the format of that name. */
void hp_validate_rows_open(struct hp_flat_rows *f, const char *format,
			   const struct hp_labels *labels, FILE *out);

/**
 * hp_validate_rows_file() - the rows of one file
 * @least: findings below this severity have no row
 *
 * Returns: HP_OK, HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_validate_rows_file(struct hp_flat_rows *f,
						 const struct hp_validation *v,
						 enum hp_severity least,
						 struct hp_error *err);

#endif
