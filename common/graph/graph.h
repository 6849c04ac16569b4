/*
 * graph.h - the object graph of a dump: nodes, edges, roots
 *
 * What follows from it (who dominates whom, what would go with whom, how far
 * the roots are) is tree.h's and paths.h's. Terms are Eclipse MAT's and ahat's.
 */
#ifndef HP_GRAPH_GRAPH_H
#define HP_GRAPH_GRAPH_H

#include "common/graph/edges.h"
#include "common/graph/kinds.h"
#include "common/graph/nodes.h"
#include "common/graph/reachability.h"
#include "common/model/size_model.h"

/* What kinds are told apart by beside class and size, as bits. */
enum { HP_GRAPH_BY_HEAP = 1, HP_GRAPH_BY_TRACE = 2 };

struct hp_graph_options {
	unsigned threads;
	unsigned dump;	   /* from 1: which one of the file */
	unsigned shift;	   /* log2 of the alignment of most ids */
	unsigned split_by; /* HP_GRAPH_BY_ */
	enum hp_reachability reachability;
	struct hp_size_model layout;
	uint64_t memory; /* bytes that the graph may take */
	const char *dir; /* of temporary files; NULL: $TMPDIR or /tmp */
	struct hp_classes *classes; /* of the dump, complete; borrowed */
	const struct hp_tables *tables;
	struct hp_start from; /* where the dump's heap begins; zeroed: not
				 known */
	/* as hp_nodes_find() and hp_nodes_take() have them; NULL */
	struct hp_nodes *found;
	const struct hp_nodes_known *known;
};

/* A node that roots name; of several the first by root_kinds.h. */
struct hp_graph_root {
	uint32_t node;	 /* first: it is what is searched for */
	uint32_t thread; /* serial, where the root has one */
	uint8_t tag;	 /* of the sub-record */
};

/* A thread whose object is a node keeps what its stack holds. */
struct hp_graph_local {
	uint32_t thread; /* the node of its object */
	uint32_t node;	 /* what is held */
	uint32_t serial; /* of the thread */
	uint32_t frame;	 /* UINT32_MAX: none */
	uint8_t tag;	 /* of the root */
};

/* A reference that is not followed: the referent of a weak one. */
struct hp_graph_weak {
	uint32_t from, to; /* what is searched for is first */
};

/* A batch of the dump, and which nodes are in it: some of these. */
struct hp_graph_span {
	uint64_t from, end; /* offsets in the dump */
	uint32_t least, most;
};

/* Objects and their shallow bytes. */
struct hp_graph_sum {
	uint64_t objects, bytes;
};

struct hp_graph {
	struct hp_graph_options o;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	struct hp_node_kinds kinds;
	struct hp_edges edges;
	struct hp_graph_root *roots; /* by node, each node once */
	size_t nroots;
	struct hp_graph_local *locals; /* by serial, frame, node */
	size_t nlocals;
	struct hp_graph_weak *weak; /* by the node that they are of */
	size_t nweak;
	/* by kind: its objects keep a referent until its finalizer has run;
	   NULL: there are none */
	bool *finalizers;
	struct hp_graph_span *spans; /* by where they are; see spans.h */
	size_t nspans;
	uint64_t charged; /* bytes of what is no array, in memory.held */
	struct hp_graph_sum all;
	bool unknown; /* what some instances refer to, as their class is not
			 known or is of another size */
};

/**
 * hp_graph_build() - read a dump's objects and references
 * @g:   zeroed
 * @src: is rewound, so it must be rewindable
 *
 * Two passes, one if the nodes are known; one more if ids were dumped more than
 * once.
 * Memory:  some 14 bytes an object and 4 a reference
 * What does not fit lies in temporary files; ids, kinds, roots, locals and weak
 * references have to fit.
 * Returns: HP_OK; HP_LIMIT: they do not; HP_IO; HP_NOMEM; what hp_scan()
 *          returns.
 * Ownership: hp_graph_release() in any case.
 */
HP_MUST_USE enum hp_status hp_graph_build(struct hp_graph *g,
					  struct hp_source *src,
					  const struct hp_graph_options *o,
					  struct hp_error *err);
void hp_graph_release(struct hp_graph *g);

/* Is the reference that of an object that waits for a finalizer's run? */
static inline bool
hp_graph_is_finalizer(const struct hp_graph *g, const struct hp_graph_weak *w)
{
	uint64_t references;

	return g->finalizers && w->to != HP_NO_NODE &&
	       g->finalizers[hp_edge_kind(&g->edges, w->from, &references)];
}

/* The first reference of @node that is not followed; NULL: there is none. */
const struct hp_graph_weak *hp_graph_weak_of(const struct hp_graph *g,
					     uint32_t node);

#endif
