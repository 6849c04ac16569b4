/*
 * times.h - elapsed time and the date of a dump, as text
 */
#ifndef HP_CLI_TIMES_H
#define HP_CLI_TIMES_H

#include "common/base/buf.h"

/*
 * The current time of a monotonic clock, in nanoseconds. Only differences are
 * meaningful.
 */
uint64_t hp_elapsed_begin(void);

/* Append ", 0.1 s, 2 threads": the time since @begun, and the threads. */
void hp_elapsed_text(struct hp_buf *b, uint64_t begun, unsigned threads);

#define HP_TIME_END UINT64_C(253402300800000) /* the year 10000, in ms */

/**
 * hp_time_text() - append "2026-11-21 06:28:10 UTC"
 * @ms: since 1970-01-01 UTC
 *
 * Returns: false, and appends nothing, beyond the year 9999.
 */
bool hp_time_text(struct hp_buf *b, uint64_t ms);

#endif
