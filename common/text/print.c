/*
 * print.c - lines of the agent's text
 *
 * Source: hprof_io.c and hprof_trace.c of JDK 8's agent, for what is printed.
 */
#include "common/text/print.h"

#include <time.h>

void
hp_print_time(struct hp_buf *out, uint64_t ms)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t t = (time_t)(ms / 1000);
	struct tm tm = {0};

	if (!gmtime_r(&t, &tm)) {
		hp_buf_text(out, "at an unknown time\n");
		return;
	}
	hp_buf_printf(out, "%.3s %.3s %2d %02d:%02d:%02d %lld\n",
		      days + 3 * tm.tm_wday, months + 3 * tm.tm_mon, tm.tm_mday,
		      tm.tm_hour, tm.tm_min, tm.tm_sec,
		      1900 + (long long)tm.tm_year);
}

void
hp_print_line_number(struct hp_buf *out, int32_t line)
{
	switch (line) {
	case -1:
		hp_buf_text(out, "Unknown line");
		break;
	case -2:
		hp_buf_text(out, "Compiled method");
		break;
	case -3:
		hp_buf_text(out, "Native method");
		break;
	default:
		hp_buf_i64(out, line);
		break;
	}
}

static double
percent(uint64_t part, uint64_t total)
{
	return total ? 100.0 * (double)part / (double)total : 0.0;
}

void
hp_print_sites_begin(struct hp_buf *out, bool by_allocated, uint64_t ms)
{
	hp_buf_printf(out, "SITES BEGIN (ordered by %s) ",
		      by_allocated ? "allocated bytes" : "live bytes");
	hp_print_time(out, ms);
	hp_buf_text(out, "          percent          live          alloc'ed  "
			 "stack class\n rank   self  accum     bytes objs     "
			 "bytes  objs trace name\n");
}

void
hp_print_site(struct hp_buf *out, const struct hp_print_site *s)
{
	hp_buf_printf(
		out, "%5llu %5.2f%% %5.2f%% %9llu %4llu %9llu %5llu %5llu ",
		(unsigned long long)s->rank, percent(s->live_bytes, s->total),
		percent(s->sum, s->total), (unsigned long long)s->live_bytes,
		(unsigned long long)s->live_count,
		(unsigned long long)s->all_bytes,
		(unsigned long long)s->all_count, (unsigned long long)s->trace);
}

void
hp_print_samples_begin(struct hp_buf *out, uint64_t total, bool rows,
		       uint64_t ms)
{
	hp_buf_printf(out, "CPU SAMPLES BEGIN (total = %llu) ",
		      (unsigned long long)total);
	hp_print_time(out, ms);
	if (rows)
		hp_buf_text(out, "rank   self  accum   count trace method\n");
}

void
hp_print_row(struct hp_buf *out, uint64_t rank, uint64_t self, uint64_t sum,
	     uint64_t total, uint64_t count, uint64_t trace)
{
	hp_buf_printf(out, "%4llu %5.2f%% %5.2f%% %7llu %5llu ",
		      (unsigned long long)rank, percent(self, total),
		      percent(sum, total), (unsigned long long)count,
		      (unsigned long long)trace);
}
