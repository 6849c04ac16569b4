/*
 * holder_worker.h - what a pass for holders counts, and its workers
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_WORKER_H
#define HP_DIFF_HOLDERS_HOLDER_WORKER_H

#include "common/graph/kinds.h"
#include "common/graph/nodes.h"
#include "common/graph/reachability.h"
#include "common/ids/id_buckets.h"
#include "diff/holders/edge_carries.h"
#include "diff/holders/edge_counts.h"
#include "diff/holders/edge_kinds.h"

enum {
	HP_HOLDER_NODES_A_THREAD = 1
				   << 15, /* objects that one is started for */
};

/* A reference from a class or a root. */
struct hp_holder_pair {
	uint32_t edge, node;
};

/* Objects of one kind that references of one kind name. */
struct hp_holder_count {
	uint32_t edge, kind;
	uint64_t objects, references;
};

enum { HP_HOLDER_APART = HP_ID_BUCKETS }; /* of the node locks */

struct hp_holder_pass {
	struct hp_histogram *g;
	const struct hp_diff_options *o;
	const struct hp_size_model *layout;
	struct hp_edge_kinds edges;
	uint32_t ncounts; /* kinds of fields and arrays: these are counted */
	struct hp_edge_counts edge_counts; /* of the kinds of this pass */
	/* one a bucket, and one of the nodes that no bucket has */
	struct hp_edge_stretches stretches;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	struct hp_node_kinds kinds;
	struct hp_big_array kind_of; /* uint32_t by node; 0: not met */
	struct hp_unfollowed unfollowed;
	struct hp_holder_worker *workers;
	uint32_t root_edges[256]; /* by tag */
	struct hp_vec pairs;	  /* struct hp_holder_pair, sorted */
	struct hp_vec counts;	  /* struct hp_holder_count, in the order of the
				   * kinds of references */
	_Atomic uint32_t looked_up; /* buckets, at the end of a pass */
	_Atomic uint32_t counted;   /* kinds of references, likewise */
	_Atomic uint64_t listed;    /* nodes, likewise */
	uint64_t *objects;	    /* by kind, once the first pass is over */
	/* of the nodes of each bucket, and of those that no bucket has */
	pthread_mutex_t node_locks[HP_ID_BUCKETS + 1];
	uint64_t fixed;	      /* bytes that stay from pass to pass */
	uint64_t noted;	      /* bytes, for the budget */
	uint64_t noted_kinds; /* of @kinds, with kinds_lock held */
	uint64_t noted_counts;
	pthread_mutex_t kinds_lock;
};

struct hp_holder_worker {
	struct hp_holder_pass *pass;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	uint32_t *of_class;	      /* by class index: its instances' kind */
	struct hp_id_buckets buckets; /* references that wait, by kind */
	struct hp_edge_carries carried;
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

#endif
