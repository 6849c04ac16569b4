/*
 * holder_internal.h - what the passes for holders share
 */
#ifndef HP_DIFF_LEAKS_HOLDER_INTERNAL_H
#define HP_DIFF_LEAKS_HOLDER_INTERNAL_H

#include "common/model/id_buckets.h"
#include "diff/leaks/holder_pass.h"

enum {
	HP_HOLDER_SEEN = 4096, /* kinds of references met again lately */
	HP_HOLDER_NODES_A_THREAD = 1
				   << 15, /* objects that one is started for */
};

/* References to what their set had already, of one kind to one kind. */
struct hp_holder_again {
	uint64_t pair, count;
};

struct hp_holder_worker {
	struct hp_holder_pass *pass;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	uint32_t *of_class;	      /* by class index: its instances' kind */
	struct hp_id_buckets buckets; /* references that wait, by kind */
	struct hp_holder_again seen[HP_HOLDER_SEEN];
	struct hp_id_map again; /* what seen had no room for */
	struct hp_vec pairs;	/* struct hp_holder_pair: roots */
	uint64_t array_class;	/* met last, and its kind of references */
	uint32_t array_edge;
	uint64_t noted; /* bytes, for the budget */
	bool no_memory;
};

/**
 * hp_holder_kinds_find() - a pass that notes what each object is
 * @p: its objects are numbered, and its workers made
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status hp_holder_kinds_find(struct hp_holder_pass *p,
						struct hp_source *src,
						struct hp_error *err);

/* What the sets of a pass have, in p->counts. HP_OK; HP_LIMIT; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_holder_counts_find(struct hp_holder_pass *p,
						 struct hp_error *err);

#endif
