/*
 * holder_worker.h - the shared state of the passes for --by=holder, and that of
 * each thread
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
	HP_HOLDER_NODES_A_THREAD =
		1 << 15, /* start one thread for this many objects */
};

/* A reference from a class or a root, of kind @edge, to @node. */
struct hp_holder_pair {
	uint32_t edge, node;
};

/*
 * How many objects of one kind have references of one kind, and how many
 * references these are.
 */
struct hp_holder_count {
	uint32_t edge, kind;
	uint64_t objects, references;
};

/* Index in node_locks of the lock for nodes that are in no bucket. */
enum { HP_HOLDER_APART = HP_ID_BUCKETS };

struct hp_holder_pass {
	struct hp_histogram *g;
	const struct hp_diff_options *o;
	const struct hp_size_model *layout;
	struct hp_edge_kinds edges;
	/* number of kinds of fields and arrays, which have counters */
	uint32_t ncounts;
	/* the counters of this pass's kinds */
	struct hp_edge_counts edge_counts;
	/* one stretch for each bucket, and one for nodes in no bucket */
	struct hp_edge_stretches stretches;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	struct hp_node_kinds kinds;
	/* uint32_t by node: its kind; 0: not read yet */
	struct hp_big_array kind_of;
	struct hp_unfollowed unfollowed;
	struct hp_holder_worker *workers;
	uint32_t root_edges[256]; /* kind of reference of each root tag */
	/* struct hp_holder_pair: references from classes and roots, sorted */
	struct hp_vec pairs;
	/*
	 * struct hp_holder_count: references from fields and arrays, sorted by
	 * kind of reference
	 */
	struct hp_vec counts;
	/* the next bucket to look up, at the end of a pass */
	_Atomic uint32_t looked_up;
	/* the next kind of reference to sum up, at the end of a pass */
	_Atomic uint32_t counted;
	/* the next node to count by kind, at the end of the first pass */
	_Atomic uint64_t listed;
	/* by kind: number of objects; set by the first pass */
	uint64_t *objects;
	/* one for the nodes of each bucket, and one for nodes in no bucket */
	pthread_mutex_t node_locks[HP_ID_BUCKETS + 1];
	uint64_t fixed;	      /* bytes that all passes need */
	uint64_t noted;	      /* bytes charged to the memory budget */
	uint64_t noted_kinds; /* bytes of @kinds; guarded by kinds_lock */
	uint64_t noted_counts;
	pthread_mutex_t kinds_lock;
};

struct hp_holder_worker {
	struct hp_holder_pass *pass;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	/* by class index: the kind of its instances; 0: not known yet */
	uint32_t *of_class;
	/* references whose objects are not looked up yet; value: their kind */
	struct hp_id_buckets buckets;
	struct hp_edge_carries carried;
	/* struct hp_holder_pair: the roots that this thread read */
	struct hp_vec pairs;
	/* cache: the array class read last, and its kind of reference */
	uint64_t array_class;
	uint32_t array_edge;
	uint64_t noted; /* bytes charged to the memory budget */
	bool no_memory;
};

/*
 * Whether only references from roots are wanted (--by=root). Then the fields
 * and elements of objects are not read at all.
 */
static inline bool
hp_holder_roots_only(const struct hp_holder_pass *p)
{
	return hp_key_is(p->o->by, HP_KEY_ROOTS_ONLY);
}

/* Whether this is the first pass, which stores the kind of each object. */
static inline bool
hp_holder_notes_kinds(const struct hp_holder_pass *p)
{
	return p->edge_counts.from == 0;
}

#endif
