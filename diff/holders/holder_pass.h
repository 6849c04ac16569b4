/*
 * holder_pass.h - the passes that find what references of each kind name
 *
 * A pass counts how many references of each kind name each object, by its
 * number (common/graph/nodes.h); what each object is stands in 4 bytes by that
 * number, which the first pass fills in.
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_PASS_H
#define HP_DIFF_HOLDERS_HOLDER_PASS_H

#include "common/graph/kinds.h"
#include "common/graph/nodes.h"
#include "common/graph/reachability.h"
#include "common/model/id_buckets.h"
#include "diff/holders/edge_counts.h"
#include "diff/holders/edge_kinds.h"

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

struct hp_holder_worker;

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

/**
 * hp_holder_pass_begin() - number the objects
 * @p:   zeroed, but for g, o and layout
 * @src: is rewound, so it must be rewindable
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; what hp_scan() returns.
 * Ownership: hp_holder_pass_release() in any case.
 */
HP_MUST_USE enum hp_status hp_holder_pass_begin(struct hp_holder_pass *p,
						struct hp_keys *keys,
						struct hp_source *src,
						struct hp_error *err);

/**
 * hp_holder_pass_next() - a pass over the references of the next kinds
 *
 * As many as fit in --memory: p->counts is of them. The first one also finds
 * p->kinds, p->objects, p->pairs, and the kinds of these. Returns: HP_OK;
 * HP_EOF: all kinds are done; as above.
 */
HP_MUST_USE enum hp_status hp_holder_pass_next(struct hp_holder_pass *p,
					       struct hp_source *src,
					       struct hp_error *err);
void hp_holder_pass_release(struct hp_holder_pass *p);

#endif
