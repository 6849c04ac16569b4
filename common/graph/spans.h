/*
 * spans.h - in which stretches of a dump a node may be, so that a further pass
 * for a few of them need not read the rest
 *
 * Objects mostly stand in the dump as they lie in the heap, and nodes are
 * numbered by id: the least and the greatest node of a batch say where to look.
 * What is said is certain in one direction: a stretch that may not have a node
 * does not have it.
 */
#ifndef HP_GRAPH_SPANS_H
#define HP_GRAPH_SPANS_H

#include "common/graph/builder.h"

/* The worker was told of all nodes of a batch; false: out of memory. */
HP_MUST_USE bool hp_graph_spans_note(struct hp_build_worker *w,
				     const struct hp_batch *batch);

/**
 * hp_graph_spans_may_have() - may one of the nodes be dumped in a batch?
 * @batch: of another pass over the dump, which may be cut otherwise
 * @nodes: @n of them, sorted
 *
 * In steps: logarithms of the spans and nodes, for each span that overlaps.
 */
bool hp_graph_spans_may_have(const struct hp_graph *g,
			     const struct hp_batch *batch,
			     const uint64_t *nodes, size_t n);

#endif
