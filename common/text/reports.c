/*
 * reports.c - translate the tables of the agent's text: allocation sites, CPU
 * samples, CPU times and monitors
 *
 * The binary format has records for allocation sites and CPU samples. A table
 * of CPU times becomes a CPU SAMPLES record with milliseconds instead of
 * counts, as in the agent's binary dumps. The format has no record for call
 * counts and monitors, so their lines are stored in STRING records.
 */
#include "common/text/internal.h"

#include <math.h>

/*
 * The largest difference between a percentage that an agent prints and the
 * exact value, in units of 0.01 %. It is half a unit for rounding, plus the
 * error of a division. HALF_EXACT assumes that the agent divided 64-bit floats,
 * HALF that it divided 32-bit floats.
 */
#define HALF_EXACT 0.501
#define HALF 0.502

/*
 * The maximum error of the sum of the percentages of @rows rows, in units of
 * 0.01 %. Agents add the percentages as 32-bit floats. For sums below 128 %,
 * each addition has an error of up to 2^-18 %.
 */
#define SUM_ROUNDING(rows) (100.0 / (1 << 18) * (rows))

bool
hp_text_report_begin(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_report *p = &r->report;
	struct hp_vec rows = p->rows;
	static const enum hp_text_within within[] = {
		[HP_TEXT_SITES_BEGIN] = HP_WITHIN_SITES,
		[HP_TEXT_SAMPLES_BEGIN] = HP_WITHIN_SAMPLES,
		[HP_TEXT_TIMES_BEGIN] = HP_WITHIN_TIMES,
		[HP_TEXT_MONITORS_BEGIN] = HP_WITHIN_MONITORS,
		[HP_TEXT_OLD_BEGIN] = HP_WITHIN_OLD,
		[HP_TEXT_MONITOR_DUMP_BEGIN] = HP_WITHIN_MONITOR_DUMP};

	rows.count = 0;
	*p = (struct hp_text_report){.spot = hp_text_here(r),
				     .total = i->size,
				     .last = UINT64_MAX,
				     .exact = {.high = INFINITY},
				     .loose = {.high = INFINITY},
				     .by_allocated = i->by_allocated,
				     .time_us = hp_text_time_us(r, i->time_ms),
				     .rows = rows};
	r->within = within[i->kind];
	if (!hp_text_flush(r))
		return false;
	return r->within == HP_WITHIN_SITES || r->within == HP_WITHIN_SAMPLES ||
	       hp_text_carry(r);
}

/* ---- checking the numbers ---- */

static void
tell_row(struct hp_text_records *r, enum hp_text_oddity oddity, uint64_t b)
{
	const struct hp_text_spot here = hp_text_here(r);

	hp_text_tell(r, oddity, &here, r->report.rank, b);
}

/*
 * Use a row to narrow the range of possible totals of a report. According to
 * the row, @part is @percent of the total. @percent is in units of 0.01 %, and
 * may be wrong by @off units.
 */
static void
narrow_total(struct hp_text_bounds *total, uint64_t part, uint32_t percent,
	     double off)
{
	double least = 1e4 * (double)part / (percent + off);
	double most =
		percent > off ? 1e4 * (double)part / (percent - off) : INFINITY;

	if (least > total->low)
		total->low = least;
	if (most < total->high)
		total->high = most;
}

/*
 * Whether @part can be @percent of @total. @percent is in units of 0.01 %, and
 * may be wrong by @off units.
 */
static bool
is_percent(uint32_t percent, uint64_t part, uint64_t total, double off)
{
	return total == 0 ||
	       fabs(percent - 1e4 * (double)part / (double)total) <= off;
}

/*
 * Returns the maximum error of the sum of the percentages up to the current
 * row, in units of 0.01 %.
 */
static double
sum_off(const struct hp_text_report *p)
{
	return HALF + SUM_ROUNDING((double)p->rank);
}

static void
check_site(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_report *p = &r->report;

	narrow_total(&p->exact, i->live_bytes, i->self, HALF_EXACT);
	narrow_total(&p->exact, p->sum, i->accum, HALF_EXACT);
	narrow_total(&p->loose, i->live_bytes, i->self, HALF);
	narrow_total(&p->loose, p->sum, i->accum, sum_off(p));
	if (p->loose.low > p->loose.high && !p->told) {
		tell_row(r, HP_TEXT_ODD_PERCENT, 0);
		p->told = true;
	}
}

static void
check_sample(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_report *p = &r->report;

	if (!is_percent(i->self, i->count, p->total, HALF) ||
	    !is_percent(i->accum, p->sum, p->total, sum_off(p)))
		tell_row(r, HP_TEXT_ODD_PERCENT, 0);
	if (p->sum > p->total && !p->told) {
		const struct hp_text_spot here = hp_text_here(r);

		hp_text_tell(r, HP_TEXT_ODD_TOTAL, &here, p->sum, p->total);
		p->told = true;
	}
}

/*
 * Check the column with the sum of percentages. Called for rows whose own
 * percentage cannot be checked.
 */
static void
check_sum(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_report *p = &r->report;

	if (fabs((double)i->accum - (double)p->sum) >
		    HALF_EXACT * (p->rank + 1) &&
	    !p->told) {
		tell_row(r, HP_TEXT_ODD_PERCENT, 0);
		p->told = true;
	}
}

/*
 * Check the order of the rows: @rank must be the rank of the previous row plus
 * 1. @measure is the value in the column by which the table is sorted; it must
 * not be larger than in the previous row.
 */
static void
check_order(struct hp_text_records *r, uint32_t rank, uint64_t measure)
{
	struct hp_text_report *p = &r->report;
	uint32_t expected = p->rank + 1;

	p->rank = rank;
	if (rank != expected)
		tell_row(r, HP_TEXT_ODD_RANK, expected);
	if (measure > p->last)
		tell_row(r, HP_TEXT_ODD_ORDER, 0);
	p->last = measure;
}

/* ---- rows ---- */

static bool
site_row(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_report *p = &r->report;
	uint32_t class = hp_text_class_named(r, i->name);

	if (!class || !hp_text_use_trace(r, i->trace) ||
	    !HP_VEC_PUSH(
		    &p->rows, struct hp_text_row, class, i->trace,
		    {i->live_bytes, i->live_count, i->all_bytes, i->all_count}))
		return false;
	p->sum += i->live_bytes;
	p->live_count += i->live_count;
	p->all_sum += i->all_bytes;
	p->all_count += i->all_count;
	check_order(r, i->rank, p->by_allocated ? i->all_bytes : i->live_bytes);
	check_site(r, i);
	return true;
}

static bool
counted_row(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_report *p = &r->report;
	bool times = r->within == HP_WITHIN_TIMES;
	uint64_t ms = hp_text_share(i->self, p->total);

	if (!hp_text_use_trace(r, i->trace))
		return false;
	if (r->within != HP_WITHIN_MONITORS &&
	    !HP_VEC_PUSH(&p->rows, struct hp_text_row, .trace = i->trace,
			 .values = {times ? ms : i->count}))
		return false;
	check_order(r, i->rank,
		    r->within == HP_WITHIN_SAMPLES ? i->count : i->self);
	if (r->within == HP_WITHIN_SAMPLES) {
		p->sum += i->count;
		check_sample(r, i);
		return true;
	}
	p->sum += i->self;
	check_sum(r, i);
	return hp_text_carry(r);
}

/*
 * Returns the number of the stack frame for a method of a cpu=old report, such
 * as "Ag.fast(I)D". Returns 0 if out of memory.
 */
static uint32_t
old_frame(struct hp_text_records *r, struct hp_slice text)
{
	struct hp_text_frame_key key = {.line = -1};
	struct hp_text_method m = {.name = text};

	if (!hp_text_method(text, &m))
		m = (struct hp_text_method){.class_name = {"Unknown_class", 13},
					    .name = text,
					    .signature = {"", 0}};
	key.class = hp_text_class_named(r, m.class_name);
	key.method = hp_text_name(r, m.name);
	key.signature = hp_text_name(r, m.signature);
	return key.class && key.method && key.signature ? hp_text_frame(r, &key)
							: 0;
}

/*
 * Translate a row of a cpu=old report to a stack trace of two frames: the
 * called method and the calling method.
 */
static bool
old_row(struct hp_text_records *r, const struct hp_text_item *i)
{
	struct hp_text_report *p = &r->report;
	const struct hp_slice names[2] = {i->name, i->method};
	struct hp_text_row *row = hp_vec_add(&p->rows, sizeof(*row));
	uint32_t frames[2], n = 0;

	for (unsigned k = 0; k < 2; k++) {
		if (names[k].length == 0)
			continue;
		frames[n] = old_frame(r, names[k]);
		if (!frames[n++])
			return false;
	}
	if (!row)
		return false;
	*row = (struct hp_text_row){.trace = (uint32_t)p->rows.count,
				    .values = {i->size}};
	p->total += i->size;
	hp_append_record_head(&r->waiting, HP_REC_STACK_TRACE, 0,
			      12 + (uint64_t)n * r->model.id_size);
	hp_append_uint(&r->waiting, row->trace, 4);
	hp_append_uint(&r->waiting, 0, 4);
	hp_append_uint(&r->waiting, n, 4);
	for (unsigned k = 0; k < n; k++)
		hp_text_put_id(r, &r->waiting, hp_text_frame_id(frames[k]));
	check_order(r, p->rank + 1, i->count);
	return hp_text_carry(r);
}

bool
hp_text_report_row(struct hp_text_records *r, const struct hp_text_item *i)
{
	switch (i->kind) {
	case HP_TEXT_SITE:
		return site_row(r, i);
	case HP_TEXT_ROW:
		return counted_row(r, i);
	case HP_TEXT_OLD_ROW:
		return old_row(r, i);
	case HP_TEXT_MONITOR_LINE:
		return hp_text_use_trace(r, i->trace) && hp_text_carry(r);
	default:
		return r->within == HP_WITHIN_SITES ||
		       r->within == HP_WITHIN_SAMPLES || hp_text_carry(r);
	}
}

/* ---- records ---- */

/*
 * Estimate the live bytes of all sites from the percentages. The table leaves
 * out small sites, so the sum of its rows is too small. The result is limited
 * to 32 bits.
 */
static uint64_t
live_total(const struct hp_text_report *p)
{
	const struct hp_text_bounds *b =
		p->exact.low <= p->exact.high ? &p->exact : &p->loose;
	double sum = (double)p->sum;

	if (b->low > b->high)
		return p->sum;
	if (sum < b->low)
		return b->low < UINT32_MAX ? (uint64_t)ceil(b->low)
					   : UINT32_MAX;
	return sum > b->high ? (uint64_t)floor(b->high) : p->sum;
}

static unsigned
array_kind(const struct hp_text_records *r, uint32_t class)
{
	struct hp_slice w = hp_text_interned(r, hp_text_class(r, class)->name);
	unsigned type = hp_text_array_type(w);

	if (type)
		return type;
	return w.length > 2 && w.text[w.length - 1] == ']' ? HP_TYPE_OBJECT : 0;
}

static void
put_sites(struct hp_text_records *r)
{
	const struct hp_text_report *p = &r->report;
	const struct hp_text_row *rows = p->rows.items;
	struct hp_buf *b = &r->waiting;

	hp_append_record_head(b, HP_REC_ALLOC_SITES, p->time_us,
			      34 + HP_SITE_ROW * (uint64_t)p->rows.count);
	hp_append_uint(b, p->by_allocated ? 2 : 0, 2);
	hp_append_uint(b, 0, 4);
	hp_append_most(b, live_total(p));
	hp_append_most(b, p->live_count);
	hp_append_uint(b, p->all_sum, 8);
	hp_append_uint(b, p->all_count, 8);
	hp_append_uint(b, p->rows.count, 4);
	for (size_t k = 0; k < p->rows.count; k++) {
		hp_append_uint(b, array_kind(r, rows[k].class), 1);
		hp_append_uint(b, rows[k].class, 4);
		hp_append_uint(b, rows[k].trace, 4);
		for (unsigned v = 0; v < 4; v++)
			hp_append_most(b, rows[k].values[v]);
	}
}

static void
put_samples(struct hp_text_records *r)
{
	const struct hp_text_report *p = &r->report;
	const struct hp_text_row *rows = p->rows.items;
	struct hp_buf *b = &r->waiting;

	hp_append_record_head(b, HP_REC_CPU_SAMPLES, p->time_us,
			      8 + HP_SAMPLE_ROW * (uint64_t)p->rows.count);
	hp_append_most(b, p->total);
	hp_append_uint(b, p->rows.count, 4);
	for (size_t k = 0; k < p->rows.count; k++) {
		hp_append_most(b, rows[k].values[0]);
		hp_append_uint(b, rows[k].trace, 4);
	}
}

bool
hp_text_report_end(struct hp_text_records *r, bool whole)
{
	enum hp_text_within within = r->within;

	if (!whole && within != HP_WITHIN_OLD)
		hp_text_tell(r, HP_TEXT_ODD_END, &r->report.spot, within, 0);
	r->within = HP_WITHIN_NOTHING;
	if (within != HP_WITHIN_SITES && within != HP_WITHIN_SAMPLES && whole &&
	    !hp_text_carry(r))
		return false;
	/*
	 * First write the records that wait, because the report refers to their
	 * classes.
	 */
	if (!hp_text_flush(r))
		return false;
	hp_text_place(r, r->total, &r->report.spot);
	if (within == HP_WITHIN_SITES)
		put_sites(r);
	else if (within != HP_WITHIN_MONITORS &&
		 within != HP_WITHIN_MONITOR_DUMP)
		put_samples(r);
	return hp_text_flush(r);
}
