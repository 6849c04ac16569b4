/*
 * site_records.h - rows from records outside the heap: ALLOC SITES, CPU SAMPLES
 */
#ifndef HP_DIFF_COUNT_SITE_RECORDS_H
#define HP_DIFF_COUNT_SITE_RECORDS_H

#include "diff/keys/keys.h"

/**
 * hp_site_records_add() - the dump's ALLOC SITES record, live counts
 * @any: is there such a record?
 *
 * The agent writes it behind the heap dump of the same request, so that it is
 * the last one in front of the next dump.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_site_records_add(const struct hp_column *c,
					       bool *any, struct hp_error *err);

/*
 * The same for its CPU SAMPLES record: counts are samples, or of CPU TIME
 * milliseconds, and bytes are calls.
 */
HP_MUST_USE enum hp_status hp_cpu_samples_add(const struct hp_column *c,
					      bool *any, struct hp_error *err);

/*
 * The same for the file's last MONITOR TIME report: counts, and bytes are
 * milliseconds. It stands before the heap dump of its request or behind it.
 */
HP_MUST_USE enum hp_status hp_records_monitors(const struct hp_column *c,
					       bool *any, struct hp_error *err);

#endif
