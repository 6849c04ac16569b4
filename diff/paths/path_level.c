/*
 * path_level.c - the lists of objects for one level of the search for shortest
 * paths; the objects of a level are equally far from the roots
 */
#include "diff/paths/path_level.h"

#include <string.h>

/*
 * Limit for the number of candidates. The index of a candidate is stored in 31
 * bits, because the other bit of its word is the flag HP_PATH_WAITS.
 */
#define CANDIDATES_MAX (2 * HP_PATH_WAITS)

/*
 * number of candidates for which a thread makes room at once, if other threads
 * also add candidates
 */
enum { ROOM = 1024 };

enum hp_status
hp_path_level_init(struct hp_path_level *l, uint32_t *steps, uint64_t nodes,
		   unsigned threads, struct hp_big_memory *memory,
		   struct hp_error *err)
{
	enum hp_status st;

	*l = (struct hp_path_level){.steps = (_Atomic uint32_t *)steps,
				    .memory = memory,
				    .lock = PTHREAD_MUTEX_INITIALIZER};
	st = hp_big_array_reserve(&l->candidate_array,
				  (nodes + (uint64_t)threads * ROOM) *
					  sizeof(*l->candidates),
				  HP_BIG_IN_ORDER, err);
	if (st == HP_OK)
		st = hp_big_array_reserve(&l->queue_array,
					  nodes * sizeof(*l->queue),
					  HP_BIG_IN_ORDER, err);
	l->candidates = l->candidate_array.at;
	l->queue = l->queue_array.at;
	return st;
}

void
hp_path_level_release(struct hp_path_level *l)
{
	for (uint32_t i = 0; i < l->candidate_count; i++) {
		uint32_t node = l->candidates[i].node;

		if (node != HP_NO_NODE && !hp_path_has_step(l, node))
			hp_path_set_step(l, node, 0);
	}
	if (l->memory) {
		hp_big_array_drop(l->memory, &l->candidate_array);
		hp_big_array_drop(l->memory, &l->queue_array);
	}
	*l = (struct hp_path_level){0};
}

/*
 * Append @n entries of @size bytes to a list that has *@used entries, and may
 * have @most entries. Returns the index of the first one. Returns UINT32_MAX if
 * there is no memory; the failure is stored in p->st.
 */
static uint32_t
append(struct hp_path_part *p, struct hp_big_array *a, uint32_t *used,
       uint32_t n, uint32_t most, size_t size)
{
	struct hp_path_level *l = p->level;
	uint64_t bytes;
	uint32_t at;

	if (!p->alone)
		pthread_mutex_lock(&l->lock);
	at = *used;
	bytes = ((uint64_t)at + n) * size;
	if (at > most - n && p->st == HP_OK)
		p->st = hp_fail(&p->err, HP_LIMIT,
				"the dump has more than %u objects with the "
				"same distance from the roots",
				most);
	else if (HP_UNLIKELY(bytes > a->ready) && p->st == HP_OK)
		p->st = hp_big_array_grow(l->memory, a, bytes, &p->err);
	if (HP_LIKELY(p->st == HP_OK))
		*used += n;
	else
		at = UINT32_MAX;
	if (!p->alone)
		pthread_mutex_unlock(&l->lock);
	return at;
}

void
hp_path_queue_found(struct hp_path_part *p)
{
	uint32_t at, n = p->nfound;

	p->nfound = 0;
	if (n == 0)
		return;
	at = append(p, &p->level->queue_array, &p->level->queued, n,
		    HP_NODES_MAX, sizeof(*p->found));
	if (at != UINT32_MAX)
		memcpy(p->level->queue + at, p->found, n * sizeof(*p->found));
}

void
hp_path_enqueue(struct hp_path_part *p, uint32_t node)
{
	p->found[p->nfound++] = node;
	if (p->nfound == HP_PATH_FOUND)
		hp_path_queue_found(p);
}

/*
 * Make room for candidates of this thread. The entries are marked as not used,
 * because the thread may not need all of them.
 */
static bool
make_room(struct hp_path_part *p)
{
	struct hp_path_level *l = p->level;
	uint32_t n = p->alone ? 1 : ROOM;
	uint32_t at = append(p, &l->candidate_array, &l->candidate_count, n,
			     CANDIDATES_MAX, sizeof(*l->candidates));

	if (at == UINT32_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++)
		l->candidates[at + i] =
			(struct hp_path_candidate){.node = HP_NO_NODE};
	p->at = at;
	p->end = at + n;
	return true;
}

uint32_t
hp_path_add_candidate(struct hp_path_part *p, const struct hp_path_candidate *c)
{
	struct hp_path_level *l = p->level;
	uint32_t word, before = 0;

	if (p->at == p->end && !make_room(p))
		return 0;
	l->candidates[p->at] = *c;
	word = HP_PATH_WAITS | (p->at & (HP_PATH_WAITS - 1)) |
	       p->at / HP_PATH_WAITS << 31;
	if (p->alone) {
		atomic_store_explicit(&l->steps[c->node], word,
				      memory_order_relaxed);
	} else if (!atomic_compare_exchange_strong_explicit(
			   &l->steps[c->node], &before, word,
			   memory_order_acq_rel, memory_order_acquire)) {
		l->candidates[p->at].node = HP_NO_NODE;
		return before;
	}
	p->at++;
	return 0;
}
