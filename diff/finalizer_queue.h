/*
 * finalizer_queue.h - objects that wait for their finalizer, and who keeps them
 *
 * The VM lists an object with a finalizer in a java.lang.ref.Finalizer from the
 * start. The reference from there is not followed, since it must not keep the
 * object alive while the program uses it. Once nothing else reaches the object,
 * the list does keep it, until its finalizer has run: if that is stuck, the
 * list is where memory goes.
 */
#ifndef HP_DIFF_FINALIZER_QUEUE_H
#define HP_DIFF_FINALIZER_QUEUE_H

#include "common/graph/tree.h"
#include "diff/budget.h"

/* A place in the tree of what waits, below its roots, and the finalizer. */
struct hp_queued {
	uint32_t finalizer; /* its place in the main tree */
	uint32_t waiting;
};

/* A zeroed one is empty. */
struct hp_finalizer_queue {
	struct hp_tree tree;	/* hp_tree_build_waiting() */
	struct hp_queued *list; /* by place of the finalizer */
	/* of all before each, and of all */
	struct hp_graph_sum *before;
	size_t count;
	struct hp_budget *budget;
	uint64_t noted;
};

/**
 * hp_finalizer_queue_build() - find what waits, and for each the finalizer
 * @q: zeroed
 * @t: the graph's tree; the graph's references were kept
 *
 * An object that several finalizers lead to counts as the first one's in the
 * tree: of a list that is the head, which retains the others.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: hp_finalizer_queue_release() in any case, before the graph is
 *            released.
 */
HP_MUST_USE enum hp_status
hp_finalizer_queue_build(struct hp_finalizer_queue *q, struct hp_graph *g,
			 const struct hp_tree *t, struct hp_budget *budget,
			 struct hp_error *err);
void hp_finalizer_queue_release(struct hp_finalizer_queue *q);

/* The first of the list whose finalizer is at @place or after it. */
size_t hp_finalizer_queue_from(const struct hp_finalizer_queue *q,
			       uint32_t place);

/* What the finalizers at the places from @place to before @end keep. */
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
