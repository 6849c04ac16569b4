/*
 * times.c - elapsed times and dates as text
 */
#include "common/cli/quantity.h"

#include <inttypes.h>
#include <time.h>

uint64_t
hp_elapsed_begin(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * A time of less than a minute is shown in tenths of a second. A longer time is
 * shown in hours, minutes and seconds.
 */
void
hp_elapsed_text(struct hp_buf *b, uint64_t begun, unsigned threads)
{
	uint64_t tenths = (hp_elapsed_begin() - begun + 50000000) / 100000000;
	uint64_t seconds = (tenths + 5) / 10;

	if (tenths < 600)
		hp_buf_printf(b, ", %" PRIu64 ".%" PRIu64 " s", tenths / 10,
			      tenths % 10);
	else
		hp_buf_printf(b, ", %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " h",
			      seconds / 3600, seconds / 60 % 60, seconds % 60);
	hp_buf_printf(b, ", %u thread%s", threads, threads == 1 ? "" : "s");
}

bool
hp_time_text(struct hp_buf *b, uint64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	char when[40];
	struct tm tm;

	if (ms >= HP_TIME_END || !gmtime_r(&seconds, &tm) ||
	    strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
		return false;
	hp_buf_text(b, when);
	return true;
}
