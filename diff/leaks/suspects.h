/*
 * suspects.h - what probably leaks: where in the heap growth accumulates
 *
 * Of two dumps and more a suspect is a part of the last dump's dominator tree
 * that grew by at least 2 % of the first dump's reachable bytes; of one dump a
 * part that has at least 10 % of it. From the roots down one goes on as long as
 * what grew is kept by one object, or by a few that each are suspects of their
 * own: where it is spread over many is the accumulation point.
 *
 * Source: Eclipse MAT's leak hunter (accumulation points)
 */
#ifndef HP_DIFF_LEAKS_SUSPECTS_H
#define HP_DIFF_LEAKS_SUSPECTS_H

#include "diff/leaks/merged_tree.h"
#include "diff/paths/path_walk.h"

/* What is kept between the first and the last dump. */
struct hp_suspect_search {
	struct hp_merged_tree first;
	uint32_t *classes; /* by node of @first: its class, of the names */
	struct hp_rows names;
	bool have_first;
};

/**
 * hp_suspects_first() - note what the first dump's objects keep
 * @s: its names are initialized; have_first only on HP_OK
 *
 * Returns: as hp_merged_tree_build(). hp_suspects_release() in any case.
 */
HP_MUST_USE enum hp_status hp_suspects_first(struct hp_suspect_search *s,
					     struct hp_retained *t,
					     const struct hp_histogram *g,
					     const struct hp_diff_options *o,
					     struct hp_error *err);

/**
 * hp_suspects_find() - find the suspects in the last dump, or the only one
 * @s:   names are initialized, whether there was a first dump or not
 * @walk: the dump's paths, in @tree; NULL: they are found if they are needed
 * @src: is rewound and read again for paths, if there are any suspects
 * @r:   gets them, see struct hp_suspect
 *
 * Returns: as hp_merged_tree_build(), and what hp_scan() returns.
 */
HP_MUST_USE enum hp_status
hp_suspects_find(struct hp_suspect_search *s, struct hp_retained *t,
		 const struct hp_path_walk *walk,
		 const struct hp_path_tree *tree, const struct hp_histogram *g,
		 struct hp_source *src, struct hp_result *r,
		 struct hp_error *err);

void hp_suspects_release(struct hp_suspect_search *s);

#endif
