/*
 * walkers.c - the threads of the search for shortest paths
 */
#include "diff/paths/walk.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

bool
hp_walk_goes_on(struct hp_walk *w)
{
	for (unsigned i = 0; i < w->used && w->st == HP_OK; i++) {
		const struct hp_path_part *p = &w->walkers[i].part;

		if (p->st != HP_OK)
			w->st = hp_fail_as(w->err, &p->err);
	}
	return w->st == HP_OK;
}

bool
hp_walk_share(struct hp_walk *w, void *(*run)(void *), uint64_t from,
	      uint64_t end)
{
	unsigned n = hp_threads_for(w->threads, end - from, HP_PATH_WIDE);

	atomic_store_explicit(&w->next, from, memory_order_relaxed);
	w->end = end;
	w->used = n > w->used ? n : w->used;
	for (unsigned i = 0; i < n; i++)
		w->walkers[i].part.alone = n == 1;
	hp_threads_run(n, run, w->walkers, sizeof(*w->walkers));
	w->walkers[0].part.alone = true;
	return hp_walk_goes_on(w);
}

uint64_t
hp_walk_take(struct hp_walker *k, uint64_t *at)
{
	struct hp_walk *w = k->w;
	uint64_t end;

	if (k->part.st != HP_OK)
		return 0;
	*at = atomic_fetch_add_explicit(&w->next, HP_PATH_SHARE,
					memory_order_relaxed);
	end = *at + HP_PATH_SHARE;
	if (*at >= w->end)
		return 0;
	return end < w->end ? end : w->end;
}

enum hp_status
hp_walkers_make(struct hp_walk *w, struct hp_error *err)
{
	w->used = 1;
	w->locks = hp_calloc(HP_PATH_LOCKS, sizeof(*w->locks));
	w->walkers = hp_calloc(w->threads, sizeof(*w->walkers));
	if (!w->locks || !w->walkers)
		return hp_no_memory(err);
	for (unsigned i = 0; i < HP_PATH_LOCKS; i++)
		pthread_mutex_init(&w->locks[i], NULL);
	for (unsigned i = 0; i < w->threads; i++) {
		struct hp_walker *k = &w->walkers[i];

		k->w = w;
		k->part.level = &w->level;
		k->part.alone = true;
		k->near = hp_calloc(1, sizeof(*k->near));
		k->cache = hp_calloc(HP_STEP_CACHE, sizeof(*k->cache));
		if (!k->near || !k->cache)
			return hp_no_memory(err);
	}
	return HP_OK;
}

void
hp_walkers_release(struct hp_walk *w)
{
	for (unsigned i = 0; w->walkers && i < w->threads; i++) {
		struct hp_walker *k = &w->walkers[i];

		hp_free(k->near);
		hp_free(k->cache);
		hp_free(k->fresh.items);
		hp_free(k->named.items);
		hp_buf_release(&k->a);
		hp_buf_release(&k->b);
	}
	hp_free(w->walkers);
	hp_free(w->locks);
}
