/*
 * why_tree.h - the tree of merged paths to the wanted objects; why.c builds it
 */
#ifndef HP_DIFF_LEAKS_WHY_TREE_H
#define HP_DIFF_LEAKS_WHY_TREE_H

#include "common/base/arena.h"

struct hp_why_node {
	uint32_t step; /* step in the path tree */
	/* indexes of nodes; 0: none, or the root */
	uint32_t parent, child, sibling;
	uint32_t depth; /* 1: a child of the root */
	bool grew;	/* the last dump has objects here that are new */
	/*
	 * objects that the last dump has here and that the first dump probably
	 * had on another path, see match_moves.c
	 */
	uint64_t moved;
	/*
	 * where most of the moved objects were before, as a path from the root;
	 * NULL: none of this step's own objects moved
	 */
	const char *moved_from;
	bool has_some; /* some wanted objects are at this step itself */
	/* this step is a static field of its parent, which is a class */
	bool is_static;
	/* the text that this step appends to the path of its parent */
	const char *text;
	/*
	 * wanted objects at this step and below, and their bytes, for each dump
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
	uint64_t noted; /* bytes charged to the memory budget */
};

void hp_why_release(struct hp_why *w);

#endif
