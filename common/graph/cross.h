/*
 * cross.h - references back and across the tree of the depth-first walk, by
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

/* What the walk knows when the references are gathered. */
struct hp_cross_input {
	uint32_t count; /* numbers, 0 included */
	/* by number */
	const uint32_t *nodes, *kinds;
	_Atomic uint32_t *semis;   /* at first the parents; become less where an
				      earlier number refers to theirs */
	const uint32_t *number;	   /* by node */
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
					   const struct hp_cross_input *in,
					   struct hp_graph *g,
					   struct hp_error *err);
void hp_cross_release(struct hp_cross *c, struct hp_big_memory *m);

/* How many references lead into a bucket. */
uint64_t hp_cross_size(const struct hp_cross *c, uint32_t bucket);

/* A reference, to a number in the bucket that is read. */
struct hp_cross_reference {
	uint32_t from, to;
};

/* Where a reader of a bucket is. */
struct hp_cross_reader {
	const struct hp_cross *c;
	uint32_t bucket;
	unsigned thread; /* the next one whose blocks are to be read */
	uint32_t block;	 /* 0: those of a thread are at their end */
	uint32_t index, bytes, from; /* in the block */
};

/**
 * hp_cross_read() - begin to read a bucket
 * hp_cross_next() - its next references, up to @most, in the order of whom
 *                   they are of as far as a block of them reaches
 *
 * Returns: how many there are; 0: that was all. Several may read at once.
 */
void hp_cross_read(struct hp_cross_reader *r, const struct hp_cross *c,
		   uint32_t bucket);
unsigned hp_cross_next(struct hp_cross_reader *r,
		       struct hp_cross_reference *out, unsigned most);

#endif
