/*
 * rollups.h - add rollup rows, which sum other rows
 */
#ifndef HP_DIFF_ROLLUPS_H
#define HP_DIFF_ROLLUPS_H

#include "diff/options.h"
#include "diff/rows.h"

/**
 * hp_rollups_add() - add the rollup rows, after all inputs were read
 *
 * With --by=package, a row "com.acme.*" sums a package and all packages below
 * it, if there are several. With --by=cpu, a row for each method sums the
 * samples in the method itself and those in it or its callees (inclusive).
 * Returns: HP_OK; HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rollups_add(struct hp_rows *rows, enum hp_by by,
					  struct hp_budget *budget,
					  struct hp_error *err);

#endif
