/*
 * why_tree.h - the tree of --why: merged paths to the chosen objects; why.c
 * builds it
 */
#ifndef HP_DIFF_LEAKS_WHY_TREE_H
#define HP_DIFF_LEAKS_WHY_TREE_H

#include "common/base/arena.h"

struct hp_why_node {
	uint32_t step; /* number of the step in the tree of merged paths */
	/* indexes of other nodes; 0: there is none, or it is the root */
	uint32_t parent, child, sibling;
	/* number of steps from the root; 1: a child of the root */
	uint32_t depth;
	bool grew; /* the last dump has objects here that are new */
	/*
	 * objects that the last dump has here and that the first dump probably
	 * had on another path, see match_moves.c
	 */
	uint64_t moved;
	/*
	 * the path on which most of the moved objects were in the first dump;
	 * NULL: no object at the end of this step has moved
	 */
	const char *moved_from;
	/* some of the chosen objects are at the end of this step itself */
	bool has_some;
	/* this step is a static field of its parent, which is a class */
	bool is_static;
	/* the text that this step appends to the path of its parent */
	const char *text;
	/*
	 * for each dump: number of chosen objects at this step and after it,
	 * and their bytes
	 */
	uint64_t *count, *bytes;
};

/* The tree of --why. A zeroed struct is empty. */
struct hp_why {
	/*
	 * nodes from 1, depth first, in the order of the output; node 0 is the
	 * root and counts all wanted objects
	 */
	struct hp_why_node *list;
	/* number of nodes with node 0; 0: the tree was not built */
	uint32_t count;
	size_t dumps;
	uint64_t *numbers;
	struct hp_arena arena;
};

void hp_why_release(struct hp_why *w);

#endif
