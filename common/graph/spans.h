/*
 * spans.h - remember the smallest and the largest node of each part of a dump,
 * to find out which parts may contain a given node (object)
 *
 * A later pass that needs only a few nodes can skip the other parts. Objects
 * are mostly dumped in the order of their ids, and nodes are numbered by id. So
 * the smallest and the largest node of a batch (part of the dump) describe its
 * contents well. If hp_graph_spans_may_have() returns false, the batch contains
 * no wanted node. If it returns true, the batch may contain one.
 */
#ifndef HP_GRAPH_SPANS_H
#define HP_GRAPH_SPANS_H

#include "common/graph/internal.h"

/*
 * Called when the thread of @w has handled the whole batch: record the smallest
 * and the largest node of the batch. Returns false if out of memory.
 */
HP_MUST_USE bool hp_graph_spans_note(struct hp_build_worker *w,
				     const struct hp_batch *batch);

/**
 * hp_graph_spans_may_have() - whether a batch may contain the sub-record of at
 *                             least one of the @n nodes
 * @batch: a batch of a later pass over the dump; it may begin and end at other
 *         offsets than the batches that were recorded
 * @nodes: the numbers of the @n wanted objects, sorted
 *
 * Time: logarithmic in the number of spans (parts of the dump that were
 *       recorded), plus logarithmic in @n for each span that overlaps the batch
 */
bool hp_graph_spans_may_have(const struct hp_graph *g,
			     const struct hp_batch *batch,
			     const uint64_t *nodes, size_t n);

#endif
