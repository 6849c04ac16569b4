/* report.h - the contents of a report, before they are written in a format */
#ifndef HP_AGENT_REPORT_H
#define HP_AGENT_REPORT_H

#include "agent/agent.h"

/*
 * The serial numbers of class, thread and trace records. A serial number is one
 * of these constants plus the number of the entry in the agent's table.
 */
enum {
	/* base of the serial numbers of classes; there is no class number 0 */
	HP_AGENT_FIRST_CLASS = 100000,
	HP_AGENT_FIRST_THREAD = 200000,
	/* base of the serial numbers of traces; trace number 0 has no frames */
	HP_AGENT_FIRST_TRACE = 300000,
	/*
	 * Added to all serial numbers if the file also contains a heap dump of
	 * the JVM. The JVM numbers its classes and stack traces from 1 on, so
	 * the numbers would collide.
	 */
	HP_AGENT_BESIDE_DUMP = 1000000000,
};

/*
 * Returns the serial number of entry @n of one of the agent's tables. @first is
 * the base of this table, such as HP_AGENT_FIRST_CLASS.
 */
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
	/*
	 * the stack trace with which threads waited, and the class of the
	 * monitors
	 */
	uint32_t trace, class;
	/* how often threads waited, and for how many milliseconds in total */
	uint64_t count, value;
};

/* The calls of a method with one stack trace. */
struct hp_agent_call_row {
	uint32_t trace;
	/* number of calls of the method with this stack trace */
	uint64_t count;
	/*
	 * processor time of the method, without and with the methods that it
	 * called
	 */
	uint64_t self_ns, total_ns;
};

struct hp_agent_report {
	bool have_sites, have_samples, have_times, have_monitors;
	uint16_t flags; /* the flags to write into the ALLOC SITES record */
	double cutoff;
	uint64_t now_ms;
	uint32_t time_us;
	/*
	 * sums of all allocation sites, including those that the option cutoff
	 * leaves out
	 */
	struct hp_agent_values total;
	struct hp_agent_site_row *sites;
	size_t nsites;
	uint64_t total_samples;
	struct hp_agent_count_row *samples;
	size_t nsamples;
	/*
	 * sum of self_ns of all calls, including the calls that the report
	 * leaves out
	 */
	uint64_t total_ns;
	struct hp_agent_call_row *calls;
	size_t ncalls;
	/* the text of the MONITOR DUMP, which lists threads and monitors */
	struct hp_buf monitor_dump;
	/* total time that all threads waited for monitors, in milliseconds */
	uint64_t total_waited;
	struct hp_agent_count_row *waits;
	size_t nwaits;
};

/*
 * Flags of a request for ALLOC SITES: sort by allocated bytes; collect garbage
 * before the report.
 */
enum { HP_AGENT_BY_ALLOCATED = 2, HP_AGENT_COLLECTED = 4 };

/**
 * hp_agent_report_sites() - copy the current counters of allocation sites to a
 * report, sorted
 *
 * hp_agent_report_samples(), hp_agent_report_times() and
 * hp_agent_report_waits() do the same for CPU samples, for the calls of methods
 * and for the waits for monitors. hp_agent_report_release() frees the
 * copies.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_report_sites(struct hp_agent_report *r,
						 const struct hp_agent *a,
						 struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_report_samples(struct hp_agent_report *r,
						   const struct hp_agent *a,
						   struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_report_times(struct hp_agent_report *r,
						 struct hp_agent *a,
						 struct hp_error *err);
HP_MUST_USE enum hp_status hp_agent_report_waits(struct hp_agent_report *r,
						 const struct hp_agent *a,
						 struct hp_error *err);

/*
 * Compute only the totals of all allocation sites, for a HEAP SUMMARY record.
 */
void hp_agent_report_total(struct hp_agent_report *r, const struct hp_agent *a);

void hp_agent_report_release(struct hp_agent_report *r);

#endif
