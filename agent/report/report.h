/*
 * report.h - the contents of a report, as plain values
 */
#ifndef HP_AGENT_REPORT_H
#define HP_AGENT_REPORT_H

#include "agent/agent.h"

/*
 * The serial numbers with which records begin. The number of an entry in its
 * table is added.
 */
enum {
	/* the serial of class number 0, which does not exist */
	HP_AGENT_FIRST_CLASS = 100000,
	HP_AGENT_FIRST_THREAD = 200000,
	/* serial of trace number 0, which has no frames */
	HP_AGENT_FIRST_TRACE = 300000,
	/*
	 * An offset for files with a dump of the VM. Such a dump numbers its
	 * classes, and the stacks of threads and virtual threads, from 1 on.
	 */
	HP_AGENT_BESIDE_DUMP = 1000000000,
};

/* The serial number of item @n of a table whose serials start at @first. */
static inline uint32_t
hp_agent_serial(const struct hp_agent *a, uint32_t first, uint32_t n)
{
	return (a->o.heap & HP_AGENT_HEAP_DUMP ? HP_AGENT_BESIDE_DUMP : 0) +
	       first + n;
}

struct hp_agent_values {
	uint64_t live_bytes, live_count, all_bytes, all_count;
};

struct hp_agent_site_row {
	uint32_t class, trace;
	struct hp_agent_values v;
};

struct hp_agent_count_row {
	/* stack trace where threads waited, and class of the monitors */
	uint32_t trace, class;
	/* how often threads waited, and for how many milliseconds */
	uint64_t count, value;
};

struct hp_agent_report {
	bool have_sites, have_samples, have_monitors;
	uint16_t flags; /* the flags that an ALLOC SITES record contains */
	double cutoff;
	uint64_t now_ms;
	uint32_t time_us;
	/* sums of all sites, including those below the cutoff */
	struct hp_agent_values total;
	struct hp_agent_site_row *sites;
	size_t nsites;
	uint64_t total_samples;
	struct hp_agent_count_row *samples;
	size_t nsamples;
	/* the text of the report of the monitors (MONITOR DUMP) */
	struct hp_buf monitor_dump;
	/* total time that threads waited, in milliseconds */
	uint64_t total_waited;
	struct hp_agent_count_row *waits;
	size_t nwaits;
};

/* Flags of a request for ALLOC SITES. */
enum { HP_AGENT_BY_ALLOCATED = 2, HP_AGENT_COLLECTED = 4 };

/**
 * hp_agent_report_sites() - copy the current counts of sites, sorted
 *
 * hp_agent_report_samples() and hp_agent_report_waits() do the same for CPU
 * samples and waits. hp_agent_report_release() frees the copies.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_report_sites(struct hp_agent_report *r,
						 const struct hp_agent *a,
						 struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_report_samples(struct hp_agent_report *r,
						   const struct hp_agent *a,
						   struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_report_waits(struct hp_agent_report *r,
						 const struct hp_agent *a,
						 struct hp_error *err);

/* Compute only the totals, for HEAP SUMMARY. */
void hp_agent_report_total(struct hp_agent_report *r, const struct hp_agent *a);

void hp_agent_report_release(struct hp_agent_report *r);

#endif
