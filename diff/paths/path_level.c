/*
 * path_level.c - the lists of objects for one level of the search for shortest
 * paths; the objects of a level are equally far from the roots
 */
#include "diff/paths/paths.h"

/*
 * Limit for the number of candidates. The index of a candidate is stored in 31
 * bits, because the other bit of its word is the flag HP_PATH_WAITS.
 */
#define CANDIDATES_MAX (2 * HP_PATH_WAITS)

enum hp_status
hp_path_level_init(struct hp_path_level *l, uint32_t *steps, uint64_t nodes,
		   struct hp_big_memory *memory, struct hp_error *err)
{
	enum hp_status st;

	*l = (struct hp_path_level){
		.steps = steps, .memory = memory, .err = err};
	st = hp_big_array_reserve(&l->candidate_array,
				  nodes * sizeof(*l->candidates),
				  HP_BIG_IN_ORDER, err);
	if (st == HP_OK)
		st = hp_big_array_reserve(&l->queue_array,
					  nodes * sizeof(*l->queue),
					  HP_BIG_IN_ORDER, err);
	l->candidates = l->candidate_array.at;
	l->queue = l->queue_array.at;
	return st;
}

void
hp_path_level_release(struct hp_path_level *l)
{
	for (uint32_t i = 0; i < l->candidate_count; i++)
		if (!hp_path_has_step(l, l->candidates[i].node))
			l->steps[l->candidates[i].node] = 0;
	if (l->memory) {
		hp_big_array_drop(l->memory, &l->candidate_array);
		hp_big_array_drop(l->memory, &l->queue_array);
	}
	*l = (struct hp_path_level){0};
}

/*
 * Make room for one more element of @size bytes in an array with @used
 * elements. If there is no memory, returns false and stores the error in l->st.
 */
static bool
reserve_one(struct hp_path_level *l, struct hp_big_array *a, uint32_t used,
	    size_t size)
{
	uint64_t bytes = ((uint64_t)used + 1) * size;

	if (HP_LIKELY(bytes <= a->ready))
		return true;
	if (l->st == HP_OK)
		l->st = hp_big_array_grow(l->memory, a, bytes, l->err);
	return bytes <= a->ready;
}

void
hp_path_enqueue(struct hp_path_level *l, uint32_t node)
{
	if (reserve_one(l, &l->queue_array, l->queued, sizeof(*l->queue)))
		l->queue[l->queued++] = node;
}

void
hp_path_add_candidate(struct hp_path_level *l, uint32_t node, uint32_t from,
		      uint32_t label)
{
	uint32_t i = l->candidate_count;

	if (i == CANDIDATES_MAX && l->st == HP_OK)
		l->st = hp_fail(l->err, HP_LIMIT,
				"the dump has more than %u objects with the "
				"same distance from the roots",
				CANDIDATES_MAX);
	if (i == CANDIDATES_MAX ||
	    !reserve_one(l, &l->candidate_array, i, sizeof(*l->candidates)))
		return;
	l->candidates[l->candidate_count++] = (struct hp_path_candidate){
		.node = node, .from = from, .label = label};
	l->steps[node] = HP_PATH_WAITS | (i & (HP_PATH_WAITS - 1)) |
			 i / HP_PATH_WAITS << 31;
}
