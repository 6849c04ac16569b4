/*
 * path_level.h - the objects of one level of the search for paths
 *
 * A level has two lists. The queue lists the objects that have their step, in
 * the order in which their references are followed. The candidates are objects
 * that wait for their step, each with the best reference to it so far.
 *
 * An object's word in the array of steps is 0, its step, or the index of its
 * candidate, so no other array by node is needed. The lists of a level are read
 * and written mostly in order, whereas arrays by node are accessed at random.
 */
#ifndef HP_DIFF_PATHS_PATH_LEVEL_H
#define HP_DIFF_PATHS_PATH_LEVEL_H

#include "common/graph/big_array.h"
#include "diff/paths/path_tree.h"

/* A flag of a step: the object is an internal part of a collection. */
#define HP_PATH_INSIDE (UINT32_C(1) << 31)

/*
 * In the array of steps, a word with this bit is not a step. The object waits,
 * and the other bits are the index of its candidate.
 */
#define HP_PATH_WAITS HP_PATH_STEPS_MAX

/*
 * A flag of a candidate's label: the object gets a step that an object of this
 * level has already. Without it, the object gets its step in the next level.
 */
#define HP_PATH_JOINS (UINT32_C(1) << 31)

struct hp_path_candidate {
	uint32_t node;
	uint32_t from;	/* the object that refers to it; HP_NO_NODE: a seed */
	uint32_t label; /* which reference it is; maybe HP_PATH_JOINS */
};

struct hp_path_level {
	uint32_t *steps; /* by node */
	struct hp_path_candidate *candidates;
	uint32_t *queue;
	uint32_t candidate_count, queued;
	struct hp_big_array candidate_array, queue_array;
	struct hp_big_memory *memory;
	/* the first failure; after it, objects are no longer added */
	enum hp_status st;
	struct hp_error *err;
};

/*
 * Begin with empty lists. @steps: zeroed words of @nodes nodes.
 * Returns: HP_OK; HP_NOMEM. Ownership: call hp_path_level_release() in any
 * case.
 */
HP_MUST_USE enum hp_status hp_path_level_init(struct hp_path_level *l,
					      uint32_t *steps, uint64_t nodes,
					      struct hp_big_memory *memory,
					      struct hp_error *err);
/* Objects that still wait for a step get none. */
void hp_path_level_release(struct hp_path_level *l);

/* Append a node to the queue, or a candidate. A failure is stored in l->st. */
void hp_path_enqueue(struct hp_path_level *l, uint32_t node);
void hp_path_add_candidate(struct hp_path_level *l, uint32_t node,
			   uint32_t from, uint32_t label);

static inline bool
hp_path_has_step(const struct hp_path_level *l, uint32_t node)
{
	return l->steps[node] != 0 && !(l->steps[node] & HP_PATH_WAITS);
}

/* The candidate of an object that waits for its step. NULL if it has none. */
static inline struct hp_path_candidate *
hp_path_candidate_of(const struct hp_path_level *l, uint32_t node)
{
	uint32_t word = l->steps[node];

	if (!(word & HP_PATH_WAITS))
		return NULL;
	return &l->candidates[(word & (HP_PATH_WAITS - 1)) |
			      (word >> 31) * HP_PATH_WAITS];
}

#endif
