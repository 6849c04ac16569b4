/*
 * join.h - what the workers found is put together
 */
#ifndef HP_GRAPH_JOIN_H
#define HP_GRAPH_JOIN_H

#include "common/graph/builder.h"

/*
 * A root as one number, the least of which counts: first by the order of roots'
 * kinds.
 */
uint64_t hp_root_pack(uint8_t tag, uint32_t thread);
/* The node is a root. */
void hp_root_note(struct hp_build_worker *w, uint32_t node, uint64_t packed);

/*
 * After the pass, on one thread: the pieces of arrays become one list for each
 * array; what threads keep on their stacks goes to their objects' lists; roots
 * and weak references are merged. HP_OK; HP_NOMEM; HP_LIMIT; what
 * hp_edges_error() says.
 */
HP_MUST_USE enum hp_status hp_build_join(struct hp_build *b,
					 struct hp_error *err);

#endif
