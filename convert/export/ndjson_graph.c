/*
 * ndjson_graph.c - for each object, the values of --graph as JSON: depth,
 * dominator and retained size
 */
#include "convert/export/ndjson.h"

/*
 * Set *@to to the classes of the dump, or to an empty set if the dump has no
 * class.
 */
static enum hp_status
choose_classes(struct hp_ndjson_graph *g, const struct hp_prepass *prepass,
	       unsigned dump, unsigned threads, struct hp_classes **to,
	       struct hp_error *err)
{
	struct hp_prepass_dump *d = hp_prepass_dump(prepass, dump);
	enum hp_status st;

	*to = d ? &d->classes : &g->none;
	if (d)
		return HP_OK;
	st = hp_classes_init(&g->none, prepass->header.id_size, threads, err);
	g->classless = st == HP_OK;
	return st == HP_OK ? hp_classes_complete(&g->none, err) : st;
}

/*
 * Build two arrays that are indexed by the nodes (objects) of the object graph:
 * the index of each object in the dominator tree, and the id of each object.
 */
static enum hp_status
index_nodes(struct hp_ndjson_graph *g, struct hp_error *err)
{
	struct hp_big_memory *m = &g->graph.memory;
	const uint64_t count = (uint64_t)g->graph.nodes.count + 1;
	const uint32_t *nodes = g->tree.nodes.at;
	uint32_t *places;
	enum hp_status st;

	st = hp_big_array_make(m, &g->places, 4 * count, HP_BIG_RANDOM, err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &g->ids, 8 * count, HP_BIG_IN_ORDER,
				       err);
	if (st != HP_OK)
		return st;
	places = g->places.at;
	for (uint32_t place = 1; place < g->tree.count; place++)
		places[nodes[place]] = place;
	hp_id_ranks_ids(&g->graph.nodes.ranks, g->ids.at);
	return HP_OK;
}

enum hp_status
hp_ndjson_graph_build(struct hp_ndjson_graph *g, struct hp_source *src,
		      const struct hp_prepass *prepass, unsigned threads,
		      uint64_t memory, struct hp_error *err)
{
	unsigned id_size = prepass->header.id_size;
	struct hp_graph_options o = {
		.threads = threads,
		.dump = prepass->dump	     ? prepass->dump
			: prepass->last_dump ? prepass->last_dump
					     : 1,
		/*
		 * libhprof-agent uses consecutive numbers as ids; in other
		 * dumps, ids are addresses that are multiples of 8
		 */
		.shift = id_size == 4 && prepass->id_bits & 7 ? 0 : 3,
		.reachability = HP_REACHABILITY_SOFT,
		.layout = prepass->layout,
		.memory = memory,
		.tables = &prepass->tables};
	enum hp_status st;

	if (prepass->first_dump != prepass->last_dump)
		return hp_fail(
			err, HP_UNSUPPORTED,
			"the file has %u dumps, but --graph exports only "
			"one: select it with --dump=N",
			prepass->last_dump);
	st = choose_classes(g, prepass, o.dump, threads, &o.classes, err);
	if (st == HP_OK)
		st = hp_graph_build(&g->graph, src, &o, err);
	if (st == HP_OK)
		st = hp_depths_find(&g->depths, &g->graph, err);
	if (st == HP_OK)
		st = hp_tree_build(&g->tree, &g->graph, HP_TREE_DROPS_EDGES,
				   err);
	return st == HP_OK ? index_nodes(g, err) : st;
}

void
hp_ndjson_graph_release(struct hp_ndjson_graph *g)
{
	hp_big_array_drop(&g->graph.memory, &g->places);
	hp_big_array_drop(&g->graph.memory, &g->ids);
	hp_depths_release(&g->depths);
	hp_tree_release(&g->tree);
	hp_graph_release(&g->graph);
	if (g->classless)
		hp_classes_release(&g->none);
	*g = (struct hp_ndjson_graph){0};
}

static uint32_t
place_of(const struct hp_ndjson_graph *g, struct hp_rank_near *near,
	 const struct hp_sub *s, uint32_t *node)
{
	*node = hp_node_of(&g->graph.nodes, near, s->id);
	if (*node == HP_NO_NODE ||
	    !hp_node_is_first(&g->graph.nodes, *node, s->offset))
		return 0;
	return ((const uint32_t *)g->places.at)[*node];
}

void
hp_ndjson_graph_add(const struct hp_ndjson_graph *g, struct hp_rank_near *near,
		    struct hp_object_classes_lookup *look,
		    const struct hp_sub *s, struct hp_buf *out)
{
	const struct hp_tree *t = &g->tree;
	const uint32_t *depths = g->depths.by_node.at;
	uint32_t node, place, parent;

	if (!hp_subrecord_is_object(s->tag))
		return;
	place = place_of(g, near, s, &node);
	if (place == 0) {
		hp_buf_text(out, ",\"depth\":null,\"dominator\":null,"
				 "\"retained_count\":null,"
				 "\"retained_bytes\":null");
		return;
	}
	parent = hp_tree_parent(t, place);
	hp_buf_text(out, ",\"depth\":");
	hp_buf_u64(out, depths[node]);
	hp_buf_text(out, ",\"dominator\":");
	hp_ndjson_reference(
		out, look,
		parent ? ((const uint64_t *)g->ids
				  .at)[((const uint32_t *)t->nodes.at)[parent]]
		       : 0);
	hp_buf_text(out, ",\"retained_count\":");
	hp_buf_u64(out, hp_tree_objects(t, place));
	hp_buf_text(out, ",\"retained_bytes\":");
	hp_buf_u64(out, hp_tree_bytes(t, place));
}
