/*
 * nodes.h - the objects of a dump, numbered
 *
 * A node is an instance, an array or a class with a CLASS DUMP; its number is
 * the rank of its id (common/ids/id_ranks.h). One pass over the dump finds
 * them, on all threads. If an id was dumped more than once a further pass finds
 * where its first dump is: that one counts.
 */
#ifndef HP_GRAPH_NODES_H
#define HP_GRAPH_NODES_H

#include "common/format/scan.h"
#include "common/graph/big_array.h"
#include "common/ids/id_ranks.h"

/* As the number of what is no node. Numbers are below HP_NODES_MAX. */
#define HP_NO_NODE UINT32_MAX
#define HP_NODES_MAX (UINT32_MAX - 65535)

struct hp_node_worker;

/* What a pass over the dump that is over has found of its objects. */
struct hp_nodes_known {
	struct hp_id_sets *sets; /* finished, with all ids; borrowed */
	uint64_t references;	 /* there are no more than so many */
	bool sticky;		 /* as in struct hp_nodes */
};

struct hp_nodes {
	unsigned id_size, threads;
	unsigned shift;		 /* log2 of the alignment of most ids */
	unsigned dump;		 /* from 1: which one of the file */
	struct hp_start from;	 /* where its heap begins; zeroed: not known */
	struct hp_id_sets *sets; /* its own; NULL: those of hp_nodes_take() */
	struct hp_id_ranks ranks;
	uint32_t count;
	/*
	 * By node: the offset of its first dump. None unless an id was dumped
	 * more than once.
	 */
	struct hp_big_array first;
	/*
	 * The id of the thread's object and the serial of its stack trace; of
	 * several roots of a thread the first whose object is dumped has them.
	 */
	struct hp_id_map threads_by_serial, traces_by_serial;
	bool sticky;	     /* the dump has STICKY CLASS roots */
	uint64_t references; /* there are no more than so many */
	struct hp_node_worker *workers;
};

/**
 * hp_nodes_begin() - find the objects of a dump in a pass of the caller's
 * @n:      zeroed, but for id_size, threads, shift and dump
 * @size:   bytes of the dump; UINT64_MAX: not known
 * @memory: bytes that ids may take in the pass
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: hp_nodes_release() in any case.
 */
HP_MUST_USE enum hp_status hp_nodes_begin(struct hp_nodes *n, uint64_t size,
					  uint64_t memory,
					  struct hp_error *err);

/* A batch of the pass; those of other dumps are passed over. HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_nodes_batch(struct hp_nodes *n,
					  const struct hp_batch *b,
					  struct hp_error *err);

/**
 * hp_nodes_find() - number the objects of a dump
 * @n:     zeroed, but for id_size, threads, shift and dump
 * @found: what a pass has found, with the same of these, which is taken over;
 *         NULL, zeroed, or if its ids did not fit: there is a pass of its own
 * @src:   is rewound, so it must be rewindable
 *
 * Returns: HP_OK; HP_LIMIT: there are too many for the memory, or
 *          HP_NODES_MAX;
 *          HP_NOMEM; what hp_scan() returns.
 * Ownership: hp_nodes_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_nodes_find(struct hp_nodes *n, struct hp_nodes *found, struct hp_source *src,
	      struct hp_big_memory *m, struct hp_error *err);

/**
 * hp_nodes_take() - number the objects that a pass has found already
 * @n:   as above
 * @src: is rewound, so it must be rewindable; read only if an id was dumped
 *       more than once
 *
 * Threads' objects are not known then: what is on their stacks is of roots.
 * Returns: as above. Ownership: as above, before @known's sets are released.
 */
HP_MUST_USE enum hp_status hp_nodes_take(struct hp_nodes *n,
					 const struct hp_nodes_known *known,
					 struct hp_source *src,
					 struct hp_big_memory *m,
					 struct hp_error *err);

/* @m: NULL: they were not numbered. */
void hp_nodes_release(struct hp_nodes *n, struct hp_big_memory *m);

/* The number of the node of a rank, or of HP_NO_RANK. */
static inline uint32_t
hp_node_of_rank(uint64_t rank)
{
	return rank < HP_NODES_MAX ? (uint32_t)rank : HP_NO_NODE;
}

/* The number of the node with this id; HP_NO_NODE. Any thread. */
static inline uint32_t
hp_node_of(const struct hp_nodes *n, struct hp_rank_near *near, uint64_t id)
{
	return id ? hp_node_of_rank(hp_id_rank(&n->ranks, near, id))
		  : HP_NO_NODE;
}

/* Is the sub-record at @offset the one that counts for its id? */
static inline bool
hp_node_is_first(const struct hp_nodes *n, uint32_t node, uint64_t offset)
{
	return !n->first.at ||
	       ((const uint64_t *)n->first.at)[node] == offset + 1;
}

#endif
