/*
 * find_loaders.c - for classes that several class loaders have defined, find
 * out what keeps each of these loaders alive
 *
 * If an application was deployed several times, only the loader of its latest
 * deployment should still be reachable.
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"
#include "common/cli/glob.h"
#include "common/cli/quantity.h"
#include "diff/paths/paths.h"
#include "diff/retained/loader_names.h"

#include <string.h>

static const struct {
	const char *pattern, *meaning;
} known[] = {
#define LOADER_PATH(pattern, meaning, example) {pattern, meaning},
#include "diff/findings/loader_paths.def"
};

const char *
hp_loader_path_meaning(const char *path)
{
	size_t i = 0;

	/*
	 * an entry is always found, because the pattern of the last entry
	 * matches every path
	 */
	while (i + 1 < HP_ARRAY_LEN(known) &&
	       !hp_glob_match(known[i].pattern, path, strlen(path)))
		i++;
	return known[i].meaning;
}

static bool
is_before(const struct hp_kept_loader *a, const struct hp_kept_loader *b)
{
	return a->classes != b->classes ? a->classes > b->classes
					: a->id < b->id;
}

/* Choose the loaders that have defined the most duplicate classes. */
static void
choose(struct hp_result *r, const struct hp_id_map *counts)
{
	struct hp_kept_loader *list = r->loaders;
	struct hp_kept_loader one = {0};
	size_t at = 0, k;

	r->nloaders = 0;
	r->more_loaders = 0;
	while (hp_id_map_next(counts, &at, &one.id, &one.classes)) {
		for (k = r->nloaders; k > 0 && is_before(&one, &list[k - 1]);)
			k--;
		r->more_loaders += r->nloaders == HP_KEPT_LOADERS;
		if (k == HP_KEPT_LOADERS)
			continue;
		if (r->nloaders < HP_KEPT_LOADERS)
			r->nloaders++;
		memmove(&list[k + 1], &list[k],
			(r->nloaders - 1 - k) * sizeof(one));
		list[k] = one;
	}
}

static const char *
keep(struct hp_result *r, const char *text)
{
	return hp_arena_copy(&r->arena, text, strlen(text));
}

/*
 * Store the class of a loader, and the path that keeps the loader alive. The
 * path stays NULL if the loader is unreachable.
 */
static bool
describe(struct hp_unusual_search *s, struct hp_kept_loader *l, uint32_t node,
	 const struct hp_path_walk *walk, const struct hp_path_tree *tree,
	 struct hp_buf *b)
{
	uint32_t step = node == HP_NO_NODE ? 0 : hp_path_step_of(walk, node);
	const char *name = "";
	uint64_t unused;

	if (node != HP_NO_NODE)
		name = hp_unusual_name(
			s, hp_edge_kind(&s->t->graph.edges, node, &unused));
	l->class = name ? keep(s->r, name) : NULL;
	if (!l->class)
		return false;
	if (step == 0)
		return true;
	hp_buf_clear(b);
	hp_path_text(tree, step, b);
	if (!hp_buf_ok(b))
		return false;
	l->path = keep(s->r, hp_buf_string(b));
	l->meaning = hp_loader_path_meaning(hp_buf_string(b));
	return l->path;
}

static enum hp_status
find_paths(struct hp_unusual_search *s)
{
	struct hp_result *r = s->r;
	struct hp_path_tree tree = {0};
	struct hp_path_walk walk = {0};
	uint32_t nodes[HP_KEPT_LOADERS], wanted[HP_KEPT_LOADERS];
	struct hp_path_wanted want = {wanted, 0};
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));
	struct hp_buf b = {0};
	enum hp_status st = near ? hp_path_tree_init(&tree, 1, s->err)
				 : hp_no_memory(s->err);

	for (size_t i = 0; i < r->nloaders && near; i++) {
		nodes[i] =
			hp_node_of(&s->t->graph.nodes, near, r->loaders[i].id);
		if (nodes[i] != HP_NO_NODE)
			wanted[want.count++] = nodes[i];
	}
	hp_free(near);
	if (st == HP_OK && want.count > 0)
		st = hp_path_walk_run(&walk, s->t, &s->keys, s->src, &tree,
				      want, s->err);
	for (size_t i = 0; i < r->nloaders && st == HP_OK; i++)
		if (!describe(s, &r->loaders[i],
			      want.count > 0 ? nodes[i] : HP_NO_NODE, &walk,
			      &tree, &b))
			st = hp_no_memory(s->err);
	if (st != HP_OK)
		r->nloaders = 0;
	hp_buf_release(&b);
	hp_path_walk_release(&walk);
	hp_path_tree_release(&tree);
	return st;
}

/* Find the names of the applications to which the loaders belong. */
static enum hp_status
find_names(struct hp_unusual_search *s)
{
	struct hp_result *r = s->r;
	struct hp_loader_name list[HP_KEPT_LOADERS] = {0};
	struct hp_kept_loader *of[HP_KEPT_LOADERS];
	struct hp_rank_near near = {0};
	enum hp_status st = HP_OK;
	size_t n = 0;

	for (size_t i = 0; i < r->nloaders; i++) {
		uint32_t node =
			hp_node_of(&s->t->graph.nodes, &near, r->loaders[i].id);

		if (node == HP_NO_NODE)
			continue;
		list[n].node = node;
		of[n++] = &r->loaders[i];
	}
	if (n > 0)
		st = hp_loader_names_find(list, n, s->t, &s->keys, s->src,
					  &r->arena, s->err);
	for (size_t i = 0; i < n && st == HP_OK; i++)
		of[i]->name = list[i].text;
	return st;
}

enum hp_status
hp_unusual_loaders_find(struct hp_unusual_search *s,
			const struct hp_id_map *counts)
{
	enum hp_status st;

	if (s->c->index != s->r->ndumps - 1 || !s->t->graph.edges.lists.at)
		return HP_OK;
	choose(s->r, counts);
	if (s->r->nloaders == 0)
		return HP_OK;
	st = find_paths(s);
	return st == HP_OK ? find_names(s) : st;
}
