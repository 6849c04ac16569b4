/*
 * holder_internal.h - what the passes for holders share
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_INTERNAL_H
#define HP_DIFF_HOLDERS_HOLDER_INTERNAL_H

#include "common/model/id_buckets.h"
#include "diff/holders/holder_pass.h"

enum {
	HP_HOLDER_NODES_A_THREAD = 1
				   << 15, /* objects that one is started for */
};

struct hp_holder_worker {
	struct hp_holder_pass *pass;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	uint32_t *of_class;	      /* by class index: its instances' kind */
	struct hp_id_buckets buckets; /* references that wait, by kind */
	/* references that full counts stood for: by edge << 32 | node */
	struct hp_id_map carried;
	struct hp_vec pairs;  /* struct hp_holder_pair: roots */
	uint64_t array_class; /* met last, and its kind of references */
	uint32_t array_edge;
	uint64_t noted; /* bytes, for the budget */
	bool no_memory;
};

/* Does this pass, the first one, note what each object is? */
static inline bool
hp_holder_notes_kinds(const struct hp_holder_pass *p)
{
	return p->edge_counts.from == 0;
}

/* --- holder_batch.c --------------------------------------------------------
 */

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

/* --- holder_counts.c -------------------------------------------------------
 */

/* What the counts of a pass come to, in p->counts. HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_holder_counts_find(struct hp_holder_pass *p,
						 struct hp_error *err);

#endif
