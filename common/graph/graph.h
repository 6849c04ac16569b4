/*
 * graph.h - the object graph of a dump: nodes, edges, roots
 *
 * A node is an object, and an edge is a reference. Other code works on the
 * finished graph: tree.h computes dominators and retained sizes, depth.h
 * computes distances from the roots, and diff/paths finds paths from the roots.
 * The terms are those of Eclipse MAT and ahat.
 */
#ifndef HP_GRAPH_GRAPH_H
#define HP_GRAPH_GRAPH_H

#include "common/graph/edges.h"
#include "common/graph/kinds.h"
#include "common/graph/nodes.h"
#include "common/graph/reachability.h"
#include "common/model/size_model.h"

/*
 * Properties that distinguish kinds in addition to class and size; a bit set.
 */
enum { HP_GRAPH_BY_HEAP = 1, HP_GRAPH_BY_TRACE = 2 };

struct hp_graph_options {
	unsigned threads;
	unsigned dump;	   /* serial number of the dump in the file, from 1 */
	unsigned shift;	   /* log2 of the alignment of most ids */
	unsigned split_by; /* bit set of HP_GRAPH_BY_ values */
	enum hp_reachability reachability;
	struct hp_size_model layout;
	uint64_t memory; /* limit of the graph's memory in bytes */
	/* directory of temporary files; NULL: $TMPDIR or /tmp */
	const char *dir;
	/* the classes of the dump, complete; borrowed */
	struct hp_classes *classes;
	const struct hp_tables *tables;
	/* Position where the heap of the dump begins. Zeroed: unknown. */
	struct hp_start from;
	/*
	 * Parameters of hp_nodes_find() and hp_nodes_take(). Either may be
	 * NULL.
	 */
	struct hp_nodes *found;
	const struct hp_nodes_known *known;
};

/*
 * A node that is a root. If several roots refer to a node, only the most
 * important one is kept, by hp_root_order().
 */
struct hp_graph_root {
	uint32_t node;	 /* the first member, because searches compare it */
	uint32_t thread; /* serial of the thread; 0 if the root has none */
	uint8_t tag;	 /* tag of the root's sub-record */
};

/*
 * An object that the stack of a thread refers to. Only for threads whose thread
 * object is a node.
 */
struct hp_graph_local {
	uint32_t thread; /* node of the thread object */
	uint32_t node;	 /* node of the local object */
	uint32_t serial; /* serial of the thread */
	uint32_t frame;	 /* index of the stack frame; UINT32_MAX: none */
	uint8_t tag;	 /* tag of the root's sub-record */
};

/*
 * A weak reference, which is not followed: the referent of a java.lang.ref
 * object.
 */
struct hp_graph_weak {
	uint32_t from, to; /* from is first, because searches compare it */
};

/*
 * A part of the dump, and the range of the nodes in it. Not all nodes between
 * least and most need be there.
 */
struct hp_graph_span {
	uint64_t from, end; /* offsets in the dump */
	uint32_t least, most;
};

/* A number of objects and the sum of their shallow bytes. */
struct hp_graph_sum {
	uint64_t objects, bytes;
};

struct hp_graph {
	struct hp_graph_options o;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	struct hp_node_kinds kinds;
	struct hp_edges edges;
	struct hp_graph_root *roots; /* sorted by node; each node occurs once */
	size_t nroots;
	struct hp_graph_local *locals; /* sorted by serial, frame, node */
	size_t nlocals;
	struct hp_graph_weak *weak; /* sorted by from */
	size_t nweak;
	/*
	 * By kind: its objects keep a referent alive until its finalizer has
	 * run. NULL: no kind does.
	 */
	bool *finalizers;
	struct hp_graph_span *spans; /* sorted by offset; see spans.h */
	size_t nspans;
	uint64_t charged; /* bytes of lists that memory.held includes */
	struct hp_graph_sum all;
	/*
	 * The references of some instances are unknown: their class is unknown,
	 * or their size is not that of the class.
	 */
	bool unknown;
};

/**
 * hp_graph_build() - read the objects and references of a dump
 * @g:   zeroed
 * @src: must support rewinding; the function rewinds it
 *
 * It reads the dump twice, or once if the nodes are already known, and once
 * more if an id was dumped more than once. Arrays that do not fit in memory go
 * to temporary files. Ids, kinds, roots, locals and weak references must fit in
 * memory.
 * Memory: about 14 bytes for each object and 4 for each reference
 * Returns: HP_OK; HP_LIMIT: the memory limit is too small; HP_IO; HP_NOMEM; the
 *          results of hp_scan().
 * Ownership: call hp_graph_release() in any case.
 */
HP_MUST_USE enum hp_status hp_graph_build(struct hp_graph *g,
					  struct hp_source *src,
					  const struct hp_graph_options *o,
					  struct hp_error *err);
void hp_graph_release(struct hp_graph *g);

/*
 * Whether the reference belongs to a finalizer: an object that keeps its
 * referent alive until the referent's finalize() method has run.
 */
static inline bool
hp_graph_is_finalizer(const struct hp_graph *g, const struct hp_graph_weak *w)
{
	uint64_t references;

	return g->finalizers && w->to != HP_NO_NODE &&
	       g->finalizers[hp_edge_kind(&g->edges, w->from, &references)];
}

/* The first weak reference from @node; NULL if there is none. */
const struct hp_graph_weak *hp_graph_weak_of(const struct hp_graph *g,
					     uint32_t node);

#endif
