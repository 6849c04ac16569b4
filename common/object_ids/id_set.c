/*
 * id_set.c - add ids to sets, and merge the sets of all threads
 *
 * A stretch is a range of 2^20 possible ids. If many ids of a stretch occur,
 * they are stored as bits in a bit set (leaf), otherwise in a hash table. If
 * memory does not suffice, the input is read several times: each pass over it
 * (window) handles some stretches, and the others are postponed to later
 * passes. This file decides where ids are stored. id_set_sweep.c finds dangling
 * ids; id_set_windows.c plans the windows and answers queries.
 */
#include "common/object_ids/id_set.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/object_ids/internal.h"

#include <string.h>
#include <sys/mman.h>

enum {
	LEAF_BYTES = HP_LEAF_BYTES,
	SLAB_BYTES = HP_UNIT_BYTES,
	/*
	 * All leaves (bit sets) together may always take this many bytes, even
	 * if the input is small.
	 */
	LEAVES_FREE = 64 << 20,
	/*
	 * the list of duplicate ids has at most one id for each DUPLICATE_COST
	 * bytes of the memory limit
	 */
	DUPLICATE_COST = 512,
	/* initial number of entries of a worker's cache of leaves (bit sets) */
	NEAR_FIRST = 64,
	NEAR_MOST = 1 << 16,
};

struct hp_slab {
	struct hp_slab *next;
	uint8_t *bytes;
	size_t used;
};

static struct hp_near *
near_new(size_t n)
{
	struct hp_near *near = hp_calloc(n, sizeof(*near));

	for (size_t i = 0; near && i < n; i++)
		near[i].number = UINT64_MAX;
	return near;
}

/*
 * Clear the cache of leaves (bit sets) of a worker, and its run (the contiguous
 * leaves that it accesses without a lookup).
 */
static void
forget_near(struct hp_id_worker *w)
{
	w->pending = &w->nowhere_shared;
	w->run_bits = w->run_misses = 0;
	for (uint64_t k = 0; k <= w->near_mask; k++)
		w->near[k] = (struct hp_near){.number = UINT64_MAX};
}

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the number of flags for granules (ranges of 512 KiB of ids) that each
 * worker gets. A flag records that the worker has seen a reference to an id in
 * the granule. There are enough flags for a heap as large as the input, within
 * HP_GRANULES_MIN and HP_GRANULES_MAX.
 */
static size_t
granules_for(uint64_t input_bytes)
{
	size_t n = HP_GRANULES_MIN;

	while (n < HP_GRANULES_MAX && n < input_bytes >> HP_GRANULE_SHIFT)
		n *= 2;
	return n;
}

/*
 * Returns the maximum size in bytes of leaves (bit sets) that are created in
 * advance, to close gaps between other leaves. Each thread has its own leaf for
 * a range of ids, so the limit grows with the number of threads.
 */
static uint64_t
ahead_most(const struct hp_id_sets *s)
{
	uint64_t sets = s->referrers + 1, most = s->leaf_budget / 4;

	return min_u64(min_u64(most * sets, most * 3), s->memory / 2);
}

void
hp_id_sets_read_so_far(struct hp_id_sets *s, uint64_t bytes)
{
	uint64_t budget =
		min_u64(s->ahead_most, bytes / 8 * (s->referrers + 1));

	/*
	 * It is harmless if another thread stores a smaller value at the same
	 * time.
	 */
	if (budget >
	    atomic_load_explicit(&s->ahead_budget, memory_order_relaxed))
		atomic_store_explicit(&s->ahead_budget, budget,
				      memory_order_relaxed);
}

static bool
init_worker(struct hp_id_sets *s, unsigned number)
{
	struct hp_id_worker *w = &s->worker[number];

	w->sets = s;
	w->number = number;
	w->shift = s->shift;
	w->low = (1ull << s->shift) - 1;
	w->pending = &w->nowhere_shared;
	w->lanes = s->shift == 3 && hp_id_lanes_supported();
	for (unsigned k = 0; k < HP_RING; k++)
		w->ring[k] = hp_bit_address(w->nowhere, 0);
	w->near = near_new(NEAR_FIRST);
	w->near_mask = NEAR_FIRST - 1;
	w->granule_mask = s->granules - 1;
	if (s->referrers)
		w->granules = hp_calloc(s->granules + 1, 1);
	return w->near && (w->granules || !s->referrers);
}

/*
 * The common part of hp_id_sets_init() and hp_id_definitions_init(). @share:
 * the number of sets among which the allowed memory is divided.
 */
static enum hp_status
init_sets(struct hp_id_sets *s, uint64_t input_bytes, uint64_t share,
	  struct hp_error *err)
{
	bool fine;

	pthread_mutex_init(&s->lock, NULL);
	s->duplicates_max = (size_t)(s->memory / DUPLICATE_COST);
	s->leaf_budget = LEAVES_FREE;
	if (input_bytes / 4 > s->leaf_budget)
		s->leaf_budget = input_bytes / 4;
	s->leaf_budget /= share;
	s->ahead_most = ahead_most(s);
	hp_id_sets_read_so_far(s, input_bytes / share);
	/*
	 * One list of slabs (blocks of memory) for each thread and one for the
	 * set `defined`, so that the leaves (bit sets) of one set of ids are
	 * close together.
	 */
	s->slabs = hp_calloc((size_t)s->referrers + 1, sizeof(*s->slabs));
	s->worker = hp_aligned_alloc(_Alignof(struct hp_id_worker),
				     s->workers * sizeof(*s->worker));
	/* hp_id_sets_release() needs these members, so set them first */
	if (s->worker)
		memset(s->worker, 0, s->workers * sizeof(*s->worker));
	s->granules = granules_for(input_bytes);
	if (s->referrers)
		s->dangling_granules = hp_calloc(s->granules, 1);
	fine = s->slabs && s->worker && (s->dangling_granules || !s->referrers);
	for (unsigned i = 0; i < s->workers && fine; i++)
		fine = init_worker(s, i);
	if (fine)
		return HP_OK;
	hp_id_sets_release(s);
	return hp_no_memory(err);
}

enum hp_status
hp_id_sets_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		uint64_t input_bytes, uint64_t memory, struct hp_error *err)
{
	*s = (struct hp_id_sets){.workers = workers,
				 .referrers = workers,
				 .shift = shift,
				 .memory = memory};
	return init_sets(s, input_bytes, 1, err);
}

enum hp_status
hp_id_definitions_init(struct hp_id_sets *s, unsigned workers, unsigned shift,
		       uint64_t input_bytes, uint64_t memory, uint64_t share,
		       struct hp_error *err)
{
	*s = (struct hp_id_sets){
		.workers = workers, .shift = shift, .memory = memory};
	return init_sets(s, input_bytes, share, err);
}

/*
 * Returns the size of a slab: memory for several leaves (bit sets) that is
 * mapped at once. If memory is scarce, a slab has a single leaf.
 */
static size_t
slab_bytes(const struct hp_id_sets *s)
{
	return s->memory < 8 * SLAB_BYTES ? LEAF_BYTES : SLAB_BYTES;
}

static void
unmap_slab(uint8_t *slab, size_t bytes)
{
	if (!slab)
		return;
	munmap(slab, bytes);
	hp_memory_give_back(bytes);
}

/* Free the slabs, which contain leaves (bit sets), of one set of ids. */
static void
release_slabs(const struct hp_id_sets *s, struct hp_slab *slab)
{
	struct hp_slab *older;

	unmap_slab(slab->bytes, slab_bytes(s));
	for (slab = slab->next; slab; slab = older) {
		older = slab->next;
		unmap_slab(slab->bytes, slab_bytes(s));
		hp_free(slab);
	}
}

void
hp_id_sets_release(struct hp_id_sets *s)
{
	unsigned i;
	size_t r;

	for (i = 0; s->slabs && i <= s->referrers; i++)
		release_slabs(s, &s->slabs[i]);
	hp_id_span_release(s);
	for (r = 0; r < s->nregions; r++)
		hp_free(s->regions[r]);
	for (i = 0; s->worker && i < s->workers; i++) {
		hp_id_map_release(&s->worker[i].odd_defined);
		hp_id_map_release(&s->worker[i].odd_referenced);
		hp_free(s->worker[i].duplicate_ids);
		hp_free(s->worker[i].near);
		hp_free(s->worker[i].granules);
	}
	hp_id_map_release(&s->directory);
	hp_id_map_release(&s->odd_defined);
	hp_id_map_release(&s->odd_referenced);
	hp_id_map_release(&s->met);
	hp_id_map_release(&s->postponed);
	hp_id_map_release(&s->asked);
	hp_id_map_release(&s->dangling_ids);
	hp_free(s->dangling_granules);
	hp_free(s->regions);
	hp_free(s->slabs);
	hp_free(s->worker);
	pthread_mutex_destroy(&s->lock);
	memset(s, 0, sizeof(*s));
}

static uint8_t *
map_slab(size_t bytes)
{
	uint8_t *p;
	size_t lead;

	if (!hp_memory_take(bytes))
		return NULL;
	p = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		hp_memory_give_back(bytes);
		return NULL;
	}
	lead = (bytes - (uintptr_t)p % bytes) % bytes;
	if (lead > 0)
		munmap(p, lead);
	munmap(p + lead + bytes, bytes - lead);
	return p + lead;
}

/* Whether the heap is large enough for huge pages to be worth their memory. */
static bool
is_large(const struct hp_id_sets *s)
{
	return s->leaf_budget > LEAVES_FREE || s->leaf_bytes > 4 * SLAB_BYTES;
}

/*
 * Allocate a leaf (bit set) for set @which: 0 for `defined`, n + 1 for
 * `referenced` of thread n. The caller holds the lock. Returns NULL if out of
 * memory.
 */
static void *
leaf_new(struct hp_id_sets *s, unsigned which)
{
	struct hp_slab *slab = &s->slabs[which], *full;

	if (!slab->bytes || slab->used == slab_bytes(s)) {
		if (slab->bytes) {
			full = hp_malloc(sizeof(*full));
			if (!full)
				return NULL;
			*full = *slab;
			slab->next = full;
		}
		slab->used = 0;
		slab->bytes = map_slab(slab_bytes(s));
		if (!slab->bytes)
			return NULL;
		if (is_large(s)) /* a hint; the kernel may refuse it */
			madvise(slab->bytes, slab_bytes(s), MADV_HUGEPAGE);
	}
	slab->used += LEAF_BYTES;
	s->leaf_bytes += LEAF_BYTES;
	return slab->bytes + slab->used - LEAF_BYTES;
}

/*
 * Create the struct hp_region for range @number of ids. If the range is in the
 * span (reserved address space), the leaves (bit sets) of the range are created
 * at once. The caller holds the lock. Returns NULL if out of memory.
 */
static struct hp_region *
region_make(struct hp_id_sets *s, uint64_t number)
{
	bool spans = hp_id_span_holds(s, number);
	struct hp_region *r;
	uint64_t *place;
	bool fresh;

	if (!HP_LIST_RESERVE(s->regions, s->nregions, s->regions_cap) ||
	    (spans && !hp_memory_take(hp_region_bytes(s))))
		return NULL;
	r = hp_calloc(1, sizeof(*r) + s->referrers * sizeof(uint64_t *));
	place = r ? hp_id_map_put(&s->directory, number, &fresh) : NULL;
	if (!place) {
		if (spans)
			hp_memory_give_back(hp_region_bytes(s));
		hp_free(r);
		return NULL;
	}
	r->number = number;
	*place = (uintptr_t)r;
	s->regions[s->nregions++] = r;
	s->reserved += hp_region_bytes(s);
	if (spans) {
		hp_id_span_use(s, r);
		s->leaf_bytes += hp_region_bytes(s);
		s->span_bytes += hp_region_bytes(s);
	}
	return r;
}

/*
 * A unit has @leaves_of leaves (bit sets). Returns the distance, in units, from
 * leaf @number to the nearest leaf in use. If there is none within @most units,
 * returns 1. *@below receives whether the nearest leaf comes before @number.
 */
static uint64_t
units_between(const struct hp_id_sets *s, uint64_t number, uint64_t leaves_of,
	      uint64_t most, bool *below)
{
	for (uint64_t d = 1; d <= most; d++) {
		*below = hp_id_span_uses(s, number - d * leaves_of);
		if (*below || hp_id_span_uses(s, number + d * leaves_of))
			return d;
	}
	return 1;
}

/*
 * Returns the number of units (groups of leaves, which are bit sets) that may
 * still be created in advance. @cost: size of a unit in bytes.
 */
static uint64_t
units_free(const struct hp_id_sets *s, uint64_t cost)
{
	uint64_t budget =
		atomic_load_explicit(&s->ahead_budget, memory_order_relaxed);

	return budget > s->reserved ? (budget - s->reserved) / cost : 0;
}

/*
 * A leaf is a bit set; a unit is a group of neighbouring leaves. Create the
 * unit with the leaf of range @number of ids. If the limit allows it, also
 * create the units between this unit and the nearest unit in use, because a
 * worker can access contiguous leaves without a lookup. The caller holds the
 * lock.
 */
static void
make_units(struct hp_id_sets *s, uint64_t number)
{
	bool large = is_large(s), below = false;
	uint64_t leaves_of = large ? HP_UNIT_LEAVES : 1, n, end;
	uint64_t units = units_free(s, leaves_of * hp_region_bytes(s));

	number -= number % leaves_of;
	if (!hp_id_span_holds(s, number) || hp_id_sets_partial(s) || units == 0)
		return;
	units = units_between(s, number, leaves_of, units / 2 + 1, &below);
	if (below)
		number -= (units - 1) * leaves_of;
	end = number + units * leaves_of;
	for (n = number; n < end; n++) {
		if (n % HP_UNIT_LEAVES == 0 && large)
			hp_id_span_huge(s, n);
		if (!hp_region_get(s, n) && !region_make(s, n))
			break;
	}
}

static bool
near_grow(struct hp_id_worker *w)
{
	uint64_t mask = 2 * w->near_mask + 1;
	struct hp_near *larger = near_new((size_t)mask + 1);

	for (uint64_t i = 0; larger && i <= w->near_mask; i++)
		if (w->near[i].number != UINT64_MAX)
			larger[w->near[i].number & mask] = w->near[i];
	if (!larger)
		return false;
	hp_free(w->near);
	w->near = larger;
	w->near_mask = mask;
	return true;
}

/*
 * Returns the entry of a worker's cache for range @number of ids. If the cache
 * has its maximum size, the entry may belong to another range; the caller then
 * replaces the entry.
 */
static struct hp_near *
near_place(struct hp_id_worker *w, uint64_t number)
{
	struct hp_near *n = &w->near[number & w->near_mask];

	while (n->number != UINT64_MAX && n->number != number &&
	       w->near_mask + 1 < NEAR_MOST && near_grow(w))
		n = &w->near[number & w->near_mask];
	return n;
}

/*
 * The place of the ids of a range: in bit sets (leaves), in hash tables, or
 * nowhere, because another pass over the input handles them.
 */
enum fate { LEAVES, HASH, DROPPED };

/*
 * Whether the decision about a range of ids is final, so that a worker may
 * cache it.
 */
enum fate_lasts { FOR_GOOD, FOR_NOW };

/*
 * Postpone range @number of ids to a later pass over the input, because there
 * is no memory for its bit sets. The caller holds the lock.
 */
static enum fate
postpone_stretch(struct hp_id_sets *s, uint64_t number)
{
	uint64_t *times = NULL;

	if (hp_id_map_fits(&s->postponed, s->memory / 8))
		times = hp_id_map_put(&s->postponed, number, NULL);
	if (times)
		++*times;
	else
		s->crowded = true;
	return DROPPED;
}

/*
 * Whether a range of ids may get bit sets (leaves): either all leaves together
 * still take little memory for an input of this size, or enough ids of this
 * range were seen. The caller holds the lock.
 */
static bool
is_explained(struct hp_id_sets *s, uint64_t number)
{
	bool tight = s->memory / 4 < s->leaf_budget || atomic_load(&s->pressed);
	uint64_t *times;

	if (s->leaf_bytes + 2 * LEAF_BYTES <= s->leaf_budget)
		return true;
	if (!hp_id_map_fits(&s->met, s->memory / 8) &&
	    !hp_id_map_find(&s->met, number))
		return false;
	times = hp_id_map_put(&s->met, number, NULL);
	return times && ++*times > (tight ? HP_SPARSE : HP_SPARSE_FREE);
}

/*
 * Decide where the ids of range @number are stored. *@region receives the bit
 * sets of the range, if it has any. *@lasts receives whether the decision can
 * change later. If the range is postponed to a later pass, the function also
 * counts its ids, to recognise ranges with few ids. The caller holds the lock.
 */
static enum fate
decide_fate(struct hp_id_sets *s, uint64_t number, struct hp_region **region,
	    enum fate_lasts *lasts)
{
	uint64_t *at = hp_id_map_find(&s->postponed, number);

	*lasts = FOR_GOOD;
	*region = hp_region_get(s, number);
	if (*region)
		return LEAVES;
	if (at && !s->planned) {
		*lasts = ++*at > HP_SPARSE ? FOR_GOOD : FOR_NOW;
		return DROPPED;
	}
	if (s->planned && (at ? *at >> 1 : 0) != s->window) {
		*lasts = !at || (*at & 1) ? FOR_GOOD : FOR_NOW;
		return DROPPED;
	}
	if (s->crowded) {
		*lasts = FOR_NOW;
		return DROPPED;
	}
	if ((at && !(*at & 1)) || !is_explained(s, number))
		return HASH;
	if (s->nregions > 0 && s->reserved + hp_region_bytes(s) > s->memory) {
		*lasts = FOR_NOW;
		return s->planned ? HASH : postpone_stretch(s, number);
	}
	if (!s->span && s->nregions == 0)
		hp_id_span_reserve(s, number);
	make_units(s, number);
	*region = hp_region_get(s, number);
	if (!*region)
		*region = region_make(s, number);
	return *region ? LEAVES : HASH;
}

/* Create the missing bit sets of a range. Returns false if out of memory. */
static bool
make_leaves(const struct hp_id_worker *w, struct hp_region *r)
{
	struct hp_id_sets *s = w->sets;
	uint64_t **own = s->referrers ? &r->referenced[w->number] : NULL;

	if (!r->defined)
		r->defined = leaf_new(s, 0);
	if (own && !*own)
		*own = leaf_new(s, w->number + 1);
	return r->defined && (!own || *own);
}

static enum fate
learn_stretch(struct hp_id_worker *w, uint64_t number)
{
	struct hp_id_sets *s = w->sets;
	struct hp_region *r;
	struct hp_near *n;
	enum fate fate;
	enum fate_lasts lasts;

	pthread_mutex_lock(&s->lock);
	fate = decide_fate(s, number, &r, &lasts);
	if (fate == LEAVES && !make_leaves(w, r)) {
		w->failed = true;
		fate = DROPPED;
		lasts = FOR_NOW;
	}
	pthread_mutex_unlock(&s->lock);
	if (fate == HASH || lasts == FOR_NOW)
		return fate;
	n = near_place(w, number);
	n->number = number;
	n->defined = fate == LEAVES ? r->defined : NULL;
	n->referenced = fate == LEAVES && s->referrers
				? r->referenced[w->number]
				: NULL;
	return fate;
}

void
hp_id_defined_twice(struct hp_id_worker *w, uint64_t id)
{
	w->duplicates++;
	if (w->nduplicates == w->sets->duplicates_max)
		return;
	if (HP_LIST_RESERVE(w->duplicate_ids, w->nduplicates,
			    w->duplicates_cap))
		w->duplicate_ids[w->nduplicates++] = id;
	else
		w->failed = true;
}

void
hp_id_flush(struct hp_id_worker *w)
{
	uint64_t old = 0, twice, k;

	if (!w->pending_bits)
		return;
	/*
	 * At the start of a page, do not read the word before it is written,
	 * but assume that it is 0, which is nearly always right. If a new page
	 * is first read and then written, the kernel handles two page faults,
	 * and the second one interrupts all other threads.
	 */
	if (((uintptr_t)w->pending ^ (uintptr_t)w->stored) < HP_PAGE_BYTES)
		old = atomic_load_explicit(w->pending, memory_order_relaxed);
	w->stored = w->pending;
	while (!atomic_compare_exchange_weak_explicit(
		w->pending, &old, old | w->pending_bits, memory_order_relaxed,
		memory_order_relaxed))
		continue;
	twice = old & w->pending_bits;
	for (; twice; twice &= twice - 1) {
		k = (uint64_t)__builtin_ctzll(twice);
		hp_id_defined_twice(w, w->pending_base + (k << w->shift));
	}
	w->pending_bits = 0;
}

/*
 * Insert an id into a hash set, unless the hash set would become too large.
 * *@fresh receives true if the id is new.
 */
static void
hash_put(struct hp_id_worker *w, struct hp_id_map *set, uint64_t id,
	 bool *fresh)
{
	uint64_t most = w->sets->memory / 8 / w->sets->workers;

	*fresh = true;
	if (!hp_id_map_fits(set, most / 2))
		atomic_store(&w->sets->pressed, true);
	if (!hp_id_map_fits(set, most) && !hp_id_map_get(set, id))
		w->full = true;
	else if (!hp_id_map_put(set, id, fresh))
		w->failed = true;
}

/*
 * Decide where an id that is not in the worker's cache is stored: in a bit set,
 * in a hash set, or nowhere. Unaligned ids are stored only in the first pass
 * over the input, in a hash set.
 */
static enum fate
fate_of(struct hp_id_worker *w, uint64_t id)
{
	if (id & w->low)
		return w->sets->window == 0 ? HASH : DROPPED;
	return learn_stretch(w, id >> w->shift >> HP_LEAF_BITS);
}

/*
 * Find the bit sets (leaves) for an id outside the run of the worker. (The run
 * consists of bit sets that the worker accesses without a lookup.) *@fate
 * receives where the id is stored. Returns NULL if no bit set stores the id.
 * The function may choose another run.
 */
static const struct hp_near *
leaves_of(struct hp_id_worker *w, uint64_t id, uint64_t bit, enum fate *fate)
{
	const struct hp_near *n = hp_id_near(w, bit);

	if (n->number != bit >> HP_LEAF_BITS || (id & w->low)) {
		*fate = fate_of(w, id);
		if (*fate != LEAVES)
			return NULL;
		n = hp_id_near(w, bit);
	}
	*fate = LEAVES;
	hp_id_span_follow(w, n->number);
	return n;
}

static HP_APART void
define_uncached(struct hp_id_worker *w, uint64_t id, uint64_t bit)
{
	enum fate fate;
	const struct hp_near *n = leaves_of(w, id, bit, &fate);
	bool fresh;

	if (n) {
		hp_id_enqueue(w,
			      n->defined + ((bit >> 6) & (HP_LEAF_WORDS - 1)),
			      bit, id);
	} else if (fate == HASH) {
		hash_put(w, &w->odd_defined, id, &fresh);
		if (!fresh)
			hp_id_defined_twice(w, id);
	}
}

static HP_APART void
refer_uncached(struct hp_id_worker *w, uint64_t id, uint64_t bit)
{
	enum fate fate;
	const struct hp_near *n = leaves_of(w, id, bit, &fate);
	bool fresh;

	if (n)
		hp_id_mark(w, &w->ring_at,
			   hp_bit_address(n->referenced,
					  bit & ((1u << HP_LEAF_BITS) - 1)));
	else if (fate == HASH)
		hash_put(w, &w->odd_referenced, id, &fresh);
}

/*
 * Whether this pass over the input ignores the id, according to the worker's
 * cache. If the input is read in several passes, each pass ignores most ids.
 */
HP_HOT bool
is_dropped(struct hp_id_worker *w, uint64_t id, uint64_t bit)
{
	const struct hp_near *n = hp_id_near(w, bit);

	return n->number == bit >> HP_LEAF_BITS && !n->defined &&
	       !(id & w->low);
}

void
hp_id_define_beyond(struct hp_id_worker *w, uint64_t id)
{
	uint64_t bit = id >> w->shift;

	if (!is_dropped(w, id, bit))
		define_uncached(w, id, bit);
}

void
hp_id_refer_beyond(struct hp_id_worker *w, uint64_t id)
{
	uint64_t bit = id >> w->shift;

	if (!is_dropped(w, id, bit))
		refer_uncached(w, id, bit);
}

/*
 * Returns the bit set (leaf) in `defined` for range @number of ids. Returns
 * NULL if the worker would need the lock to find this bit set.
 */
static _Atomic uint64_t *
leaf_now(const struct hp_id_worker *w, uint64_t number)
{
	const struct hp_near *n = &w->near[number & w->near_mask];

	if (n->number == number)
		return n->defined;
	/*
	 * A run (contiguous bit sets) is a part of the span (reserved address
	 * space). So a worker with a run may read the span.
	 */
	return w->run_bits > 0 && hp_id_span_uses(w->sets, number)
		       ? (_Atomic uint64_t *)hp_id_span_leaf(w->sets, 0, number)
		       : NULL;
}

bool
hp_id_is_defined_now(struct hp_id_worker *w, uint64_t id)
{
	uint64_t bit = id >> w->shift, number = bit >> HP_LEAF_BITS, mask;
	_Atomic uint64_t *word;

	if (id & w->low)
		return hp_id_map_get(&w->odd_defined, id) != NULL;
	word = leaf_now(w, number);
	if (!word && w->near[number & w->near_mask].number == number)
		/*
		 * another pass over the input handles this id; until then,
		 * assume that it was recorded
		 */
		return true;
	if (!word)
		return hp_id_map_get(&w->odd_defined, id) != NULL;
	word += (bit >> 6) & (HP_LEAF_WORDS - 1);
	mask = 1ull << (bit & 63);
	return (word == w->pending && (w->pending_bits & mask)) ||
	       (atomic_load_explicit(word, memory_order_relaxed) & mask);
}

/*
 * Add the hash set @from of one worker to the merged hash set @into. If @twice
 * is not NULL, record ids that are already in @into as duplicates, in the
 * worker @twice. Returns false if out of memory.
 */
static bool
merge_hash_sets(struct hp_id_map *into, const struct hp_id_map *from,
		struct hp_id_worker *twice)
{
	uint64_t id, value;
	size_t at = 0;
	bool fresh;

	while (hp_id_map_next(from, &at, &id, &value)) {
		if (!hp_id_map_put(into, id, &fresh))
			return false;
		if (!fresh && twice)
			hp_id_defined_twice(twice, id);
	}
	return true;
}

static void
drain_ring(struct hp_id_worker *w)
{
	unsigned k;

	for (k = 0; k < HP_RING; k++) {
		hp_bit_set(w->ring[k]);
		w->ring[k] = hp_bit_address(w->nowhere, 0);
	}
}

/*
 * Find ids of objects that were stored twice: in a bit set and in the hash set.
 * They are duplicates: two objects have the same id.
 */
static void
defined_both_ways(struct hp_id_sets *s)
{
	const struct hp_region *r;
	uint64_t id, value, bit;
	size_t at = 0;

	while (hp_id_map_next(&s->odd_defined, &at, &id, &value)) {
		bit = id >> s->shift;
		r = hp_region_get(s, bit >> HP_LEAF_BITS);
		if (id & ((1ull << s->shift) - 1) || !r || !r->defined)
			continue;
		if (r->defined[(bit >> 6) & (HP_LEAF_WORDS - 1)] >> (bit & 63) &
		    1)
			hp_id_defined_twice(&s->worker[0], id);
	}
}

enum hp_status
hp_id_sets_finish(struct hp_id_sets *s, struct hp_error *err)
{
	bool failed = false;
	unsigned i;

	for (i = 0; i < s->workers; i++) {
		hp_id_flush(&s->worker[i]);
		drain_ring(&s->worker[i]);
	}
	for (i = 0; i < s->workers; i++) {
		if (!merge_hash_sets(&s->odd_defined, &s->worker[i].odd_defined,
				     &s->worker[0]) ||
		    !merge_hash_sets(&s->odd_referenced,
				     &s->worker[i].odd_referenced, NULL))
			failed = true;
		hp_id_map_release(&s->worker[i].odd_defined);
		hp_id_map_release(&s->worker[i].odd_referenced);
	}
	defined_both_ways(s);
	for (i = 0; i < s->workers; i++) {
		failed |= s->worker[i].failed;
		s->full |= s->worker[i].full;
	}
	return failed ? hp_no_memory(err) : HP_OK;
}

void
hp_id_sets_empty(struct hp_id_sets *s)
{
	struct hp_id_worker *w;
	unsigned i;
	size_t r;

	for (i = 0; i <= s->referrers; i++) {
		release_slabs(s, &s->slabs[i]);
		s->slabs[i] = (struct hp_slab){0};
	}
	hp_id_span_empty(s);
	for (r = 0; r < s->nregions; r++)
		hp_free(s->regions[r]);
	s->nregions = 0;
	s->leaf_bytes = 0;
	s->reserved = 0;
	hp_id_map_release(&s->directory);
	hp_id_map_release(&s->met);
	hp_id_map_release(&s->odd_defined);
	hp_id_map_release(&s->odd_referenced);
	for (i = 0; i < s->workers; i++) {
		w = &s->worker[i];
		forget_near(w);
		w->duplicates = 0;
		w->nduplicates = 0;
	}
}
