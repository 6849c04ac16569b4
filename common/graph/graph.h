/*
 * graph.h - the object graph of a dump: nodes (objects), edges (references),
 * roots
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

/*
 * ----------------------------------------------------------------------
 * Find the fields that do not keep objects alive: the fields `referent` of weak
 * and similar references (java.lang.ref)
 */

enum hp_reachability {
	/*
	 * a soft reference keeps its referent alive; a weak, phantom or
	 * finalizer reference does not
	 */
	HP_REACHABILITY_SOFT,
	/*
	 * no reference object (java.lang.ref) keeps its referent alive, not
	 * even a soft reference
	 */
	HP_REACHABILITY_STRONG,
	/*
	 * every reference object (java.lang.ref) keeps its referent alive, even
	 * a weak reference
	 */
	HP_REACHABILITY_ALL,
};

/*
 * The positions of the fields `referent` that do not keep objects alive.
 * `from_end` is indexed by hp_class.index: the distance in bytes from the start
 * of the field to the end of the instance data. 0: the class has no such field.
 */
struct hp_unfollowed {
	uint32_t *from_end;
};

/**
 * hp_unfollowed_init() - find the classes whose objects do not keep their
 *                        referent alive
 * @c: the classes of the dump, after all of them were read
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: call hp_unfollowed_release(), even after
 * a failure. Source: the documentation of java.lang.ref; FinalizerReference of
 * ART
 */
HP_MUST_USE enum hp_status hp_unfollowed_init(struct hp_unfollowed *u,
					      const struct hp_classes *c,
					      const struct hp_tables *t,
					      enum hp_reachability reachability,
					      struct hp_error *err);
void hp_unfollowed_release(struct hp_unfollowed *u);

/*
 * Returns the class of finalizer references: java.lang.ref.FinalReference, or
 * FinalizerReference of ART. A finalizer reference keeps an object alive until
 * the finalizer of this object has run. NULL if the dump has no such class.
 */
const struct hp_class *hp_finalizer_class(const struct hp_classes *c,
					  const struct hp_tables *t);

/*
 * If instances of @c have a field `referent` that does not keep objects alive,
 * returns its offset in the data of an instance. Otherwise returns UINT64_MAX.
 */
static inline uint64_t
hp_unfollowed_at(const struct hp_unfollowed *u, const struct hp_class *c)
{
	uint32_t from_end = u->from_end[c->index];

	return from_end && from_end <= c->data_size ? c->data_size - from_end
						    : UINT64_MAX;
}

/*
 * ----------------------------------------------------------------------
 * A table of kinds. A kind stands for the properties that many objects have in
 * common, such as class and size
 *
 * A kind is a set of objects with equal class and shallow size, and, if the
 * caller asks for it, also equal allocation trace and Android heap. A dump with
 * many million objects has a few thousand kinds, so each object needs only 4
 * bytes for all these properties. The number of a kind depends on which thread
 * saw it first, so results must not depend on these numbers.
 */

enum hp_node_is {
	HP_NODE_NOTHING, /* only for kind 0 of the table, which no object has */
	HP_NODE_INSTANCE,
	HP_NODE_OBJECT_ARRAY,
	/* an array of primitives; class_id is the type code of its elements */
	HP_NODE_PRIMITIVE_ARRAY,
	HP_NODE_CLASS, /* a class object; class_id is its own object id */
};

/*
 * The properties that all objects of a kind have in common. The struct has no
 * padding, because kinds are hashed and compared as bytes.
 */
struct hp_node_kind {
	uint64_t class_id;
	uint64_t bytes; /* shallow size in bytes of each object of this kind */
	/*
	 * The stack trace of the allocation, and the Android heap, of all these
	 * objects. 0: objects with different traces or heaps may have the same
	 * kind.
	 */
	uint32_t trace, heap;
	/*
	 * The node of the class object, to which all objects of this kind
	 * refer. HP_NO_NODE: the class object is not in the dump.
	 */
	uint32_t class_node;
	/*
	 * enum hp_node_is: whether the objects of this kind are instances,
	 * arrays or class objects
	 */
	uint32_t of;
};

/*
 * Returns the class of the instances of a kind. NULL: the objects are not
 * instances, or the dump does not describe their class.
 */
static inline const struct hp_class *
hp_node_kind_class(const struct hp_node_kind *kind,
		   const struct hp_classes *classes)
{
	return kind->of == HP_NODE_INSTANCE
		       ? hp_classes_get(classes, kind->class_id)
		       : NULL;
}

struct hp_node_kinds {
	pthread_mutex_t lock;
	/* the kinds, indexed by the number of the kind; entry 0 is not used */
	struct hp_node_kind *list;
	/* number of kinds in the list, including the unused kind 0 */
	uint32_t count;
	size_t cap;
	struct hp_hash_table table;
};

/*
 * A cache with which one thread finds the numbers of kinds without locking the
 * table. Zero-initialise it.
 */
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
 * Returns the number of a kind. Adds the kind to the table if it is new.
 * Returns 0 if out of memory. Thread-safe.
 */
uint32_t hp_node_kinds_number(struct hp_node_kinds *k,
			      struct hp_node_kinds_near *near,
			      const struct hp_node_kind *kind);

/*
 * Returns how many bytes the table of kinds needs, with @more additional bytes
 * for each kind. If the hash table is more than half full, the larger hash
 * table that will replace it is also counted. Thread-safe.
 */
uint64_t hp_node_kinds_bytes(struct hp_node_kinds *k, uint64_t more);

/*
 * ----------------------------------------------------------------------
 * The objects of a dump, numbered
 *
 * A node is an instance, an array, or a class with a CLASS DUMP. The number of
 * a node is the rank of its id: its index in the sorted list of all ids
 * (common/object_ids/id_ranks.h). One pass over the dump, on all threads, finds
 * the nodes. A damaged dump may contain several objects with the same id; only
 * the first of them is a node. In this case, a second pass finds the offset of
 * the first object.
 */

/*
 * HP_NO_NODE stands for "no node". Node numbers are smaller than HP_NODES_MAX.
 */
#define HP_NO_NODE UINT32_MAX
#define HP_NODES_MAX (UINT32_MAX - 65535)

struct hp_node_worker;

/*
 * Results of an earlier pass over the dump, which are passed to
 * hp_nodes_take().
 */
struct hp_nodes_known {
	/* The ids of all objects of the dump, ready for queries. Borrowed. */
	struct hp_id_sets *sets;
	/* upper limit of the number of references in the dump */
	uint64_t references;
	/* the dump has roots for system classes (STICKY CLASS) */
	bool sticky;
};

struct hp_nodes {
	unsigned id_size, threads;
	unsigned shift; /* most object ids are multiples of 2^shift */
	/* serial number of the dump in the file, from 1 */
	unsigned dump;
	/*
	 * The position in the file where the heap of the dump begins. If it is
	 * zeroed, the position is not known.
	 */
	struct hp_start from;
	/*
	 * The ids of all objects, which this struct owns. NULL after
	 * hp_nodes_take(), because the ids are then borrowed.
	 */
	struct hp_id_sets *sets;
	struct hp_id_ranks ranks;
	uint32_t count;
	/*
	 * Indexed by node: 1 + the offset of the first object with the id of
	 * the node. The array exists only if some id of the dump belongs to
	 * several objects.
	 */
	struct hp_big_array first;
	/*
	 * Two maps from the serial number of a thread: one to the id of its
	 * thread object, one to the serial number of its stack trace. If the
	 * dump has several roots for a thread, the first one whose object is in
	 * the dump is used.
	 */
	struct hp_id_map threads_by_serial, traces_by_serial;
	/* the dump has roots for system classes (STICKY CLASS) */
	bool sticky;
	/* upper limit of the number of references in the dump */
	uint64_t references;
	struct hp_node_worker *workers;
};

/**
 * hp_nodes_begin() - begin to find the ids of all objects of a dump; the caller
 *                    scans the dump and passes the batches to hp_nodes_batch()
 * @n:      zeroed, but with id_size, threads, shift and dump set
 * @size:   size of the dump in bytes; UINT64_MAX: not known
 * @memory: maximum number of bytes that ids may use during the pass
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: call hp_nodes_release(), even after a
 * failure.
 */
HP_MUST_USE enum hp_status hp_nodes_begin(struct hp_nodes *n, uint64_t size,
					  uint64_t memory,
					  struct hp_error *err);

/*
 * Find the objects in a batch (a part of the dump that one thread handles).
 * Ignores batches of other dumps in the file. Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_nodes_batch(struct hp_nodes *n,
					  const struct hp_batch *b,
					  struct hp_error *err);

/**
 * hp_nodes_find() - number the objects of a dump
 * @n:     zeroed, but with id_size, threads, shift and dump set
 * @found: the result of a pass that began with hp_nodes_begin() and the same
 *         settings, or the numbers that hp_nodes_keep() has kept; the function
 *         takes ownership of @found. If @found is NULL or zeroed, or if the ids
 *         did not fit in its memory, the function reads the dump itself
 * @src:   must support rewinding; the function rewinds it
 *
 * Returns: HP_OK; HP_LIMIT: the memory is too small, or there are HP_NODES_MAX
 *          objects or more; HP_NOMEM; the results of hp_scan(). Ownership: call
 *          hp_nodes_release(), even after a failure.
 */
HP_MUST_USE enum hp_status
hp_nodes_find(struct hp_nodes *n, struct hp_nodes *found, struct hp_source *src,
	      struct hp_big_memory *m, struct hp_error *err);

/**
 * hp_nodes_take() - number the objects of a dump whose ids an earlier pass has
 *                   found
 * @n:   as for hp_nodes_find()
 * @src: the dump; must support rewinding. The function reads it only if several
 *       objects have the same id
 *
 * The earlier pass does not know which object belongs to which thread. So
 * objects to which the stack of a thread refers become roots, and not local
 * variables of the thread object.
 * Returns: as hp_nodes_find(). Ownership: call hp_nodes_release(), even after a
 * failure, and before the sets of @known are released.
 */
HP_MUST_USE enum hp_status hp_nodes_take(struct hp_nodes *n,
					 const struct hp_nodes_known *known,
					 struct hp_source *src,
					 struct hp_big_memory *m,
					 struct hp_error *err);

/*
 * Keep the numbers of the objects of a dump: move them from @n to @kept. Then
 * the next hp_nodes_find() of the same dump need not read the dump. Does
 * nothing if @kept already has numbers. Also does nothing if several objects of
 * the dump have the same id, because then the member `first` of @n is in memory
 * that belongs to @m.
 */
void hp_nodes_keep(struct hp_nodes *n, struct hp_nodes *kept,
		   struct hp_big_memory *m);

/*
 * Free everything. @m may be NULL if the nodes have not been numbered yet, or
 * if hp_nodes_keep() has moved them.
 */
void hp_nodes_release(struct hp_nodes *n, struct hp_big_memory *m);

/*
 * Convert the rank of an id (its index among the sorted ids of all objects) to
 * a node. HP_NO_RANK becomes HP_NO_NODE.
 */
static inline uint32_t
hp_node_of_rank(uint64_t rank)
{
	return rank < HP_NODES_MAX ? (uint32_t)rank : HP_NO_NODE;
}

/*
 * Returns the node of the object with the id @id. Returns HP_NO_NODE if no
 * object has this id. Several threads may call this function, each with a cache
 * @near of its own.
 */
static inline uint32_t
hp_node_of(const struct hp_nodes *n, struct hp_rank_near *near, uint64_t id)
{
	return id ? hp_node_of_rank(hp_id_rank(&n->ranks, near, id))
		  : HP_NO_NODE;
}

/*
 * Whether the sub-record at @offset is the first object in the dump with the id
 * of @node. Later objects with the same id are ignored.
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
 * How a path of references from a root to an object begins. If several paths
 * lead to an object, the program shows the path whose kind comes first in this
 * enum.
 */
enum hp_path_kind {
	HP_PATH_SYSTEM_CLASS,
	HP_PATH_STATIC,
	HP_PATH_THREAD,
	HP_PATH_JNI_GLOBAL,
	HP_PATH_OTHER,
	/*
	 * A local variable of a thread. A path of this or a later kind is shown
	 * only if no path of an earlier kind leads to the object.
	 */
	HP_PATH_LOCAL,
	/*
	 * HP_PATH_JNI_LOCAL: a JNI local. HP_PATH_STACK: another object on the
	 * stack of a thread. Both are used only if the object of the thread is
	 * not in the dump.
	 */
	HP_PATH_JNI_LOCAL,
	HP_PATH_STACK,
	HP_PATH_MONITOR,
	/* a static field of the program that starts the JVM */
	HP_PATH_LAUNCHER,
	/* constants that the JVM has resolved for the code of a class */
	HP_PATH_CONSTANTS,
	/*
	 * An interned string. A path of this or a later kind is shown only if
	 * no path of an earlier kind leads to the object.
	 */
	HP_PATH_INTERNED,
	HP_PATH_VM_INTERNAL,
	HP_PATH_FINALIZING,
	HP_PATH_DEBUGGER,
	HP_PATH_CLEANUP,
	HP_PATH_KINDS,
	/*
	 * Not the beginning of a path, but one of its later steps: a field of
	 * an object.
	 */
	HP_PATH_FIELD = HP_PATH_KINDS,
};

/*
 * Returns the kind of a path that begins at a root. @tag: the tag of the root's
 * sub-record. For an unknown tag, returns HP_PATH_CLEANUP.
 */
enum hp_path_kind hp_root_kind(uint8_t tag);

/* Returns the name of this kind of root in the output, such as "JNI global". */
const char *hp_root_words(uint8_t tag);

/*
 * Returns the position of a kind of root in the order of importance, a number
 * below 32. If several roots refer to an object, only the root with the
 * smallest position is used.
 */
unsigned hp_root_order(uint8_t tag);

/*
 * ----------------------------------------------------------------------
 * The object graph of a dump: nodes, edges, roots
 *
 * A node is an object, and an edge is a reference. Other code works on the
 * finished graph: tree.h computes dominators and retained sizes, depth.c
 * computes distances from the roots, and diff/paths finds paths from the roots.
 * The terms are those of Eclipse MAT and ahat.
 */

/*
 * Bits of the option `split_by`. HP_GRAPH_BY_HEAP: objects of different Android
 * heaps have different kinds. HP_GRAPH_BY_TRACE: objects with different
 * allocation traces have different kinds.
 */
enum { HP_GRAPH_BY_HEAP = 1, HP_GRAPH_BY_TRACE = 2 };

struct hp_graph_options {
	unsigned threads;
	unsigned dump;	/* serial number of the dump in the file, from 1 */
	unsigned shift; /* most object ids are multiples of 2^shift */
	/*
	 * HP_GRAPH_BY_ bits: the properties, besides class and size, that all
	 * objects of a kind have in common
	 */
	unsigned split_by;
	enum hp_reachability reachability;
	/*
	 * HotSpot or jhsdb wrote the dump, so it does not list the fields of
	 * java.lang.Class; see hidden_fields.h
	 */
	bool hidden_fields;
	struct hp_size_model layout;
	uint64_t memory; /* maximum memory of the graph in bytes */
	/* directory of temporary files; NULL: $TMPDIR or /tmp */
	const char *dir;
	/* The classes of the dump, after all of them were read. Borrowed. */
	struct hp_classes *classes;
	const struct hp_tables *tables;
	/*
	 * The position in the file where the heap of the dump begins. If it is
	 * zeroed, the position is not known.
	 */
	struct hp_start from;
	/*
	 * Results of an earlier pass over the dump, so that no other pass is
	 * needed to find the objects: `found` is passed to hp_nodes_find(),
	 * `known` to hp_nodes_take(). Either may be NULL.
	 */
	struct hp_nodes *found;
	const struct hp_nodes_known *known;
};

/*
 * A node that is a root. If several roots refer to a node, only the root with
 * the smallest hp_root_order() is kept.
 */
struct hp_graph_root {
	/*
	 * this must be the first member, because sorting and hp_list_find()
	 * compare the first member
	 */
	uint32_t node;
	/*
	 * serial number of the thread to which the root belongs; 0: it belongs
	 * to no thread
	 */
	uint32_t thread;
	uint8_t tag; /* tag of the root's sub-record */
};

/*
 * A local variable: a reference from the stack of a thread to an object. Only
 * used if the dump contains the object of the thread.
 */
struct hp_graph_local {
	/* node of the object of the thread (java.lang.Thread) */
	uint32_t thread;
	/* node of the object that the local variable refers to */
	uint32_t node;
	/* serial number of the thread on whose stack the local variable is */
	uint32_t serial;
	uint32_t frame; /* index of the stack frame; UINT32_MAX: not known */
	uint8_t tag;	/* tag of the root's sub-record */
};

/*
 * A weak reference, which does not keep its target alive: the field referent of
 * a java.lang.ref object.
 */
struct hp_graph_weak {
	/*
	 * The node `from` refers weakly to the node `to`. `from` must be the
	 * first member, because sorting and searches compare the first member.
	 */
	uint32_t from, to;
};

/*
 * A part of the dump (a span), with the smallest and the largest node of its
 * objects. Other parts may contain nodes between these two.
 */
struct hp_graph_span {
	/*
	 * The part of the dump begins at the offset `from`, and ends before the
	 * offset `end`.
	 */
	uint64_t from, end;
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
	/* all roots, sorted by node; each node occurs at most once */
	struct hp_graph_root *roots;
	size_t nroots;
	/* local variables, sorted by thread serial number, frame and node */
	struct hp_graph_local *locals;
	size_t nlocals;
	/* weak references, sorted by the object that has the reference */
	struct hp_graph_weak *weak;
	size_t nweak;
	/*
	 * Indexed by kind: whether the objects of this kind are finalizer
	 * references. A finalizer reference keeps an object alive until the
	 * finalizer of this object has run. NULL: there is no such kind.
	 */
	bool *finalizers;
	/*
	 * Parts of the dump with the smallest and the largest node in each,
	 * sorted by offset; see spans.h.
	 */
	struct hp_graph_span *spans;
	size_t nspans;
	/*
	 * The part of `memory.held` (the memory of the whole graph, in bytes)
	 * that the lists `roots`, `locals`, `weak` and `spans` use.
	 */
	uint64_t charged;
	struct hp_graph_sum all;
	/*
	 * The references of some instances are unknown, because their class is
	 * not in the dump, or describes another length.
	 */
	bool unknown;
};

/* Returns the kind (class and size) of the object @node of the graph. */
static inline const struct hp_node_kind *
hp_graph_kind(const struct hp_graph *g, uint32_t node)
{
	uint64_t references;

	return &g->kinds.list[hp_edge_kind(&g->edges, node, &references)];
}

/**
 * hp_graph_build() - read the objects and references of a dump
 * @g:   zeroed
 * @src: must support rewinding; the function rewinds it
 *
 * The function reads the dump twice, or once if the nodes are already known. If
 * several objects have the same id, it reads the dump once more. Arrays that do
 * not fit in memory are stored in temporary files. Ids, kinds, roots, locals
 * and weak references must fit in memory. Memory: about 8 bytes for each
 * object, and 2 to 4 bytes for each reference
 * Returns: HP_OK; HP_LIMIT: the memory limit is too small; HP_IO; HP_NOMEM; the
 *          results of hp_scan(). Ownership: call hp_graph_release(), even after
 *          a failure.
 */
HP_MUST_USE enum hp_status hp_graph_build(struct hp_graph *g,
					  struct hp_source *src,
					  const struct hp_graph_options *o,
					  struct hp_error *err);
void hp_graph_release(struct hp_graph *g);

/*
 * Whether the weak reference @w belongs to a finalizer reference. A finalizer
 * reference keeps its referent alive until the referent's finalize() method has
 * run.
 */
static inline bool
hp_graph_is_finalizer(const struct hp_graph *g, const struct hp_graph_weak *w)
{
	uint64_t references;

	return g->finalizers && w->to != HP_NO_NODE &&
	       g->finalizers[hp_edge_kind(&g->edges, w->from, &references)];
}

/*
 * Returns the first weak reference whose member `from` is @node. Further such
 * references follow it in the list. Returns NULL if there is none.
 */
const struct hp_graph_weak *hp_graph_weak_of(const struct hp_graph *g,
					     uint32_t node);

#endif
