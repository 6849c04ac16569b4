/*
 * dominators.h - compute immediate dominators, in the numbers of preorder.h
 */
#ifndef HP_GRAPH_DOMINATORS_H
#define HP_GRAPH_DOMINATORS_H

#include "common/graph/preorder.h"

/**
 * hp_dominators() - replace p->parents by immediate dominators
 * @p:       its cross references and semis are freed
 * @threads: helper threads in addition to the caller's thread; with 1 the
 *           caller works alone
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_dominators(struct hp_preorder *p,
					 unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);

#endif
