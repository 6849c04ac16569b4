/*
 * sites.h - count the allocations of each site; a site is a class and the stack
 * trace of the allocation
 *
 * Counters are changed only by atomic operations. The JVMTI tag of an object
 * contains its site and size, so the agent needs no memory for each object.
 */
#ifndef HP_AGENT_SITES_H
#define HP_AGENT_SITES_H

#include "agent/events/intern.h"

/*
 * The counters are estimates with fractions: a counter has this number of bits
 * after the binary point.
 */
enum { HP_SITE_FRACTION = 16 };

struct hp_agent_site {
	uint64_t hash;
	uint32_t class, trace;
	/*
	 * Estimates, multiplied by 65536: number and bytes of live objects, and
	 * number and bytes of all allocated objects.
	 */
	_Atomic uint64_t live_count, live_bytes, all_count, all_bytes;
};

struct hp_agent_sites {
	/*
	 * average number of bytes between two samples; 0: every object is
	 * sampled
	 */
	uint64_t interval;
	struct hp_chunks sites;
	struct hp_agent_index by_key;
	/* number of objects that were not counted, because memory ran out */
	_Atomic uint64_t lost;
};

/*
 * Initialize an empty list of sites. @interval: average number of bytes between
 * two samples; 0: every object is sampled.
 */
void hp_agent_sites_init(struct hp_agent_sites *s, uint64_t interval);

/*
 * Find or add the site of a class and a stack trace. Returns its number; 0 if
 * out of memory. The caller holds the agent's lock.
 */
uint32_t hp_agent_site(struct hp_agent_sites *s, uint64_t seed, uint32_t class,
		       uint32_t trace);

/*
 * Count the allocation of an object of @size bytes. Returns the JVMTI tag for
 * the object, which is never 0.
 */
int64_t hp_agent_site_add(struct hp_agent_sites *s, uint32_t site,
			  uint64_t size);
/*
 * Count that an object was freed. @tag is its JVMTI tag. Any thread may call
 * this function. It takes no lock.
 */
void hp_agent_site_free(struct hp_agent_sites *s, int64_t tag);

/* Returns the number of the site that the JVMTI tag of an object contains. */
static inline uint32_t
hp_agent_tag_site(int64_t tag)
{
	return (uint32_t)((uint64_t)tag >> 35);
}

#endif
