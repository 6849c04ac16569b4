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

/* A place where a class has more or fewer objects than before. */
struct hp_move {
	uint32_t class_name; /* row of the tree's names */
	uint32_t step;	     /* of the tree: where the change is */
	int64_t change;	     /* objects, last dump minus first; not 0 */
	/* results */
	uint64_t moved;	      /* objects of the change that a move explains */
	uint32_t other;	      /* index of the move that explains most of them */
	uint64_t other_moved; /* that many; 0: no other is set */
	/* the caller's own */
	struct hp_row *owner;
	int64_t lowest;
};

/**
 * hp_moves_match() - match losses with gains, class by class
 * @list: is sorted; results are set
 *
 * First, a loss and a gain of the same number are matched: a list of 1,800
 * objects that left one path is the list of 1,800 that appeared on another.
 * Then the largest remaining loss is matched with the largest remaining gain,
 * and so on, until no loss or no gain is left. What is left of a gain is new.
 * The result depends on names and numbers only, not on the order of steps.
 *
 * Time: that of sorting.
 */
void hp_moves_match(const struct hp_path_tree *t, struct hp_move *list,
		    size_t n);

#endif
