/*
 * why_tree.h - the tree that --why shows: the merged paths to the objects that
 * --why asks for; why.c builds it
 */
#ifndef HP_DIFF_LEAKS_WHY_TREE_H
#define HP_DIFF_LEAKS_WHY_TREE_H

#include "common/base/arena.h"

struct hp_why_node {
	/*
	 * this node was made from a step of the path tree (hp_path_tree.list):
	 * the number of this step
	 */
	uint32_t step;
	/*
	 * indexes of other nodes: parent, first child, next sibling; 0: there
	 * is no such node, or (for the parent) it is the root
	 */
	uint32_t parent, child, sibling;
	/* number of steps from the root; 1: a child of the root */
	uint32_t depth;
	/*
	 * the last dump has new objects whose paths end at this step or at a
	 * step below it
	 */
	bool grew;
	/*
	 * number of objects at the end of this path in the last dump that were
	 * probably on another path in the first dump; match_moves.c finds them
	 */
	uint64_t moved;
	/*
	 * the path of the first dump from which most of the moved objects came;
	 * NULL: no objects have moved
	 */
	const char *moved_from;
	/*
	 * at least one object that --why asks for has a path that ends at this
	 * step
	 */
	bool has_some;
	/*
	 * this step is a static field of a class, and the parent is this class
	 */
	bool is_static;
	/*
	 * the text that this step appends to the path of its parent, for
	 * example ".next"
	 */
	const char *text;
	/*
	 * what the only object of the last dump at the end of this path is, for
	 * example "list of 1,500 CartItem"; NULL: there are several objects, or
	 * the object is no container
	 */
	const char *label;
	/*
	 * for each dump: the number and bytes of the objects that --why asks
	 * for and whose paths end at this step or go through it
	 */
	uint64_t *count, *bytes;
};

/* The tree of paths that --why shows. A zeroed struct is empty. */
struct hp_why {
	/*
	 * the nodes from index 1 on, depth first, in the order of the output;
	 * node 0 is the root and counts all objects that --why asks for
	 */
	struct hp_why_node *list;
	/* number of nodes, including node 0; 0: the tree was not built */
	uint32_t count;
	size_t dumps;
	uint64_t *numbers;
	struct hp_arena arena;
};

void hp_why_release(struct hp_why *w);

#endif
