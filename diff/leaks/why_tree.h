/*
 * why_tree.h - paths to some objects, merged to a tree; why.h makes it
 */
#ifndef HP_DIFF_LEAKS_WHY_TREE_H
#define HP_DIFF_LEAKS_WHY_TREE_H

#include "common/base/arena.h"

struct hp_why_node {
	uint32_t step;			 /* of the tree of paths */
	uint32_t parent, child, sibling; /* 0: none, or the roots */
	uint32_t depth;			 /* 1: directly below the roots */
	bool grew; /* the last dump has objects that are new here */
	/* more objects than before that were on another path then */
	uint64_t moved;
	/* the path, from the root, that most of the step's own left; NULL:
	   none of its own moved */
	const char *moved_from;
	bool has_some;	  /* objects that were asked about are at this step */
	bool is_static;	  /* a static field of the parent, with its class */
	const char *text; /* what the step adds to its parent's text */
	/* objects at this step and below, by dump, and their bytes */
	uint64_t *count, *bytes;
};

/* A zeroed one is empty. */
struct hp_why {
	struct hp_why_node *list; /* from 1: depth first, as it is shown; node 0
				     is the roots: all objects */
	uint32_t count;		  /* with 0; 0: not made */
	size_t dumps;
	uint64_t *numbers;
	struct hp_arena arena;
	uint64_t noted; /* bytes, for the budget */
};

void hp_why_release(struct hp_why *w);

#endif
