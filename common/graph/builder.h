/*
 * builder.h - the state of a graph that is being built
 *
 * Several workers read the references of a dump in parallel (build.c). Each
 * worker keeps its own lists. After the pass join.c merges these lists.
 * charge.h counts the memory of the lists, and spans.h records which nodes each
 * part of the dump contains.
 */
#ifndef HP_GRAPH_BUILDER_H
#define HP_GRAPH_BUILDER_H

#include "common/base/vec.h"
#include "common/graph/graph.h"

#include <stdlib.h>

enum {
	HP_BUILD_WAITING = 256,
	/*
	 * Maximum bytes for each node that arrays with random access use at any
	 * time.
	 */
	HP_BUILD_RANDOM = 13,
};

/* The role of an id that waits for its lookup. */
enum hp_build_what {
	HP_BUILD_NODE,	    /* a node; the ids of its references follow */
	HP_BUILD_LEAF,	    /* a node without references */
	HP_BUILD_PIECE,	    /* a long array; the elements of one piece follow */
	HP_BUILD_REFERENCE, /* the target of a reference of the node */
	HP_BUILD_FIELD,	    /* the target of a field of an instance */
	/* the target of a weak reference, which is not followed */
	HP_BUILD_WEAK,
};

struct hp_build_waiting {
	uint64_t id;
	uint64_t offset; /* offset of the sub-record in the dump */
	uint64_t bytes;	 /* shallow bytes, for a node */
	/*
	 * For a node its kind. For a piece the index of its first element. For
	 * a field its index among the references of the class.
	 */
	uint32_t kind;
	uint8_t what;
};

/* A list with the elements of one piece of a long array. */
struct hp_build_piece {
	uint32_t node;
	uint32_t first;	     /* index of the first element */
	uint64_t start, end; /* words where the list begins and ends */
};

/* The parts of a kind that are needed to write a node. */
struct hp_known_kind {
	uint32_t number;
	uint64_t bytes;
};

struct hp_build_worker {
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	/* by class index: the kind of its instances */
	struct hp_known_kind *of_class;
	struct hp_build_waiting waiting[HP_BUILD_WAITING];
	/* places of the waiting ids, by hp_id_place() */
	uint64_t places[HP_BUILD_WAITING];
	unsigned nwaiting;
	struct hp_edge_writer writer;
	bool list;  /* a list has been begun and must be ended */
	bool piece; /* this list belongs to the last item of pieces */
	/*
	 * Ignore the references that follow: no list has been begun, for
	 * example because they belong to a second dump of an id.
	 */
	bool skip;
	uint32_t node; /* the node to which the list belongs */
	/* index after the last written field of an instance */
	uint32_t next_field;
	struct hp_vec pieces; /* struct hp_build_piece */
	struct hp_vec locals; /* struct hp_graph_local */
	struct hp_vec weak;   /* struct hp_graph_weak */
	struct hp_vec spans;  /* struct hp_graph_span */
	/* smallest and largest node of the current batch */
	uint32_t least, most;
	struct hp_id_map roots; /* from nodes to roots, see hp_root_pack() */
	struct hp_graph_sum sum;
	bool unknown;	  /* see struct hp_graph */
	uint64_t charged; /* bytes of the lists above, see charge.h */
	enum hp_status status;
};

struct hp_build {
	struct hp_graph *g;
	struct hp_unfollowed unfollowed;
	struct hp_build_worker *workers;
	uint64_t lists; /* bytes charged for the lists of all workers */
};

static inline void
hp_build_fail(struct hp_build_worker *w, enum hp_status st)
{
	if (w->status == HP_OK)
		w->status = st;
}

#endif
