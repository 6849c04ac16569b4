/*
 * nodes.h - the objects of a dump, numbered
 *
 * A node is an instance, an array, or a class with a CLASS DUMP. The number of
 * a node is the rank of its id (common/ids/id_ranks.h). One pass over the dump,
 * on all threads, finds the nodes. If an id was dumped more than once, only its
 * first dump counts. A second pass then finds where the first dumps are.
 */
#ifndef HP_GRAPH_NODES_H
#define HP_GRAPH_NODES_H

#include "common/format/scan.h"
#include "common/graph/big_array.h"
#include "common/ids/id_ranks.h"

/*
 * HP_NO_NODE means that there is no node. Node numbers are smaller than
 * HP_NODES_MAX.
 */
#define HP_NO_NODE UINT32_MAX
#define HP_NODES_MAX (UINT32_MAX - 65535)

struct hp_node_worker;

/* Results of an earlier pass over the dump. */
struct hp_nodes_known {
	struct hp_id_sets *sets; /* finished sets with all ids; borrowed */
	uint64_t references;	 /* upper bound of the number of references */
	bool sticky;		 /* see struct hp_nodes */
};

struct hp_nodes {
	unsigned id_size, threads;
	unsigned shift; /* log2 of the alignment of most ids */
	/* serial number of the dump in the file, from 1 */
	unsigned dump;
	struct hp_start from;	 /* where its heap begins; zeroed: unknown */
	struct hp_id_sets *sets; /* owned; NULL after hp_nodes_take() */
	struct hp_id_ranks ranks;
	uint32_t count;
	/*
	 * By node: 1 + the offset of its first dump. Only exists if an id was
	 * dumped more than once.
	 */
	struct hp_big_array first;
	/*
	 * From the serial of a thread to the id of its thread object, and to
	 * the serial of its stack trace. If a thread has several roots, the
	 * first one whose object is dumped counts.
	 */
	struct hp_id_map threads_by_serial, traces_by_serial;
	bool sticky;	     /* the dump has STICKY CLASS roots */
	uint64_t references; /* upper bound of the number of references */
	struct hp_node_worker *workers;
};

/**
 * hp_nodes_begin() - begin to find the objects of a dump, in a pass of the
 *                    caller
 * @n:      zeroed, except for id_size, threads, shift and dump
 * @size:   bytes of the dump; UINT64_MAX: unknown
 * @memory: bytes that ids may use during the pass
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_nodes_release() in any case.
 */
HP_MUST_USE enum hp_status hp_nodes_begin(struct hp_nodes *n, uint64_t size,
					  uint64_t memory,
					  struct hp_error *err);

/*
 * Process a batch of this pass. Ignores batches of other dumps. Returns: HP_OK;
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_nodes_batch(struct hp_nodes *n,
					  const struct hp_batch *b,
					  struct hp_error *err);

/**
 * hp_nodes_find() - number the objects of a dump
 * @n:     zeroed, except for id_size, threads, shift and dump
 * @found: the state of an hp_nodes_begin() pass with the same settings; the
 *         function takes it over. If it is NULL or zeroed, or if the ids did
 *         not fit in its memory, the function reads the dump itself
 * @src:   must support rewinding; the function rewinds it
 *
 * Returns: HP_OK; HP_LIMIT: the memory is too small, or there are HP_NODES_MAX
 *          objects or more; HP_NOMEM; the results of hp_scan().
 * Ownership: call hp_nodes_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_nodes_find(struct hp_nodes *n, struct hp_nodes *found, struct hp_source *src,
	      struct hp_big_memory *m, struct hp_error *err);

/**
 * hp_nodes_take() - number the objects that an earlier pass has found
 * @n:   as for hp_nodes_find()
 * @src: must support rewinding; read only if an id was dumped more than once
 *
 * Thread objects are unknown in this case, so objects on stacks are roots
 * instead of locals of a thread.
 * Returns: as hp_nodes_find().
 * Ownership: call hp_nodes_release() in any case, before the sets of @known are
 *            released.
 */
HP_MUST_USE enum hp_status hp_nodes_take(struct hp_nodes *n,
					 const struct hp_nodes_known *known,
					 struct hp_source *src,
					 struct hp_big_memory *m,
					 struct hp_error *err);

/* Free everything. @m may be NULL if the nodes have not been numbered. */
void hp_nodes_release(struct hp_nodes *n, struct hp_big_memory *m);

/* Convert the rank of an id to a node; HP_NO_RANK becomes HP_NO_NODE. */
static inline uint32_t
hp_node_of_rank(uint64_t rank)
{
	return rank < HP_NODES_MAX ? (uint32_t)rank : HP_NO_NODE;
}

/*
 * Returns the node with this id; HP_NO_NODE if there is none. Any thread may
 * call it, with its own @near.
 */
static inline uint32_t
hp_node_of(const struct hp_nodes *n, struct hp_rank_near *near, uint64_t id)
{
	return id ? hp_node_of_rank(hp_id_rank(&n->ranks, near, id))
		  : HP_NO_NODE;
}

/*
 * Whether the sub-record at @offset is the first dump of the node's id, which
 * is the only one that counts.
 */
static inline bool
hp_node_is_first(const struct hp_nodes *n, uint32_t node, uint64_t offset)
{
	return !n->first.at ||
	       ((const uint64_t *)n->first.at)[node] == offset + 1;
}

#endif
