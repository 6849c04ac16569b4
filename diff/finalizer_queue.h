/*
 * finalizer_queue.h - find objects that wait for their finalizer, and the
 * finalizer that keeps each alive
 *
 * The VM creates a java.lang.ref.Finalizer for each object with a finalizer.
 * Its reference to the object is not followed, because it does not keep the
 * object alive while the program uses it. If nothing else refers to the object,
 * the Finalizer does keep it alive until the finalizer has run. If the
 * finalizer thread is stuck, memory accumulates in this queue.
 */
#ifndef HP_DIFF_FINALIZER_QUEUE_H
#define HP_DIFF_FINALIZER_QUEUE_H

#include "common/graph/tree.h"
#include "diff/budget.h"

/*
 * The place of a waiting object in the tree of waiting objects, directly below
 * its root, and the place of its finalizer.
 */
struct hp_queued {
	uint32_t finalizer; /* place in the main dominator tree */
	uint32_t waiting;
};

/* The queue of finalizers. A zeroed struct is empty. */
struct hp_finalizer_queue {
	/* the tree of waiting objects, by hp_tree_build_waiting() */
	struct hp_tree tree;
	struct hp_queued *list; /* sorted by the place of the finalizer */
	/* prefix sums: the sum of all entries before each, and of all */
	struct hp_graph_sum *before;
	size_t count;
	struct hp_budget *budget;
	uint64_t noted;
};

/**
 * hp_finalizer_queue_build() - find the waiting objects and their finalizers
 * @q: zeroed
 * @t: the dominator tree of @g; the references of @g must have been kept
 *
 * If several finalizers lead to an object, it counts for the first of them in
 * the tree. For a list, this is the head, which retains the others.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_finalizer_queue_release() after a failure also, before the
 * graph is released.
 */
HP_MUST_USE enum hp_status
hp_finalizer_queue_build(struct hp_finalizer_queue *q, struct hp_graph *g,
			 const struct hp_tree *t, struct hp_budget *budget,
			 struct hp_error *err);
void hp_finalizer_queue_release(struct hp_finalizer_queue *q);

/* The index of the first entry whose finalizer is at @place or after it. */
size_t hp_finalizer_queue_from(const struct hp_finalizer_queue *q,
			       uint32_t place);

/* The sum of what the finalizers at places in [@place, @end) keep alive. */
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

#endif
