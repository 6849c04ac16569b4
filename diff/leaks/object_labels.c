/*
 * object_labels.c - make labels for some objects of a dump, and for the objects
 * at the ends of paths
 *
 * suspect_label.c composes the labels, so an object has the same label wherever
 * a report shows it.
 */
#include "diff/leaks/internal.h"
#include "common/base/memory.h"
#include "diff/retained/loader_names.h"

#include <stdlib.h>
#include <string.h>

/*
 * Without --why, paths have labels only if they retain at least 1/SHARE of the
 * reachable heap.
 */
enum {
	SHARE = 10000,
	/* objects of one class count as a linked list if there are so many */
	NODES = 8,
	/* the step of an object is prefetched this many objects before */
	AHEAD = 32,
};

struct labels {
	struct hp_labelled *list;
	size_t count;
	struct hp_object_kinds kinds;
	struct hp_arena *arena;
	struct hp_error *err;
};

/* --- labels of objects ---------------------------------------------------- */

/*
 * Whether the object at index @place of the dominator tree is the first node of
 * a linked list.
 */
static bool
is_list(struct labels *l, uint32_t place)
{
	const struct hp_tree *t = &l->kinds.t->tree;
	uint32_t end = hp_tree_end(t, place), p = place + 1;
	unsigned nodes = 1;

	while (p < end && nodes < NODES) {
		uint32_t above = hp_tree_parent(t, p);
		bool next = hp_object_is_next(&l->kinds, p, above);

		nodes += next;
		if (next || hp_object_is_part(&l->kinds, p, above))
			p++;
		else
			p = hp_tree_end(t, p);
	}
	return nodes >= NODES;
}

static enum hp_status
label_object(struct labels *l, struct hp_labelled *one)
{
	const struct hp_tree *t = &l->kinds.t->tree;
	unsigned is = hp_object_kind_at(&l->kinds, one->place)->is;
	struct hp_object_item item = {.place = one->place, .is = is};
	struct hp_contents c;
	struct hp_buf b = {0};
	enum hp_status st;

	one->text = NULL;
	if (is & (HP_OBJECT_CLASS | HP_OBJECT_PRIMITIVES | HP_OBJECT_PART |
		  HP_OBJECT_PARTS) ||
	    hp_object_is_part(&l->kinds, one->place,
			      hp_tree_parent(t, one->place)))
		return HP_OK;
	item.is_list = is_list(l, one->place);
	st = hp_contents_find(&c, &l->kinds, &item, l->err);
	if (st != HP_OK || !hp_object_holds(&l->kinds, &item, &c))
		return st;
	hp_object_label(&b, &l->kinds, &item, 1, &c);
	if (hp_buf_ok(&b))
		one->text = hp_arena_copy(l->arena, b.data, b.len);
	hp_buf_release(&b);
	return one->text ? HP_OK : hp_no_memory(l->err);
}

static bool
is_loader(const struct labels *l, uint32_t place)
{
	return hp_object_kind_at(&l->kinds, place)->is & HP_OBJECT_LOADER;
}

/* Add the names of applications to the labels of class loaders. */
static enum hp_status
name_loaders(struct labels *l, struct hp_source *src)
{
	const uint32_t *nodes = l->kinds.t->tree.nodes.at;
	struct hp_loader_name *names;
	enum hp_status st;
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++)
		n += is_loader(l, l->list[i].place);
	if (n == 0)
		return HP_OK;
	names = hp_calloc(n, sizeof(*names));
	if (!names)
		return hp_no_memory(l->err);
	n = 0;
	for (size_t i = 0; i < l->count; i++)
		if (is_loader(l, l->list[i].place))
			names[n++].node = nodes[l->list[i].place];
	st = hp_loader_names_find(names, n, l->kinds.t, l->kinds.keys, src,
				  l->arena, l->err);
	n = 0;
	for (size_t i = 0; i < l->count && st == HP_OK; i++) {
		const char *name = NULL;

		if (is_loader(l, l->list[i].place))
			name = names[n++].text;
		if (name && l->list[i].text)
			st = hp_loader_label(&l->list[i].text, name, 1,
					     l->arena, l->err);
	}
	hp_free(names);
	return st;
}

enum hp_status
hp_object_labels_find(struct hp_labelled *list, size_t n,
		      const struct hp_retained *t, struct hp_keys *keys,
		      struct hp_source *src, struct hp_arena *arena,
		      struct hp_error *err)
{
	struct labels l = {
		.list = list, .count = n, .arena = arena, .err = err};
	struct hp_rows names;
	enum hp_status st;

	if (n == 0)
		return HP_OK;
	hp_rows_init(&names, 1);
	st = hp_object_kinds_init(&l.kinds, t, keys, &names, err);
	for (size_t i = 0; i < n && st == HP_OK; i++)
		st = label_object(&l, &list[i]);
	if (st == HP_OK)
		st = name_loaders(&l, src);
	hp_object_kinds_release(&l.kinds);
	hp_rows_release(&names);
	return st;
}

/* --- labels of paths ------------------------------------------------------ */

/*
 * For each text of a path, by its number (`told` of a step): the objects at the
 * end of the path, without internal parts of collections.
 */
struct ends {
	/* the object that was found first, as an index in the dominator tree */
	uint32_t place;
	/* number of objects that no other object of the same path dominates */
	uint32_t count;
	/* the last index of the objects that a counted object dominates */
	uint32_t end;
	/* a label is wanted */
	bool wanted;
};

/*
 * Mark the steps of all paths to the objects of the last dump that --why asks
 * for.
 */
static bool
mark_wanted(const struct hp_path_tree *tree, struct ends *ends)
{
	bool *leads = hp_calloc(tree->count + (size_t)1, sizeof(*leads));

	for (uint32_t i = tree->count; leads && i-- > 1;) {
		leads[i] |= hp_path_sum_of(tree, tree->dumps - 1, i).count > 0;
		ends[tree->list[i].told].wanted |= leads[i];
		leads[tree->list[i].parent] |= leads[i];
	}
	hp_free(leads);
	return leads;
}

static void
count_ends(const struct hp_path_walk *w, const struct hp_retained *t,
	   const struct hp_path_tree *tree, struct ends *ends)
{
	const uint32_t *nodes = t->tree.nodes.at, *steps = w->steps.at;

	for (uint32_t p = 1; p < t->tree.count; p++) {
		uint32_t step = steps[nodes[p]];
		struct ends *e;

		hp_path_fetch_step(w, &t->tree, p + AHEAD);
		if (step == 0 || step & HP_PATH_INSIDE)
			continue;
		e = &ends[tree->list[step].told];
		if (p < e->end)
			continue;
		e->end = hp_tree_end(&t->tree, p);
		e->place = e->count++ == 0 ? p : e->place;
	}
}

static enum hp_status
keep_labels(struct hp_path_tree *tree, const struct hp_path_walk *w,
	    const struct hp_retained *t, const struct hp_labelled *list,
	    size_t n, struct hp_error *err)
{
	const uint32_t *nodes = t->tree.nodes.at;

	for (size_t i = 0; i < n; i++) {
		uint32_t step = hp_path_step_of(w, nodes[list[i].place]);
		struct hp_path_label *label;

		if (!list[i].text)
			continue;
		label = hp_arena_alloc(&tree->names.arena, sizeof(*label));
		if (!label)
			return hp_no_memory(err);
		*label = (struct hp_path_label){step, list[i].text};
		if (!hp_id_map_set(&tree->labels, tree->list[step].told,
				   (uintptr_t)label))
			return hp_no_memory(err);
	}
	return HP_OK;
}

static int
by_place(const void *a, const void *b)
{
	return hp_order(((const struct hp_labelled *)a)->place,
			((const struct hp_labelled *)b)->place);
}

/*
 * List the objects whose labels are wanted, in the order of the dominator tree:
 * its arrays and the references may be in files.
 */
static enum hp_status
list_ends(const struct hp_retained *t, const struct hp_path_tree *tree,
	  bool why, const struct ends *ends, struct hp_labelled **list,
	  size_t *n, struct hp_error *err)
{
	uint64_t least = t->tree.reachable.bytes / SHARE + 1;

	*n = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		if (pass == 1) {
			*list = hp_calloc(*n + 1, sizeof(**list));
			if (!*list)
				return hp_no_memory(err);
			*n = 0;
		}
		for (uint32_t i = 1; i < tree->count; i++) {
			uint32_t place = ends[i].place;

			if (ends[i].count != 1 ||
			    !(why ? ends[i].wanted
				  : hp_retained_sum(t, place).bytes >= least))
				continue;
			if (pass == 1)
				(*list)[*n].place = place;
			++*n;
		}
	}
	return hp_sort(*list, *n, sizeof(**list), by_place) ? HP_OK
							    : hp_no_memory(err);
}

enum hp_status
hp_path_labels_find(const struct hp_path_walk *w, const struct hp_retained *t,
		    struct hp_path_tree *tree, bool why, struct hp_keys *keys,
		    struct hp_source *src, struct hp_error *err)
{
	struct ends *ends = hp_calloc(tree->count + (size_t)1, sizeof(*ends));
	struct hp_labelled *list = NULL;
	size_t n = 0;
	enum hp_status st = ends && (!why || mark_wanted(tree, ends))
				    ? HP_OK
				    : hp_no_memory(err);

	if (st == HP_OK) {
		count_ends(w, t, tree, ends);
		st = list_ends(t, tree, why, ends, &list, &n, err);
	}
	hp_free(ends);
	if (st == HP_OK)
		st = hp_object_labels_find(list, n, t, keys, src,
					   &tree->names.arena, err);
	if (st == HP_OK)
		st = keep_labels(tree, w, t, list, n, err);
	hp_free(list);
	return st;
}
