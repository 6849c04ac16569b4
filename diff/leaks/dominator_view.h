/*
 * dominator_view.h - the data of the dominator pictures in the HTML report
 *
 * Boxes: the dominator trees of the first and the last dump, each merged by
 * name, are joined to one tree of boxes. Owners: the bytes of every class, with
 * the arrays that its objects dominate. An array counts for its nearest
 * dominator that is not an array. Otherwise most of the heap would be one box
 * "byte[]".
 */
#ifndef HP_DIFF_LEAKS_DOMINATOR_VIEW_H
#define HP_DIFF_LEAKS_DOMINATOR_VIEW_H

#include "diff/leaks/merged_tree.h"

/* The state that is kept between reading the first and the last dump. */
struct hp_dominator_view {
	/* index 0: the first dump, 1: the last */
	struct hp_merged_tree trees[2];
	/* for each node, the row in names of its class */
	uint32_t *classes[2];
	struct hp_rows names;
	/* bytes by class, in the first and in the last dump */
	struct hp_rows owners;
	bool have[2];
	uint64_t noted; /* bytes charged to the memory budget */
};

static inline void
hp_dominator_view_init(struct hp_dominator_view *v)
{
	*v = (struct hp_dominator_view){0};
	hp_rows_init(&v->names, 1);
	hp_rows_init(&v->owners, 2);
}

/**
 * hp_dominator_view_add() - add the object graph of a dump
 * @v: initialized by hp_dominator_view_init()
 * @last: true for the last or only dump, false for the first
 *
 * Memory: as hp_merged_tree_build(), and temporarily 4 bytes a reachable object
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Call hp_dominator_view_release()
 *          after a failure also.
 */
HP_MUST_USE enum hp_status
hp_dominator_view_add(struct hp_dominator_view *v, struct hp_retained *t,
		      const struct hp_histogram *g,
		      const struct hp_diff_options *o, bool last,
		      struct hp_error *err);

/*
 * Store the boxes and owners that are large enough to draw in r->boxes and
 * r->owners. Stores nothing if the graph of the first or the last dump is
 * missing. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_dominator_view_finish(struct hp_dominator_view *v,
						    struct hp_result *r,
						    struct hp_error *err);

void hp_dominator_view_release(struct hp_dominator_view *v);

#endif
