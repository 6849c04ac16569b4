/*
 * nodes.c - find the objects of a dump, and give each a number (its node)
 *
 * One pass over the dump finds the ids of all objects. If several objects have
 * the same id, a second pass finds out which of them is the first in the file.
 * build.c reads the references.
 */
#include "common/graph/graph.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdatomic.h>
#include <string.h>

/*
 * For each thread, room for this many references is reserved in the list of
 * references of the thread object: local variables of the thread are inserted
 * there.
 */
enum { LOCALS = 8 };

/* The contents of a THREAD OBJECT root: a thread object and its stack trace. */
struct thread_root {
	uint64_t offset, id;
	uint32_t serial, trace;
};

struct hp_node_worker {
	struct thread_root *threads;
	size_t nthreads, threads_cap;
	uint64_t references;
	bool sticky;
	struct hp_rank_near near;
};

static bool
note_thread(struct hp_node_worker *w, const struct hp_sub *s, unsigned id_size)
{
	return HP_LIST_PUSH(w->threads, w->nthreads, w->threads_cap,
			    (struct thread_root){s->offset, s->id,
						 hp_root_thread(s, id_size),
						 hp_root_third(s, id_size)});
}

static uint64_t
references_of(const struct hp_sub *s, unsigned id_size)
{
	if (s->tag == HP_SUB_INSTANCE_DUMP)
		return s->count / id_size;
	return s->tag == HP_SUB_OBJECT_ARRAY_DUMP ? s->count : 0;
}

static bool
find_sub(struct hp_nodes *n, unsigned worker, const struct hp_sub *s)
{
	struct hp_node_worker *w = &n->workers[worker];

	if (HP_LIKELY(hp_subrecord_is_object(s->tag))) {
		hp_id_define(&n->sets->worker[worker], s->id);
		w->references += s->tag == HP_SUB_CLASS_DUMP
					 ? s->size / n->id_size
					 : references_of(s, n->id_size);
		return true;
	}
	w->sticky |= s->tag == HP_SUB_ROOT_STICKY_CLASS;
	/* a local variable will become a reference of its thread object */
	w->references += hp_subrecord_is_local(s->tag);
	w->references += s->tag == HP_SUB_ROOT_THREAD_OBJECT ? LOCALS : 0;
	return s->tag != HP_SUB_ROOT_THREAD_OBJECT ||
	       note_thread(w, s, n->id_size);
}

/*
 * Add the ids of consecutive instances, which make up most of a dump. Returns
 * the maximum number of references that these instances can have.
 */
HP_HOT uint64_t
find_instances(struct hp_id_worker *ids, struct hp_heap_iter *at,
	       unsigned id_size)
{
	struct hp_heap_iter it = *at;
	uint64_t references = 0;
	struct hp_sub s;

	while (hp_heap_instance(&it, &s, id_size)) {
		it.at = s.data + s.count;
		hp_heap_prefetch(it.at, HP_AHEAD);
		hp_id_define(ids, s.id);
		references += s.count / id_size;
	}
	*at = it;
	return references;
}

HP_HOT bool
find_run(struct hp_nodes *n, const struct hp_batch *b, size_t run,
	 unsigned id_size)
{
	struct hp_heap_iter it = hp_run_iter(b, run);
	struct hp_sub s;

	for (;;) {
		n->workers[b->worker].references += find_instances(
			&n->sets->worker[b->worker], &it, id_size);
		if (!hp_heap_next(&it, &s, id_size))
			return true;
		hp_heap_prefetch_behind(it.at, s.size, HP_AHEAD);
		if (!find_sub(n, b->worker, &s))
			return false;
	}
}

enum hp_status
hp_nodes_batch(struct hp_nodes *n, const struct hp_batch *b,
	       struct hp_error *err)
{
	bool fine = true;

	for (size_t i = 0; b->dump == n->dump && i < b->nruns && fine; i++) {
		const struct hp_run *run = &b->runs[i];

		if (run->kind == HP_RUN_ARRAY && run->piece.head)
			fine = find_sub(n, b->worker, &run->piece.sub);
		else if (run->kind == HP_RUN_SUBS && n->id_size == 8)
			fine = find_run(n, b, i, 8);
		else if (run->kind == HP_RUN_SUBS)
			fine = find_run(n, b, i, 4);
	}
	return fine ? HP_OK : hp_no_memory(err);
}

static enum hp_status
find_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	return hp_nodes_batch(ctx, b, err);
}

/* --- the first object with each id --- */

static void
note_first(struct hp_nodes *n, struct hp_node_worker *w, const struct hp_sub *s)
{
	uint32_t node = hp_subrecord_is_object(s->tag)
				? hp_node_of(n, &w->near, s->id)
				: HP_NO_NODE;
	_Atomic uint64_t *place = (_Atomic uint64_t *)n->first.at + node;
	uint64_t was;

	if (node == HP_NO_NODE)
		return;
	was = atomic_load_explicit(place, memory_order_relaxed);
	while ((was == 0 || was > s->offset + 1) &&
	       !atomic_compare_exchange_weak(place, &was, s->offset + 1)) {
	}
}

static enum hp_status
first_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_nodes *n = ctx;
	struct hp_node_worker *w = &n->workers[b->worker];
	struct hp_heap_iter it;
	struct hp_sub s;

	for (size_t i = 0; b->dump == n->dump && i < b->nruns; i++) {
		const struct hp_run *run = &b->runs[i];

		if (run->kind == HP_RUN_ARRAY && run->piece.head)
			note_first(n, w, &run->piece.sub);
		if (run->kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(b, i);
		while (hp_heap_next(&it, &s, n->id_size))
			note_first(n, w, &s);
	}
	return HP_OK;
}

/* --- numbering ------------------------------------------------------------ */

/*
 * Read the dump once. Damage is ignored here, because the pass that read the
 * classes has reported it.
 */
static enum hp_status
scan(struct hp_nodes *n, struct hp_source *src,
     enum hp_status (*batch)(void *, struct hp_batch *, struct hp_error *),
     struct hp_error *err)
{
	const struct hp_pass pass = {
		.need = HP_NEED_HEADS, .ctx = n, .batch = batch};
	const struct hp_scan_options o = {
		.threads = n->threads, .only_dump = n->dump, .from = n->from};
	enum hp_status st = hp_source_rewind(src, err);

	return st == HP_OK ? hp_scan(src, &pass, &o, err) : st;
}

/*
 * Returns a number by which the roots of a thread are ordered; only the root
 * with the smallest number is used. Roots whose thread object is in the dump
 * come before all others. Otherwise the root that is earlier in the file has
 * the smaller number.
 */
static uint64_t
thread_order(struct hp_nodes *n, const struct thread_root *t)
{
	bool dumped = hp_node_of(n, &n->workers[0].near, t->id) != HP_NO_NODE;

	return t->offset | (uint64_t)!dumped << 63;
}

/*
 * The root @t states the object and the stack trace of a thread. Record both
 * for the thread, unless another root of this thread has a smaller
 * thread_order(). Returns false if out of memory.
 */
static bool
take_thread(struct hp_nodes *n, struct hp_id_map *orders,
	    const struct thread_root *t)
{
	uint64_t order = thread_order(n, t);
	bool fresh;
	uint64_t *least = hp_id_map_put(orders, t->serial, &fresh);

	if (!least)
		return false;
	if (!fresh && *least <= order)
		return true;
	*least = order;
	return hp_id_map_set(&n->threads_by_serial, t->serial, t->id) &&
	       hp_id_map_set(&n->traces_by_serial, t->serial, t->trace);
}

static enum hp_status
merge_threads(struct hp_nodes *n, struct hp_error *err)
{
	struct hp_id_map orders = {0};
	bool fine = true;

	for (unsigned i = 0; i < n->threads; i++)
		for (size_t k = 0; fine && k < n->workers[i].nthreads; k++)
			fine = take_thread(n, &orders,
					   &n->workers[i].threads[k]);
	hp_id_map_release(&orders);
	return fine ? HP_OK : hp_no_memory(err);
}

static enum hp_status
number(struct hp_nodes *n, struct hp_id_sets *sets, struct hp_big_memory *m,
       struct hp_error *err)
{
	enum hp_status st;

	if (hp_id_sets_partial(sets) || hp_id_sets_over_memory(sets))
		return hp_fail(err, HP_LIMIT,
			       "--memory is too small for the ids of all "
			       "objects; allow more");
	st = hp_id_ranks_init(&n->ranks, sets, err);
	if (st != HP_OK)
		return st;
	if (n->ranks.count >= HP_NODES_MAX)
		return hp_fail(err, HP_LIMIT,
			       "the dump has more than 4,294,901,759 objects");
	n->count = (uint32_t)n->ranks.count;
	m->held += sets->leaf_bytes + hp_id_ranks_bytes(sets);
	return HP_OK;
}

static enum hp_status
make_workers(struct hp_nodes *n, struct hp_error *err)
{
	n->workers = hp_calloc(n->threads, sizeof(*n->workers));
	return n->workers ? HP_OK : hp_no_memory(err);
}

/*
 * For each id that several objects have, find the offset of the first of these
 * objects.
 */
static enum hp_status
find_first(struct hp_nodes *n, const struct hp_id_sets *sets,
	   struct hp_source *src, struct hp_big_memory *m, struct hp_error *err)
{
	uint64_t twice = 0;
	enum hp_status st;

	for (unsigned i = 0; i < n->threads; i++)
		twice += sets->worker[i].duplicates;
	if (twice == 0)
		return HP_OK;
	st = hp_big_array_make(m, &n->first, 8 * (uint64_t)n->count,
			       HP_BIG_RANDOM, err);
	return st == HP_OK ? scan(n, src, first_batch, err) : st;
}

enum hp_status
hp_nodes_begin(struct hp_nodes *n, uint64_t size, uint64_t memory,
	       struct hp_error *err)
{
	enum hp_status st = make_workers(n, err);
	struct hp_id_sets *sets =
		st == HP_OK ? hp_calloc(1, sizeof(*sets)) : NULL;

	if (!sets)
		return hp_no_memory(err);
	st = hp_id_definitions_init(sets, n->threads, n->shift,
				    size == UINT64_MAX ? 0 : size, memory, 1,
				    err);
	if (st == HP_OK)
		n->sets = sets;
	else
		hp_free(sets);
	return st;
}

/* Number the nodes. Called when the ids of all objects were read. */
static enum hp_status
end(struct hp_nodes *n, struct hp_source *src, struct hp_big_memory *m,
    struct hp_error *err)
{
	enum hp_status st = hp_id_sets_finish(n->sets, err);

	if (st == HP_OK)
		st = number(n, n->sets, m, err);
	for (unsigned i = 0; i < n->threads; i++) {
		n->sticky |= n->workers[i].sticky;
		n->references += n->workers[i].references;
	}
	if (st == HP_OK)
		st = merge_threads(n, err);
	return st == HP_OK ? find_first(n, n->sets, src, m, err) : st;
}

/*
 * Take the ids of all objects from @found, which an earlier pass has filled.
 * Returns HP_LIMIT, with @n unchanged, if the ids did not fit in the memory of
 * that pass.
 */
static enum hp_status
take_found(struct hp_nodes *n, struct hp_nodes *found, struct hp_source *src,
	   struct hp_big_memory *m, struct hp_error *err)
{
	const struct hp_nodes empty = *n;
	uint64_t held = m->held;
	struct hp_error error = {0};
	enum hp_status st;

	*n = *found;
	*found = (struct hp_nodes){0};
	st = end(n, src, m, &error);
	if (st != HP_LIMIT)
		return hp_fail_as(err, &error);
	hp_nodes_release(n, m);
	*n = empty;
	m->held = held;
	return st;
}

/*
 * Returns how many bytes the ids of all objects and their ranks (indexes in the
 * sorted list of ids) take, in the memory that the caller of hp_nodes_find()
 * limits.
 */
static uint64_t
id_bytes(const struct hp_nodes *n)
{
	return n->sets->leaf_bytes + hp_id_ranks_bytes(n->sets);
}

void
hp_nodes_keep(struct hp_nodes *n, struct hp_nodes *kept,
	      struct hp_big_memory *m)
{
	if (n->count == 0 || !n->sets || n->first.at || kept->sets)
		return;
	m->held -= id_bytes(n);
	*kept = *n;
	*n = (struct hp_nodes){0};
}

enum hp_status
hp_nodes_find(struct hp_nodes *n, struct hp_nodes *found, struct hp_source *src,
	      struct hp_big_memory *m, struct hp_error *err)
{
	enum hp_status st = HP_LIMIT;

	if (found && found->sets && found->count > 0) {
		*n = *found;
		*found = (struct hp_nodes){0};
		m->held += id_bytes(n);
		return HP_OK;
	}
	if (found && found->sets)
		st = take_found(n, found, src, m, err);
	if (st != HP_LIMIT)
		return st;
	st = hp_nodes_begin(n, hp_source_size(src), m->limit - m->held, err);
	if (st == HP_OK)
		st = scan(n, src, find_batch, err);
	return st == HP_OK ? end(n, src, m, err) : st;
}

enum hp_status
hp_nodes_take(struct hp_nodes *n, const struct hp_nodes_known *known,
	      struct hp_source *src, struct hp_big_memory *m,
	      struct hp_error *err)
{
	enum hp_status st = make_workers(n, err);

	n->references = known->references;
	n->sticky = known->sticky;
	if (st == HP_OK)
		st = number(n, known->sets, m, err);
	return st == HP_OK ? find_first(n, known->sets, src, m, err) : st;
}

void
hp_nodes_release(struct hp_nodes *n, struct hp_big_memory *m)
{
	if (m)
		hp_big_array_drop(m, &n->first);
	for (unsigned i = 0; n->workers && i < n->threads; i++)
		hp_free(n->workers[i].threads);
	hp_free(n->workers);
	hp_id_map_release(&n->threads_by_serial);
	hp_id_map_release(&n->traces_by_serial);
	hp_id_ranks_release(&n->ranks);
	if (n->sets)
		hp_id_sets_release(n->sets);
	hp_free(n->sets);
	*n = (struct hp_nodes){0};
}
