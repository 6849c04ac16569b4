/*
 * object_pass.c - prepare and run the first pass for --by=waste, and merge the
 * lists that the threads have made
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/base/vec.h"
#include "common/model/dialect.h"
#include "diff/count/passes.h"
#include "diff/waste/joined_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST_BUCKETS = 256 << 10,
	/* the minimum number of objects for each thread */
	NODES_A_THREAD = 1 << 15,
};

static enum hp_status
make_workers(struct hp_waste *w, struct hp_error *err)
{
	unsigned n = w->g->options->threads;
	enum hp_status st = HP_OK;

	w->workers = hp_calloc(n, sizeof(*w->workers));
	if (!w->workers)
		return hp_no_memory(err);
	for (unsigned i = 0; i < n && st == HP_OK; i++) {
		w->workers[i].w = w;
		st = hp_kind_finder_init(&w->workers[i].kinds, &w->kinds,
					 w->layout, &w->g->classes,
					 w->g->header.id_size, err);
	}
	return st;
}

static enum hp_status
make_arrays(struct hp_waste *w, struct hp_error *err)
{
	const struct {
		struct hp_big_array *array;
		unsigned bytes;
	} arrays[] = {
		{&w->marks, 1}, {&w->link, 4}, {&w->held, 4}, {&w->kind_of, 2}};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < HP_ARRAY_LEN(arrays) && st == HP_OK; i++)
		st = hp_big_array_make(&w->memory, arrays[i].array,
				       arrays[i].bytes *
					       (w->nodes.count + UINT64_C(1)),
				       HP_BIG_RANDOM, err);
	return st;
}

static enum hp_status
number_objects(struct hp_waste *w, struct hp_source *src, struct hp_error *err)
{
	const struct hp_histogram_options *o = w->g->options;
	/* the buffers of the pass that reads the contents of arrays */
	uint64_t later = (uint64_t)o->threads *
			 (sizeof(struct hp_content_rest) + 2 * HP_CONTENT_LONG);
	uint64_t left = hp_memory_left(), limit;
	enum hp_status st;

	/* buckets and lists of rare objects get an eighth */
	limit = left > later ? (left - later) / 8 * 7 : 0;
	w->memory = (struct hp_big_memory){.limit = limit, .in_order = limit};
	w->nodes = (struct hp_nodes){.id_size = w->g->header.id_size,
				     .threads = o->threads,
				     .shift = hp_id_shift(w->g->dialect),
				     .dump = o->dump ? o->dump : w->g->dumps};
	st = hp_nodes_find(&w->nodes, &w->g->nodes, src, &w->memory, err);
	if (st == HP_OK && w->nodes.count > HP_HELD_MOST)
		st = hp_fail(err, HP_LIMIT,
			     "--by=waste cannot handle more than 2^30 objects");
	if (st == HP_OK)
		st = make_arrays(w, err);
	if (st == HP_OK)
		st = hp_shared_list_init(&w->arrays, &w->memory,
					 sizeof(struct hp_waste_array),
					 w->nodes.count, o->threads, err);
	if (st == HP_OK)
		st = hp_shared_list_init(&w->found, &w->memory,
					 sizeof(struct hp_waste_collection),
					 w->nodes.count, o->threads, err);
	return st;
}

static enum hp_status
make_buckets(struct hp_waste *w, struct hp_error *err)
{
	uint64_t left = hp_memory_left() / 8;
	uint64_t bytes = 4 * (uint64_t)w->nodes.count + LEAST_BUCKETS;
	unsigned n = w->g->options->threads;
	enum hp_status st = HP_OK;

	bytes = (bytes < left ? bytes : left) / n;
	for (unsigned i = 0; i < n && st == HP_OK; i++)
		st = hp_id_buckets_init(&w->workers[i].buckets, &w->nodes.ranks,
					bytes, err);
	return st;
}

static enum hp_status
prepare(struct hp_waste *w, struct hp_source *src, struct hp_error *err)
{
	enum hp_status st = hp_node_kinds_init(&w->kinds, err);

	pthread_mutex_init(&w->longs_lock, NULL);
	for (size_t i = 0; i < HP_ARRAY_LEN(w->node_locks); i++)
		pthread_mutex_init(&w->node_locks[i], NULL);
	hp_content_list_init(&w->contents, 0);
	hp_late_array_init(&w->upper_kind_of);
	hp_late_array_init(&w->arrays_of_parts);
	hp_waste_compact_layout(w);
	if (st == HP_OK)
		st = make_workers(w, err);
	if (st == HP_OK)
		st = hp_edge_kinds_init(&w->edges, w->keys, err);
	if (st == HP_OK)
		st = hp_waste_know_classes(w, err);
	if (st == HP_OK)
		st = hp_unfollowed_init(&w->unfollowed, &w->g->classes,
					&w->g->tables, w->o->reachability, err);
	if (st == HP_OK)
		st = number_objects(w, src, err);
	if (st == HP_OK)
		st = hp_waste_read_statics(w, err);
	return st == HP_OK ? make_buckets(w, err) : st;
}

/* --- after the pass ------------------------------------------------------- */

static enum hp_status
look_up_all(struct hp_waste *w, struct hp_error *err)
{
	unsigned n = w->g->options->threads;
	bool no_memory = false;
	enum hp_status st = HP_OK;

	atomic_store(&w->looked_up, 0);
	hp_threads_run(hp_threads_for(n, w->nodes.count, NODES_A_THREAD),
		       hp_waste_look_up_rest, w->workers, sizeof(*w->workers));
	for (unsigned i = 0; i < n; i++) {
		no_memory |= w->workers[i].no_memory;
		if (st == HP_OK)
			st = hp_waste_end_batch(w, i, err);
		hp_id_buckets_release(&w->workers[i].buckets);
	}
	return st == HP_OK && no_memory ? hp_no_memory(err) : st;
}

/* Close the gaps in the lists to which all threads have appended. */
static enum hp_status
close_lists(struct hp_waste *w, struct hp_error *err)
{
	unsigned n = w->g->options->threads;
	struct hp_shared_places *places = hp_calloc(n, sizeof(*places));

	if (!places)
		return hp_no_memory(err);
	for (unsigned i = 0; i < n; i++)
		places[i] = w->workers[i].array_places;
	hp_shared_list_close(&w->arrays, places, n);
	for (unsigned i = 0; i < n; i++)
		places[i] = w->workers[i].found_places;
	hp_shared_list_close(&w->found, places, n);
	hp_free(places);
	return HP_OK;
}

/*
 * For each kind of objects (class and size), store what its objects are used
 * for, because looking up the class of each object would take too long.
 */
static enum hp_status
know_kinds(struct hp_waste *w, struct hp_error *err)
{
	w->role_of_kind = hp_calloc((size_t)w->kinds.count + 1, 1);
	if (!w->role_of_kind)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < w->kinds.count; i++) {
		const struct hp_class *c =
			hp_node_kind_class(&w->kinds.list[i], &w->g->classes);

		if (c)
			w->role_of_kind[i] = w->classes[c->index].role;
	}
	return HP_OK;
}

/*
 * Merge the lists of all threads into one list. @list: offset of the list in
 * struct hp_waste_worker. @size: number of bytes of an element.
 */
static bool
merge(struct hp_waste *w, size_t list, size_t size, struct hp_vec *all)
{
	*all = (struct hp_vec){0};
	for (unsigned i = 0; i < w->g->options->threads; i++) {
		struct hp_vec *from =
			(struct hp_vec *)(void *)((char *)&w->workers[i] +
						  list);

		if (!hp_vec_move(all, from, size))
			return false;
	}
	return true;
}

/*
 * Store 1 + the index of each object array in w->arrays, see hp_waste_link().
 * If an array arrived in pieces, its entry is for the first piece. Add the
 * other pieces to it.
 */
static void
link_arrays(struct hp_waste *w)
{
	for (uint64_t i = 0; i < w->arrays.count; i++)
		*hp_waste_link(w, hp_waste_array_at(w, i)->node) =
			(uint32_t)i + 1;
	for (unsigned i = 0; i < w->g->options->threads; i++) {
		const struct hp_vec *pieces = &w->workers[i].pieces;
		const struct hp_waste_array *piece = pieces->items;

		for (size_t k = 0; k < pieces->count; k++) {
			uint32_t link = *hp_waste_link(w, piece[k].node);

			if (link)
				hp_waste_array_at(w, link - 1)->filled +=
					piece[k].filled;
		}
	}
}

static int
by_collection(const void *a, const void *b)
{
	const struct hp_waste_view *x = a, *y = b;
	int c = hp_order(x->collection, y->collection);

	return c ? c : hp_order(x->part, y->part);
}

static int
by_node(const void *a, const void *b)
{
	const struct hp_waste_cell *x = a, *y = b;

	return hp_order(x->node, y->node);
}

static void
sort(struct hp_vec *v, size_t size, int (*compare)(const void *, const void *))
{
	if (v->count > 0)
		qsort(v->items, v->count, size, compare);
}

/*
 * Add the numbers of the cells in an array to the size of the collection to
 * which the array belongs.
 */
static void
add_cells(struct hp_waste *w, const struct hp_waste_view *v,
	  const struct hp_vec *cells, const struct hp_vec *in_cells)
{
	const struct hp_waste_cell *in = in_cells->items, *all = cells->items;
	uint32_t link = *hp_waste_link(w, v->collection);
	size_t i = hp_list_find(in, in_cells->count, sizeof(*in),
				offsetof(struct hp_waste_cell, node), v->part);

	/*
	 * an array of cells belongs to one map: if another map also refers to
	 * it, do not add its cells again
	 */
	if (i < in_cells->count && in[i].node == v->part &&
	    hp_waste_mark(w, v->part, HP_MARK_SEEN) & HP_MARK_SEEN)
		return;
	for (; i < in_cells->count && in[i].node == v->part; i++) {
		size_t at = hp_list_find(all, cells->count, sizeof(*all),
					 offsetof(struct hp_waste_cell, node),
					 in[i].value);

		if (at < cells->count && all[at].node == in[i].value)
			hp_waste_found_at(w, link - 1)->size +=
				(uint32_t)all[at].value;
	}
}

/*
 * Store 1 + the index of each object array and each collection in its list, see
 * hp_waste_link().
 */
static void
link_lists(struct hp_waste *w)
{
	link_arrays(w);
	for (uint64_t i = 0; i < w->found.count; i++)
		*hp_waste_link(w, hp_waste_found_at(w, i)->node) =
			(uint32_t)i + 1;
}

/*
 * Merge the lists of all threads. Find the holders of all objects, and the
 * sizes of collections that divide their size among cells.
 */
static enum hp_status
merge_lists(struct hp_waste *w, struct hp_error *err)
{
	struct hp_vec views, cells = {0}, in_cells = {0};
	bool fine = merge(w, offsetof(struct hp_waste_worker, views),
			  sizeof(struct hp_waste_view), &views);

	w->views = views.items;
	w->nviews = views.count;
	fine = fine &&
	       merge(w, offsetof(struct hp_waste_worker, cells),
		     sizeof(struct hp_waste_cell), &cells) &&
	       merge(w, offsetof(struct hp_waste_worker, in_cells),
		     sizeof(struct hp_waste_cell), &in_cells);
	w->segments = in_cells.items;
	w->nsegments = in_cells.count;
	if (fine) {
		sort(&views, sizeof(struct hp_waste_view), by_collection);
		sort(&cells, sizeof(struct hp_waste_cell), by_node);
		sort(&in_cells, sizeof(struct hp_waste_cell), by_node);
		hp_waste_claim_parts(w);
		hp_joined_settle(w);
		link_lists(w);
		for (size_t i = 0; i < w->nviews; i++)
			if (w->views[i].cells)
				add_cells(w, &w->views[i], &cells, &in_cells);
	}
	hp_free(cells.items);
	return fine ? HP_OK : hp_no_memory(err);
}

/* Store the kind of a class object; @ctx is the struct hp_waste. */
static enum hp_status
store_class_kind(void *ctx, uint32_t node, uint32_t kind, struct hp_error *err)
{
	return hp_waste_set_kind(ctx, node, kind, err);
}

enum hp_status
hp_waste_read_objects(struct hp_waste *w, struct hp_source *src,
		      struct hp_error *err)
{
	const struct hp_extra_pass pass = {
		.need = HP_NEED_REFERENCES,
		.ctx = w,
		.sub = hp_waste_sub,
		.instances = hp_waste_instances,
		.batch = hp_waste_end_batch,
	};
	enum hp_status st = prepare(w, src, err);

	if (st == HP_OK)
		st = hp_extra_pass_run(w->g, src, &pass, err);
	if (st == HP_OK)
		st = look_up_all(w, err);
	if (st == HP_OK)
		st = close_lists(w, err);
	if (st == HP_OK)
		st = hp_kinds_of_classes(&w->workers[0].kinds, &w->g->classes,
					 &w->nodes, &w->workers[0].near,
					 store_class_kind, w, err);
	if (st == HP_OK)
		st = know_kinds(w, err);
	return st == HP_OK ? merge_lists(w, err) : st;
}

static void
release_worker(struct hp_waste *w, struct hp_waste_worker *k)
{
	hp_kind_finder_release(&k->kinds);
	hp_free(k->pieces.items);
	hp_free(k->views.items);
	hp_free(k->cells.items);
	hp_free(k->in_cells.items);
	hp_free(k->overhead);
	hp_free(k->rest);
	hp_free(k->narrow);
	hp_id_buckets_release(&k->buckets);
}

void
hp_waste_release(struct hp_waste *w)
{
	struct hp_big_array *arrays[] = {&w->kind_of, &w->held, &w->link,
					 &w->marks, &w->lengths};
	uint64_t node, value;
	size_t at = 0;

	for (unsigned i = 0; w->workers && i < w->g->options->threads; i++)
		release_worker(w, &w->workers[i]);
	hp_free(w->workers);
	for (size_t i = 0; i < HP_ARRAY_LEN(arrays); i++)
		hp_big_array_drop(&w->memory, arrays[i]);
	hp_late_array_release(&w->upper_kind_of, &w->memory);
	hp_late_array_release(&w->arrays_of_parts, &w->memory);
	while (hp_id_map_next(&w->longs, &at, &node, &value))
		hp_free((void *)(uintptr_t)value);
	hp_id_map_release(&w->longs);
	hp_shared_list_release(&w->arrays);
	hp_shared_list_release(&w->found);
	hp_free(w->views);
	hp_free(w->segments);
	hp_free(w->role_of_kind);
	hp_free(w->classes);
	hp_free(w->edge_roles);
	hp_waste_sums_release(&w->sums);
	hp_waste_sums_release(&w->values);
	hp_id_map_release(&w->value_of);
	hp_id_map_release(&w->value_texts);
	hp_arena_release(&w->value_arena);
	hp_content_list_release(&w->contents);
	hp_collections_release(&w->collections);
	hp_unfollowed_release(&w->unfollowed);
	hp_nodes_release(&w->nodes, &w->memory);
	hp_node_kinds_release(&w->kinds);
	hp_edge_kinds_release(&w->edges);
	pthread_mutex_destroy(&w->longs_lock);
	for (size_t i = 0; i < HP_ARRAY_LEN(w->node_locks); i++)
		pthread_mutex_destroy(&w->node_locks[i]);
}
