/*
 * builder.h - a graph while it is read: what the workers that read references
 * know
 *
 * For build.c, which reads, join.c, which puts together what they found, and
 * what both do with it (charge.h, spans.h).
 */
#ifndef HP_GRAPH_BUILDER_H
#define HP_GRAPH_BUILDER_H

#include "common/base/vec.h"
#include "common/graph/graph.h"

#include <stdlib.h>

enum {
	HP_BUILD_WAITING = 256,
	/* bytes a node of what is used at random at any one time, at most */
	HP_BUILD_RANDOM = 13,
};

/* What an id that waits to be looked up is. */
enum hp_build_what {
	HP_BUILD_NODE,	    /* a node whose references follow */
	HP_BUILD_LEAF,	    /* a node that has none */
	HP_BUILD_PIECE,	    /* an array, of which a piece follows */
	HP_BUILD_REFERENCE, /* whom the node refers to */
	HP_BUILD_FIELD,	    /* the same, by a field of an instance */
	HP_BUILD_WEAK,	    /* the same, not followed */
};

struct hp_build_waiting {
	uint64_t id;
	uint64_t offset; /* of the sub-record, in the dump */
	uint64_t bytes;	 /* of a node */
	uint32_t kind;	 /* of a node; of a piece its first index; of a field
			    its index among the class's references */
	uint8_t what;
};

/* Elements of an array that came in pieces. */
struct hp_build_piece {
	uint32_t node;
	uint32_t first;	     /* index of the first element */
	uint64_t start, end; /* of the list */
};

/* What a kind's objects are, as far as they need it to be written. */
struct hp_known_kind {
	uint32_t number;
	uint64_t bytes;
};

struct hp_build_worker {
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	struct hp_known_kind *of_class; /* by class index: its instances' */
	struct hp_build_waiting waiting[HP_BUILD_WAITING];
	uint64_t places[HP_BUILD_WAITING]; /* of their ids, see id_ranks.h */
	unsigned nwaiting;
	struct hp_edge_writer writer;
	bool list;	     /* one is under way, which has to be ended */
	bool piece;	     /* and it is that of the last piece */
	bool skip;	     /* what follows is of a second dump of an id */
	uint32_t node;	     /* whose list it is */
	uint32_t next_field; /* of an instance: behind that which was written */
	struct hp_vec pieces;	/* struct hp_build_piece */
	struct hp_vec locals;	/* struct hp_graph_local */
	struct hp_vec weak;	/* struct hp_graph_weak */
	struct hp_vec spans;	/* struct hp_graph_span */
	uint32_t least, most;	/* of the nodes of the batch at hand */
	struct hp_id_map roots; /* node to a root, see hp_root_pack() */
	struct hp_graph_sum sum;
	bool unknown;	  /* see struct hp_graph */
	uint64_t charged; /* bytes of these lists, see charge.h */
	enum hp_status status;
};

struct hp_build {
	struct hp_graph *g;
	struct hp_unfollowed unfollowed;
	struct hp_build_worker *workers;
	uint64_t lists; /* bytes that all workers were charged with */
};

static inline void
hp_build_fail(struct hp_build_worker *w, enum hp_status st)
{
	if (w->status == HP_OK)
		w->status = st;
}

#endif
