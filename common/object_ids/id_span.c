/*
 * id_span.c - bit sets of neighbouring ids in one array, so that the bit of
 * most ids is found with one comparison
 *
 * The array is called the span. It reserves address space around the first
 * range of ids, and the kernel creates its pages when bits are set. A leaf is
 * the bit set for 2^20 ids. id_set.c decides which leaves are in use, and how
 * much memory they may take. A run is a sequence of leaves in use without a
 * gap. Each worker knows one run. It switches to another run only after it has
 * seen as many ids outside of its run as the run has leaves. So it rarely has
 * to find the ends of a new run.
 */
#include "common/object_ids/internal.h"
#include "common/base/memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

enum {
	SPAN_MIN = 1
		   /*
		    * The number of leaves (bit sets) for which space is
		    * reserved on each side of the first leaf. They suffice for
		    * 64 GiB of object addresses.
		    */
		   << 13
};

/*
 * Returns the size in bytes of the part of the span (reserved address space)
 * for one set of ids.
 */
static size_t
set_bytes(const struct hp_id_sets *s)
{
	return (size_t)s->span_leaves * HP_LEAF_BYTES;
}

static uint8_t *
reserve_address_space(size_t bytes)
{
	uint8_t *p = mmap(NULL, bytes + HP_UNIT_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t lead;

	if (p == MAP_FAILED)
		return NULL;
	lead = -(uintptr_t)p % HP_UNIT_BYTES;
	if (lead > 0)
		munmap(p, lead);
	munmap(p + lead + bytes, HP_UNIT_BYTES - lead);
	return p + lead;
}

void
hp_id_span_reserve(struct hp_id_sets *s, uint64_t number)
{
	/*
	 * The number of ranges for which space is reserved before range @number
	 * of ids. The same number is reserved after it. Each side has space for
	 * a heap of twice the size of the input.
	 */
	uint64_t side = s->leaf_budget >> HP_LEAF_BITS;
	static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
	struct rlimit limit;

	/*
	 * If the address space of the process is limited, reserve nothing,
	 * because other parts of the program need the address space.
	 */
	for (size_t i = 0; i < HP_ARRAY_LEN(kinds); i++)
		if (getrlimit(kinds[i], &limit) != 0 ||
		    limit.rlim_cur != RLIM_INFINITY)
			return;
	side = side < SPAN_MIN ? SPAN_MIN : side - side % HP_UNIT_LEAVES;
	number -= number % HP_UNIT_LEAVES;
	/*
	 * The span (reserved address space) begins after the first unit (group
	 * of bit sets), so it never contains the id 0 (null). The fast code for
	 * ids in the span need not test for null.
	 */
	s->span_from = number <= side ? HP_UNIT_LEAVES : number - side;
	s->span_leaves = 2 * side;
	s->span_there = hp_calloc(s->span_leaves, 1);
	if (s->span_there)
		s->span = reserve_address_space(set_bytes(s) *
						(s->referrers + 1));
	if (!s->span)
		hp_id_span_release(s);
}

void
hp_id_span_release(struct hp_id_sets *s)
{
	if (s->span)
		munmap(s->span, set_bytes(s) * (s->referrers + 1));
	hp_memory_give_back(s->span_bytes);
	s->span_bytes = 0;
	hp_free((void *)s->span_there);
	s->span = NULL;
	s->span_there = NULL;
	s->span_leaves = 0;
}

void
hp_id_span_empty(struct hp_id_sets *s)
{
	if (!s->span)
		return;
	madvise(s->span, set_bytes(s) * (s->referrers + 1), MADV_DONTNEED);
	hp_memory_give_back(s->span_bytes);
	s->span_bytes = 0;
	for (uint64_t i = 0; i < s->span_leaves; i++)
		s->span_there[i] = 0;
}

void
hp_id_span_use(struct hp_id_sets *s, struct hp_region *r)
{
	r->defined = (_Atomic uint64_t *)hp_id_span_leaf(s, 0, r->number);
	for (unsigned i = 0; i < s->referrers; i++)
		r->referenced[i] = hp_id_span_leaf(s, i + 1, r->number);
	atomic_store_explicit(&s->span_there[r->number - s->span_from], 1,
			      memory_order_release);
}

void
hp_id_span_huge(const struct hp_id_sets *s, uint64_t number)
{
	for (unsigned i = 0; i <= s->referrers; i++)
		madvise(hp_id_span_leaf(s, i, number), HP_UNIT_BYTES,
			MADV_HUGEPAGE);
}

void
hp_id_span_follow(struct hp_id_worker *w, uint64_t number)
{
	const struct hp_id_sets *s = w->sets;
	uint64_t low = number, high = number;

	if (!hp_id_span_holds(s, number) ||
	    w->run_misses++ < w->run_bits >> HP_LEAF_BITS)
		return;
	w->run_misses = 0;
	while (hp_id_span_uses(s, high))
		high++;
	if (high == low)
		return;
	while (hp_id_span_uses(s, low - 1))
		low--;
	w->run_base = low << HP_LEAF_BITS << w->shift;
	w->run_bits = (high - low) << HP_LEAF_BITS;
	w->run_defined = (_Atomic uint64_t *)hp_id_span_leaf(s, 0, low);
	if (s->referrers)
		w->run_referenced = hp_id_span_leaf(s, w->number + 1, low);
}
