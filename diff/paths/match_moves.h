/*
 * match_moves.h - which growth is only a move from another path
 *
 * Objects of two dumps have no common identity, so a move is inferred from
 * numbers: an object moved if its class lost objects on one path and gained
 * them on another.
 */
#ifndef HP_DIFF_PATHS_MATCH_MOVES_H
#define HP_DIFF_PATHS_MATCH_MOVES_H

#include "diff/paths/path_tree.h"

/* One path where a class has more or fewer objects than in the first dump. */
struct hp_move {
	uint32_t class_name; /* row in the names of the path tree */
	uint32_t step;	     /* step of the path tree that changed */
	int64_t change;	     /* objects, last dump minus first; not 0 */
	/* set by hp_moves_match() */
	uint64_t moved; /* objects of the change that a move explains */
	/* index of the entry on the other side that explains most of them */
	uint32_t other;
	/* objects matched with other; 0: other is not set */
	uint64_t other_moved;
	/* for the caller; hp_moves_match() does not use them */
	struct hp_row *owner;
	int64_t lowest;
};

/**
 * hp_moves_match() - match losses with gains, class by class
 * @list: is sorted; receives the results
 *
 * First, a loss and a gain of the same number are matched. For example, 1,800
 * objects that left one path are assumed to be the 1,800 objects that appeared
 * on another path. Then the largest remaining loss is matched with the largest
 * remaining gain, until no loss or no gain is left. The unmatched part of a
 * gain is new. The result depends on names and numbers only, not on the order
 * of steps.
 *
 * Time: O(n log n), for sorting
 */
void hp_moves_match(const struct hp_path_tree *t, struct hp_move *list,
		    size_t n);

#endif
