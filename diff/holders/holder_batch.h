/*
 * holder_batch.h - what a pass for holders sees of a dump
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_BATCH_H
#define HP_DIFF_HOLDERS_HOLDER_BATCH_H

#include "diff/holders/holder_worker.h"

/* For struct hp_extra_pass. */
bool hp_holder_instances(void *ctx, unsigned worker, struct hp_heap_iter *at);
bool hp_holder_sub(void *ctx, unsigned worker, const struct hp_sub *s,
		   const struct hp_piece *piece);

/* One thread, of a struct hp_holder_worker, of those that count what waits in
 * all buckets; p->looked_up is 0 when they start. */
void *hp_holder_look_up_rest(void *worker);

/* A reference of @edge to an id, if it is there. False: out of memory. */
bool hp_holder_pair_add(struct hp_holder_pass *p, struct hp_vec *to,
			struct hp_rank_near *near, uint32_t edge, uint64_t id);

#endif
