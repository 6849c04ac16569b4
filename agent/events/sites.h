/*
 * sites.h - count the allocations of each site, which is a class and a trace
 *
 * Counters change by atomic operations only. The JVMTI tag of an object is its
 * site and size, so the agent needs no memory for an object.
 */
#ifndef HP_AGENT_SITES_H
#define HP_AGENT_SITES_H

#include "agent/events/intern.h"

/*
 * number of fraction bits in the counters (fixed point), because estimates are
 * fractions
 */
enum { HP_SITE_FRACTION = 16 };

struct hp_agent_site {
	uint64_t hash;
	uint32_t class, trace;
	/* estimated number of live objects, multiplied by 65536 */
	_Atomic uint64_t live_count, live_bytes, all_count, all_bytes;
};

struct hp_agent_sites {
	/* average bytes between samples; 0: every object counts */
	uint64_t interval;
	struct hp_chunks sites;
	struct hp_agent_index by_key;
	/* objects not counted because memory was exhausted */
	_Atomic uint64_t lost;
};

/* Initialize an empty list of sites. @interval: average bytes between samples.
 */
void hp_agent_sites_init(struct hp_agent_sites *s, uint64_t interval);

/*
 * Find or add a site. Returns its number, or 0 if out of memory. The caller
 * holds the agent's lock.
 */
uint32_t hp_agent_site(struct hp_agent_sites *s, uint64_t seed, uint32_t class,
		       uint32_t trace);

/* Count an allocated object. Returns its tag, which is never 0. */
int64_t hp_agent_site_add(struct hp_agent_sites *s, uint32_t site,
			  uint64_t size);
/*
 * Count the free of an object, given its tag. Any thread may call it; it takes
 * no lock.
 */
void hp_agent_site_free(struct hp_agent_sites *s, int64_t tag);

/* A tag of an object contains the number of its site. Returns that number. */
static inline uint32_t
hp_agent_tag_site(int64_t tag)
{
	return (uint32_t)((uint64_t)tag >> 35);
}

#endif
