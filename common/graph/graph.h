/*
 * graph.h - the object graph of a dump: nodes, edges, roots
 */
#ifndef HP_GRAPH_GRAPH_H
#define HP_GRAPH_GRAPH_H

#include "common/base/status.h"
#include "common/base/hash.h"
#include "common/format/scan.h"
#include "common/graph/big_array.h"
#include "common/graph/edges.h"
#include "common/object_ids/id_ranks.h"
#include "common/model/classes.h"
#include "common/model/size_model.h"
#include "common/model/tables.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* ----------------------------------------------------------------------
 * Find the fields `referent` of weak and other references (java.lang.ref) that
 * do not keep objects alive
 */

enum hp_reachability {
	/*
	 * follow soft references, but not weak, phantom and finalizer
	 * references
	 */
	HP_REACHABILITY_SOFT,
	/*
	 * follow none of these, so that soft references do not keep objects
	 * alive
	 */
	HP_REACHABILITY_STRONG,
	HP_REACHABILITY_ALL, /* follow all of these references */
};

/*
 * For each class, by its index: the distance in bytes from the start of the
 * field `referent` to the end of the instance data, if the field is not
 * followed; otherwise 0.
 */
struct hp_unfollowed {
	uint32_t *from_end;
};

/**
 * hp_unfollowed_init() - find the classes whose referent is not followed
 * @c: all classes of the dump, complete
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_unfollowed_release() in any case.
 * Source: the documentation of java.lang.ref; FinalizerReference of ART
 */
HP_MUST_USE enum hp_status hp_unfollowed_init(struct hp_unfollowed *u,
					      const struct hp_classes *c,
					      const struct hp_tables *t,
					      enum hp_reachability reachability,
					      struct hp_error *err);
void hp_unfollowed_release(struct hp_unfollowed *u);

/*
 * The class whose objects keep a referent alive until its finalizer has run:
 * java.lang.ref.FinalReference, or FinalizerReference of ART. NULL if there is
 * none.
 */
const struct hp_class *hp_finalizer_class(const struct hp_classes *c,
					  const struct hp_tables *t);

/*
 * The offset of the referent field in an instance of the class. UINT64_MAX if
 * the class has none, or if the field is followed.
 */
static inline uint64_t
hp_unfollowed_at(const struct hp_unfollowed *u, const struct hp_class *c)
{
	uint32_t from_end = u->from_end[c->index];

	return from_end && from_end <= c->data_size ? c->data_size - from_end
						    : UINT64_MAX;
}

/* ----------------------------------------------------------------------
 * A table of kinds: properties that many objects have in common
 *
 * A kind is a set of objects with equal class and shallow size, and on request
 * also equal allocation trace and Android heap. A dump with many million
 * objects has a few thousand kinds, so each object needs only 4 bytes for all
 * these properties. The number of a kind depends on which thread saw it first,
 * so results must not depend on these numbers.
 */

enum hp_node_is {
	HP_NODE_NOTHING, /* number 0 of the table: there is no object */
	HP_NODE_INSTANCE,
	HP_NODE_OBJECT_ARRAY,
	/* an array of primitives; class_id is the number of the element type */
	HP_NODE_PRIMITIVE_ARRAY,
	HP_NODE_CLASS, /* a class object; class_id is its own id */
};

/* Kinds are hashed and compared as bytes, so there is no padding. */
struct hp_node_kind {
	uint64_t class_id;
	uint64_t bytes; /* shallow size in bytes of each object of this kind */
	/*
	 * allocation trace and Android heap; 0 if kinds do not distinguish
	 * these
	 */
	uint32_t trace, heap;
	/*
	 * The node of the class object, to which each object of this kind
	 * refers. HP_NO_NODE: none.
	 */
	uint32_t class_node;
	/*
	 * what the objects are: instances, arrays or class objects (enum
	 * hp_node_is)
	 */
	uint32_t of;
};

struct hp_node_kinds {
	pthread_mutex_t lock;
	/* the kinds; the number of a kind is its index; entry 0 is not used */
	struct hp_node_kind *list;
	uint32_t count; /* number of kinds, including kind 0 */
	size_t cap;
	struct hp_hash_table table;
};

/* A cache of kinds for one thread. Must be zeroed at first. */
enum { HP_NODE_KINDS_NEAR = 4096 };
struct hp_node_kinds_near {
	struct {
		struct hp_node_kind kind;
		uint32_t number;
	} slots[HP_NODE_KINDS_NEAR];
};

HP_MUST_USE enum hp_status hp_node_kinds_init(struct hp_node_kinds *k,
					      struct hp_error *err);
void hp_node_kinds_release(struct hp_node_kinds *k);

/*
 * Returns the number of a kind, and adds it if it is new. Returns 0 if out of
 * memory. Thread-safe.
 */
uint32_t hp_node_kinds_number(struct hp_node_kinds *k,
			      struct hp_node_kinds_near *near,
			      const struct hp_node_kind *kind);

/*
 * How many bytes the tables need, plus @more bytes for each kind. Once the
 * table is half full, the result includes the next, larger table. Thread-safe.
 */
uint64_t hp_node_kinds_bytes(struct hp_node_kinds *k, uint64_t more);

/* ----------------------------------------------------------------------
 * The objects of a dump, numbered
 *
 * A node is an instance, an array, or a class with a CLASS DUMP. The number of
 * a node is the rank of its id (common/object_ids/id_ranks.h). One pass over
 * the dump, on all threads, finds the nodes. If an id was dumped more than
 * once, only its first dump counts. A second pass then finds where the first
 * dumps are.
 */

/*
 * HP_NO_NODE means that there is no node. Node numbers are smaller than
 * HP_NODES_MAX.
 */
#define HP_NO_NODE UINT32_MAX
#define HP_NODES_MAX (UINT32_MAX - 65535)

struct hp_node_worker;

/* What an earlier pass over the dump has found out about its objects. */
struct hp_nodes_known {
	/*
	 * sets of ids that contain all ids of the dump and can be queried;
	 * borrowed
	 */
	struct hp_id_sets *sets;
	uint64_t references; /* upper limit of the number of references */
	bool sticky;	     /* see struct hp_nodes */
};

struct hp_nodes {
	unsigned id_size, threads;
	unsigned shift; /* base-2 logarithm of the alignment of most ids */
	/* serial number of the dump in the file, from 1 */
	unsigned dump;
	/* where the heap of the dump begins in the file; zeroed: unknown */
	struct hp_start from;
	/* the ids; they belong to this struct; NULL after hp_nodes_take() */
	struct hp_id_sets *sets;
	struct hp_id_ranks ranks;
	uint32_t count;
	/*
	 * By node: 1 + the offset of its first dump. Only exists if an id was
	 * dumped more than once.
	 */
	struct hp_big_array first;
	/*
	 * Maps from the serial number of a thread to the id of its thread
	 * object, and to the serial number of its stack trace. If a thread has
	 * several roots, the first one whose object is in the dump counts.
	 */
	struct hp_id_map threads_by_serial, traces_by_serial;
	/* the dump has roots for system classes (STICKY CLASS) */
	bool sticky;
	uint64_t references; /* upper limit of the number of references */
	struct hp_node_worker *workers;
};

/**
 * hp_nodes_begin() - begin to find the objects of a dump, while the caller
 *                    scans it
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
 * Handle a batch of the dump in this pass. Ignores batches of other dumps in
 * the file. Returns: HP_OK; HP_NOMEM.
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
 * @src: the dump; must support rewinding. The function reads it only if an id
 *       was dumped more than once
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

/* Free everything. @m may be NULL if the nodes have not been numbered yet. */
void hp_nodes_release(struct hp_nodes *n, struct hp_big_memory *m);

/* Convert the rank of an id to a node; HP_NO_RANK becomes HP_NO_NODE. */
static inline uint32_t
hp_node_of_rank(uint64_t rank)
{
	return rank < HP_NODES_MAX ? (uint32_t)rank : HP_NO_NODE;
}

/*
 * Returns the node with this id; HP_NO_NODE if there is none. Any thread may
 * call it, with a cache @near of its own.
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

/* ----------------------------------------------------------------------
 * Kinds of roots: their names and their order
 *
 * If several roots refer to an object, the order decides which one is shown.
 * Paths, suspects, owners and holders all use this table.
 */

/*
 * What a path from a root begins with. If several paths lead to an object, the
 * kind that comes first here is preferred.
 */
enum hp_path_kind {
	HP_PATH_SYSTEM_CLASS,
	HP_PATH_STATIC,
	HP_PATH_THREAD,
	HP_PATH_JNI_GLOBAL,
	HP_PATH_OTHER,
	/*
	 * local variable of a thread; this and the next kinds are used only if
	 * no kind above reaches the object
	 */
	HP_PATH_LOCAL,
	/*
	 * as HP_PATH_LOCAL, but the thread has no object in the dump; the same
	 * holds for the next kind
	 */
	HP_PATH_JNI_LOCAL,
	HP_PATH_STACK,
	HP_PATH_MONITOR,
	HP_PATH_LAUNCHER, /* static fields of the program that starts the JVM */
	/* constants that the VM has resolved for the code of a class */
	HP_PATH_CONSTANTS,
	/* the next kinds are used only if no other kind reaches the object */
	HP_PATH_INTERNED,
	HP_PATH_VM_INTERNAL,
	HP_PATH_FINALIZING,
	HP_PATH_DEBUGGER,
	HP_PATH_CLEANUP,
	HP_PATH_KINDS,
	/* not the beginning of a path, but a further step */
	HP_PATH_FIELD = HP_PATH_KINDS,
};

/*
 * The kind of a path that begins at a root with this tag. An unknown tag gets
 * the kind of the last tag of the table.
 */
enum hp_path_kind hp_root_kind(uint8_t tag);

/* The name of this kind of root in the output, such as "JNI global". */
const char *hp_root_words(uint8_t tag);

/*
 * The position of a kind of root in the order of importance, below 32. If
 * several roots refer to an object, the one with the smallest position counts.
 */
unsigned hp_root_order(uint8_t tag);

/* ----------------------------------------------------------------------
 * The object graph of a dump: nodes, edges, roots
 *
 * A node is an object, and an edge is a reference. Other code works on the
 * finished graph: tree.h computes dominators and retained sizes, depth.c
 * computes distances from the roots, and diff/paths finds paths from the roots.
 * The terms are those of Eclipse MAT and ahat.
 */

/*
 * Properties that distinguish kinds of objects in addition to class and size; a
 * bit set.
 */
enum { HP_GRAPH_BY_HEAP = 1, HP_GRAPH_BY_TRACE = 2 };

struct hp_graph_options {
	unsigned threads;
	unsigned dump;	/* serial number of the dump in the file, from 1 */
	unsigned shift; /* base-2 logarithm of the alignment of most ids */
	/*
	 * HP_GRAPH_BY_ values: what distinguishes kinds of objects in addition
	 */
	unsigned split_by;
	enum hp_reachability reachability;
	struct hp_size_model layout;
	uint64_t memory; /* limit of the graph's memory in bytes */
	/* directory of temporary files; NULL: $TMPDIR or /tmp */
	const char *dir;
	/* the classes of the dump, complete; borrowed */
	struct hp_classes *classes;
	const struct hp_tables *tables;
	/* Position where the heap of the dump begins. Zeroed: unknown. */
	struct hp_start from;
	/*
	 * Parameters of hp_nodes_find() and hp_nodes_take(). Either may be
	 * NULL.
	 */
	struct hp_nodes *found;
	const struct hp_nodes_known *known;
};

/*
 * A node that is a root. If several roots refer to a node, only the most
 * important one is kept, by hp_root_order().
 */
struct hp_graph_root {
	/* the first member, because searches compare the first member */
	uint32_t node;
	uint32_t thread; /* serial of the thread; 0 if the root has none */
	uint8_t tag;	 /* tag of the root's sub-record */
};

/*
 * An object that the stack of a thread refers to. Only for threads whose thread
 * object is a node.
 */
struct hp_graph_local {
	uint32_t thread; /* node of the thread's object */
	/* node of the object that the local variable refers to */
	uint32_t node;
	uint32_t serial; /* serial number of the thread */
	uint32_t frame;	 /* index of the stack frame; UINT32_MAX: none */
	uint8_t tag;	 /* tag of the root's sub-record */
};

/*
 * A weak reference, which is not followed: the referent of a java.lang.ref
 * object.
 */
struct hp_graph_weak {
	/*
	 * from is the first member, because searches compare the first member
	 */
	uint32_t from, to;
};

/*
 * A part of the dump, and the smallest and largest node in it. Nodes between
 * these two may be elsewhere.
 */
struct hp_graph_span {
	uint64_t from, end; /* offsets in the dump */
	uint32_t least, most;
};

/* A number of objects and the sum of their shallow bytes. */
struct hp_graph_sum {
	uint64_t objects, bytes;
};

struct hp_graph {
	struct hp_graph_options o;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	struct hp_node_kinds kinds;
	struct hp_edges edges;
	/* roots, sorted by node; each node occurs once */
	struct hp_graph_root *roots;
	size_t nroots;
	/* local variables, sorted by thread serial number, frame and node */
	struct hp_graph_local *locals;
	size_t nlocals;
	/* weak references, sorted by the object that has the reference */
	struct hp_graph_weak *weak;
	size_t nweak;
	/*
	 * for each kind of objects: whether they are finalizer references,
	 * which keep an object alive until its finalizer has run. NULL: no kind
	 * is.
	 */
	bool *finalizers;
	/*
	 * ranges of nodes in the parts of the dump, sorted by offset; see
	 * spans.h
	 */
	struct hp_graph_span *spans;
	size_t nspans;
	/* bytes of lists that are already counted in memory.held */
	uint64_t charged;
	struct hp_graph_sum all;
	/*
	 * The references of some instances are unknown, because their class is
	 * unknown, or their size is not the one that the class says.
	 */
	bool unknown;
};

/**
 * hp_graph_build() - read the objects and references of a dump
 * @g:   zeroed
 * @src: must support rewinding; the function rewinds it
 *
 * It reads the dump twice, or once if the nodes are already known, and once
 * more if an id was dumped more than once. Arrays that do not fit in memory go
 * to temporary files. Ids, kinds, roots, locals and weak references must fit in
 * memory.
 * Memory: about 8 bytes for each object and 2 to 4 for each reference
 * Returns: HP_OK; HP_LIMIT: the memory limit is too small; HP_IO; HP_NOMEM; the
 *          results of hp_scan().
 * Ownership: call hp_graph_release() in any case.
 */
HP_MUST_USE enum hp_status hp_graph_build(struct hp_graph *g,
					  struct hp_source *src,
					  const struct hp_graph_options *o,
					  struct hp_error *err);
void hp_graph_release(struct hp_graph *g);

/*
 * Whether the reference belongs to a finalizer: an object that keeps its
 * referent alive until the referent's finalize() method has run.
 */
static inline bool
hp_graph_is_finalizer(const struct hp_graph *g, const struct hp_graph_weak *w)
{
	uint64_t references;

	return g->finalizers && w->to != HP_NO_NODE &&
	       g->finalizers[hp_edge_kind(&g->edges, w->from, &references)];
}

/* The first of the weak references that @node has; NULL if it has none. */
const struct hp_graph_weak *hp_graph_weak_of(const struct hp_graph *g,
					     uint32_t node);

#endif
