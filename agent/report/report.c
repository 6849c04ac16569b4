/* report.c - copy the agent's counters into the sorted rows of a report */
#include "agent/report/report.h"

#include "agent/events/calls.h"
#include "common/base/vec.h"

#include <stdlib.h>

/*
 * Round an estimate to an integer. Only this function rounds estimates, so that
 * they are rounded in the same way everywhere.
 */
static uint64_t
whole(const _Atomic uint64_t *v)
{
	uint64_t x = atomic_load_explicit(v, memory_order_relaxed);

	return (x + (1 << (HP_SITE_FRACTION - 1))) >> HP_SITE_FRACTION;
}

static struct hp_agent_values
values_of(const struct hp_agent_site *s)
{
	return (struct hp_agent_values){.live_bytes = whole(&s->live_bytes),
					.live_count = whole(&s->live_count),
					.all_bytes = whole(&s->all_bytes),
					.all_count = whole(&s->all_count)};
}

/*
 * Whether an allocation site belongs to the shutdown of the JVM, which runs at
 * the same time as the report at exit. By chance, such allocations happen
 * before or after the report, so reports of equal runs would differ.
 */
static bool
is_shutdown(const struct hp_agent *a, const struct hp_agent_site *s)
{
	const struct hp_agent_trace *t;
	const struct hp_agent_frame *f;

	if (!s->trace)
		return false;
	t = hp_chunks_at(&a->tables.traces, s->trace);
	for (uint32_t i = 0; i < t->count; i++) {
		f = hp_chunks_at(&a->tables.frames, t->frames[i]);
		if (f->class == a->shutdown)
			return true;
	}
	return false;
}

void
hp_agent_report_total(struct hp_agent_report *r, const struct hp_agent *a)
{
	const struct hp_chunks *c = &a->sites.sites;

	r->total = (struct hp_agent_values){0};
	for (uint32_t i = 1; i < hp_chunks_count(c); i++) {
		const struct hp_agent_site *s = hp_chunks_at(c, i);
		struct hp_agent_values v = values_of(s);

		if (is_shutdown(a, s))
			continue;
		r->total.live_bytes += v.live_bytes;
		r->total.live_count += v.live_count;
		r->total.all_bytes += v.all_bytes;
		r->total.all_count += v.all_count;
	}
}

/*
 * Compare sites by their bytes for sorting, largest first. Sites with equal
 * bytes are sorted by trace and class numbers, so that equal runs give equal
 * reports.
 */
static int
by_size(const void *a, const void *b, void *by_allocated)
{
	const struct hp_agent_site_row *x = a, *y = b;
	int d = *(const bool *)by_allocated
			? hp_order(y->v.all_bytes, x->v.all_bytes)
			: hp_order(y->v.live_bytes, x->v.live_bytes);

	d = d ? d : hp_order(x->trace, y->trace);
	return d ? d : hp_order(x->class, y->class);
}

/*
 * Whether a report shows an allocation site. A report shows a site if its share
 * of the live bytes, or its share of all allocated bytes, is at least the
 * option cutoff. The JDK's old agent compares only the live bytes, and so hides
 * sites whose objects were freed.
 */
static bool
is_shown(const struct hp_agent_report *r, const struct hp_agent_values *v)
{
	double live = (double)v->live_bytes, all = (double)v->all_bytes;

	return v->all_count &&
	       (live >= r->cutoff * (double)r->total.live_bytes ||
		all >= r->cutoff * (double)r->total.all_bytes);
}

enum hp_status
hp_agent_report_sites(struct hp_agent_report *r, const struct hp_agent *a,
		      struct hp_error *err)
{
	const struct hp_chunks *c = &a->sites.sites;
	uint32_t n = hp_chunks_count(c);
	bool by_allocated = r->flags & HP_AGENT_BY_ALLOCATED;

	hp_agent_report_total(r, a);
	r->have_sites = true;
	r->sites = calloc(n, sizeof(*r->sites));
	if (!r->sites)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < n; i++) {
		const struct hp_agent_site *s = hp_chunks_at(c, i);
		struct hp_agent_values v = values_of(s);

		if (is_shown(r, &v) && !is_shutdown(a, s))
			r->sites[r->nsites++] = (struct hp_agent_site_row){
				s->class, s->trace, v};
	}
	qsort_r(r->sites, r->nsites, sizeof(*r->sites), by_size, &by_allocated);
	return HP_OK;
}

static int
by_count(const void *a, const void *b)
{
	const struct hp_agent_count_row *x = a, *y = b;
	int d = hp_order(y->value, x->value);

	d = d ? d : hp_order(y->count, x->count);
	return d ? d : hp_order(x->trace, y->trace);
}

enum hp_status
hp_agent_report_samples(struct hp_agent_report *r, const struct hp_agent *a,
			struct hp_error *err)
{
	const struct hp_chunks *c = &a->tables.traces;
	uint32_t n = hp_chunks_count(c);

	r->have_samples = true;
	r->samples = calloc(n, sizeof(*r->samples));
	if (!r->samples)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < n; i++) {
		const struct hp_agent_trace *t = hp_chunks_at(c, i);
		uint64_t count =
			atomic_load_explicit(&t->samples, memory_order_relaxed);

		r->total_samples += count;
		if (count)
			r->samples[r->nsamples++] = (struct hp_agent_count_row){
				.trace = i, .count = count, .value = count};
	}
	qsort(r->samples, r->nsamples, sizeof(*r->samples), by_count);
	return HP_OK;
}

/*
 * A comparison function: the row with the most time first; for cpu=old, the row
 * with the most calls first.
 */
static int
by_call(const void *a, const void *b, void *old)
{
	const struct hp_agent_call_row *x = a, *y = b;
	int times = hp_order(y->self_ns, x->self_ns);
	int counts = hp_order(y->count, x->count);
	int d = *(const bool *)old ? counts : times;

	d = d ? d : counts;
	d = d ? d : times;
	return d ? d : hp_order(x->trace, y->trace);
}

/*
 * Remove the rows of methods whose share of the time is below the limit
 * (calls_cutoff), and sort the others.
 */
static void
choose_calls(struct hp_agent_report *r, const struct hp_agent *a)
{
	bool old = a->o.old;
	size_t kept = 0;

	for (size_t i = 0; i < r->ncalls; i++)
		if ((double)r->calls[i].self_ns >=
		    a->o.calls_cutoff * (double)r->total_ns)
			r->calls[kept++] = r->calls[i];
	r->ncalls = kept;
	qsort_r(r->calls, r->ncalls, sizeof(*r->calls), by_call, &old);
}

enum hp_status
hp_agent_report_times(struct hp_agent_report *r, struct hp_agent *a,
		      struct hp_error *err)
{
	const struct hp_chunks *c = &a->tables.traces;
	uint32_t n = hp_chunks_count(c);
	struct hp_agent_call_time *running = calloc(n, sizeof(*running));

	r->have_times = true;
	r->calls = calloc(n, sizeof(*r->calls));
	if (!r->calls || !running) {
		free(running);
		return hp_no_memory(err);
	}
	hp_agent_calls_running(a, running, n);
	for (uint32_t i = 1; i < n; i++) {
		const struct hp_agent_trace *t = hp_chunks_at(c, i);
		const struct hp_agent_call_row row = {
			.trace = i,
			.count = atomic_load(&t->calls),
			.self_ns =
				atomic_load(&t->self_ns) + running[i].self_ns,
			.total_ns = atomic_load(&t->total_ns) +
				    running[i].total_ns};

		r->total_ns += row.self_ns;
		if (row.count)
			r->calls[r->ncalls++] = row;
	}
	free(running);
	choose_calls(r, a);
	return HP_OK;
}

enum hp_status
hp_agent_report_waits(struct hp_agent_report *r, const struct hp_agent *a,
		      struct hp_error *err)
{
	const struct hp_chunks *c = &a->waits;
	uint32_t n = hp_chunks_count(c);

	r->have_monitors = true;
	r->waits = calloc(n, sizeof(*r->waits));
	if (!r->waits)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < n; i++) {
		const struct hp_agent_wait *w = hp_chunks_at(c, i);
		uint64_t ns = atomic_load(&w->ns);

		r->waits[r->nwaits] = (struct hp_agent_count_row){
			.trace = w->trace,
			.class = w->class,
			.count = atomic_load(&w->count),
			.value = (ns + 500000) / 1000000};
		r->total_waited += r->waits[r->nwaits++].value;
	}
	qsort(r->waits, r->nwaits, sizeof(*r->waits), by_count);
	return HP_OK;
}

void
hp_agent_report_release(struct hp_agent_report *r)
{
	free(r->sites);
	free(r->samples);
	free(r->calls);
	free(r->waits);
	hp_buf_release(&r->monitor_dump);
	*r = (struct hp_agent_report){0};
}
