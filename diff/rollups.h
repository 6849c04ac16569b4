/*
 * rollups.h - rows that sum others
 */
#ifndef HP_DIFF_ROLLUPS_H
#define HP_DIFF_ROLLUPS_H

#include "diff/options.h"
#include "diff/rows.h"

/**
 * hp_rollups_add() - add the rows that sum others, once all inputs are read
 *
 * By package: "com.acme.*", a package with all below it, where there are
 * several. By cpu: every method, with the samples in it (count) and in it or
 * what it called (extra).
 * Returns: HP_OK; HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rollups_add(struct hp_rows *rows, enum hp_by by,
					  struct hp_budget *budget,
					  struct hp_error *err);

#endif
