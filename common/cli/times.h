/*
 * times.h - how long the work took, and when a dump was taken, as text
 */
#ifndef HP_CLI_TIMES_H
#define HP_CLI_TIMES_H

#include "common/base/buf.h"

/* Nanoseconds of a clock that nobody sets; only differences mean something. */
uint64_t hp_elapsed_begin(void);

/* Appends ", 0.1 s, 2 threads": since @begun, and who worked. */
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
