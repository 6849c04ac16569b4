/*
 * retained.c - from what was counted to the object graph
 */
#include "diff/retained.h"

enum hp_status
hp_retained_read(struct hp_retained *t, struct hp_histogram *g,
		 struct hp_source *src, const struct hp_diff_options *o,
		 struct hp_dump_info *info, struct hp_error *err)
{
	unsigned split = g->options->split;
	const struct hp_graph_options options = {
		.threads = g->options->threads,
		.dump = g->options->dump ? g->options->dump : g->dumps,
		/* the agent numbers objects one by one */
		.shift = g->dialect == HP_DIALECT_AGENT ? 0 : 3,
		.split_by = (split & HP_SPLIT_HEAP ? HP_GRAPH_BY_HEAP : 0) |
			    (split & HP_SPLIT_TRACE ? HP_GRAPH_BY_TRACE : 0),
		.reachability = o->reachability,
		.layout = info->layout,
		.memory = hp_budget_left(g->options->budget),
		.classes = &g->classes,
		.tables = &g->tables};
	enum hp_status st = hp_graph_build(&t->graph, src, &options, err);

	if (st == HP_OK)
		st = hp_tree_build(&t->tree, &t->graph, false, err);
	info->reachable = t->tree.reachable;
	info->weak = t->tree.weak;
	info->unreachable = t->tree.unreachable;
	return st;
}

void
hp_retained_release(struct hp_retained *t)
{
	hp_tree_release(&t->tree);
	hp_graph_release(&t->graph);
}
