/*
 * print.c - print those lines of the agent's text that contain numbers
 *
 * Source: hprof_io.c and hprof_trace.c of the agent in JDK 8
 */
#include "common/text/text.h"

#include <float.h>
#include <math.h>
#include <time.h>

__extension__ typedef unsigned __int128 wide;

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

/*
 * Convert a non-negative number below 2^74 to hundredths: 1.5 becomes 150.
 * Rounds exactly as printf() does: to nearest, ties to even.
 */
static wide
hundredths(double v)
{
	int exponent;
	wide n = 100 * (wide)ldexp(frexp(v, &exponent), DBL_MANT_DIG), cut,
	     half;

	exponent -= DBL_MANT_DIG;
	if (exponent >= 0)
		return n << exponent;
	/* the exponent is so small that @v rounds to 0.00 */
	if (exponent < -63)
		return 0;
	half = (wide)1 << (-exponent - 1);
	cut = n & (2 * half - 1);
	n >>= -exponent;
	return n + (cut > half || (cut == half && n & 1));
}

/*
 * Print a percentage as "%5.2f%% " does, but with a decimal point in every
 * locale. The agent's code runs in a JVM, which sets the user's locale.
 */
static void
put_percent(struct hp_buf *out, uint64_t part, uint64_t total)
{
	wide v = total ? hundredths(100.0 * (double)part / (double)total) : 0;
	char text[48], *end = text + sizeof(text), *at = end;

	*--at = ' ';
	*--at = '%';
	for (unsigned digits = 0; digits < 3 || v; digits++) {
		if (digits == 2)
			*--at = '.';
		*--at = (char)('0' + (int)(v % 10));
		v /= 10;
	}
	while (end - at < 7)
		*--at = ' ';
	hp_buf_add(out, at, (size_t)(end - at));
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
	hp_buf_printf(out, "%5llu ", (unsigned long long)s->rank);
	put_percent(out, s->live_bytes, s->total);
	put_percent(out, s->sum, s->total);
	hp_buf_printf(out, "%9llu %4llu %9llu %5llu %5llu ",
		      (unsigned long long)s->live_bytes,
		      (unsigned long long)s->live_count,
		      (unsigned long long)s->all_bytes,
		      (unsigned long long)s->all_count,
		      (unsigned long long)s->trace);
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
	hp_buf_printf(out, "%4llu ", (unsigned long long)rank);
	put_percent(out, self, total);
	put_percent(out, sum, total);
	hp_buf_printf(out, "%7llu %5llu ", (unsigned long long)count,
		      (unsigned long long)trace);
}
