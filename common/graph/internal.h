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
 * worker keeps its own lists, which join.c merges after the pass. charge.c
 * counts the memory of the lists, and spans.h records which nodes each part of
 * the dump contains.
 */

enum {
	HP_BUILD_WAITING = 256,
	/*
	 * All arrays with random access together never need more than this
	 * number of bytes for each node. This part of the memory limit is
	 * reserved for them.
	 */
	HP_BUILD_RANDOM = 13,
};

/*
 * A worker collects ids in a list, and then looks up the nodes of all these ids
 * together. This enum says what an entry of the list stands for.
 */
enum hp_build_what {
	/* the id of an object; entries for its references follow */
	HP_BUILD_NODE,
	/*
	 * the id of an array whose references are stored as differences between
	 * elements; entries for its elements follow
	 */
	HP_BUILD_ARRAY,
	HP_BUILD_LEAF, /* the id of an object without references */
	/*
	 * The id of an array of which the batch (part of the dump) contains
	 * only a piece. Entries for the elements of the piece follow.
	 */
	HP_BUILD_PIECE,
	/*
	 * The id of the target of a reference, for example from an array
	 * element. The last entry of kind NODE or PIECE is the referring
	 * object.
	 */
	HP_BUILD_REFERENCE,
	/*
	 * The id to which a field of an instance refers. The last entry of kind
	 * NODE is the instance.
	 */
	HP_BUILD_FIELD,
	/*
	 * The id of the target of a weak reference. The last entry of kind NODE
	 * is the referring object.
	 */
	HP_BUILD_WEAK,
};

struct hp_build_waiting {
	uint64_t id;
	/* for an object: offset of its sub-record in the dump */
	uint64_t offset;
	uint64_t bytes; /* for an object: its shallow size in bytes */
	/*
	 * For an object: the number of its kind. For a piece of an array: the
	 * index of its first element. For a field: its index among the
	 * reference fields of the class.
	 */
	uint32_t kind;
	uint8_t what;
};

/*
 * The references from one piece of an array that is divided over several
 * batches (parts of the dump). When all pieces were read, their references
 * become one list.
 */
struct hp_build_piece {
	uint32_t node;
	/* the index that the first element of this piece has in the array */
	uint32_t first;
	/*
	 * The encoded references of this piece: they begin at `start` and end
	 * before `end`, in the array of all lists (edges.h).
	 */
	uint64_t start, end;
};

/*
 * The kind of the instances of a class. Each worker has a cache of these kinds,
 * so that it need not look up the kind of each instance.
 */
struct hp_known_kind {
	uint32_t number;
	uint64_t bytes;
};

struct hp_build_worker {
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_node_kinds_near kinds;
	/* for each class (hp_class.index): the kind of its instances */
	struct hp_known_kind *of_class;
	struct hp_build_waiting waiting[HP_BUILD_WAITING];
	/*
	 * For each entry of `waiting`: the place of its id (index of a bit, see
	 * hp_id_place()).
	 */
	uint64_t places[HP_BUILD_WAITING];
	unsigned nwaiting;
	struct hp_edge_writer writer;
	/* the worker has begun a list of references, which it must end */
	bool list;
	/*
	 * The list of references belongs to a piece of an array: the last
	 * element of `pieces`.
	 */
	bool piece;
	/*
	 * Ignore the references of the current object, for example because an
	 * earlier object has the same id.
	 */
	bool skip;
	uint32_t node; /* the node whose list of references is being written */
	/*
	 * for an instance: 1 + the index of its last field that is in the list
	 */
	uint32_t next_field;
	struct hp_vec pieces; /* elements: struct hp_build_piece */
	struct hp_vec locals; /* elements: struct hp_graph_local */
	struct hp_vec weak;   /* elements: struct hp_graph_weak */
	struct hp_vec spans;  /* elements: struct hp_graph_span */
	/*
	 * the smallest and the largest node in the current batch (part of the
	 * dump)
	 */
	uint32_t least, most;
	/*
	 * maps a node to the most important root that refers to it, a result of
	 * hp_root_pack()
	 */
	struct hp_id_map roots;
	struct hp_graph_sum sum;
	/*
	 * The references of some instances are unknown, because their class is
	 * not in the dump, or describes another length.
	 */
	bool unknown;
	/*
	 * How many bytes of the vectors and of `roots` are already counted
	 * towards the memory limit; see charge.c.
	 */
	uint64_t charged;
	enum hp_status status;
};

struct hp_build {
	struct hp_graph *g;
	struct hp_unfollowed unfollowed;
	struct hp_build_worker *workers;
	/* sum of the members `charged` of all workers, in bytes */
	uint64_t lists;
};

static inline void
hp_build_fail(struct hp_build_worker *w, enum hp_status st)
{
	if (w->status == HP_OK)
		w->status = st;
}

/*
 * ----------------------------------------------------------------------
 * Count the memory of a graph's lists towards the memory limit, together with
 * its arrays
 *
 * The lists of kinds, roots, local variables and weak references grow with the
 * dump, as the arrays do. Unlike arrays, the lists cannot move to temporary
 * files. So if they exceed the memory limit, building the graph fails.
 */

/**
 * hp_build_charge() - count the memory that the lists of a worker use now
 *                     towards the limit
 * @w:     called by the worker's own thread, or by any thread after the pass
 * @extra: bytes that the caller is about to allocate temporarily
 *
 * Returns: HP_OK; HP_LIMIT: all lists and arrays of the graph together exceed
 *          the limit.
 */
HP_MUST_USE enum hp_status hp_build_charge(struct hp_build *b,
					   struct hp_build_worker *w,
					   uint64_t extra,
					   struct hp_error *err);

/* ----------------------------------------------------------------------
 * Merge the results of all workers into the graph
 */

/*
 * Encode a root as one number. The upper bits of this number are
 * hp_root_order(), so a more important root has a smaller number. If a node has
 * several roots, the one with the smallest number is kept.
 */
uint64_t hp_root_pack(uint8_t tag, uint32_t thread);
/* Record that @node is a root. @packed: the root, from hp_root_pack(). */
void hp_root_note(struct hp_build_worker *w, uint32_t node, uint64_t packed);

/*
 * Merge the results of all workers. Called on one thread, after the dump has
 * been read. The pieces of each long array become one list. Local variables of
 * threads are added to the lists of the thread objects. Roots, weak references
 * and spans (parts of the dump) become sorted lists of the graph.
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT; the results of hp_edges_error().
 */
HP_MUST_USE enum hp_status hp_build_join(struct hp_build *b,
					 struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * Store the back edges and cross edges of the depth-first search, grouped by
 * target
 *
 * An edge is a reference from a source to a target. Both are preorder numbers
 * of objects (preorder.c). A bucket is a range of 65,536 numbers of targets.
 * References are stored in blocks. All references of a block have their targets
 * in one bucket, and are sorted by source. The sources are stored as
 * differences in LEB128, mostly one or two bytes, so a reference takes about 3
 * bytes. Several threads fill blocks in parallel; each thread has its own
 * blocks for each bucket.
 */

enum {
	/* base-2 logarithm of the number of targets in a bucket */
	HP_CROSS_BITS = 16,
	HP_CROSS_BLOCK = 8192, /* size of a struct hp_cross_block in bytes */
	HP_CROSS_ROOM = HP_CROSS_BLOCK - 16,
};

/*
 * A block of references whose targets are in one bucket (range of targets). The
 * targets are stored from the front: the low 16 bits of each number. The
 * sources are stored from the end of the block backwards. Each source is stored
 * as the difference from the previous source, in LEB128: seven bits in each
 * byte, the lowest bits first; the top bit is set in all bytes except the last.
 */
struct hp_cross_block {
	/*
	 * index of the next block in the list, which was filled before this
	 * one; 0: there is none
	 */
	uint32_t next;
	uint32_t count;
	/*
	 * The base of the differences in this block: the number of the first
	 * source (object that has a reference) is this base plus the first
	 * difference.
	 */
	uint32_t from;
	uint32_t unused;
	union {
		uint16_t to[HP_CROSS_ROOM / 2];
		uint8_t differences[HP_CROSS_ROOM];
	};
};

/*
 * The list of blocks that one thread has filled for one bucket (range of
 * targets).
 */
struct hp_cross_bucket {
	/* index of the last block of the list; 0: the list is empty */
	uint32_t head;
	uint32_t count; /* number of references in the last block */
	/* number of references in all blocks before the last one */
	uint64_t earlier;
	/* number of bytes of encoded sources in the last block */
	uint32_t bytes;
	/*
	 * The number of the object that has the last reference of the list (its
	 * source).
	 */
	uint32_t from;
};

struct hp_cross {
	/*
	 * Elements: struct hp_cross_block. The block with index 0 is not used.
	 */
	struct hp_big_array blocks;
	uint32_t nblocks; /* number of blocks in use, without block 0 */
	uint32_t nbuckets;
	unsigned threads;
	/*
	 * for each thread, one list of blocks for each bucket (range of
	 * targets)
	 */
	struct hp_cross_bucket *buckets;
};

struct hp_kept;

/*
 * Results of the depth-first search, which hp_cross_gather() needs. Only
 * objects that are kept have numbers here: the numbers of struct hp_kept.
 */
struct hp_cross_input {
	const struct hp_kept *kept;
	/*
	 * Only references to objects with numbers from `first` to `end` - 1 are
	 * stored.
	 */
	uint32_t first, end;
	/* number of preorder numbers, including 0, also of folded objects */
	uint32_t count;
	const uint32_t *nodes; /* the node of each preorder number */
	/*
	 * For each object X that is kept: at first, its parent in the
	 * depth-first tree. hp_cross_gather() replaces it by the smallest
	 * number among all objects that refer to X.
	 */
	_Atomic uint32_t *semis;
	/* number[n]: the number of node n; 0: the object is not kept */
	const uint32_t *number;
	/* one bit for each number: set for roots, and for number 0 */
	const uint64_t *rooted;
	/*
	 * For each kind (objects of the same class and size): the number of the
	 * class object. 0: there is none, or it is a root.
	 */
	const uint32_t *class_met;
};

/**
 * hp_cross_gather() - read all references between objects that are kept
 * @c: zeroed
 *
 * If a reference leads to an object with a smaller number, the reference is
 * stored in @c. If a reference leads to an object with a larger number, only
 * the number of its source is used: the element of in->semis for the target
 * becomes the smallest number of all such sources. This happens only in the
 * first round, when in->end is the number of all objects.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Ownership: call
 * hp_cross_release(), even after a failure.
 */
HP_MUST_USE enum hp_status hp_cross_gather(struct hp_cross *c,
					   const struct hp_cross_input *in,
					   struct hp_graph *g,
					   struct hp_error *err);
void hp_cross_release(struct hp_cross *c, struct hp_big_memory *m);

/*
 * Returns the number of stored references whose targets are in the bucket
 * (range of targets).
 */
uint64_t hp_cross_size(const struct hp_cross *c, uint32_t bucket);

/*
 * A reference that hp_cross_next() returns. `from`: number of the source. `to`:
 * number of the target, minus the first number of the bucket (range of
 * targets).
 */
struct hp_cross_reference {
	uint32_t from, to;
};

/*
 * The state of reading all references to the objects of one bucket (range of
 * targets).
 */
struct hp_cross_reader {
	const struct hp_cross *c;
	uint32_t bucket;
	/* the number of the thread whose blocks the reader reads next */
	unsigned thread;
	/*
	 * index of the block that the reader reads; 0: continue with the next
	 * thread
	 */
	uint32_t block;
	/*
	 * How much of the block was already read: the number of references, the
	 * number of bytes of sources, and the source of the last reference.
	 */
	uint32_t index, bytes, from;
};

/**
 * hp_cross_read() - begin to read the references to a bucket (range of targets)
 * hp_cross_next() - read the next references, at most @most; the references of
 *                   one block are sorted by source
 *
 * Returns: the number of references; 0 at the end. Several threads may read at
 *          the same time, each with its own reader.
 */
void hp_cross_read(struct hp_cross_reader *r, const struct hp_cross *c,
		   uint32_t bucket);
unsigned hp_cross_next(struct hp_cross_reader *r,
		       struct hp_cross_reference *out, unsigned most);

/*
 * ----------------------------------------------------------------------
 * Fold objects, so that the dominator algorithm need not handle them
 *
 * An object is folded if it is no root and no class, if only one reference
 * leads to it, and if all of its references lead to folded objects or to
 * classes that are roots. The object that refers to a folded object is its
 * immediate dominator, and no path to an object that is not folded leads
 * through it. So only the other objects, which are kept, need the dominator
 * algorithm: in a heap like that of a server, three of ten objects. Their
 * numbers are consecutive, in the order of the preorder numbers. Number 0,
 * which stands for the roots, is kept.
 */

struct hp_kept {
	/* one bit for each preorder number: set if the object is kept */
	struct hp_big_array bits;
	/*
	 * uint32_t: for each word of 64 bits, how many objects before it are
	 * kept
	 */
	struct hp_big_array before;
	uint32_t count; /* how many objects are kept, with number 0 */
	/*
	 * uint32_t: the parents in the depth-first tree. The first `count`
	 * elements are the numbers of the parents of the objects that are kept;
	 * hp_dominators() replaces them by the dominators. The other elements
	 * are the preorder numbers of the parents of the folded objects, in the
	 * order of the folded objects.
	 */
	struct hp_big_array parents;
	/*
	 * uint32_t: the smallest number of a kept object that refers to this
	 * kept object; 0 for a root
	 */
	struct hp_big_array semis;
	/*
	 * References to objects with numbers below `settled`: all of them,
	 * after hp_kept_gather()
	 */
	struct hp_cross cross;
	/*
	 * the smallest number of an object whose semidominator was computed;
	 * `count`: there is none
	 */
	uint32_t settled;
	/* the forest of dominators.c; it exists if `settled` < `count` */
	struct hp_big_array forest;
};

/* Whether the object with the preorder number @i is kept. */
static inline bool
hp_is_kept(const struct hp_kept *k, uint32_t i)
{
	return ((const uint64_t *)k->bits.at)[i >> 6] >> (i & 63) & 1;
}

/*
 * Returns how many objects with preorder numbers below @i are kept. If object
 * @i is kept, this is its number among the objects that are kept.
 */
static inline uint32_t
hp_kept_number(const struct hp_kept *k, uint32_t i)
{
	uint64_t word = ((const uint64_t *)k->bits.at)[i >> 6];

	word &= (UINT64_C(1) << (i & 63)) - 1;
	return ((const uint32_t *)k->before.at)[i >> 6] +
	       (uint32_t)__builtin_popcountll(word);
}

struct hp_preorder;

/**
 * hp_kept_gather() - number the objects that are kept, and read the references
 *                    between them
 *
 * If there are many references, they are read in several rounds, so that only a
 * part of them is in memory at the same time. The first round reads the
 * references to the objects with the largest numbers, for which
 * hp_semidominators() is called. The references of the last round are in
 * p->kept.cross afterwards.
 *
 * @p:      p->kept has the bits, and the function adds all other members. It
 *          frees p->parents
 * @rooted: one bit for each preorder number: set if the object is a root. The
 *          function changes the bits
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_kept_gather(struct hp_preorder *p,
					  uint64_t *rooted, struct hp_graph *g,
					  struct hp_error *err);

/*
 * Make the array p->parents again, with the preorder number of the dominator of
 * each object, and free p->kept. Call it after hp_dominators(). Returns: HP_OK;
 * HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_kept_unfold(struct hp_preorder *p,
					  struct hp_big_memory *m,
					  struct hp_error *err);

void hp_kept_release(struct hp_kept *k, struct hp_big_memory *m);

/*
 * ----------------------------------------------------------------------
 * A depth-first search over the objects that the roots reach
 *
 * The search numbers objects in preorder, from 1; number 0 stands for the
 * roots. If object A refers to object B, and A has the smaller number, A is an
 * ancestor of B in the depth-first tree. Several ancestors may refer to B. The
 * dominator algorithm needs only the smallest of their numbers, which is stored
 * in `semis`. All references from larger to smaller numbers are kept, grouped
 * by target (cross.c).
 */

struct hp_preorder {
	uint32_t count; /* number of preorder numbers, including number 0 */
	/* number of references to objects that already had a number */
	uint64_t repeated;
	/* The arrays `nodes` and `parents` are indexed by preorder number. */
	struct hp_big_array nodes; /* uint32_t: the node of the object */
	/*
	 * uint32_t: the parent of the object in the depth-first tree. Only used
	 * during the search, and, after hp_kept_unfold(), for the dominators
	 */
	struct hp_big_array parents;
	struct hp_kept kept;
	struct hp_big_array single; /* see struct hp_tree */
	struct hp_graph_sum reachable, weak;
	/* the objects that only hidden fields (hidden_fields.h) keep alive */
	struct hp_graph_sum hidden;
	/*
	 * The objects that wait for a finalizer. The graph also counts them as
	 * weakly reachable.
	 */
	struct hp_graph_sum waiting;
};

/**
 * hp_preorder_walk() - number the objects that are reachable from the roots
 * @reached: usually NULL. If it is not NULL, it has one bit for each node: set
 *           if the node is reachable from the roots. In this case, the function
 *           numbers other objects: those that wait for a finalizer. They are
 *           reachable from the referents of finalizer references, but not from
 *           the roots
 * @most:    number of objects that wait for a finalizer; only used with
 *           @reached
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Ownership: call
 * hp_preorder_release(), even after a failure.
 */
HP_MUST_USE enum hp_status
hp_preorder_walk(struct hp_preorder *p, struct hp_graph *g,
		 const uint64_t *reached, uint64_t most, struct hp_error *err);
void hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m);

/* ----------------------------------------------------------------------
 * Compute the immediate dominator of each object that is kept (struct hp_kept)
 */

/**
 * hp_semidominators() - compute the semidominators of the objects with numbers
 *                       from @first to k->settled - 1
 * @first: a multiple of the size of a bucket (range of targets)
 *
 * Afterwards, k->settled is @first, and k->cross is freed.
 *
 * Returns: as hp_dominators()
 */
HP_MUST_USE enum hp_status hp_semidominators(struct hp_kept *k, uint32_t first,
					     unsigned threads,
					     struct hp_big_memory *m,
					     struct hp_error *err);

/**
 * hp_dominators() - replace each element of k->parents by the immediate
 *                   dominator of the object
 * @k:       the result of hp_kept_gather(); its members cross and semis are
 *           freed
 * @threads: number of helper threads; 0 or 1: the caller's thread works alone
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_dominators(struct hp_kept *k, unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);

#endif
