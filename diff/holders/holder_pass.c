/*
 * holder_pass.c - plan and run the passes over the dump for --by=holder
 *
 * holder_batch.c reads the objects and counts the references in them;
 * holder_counts.c adds up the counters.
 */
#include "diff/holders/internal.h"

#include "common/base/vec.h"
#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/graph/class_edges.h"
#include "common/graph/graph.h"
#include "diff/count/passes.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * maximum number of passes; the program reports an error if it would
	 * need more
	 */
	MOST_PASSES = 64,
	/*
	 * how many times the memory that its counters need at least a pass
	 * should have
	 */
	ROOM = 4,
	LEAST_BUCKETS = 256 << 10,
};

/* --- references from classes and roots ------------------------------------ */

static enum hp_status
name_roots(struct hp_holder_pass *p, struct hp_error *err)
{
	for (unsigned tag = 0; tag < HP_ARRAY_LEN(p->root_edges); tag++) {
		if (!hp_subrecord_is_root((uint8_t)tag))
			continue;
		p->root_edges[tag] = hp_edge_kind_words(
			&p->edges, hp_root_words((uint8_t)tag));
		if (p->root_edges[tag] == HP_NO_EDGE)
			return hp_no_memory(err);
	}
	return HP_OK;
}

/*
 * Add the references of a class to other objects, such as those in its static
 * fields. Does nothing if an earlier class dump has the same id. @edges: for
 * each value of enum hp_class_edge_of, the kind of reference to count. Static
 * fields do not use @edges, because each static field is a kind of its own.
 */
static bool
add_class_edges(struct hp_holder_pass *p, struct hp_rank_near *near,
		const struct hp_class *c, const uint32_t edges[HP_CLASS_EDGES])
{
	uint32_t node = hp_node_of(&p->nodes, near, c->id), edge;
	bool first = node != HP_NO_NODE &&
		     hp_node_is_first(&p->nodes, node, c->offset);
	struct hp_class_edge e = {0};
	bool fine = true;

	while (first && fine && !hp_holder_roots_only(p) &&
	       hp_class_edge_next(c, &e)) {
		if (hp_node_of(&p->nodes, near, e.to) == HP_NO_NODE)
			continue;
		edge = e.of == HP_CLASS_EDGE_STATIC
			       ? hp_edge_kind_static(&p->edges, c,
						     &c->statics[e.index])
			       : edges[e.of];
		fine = edge != HP_NO_EDGE &&
		       hp_holder_pair_add(p, &p->pairs, near, edge, e.to);
	}
	/*
	 * the Serviceability Agent writes no roots for system classes into its
	 * dumps, so add a reference from such a root here
	 */
	if (fine && c->loader == 0 && !p->nodes.sticky)
		fine = hp_holder_pair_add(
			p, &p->pairs, near,
			p->root_edges[HP_SUB_ROOT_STICKY_CLASS], c->id);
	return fine;
}

static int
by_edge(const void *a, const void *b)
{
	const struct hp_holder_pair *x = a, *y = b;
	int c = hp_order(x->edge, y->edge);

	return c ? c : hp_order(x->node, y->node);
}

static enum hp_status
find_pairs(struct hp_holder_pass *p, struct hp_error *err)
{
	static const char *const words[HP_CLASS_EDGES] = {
		[HP_CLASS_EDGE_SUPER] = "super class",
		[HP_CLASS_EDGE_LOADER] = "class loader",
		[HP_CLASS_EDGE_SIGNERS] = "signers",
		[HP_CLASS_EDGE_DOMAIN] = "protection domain",
		[HP_CLASS_EDGE_CONSTANT] = "constant pool"};
	struct hp_rank_near *near = &p->workers[0].near;
	uint32_t edges[HP_CLASS_EDGES] = {0};
	bool fine = true;

	for (unsigned i = 0; i < HP_ARRAY_LEN(words); i++) {
		if (!words[i])
			continue;
		edges[i] = hp_edge_kind_words(&p->edges, words[i]);
		fine &= edges[i] != HP_NO_EDGE;
	}
	for (unsigned i = 0; i < p->g->options->threads && fine; i++)
		fine = hp_vec_move(&p->pairs, &p->workers[i].pairs,
				   sizeof(struct hp_holder_pair));
	for (size_t i = 0; i < p->g->classes.count && fine; i++)
		fine = add_class_edges(p, near, p->g->classes.list[i], edges);
	fine = fine && hp_sort(p->pairs.items, p->pairs.count,
			       sizeof(struct hp_holder_pair), by_edge);
	return fine ? HP_OK : hp_no_memory(err);
}

/* --- running the passes --------------------------------------------------- */

static enum hp_status
make_workers(struct hp_holder_pass *p, struct hp_error *err)
{
	unsigned n = p->g->options->threads;
	enum hp_status st = HP_OK;

	p->workers = hp_calloc(n, sizeof(*p->workers));
	if (!p->workers)
		return hp_no_memory(err);
	for (unsigned i = 0; i < n && st == HP_OK; i++) {
		p->workers[i].pass = p;
		st = hp_kind_finder_init(&p->workers[i].kinds, &p->kinds,
					 p->layout, &p->g->classes,
					 p->g->header.id_size, err);
	}
	return st;
}

static enum hp_status
number_objects(struct hp_holder_pass *p, struct hp_source *src,
	       struct hp_error *err)
{
	const struct hp_histogram_options *o = p->g->options;
	uint64_t left = hp_memory_left();
	enum hp_status st;

	p->memory = (struct hp_big_memory){.limit = left, .in_order = left};
	p->nodes = (struct hp_nodes){.id_size = p->g->header.id_size,
				     .threads = o->threads,
				     .shift = hp_id_shift(p->g->dialect),
				     .dump = o->dump ? o->dump : p->g->dumps};
	st = hp_nodes_find(&p->nodes, &p->g->nodes, src, &p->memory, err);
	if (st == HP_OK)
		st = hp_big_array_make(&p->memory, &p->kind_of,
				       4 * (uint64_t)p->nodes.count + 4,
				       HP_BIG_RANDOM, err);
	return st;
}

_Static_assert(HP_EDGE_STRETCHES == HP_ID_BUCKETS + 1,
	       "one stretch for each bucket, and one for all other ids");

/*
 * Divide the objects into ranges, one for each bucket of waiting references,
 * and create a lock for each range. The ranges are the same for the buckets of
 * all threads.
 */
static void
make_stretches(struct hp_holder_pass *p)
{
	const struct hp_id_buckets *b = &p->workers[0].buckets;
	uint32_t first = 0, next;

	for (uint32_t i = 0; i < b->count; i++, first = next) {
		next = (uint32_t)hp_id_ranks_before(
			&p->nodes.ranks, (uint64_t)(i + 1) << b->shift);
		hp_edge_stretches_add(&p->stretches, first, next);
	}
	hp_edge_stretches_add(&p->stretches, first, p->nodes.count);
}

/*
 * Create the buckets in which references wait to be counted. Their number is
 * chosen so that the data of the objects in one bucket fits into the CPU cache.
 */
static enum hp_status
make_buckets(struct hp_holder_pass *p, struct hp_error *err)
{
	uint64_t left = hp_memory_left() / 8;
	uint64_t bytes = 4 * (uint64_t)p->nodes.count + LEAST_BUCKETS;
	unsigned n = p->g->options->threads;
	enum hp_status st = HP_OK;

	bytes = (bytes < left ? bytes : left) / n;
	for (unsigned i = 0; i < n && st == HP_OK; i++)
		st = hp_id_buckets_init(&p->workers[i].buckets, &p->nodes.ranks,
					bytes, err);
	make_stretches(p);
	return st;
}

enum hp_status
hp_holder_pass_begin(struct hp_holder_pass *p, struct hp_keys *keys,
		     struct hp_source *src, struct hp_error *err)
{
	enum hp_status st = hp_node_kinds_init(&p->kinds, err);

	for (size_t i = 0; i < HP_ARRAY_LEN(p->node_locks); i++)
		pthread_mutex_init(&p->node_locks[i], NULL);
	if (st == HP_OK)
		st = make_workers(p, err);
	if (st == HP_OK)
		st = hp_edge_kinds_init(&p->edges, keys, err);
	p->ncounts = hp_holder_roots_only(p) ? 0 : p->edges.count;
	if (st == HP_OK)
		st = name_roots(p, err);
	if (st == HP_OK)
		st = hp_unfollowed_init(&p->unfollowed, &p->g->classes,
					&p->g->tables, p->o->reachability, err);
	if (st == HP_OK)
		st = number_objects(p, src, err);
	return st == HP_OK ? make_buckets(p, err) : st;
}

static uint64_t
most_of(const void *context, uint32_t kind)
{
	return ((const struct hp_edge_kinds *)context)->list[kind].most;
}

/*
 * Returns the memory for the counters of the next pass. The rest of the memory
 * is for the pass itself. The first pass has less memory for counters, because
 * it also stores the kinds of objects.
 */
static uint64_t
memory_for_counts(const struct hp_holder_pass *p, uint32_t from)
{
	return p->most ? p->most : hp_memory_left() / 4 * (from == 0 ? 2 : 3);
}

/*
 * Returns how much memory the counters of the kinds of references from @from on
 * need at least: there is room for each kind, and at most MOST_PASSES passes
 * are necessary.
 */
static uint64_t
least_for_counts(const struct hp_holder_pass *p, uint32_t from)
{
	uint64_t rest = 0, largest = 0, one;

	for (uint32_t i = from; i < p->ncounts; i++) {
		one = hp_edge_counts_bytes(&p->stretches,
					   p->edges.list[i].most);
		largest = one > largest ? one : largest;
		rest += one;
	}
	return largest > rest / MOST_PASSES ? largest : rest / MOST_PASSES;
}

/*
 * If little memory is left for counters and for the pass itself, move a part of
 * the kinds of objects to files. The counters need a half of this memory, or
 * three quarters after the first pass. If no file can be made, for example
 * because the disk is full, the memory may still be enough.
 */
static void
make_room(struct hp_holder_pass *p, uint64_t least)
{
	uint64_t wanted = ROOM * least, left = hp_memory_left();
	uint64_t missing = wanted > left ? wanted - left : 0;

	(void)!hp_big_array_move_to_file(&p->memory, &p->kind_of, &missing,
					 NULL);
}

/*
 * Choose the kinds of references that the next pass counts: as many as fit into
 * the memory for counters.
 */
static enum hp_status
plan_counts(struct hp_holder_pass *p, uint32_t from, struct hp_error *err)
{
	uint64_t least = least_for_counts(p, from);
	uint64_t left, taken = 0, one;
	uint32_t end = from;

	make_room(p, least);
	left = memory_for_counts(p, from);
	if (least > left)
		return hp_fail(err, HP_LIMIT,
			       "--by=holder does not fit in --memory; allow "
			       "more");
	for (; end < p->ncounts; end++) {
		one = hp_edge_counts_bytes(&p->stretches,
					   p->edges.list[end].most);
		if (one > left - taken)
			break;
		taken += one;
	}
	return hp_edge_counts_begin(&p->edge_counts, &p->stretches, from, end,
				    most_of, &p->edges, err);
}

static enum hp_status
look_up_all(struct hp_holder_pass *p, struct hp_error *err)
{
	unsigned n = p->g->options->threads;
	bool no_memory = false;

	atomic_store(&p->looked_up, 0);
	hp_threads_run(
		hp_threads_for(n, p->nodes.count, HP_HOLDER_NODES_A_THREAD),
		hp_holder_look_up_rest, p->workers, sizeof(*p->workers));
	for (unsigned i = 0; i < n; i++)
		no_memory |= p->workers[i].no_memory;
	return no_memory ? hp_no_memory(err) : HP_OK;
}

/* Store the kind of a class object; @ctx is the struct hp_holder_pass. */
static enum hp_status
store_class_kind(void *ctx, uint32_t node, uint32_t kind, struct hp_error *err)
{
	const struct hp_holder_pass *p = ctx;

	(void)err;
	((uint32_t *)p->kind_of.at)[node] = kind;
	return HP_OK;
}

enum hp_status
hp_holder_pass_next(struct hp_holder_pass *p, struct hp_source *src,
		    struct hp_error *err)
{
	const struct hp_extra_pass pass = {.need = HP_NEED_REFERENCES,
					   .ctx = p,
					   .sub = hp_holder_sub,
					   .instances = hp_holder_instances};
	uint32_t from = p->edge_counts.end;
	enum hp_status st;

	if (p->edge_counts.list && from == p->ncounts)
		return HP_EOF;
	hp_edge_counts_release(&p->edge_counts);
	st = plan_counts(p, from, err);
	if (st == HP_OK)
		st = hp_extra_pass_run(p->g, src, &pass, err);
	if (st == HP_OK)
		st = look_up_all(p, err);
	if (st == HP_OK && from == 0)
		st = hp_kinds_of_classes(&p->workers[0].kinds, &p->g->classes,
					 &p->nodes, &p->workers[0].near,
					 store_class_kind, p, err);
	if (st == HP_OK)
		st = hp_holder_counts_find(p, err);
	return st == HP_OK && from == 0 ? find_pairs(p, err) : st;
}

void
hp_holder_pass_release(struct hp_holder_pass *p)
{
	for (unsigned i = 0; p->workers && i < p->g->options->threads; i++) {
		hp_edge_carries_release(&p->workers[i].carried);
		hp_free(p->workers[i].pairs.items);
		hp_id_buckets_release(&p->workers[i].buckets);
		hp_kind_finder_release(&p->workers[i].kinds);
	}
	hp_free(p->workers);
	hp_free(p->pairs.items);
	hp_free(p->counts.items);
	hp_free(p->objects);
	hp_edge_counts_release(&p->edge_counts);
	hp_unfollowed_release(&p->unfollowed);
	hp_big_array_drop(&p->memory, &p->kind_of);
	hp_nodes_release(&p->nodes, &p->memory);
	hp_node_kinds_release(&p->kinds);
	hp_edge_kinds_release(&p->edges);
	for (size_t i = 0; i < HP_ARRAY_LEN(p->node_locks); i++)
		pthread_mutex_destroy(&p->node_locks[i]);
}
