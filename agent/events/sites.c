/* sites.c - the counters of allocation sites, and the JVMTI tags of objects */
#include "agent/events/sites.h"

#include <math.h>

enum {
	TAG_SIZE_BITS =
		/*
		 * number of bits in a tag for the size of the object, in units
		 * of 8 bytes; enough for objects of 256 GB
		 */
	35
};

void
hp_agent_sites_init(struct hp_agent_sites *s, uint64_t interval)
{
	s->interval = interval;
	s->sites.size = sizeof(struct hp_agent_site);
}

uint32_t
hp_agent_site(struct hp_agent_sites *s, uint64_t seed, uint32_t class,
	      uint32_t trace)
{
	const struct hp_agent_site site = {.class = class, .trace = trace};

	return hp_agent_intern(&s->by_key, &s->sites, seed, &site,
			       HP_AGENT_KEY(struct hp_agent_site, trace));
}

/*
 * How many objects and bytes a sampled object represents, multiplied by 65536.
 */
struct weight {
	uint64_t count, bytes;
};

/*
 * Returns how many objects and bytes a sampled object represents. An object of
 * @size bytes is sampled with the probability p = 1 - exp(-size / interval), so
 * it represents 1/p objects. Equal sizes always have equal weights. So when an
 * object is freed, the agent can subtract exactly the weight that it added at
 * the allocation.
 */
static struct weight
weigh(uint64_t interval, uint64_t size)
{
	const double one = 1 << HP_SITE_FRACTION;
	double p = 1;

	if (interval)
		p = -expm1(-(double)size / (double)interval);
	if (p >= 1 || p <= 0)
		return (struct weight){UINT64_C(1) << HP_SITE_FRACTION,
				       size << HP_SITE_FRACTION};
	return (struct weight){(uint64_t)(one / p + 0.5),
			       (uint64_t)(one / p * (double)size + 0.5)};
}

/*
 * Returns the size of an object in the unit of JVMTI tags: 8 bytes, because the
 * JVM aligns objects to 8 bytes.
 */
static uint64_t
tag_units(uint64_t size)
{
	const uint64_t most = (UINT64_C(1) << TAG_SIZE_BITS) - 1;
	uint64_t units = (size + 7) / 8;

	return units > most ? most : units;
}

int64_t
hp_agent_site_add(struct hp_agent_sites *s, uint32_t site, uint64_t size)
{
	uint64_t units = tag_units(size);
	struct weight w = weigh(s->interval, units * 8);
	struct hp_agent_site *p = hp_chunks_at(&s->sites, site);

	atomic_fetch_add_explicit(&p->live_count, w.count,
				  memory_order_relaxed);
	atomic_fetch_add_explicit(&p->live_bytes, w.bytes,
				  memory_order_relaxed);
	atomic_fetch_add_explicit(&p->all_count, w.count, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->all_bytes, w.bytes, memory_order_relaxed);
	return (int64_t)((uint64_t)site << TAG_SIZE_BITS | units);
}

void
hp_agent_site_free(struct hp_agent_sites *s, int64_t tag)
{
	uint64_t units = (uint64_t)tag & ((UINT64_C(1) << TAG_SIZE_BITS) - 1);
	struct weight w = weigh(s->interval, units * 8);
	struct hp_agent_site *p;

	if (hp_agent_tag_site(tag) >= hp_chunks_count(&s->sites))
		return;
	p = hp_chunks_at(&s->sites, hp_agent_tag_site(tag));
	atomic_fetch_sub_explicit(&p->live_count, w.count,
				  memory_order_relaxed);
	atomic_fetch_sub_explicit(&p->live_bytes, w.bytes,
				  memory_order_relaxed);
}
