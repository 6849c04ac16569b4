/*
 * retained.h - retained sizes, and objects that wait for a finalizer
 */
#ifndef HP_DIFF_RETAINED_H
#define HP_DIFF_RETAINED_H

#include "common/graph/tree.h"
#include "common/model/java_string.h"
#include "diff/count/histogram.h"
#include "diff/result/result.h"

/* ----------------------------------------------------------------------
 * Find objects that wait for their finalizer, and the finalizer that keeps each
 * alive
 *
 * The VM creates a java.lang.ref.Finalizer for each object with a finalizer.
 * The object graph leaves out the reference from the Finalizer to the object,
 * because it does not keep the object alive while the program uses the object.
 * If nothing else refers to the object, the Finalizer does keep it alive until
 * the finalizer has run. If the finalizer thread is stuck, more and more
 * objects wait; these objects are called the queue.
 */

/*
 * An object that waits for its finalizer, and this finalizer. `waiting` is the
 * index of the object in the dominator tree of waiting objects, where it is a
 * child of the root.
 */
struct hp_queued {
	/*
	 * index of the finalizer in the dominator tree of the reachable objects
	 */
	uint32_t finalizer;
	uint32_t waiting;
};

/* All objects that wait for their finalizer. A zeroed struct is empty. */
struct hp_finalizer_queue {
	/*
	 * the dominator tree of all objects that only finalizers keep alive,
	 * see hp_tree_build_waiting()
	 */
	struct hp_tree tree;
	/*
	 * the objects that wait for a finalizer, sorted by the index of the
	 * finalizer in the dominator tree
	 */
	struct hp_queued *list;
	/*
	 * Prefix sums: before[i] is the number and bytes of the objects that
	 * list[0] to list[i - 1] retain together. before[count] is the sum for
	 * the whole list.
	 */
	struct hp_graph_sum *before;
	size_t count;
};

/**
 * hp_finalizer_queue_build() - find the objects that wait for their finalizers,
 * and these finalizers
 *
 * @q: zeroed by the caller
 * @t: the dominator tree of @g; the references of @g must have been kept
 *
 * If several finalizers lead to an object, the object is listed for the first
 * of them in the dominator tree. If the finalizers form a linked list, this is
 * the head of the list, which retains the other finalizers.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_finalizer_queue_release(), also after a failure, before
 * the graph is released.
 */
HP_MUST_USE enum hp_status
hp_finalizer_queue_build(struct hp_finalizer_queue *q, struct hp_graph *g,
			 const struct hp_tree *t, struct hp_error *err);
void hp_finalizer_queue_release(struct hp_finalizer_queue *q);

/*
 * q->list is sorted by the indexes of the finalizers in the dominator tree.
 * Returns the index in q->list of the first entry whose finalizer has an index
 * of at least @place.
 */
size_t hp_finalizer_queue_from(const struct hp_finalizer_queue *q,
			       uint32_t place);

/*
 * Returns the number and bytes of the objects that are kept alive only by
 * finalizers whose indexes in the dominator tree are in [@place, @end).
 */
static inline struct hp_graph_sum
hp_finalizer_queue_sum(const struct hp_finalizer_queue *q, uint32_t place,
		       uint32_t end)
{
	struct hp_graph_sum sum = {0};
	size_t first, last;

	if (q->count == 0 || q->list[0].finalizer >= end ||
	    q->list[q->count - 1].finalizer < place)
		return sum;
	first = hp_finalizer_queue_from(q, place);
	last = hp_finalizer_queue_from(q, end);
	sum.objects = q->before[last].objects - q->before[first].objects;
	sum.bytes = q->before[last].bytes - q->before[first].bytes;
	return sum;
}

/* ----------------------------------------------------------------------
 * Reference fields of instances, in the object graph
 */

/* The position of a field in the instances of one class. */
struct hp_graph_field {
	/*
	 * index of the field among the reference fields of the class;
	 * UINT32_MAX: the class has no such field
	 */
	uint32_t index;
};

/*
 * Find the field @name in the instances of the class @c. The class @top (@c or
 * one of its superclasses) declares the field. If @name is NULL, the result has
 * the index UINT32_MAX.
 */
struct hp_graph_field hp_graph_field_find(const struct hp_histogram *g,
					  const struct hp_class *c,
					  const struct hp_class *top,
					  const char *name);

/*
 * Find the field at a place of the instances of the class @c. If @c has no
 * reference field there, the result has the index UINT32_MAX.
 */
struct hp_graph_field hp_graph_field_at(const struct hp_class *c,
					const struct hp_field_place *place);

/*
 * Find the object to which a field of the instance @node refers. Returns the
 * number of the object in the graph; HP_NO_NODE: the field is null. The graph
 * must still have its references.
 */
uint32_t hp_graph_field_follow(const struct hp_graph *g, uint32_t node,
			       struct hp_graph_field field);

/* ----------------------------------------------------------------------
 * Objects that own memory outside the heap (native memory), such as direct
 * buffers
 *
 * An object that retains the owner also retains this memory, because the memory
 * is freed when the owner is freed.
 */

/* The reachable owners of native memory. A zeroed struct is empty. */
struct hp_native_owners {
	/* the owners: their indexes in the dominator tree, sorted */
	uint32_t *places;
	/*
	 * prefix sums: before[i] is the number of native bytes that owners 0 to
	 * i - 1 own together; before[count] is that of all owners
	 */
	uint64_t *before;
	size_t count;
};

struct hp_retained;

/**
 * hp_native_owners_find() - find t->native, the owners of native memory
 *
 * @t: the graph must still have its references; t->native is zeroed
 * @src: the dump; parts of it are read again
 *
 * Objects that only wait for a finalizer or cleaner are not listed.
 *
 * Memory: about 100 bytes for each owner; temporarily 8 bytes for each direct
 * buffer (on Android: for each cleaner, thunk and registry)
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 * Ownership: hp_retained_release() releases t->native.
 */
HP_MUST_USE enum hp_status hp_native_owners_find(struct hp_retained *t,
						 struct hp_histogram *g,
						 struct hp_source *src,
						 struct hp_error *err);
void hp_native_owners_release(struct hp_native_owners *n);

/*
 * Returns the number of native bytes of all owners whose indexes in the
 * dominator tree are in [@place, @end).
 */
uint64_t hp_native_owners_sum(const struct hp_native_owners *n, uint32_t place,
			      uint32_t end);

/* ----------------------------------------------------------------------
 * The object graph and the dominator tree of a counted dump
 */

struct hp_retained {
	struct hp_graph graph;
	struct hp_tree tree;
	/*
	 * NULL, or a function that is called when all references have been
	 * read, before the dominator tree is built; it updates the progress
	 * line
	 */
	void (*built)(void *context);
	void *context;
	/*
	 * for each kind of object (class and size): the smallest number of
	 * references on a path from a root to one of its objects; 0: they are
	 * unreachable. NULL: no option needs this.
	 */
	uint32_t *depth_of;
	/*
	 * the objects that wait for a finalizer; empty if the references of the
	 * graph were not kept
	 */
	struct hp_finalizer_queue queue;
	/* the owners of native memory; empty if they were not searched for */
	struct hp_native_owners native;
};

/*
 * Returns the kind (class and size) of the object with index @place in the
 * dominator tree.
 */
static inline const struct hp_node_kind *
hp_retained_kind(const struct hp_retained *t, uint32_t place)
{
	return &t->graph.kinds.list[hp_tree_kind(&t->tree, place)];
}

/*
 * Returns the number and bytes of the objects that the object with index @place
 * in the dominator tree retains. If it retains finalizers, the objects that
 * wait for these finalizers are included.
 */
static inline struct hp_graph_sum
hp_retained_sum(const struct hp_retained *t, uint32_t place)
{
	uint32_t end = hp_tree_end(&t->tree, place);
	struct hp_graph_sum sum = hp_finalizer_queue_sum(&t->queue, place, end);

	sum.objects += end - place;
	sum.bytes += hp_tree_bytes(&t->tree, place);
	return sum;
}

/*
 * Returns the number of native bytes that are freed together with the object
 * with index @place in the dominator tree: those that it owns, and those that
 * its retained objects own.
 */
static inline uint64_t
hp_retained_native(const struct hp_retained *t, uint32_t place)
{
	return t->native.count == 0
		       ? 0
		       : hp_native_owners_sum(&t->native, place,
					      hp_tree_end(&t->tree, place));
}

/*
 * Find the ids of @n objects. @places: their indexes in the dominator tree.
 * @ids receives the ids, in the same order. Returns HP_OK or HP_NOMEM.
 *
 * Time: n log n, and reading all ids if some are in the hash set of ids
 */
HP_MUST_USE enum hp_status hp_retained_ids(const struct hp_retained *t,
					   const uint32_t *places, size_t n,
					   uint64_t *ids, struct hp_error *err);

/**
 * hp_retained_read() - build the object graph and the dominator tree of a
 * counted dump
 *
 * @src: the dump; must be rewindable, and is read from its first byte
 * @paths: if true, keep the references of the graph, for hp_path_walk_run()
 * @queue: if true, also find the objects that wait for a finalizer (t->queue)
 * @info: the caller sets the layout; receives reachable, weak and unreachable
 *
 * Arrays that do not fit in --memory are stored in temporary files, see
 * t->graph.memory.file_peak.
 *
 * Returns: HP_OK; HP_LIMIT if not even the object ids fit; HP_IO if the disk is
 * full; HP_NOMEM.
 * Ownership: call hp_retained_release(), also after a failure.
 */
HP_MUST_USE enum hp_status
hp_retained_read(struct hp_retained *t, struct hp_histogram *g,
		 struct hp_source *src, const struct hp_diff_options *o,
		 bool paths, bool queue, struct hp_dump_info *info,
		 struct hp_error *err);
void hp_retained_release(struct hp_retained *t);

/*
 * Set the limit of memory for further arrays of the graph: three quarters of
 * the memory that is still free under --memory. Arrays above this limit are
 * stored in temporary files. Arrays of the tree are moved to files, if this is
 * necessary, so that an array of @bytes bytes fits, which is accessed at
 * random.
 */
void hp_retained_limit_arrays(struct hp_retained *t, uint64_t bytes);

/*
 * A search that follows references, or goes up and down in the dominator tree,
 * calls these functions at its start and end. References that are in files are
 * moved to memory: to what is left of the limit, and to the memory of arrays of
 * the tree, and then of the array @spare, which go to files instead; and the
 * kernel reads only the needed pages of files (see hp_big_array_expect()). No
 * other thread may use the graph while the first function runs.
 *
 * @spare: an array that the search reads only at a few places; NULL: none
 */
void hp_retained_search_begin(struct hp_retained *t,
			      struct hp_big_array *spare);
void hp_retained_search_end(struct hp_retained *t);

#endif
