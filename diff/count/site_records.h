/*
 * site_records.h - make rows from records outside the heap: ALLOC SITES, CPU
 * SAMPLES and MONITOR TIME
 */
#ifndef HP_DIFF_COUNT_SITE_RECORDS_H
#define HP_DIFF_COUNT_SITE_RECORDS_H

#include "diff/keys/keys.h"

/**
 * hp_site_records_add() - add the live counts of the dump's ALLOC SITES record
 * @any: set to true if there is such a record
 *
 * The agent writes this record after the heap dump of the same request. So it
 * is the last such record before the next dump.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_site_records_add(const struct hp_column *c,
					       bool *any, struct hp_error *err);

/*
 * Add the dump's CPU SAMPLES record to the samples of the rows, or to their
 * milliseconds if it is a report of CPU TIME. Also adds the calls. Sets @any
 * and returns a status as hp_site_records_add() does.
 */
HP_MUST_USE enum hp_status hp_cpu_samples_add(const struct hp_column *c,
					      bool *any, struct hp_error *err);

/*
 * Add the file's last MONITOR TIME report to the rows. The report may be before
 * or after the heap dump of its request. Sets @any and returns a status as
 * hp_site_records_add() does.
 */
HP_MUST_USE enum hp_status hp_records_monitors(const struct hp_column *c,
					       bool *any, struct hp_error *err);

#endif
