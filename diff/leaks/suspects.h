/*
 * suspects.h - find leak suspects: the objects in which the heap's growth
 * accumulates
 *
 * With two or more dumps, a suspect is a subtree of the last dump's dominator
 * tree that grew by at least 2 % of the first dump's reachable bytes. With one
 * dump, it is a subtree that has at least 10 % of the reachable bytes.
 *
 * The search starts at the roots and descends while one child has most of the
 * growth, or while a few children are suspects of their own. It stops where the
 * growth is spread over many objects: the accumulation point.
 *
 * Source: Eclipse MAT's leak hunter (accumulation points)
 */
#ifndef HP_DIFF_LEAKS_SUSPECTS_H
#define HP_DIFF_LEAKS_SUSPECTS_H

#include "diff/leaks/merged_tree.h"
#include "diff/paths/path_walk.h"

/* The state that is kept between reading the first and the last dump. */
struct hp_suspect_search {
	struct hp_merged_tree first;
	/* for each node of @first, the row of its class in names */
	uint32_t *classes;
	struct hp_rows names;
	bool have_first;
};

/**
 * hp_suspects_first() - remember the merged dominator tree of the first dump
 * @s: its names are initialized; have_first is set on HP_OK only
 *
 * Returns: as hp_merged_tree_build(). Call hp_suspects_release() after a
 *          failure also.
 */
HP_MUST_USE enum hp_status hp_suspects_first(struct hp_suspect_search *s,
					     struct hp_retained *t,
					     const struct hp_histogram *g,
					     const struct hp_diff_options *o,
					     struct hp_error *err);

/**
 * hp_suspects_find() - find the suspects in the last or only dump
 * @s: its names are initialized, even without a first dump
 * @walk: the paths of the dump in @tree; NULL: walk the dump if there are
 *   suspects
 * @src: rewound and read again for the paths, if there are suspects
 * @r: receives the suspects, see struct hp_suspect
 *
 * Returns: as hp_merged_tree_build(), and the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_suspects_find(struct hp_suspect_search *s, struct hp_retained *t,
		 const struct hp_path_walk *walk,
		 const struct hp_path_tree *tree, const struct hp_histogram *g,
		 struct hp_source *src, struct hp_result *r,
		 struct hp_error *err);

void hp_suspects_release(struct hp_suspect_search *s);

#endif
