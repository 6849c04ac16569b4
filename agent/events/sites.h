/*
 * sites.h - how much each site allocated: a class and a trace
 *
 * A site's counters are changed with atomic operations alone. An object
 * carries its site and size in its JVMTI tag, so nothing is kept for an object.
 */
#ifndef HP_AGENT_SITES_H
#define HP_AGENT_SITES_H

#include "agent/events/intern.h"

/* Counters have so many bits behind the point: estimates are fractions. */
enum { HP_SITE_FRACTION = 16 };

struct hp_agent_site {
	uint64_t hash;
	uint32_t class, trace;
	/* in 1/65536 */
	_Atomic uint64_t live_count, live_bytes, all_count, all_bytes;
};

struct hp_agent_sites {
	uint64_t interval; /* bytes between samples; 0: every object counts */
	struct hp_chunks sites;
	struct hp_agent_index by_key;
	_Atomic uint64_t lost; /* objects for which there was no memory */
};

void hp_agent_sites_init(struct hp_agent_sites *s, uint64_t interval);

/* The site's number; 0: out of memory. Under the agent's lock. */
uint32_t hp_agent_site(struct hp_agent_sites *s, uint64_t seed, uint32_t class,
		       uint32_t trace);

/* Counts an object; returns its tag, which is never 0. */
int64_t hp_agent_site_add(struct hp_agent_sites *s, uint32_t site,
			  uint64_t size);
/* The object of a tag was freed. No locks, any thread. */
void hp_agent_site_free(struct hp_agent_sites *s, int64_t tag);

/* The site's number that a tag has. */
static inline uint32_t
hp_agent_tag_site(int64_t tag)
{
	return (uint32_t)((uint64_t)tag >> 35);
}

#endif
