/*
 * path_sums.c - add up the objects of each path
 *
 * There are two dominator trees: one with all objects that are reachable from
 * the roots, and one with the objects that wait for a finalizer.
 */
#include "diff/paths/paths.h"
#include "common/base/memory.h"

/* number of objects between the two prefetches for an object */
enum { AHEAD = 16 };

/*
 * The arguments of sum_tree(). `tree` is the dominator tree of the objects that
 * roots keep alive, or that of the objects that wait for a finalizer.
 */
struct summing {
	const struct hp_path_walk *w;
	const struct hp_retained *t;
	const struct hp_tree *tree;
	const struct hp_path_tree *paths;
	struct hp_path_sum *sums;
	const bool *by_kind;
	uint32_t wanted;
};

/*
 * Prefetch what sum_tree() reads for the objects that come next in the
 * dominator tree. With --why, nearly all objects are skipped, so their steps
 * are not needed.
 */
HP_HOT void
prefetch(const struct summing *s, uint32_t place)
{
	const uint32_t *nodes = s->tree->nodes.at;
	uint32_t step;

	if (s->by_kind)
		return;
	hp_path_fetch_step(s->w, s->tree, place + 2 * AHEAD);
	if (place + AHEAD >= s->tree->count)
		return;
	step = hp_path_step_of(s->w, nodes[place + AHEAD]);
	__builtin_prefetch(&s->paths->list[step]);
	__builtin_prefetch(&s->sums[step], 1);
}

/*
 * Add the objects of one dominator tree to the sums of their path steps. An
 * object adds its retained size, unless an object with the same step dominates
 * it: then the retained size of that object already includes it.
 */
static enum hp_status
sum_tree(const struct summing *s, struct hp_error *err)
{
	const uint32_t *nodes = s->tree->nodes.at;
	bool waiting = s->tree == &s->t->queue.tree;
	uint32_t *covered = hp_calloc(s->paths->count, sizeof(*covered));

	if (!covered)
		return hp_no_memory(err);
	for (uint32_t place = 1; place < s->tree->count; place++) {
		struct hp_graph_sum sum;
		uint32_t step, told;

		prefetch(s, place);
		if (s->by_kind && !s->by_kind[hp_tree_kind(s->tree, place)] &&
		    nodes[place] != s->wanted)
			continue;
		step = hp_path_step_of(s->w, nodes[place]);
		s->sums[step].count++;
		s->sums[step].bytes +=
			s->t->graph.kinds.list[hp_tree_kind(s->tree, place)]
				.bytes;
		told = s->paths->list[step].told;
		if (place < covered[told])
			continue;
		covered[told] = hp_tree_end(s->tree, place);
		if (waiting)
			sum = (struct hp_graph_sum){
				covered[told] - place,
				hp_tree_bytes(s->tree, place)};
		else
			sum = hp_retained_sum(s->t, place);
		s->sums[told].retained_count += sum.objects;
		s->sums[told].retained_bytes += sum.bytes;
		if (!waiting)
			hp_sum_add(&s->sums[told].native,
				   hp_retained_native(s->t, place));
	}
	hp_free(covered);
	return HP_OK;
}

enum hp_status
hp_path_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		 struct hp_path_tree *tree, size_t column, const bool *by_kind,
		 uint32_t wanted, struct hp_error *err)
{
	struct summing s = {.w = w,
			    .t = t,
			    .tree = &t->tree,
			    .paths = tree,
			    .by_kind = by_kind,
			    .wanted = wanted};
	enum hp_status st;

	tree->counts[column] = tree->count;
	s.sums = tree->sums[column] = hp_calloc(tree->count, sizeof(*s.sums));
	if (!s.sums)
		return hp_no_memory(err);
	st = sum_tree(&s, err);
	s.tree = &t->queue.tree;
	return st == HP_OK ? sum_tree(&s, err) : st;
}
