/*
 * preorder.h - a depth-first walk over what the roots reach
 *
 * For tree.c: objects are numbered in the order in which the walk meets them,
 * from 1; 0 is the roots. References that the walk did not take are kept by
 * whom they lead to, for the dominators.
 */
#ifndef HP_GRAPH_PREORDER_H
#define HP_GRAPH_PREORDER_H

#include "common/graph/graph.h"

enum {
	HP_CROSS_BITS = 16,    /* numbers of a bucket */
	HP_CROSS_BLOCK = 8192, /* bytes */
	HP_CROSS_ROOM = (HP_CROSS_BLOCK - 8) / 6,
};

/* References into one bucket. */
struct hp_cross_block {
	uint32_t next; /* the block before; 0: none */
	uint32_t count;
	uint32_t from[HP_CROSS_ROOM];
	uint16_t to[HP_CROSS_ROOM]; /* number in the bucket */
};

/* References that are no edges of the walk's tree, by whom they lead to. */
struct hp_cross {
	struct hp_big_array blocks; /* struct hp_cross_block, from 1 */
	uint32_t nblocks;	    /* in use */
	uint32_t most;		    /* that there is room for */
	uint32_t *heads;	    /* by bucket: its last block */
	uint32_t nbuckets;
};

struct hp_preorder {
	uint32_t count; /* numbers, 0 included */
	/* by number */
	struct hp_big_array nodes;   /* uint32_t */
	struct hp_big_array parents; /* uint32_t: in the walk's tree */
	struct hp_big_array kinds;   /* uint32_t */
	struct hp_cross cross;
	struct hp_graph_sum reachable, weak;
};

/* HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Release it in any case. */
HP_MUST_USE enum hp_status hp_preorder_walk(struct hp_preorder *p,
					    struct hp_graph *g,
					    struct hp_error *err);
void hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m);

#endif
