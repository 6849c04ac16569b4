/*
 * holder_batch.h - read the objects of a batch and count their references
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_BATCH_H
#define HP_DIFF_HOLDERS_HOLDER_BATCH_H

#include "diff/holders/holder_worker.h"

/* Callbacks for struct hp_extra_pass. */
bool hp_holder_instances(void *ctx, unsigned worker, struct hp_heap_iter *at);
bool hp_holder_sub(void *ctx, unsigned worker, const struct hp_sub *s,
		   const struct hp_piece *piece);

/*
 * The thread function that counts the references left in the buckets at the end
 * of a pass. @worker is a struct hp_holder_worker. Set p->looked_up to 0 before
 * starting the threads.
 */
void *hp_holder_look_up_rest(void *worker);

/*
 * Append a reference of kind @edge to the object @id, if the dump has it.
 * Returns false if out of memory.
 */
bool hp_holder_pair_add(struct hp_holder_pass *p, struct hp_vec *to,
			struct hp_rank_near *near, uint32_t edge, uint64_t id);

#endif
