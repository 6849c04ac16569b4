/*
 * suspects.c - search for leak suspects in one or several dumps
 *
 * The tree of large objects of each dump is kept. When the last dump is read,
 * its large objects are matched with those of the first dump. Then the objects
 * in which growth accumulates are chosen and described.
 */
#include "diff/leaks/internal.h"
#include "common/base/memory.h"
#include "diff/retained/loader_names.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * the growth of a suspect must be at least 1/GROWTH_PARTS (2 %) of the
	 * first dump's reachable bytes
	 */
	GROWTH_PARTS = 50,
	/*
	 * if a suspect has at least half of the growth of the heap,
	 * 1/HALF_PARTS (0.5 %) of the first dump's reachable bytes is enough
	 */
	HALF_PARTS = 200,
	/*
	 * with one dump, a suspect must retain at least 1/SINGLE_PARTS (2 %) of
	 * the reachable bytes
	 */
	SINGLE_PARTS = 50,
	/*
	 * objects are assumed to keep their addresses if STABLE of 10 large
	 * objects are at the same address in both dumps
	 */
	STABLE = 8,
	STABLE_PARTS = 10,
	/* for a group of class loaders, this many names are shown */
	LOADERS = 3,
};

struct search {
	struct hp_suspect_search *s;
	struct hp_retained *t;
	struct hp_object_kinds kinds;
	struct hp_object_tree last;
	struct hp_object_match match;
	struct hp_choice choice;
	struct hp_keys keys;
	struct hp_result *r;
	struct hp_error *err;
};

void
hp_suspects_init(struct hp_suspect_search *s)
{
	*s = (struct hp_suspect_search){0};
	hp_object_names_init(&s->names);
}

void
hp_suspects_release(struct hp_suspect_search *s)
{
	for (size_t i = 0; i < s->ntrees; i++)
		hp_object_tree_release(&s->trees[i]);
	hp_free(s->trees);
	hp_child_counts_release(&s->children);
	hp_object_names_release(&s->names);
	*s = (struct hp_suspect_search){0};
}

enum hp_status
hp_suspects_note(struct hp_suspect_search *s, size_t column, size_t ndumps,
		 struct hp_retained *t, const struct hp_histogram *g,
		 const struct hp_diff_options *o, struct hp_error *err)
{
	struct hp_keys keys = {.g = g, .o = o};
	struct hp_object_kinds kinds = {0};
	enum hp_status st;

	if (!s->trees) {
		s->trees = hp_calloc(ndumps, sizeof(*s->trees));
		if (!s->trees)
			return hp_no_memory(err);
		s->ntrees = ndumps;
	}
	hp_retained_search_begin(t, NULL);
	st = hp_object_kinds_init(&kinds, t, &keys, &s->names.rows, err);
	if (st == HP_OK)
		st = hp_object_tree_build(&s->trees[column], t, &kinds,
					  &s->names, err);
	if (st == HP_OK && column == 0)
		st = hp_child_counts_make(&s->children, &s->trees[0], &kinds,
					  err);
	hp_object_tree_trim(&s->trees[column]);
	hp_retained_search_end(t);
	if (column == 0)
		s->have_first = st == HP_OK;
	hp_object_kinds_release(&kinds);
	hp_keys_release(&keys);
	return st;
}

/*
 * Whether objects have the same addresses as in an earlier dump. This is
 * assumed if, for most large objects of the earlier dump, the last dump has an
 * object of the same class at the same address.
 */
static bool
is_stable(const struct search *x, const struct hp_object_tree *first)
{
	const struct hp_graph *g = &x->t->graph;
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));
	uint64_t all = 0, found = 0, unused;

	for (uint32_t i = 1; near && i < first->count; i++) {
		const struct hp_object_item *item = &first->list[i];
		uint32_t node, kind;

		if (!item->is_single)
			continue;
		all++;
		node = hp_node_of(&g->nodes, near, item->id);
		if (node == HP_NO_NODE)
			continue;
		kind = hp_edge_kind(&g->edges, node, &unused);
		found += x->kinds.list[kind].row ==
			 x->s->names.list[item->name].class_row;
	}
	hp_free(near);
	return all > 0 && found * STABLE_PARTS >= all * STABLE;
}

/*
 * With three or more dumps, make room for the size of each suspect in each
 * dump, and store the sizes in the last dump.
 */
static enum hp_status
make_sizes(struct search *x)
{
	size_t n = x->r->ndumps;

	for (size_t i = 0; n > 2 && i < x->r->nsuspects; i++) {
		struct hp_suspect *s = &x->r->suspects[i];

		s->sizes = hp_arena_alloc(&x->r->arena, n * sizeof(*s->sizes));
		if (!s->sizes)
			return hp_no_memory(x->err);
		for (size_t k = 0; k < n; k++)
			s->sizes[k] = UINT64_MAX;
		s->sizes[n - 1] = s->retained[1].bytes;
	}
	return HP_OK;
}

/*
 * For each suspect, find its sizes in the dumps between the first and the last
 * one, to see whether it grew steadily.
 */
static enum hp_status
find_trends(struct search *x, uint64_t limit)
{
	size_t n = x->r->ndumps;
	enum hp_status st = HP_OK;
	struct hp_trend *trends =
		hp_calloc(x->r->nsuspects + 1, sizeof(*trends));

	if (!trends)
		return hp_no_memory(x->err);
	st = make_sizes(x);
	for (size_t k = 0; k + 1 < n && k < x->s->ntrees && st == HP_OK; k++) {
		const struct hp_object_tree *tree = &x->s->trees[k];
		struct hp_object_match m = {0};

		if (tree->count == 0)
			continue;
		st = hp_object_match_find(&m, tree, &x->last, &x->s->names,
					  is_stable(x, tree), limit, x->err);
		for (size_t i = 0; st == HP_OK && i < x->r->nsuspects; i++) {
			const struct hp_chosen *c = &x->choice.list[i];
			uint64_t bytes = 0;

			for (uint32_t j = 0; j < c->count; j++) {
				struct hp_held before = hp_object_before(
					&m, x->choice.items[c->begin + j]);

				bytes += hp_held_bytes(&before);
			}
			for (uint32_t j = 0; j < c->nshared; j++) {
				struct hp_held before =
					hp_object_before(&m, c->shared + j);

				bytes += hp_held_bytes(&before);
			}
			hp_trend_add(&trends[i], k, x->r->dumps[k].timestamp_ms,
				     bytes);
			if (x->r->suspects[i].sizes)
				x->r->suspects[i].sizes[k] = bytes;
		}
		hp_object_match_release(&m);
	}
	for (size_t i = 0; st == HP_OK && i < x->r->nsuspects; i++) {
		hp_trend_add(&trends[i], n - 1, x->r->dumps[n - 1].timestamp_ms,
			     hp_suspect_bytes(&x->r->suspects[i], 1));
		if (x->r->suspects[i].was_known)
			hp_trend_conclude(&trends[i],
					  &x->r->suspects[i].evidence);
	}
	hp_free(trends);
	return st;
}

/*
 * Returns the number of references to @node from the objects in the range
 * [@from, @end) of the dominator tree, but at most 2, because the search ends
 * at the second one.
 */
static unsigned
count_references(const struct search *x, uint32_t from, uint32_t end,
		 uint32_t node)
{
	const struct hp_edges *edges = &x->t->graph.edges;
	const uint32_t *nodes = x->t->tree.nodes.at;
	unsigned n = 0;

	for (; from < end; from++) {
		uint32_t of = nodes[from], to = 0;
		struct hp_edge_reader r = {.base = of};

		hp_edge_kind(edges, of, &r.at);
		while (r.at != 0 && to != HP_EDGE_END && n < 2) {
			to = hp_edge_next(edges->lists.at, &r);
			n += to == node;
		}
	}
	return n;
}

/*
 * Whether a class keeps the object at @place alive by several references, for
 * example by two of its static fields. The class immediately dominates the
 * object, so all references to the object come from objects that the class
 * dominates. References from objects that the object itself dominates do not
 * count.
 */
static bool
has_other_fields(const struct search *x, uint32_t place)
{
	const struct hp_tree *t = &x->t->tree;
	uint32_t node = ((const uint32_t *)t->nodes.at)[place];
	uint32_t class = hp_tree_parent(t, place);

	return count_references(x, class, place, node) +
		       count_references(x, hp_tree_end(t, place),
					hp_tree_end(t, class), node) >
	       1;
}

/*
 * Find out whether the suspect would stay in memory if the static field at the
 * beginning of its path were cleared. Go up the dominator tree from the suspect
 * to the nearest class. If there is no class, another root also keeps the
 * suspect alive. Otherwise look at the object on this way that the class
 * immediately dominates: if the class refers to it several times, another field
 * also keeps the suspect alive.
 */
static void
find_other_owners(const struct search *x, struct hp_suspect *s)
{
	const struct hp_tree *t = &x->t->tree;
	const char *first = strstr(s->path, HP_ROW_STATIC);
	const char *arrow = strstr(s->path, HP_ROW_ARROW);
	uint32_t top = s->place, above;

	if (s->evidence.owners != 1 || !first || (arrow && arrow < first) ||
	    hp_retained_kind(x->t, top)->of == HP_NODE_CLASS)
		return;
	above = hp_tree_parent(t, top);
	while (above != 0 &&
	       hp_retained_kind(x->t, above)->of != HP_NODE_CLASS) {
		top = above;
		above = hp_tree_parent(t, top);
	}
	if (above == 0)
		s->evidence.has_other_roots = true;
	else
		s->evidence.has_other_fields = has_other_fields(x, top);
}

/*
 * The class loaders whose names are wanted: for each suspect, first the loader
 * of its path, then the loaders of which the suspect consists.
 */
struct loaders {
	struct hp_loader_name *list;
	size_t count;
	/* number of loaders of which each suspect consists */
	size_t members[HP_SUSPECTS_MOST];
	/* whether the loader of the path is wanted */
	bool of_path[HP_SUSPECTS_MOST];
};

static void
want_loaders(struct search *x, const struct hp_suspect_samples *samples,
	     struct loaders *l)
{
	struct hp_rank_near near = {0};

	for (size_t i = 0; i < x->r->nsuspects; i++) {
		const struct hp_suspect *s = &x->r->suspects[i];
		unsigned is = hp_object_kind_at(&x->kinds, s->place)->is;
		uint32_t node = HP_NO_NODE;

		if (s->loader_id != 0)
			node = hp_node_of(&x->t->graph.nodes, &near,
					  s->loader_id);
		l->of_path[i] = node != HP_NO_NODE;
		if (l->of_path[i])
			l->list[l->count++].node = node;
		if (is & HP_OBJECT_LOADER)
			l->members[i] = samples[i].count;
		for (size_t k = 0; k < l->members[i]; k++)
			l->list[l->count++].node = samples[i].nodes[k];
	}
}

/*
 * Append the different names of the loaders of a group: "webapp 'shop', webapp
 * 'admin'". Adds nothing if the name of one of the loaders is not known.
 */
static void
group_names(struct hp_buf *b, const struct hp_loader_name *list, size_t n,
	    uint64_t all)
{
	const char *shown[LOADERS];
	size_t nshown = 0;
	bool more = n < all;

	for (size_t i = 0; i < n; i++)
		if (!list[i].text)
			return;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < nshown && strcmp(shown[k], list[i].text) != 0)
			k++;
		if (k == LOADERS)
			more = true;
		else if (k == nshown)
			shown[nshown++] = list[i].text;
	}
	for (size_t k = 0; k < nshown; k++)
		hp_buf_printf(b, "%s%s", k == 0 ? "" : ", ", shown[k]);
	if (more && nshown > 0)
		hp_buf_text(b, ", \xe2\x80\xa6");
}

/* Add the names of loaders to the texts of a suspect. */
static enum hp_status
add_loader_names(struct search *x, struct hp_suspect *s,
		 const struct hp_loader_name *of_path,
		 const struct hp_loader_name *list, size_t n)
{
	struct hp_arena *arena = &x->r->arena;
	struct hp_buf names = {0};
	enum hp_status st = HP_OK;

	if (of_path && of_path->text)
		st = hp_loader_label(&s->loader, of_path->text, 1, arena,
				     x->err);
	group_names(&names, list, n, s->holders[1]);
	if (st == HP_OK && names.len > 0)
		st = hp_loader_label(&s->label, hp_buf_string(&names),
				     s->holders[1], arena, x->err);
	if (st == HP_OK && !hp_buf_ok(&names))
		st = hp_no_memory(x->err);
	hp_buf_release(&names);
	return st;
}

/*
 * Complete the texts of suspects that are class loaders of known applications,
 * or whose path begins at a class of such a loader: "class loader of webapp
 * 'shop'".
 */
static enum hp_status
name_loaders(struct search *x, const struct hp_suspect_samples *samples,
	     struct hp_source *src)
{
	struct hp_result *r = x->r;
	struct loaders l = {0};
	enum hp_status st = HP_OK;
	size_t at = 0;

	l.list = hp_calloc(r->nsuspects * (1 + (size_t)HP_SUSPECT_SAMPLES) + 1,
			   sizeof(*l.list));
	if (!l.list)
		return hp_no_memory(x->err);
	want_loaders(x, samples, &l);
	if (l.count > 0)
		st = hp_loader_names_find(l.list, l.count, x->t, &x->keys, src,
					  &r->arena, x->err);
	for (size_t i = 0; i < r->nsuspects && st == HP_OK; i++) {
		st = add_loader_names(x, &r->suspects[i],
				      l.of_path[i] ? &l.list[at] : NULL,
				      &l.list[at + l.of_path[i]], l.members[i]);
		at += l.of_path[i] + l.members[i];
	}
	hp_free(l.list);
	return st;
}

static enum hp_status
describe_all(struct search *x, const struct hp_path_walk *walk,
	     const struct hp_path_tree *tree, struct hp_source *src)
{
	struct hp_result *r = x->r;
	struct hp_suspect_samples *samples =
		hp_calloc(x->choice.count, sizeof(*samples));
	enum hp_status st = samples ? HP_OK : hp_no_memory(x->err);

	for (size_t i = 0; i < x->choice.count && st == HP_OK; i++)
		st = hp_suspect_describe(&x->choice, &x->last, &x->kinds, r, i,
					 &samples[i], x->err);
	r->explained_growth = hp_choice_explained(&x->choice);
	/* the paths need much memory, and no objects of items any more */
	hp_object_tree_trim(&x->last);
	if (st == HP_OK) {
		r->nsuspects = x->choice.count;
		st = hp_suspect_paths_find(r, samples, x->t, &x->keys, walk,
					   tree, src, x->err);
	}
	if (st == HP_OK)
		st = hp_suspect_examples_read(r, x->t, &x->keys, src, x->err);
	if (st == HP_OK)
		st = name_loaders(x, samples, src);
	for (size_t i = 0; i < r->nsuspects && st == HP_OK; i++)
		if (x->choice.list[i].nshared > 0)
			r->suspects[i].evidence.has_other_fields = true;
		else
			find_other_owners(x, &r->suspects[i]);
	for (size_t i = 0; i < r->nsuspects && st == HP_OK; i++)
		st = hp_suspect_label_local(&r->suspects[i], &samples[i],
					    &r->arena, x->err);
	if (st != HP_OK)
		r->nsuspects = 0;
	hp_free(samples);
	return st;
}

/*
 * Match the large objects of the last dump with those of the first one, and
 * choose the suspects.
 */
static enum hp_status
choose(struct search *x, uint64_t limit)
{
	bool compared = x->s->have_first;
	const struct hp_object_tree *first = compared ? &x->s->trees[0] : NULL;
	enum hp_status st = hp_object_match_find(
		&x->match, first, &x->last, &x->s->names,
		first && is_stable(x, first), limit, x->err);

	x->choice = (struct hp_choice){.m = &x->match,
				       .names = &x->s->names,
				       .children_before = &x->s->children,
				       .limit = (int64_t)limit,
				       .compared = compared};
	if (st == HP_OK && compared)
		x->r->reachable_growth = hp_object_growth(&x->match, 0);
	return st == HP_OK ? hp_choice_make(&x->choice, x->err) : st;
}

/*
 * Returns by how many bytes an object must have grown at least since the first
 * dump to be a suspect.
 */
static uint64_t
least_growth(const struct hp_object_tree *first,
	     const struct hp_object_tree *last)
{
	uint64_t was = hp_held_bytes(&first->list[0].sum);
	uint64_t is = hp_held_bytes(&last->list[0].sum);
	uint64_t limit = first->list[0].sum.bytes / GROWTH_PARTS + 1;
	uint64_t least = first->list[0].sum.bytes / HALF_PARTS + 1;
	uint64_t half = is > was ? (is - was + 1) / 2 : 0;

	if (half >= limit || half * 2 < least)
		return limit;
	return half > least ? half : least;
}

enum hp_status
hp_suspects_find(struct hp_suspect_search *s, struct hp_retained *t,
		 struct hp_path_walk *walk, const struct hp_path_tree *tree,
		 const struct hp_histogram *g, struct hp_source *src,
		 struct hp_result *r, struct hp_error *err)
{
	struct search x = {.s = s,
			   .t = t,
			   .r = r,
			   .err = err,
			   .keys = {.g = g, .o = r->options}};
	uint64_t limit = t->tree.reachable.bytes / SINGLE_PARTS + 1;
	enum hp_status st;

	/* only the objects of suspects are looked up in the steps of paths */
	hp_retained_search_begin(t, walk ? &walk->steps : NULL);
	st = hp_object_kinds_init(&x.kinds, t, &x.keys, &s->names.rows, err);
	if (st == HP_OK)
		st = hp_object_tree_build(&x.last, t, &x.kinds, &s->names, err);
	if (st == HP_OK && s->have_first)
		limit = least_growth(&s->trees[0], &x.last);
	if (st == HP_OK)
		st = choose(&x, limit);
	if (st == HP_OK)
		hp_shared_elements_find(&x.choice, &x.kinds);
	if (st == HP_OK && x.choice.count > 0)
		st = describe_all(&x, walk, tree, src);
	if (st == HP_OK && s->have_first && r->nsuspects > 0)
		st = find_trends(&x, limit);
	r->suspects_sought = st == HP_OK;
	hp_retained_search_end(t);
	hp_choice_release(&x.choice);
	hp_object_match_release(&x.match);
	hp_object_tree_release(&x.last);
	hp_object_kinds_release(&x.kinds);
	hp_keys_release(&x.keys);
	return st;
}
