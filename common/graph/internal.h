/*
 * internal.h - build the graph, search it, and find its dominators
 */
#ifndef HP_GRAPH_INTERNAL_H
#define HP_GRAPH_INTERNAL_H

#include "common/base/vec.h"
#include "common/graph/graph.h"

#include <stdlib.h>

/* ----------------------------------------------------------------------
 * The state of a graph that is being built
 *
 * Several workers read the references of a dump in parallel (build.c). Each
 * worker keeps its own lists. After the pass join.c merges these lists.
 * charge.c counts the memory of the lists, and spans.h records which nodes each
 * part of the dump contains.
 */

enum {
	HP_BUILD_WAITING = 256,
	/*
	 * How many bytes for each node the arrays with random access need at
	 * most at the same time.
	 */
	HP_BUILD_RANDOM = 13,
};

/* What an id in the list of ids to look up is. */
enum hp_build_what {
	HP_BUILD_NODE, /* a node; the ids of its references follow */
	HP_BUILD_LEAF, /* a node that has no references */
	/* a piece of a long array; the ids of its elements follow */
	HP_BUILD_PIECE,
	/* the object that a reference of the node refers to */
	HP_BUILD_REFERENCE,
	/* the object that a field of an instance refers to */
	HP_BUILD_FIELD,
	/* the target of a weak reference, which is not followed */
	HP_BUILD_WEAK,
};

struct hp_build_waiting {
	uint64_t id;
	uint64_t offset; /* offset of the sub-record in the dump */
	uint64_t bytes;	 /* for a node: its shallow size */
	/*
	 * For a node: its kind. For a piece: the index of its first element.
	 * For a field: its index among the reference fields of the class.
	 */
	uint32_t kind;
	uint8_t what;
};

/*
 * The references from one piece of a long array. They become one list when all
 * pieces have been read.
 */
struct hp_build_piece {
	uint32_t node;
	uint32_t first; /* index of the first element */
	/*
	 * positions of the piece's bytes in the array of lists, from start
	 * to before end
	 */
	uint64_t start, end;
};

/* The members of a kind that are needed to begin the list of a node. */
struct hp_known_kind {
	uint32_t number;
	uint64_t bytes;
};

struct hp_build_worker {
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	/* for each class: the kind of its instances */
	struct hp_known_kind *of_class;
	struct hp_build_waiting waiting[HP_BUILD_WAITING];
	/* the place of each waiting id, see hp_id_place() */
	uint64_t places[HP_BUILD_WAITING];
	unsigned nwaiting;
	struct hp_edge_writer writer;
	bool list;  /* a list has been begun and must be ended */
	bool piece; /* the list belongs to the last element of pieces */
	/*
	 * Ignore the references that follow: no list has been begun, for
	 * example because they belong to a second dump of an id.
	 */
	bool skip;
	uint32_t node; /* the node to which the list belongs */
	/* index after the last written field of an instance */
	uint32_t next_field;
	struct hp_vec pieces; /* elements: struct hp_build_piece */
	struct hp_vec locals; /* elements: struct hp_graph_local */
	struct hp_vec weak;   /* elements: struct hp_graph_weak */
	struct hp_vec spans;  /* elements: struct hp_graph_span */
	/* smallest and largest node in the current part of the dump */
	uint32_t least, most;
	/* maps a node to its most important root, see hp_root_pack() */
	struct hp_id_map roots;
	struct hp_graph_sum sum;
	/* the references of some instances are unknown; see struct hp_graph */
	bool unknown;
	/*
	 * bytes of the lists above that count towards the memory limit, see
	 * charge.c
	 */
	uint64_t charged;
	enum hp_status status;
};

struct hp_build {
	struct hp_graph *g;
	struct hp_unfollowed unfollowed;
	struct hp_build_worker *workers;
	/* bytes of the lists of all threads that count towards the limit */
	uint64_t lists;
};

static inline void
hp_build_fail(struct hp_build_worker *w, enum hp_status st)
{
	if (w->status == HP_OK)
		w->status = st;
}

/* ----------------------------------------------------------------------
 * Count the memory of a graph's lists together with its arrays
 *
 * Kinds, roots, locals of threads and weak references grow with the dump, as
 * the arrays do. But these lists cannot continue in temporary files, so if they
 * do not fit in the memory limit, building the graph fails.
 */

/**
 * hp_build_charge() - count the memory that the lists of a worker use now
 *                     towards the limit
 * @w:     called by the worker's own thread, or by any thread after the pass
 * @extra: bytes that the caller is about to allocate temporarily
 *
 * Returns: HP_OK; HP_LIMIT: the whole graph needs more memory than it may use.
 */
HP_MUST_USE enum hp_status hp_build_charge(struct hp_build *b,
					   struct hp_build_worker *w,
					   uint64_t extra,
					   struct hp_error *err);

/* ----------------------------------------------------------------------
 * Merge the results of all workers into the graph
 */

/*
 * Encode a root as one number. If a node has several roots, the smallest number
 * counts; numbers compare first by hp_root_order().
 */
uint64_t hp_root_pack(uint8_t tag, uint32_t thread);
/* Record that @node is a root. @packed: the root, from hp_root_pack(). */
void hp_root_note(struct hp_build_worker *w, uint32_t node, uint64_t packed);

/*
 * Merge the results of all workers, after the pass and on one thread. The
 * pieces of each long array become one list. Locals of threads are added to the
 * lists of the thread objects. Roots, weak references and spans become sorted
 * lists of the graph.
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT; the results of hp_edges_error().
 */
HP_MUST_USE enum hp_status hp_build_join(struct hp_build *b,
					 struct hp_error *err);

/* ----------------------------------------------------------------------
 * Back edges and cross edges of the depth-first search, grouped by target
 *
 * Objects have the preorder numbers of preorder.c. The references are stored in
 * blocks. Each block has references to one bucket of 65,536 target numbers,
 * sorted by source. The sources are stored as differences in LEB128, mostly one
 * or two bytes, so a reference takes about 3 bytes. Several threads fill blocks
 * in parallel; each thread has its own blocks for each bucket.
 */

enum {
	/* base-2 logarithm of the numbers in a bucket (a range of numbers) */
	HP_CROSS_BITS = 16,
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
	/* index of the previous block of the same list; 0: none */
	uint32_t next;
	uint32_t count;
	/*
	 * number of the source (referring object) to which the first difference
	 * is added
	 */
	uint32_t from;
	uint32_t unused;
	union {
		uint16_t to[HP_CROSS_ROOM / 2];
		uint8_t differences[HP_CROSS_ROOM];
	};
};

/* The end of one thread's list of blocks for one bucket. */
struct hp_cross_bucket {
	uint32_t head;	/* index of the last block; 0: there is none */
	uint32_t count; /* references in the last block */
	uint32_t bytes; /* bytes of the differences in the last block */
	/* number of the source (referring object) of the last reference */
	uint32_t from;
};

struct hp_cross {
	/* struct hp_cross_block; index 0 is not used */
	struct hp_big_array blocks;
	uint32_t nblocks; /* number of blocks in use */
	uint32_t nbuckets;
	unsigned threads;
	/* for each thread, one entry for each bucket */
	struct hp_cross_bucket *buckets;
};

/* Results of the depth-first search, which hp_cross_gather() needs. */
struct hp_cross_input {
	uint32_t count; /* number of preorder numbers, including 0 */
	/* the next three arrays are indexed by preorder number */
	const uint32_t *nodes, *kinds;
	/*
	 * At first the parent of each number in the depth-first tree. The value
	 * decreases if a smaller number also refers to this number.
	 */
	_Atomic uint32_t *semis;
	const uint32_t *number; /* maps a node to its preorder number */
	/* one bit for each number; it is set if the object is a root */
	const uint64_t *rooted;
	/* for each kind: the preorder number of the class object; 0: none */
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

/* The number of references to objects in a bucket. */
uint64_t hp_cross_size(const struct hp_cross *c, uint32_t bucket);

/*
 * A reference. @to is the number of its target, counted from the first number
 * of the bucket.
 */
struct hp_cross_reference {
	uint32_t from, to;
};

/* A reader of one bucket, with its position. */
struct hp_cross_reader {
	const struct hp_cross *c;
	uint32_t bucket;
	unsigned thread; /* the thread whose blocks are read next */
	/* index of the current block; 0: continue with the next thread */
	uint32_t block;
	/*
	 * position in the block, and number of the object that has the last
	 * reference
	 */
	uint32_t index, bytes, from;
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

/* ----------------------------------------------------------------------
 * A depth-first search over the objects that the roots reach
 *
 * The search numbers objects in preorder, from 1; number 0 stands for the
 * roots. A reference to a larger number comes from an ancestor in the
 * depth-first tree. The dominator algorithm needs only the smallest of these
 * ancestors, which semis holds. References to smaller numbers are kept, grouped
 * by target (cross.c).
 */

struct hp_preorder {
	uint32_t count; /* number of preorder numbers, including 0 */
	/* the next four arrays are indexed by preorder number */
	struct hp_big_array nodes; /* uint32_t: the node with this number */
	/* uint32_t: parent in the depth-first tree */
	struct hp_big_array parents;
	struct hp_big_array kinds; /* uint32_t: the kind of the object */
	/*
	 * uint32_t: the smallest number that refers to this number, if it is
	 * smaller than this number
	 */
	struct hp_big_array semis;
	struct hp_cross cross;
	struct hp_graph_sum reachable, weak;
	/* objects that wait for a finalizer; they also count in weak */
	struct hp_graph_sum waiting;
};

/**
 * hp_preorder_walk() - number the objects that the roots reach
 * @reached: usually NULL. Otherwise a bit for each node that the roots reach;
 *           then the function numbers the objects that wait for a finalizer:
 *           those that are reachable from the referents of finalizers, but not
 *           from the roots
 * @most:    number of objects that wait for a finalizer; only used with
 *           @reached
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_preorder_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_preorder_walk(struct hp_preorder *p, struct hp_graph *g,
		 const uint64_t *reached, uint64_t most, struct hp_error *err);
void hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m);

/* ----------------------------------------------------------------------
 * Compute immediate dominators, in the numbers of preorder.c
 */

/**
 * hp_dominators() - replace p->parents by immediate dominators
 * @p:       its cross references and semis are freed
 * @threads: helper threads in addition to the caller's thread; with 1 the
 *           caller works alone
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_dominators(struct hp_preorder *p,
					 unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);

#endif
