/*
 * retained.c - build the object graph and the dominator tree of a dump whose
 * objects were counted before
 */
#include "diff/retained/retained.h"

#include "common/base/memory.h"
#include "common/graph/tree.h"

#include <stdlib.h>

/*
 * While the graph is built, 1/PART_FOR_ROWS of the free memory is reserved for
 * rows. Later, 1/PART_BESIDE_ARRAYS is reserved for names and rows, and the
 * arrays of the graph may use the rest. If names and rows need more, arrays are
 * moved to files.
 */
enum { PART_FOR_ROWS = 8, PART_BESIDE_ARRAYS = 4 };

/*
 * For each kind of object (class and size), find the smallest depth of its
 * objects. The depth is the number of references on the shortest path to an
 * object, including the reference from the root.
 */
static enum hp_status
find_depths(struct hp_retained *t, struct hp_error *err)
{
	const uint32_t *nodes = t->tree.nodes.at;
	const uint32_t *by_node;
	struct hp_depths d = {0};
	enum hp_status st;

	t->depth_of = hp_calloc((size_t)t->graph.kinds.count + 1,
				sizeof(*t->depth_of));
	st = t->depth_of ? hp_depths_find(&d, &t->graph, err)
			 : hp_no_memory(err);
	by_node = d.by_node.at;
	for (uint32_t place = 1; st == HP_OK && place < t->tree.count;
	     place++) {
		uint32_t depth = by_node[nodes[place]];
		uint32_t *least = &t->depth_of[hp_tree_kind(&t->tree, place)];

		if (*least == 0 || depth < *least)
			*least = depth;
	}
	hp_depths_release(&d);
	return st;
}

enum {
	/* at least so many bytes of arrays are moved to files at once */
	MOVED = 8 << 20,
	/* how many nodes are read from files at the same time */
	FETCHED = 256,
	/* the size of a large array is rounded up by less than this */
	ROUNDED = 4 << 20,
};

/*
 * Move at least *@bytes bytes of arrays of the tree from memory to files, or
 * all that are in memory; see hp_big_array_move_to_file().
 */
static enum hp_status
move_tree_to_files(struct hp_retained *t, uint64_t *bytes, struct hp_error *err)
{
	struct hp_big_memory *m = &t->graph.memory;
	struct hp_tree *tree = &t->tree;
	enum hp_status st =
		hp_near_array_move_to_file(m, &tree->parents, bytes, err);

	if (st == HP_OK)
		st = hp_big_array_move_to_file(m, &tree->nodes, bytes, err);
	if (st == HP_OK)
		st = hp_near_array_move_to_file(m, &tree->ends, bytes, err);
	return st == HP_OK
		       ? hp_big_array_move_to_file(m, &tree->kinds, bytes, err)
		       : st;
}

/*
 * Set the limit of memory for further arrays of the graph; see
 * PART_BESIDE_ARRAYS.
 */
static void
limit_arrays(struct hp_retained *t)
{
	struct hp_big_memory *m = &t->graph.memory;
	uint64_t left = hp_memory_left();

	m->limit = m->in_order = m->held + left - left / PART_BESIDE_ARRAYS;
}

void
hp_retained_limit_arrays(struct hp_retained *t, uint64_t bytes)
{
	uint64_t room, missing;

	limit_arrays(t);
	room = hp_big_memory_room(&t->graph.memory);
	if (bytes <= room)
		return;
	/*
	 * limit_arrays() reserves 1/PART_BESIDE_ARRAYS of what is moved. The
	 * new array gets up to ROUNDED bytes more than @bytes.
	 */
	missing = (bytes + ROUNDED - room) / (PART_BESIDE_ARRAYS - 1) *
		  PART_BESIDE_ARRAYS;
	/* if no file can be made, the steps of paths may be in a file */
	(void)!move_tree_to_files(t, &missing, NULL);
	limit_arrays(t);
}

/*
 * Move arrays of the graph to files, because there is no memory for other data,
 * such as the steps of paths. The references come last, because the search for
 * paths reads them; it does not read the tree. If a file cannot be made, for
 * example because the disk is full, the request for memory is refused, and the
 * message names both causes. See hp_memory_on_refusal().
 */
static uint64_t
move_arrays_to_files(void *context, uint64_t bytes, struct hp_error *err)
{
	struct hp_retained *t = context;
	struct hp_big_memory *m = &t->graph.memory;
	uint64_t wanted = bytes < MOVED ? MOVED : bytes, left = wanted;
	enum hp_status st = move_tree_to_files(t, &left, err);

	if (st == HP_OK)
		st = hp_big_array_move_to_file(m, &t->graph.edges.lists, &left,
					       err);
	if (st == HP_OK)
		st = hp_big_array_move_to_file(m, &t->graph.edges.index, &left,
					       err);
	return wanted - left;
}

/*
 * Move an array of references that is in files to memory: to what the limit
 * leaves, and to the memory of arrays of the tree and of @spare, which go to
 * files. The search for suspects reads the references at random, but the tree
 * in order, and files are slow only at random. If no file can be made, for
 * example because the disk is full, the rest stays where it is.
 */
static void
keep_in_memory(struct hp_retained *t, struct hp_big_array *references,
	       struct hp_big_array *spare)
{
	struct hp_big_memory *m = &t->graph.memory;
	uint64_t wanted = hp_big_array_in_file(references);
	uint64_t room = hp_big_memory_room(m);
	uint64_t left = wanted > room ? wanted - room : 0;

	(void)!move_tree_to_files(t, &left, NULL);
	if (spare)
		(void)!hp_big_array_move_to_file(m, spare, &left, NULL);
	hp_big_array_move_to_memory(m, references, wanted - left);
}

static void
expect(struct hp_retained *t, enum hp_big_use use)
{
	hp_edges_expect(&t->graph.edges, use);
	hp_tree_expect(&t->tree, use);
}

void
hp_retained_search_begin(struct hp_retained *t, struct hp_big_array *spare)
{
	keep_in_memory(t, &t->graph.edges.index, spare);
	keep_in_memory(t, &t->graph.edges.lists, spare);
	expect(t, HP_BIG_RANDOM);
}

void
hp_retained_search_end(struct hp_retained *t)
{
	expect(t, HP_BIG_IN_ORDER);
}

enum hp_status
hp_retained_read(struct hp_retained *t, struct hp_histogram *g,
		 struct hp_source *src, const struct hp_diff_options *o,
		 bool paths, bool queue, struct hp_dump_info *info,
		 struct hp_error *err)
{
	unsigned split = g->options->split;
	bool depths = o->columns & HP_COLUMN_DEPTH;
	uint64_t left = hp_memory_left();
	const struct hp_graph_options options = {
		.threads = g->options->threads,
		.dump = g->options->dump ? g->options->dump : g->dumps,
		.shift = hp_id_shift(g->dialect),
		.split_by = (split & HP_SPLIT_HEAP ? HP_GRAPH_BY_HEAP : 0) |
			    (split & HP_SPLIT_TRACE ? HP_GRAPH_BY_TRACE : 0),
		.reachability = o->reachability,
		.hidden_fields = hp_dialect_hides_class_fields(g->dialect),
		.layout = info->layout,
		.memory = left - left / PART_FOR_ROWS,
		.classes = &g->classes,
		.tables = &g->tables,
		.found = &g->nodes};
	enum hp_status st = hp_graph_build(&t->graph, src, &options, err);

	if (st == HP_OK && t->built)
		t->built(t->context);
	if (st == HP_OK)
		st = hp_tree_build(&t->tree, &t->graph,
				   depths || paths ? HP_TREE_KEEPS_EDGES
				   : queue	   ? HP_TREE_KEEPS_FOR_WAITING
						   : HP_TREE_DROPS_EDGES,
				   err);
	if (st == HP_OK && depths)
		st = find_depths(t, err);
	if (st == HP_OK && queue)
		st = hp_finalizer_queue_build(&t->queue, &t->graph, &t->tree,
					      err);
	if (!paths)
		hp_edges_release(&t->graph.edges, &t->graph.memory);
	limit_arrays(t);
	if (st == HP_OK)
		hp_memory_on_refusal(move_arrays_to_files, t);
	info->reachable = t->tree.reachable;
	info->weak = t->tree.weak;
	info->hidden = t->tree.hidden;
	info->unreachable = t->tree.unreachable;
	info->waiting = t->tree.waiting;
	/*
	 * with these --by keys, the pass that counts objects has not computed
	 * the totals of the dump, so use those of the graph
	 */
	if (hp_diff_by_graph(o)) {
		info->objects = info->all_objects = t->graph.all.objects;
		info->bytes = info->all_bytes = t->graph.all.bytes;
	}
	return st;
}

struct numbered {
	uint64_t node;
	size_t index;
};

static int
by_node(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return hp_order(x->node, y->node);
}

/*
 * Tell the kernel which nodes hp_retained_ids() will read next, so that it
 * reads them from files at the same time instead of one after the other.
 */
static void
fetch_nodes(const struct hp_tree *t, const uint32_t *places, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hp_big_array_fetch(&t->nodes, 4 * (uint64_t)places[i], 4);
}

enum hp_status
hp_retained_ids(const struct hp_retained *t, const uint32_t *places, size_t n,
		uint64_t *ids, struct hp_error *err)
{
	const uint32_t *nodes = t->tree.nodes.at;
	struct numbered *list = hp_calloc(n + 1, sizeof(*list));
	uint64_t *ranks = hp_calloc(n + 1, sizeof(*ranks));
	uint64_t *sorted = hp_calloc(n + 1, sizeof(*sorted));
	enum hp_status st = HP_OK;

	if (!list || !ranks || !sorted)
		st = hp_no_memory(err);
	for (size_t i = 0; st == HP_OK && i < n; i++) {
		if (i % FETCHED == 0)
			fetch_nodes(&t->tree, places + i,
				    n - i < FETCHED ? n - i : FETCHED);
		list[i] = (struct numbered){nodes[places[i]], i};
	}
	if (st == HP_OK && n > 0) {
		qsort(list, n, sizeof(*list), by_node);
		for (size_t i = 0; i < n; i++)
			ranks[i] = list[i].node;
		hp_id_ranks_some(&t->graph.nodes.ranks, ranks, n, sorted);
		for (size_t i = 0; i < n; i++)
			ids[list[i].index] = sorted[i];
	}
	hp_free(list);
	hp_free(ranks);
	hp_free(sorted);
	return st;
}

void
hp_retained_release(struct hp_retained *t)
{
	if (t->tree.memory)
		hp_memory_on_refusal(NULL, NULL);
	hp_free(t->depth_of);
	t->depth_of = NULL;
	hp_native_owners_release(&t->native);
	hp_finalizer_queue_release(&t->queue);
	hp_tree_release(&t->tree);
	hp_graph_release(&t->graph);
}
