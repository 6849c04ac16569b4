/*
 * join.h - merge the results of all workers into the graph
 */
#ifndef HP_GRAPH_JOIN_H
#define HP_GRAPH_JOIN_H

#include "common/graph/builder.h"

/*
 * Encode a root as one number. If a node has several roots, the smallest number
 * counts; numbers compare first by hp_root_order().
 */
uint64_t hp_root_pack(uint8_t tag, uint32_t thread);
/* Record that @node is a root. */
void hp_root_note(struct hp_build_worker *w, uint32_t node, uint64_t packed);

/*
 * Merge the results of all workers, after the pass and on one thread. The
 * pieces of each long array become one list. Locals of threads are added to the
 * lists of the thread objects. Roots, weak references and spans become sorted
 * lists of the graph.
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT; the results of hp_edges_error().
 */
HP_MUST_USE enum hp_status hp_build_join(struct hp_build *b,
					 struct hp_error *err);

#endif
