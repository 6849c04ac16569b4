/*
 * edges.c - memory for the lists of references: each thread gets ranges of
 * bytes for the lists that it writes
 */
#include "common/graph/edges.h"

#include "common/base/memory.h"

#include <assert.h>

enum {
	/* number of bytes for lists that a thread gets at a time */
	CHUNK = 1 << 17,
};

enum hp_status
hp_edges_init(struct hp_edges *e, uint32_t n, uint64_t references,
	      unsigned threads, struct hp_big_memory *m, struct hp_error *err)
{
	/*
	 * The maximum size of all lists. A list begins with the number of the
	 * kind of its object, and ends with the code END. If a long array is
	 * read in pieces, each piece has a code END of its own.
	 */
	uint64_t bytes = HP_EDGE_FIRST_BYTE + HP_EDGE_NUMBER * references +
			 20 * (uint64_t)n;
	enum hp_status st;

	*e = (struct hp_edges){0};
	bytes += bytes / CHUNK * 4 * HP_EDGE_ROOM +
		 (threads + 1) * 2 * (uint64_t)CHUNK;
	if (bytes >= HP_EDGE_NO_LIST)
		return hp_fail(err, HP_LIMIT,
			       "the dump has too many references");
	e->cap = bytes;
	e->memory = m;
	pthread_mutex_init(&e->lock, NULL);
	atomic_store(&e->next, HP_EDGE_FIRST_BYTE);
	st = hp_big_array_make(m, &e->starts, (uint64_t)n * HP_EDGE_START,
			       HP_BIG_RANDOM, err);
	return st == HP_OK ? hp_big_array_reserve(&e->lists, bytes,
						  HP_BIG_IN_ORDER, err)
			   : st;
}

enum hp_status
hp_edges_error(const struct hp_edges *e, struct hp_error *err)
{
	if (e->error.status == HP_OK)
		return hp_fail(
			err, HP_LIMIT,
			"the second pass over the dump found more references "
			"than the first; the file may have changed");
	return hp_fail(err, e->error.status, "%s", e->error.text);
}

void
hp_edges_release(struct hp_edges *e, struct hp_big_memory *m)
{
	if (e->memory)
		pthread_mutex_destroy(&e->lock);
	e->memory = NULL;
	hp_big_array_drop(m, &e->lists);
	hp_big_array_drop(m, &e->starts);
	hp_big_array_drop(m, &e->index);
	hp_free(e->ranges);
	e->ranges = NULL;
}

void
hp_edges_expect(struct hp_edges *e, enum hp_big_use use)
{
	hp_big_array_expect(&e->lists, use);
	hp_big_array_expect(&e->index, use);
}

bool
hp_edges_make_ready(struct hp_edges *e, uint64_t bytes)
{
	enum hp_status st;

	if (HP_LIKELY(bytes <=
		      atomic_load_explicit(&e->ready, memory_order_acquire)))
		return true;
	pthread_mutex_lock(&e->lock);
	st = hp_big_array_grow(e->memory, &e->lists, bytes, &e->error);
	atomic_store_explicit(&e->ready, e->lists.ready, memory_order_release);
	pthread_mutex_unlock(&e->lock);
	return st == HP_OK;
}

bool
hp_edges_more(struct hp_edges *e, struct hp_edge_writer *w)
{
	uint64_t from = atomic_fetch_add_explicit(&e->next, CHUNK,
						  memory_order_relaxed);

	if (from + CHUNK > e->cap || !hp_edges_make_ready(e, from + CHUNK))
		return false;
	/*
	 * the thread has not written beyond the end of its range, where the
	 * range of another thread begins
	 */
	assert(w->at <= w->end);
	if (w->end != 0)
		hp_edge_continue(e, w->at, from);
	w->at = from;
	w->end = from + CHUNK;
	return true;
}
