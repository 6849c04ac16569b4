/*
 * spans.h - which parts of a dump may contain a node
 *
 * A later pass that needs only a few nodes can skip the other parts. Objects
 * are mostly dumped in the order of their ids, and nodes are numbered by id. So
 * the smallest and the largest node of a batch describe its contents well. The
 * answer "no" is certain; the answer "yes" only means that a node may be there.
 */
#ifndef HP_GRAPH_SPANS_H
#define HP_GRAPH_SPANS_H

#include "common/graph/internal.h"

/*
 * Record the smallest and the largest node of a part of the dump, after the
 * thread has handled all of it. Returns false if out of memory.
 */
HP_MUST_USE bool hp_graph_spans_note(struct hp_build_worker *w,
				     const struct hp_batch *batch);

/**
 * hp_graph_spans_may_have() - whether a batch may contain the dump of one of
 *                             some nodes
 * @batch: of another pass over the dump, whose batches may have other limits
 * @nodes: @n of them, sorted
 *
 * Time: logarithmic in the number of spans, plus logarithmic in @n for each
 *       span that overlaps the batch
 */
bool hp_graph_spans_may_have(const struct hp_graph *g,
			     const struct hp_batch *batch,
			     const uint64_t *nodes, size_t n);

#endif
