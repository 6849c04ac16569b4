/*
 * suspect_path.c - find the path to show for each suspect
 */
#include "diff/leaks/internal.h"
#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * The search for the paths of all suspects, in one walk over the object graph.
 */
struct finder {
	struct hp_result *r;
	const struct hp_suspect_samples *samples;
	struct hp_keys *keys;
	const struct hp_path_walk *walk;
	const struct hp_path_tree *tree;
	struct hp_error *err;
};

/*
 * A step of the path tree, and the number of sample objects whose path ends at
 * this step.
 */
struct sampled_step {
	uint32_t step;
	uint32_t samples;
};

static int
by_step(const void *a, const void *b)
{
	const struct sampled_step *x = a, *y = b;

	return hp_order(x->step, y->step);
}

/*
 * List the steps of the path tree at which the paths of the sample objects @s
 * end, sorted and without duplicates. Returns the number of steps.
 */
static size_t
list_steps(const struct finder *f, const struct hp_suspect_samples *s,
	   struct sampled_step *steps)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++)
		steps[i] = (struct sampled_step){
			hp_path_step_of(f->walk, s->nodes[i]), 1};
	qsort(steps, s->count, sizeof(*steps), by_step);
	for (size_t i = 0; i < s->count; i++)
		if (kept > 0 && steps[kept - 1].step == steps[i].step)
			steps[kept - 1].samples++;
		else
			steps[kept++] = steps[i];
	return kept;
}

/*
 * For each step of the path tree, count the sample objects of a suspect whose
 * path goes through the step. Returns false if out of memory.
 */
static bool
count_steps(const struct finder *f, const struct sampled_step *steps, size_t n,
	    struct hp_id_map *counts)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t step = steps[i].step;

		for (; step != 0; step = f->tree->list[step].parent) {
			uint64_t *slot = hp_id_map_put(counts, step, NULL);

			if (!slot)
				return false;
			*slot += steps[i].samples;
		}
	}
	return true;
}

/*
 * Choose the path to show for a suspect. It ends at the deepest step that is on
 * the paths of at least four fifths of the sample objects @s of the suspect. If
 * there is no such step, show the path of the object that grew most, and set
 * *@of_largest.
 */
static enum hp_status
find_step(struct finder *f, const struct hp_suspect_samples *s, uint32_t *step,
	  bool *of_largest)
{
	const struct hp_path_step *list = f->tree->list;
	struct hp_id_map counts = {0};
	struct sampled_step steps[HP_SUSPECT_SAMPLES] = {{0}};
	size_t n = list_steps(f, s, steps);
	uint32_t deepest = 0;
	enum hp_status st;

	*step = hp_path_step_of(f->walk, s->largest);
	st = count_steps(f, steps, n, &counts) ? HP_OK : hp_no_memory(f->err);
	for (size_t k = 0; k < n && st == HP_OK; k++) {
		uint32_t at = steps[k].step;

		while (at != 0 &&
		       *hp_id_map_get(&counts, at) * 5 < s->count * 4)
			at = list[at].parent;
		if (list[at].depth > list[deepest].depth)
			deepest = at;
	}
	*of_largest = deepest == 0;
	if (deepest != 0)
		*step = deepest;
	hp_id_map_release(&counts);
	return st;
}

/*
 * Store the path of a suspect as text. If the path begins with a static field,
 * also store the class loader of the field's class.
 */
static enum hp_status
write_path(struct finder *f, const struct hp_suspect_samples *samples,
	   struct hp_suspect *s, struct hp_buf *b)
{
	struct hp_arena *arena = &f->r->arena;
	const char *loader;
	uint32_t step;
	enum hp_status st = find_step(f, samples, &step, &s->of_largest);

	if (st != HP_OK)
		return st;
	loader = hp_path_loader(f->tree, step, &s->loader_id);
	hp_buf_clear(b);
	hp_path_text(f->tree, step, b);
	s->loader =
		loader ? hp_arena_copy(arena, loader, strlen(loader)) : NULL;
	s->path = hp_arena_copy(arena, hp_buf_string(b), hp_buf_length(b));
	return hp_buf_ok(b) && s->path && (s->loader || !loader)
		       ? HP_OK
		       : hp_no_memory(f->err);
}

static enum hp_status
write_paths(struct finder *f)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < f->r->nsuspects && st == HP_OK; i++)
		st = write_path(f, &f->samples[i], &f->r->suspects[i], &b);
	hp_buf_release(&b);
	return st;
}

enum hp_status
hp_suspect_paths_find(struct hp_result *r,
		      const struct hp_suspect_samples *samples,
		      struct hp_retained *t, struct hp_keys *keys,
		      const struct hp_path_walk *walk,
		      const struct hp_path_tree *tree, struct hp_source *src,
		      struct hp_error *err)
{
	struct hp_path_tree own_tree = {0};
	struct hp_path_walk own_walk = {0};
	struct finder f = {r, samples, keys, walk, tree, err};
	uint32_t nodes[HP_SUSPECTS_MOST * (HP_SUSPECT_SAMPLES + 1)];
	struct hp_path_wanted wanted = {nodes, 0};
	enum hp_status st;

	if (walk)
		return write_paths(&f);
	for (size_t i = 0; i < r->nsuspects; i++) {
		nodes[wanted.count++] = samples[i].largest;
		for (size_t k = 0; k < samples[i].count; k++)
			nodes[wanted.count++] = samples[i].nodes[k];
	}
	st = hp_path_tree_init(&own_tree, 1, err);
	if (st == HP_OK)
		st = hp_path_walk_run(&own_walk, t, keys, src, &own_tree,
				      wanted, err);
	f.walk = &own_walk;
	f.tree = &own_tree;
	if (st == HP_OK)
		st = write_paths(&f);
	hp_path_walk_release(&own_walk);
	hp_path_tree_release(&own_tree);
	return st;
}
