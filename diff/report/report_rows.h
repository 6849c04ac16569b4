/*
 * report_rows.h - what is in one dump as rows for engines
 */
#ifndef HP_DIFF_REPORT_REPORT_ROWS_H
#define HP_DIFF_REPORT_REPORT_ROWS_H

#include "common/cli/flat_rows.h"
#include "diff/result.h"

/* Start; of TSV the header line depends on the options alone. */
void hp_report_rows_open(struct hp_flat_rows *f,
			 const struct hp_diff_options *o, bool retained,
			 FILE *out);

/**
 * hp_report_rows() - the rows of one dump
 * @r:     of that dump alone
 * @error: why it could not be used, in the visible form; empty: it could.
 *         Then hp_result_finish() has been called
 *
 * Returns: HP_OK, HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_report_rows(struct hp_flat_rows *f,
					  const struct hp_result *r,
					  const struct hp_buf *error,
					  struct hp_error *err);

#endif
