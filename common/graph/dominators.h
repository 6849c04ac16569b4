/*
 * dominators.h - who dominates whom, in the numbers of preorder.h
 */
#ifndef HP_GRAPH_DOMINATORS_H
#define HP_GRAPH_DOMINATORS_H

#include "common/graph/preorder.h"

/**
 * hp_dominators() - replace p->parents by dominators
 * @p:       its references and semis are given back
 * @threads: that look up, beside the caller's; 1: the caller's alone
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_dominators(struct hp_preorder *p,
					 unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);

#endif
