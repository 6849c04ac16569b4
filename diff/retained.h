/*
 * retained.h - the object graph of a dump whose objects were counted
 */
#ifndef HP_DIFF_RETAINED_H
#define HP_DIFF_RETAINED_H

#include "common/graph/tree.h"
#include "diff/count/histogram.h"
#include "diff/finalizer_queue.h"
#include "diff/result.h"

struct hp_retained {
	struct hp_graph graph;
	struct hp_tree tree;
	/* by kind: depth of the object next to the roots, 0: none is reachable;
	   NULL unless it was asked for */
	uint32_t *depth_of;
	/* where references were kept: what waits for a finalizer */
	struct hp_finalizer_queue queue;
	struct hp_budget *budget; /* in which the graph's arrays count */
};

/* What the object at a place of the tree is. */
static inline const struct hp_node_kind *
hp_retained_kind(const struct hp_retained *t, uint32_t place)
{
	return &t->graph.kinds
			.list[((const uint32_t *)t->tree.kinds.at)[place]];
}

/*
 * What the object at @place retains, with what waits in the finalizers among
 * that.
 */
static inline struct hp_graph_sum
hp_retained_sum(const struct hp_retained *t, uint32_t place)
{
	uint32_t end = hp_tree_end(&t->tree, place);
	struct hp_graph_sum sum = hp_finalizer_queue_sum(&t->queue, place, end);

	sum.objects += end - place;
	sum.bytes += hp_tree_bytes(&t->tree, place);
	return sum;
}

/**
 * hp_retained_read() - read the graph of the dump that was counted
 * @src:  rewound; it must be rewindable
 * @paths: the graph's references stay, for hp_path_walk_run()
 * @queue: t->queue is filled in
 * @info: layout is set; reachable, weak and unreachable are filled in
 *
 * What does not fit in --memory goes to temporary files, see
 * t->graph.memory.file_peak.
 * Returns: HP_OK; HP_LIMIT: not even the ids fit; HP_IO: the disk is full;
 *          HP_NOMEM.
 * Ownership: hp_retained_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_retained_read(struct hp_retained *t, struct hp_histogram *g,
		 struct hp_source *src, const struct hp_diff_options *o,
		 bool paths, bool queue, struct hp_dump_info *info,
		 struct hp_error *err);
void hp_retained_release(struct hp_retained *t);

/* Before more arrays are made in the graph's memory: what they may take of what
 * is left by now, before they go to files. */
void hp_retained_limit_arrays(struct hp_retained *t);

#endif
