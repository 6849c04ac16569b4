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

/*
 * A queue is sorted by node if it has more than this part of all nodes. Then
 * the lists of references are read in order, mostly, which is faster, and much
 * faster if they are in a file. To sort a short queue would take longer than
 * that is worth.
 */
enum { SORT_FROM = 256 };

static enum hp_status
reserve_queue(struct hp_path_queue *q, uint64_t nodes, struct hp_error *err)
{
	enum hp_status st = hp_big_array_reserve(
		&q->array, nodes * sizeof(*q->list), HP_BIG_IN_ORDER, err);

	q->list = q->array.at;
	return st;
}

enum hp_status
hp_path_level_init(struct hp_path_level *l, uint32_t *steps, uint64_t nodes,
		   unsigned threads, struct hp_big_memory *memory,
		   struct hp_error *err)
{
	enum hp_status st;

	*l = (struct hp_path_level){.steps = (_Atomic uint32_t *)steps,
				    .nodes = nodes,
				    .memory = memory,
				    .lock = PTHREAD_MUTEX_INITIALIZER};
	/*
	 * Each object may have a candidate, and need an entry for a step. This
	 * reserves only addresses.
	 */
	st = hp_big_array_reserve(&l->candidate_array,
				  (2 * nodes + (uint64_t)threads * ROOM) *
					  sizeof(*l->candidates),
				  HP_BIG_IN_ORDER, err);
	l->candidates = l->candidate_array.at;
	if (st == HP_OK)
		st = reserve_queue(&l->now, nodes, err);
	if (st == HP_OK)
		st = reserve_queue(&l->next, nodes, err);
	return st == HP_OK
		       ? hp_big_array_make(memory, &l->sorted, nodes / 8 + 8,
					   HP_BIG_RANDOM, err)
		       : st;
}

static void
forget_waiting(struct hp_path_level *l, uint32_t node)
{
	if (node != HP_NO_NODE && !hp_path_has_step(l, node))
		hp_path_set_word(l, node, 0);
}

void
hp_path_level_release(struct hp_path_level *l)
{
	for (uint32_t i = 0; i < l->candidate_count; i++)
		forget_waiting(l, l->candidates[i].node);
	for (uint32_t i = 0; i < l->next.count; i++)
		forget_waiting(l, l->next.list[i]);
	if (l->memory) {
		hp_big_array_drop(l->memory, &l->candidate_array);
		hp_big_array_drop(l->memory, &l->now.array);
		hp_big_array_drop(l->memory, &l->next.array);
		hp_big_array_drop(l->memory, &l->sorted);
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
				"the search for paths needs more than %u "
				"entries for objects with the same distance "
				"from the roots",
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

static void
append_found(struct hp_path_part *p, struct hp_path_queue *q,
	     struct hp_path_found *found)
{
	uint32_t at, n = found->count;

	found->count = 0;
	if (n == 0)
		return;
	at = append(p, &q->array, &q->count, n, HP_NODES_MAX, sizeof(*q->list));
	if (at != UINT32_MAX)
		memcpy(q->list + at, found->list, n * sizeof(*q->list));
}

void
hp_path_queue_found(struct hp_path_part *p)
{
	append_found(p, &p->level->now, &p->now);
	append_found(p, &p->level->next, &p->next);
}

static void
enqueue(struct hp_path_part *p, struct hp_path_queue *q,
	struct hp_path_found *found, uint32_t node)
{
	found->list[found->count++] = node;
	if (found->count == HP_PATH_FOUND)
		append_found(p, q, found);
}

void
hp_path_enqueue(struct hp_path_part *p, uint32_t node)
{
	enqueue(p, &p->level->now, &p->now, node);
}

void
hp_path_enqueue_next(struct hp_path_part *p, uint32_t node)
{
	enqueue(p, &p->level->next, &p->next, node);
}

/* Sort the queue by node. The sort sets a bit for each node of the queue. */
static void
sort_queue(struct hp_path_level *l)
{
	uint64_t *bits = l->sorted.at;
	uint32_t *list = l->now.list, n = 0;

	for (uint32_t i = 0; i < l->now.count; i++)
		bits[list[i] >> 6] |= UINT64_C(1) << (list[i] & 63);
	for (uint64_t word = 0; word <= l->nodes / 64; word++) {
		uint64_t left = bits[word];

		bits[word] = 0;
		for (; left != 0; left &= left - 1)
			list[n++] = (uint32_t)(word << 6) |
				    (uint32_t)__builtin_ctzll(left);
	}
	l->now.count = n;
}

void
hp_path_next_queue(struct hp_path_level *l)
{
	struct hp_path_queue last = l->now;

	l->now = l->next;
	l->next = last;
	l->next.count = 0;
	if (l->now.count > l->nodes / SORT_FROM)
		sort_queue(l);
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

/* Returns the word of an object that waits, with the index of a candidate. */
static uint32_t
waiting_word(uint32_t at)
{
	return HP_PATH_WAITS | (at & (HP_PATH_WAITS - 1)) |
	       at / HP_PATH_WAITS << 31;
}

uint32_t
hp_path_add_candidate(struct hp_path_part *p, const struct hp_path_candidate *c)
{
	struct hp_path_level *l = p->level;
	uint32_t word, before = 0;

	if (p->at == p->end && !make_room(p))
		return 0;
	l->candidates[p->at] = *c;
	word = waiting_word(p->at);
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

uint32_t
hp_path_add_fresh(struct hp_path_part *p, uint32_t *at)
{
	if (p->at == p->end && !make_room(p))
		return 0;
	*at = p->at++;
	p->level->candidates[*at].fresh = true;
	return waiting_word(*at);
}
