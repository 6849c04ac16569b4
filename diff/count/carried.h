/*
 * carried.h - make rows from reports that have no HPROF record: calls of
 * methods, and waiting for monitors
 *
 * The agent can print these reports only as text. In a binary file, STRING
 * records contain the lines of the text, see common/text/text.h.
 */
#ifndef HP_DIFF_CARRIED_H
#define HP_DIFF_CARRIED_H

#include "diff/keys/keys.h"

/*
 * Whether the numbers in the CPU SAMPLES records are milliseconds, because the
 * agent wrote a CPU TIME report. Otherwise they are numbers of samples.
 */
bool hp_carried_times(const struct hp_histogram *g);

/**
 * hp_carried_calls() - add the numbers of calls to the rows of methods
 *
 * @row: finds or creates the row of a stack trace; returns NULL if out of
 *   memory
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_carried_calls(const struct hp_column *c, struct hp_keys *k,
		 struct hp_row *(*row)(struct hp_keys *k, struct hp_rows *rows,
				       uint32_t trace),
		 struct hp_error *err);

/*
 * Whether the file has a MONITOR TIME report, which shows how long threads have
 * waited for monitors.
 */
bool hp_carried_has_monitors(const struct hp_histogram *g);

/**
 * hp_carried_monitors() - make rows from the last MONITOR TIME report
 *
 * A row is a class of monitors and a stack. The row has the number of waits,
 * and the milliseconds that threads have waited.
 *
 * @any: set to true if the file has a MONITOR TIME report
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_carried_monitors(const struct hp_column *c,
					       struct hp_keys *k, bool *any,
					       struct hp_error *err);

#endif
