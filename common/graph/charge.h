/*
 * charge.h - what a graph's lists take, counted with its arrays
 *
 * Kinds, roots, threads' locals and weak references grow with the dump as the
 * arrays do, but cannot go on in files: what does not fit is refused.
 */
#ifndef HP_GRAPH_CHARGE_H
#define HP_GRAPH_CHARGE_H

#include "common/graph/builder.h"

/**
 * hp_build_charge() - count what a worker's lists take by now
 * @w:     by its own thread, or after the pass
 * @extra: bytes that are about to be taken for a while
 *
 * Returns: HP_OK; HP_LIMIT: all of the graph is more than it may take.
 */
HP_MUST_USE enum hp_status hp_build_charge(struct hp_build *b,
					   struct hp_build_worker *w,
					   uint64_t extra,
					   struct hp_error *err);

#endif
