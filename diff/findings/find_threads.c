/*
 * find_threads.c - look for threads that keep much memory alive, and for pools
 * with very many threads
 *
 * The names of threads are read only if a finding may need them.
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"
#include "diff/leaks/leaks.h"

#include <stdlib.h>
#include <string.h>

/*
 * If the object with index @place in the dominator tree is a thread, returns
 * the root that refers to it, otherwise NULL. The object must be a child of the
 * root of the tree.
 */
static const struct hp_graph_root *
thread_at(const struct hp_unusual_search *s, uint32_t place)
{
	const struct hp_graph *g = &s->t->graph;
	uint32_t node = hp_unusual_node(s, place);
	const struct hp_graph_root *root = bsearch(
		&node, g->roots, g->nroots, sizeof(*root), hp_compare_u32);

	return root && hp_root_kind(root->tag) == HP_PATH_THREAD ? root : NULL;
}

/*
 * Add each thread to the row of its thread pool (threads whose names differ
 * only in numbers).
 */
static bool
add_pools(struct hp_unusual_search *s, const struct hp_thread_roots *threads,
	  struct hp_rows *pools)
{
	const struct hp_tree *t = &s->t->tree;

	for (uint32_t p = 1; p < t->count; p = hp_tree_end(t, p)) {
		const struct hp_graph_root *root = thread_at(s, p);
		const struct hp_thread_name *name =
			root ? hp_thread_name_of(threads, root->thread) : NULL;
		struct hp_row *row;

		if (!root)
			continue;
		hp_buf_clear(&s->keys.a);
		hp_thread_pool_name(&s->keys.a, name && name->text
							? name->text
							: "(no name)");
		row = hp_rows_put_text(pools, &s->keys.a);
		if (!row)
			return false;
		row->count[0]++;
		row->bytes[0] += hp_tree_bytes(t, p);
	}
	return true;
}

static bool
find_pool(struct hp_unusual_search *s, const struct hp_thread_roots *threads)
{
	struct hp_unusual_fact *f = &s->facts[HP_UNUSUAL_THREADS];
	const struct hp_row *most = NULL;
	struct hp_rows pools;
	bool fine;

	hp_rows_init(&pools, 1);
	fine = add_pools(s, threads, &pools);
	for (size_t i = 0; i < pools.count; i++)
		if (!most || pools.list[i]->count[0] > most->count[0])
			most = pools.list[i];
	if (fine && most) {
		f->count = most->count[0];
		f->bytes = most->bytes[0];
		/* one thread alone is not a pool */
		hp_unusual_share(s, HP_UNUSUAL_THREADS,
				 f->count > 1 ? f->count : 0,
				 s->t->tree.reachable.objects);
		fine = hp_unusual_say(s, HP_UNUSUAL_THREADS, most->key);
	}
	hp_rows_release(&pools);
	return fine;
}

static bool
name_thread(struct hp_unusual_search *s, const struct hp_thread_roots *threads,
	    uint32_t place)
{
	const struct hp_thread_name *name =
		hp_thread_name_of(threads, thread_at(s, place)->thread);

	return hp_unusual_say(s, HP_UNUSUAL_ONE_THREAD,
			      name && name->text ? name->text : "(no name)");
}

enum hp_status
hp_unusual_threads_find(struct hp_unusual_search *s)
{
	const struct hp_tree *t = &s->t->tree;
	struct hp_unusual_fact *one = &s->facts[HP_UNUSUAL_ONE_THREAD];
	struct hp_unusual_fact *pool = &s->facts[HP_UNUSUAL_THREADS];
	struct hp_thread_roots threads = {0};
	uint32_t largest = 0;
	enum hp_status st;
	bool fine = true;

	for (uint32_t p = 1; p < t->count; p = hp_tree_end(t, p)) {
		uint64_t bytes;

		if (!thread_at(s, p))
			continue;
		bytes = hp_tree_bytes(t, p);
		pool->count++;
		if (bytes <= one->bytes)
			continue;
		one->bytes = bytes;
		one->count = hp_tree_end(t, p) - p;
		largest = p;
	}
	hp_unusual_share(s, HP_UNUSUAL_ONE_THREAD, one->bytes,
			 t->reachable.bytes);
	hp_unusual_share(s, HP_UNUSUAL_THREADS, pool->count,
			 t->reachable.objects);
	if (!one->applies && !pool->applies)
		return HP_OK;
	st = hp_thread_roots_find(&threads, &s->t->graph, s->c->g, s->src,
				  s->err);
	if (st == HP_OK && one->applies)
		fine = name_thread(s, &threads, largest);
	if (st == HP_OK && fine && pool->applies)
		fine = find_pool(s, &threads);
	hp_thread_roots_release(&threads);
	return fine ? st : hp_no_memory(s->err);
}
