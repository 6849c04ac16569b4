/*
 * cross.h - back edges and cross edges of the depth-first search, grouped by
 * target
 *
 * Objects have the preorder numbers of preorder.h. The references are stored in
 * blocks. Each block has references to one bucket of 65,536 target numbers,
 * sorted by source. The sources are stored as differences in LEB128, mostly one
 * or two bytes, so a reference takes about 3 bytes. Several threads fill blocks
 * in parallel; each thread has its own blocks for each bucket.
 */
#ifndef HP_GRAPH_CROSS_H
#define HP_GRAPH_CROSS_H

#include "common/graph/graph.h"

enum {
	HP_CROSS_BITS = 16,    /* log2 of the numbers in a bucket */
	HP_CROSS_BLOCK = 8192, /* bytes of a block */
	HP_CROSS_ROOM = HP_CROSS_BLOCK - 16,
};

/*
 * A block of references into one bucket. The targets grow from the front: the
 * low 16 bits of their numbers. The differences of the sources grow from the
 * end, backwards. A difference is in LEB128: seven bits a byte, the lowest
 * first; the top bit is set in all bytes but the last.
 */
struct hp_cross_block {
	uint32_t next; /* index of the previous block; 0: none */
	uint32_t count;
	uint32_t from; /* the source that the first difference is added to */
	uint32_t unused;
	union {
		uint16_t to[HP_CROSS_ROOM / 2];
		uint8_t differences[HP_CROSS_ROOM];
	};
};

/* The end of one thread's list of blocks for one bucket. */
struct hp_cross_bucket {
	uint32_t head;	/* index of the last block; 0: none */
	uint32_t count; /* references in the last block */
	uint32_t bytes; /* bytes of the differences in the last block */
	uint32_t from;	/* source of the last reference */
};

struct hp_cross {
	/* struct hp_cross_block; index 0 is not used */
	struct hp_big_array blocks;
	uint32_t nblocks; /* blocks in use */
	uint32_t nbuckets;
	unsigned threads;
	struct hp_cross_bucket *buckets; /* nbuckets items for each thread */
};

/* Results of the depth-first search, which hp_cross_gather() needs. */
struct hp_cross_input {
	uint32_t count; /* preorder numbers, including 0 */
	/* the next three arrays are indexed by preorder number */
	const uint32_t *nodes, *kinds;
	/*
	 * At first the parent of each number in the depth-first tree. The value
	 * decreases if a smaller number also refers to this number.
	 */
	_Atomic uint32_t *semis;
	const uint32_t *number; /* from nodes to preorder numbers */
	/* a bit for each number: the object is a root */
	const uint64_t *rooted;
	/* by kind: the preorder number of the class; 0: none */
	const uint32_t *class_met;
};

/**
 * hp_cross_gather() - read all references of the objects that the search has
 *                     numbered
 * @c: zeroed
 *
 * It stores the references to smaller numbers in @c, and lowers the semis for
 * the references to larger numbers.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_cross_release() in any case.
 */
HP_MUST_USE enum hp_status hp_cross_gather(struct hp_cross *c,
					   const struct hp_cross_input *in,
					   struct hp_graph *g,
					   struct hp_error *err);
void hp_cross_release(struct hp_cross *c, struct hp_big_memory *m);

/* The number of references into a bucket. */
uint64_t hp_cross_size(const struct hp_cross *c, uint32_t bucket);

/* A reference. @to counts from the first number of the bucket. */
struct hp_cross_reference {
	uint32_t from, to;
};

/* A reader of one bucket, with its position. */
struct hp_cross_reader {
	const struct hp_cross *c;
	uint32_t bucket;
	unsigned thread; /* the next thread whose blocks are read */
	uint32_t block;	 /* current block; 0: go on with the next thread */
	uint32_t index, bytes, from; /* position in the block */
};

/**
 * hp_cross_read() - begin to read a bucket
 * hp_cross_next() - read its next references, at most @most; the references of
 *                   one block are sorted by source
 *
 * Returns: the number of references; 0 at the end. Several threads may read at
 *          the same time, each with its own reader.
 */
void hp_cross_read(struct hp_cross_reader *r, const struct hp_cross *c,
		   uint32_t bucket);
unsigned hp_cross_next(struct hp_cross_reader *r,
		       struct hp_cross_reference *out, unsigned most);

#endif
