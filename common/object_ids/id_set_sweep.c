/*
 * id_set_sweep.c - find ids that are referred to but not defined (dangling ids)
 *
 * At the end of a pass over the dump, several threads compare the bit sets
 * `referenced` and `defined`. The last function of this file returns the ranges
 * of ids (granules) to which a part of the dump refers.
 */
#include "common/object_ids/id_set.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

#include <endian.h>
#include <string.h>

enum {
	LINE = 8, /* number of 64-bit words in a cache line */
	/*
	 * distance of prefetching: a word is prefetched this many words before
	 * it is used
	 */
	AHEAD = 16 * LINE,
	/*
	 * number of regions (ranges of ids with bit sets) that a thread gets at
	 * a time
	 */
	SHARE = 4,
	/*
	 * Use at most one thread for each ENOUGH regions (ranges of ids with
	 * bit sets).
	 */
	ENOUGH = 16,
};

/* Data that all threads of the search for dangling ids share. */
struct sweep {
	struct hp_id_sets *sets;
	/* index of the first region (range of ids) that no thread has taken */
	_Atomic size_t next;
};

/*
 * The results of one thread: the number of dangling ids (referred to, but no
 * object has them), and the smallest and the largest dangling id.
 */
struct sweeper {
	struct sweep *sweep;
	uint64_t dangling, low, high;
};

/*
 * If the input is read in several passes: store a dangling id, because the sets
 * are emptied before the next pass. If the dangling ids do not fit in memory,
 * forget all of them.
 */
static void
keep_dangling(struct hp_id_sets *s, uint64_t id)
{
	pthread_mutex_lock(&s->lock);
	if (!s->dangling_lost &&
	    (!hp_id_map_fits(&s->dangling_ids, s->memory / 4) ||
	     !hp_id_map_put(&s->dangling_ids, id, NULL))) {
		s->dangling_lost = true;
		hp_id_map_release(&s->dangling_ids);
	}
	pthread_mutex_unlock(&s->lock);
}

static void
note_dangling(struct sweeper *w, uint64_t id)
{
	struct hp_id_sets *s = w->sweep->sets;

	w->dangling++;
	if (id < w->low)
		w->low = id;
	if (id > w->high)
		w->high = id;
	__atomic_store_n(&s->dangling_granules[hp_id_granule(s, id)], 1,
			 /*
			  * atomic, because other threads may write the same
			  * value at the same time
			  */
			 __ATOMIC_RELAXED);
	if (hp_id_sets_partial(s))
		keep_dangling(s, id);
}

/*
 * Record the dangling ids (no object has them) of one word of a bit set. @k:
 * the index of the word in the bit set.
 * @left: the word, in which only the bits of dangling ids are set.
 */
static void
sweep_word(struct sweeper *w, const struct hp_region *r, unsigned k,
	   uint64_t left)
{
	const struct hp_id_sets *s = w->sweep->sets;
	uint64_t id;

	for (; left; left &= left - 1) {
		id = (r->number << HP_LEAF_BITS) + ((uint64_t)k << 6) +
		     (uint64_t)__builtin_ctzll(left);
		id <<= s->shift;
		if (!hp_id_map_get(&s->odd_defined, id))
			note_dangling(w, id);
	}
}

/*
 * Each worker has a bit set of the ids to which it saw references. Combine one
 * cache line of these bit sets in @met. Returns whether any bit is set.
 */
static bool
gather_line(const struct hp_id_sets *s, const struct hp_region *r, unsigned at,
	    uint64_t met[LINE])
{
	uint64_t any = 0;

	memset(met, 0, LINE * sizeof(*met));
	for (unsigned i = 0; i < s->referrers; i++) {
		const uint64_t *from = r->referenced[i];

		if (!from)
			continue;
		__builtin_prefetch(from + at + AHEAD);
		for (unsigned k = 0; k < LINE; k++)
			any |= met[k] |= from[at + k];
	}
	return any != 0;
}

/*
 * Find the dangling ids in a region (range of 2^20 ids), one cache line of its
 * bit sets at a time. Nearly all lines have no dangling id, so the loops do not
 * test single bits.
 */
static void
sweep_region(struct sweeper *w, const struct hp_region *r)
{
	const uint64_t *defined = (const uint64_t *)r->defined;
	uint64_t left[LINE];

	for (unsigned i = 0; i < HP_LEAF_WORDS; i += LINE) {
		uint64_t any = 0;

		if (!gather_line(w->sweep->sets, r, i, left))
			/*
			 * The dump does not refer to any id of this line (group
			 * of words). Do not read `defined`: if its page was
			 * never written, reading would make the kernel create
			 * the page.
			 */
			continue;
		if (defined)
			__builtin_prefetch(defined + i + AHEAD);
		for (unsigned k = 0; k < LINE; k++)
			any |= left[k] &= defined ? ~defined[i + k] : ~0ull;
		for (unsigned k = 0; any && k < LINE; k++)
			sweep_word(w, r, i + k, left[k]);
	}
}

static void *
sweep_shares(void *arg)
{
	struct sweeper *w = arg;
	const struct hp_id_sets *s = w->sweep->sets;
	size_t at, i;

	while ((at = atomic_fetch_add(&w->sweep->next, SHARE)) < s->nregions)
		for (i = at; i < at + SHARE && i < s->nregions; i++)
			sweep_region(w, s->regions[i]);
	return NULL;
}

static void
add_found(struct hp_id_sets *s, const struct sweeper *w)
{
	if (w->dangling == 0)
		return;
	if (s->dangling == 0 || w->low < s->dangling_low)
		s->dangling_low = w->low;
	if (s->dangling == 0 || w->high > s->dangling_high)
		s->dangling_high = w->high;
	s->dangling += w->dangling;
}

enum hp_status
hp_id_sets_sweep(struct hp_id_sets *s, struct hp_error *err)
{
	struct sweep sweep = {.sets = s};
	struct sweeper *sweepers;
	size_t wanted = 1 + s->nregions / ENOUGH, at = 0;
	unsigned n = wanted < s->workers ? (unsigned)wanted : s->workers, i;
	uint64_t id, value;

	if (s->full)
		/*
		 * Ids were lost because memory was too small. So dangling ids
		 * are not known.
		 */
		return HP_OK;
	sweepers = hp_calloc(n, sizeof(*sweepers));
	if (!sweepers)
		return hp_no_memory(err);
	for (i = 0; i < n; i++)
		sweepers[i] = (struct sweeper){&sweep, 0, UINT64_MAX, 0};
	hp_threads_run(n, sweep_shares, sweepers, sizeof(*sweepers));
	while (hp_id_map_next(&s->odd_referenced, &at, &id, &value))
		if (hp_id_sets_in_window(s, id) && !hp_id_sets_defined(s, id))
			note_dangling(&sweepers[0], id);
	for (i = 0; i < n; i++)
		add_found(s, &sweepers[i]);
	hp_free(sweepers);
	return HP_OK;
}

/* --- granules ------------------------------------------------------------- */

void
hp_id_granules_take(struct hp_id_worker *w, uint64_t *bits)
{
	size_t words = hp_id_granule_words(w->sets);
	uint64_t bytes[8], any;

	/*
	 * Skip groups of flags that are all 0. Most groups are, because the
	 * references lead to few granules (ranges of ids).
	 */
	for (size_t i = 0; i < words; i++) {
		memcpy(bytes, w->granules + i * 64, 64);
		any = bytes[0] | bytes[1] | bytes[2] | bytes[3] | bytes[4] |
		      bytes[5] | bytes[6] | bytes[7];
		bits[i] = 0;
		if (!any)
			continue;
		/* convert eight flags (bytes 0 or 1) to eight bits */
		for (size_t k = 0; k < 8; k++)
			bits[i] |= le64toh(bytes[k]) * 0x0102040810204080u >>
				   56 << k * 8;
		memset(w->granules + i * 64, 0, 64);
	}
}
