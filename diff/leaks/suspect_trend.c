/*
 * suspect_trend.c - fit a straight line to the sizes of a suspect in several
 * dumps
 *
 * The fit is good if the line explains at least 95 % of the variance (the
 * coefficient of determination). If the fit is poor, the report shows no growth
 * rate, because no forecast is possible.
 */
#include "diff/leaks/internal.h"

/* the minimum share of the variance that the fitted line must explain */
#define GOOD_FIT 0.95
#define MS_PER_HOUR 3600000.0

void
hp_trend_add(struct hp_trend *t, size_t index, uint64_t time_ms, uint64_t bytes)
{
	double x = (double)index, y = (double)bytes;

	if (t->count > 0)
		t->grew += bytes > t->last;
	if (t->count == 0)
		t->first_time = time_ms;
	else if (time_ms <= t->last_time)
		/*
		 * the time of this dump, or of an earlier one, is not known: 0
		 * means that the times cannot be used
		 */
		t->first_time = 0;
	t->last_time = time_ms;
	t->last = bytes;
	t->count++;
	t->x += x;
	t->y += y;
	t->xx += x * x;
	t->xy += x * y;
	t->yy += y * y;
}

void
hp_trend_conclude(const struct hp_trend *t, struct hp_suspect_evidence *e)
{
	double n = (double)t->count;
	double dx = t->xx - t->x * t->x / n, dy = t->yy - t->y * t->y / n;
	double dxy = t->xy - t->x * t->y / n;

	e->steps = t->count > 0 ? (unsigned)t->count - 1 : 0;
	e->grew = t->grew;
	if (t->count < 3 || dx <= 0 || dy <= 0 || dxy <= 0 ||
	    dxy * dxy < GOOD_FIT * dx * dy)
		return;
	e->is_linear = true;
	e->bytes_per_dump = dxy / dx;
	if (t->first_time != 0 && t->last_time > t->first_time)
		e->bytes_per_hour = e->bytes_per_dump * (n - 1) * MS_PER_HOUR /
				    (double)(t->last_time - t->first_time);
}
