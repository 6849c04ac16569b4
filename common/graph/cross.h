/*
 * cross.h - references that are no edges of the depth-first walk's tree, by
 * whom they lead to
 *
 * In the numbers of preorder.h. They lie in blocks, each of which has those
 * into one bucket of numbers, in the order of whom they are of: the differences
 * of these take a byte or two, so that a reference has some 3 bytes. Several
 * threads fill blocks, each with buckets of its own.
 */
#ifndef HP_GRAPH_CROSS_H
#define HP_GRAPH_CROSS_H

#include "common/graph/graph.h"

enum {
	HP_CROSS_BITS = 16,    /* numbers of a bucket */
	HP_CROSS_BLOCK = 8192, /* bytes */
	HP_CROSS_ROOM = HP_CROSS_BLOCK - 16,
};

/*
 * References into one bucket: their ends' numbers in the bucket stand in front,
 * and at the block's end, backwards, the differences of their beginnings: seven
 * bits a byte, the lowest first, the last one without the eighth bit.
 */
struct hp_cross_block {
	uint32_t next; /* the block before; 0: none */
	uint32_t count;
	uint32_t from; /* what the first difference is to */
	uint32_t unused;
	union {
		uint16_t to[HP_CROSS_ROOM / 2];
		uint8_t differences[HP_CROSS_ROOM];
	};
};

/* What a thread is filling. */
struct hp_cross_bucket {
	uint32_t head;	/* its last block; 0: none */
	uint32_t count; /* references in it */
	uint32_t bytes; /* of their differences */
	uint32_t from;	/* of the last one */
};

struct hp_cross {
	struct hp_big_array blocks; /* struct hp_cross_block, from 1 */
	uint32_t nblocks;	    /* in use */
	uint32_t nbuckets;
	unsigned threads;
	struct hp_cross_bucket *buckets; /* nbuckets for each thread */
};

struct hp_preorder;

/* What the walk knows besides, until the references are gathered. */
struct hp_cross_input {
	/*
	 * Lists have numbers in place of nodes, and 0 for what is left out;
	 * NULL: so they have. Else the number of each node.
	 */
	const uint32_t *number;
	const uint64_t *rooted;	   /* a bit a number: the object is a root */
	const uint32_t *class_met; /* by kind: the class's number; 0: none */
};

/**
 * hp_cross_gather() - go through all references of what was met
 * @c: zeroed
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: hp_cross_release() in any case.
 */
HP_MUST_USE enum hp_status hp_cross_gather(struct hp_cross *c,
					   const struct hp_preorder *p,
					   const struct hp_cross_input *in,
					   struct hp_graph *g,
					   struct hp_error *err);
void hp_cross_release(struct hp_cross *c, struct hp_big_memory *m);

/**
 * hp_cross_count() - add up, by number in the bucket, how many lead there
 * hp_cross_sort() - write whom they are of, each at its place, which moves on
 */
void hp_cross_count(const struct hp_cross *c, uint32_t bucket,
		    uint32_t *counts);
void hp_cross_sort(const struct hp_cross *c, uint32_t bucket, uint32_t *places,
		   uint32_t *sources);

#endif
