/*
 * merged_tree.c - build a small dominator tree in which objects with equal
 * names are merged, level by level from the root down
 *
 * tree_levels.c visits the objects of a level. When all children of a node have
 * been found, the children that retain too little are removed. This keeps the
 * tree small even if there are millions of names. In this file, the place of an
 * object is its index in the full dominator tree, which is in preorder.
 */
#include "diff/leaks/merged_tree.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "diff/leaks/tree_levels.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * the data of an object is prefetched this many objects before the
	 * object is processed
	 */
	AHEAD = 64,
	/* number of child nodes that are remembered; a power of two */
	RECENT = 64
};

struct merge {
	struct hp_merged_tree *m;
	const struct hp_retained *t;
	struct hp_keys *keys;
	/*
	 * for each kind of object (class and size): 1 + the index of the row
	 * with its name; 0: not known yet
	 */
	uint32_t *name_of_kind;
	struct hp_tree_levels levels;
	/*
	 * Child nodes that were found recently, see recent_child(); 0: none. An
	 * object often has children with a few names in turn.
	 */
	uint32_t recent[RECENT];
	/* index of the child node that was found last; 0: none */
	uint32_t last;
	struct hp_static_names statics;
	/* the name that name_of() found last is the name of a static field */
	bool is_static;
	struct hp_merged_wanted wanted;
	/*
	 * minimum number of bytes that a node retains; smaller nodes are
	 * removed
	 */
	uint64_t least;
	struct hp_error *err;
};

/* --- names ---------------------------------------------------------------- */

const struct hp_row *
hp_merged_kind_name(struct hp_keys *keys, struct hp_rows *names,
		    const struct hp_node_kind *kind)
{
	const struct hp_name *name;

	if (kind->of != HP_NODE_CLASS)
		return hp_key_row(names, hp_key_kind(keys, kind));
	name = hp_key_class(keys, kind->class_id);
	if (!name)
		return NULL;
	hp_buf_clear(&keys->a);
	hp_buf_printf(&keys->a, HP_ROW_CLASS "%s", name->text);
	return hp_rows_put_text(names, &keys->a);
}

enum hp_status
hp_merged_kind_names(struct hp_keys *keys, struct hp_rows *names,
		     const struct hp_node_kinds *kinds, uint32_t *row_of,
		     struct hp_error *err)
{
	for (uint32_t k = 1; k < kinds->count; k++) {
		const struct hp_row *row =
			hp_merged_kind_name(keys, names, &kinds->list[k]);

		if (!row)
			return hp_no_memory(err);
		row_of[k] = (uint32_t)row->index;
	}
	return HP_OK;
}

uint32_t *
hp_merged_classes(const struct hp_merged_tree *m, const struct hp_retained *t,
		  struct hp_keys *keys, struct hp_rows *names)
{
	uint32_t *classes = hp_calloc(m->count + (size_t)1, sizeof(*classes));

	for (uint32_t i = 1; classes && i < m->count; i++) {
		const struct hp_row *row = hp_merged_kind_name(
			keys, names,
			&t->graph.kinds.list[hp_tree_kind(&t->tree,
							  m->list[i].largest)]);

		if (!row) {
			hp_free(classes);
			return NULL;
		}
		classes[i] = (uint32_t)row->index;
	}
	return classes;
}

static enum hp_status
name_kind(struct merge *w, uint32_t kind, uint32_t *name)
{
	const struct hp_row *row;
	enum hp_status st = HP_OK;

	if (!w->name_of_kind[kind]) {
		row = hp_merged_kind_name(w->keys, w->m->names,
					  &w->t->graph.kinds.list[kind]);
		if (!row)
			return hp_no_memory(w->err);
		w->name_of_kind[kind] = (uint32_t)row->index + 1;
	}
	*name = w->name_of_kind[kind] - 1;
	return st;
}

/*
 * Find the name of the object at index @place of the dominator tree. The
 * dominator of this object belongs to the current node.
 */
static enum hp_status
name_of(struct merge *w, uint32_t place, uint32_t *name)
{
	const struct hp_class *c = NULL;
	const struct hp_row *row;
	uint32_t field = 0;

	if (w->statics.any)
		field = hp_static_names_field(&w->statics, place, &c);
	w->is_static = c;
	if (!c)
		return name_kind(w, hp_tree_kind(&w->t->tree, place), name);
	row = hp_merged_static_name(w->keys, w->m->names, c,
				    &c->statics[field]);
	if (!row)
		return hp_no_memory(w->err);
	*name = (uint32_t)row->index;
	return HP_OK;
}

/* --- merging -------------------------------------------------------------- */

/* Append a new node to the tree. Returns its index, or 0 if out of memory. */
static uint32_t
new_node(struct merge *w, uint32_t parent, uint32_t name)
{
	struct hp_merged_tree *m = w->m;

	if (!HP_LIST_RESERVE(m->list, m->count, m->cap))
		return 0;
	m->list[m->count] = (struct hp_merged_node){
		.name = name,
		.parent = parent,
		.number = m->count ? hp_tree_levels_number(&w->levels, parent)
				   : 0,
		.depth = m->count ? m->list[parent].depth + 1 : 0};
	return m->count++;
}

static uint32_t *
recent_child(struct merge *w, uint32_t parent, uint32_t name)
{
	return &w->recent[(parent * 31 + name) % RECENT];
}

/*
 * Find or create the child of @parent with the name @name. Returns its index,
 * or 0 if out of memory.
 */
static uint32_t
child_of(struct merge *w, uint32_t parent, uint32_t name)
{
	uint32_t *recent = recent_child(w, parent, name);
	const struct hp_merged_node *n = &w->m->list[*recent];
	uint64_t *slot;
	bool fresh;

	if (*recent != 0 && n->name == name && n->parent == parent)
		return w->last = *recent;
	slot = hp_tree_levels_child(&w->levels, parent, name, &fresh);
	if (!slot)
		return 0;
	if (fresh)
		*slot = new_node(w, parent, name);
	return w->last = *recent = (uint32_t)*slot;
}

/*
 * Returns which of the wanted objects have an index in [@begin, @end) of the
 * dominator tree, one bit for each.
 */
static uint32_t
wanted_in(const struct merge *w, uint32_t begin, uint32_t end)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < w->wanted.count; i++)
		if (w->wanted.places[i] >= begin && w->wanted.places[i] < end)
			bits |= (uint32_t)1 << i;
	return bits;
}

/*
 * Find out whether the object at index @a of the dominator tree comes before
 * the one at @b, if both are equally large: the name of its class comes first,
 * or both have one class, and its id is smaller. The nodes of the graph are
 * sorted by id.
 */
static enum hp_status
comes_first(struct merge *w, uint32_t a, uint32_t b, bool *first)
{
	const uint32_t *nodes = w->t->tree.nodes.at;
	uint32_t of_a = hp_tree_kind(&w->t->tree, a);
	uint32_t of_b = hp_tree_kind(&w->t->tree, b);
	uint32_t x = 0, y = 0;
	enum hp_status st = HP_OK;

	if (of_a != of_b)
		st = name_kind(w, of_a, &x);
	if (of_a != of_b && st == HP_OK)
		st = name_kind(w, of_b, &y);
	*first = x != y ? strcmp(w->m->names->list[x]->key,
				 w->m->names->list[y]->key) < 0
			: nodes[a] < nodes[b];
	return st;
}

static enum hp_status
add_member(struct merge *w, uint32_t parent, uint32_t name, uint32_t place)
{
	const struct hp_graph_sum sum = hp_retained_sum(w->t, place);
	struct hp_merged_node *n;
	uint32_t index = child_of(w, parent, name);
	enum hp_status st = HP_OK;
	bool first;

	if (index == 0)
		return hp_no_memory(w->err);
	n = &w->m->list[index];
	hp_tree_levels_add(&w->levels, &w->levels.below, place, n->number);
	n->is_static = w->is_static;
	n->members++;
	n->sum.objects += sum.objects;
	n->sum.bytes += sum.bytes;
	first = n->largest == 0 || sum.bytes > n->largest_bytes;
	if (!first && sum.bytes == n->largest_bytes)
		st = comes_first(w, place, n->largest, &first);
	if (first) {
		n->largest = place;
		n->largest_bytes = sum.bytes;
	}
	return st;
}

HP_HOT void
fetch(const struct merge *w, uint32_t place)
{
	hp_tree_prefetch_end(&w->t->tree, place);
	/* comes_first() reads it, because many objects are equally large */
	__builtin_prefetch((const uint32_t *)w->t->tree.nodes.at + place);
	hp_tree_prefetch_kind(&w->t->tree, place);
}

/*
 * The object at index @place of the dominator tree belongs to the node @index.
 * Add the children of this object to the children of the node.
 */
static enum hp_status
merge_below(void *ctx, uint32_t index, uint32_t place)
{
	struct merge *w = ctx;
	uint32_t end =
		place ? hp_tree_end(&w->t->tree, place) : w->t->tree.count;
	enum hp_status st = hp_static_names_enter(&w->statics, place, w->err);
	uint32_t own = UINT32_MAX - 1, name = 0;
	bool any = wanted_in(w, place + 1, end) != 0;

	/*
	 * find the class name of the node, because the names of its children
	 * are compared with it; the node itself may be named after a static
	 * field
	 */
	if (st == HP_OK && place != 0)
		st = name_kind(w, hp_tree_kind(&w->t->tree, place), &own);

	for (uint32_t c = place + 1; c < end && st == HP_OK;
	     c = hp_tree_end(&w->t->tree, c)) {
		fetch(w, c + AHEAD);
		st = name_of(w, c, &name);
		if (st != HP_OK)
			break;
		if (name == own)
			hp_tree_levels_add(&w->levels, &w->levels.level, c,
					   w->m->list[index].number);
		else
			st = add_member(w, index, name, c);
		if (any && name != own && st == HP_OK)
			w->m->list[w->last].wanted |=
				wanted_in(w, c, hp_tree_end(&w->t->tree, c));
	}
	return st;
}

static void
begin_nodes(void *ctx, uint32_t begin, uint32_t end)
{
	struct merge *w = ctx;

	(void)begin;
	(void)end;
	memset(w->recent, 0, sizeof(w->recent));
}

static int
by_parent(const void *a, const void *b)
{
	const struct hp_merged_node *x = a, *y = b;

	if (x->parent != y->parent)
		return hp_order(x->parent, y->parent);
	return hp_order(x->number, y->number);
}

/*
 * Sort the children that were found by their parents, and remove those that
 * retain too little and contain no wanted object.
 */
static void
keep_children(void *ctx, uint32_t begin, uint32_t end, uint32_t first)
{
	struct merge *w = ctx;
	struct hp_merged_tree *m = w->m;
	uint32_t kept = first;

	(void)begin;
	(void)end;
	if (m->count > kept)
		qsort(m->list + kept, m->count - kept, sizeof(*m->list),
		      by_parent);
	for (uint32_t i = kept; i < m->count; i++) {
		const struct hp_merged_node *n = &m->list[i];

		if (n->sum.bytes < w->least && !n->wanted)
			continue;
		hp_tree_levels_keep(&w->levels, n->number, kept);
		m->list[kept++] = *n;
	}
	m->count = kept;
}

static const struct hp_tree_levels_ops levels_ops = {
	.begin = begin_nodes, .expand = merge_below, .keep = keep_children};

enum hp_status
hp_merged_tree_build(struct hp_merged_tree *m, struct hp_retained *t,
		     struct hp_keys *keys, struct hp_rows *names,
		     uint64_t share, struct hp_merged_wanted wanted,
		     struct hp_error *err)
{
	struct merge w = {
		.m = m, .t = t, .keys = keys, .wanted = wanted, .err = err};
	struct hp_big_array numbers = {0};
	enum hp_status st;

	*m = (struct hp_merged_tree){.names = names};
	w.least = t->tree.reachable.bytes / share + 1;
	w.name_of_kind =
		hp_calloc(t->graph.kinds.count + 1, sizeof(*w.name_of_kind));
	st = hp_static_names_init(&w.statics, t, keys, err);
	if (st == HP_OK)
		st = hp_big_array_make(t->tree.memory, &numbers,
				       4 * (uint64_t)t->tree.count,
				       HP_BIG_IN_ORDER, err);
	w.levels = (struct hp_tree_levels){.tree = &t->tree,
					   .numbers = numbers.at};
	new_node(&w, 0, UINT32_MAX);
	if (st == HP_OK && (!m->list || !w.name_of_kind))
		st = hp_no_memory(w.err);
	if (st == HP_OK)
		m->list[0].sum = t->tree.reachable;
	if (st == HP_OK)
		st = hp_tree_levels_run(&w.levels, &m->count, HP_MERGED_DEPTH,
					&levels_ops, &w, err);
	/* most children were removed, so the list is too long */
	if (st == HP_OK &&
	    !hp_list_resize(&m->list, &m->cap, m->count, sizeof(*m->list)))
		st = hp_no_memory(err);
	hp_big_array_drop(t->tree.memory, &numbers);
	hp_static_names_release(&w.statics);
	hp_free(w.name_of_kind);
	return st;
}

void
hp_merged_tree_release(struct hp_merged_tree *m)
{
	hp_free(m->list);
	*m = (struct hp_merged_tree){0};
}
