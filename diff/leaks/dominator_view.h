/*
 * dominator_view.h - what the HTML report draws of the object graph
 *
 * Boxes are the dominator tree, merged by names, of the first and the last dump
 * as one tree. Owners are classes with the bytes of their objects and of the
 * arrays that these keep: an array belongs to the nearest object above it in
 * the dominator tree that is none, so that a heap is not one box of byte[].
 */
#ifndef HP_DIFF_LEAKS_DOMINATOR_VIEW_H
#define HP_DIFF_LEAKS_DOMINATOR_VIEW_H

#include "diff/leaks/merged_tree.h"

/* What is kept between the first and the last dump. */
struct hp_dominator_view {
	struct hp_merged_tree trees[2]; /* of the first, of the last */
	uint32_t *classes[2]; /* by node, the row of its class in the names */
	struct hp_rows names;
	struct hp_rows owners; /* bytes in either */
	bool have[2];
	uint64_t noted; /* bytes, for the budget */
};

static inline void
hp_dominator_view_init(struct hp_dominator_view *v)
{
	*v = (struct hp_dominator_view){0};
	hp_rows_init(&v->names, 1);
	hp_rows_init(&v->owners, 2);
}

/**
 * hp_dominator_view_add() - take a dump's graph in
 * @v:    hp_dominator_view_init()
 * @last: it is the last dump, or the only one; else it is the first
 *
 * Memory:  as hp_merged_tree_build(), and 4 bytes a reachable object meanwhile
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. hp_dominator_view_release() in any
 *          case.
 */
HP_MUST_USE enum hp_status
hp_dominator_view_add(struct hp_dominator_view *v, struct hp_retained *t,
		      const struct hp_histogram *g,
		      const struct hp_diff_options *o, bool last,
		      struct hp_error *err);

/*
 * What is worth drawing, to the result: r->boxes and r->owners. Without the
 * last dump's graph, or if the first dump's is missing, nothing.
 * HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_dominator_view_finish(struct hp_dominator_view *v,
						    struct hp_result *r,
						    struct hp_error *err);

void hp_dominator_view_release(struct hp_dominator_view *v);

#endif
