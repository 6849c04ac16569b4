/*
 * carried.h - rows from what binary records have no place for: how often
 * methods were called, and monitors
 *
 * The agent prints these only as text. STRING records carry such lines, see
 * common/text/carried_lines.h.
 */
#ifndef HP_DIFF_CARRIED_H
#define HP_DIFF_CARRIED_H

#include "diff/keys/keys.h"

/* Are the numbers of CPU SAMPLES milliseconds (CPU TIME, cpu=old)? */
bool hp_carried_times(const struct hp_histogram *g);

/**
 * hp_carried_calls() - how often methods were called, for the rows' bytes
 * @row: the row of a trace, made if there is none; NULL: out of memory
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_carried_calls(const struct hp_column *c, struct hp_keys *k,
		 struct hp_row *(*row)(struct hp_keys *k, struct hp_rows *rows,
				       uint32_t trace),
		 struct hp_error *err);

/* Is there a MONITOR TIME report? */
bool hp_carried_has_monitors(const struct hp_histogram *g);

/**
 * hp_carried_monitors() - the last MONITOR TIME report: a row for each class
 * of monitors and stack, count: how often it was waited for, bytes:
 * milliseconds
 * @any: is there such a report?
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_carried_monitors(const struct hp_column *c,
					       struct hp_keys *k, bool *any,
					       struct hp_error *err);

#endif
