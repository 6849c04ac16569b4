/*
 * charge.h - count the memory of a graph's lists together with its arrays
 *
 * Kinds, roots, locals of threads and weak references grow with the dump, as
 * the arrays do. But these lists cannot continue in temporary files, so if they
 * do not fit in the memory limit, building the graph fails.
 */
#ifndef HP_GRAPH_CHARGE_H
#define HP_GRAPH_CHARGE_H

#include "common/graph/builder.h"

/**
 * hp_build_charge() - update the count of the memory that the lists of a worker
 *                     use
 * @w:     called by the worker's own thread, or by any thread after the pass
 * @extra: bytes that the caller is about to allocate temporarily
 *
 * Returns: HP_OK; HP_LIMIT: the whole graph needs more memory than it may use.
 */
HP_MUST_USE enum hp_status hp_build_charge(struct hp_build *b,
					   struct hp_build_worker *w,
					   uint64_t extra,
					   struct hp_error *err);

#endif
