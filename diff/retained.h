/*
 * retained.h - the object graph and the dominator tree of a counted dump
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
	/*
	 * by kind: the smallest depth of its objects below the root; 0:
	 * unreachable. NULL unless requested
	 */
	uint32_t *depth_of;
	/* objects that wait for a finalizer, if references were kept */
	struct hp_finalizer_queue queue;
	/* the memory budget to which the graph's arrays are charged */
	struct hp_budget *budget;
};

/* The kind of the object at a place of the tree. */
static inline const struct hp_node_kind *
hp_retained_kind(const struct hp_retained *t, uint32_t place)
{
	return &t->graph.kinds
			.list[((const uint32_t *)t->tree.kinds.at)[place]];
}

/*
 * What the object at @place retains. This includes objects that wait for
 * finalizers if it retains the finalizer.
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
 * hp_retained_read() - build the object graph of a counted dump
 * @src: rewound, so it must be rewindable
 * @paths: keep the references of the graph, for hp_path_walk_run()
 * @queue: fill in t->queue
 * @info: its layout is set; receives reachable, weak and unreachable
 *
 * Arrays that do not fit in --memory are in temporary files, see
 * t->graph.memory.file_peak.
 * Returns: HP_OK; HP_LIMIT if not even the object ids fit; HP_IO if the disk is
 *          full; HP_NOMEM.
 * Ownership: call hp_retained_release() after a failure also.
 */
HP_MUST_USE enum hp_status
hp_retained_read(struct hp_retained *t, struct hp_histogram *g,
		 struct hp_source *src, const struct hp_diff_options *o,
		 bool paths, bool queue, struct hp_dump_info *info,
		 struct hp_error *err);
void hp_retained_release(struct hp_retained *t);

/*
 * Set how much memory further arrays of the graph may use, before they are put
 * into temporary files: what the budget has left now.
 */
void hp_retained_limit_arrays(struct hp_retained *t);

#endif
