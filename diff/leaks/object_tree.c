/*
 * object_tree.c - build the tree of large objects, level by level from the root
 *
 * The full dominator tree is an array of objects in preorder; the place of an
 * object is its index in this array. The objects that belong to one container
 * have consecutive places, so one loop over places finds the parts and the
 * children of an object.
 *
 * tree_levels.c visits the objects of a level. An item that retains too little
 * is removed as soon as all children of its parent are known.
 */
#include "diff/leaks/object_tree.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "diff/leaks/merged_tree.h"
#include "diff/leaks/tree_levels.h"

#include <stdlib.h>

enum {
	/*
	 * the data of an object is prefetched this many objects before the
	 * object is processed
	 */
	AHEAD = 32,
	/*
	 * an object that retains at least 1/SHARE_SINGLE of the heap is large:
	 * it is an item of its own
	 */
	SHARE_SINGLE = 1 << 12,
	/* items that retain less than 1/SHARE_ITEM of the heap are left out */
	SHARE_ITEM = 1 << 14,
};

struct build {
	struct hp_object_tree *o;
	struct hp_retained *t;
	struct hp_object_kinds *kinds;
	struct hp_object_names *names;
	struct hp_tree_levels levels;
	struct hp_static_names statics;
	/*
	 * single: an object that retains at least this many bytes is an item of
	 * its own. least: items that retain fewer bytes are removed.
	 */
	uint64_t single, least;
	struct hp_error *err;
	/* the places that expand_object() reads ahead */
	struct hp_tree_window window;
};

void
hp_object_names_init(struct hp_object_names *n)
{
	*n = (struct hp_object_names){0};
	hp_rows_init(&n->rows, 1);
}

void
hp_object_names_release(struct hp_object_names *n)
{
	hp_rows_release(&n->rows);
	hp_id_map_release(&n->by_pair);
	hp_free(n->list);
	*n = (struct hp_object_names){0};
}

/* --- names ---------------------------------------------------------------- */

static enum hp_status
put_name(struct build *w, uint32_t via, uint32_t class_row, uint32_t *name)
{
	struct hp_object_names *n = w->names;
	uint64_t *slot;
	bool fresh;

	slot = hp_id_map_put(&n->by_pair, (uint64_t)via << 32 | class_row,
			     &fresh);
	if (!slot || (fresh && !HP_LIST_RESERVE(n->list, n->count, n->cap)))
		return hp_no_memory(w->err);
	if (fresh) {
		*slot = n->count;
		n->list[n->count++] = (struct hp_object_name){via, class_row};
	}
	*name = (uint32_t)*slot;
	return HP_OK;
}

/*
 * Returns the row with the name of the field by which the instance at index
 * @above of the dominator tree refers to the object at @place.
 */
static const struct hp_row *
field_of(struct build *w, uint32_t above, uint32_t place, bool *failed)
{
	const uint32_t *nodes = w->t->tree.nodes.at;
	const struct hp_object_kind *k = hp_object_kind_at(w->kinds, above);
	const struct hp_row *row;
	uint32_t field;

	if (!k->class || k->is & (HP_OBJECT_CLASS | HP_OBJECT_PART))
		return NULL;
	field = hp_object_field(w->kinds, nodes[above], nodes[place]);
	if (field == 0 || hp_object_role(w->kinds, field) == HP_FIELD_ELEMENT)
		return NULL;
	row = hp_object_field_name(w->kinds, field);
	*failed = !row;
	return row;
}

/*
 * Find the name of the object at index @place of the dominator tree: its class,
 * and the field by which its dominator refers to it.
 */
static enum hp_status
name_of(struct build *w, uint32_t place, uint32_t *name, bool *is_static)
{
	uint32_t above = hp_tree_parent(&w->t->tree, place);
	const struct hp_class *c = NULL;
	const struct hp_row *row = NULL;
	uint32_t field = 0;
	bool failed = false;

	if (above == 0 || w->statics.class)
		field = hp_static_names_field(&w->statics, place, &c);
	*is_static = c;
	if (c) {
		row = hp_merged_static_name(w->kinds->keys, &w->names->rows, c,
					    &c->statics[field]);
		failed = !row;
	} else if (above != 0) {
		row = field_of(w, above, place, &failed);
	}
	if (failed)
		return hp_no_memory(w->err);
	return put_name(w, row ? (uint32_t)row->index + 1 : 0,
			hp_object_kind_at(w->kinds, place)->row, name);
}

/* --- items ---------------------------------------------------------------- */

static uint32_t
new_item(struct build *w, uint32_t parent, uint32_t name, uint32_t place)
{
	struct hp_object_tree *o = w->o;

	if (!HP_LIST_RESERVE(o->list, o->count, o->cap))
		return 0;
	o->list[o->count] = (struct hp_object_item){
		.name = name,
		.parent = parent,
		.number = o->count ? hp_tree_levels_number(&w->levels, parent)
				   : 0,
		.place = place,
		.is = place ? hp_object_kind_at(w->kinds, place)->is : 0,
		.depth = o->count ? o->list[parent].depth + 1 : 0};
	return o->count++;
}

static uint32_t
item_for(struct build *w, uint32_t parent, uint32_t name, uint32_t place,
	 uint64_t bytes)
{
	uint64_t *slot;
	uint32_t index;
	bool fresh;

	if (bytes >= w->single) {
		index = new_item(w, parent, name, place);
		if (index)
			w->o->list[index].is_single = true;
		return index;
	}
	slot = hp_tree_levels_child(&w->levels, parent, name, &fresh);
	if (!slot)
		return 0;
	if (fresh)
		*slot = new_item(w, parent, name, place);
	return (uint32_t)*slot;
}

static struct hp_held
held_by(const struct build *w, uint32_t place)
{
	const struct hp_graph_sum sum = hp_retained_sum(w->t, place);

	return (struct hp_held){.objects = sum.objects,
				.bytes = sum.bytes,
				.native = hp_retained_native(w->t, place)};
}

static enum hp_status
add_child(struct build *w, uint32_t parent, uint32_t place)
{
	const struct hp_held sum = held_by(w, place);
	uint64_t bytes = hp_held_bytes(&sum);
	uint32_t name = 0, index;
	struct hp_object_item *i;
	bool is_static;
	enum hp_status st = name_of(w, place, &name, &is_static);

	if (st != HP_OK)
		return st;
	index = item_for(w, parent, name, place, bytes);
	if (index == 0)
		return hp_no_memory(w->err);
	i = &w->o->list[index];
	i->is_static = is_static;
	i->members++;
	hp_held_add(&i->sum, &sum);
	if (bytes > i->largest_bytes) {
		i->place = place;
		i->largest_bytes = bytes;
	}
	if (i->head == 0)
		i->head = place;
	i->tail = place;
	hp_tree_levels_add(&w->levels, &w->levels.below, place, i->number);
	return HP_OK;
}

static uint64_t
count_references(const struct build *w, uint32_t place)
{
	const struct hp_edges *edges = &w->t->graph.edges;
	uint32_t node = ((const uint32_t *)w->t->tree.nodes.at)[place];
	struct hp_edge_reader r = {.base = node};
	uint64_t n = 0;

	hp_edge_kind(edges, node, &r.at);
	while (r.at != 0 && hp_edge_next(edges->lists.at, &r) != HP_EDGE_END)
		n++;
	return n;
}

/* Count the keys in an array that contains keys and values alternately. */
static uint64_t
count_pairs(const struct build *w, uint32_t place)
{
	struct hp_pair_reader r;
	uint32_t kind;
	uint64_t n = 0;
	bool is_key;

	hp_pairs_begin(&r, w->kinds,
		       ((const uint32_t *)w->t->tree.nodes.at)[place]);
	while (hp_pairs_next(&r, &kind, &is_key))
		n += is_key;
	return n;
}

/*
 * If @i is one container, count the references from one of its internal parts
 * to elements. Otherwise do nothing. @place: index of the part in the
 * dominator tree.
 */
static void
count_part(struct build *w, struct hp_object_item *i, uint32_t place)
{
	unsigned is = hp_object_kind_at(w->kinds, place)->is;
	uint64_t at;

	if (!hp_object_is_one(i))
		return;
	if (is & HP_OBJECT_ENTRY) {
		hp_edge_kind(&w->t->graph.edges,
			     ((const uint32_t *)w->t->tree.nodes.at)[place],
			     &at);
		i->entries += at != 0;
	} else if (is & HP_OBJECT_ARRAY &&
		   hp_object_in_pairs(w->kinds, place)) {
		i->entries += count_pairs(w, place);
	} else if (is & HP_OBJECT_ARRAY && !(is & HP_OBJECT_PARTS)) {
		i->slots += count_references(w, place);
	}
}

/*
 * Whether the object at index @place of the dominator tree can be left out,
 * because it retains too little and is not a part of a container. Children of
 * the root and of items of one object are never left out.
 */
static bool
is_trifle(const struct build *w, uint32_t index, uint32_t above, uint32_t place)
{
	const struct hp_object_kind *k = hp_object_kind_at(w->kinds, place);
	struct hp_held sum;

	if (hp_tree_objects(&w->t->tree, place) != 1 ||
	    k->is & (HP_OBJECT_ARRAY | HP_OBJECT_ENTRY) || index == 0 ||
	    hp_object_is_one(&w->o->list[index]))
		return false;
	if (k->class && k->class == hp_object_kind_at(w->kinds, above)->class)
		return false;
	sum = held_by(w, place);
	return hp_held_bytes(&sum) < w->single;
}

HP_HOT void
fetch(const struct build *w, uint32_t place)
{
	hp_tree_prefetch_end(&w->t->tree, place);
	hp_tree_prefetch_kind(&w->t->tree, place);
	hp_tree_prefetch_parent(&w->t->tree, place);
}

/*
 * For one object of an item, find its parts, and find or create the items of
 * its children.
 */
static enum hp_status
expand_object(void *ctx, uint32_t index, uint32_t object)
{
	struct build *w = ctx;
	const struct hp_tree *t = &w->t->tree;
	uint32_t end = object ? hp_tree_end(t, object) : t->count;
	uint32_t p = object + 1, above;
	enum hp_status st = hp_static_names_enter(&w->statics, object, w->err);

	if (object != 0)
		count_part(w, &w->o->list[index], object);
	while (p < end && st == HP_OK) {
		hp_tree_ahead(&w->window, t, p);
		fetch(w, p + AHEAD);
		above = hp_tree_parent(t, p);
		if (is_trifle(w, index, above, p)) {
			p++;
		} else if (hp_object_is_next(w->kinds, p, above)) {
			w->o->list[index].is_list = true;
			w->o->list[index].nodes++;
			p++;
		} else if (hp_object_is_part(w->kinds, p, above)) {
			count_part(w, &w->o->list[index], p++);
		} else {
			st = add_child(w, index, p);
			p = hp_tree_end(t, p);
		}
	}
	return st;
}

/* --- levels --------------------------------------------------------------- */

static int
by_parent_and_name(const void *a, const void *b)
{
	const struct hp_object_item *x = a, *y = b;
	uint64_t of_x = hp_held_bytes(&x->sum), of_y = hp_held_bytes(&y->sum);

	if (x->parent != y->parent)
		return hp_order(x->parent, y->parent);
	if (x->name != y->name)
		return hp_order(x->name, y->name);
	if (x->is_single != y->is_single)
		return x->is_single ? -1 : 1;
	if (of_x != of_y)
		return hp_order(of_y, of_x);
	return hp_order(x->place, y->place);
}

/*
 * Prepare the search for the parts of an item. A large object that retains only
 * itself is its own only part.
 */
static void
begin_item(struct build *w, struct hp_object_item *i)
{
	i->entries = i->slots = i->nodes = 0;
	if (i->is_single && hp_tree_objects(&w->t->tree, i->place) == 1)
		count_part(w, i, i->place);
}

static void
begin_items(void *ctx, uint32_t begin, uint32_t end)
{
	struct build *w = ctx;

	for (uint32_t i = begin; i < end; i++)
		begin_item(w, &w->o->list[i]);
}

/*
 * Sort the children of the items from @begin to @end - 1, and remove those that
 * retain too little. If large and small objects have the same name, the item of
 * the small objects is kept, so that the number of objects with this name is
 * exact.
 */
static void
keep_children(void *ctx, uint32_t begin, uint32_t end, uint32_t next)
{
	struct build *w = ctx;
	struct hp_object_tree *o = w->o;
	uint32_t kept = next;

	if (o->count > next)
		qsort(o->list + next, o->count - next, sizeof(*o->list),
		      by_parent_and_name);
	for (uint32_t parent = begin; parent < end; parent++) {
		uint32_t first = kept;

		for (; next < o->count && o->list[next].parent == parent;
		     next++) {
			const struct hp_object_item *i = &o->list[next];

			if (hp_held_bytes(&i->sum) < w->least &&
			    (kept == first ||
			     o->list[kept - 1].name != i->name))
				continue;
			hp_tree_levels_keep(&w->levels, i->number, kept);
			o->list[kept++] = *i;
		}
		o->list[parent].child = first;
		o->list[parent].nchildren = kept - first;
	}
	o->count = kept;
}

static const struct hp_tree_levels_ops levels_ops = {
	.begin = begin_items, .expand = expand_object, .keep = keep_children};

uint32_t
hp_object_member(const struct hp_object_tree *o, uint32_t item, uint32_t after)
{
	const struct hp_object_item *i = &o->list[item];
	const uint32_t *numbers = o->numbers.at;
	uint32_t place = after ? hp_tree_end(o->tree, after) : i->head;

	/*
	 * Items that were found after the parent do not contain objects of
	 * this item, unless they are this item.
	 */
	while (place <= i->tail && numbers[place] != i->number)
		place = numbers[place] > o->list[i->parent].number
				? hp_tree_end(o->tree, place)
				: place + 1;
	return place <= i->tail ? place : 0;
}

/* --- ids ------------------------------------------------------------------ */

static enum hp_status
find_ids(struct build *w)
{
	struct hp_object_tree *o = w->o;
	uint32_t *places = hp_calloc(o->count, sizeof(*places));
	uint64_t *ids = hp_calloc(o->count, sizeof(*ids));
	enum hp_status st = places && ids ? HP_OK : hp_no_memory(w->err);

	for (uint32_t i = 1; st == HP_OK && i < o->count; i++)
		places[i] = o->list[i].place;
	if (st == HP_OK)
		st = hp_retained_ids(w->t, places + 1, o->count - 1, ids + 1,
				     w->err);
	for (uint32_t i = 1; st == HP_OK && i < o->count; i++)
		o->list[i].id = ids[i];
	hp_free(places);
	hp_free(ids);
	return st;
}

static enum hp_status
count_classes(struct build *w)
{
	uint32_t n = w->t->graph.kinds.count;
	uint64_t *counts = hp_calloc(n + (size_t)1, sizeof(*counts));
	enum hp_status st = counts ? HP_OK : hp_no_memory(w->err);
	struct hp_tree_window window = {.only = HP_TREE_KINDS};

	for (uint32_t p = 1; counts && p < w->t->tree.count; p++) {
		hp_tree_ahead(&window, &w->t->tree, p);
		counts[hp_tree_kind(&w->t->tree, p)]++;
	}
	for (uint32_t k = 1; st == HP_OK && k < n; k++) {
		uint64_t *slot = hp_id_map_put(
			&w->o->counts, (uint64_t)w->kinds->list[k].row + 1,
			NULL);

		if (slot)
			*slot += counts[k];
		else
			st = hp_no_memory(w->err);
	}
	hp_free(counts);
	return st;
}

enum hp_status
hp_object_tree_build(struct hp_object_tree *o, struct hp_retained *t,
		     struct hp_object_kinds *kinds,
		     struct hp_object_names *names, struct hp_error *err)
{
	struct build w = {.o = o,
			  .t = t,
			  .kinds = kinds,
			  .names = names,
			  .single = t->tree.reachable.bytes / SHARE_SINGLE + 1,
			  .least = t->tree.reachable.bytes / SHARE_ITEM + 1,
			  .err = err};
	enum hp_status st;

	*o = (struct hp_object_tree){.tree = &t->tree};
	st = hp_static_names_init(&w.statics, t, kinds->keys, err);
	if (st == HP_OK)
		st = hp_big_array_make(t->tree.memory, &o->numbers,
				       4 * (uint64_t)t->tree.count,
				       HP_BIG_IN_ORDER, err);
	new_item(&w, 0, UINT32_MAX, 0);
	if (st == HP_OK && !o->list)
		st = hp_no_memory(err);
	if (st == HP_OK) {
		o->list[0].sum = (struct hp_held){
			t->tree.reachable.objects + t->tree.waiting.objects,
			t->tree.reachable.bytes + t->tree.waiting.bytes,
			hp_native_owners_sum(&t->native, 0, t->tree.count)};
		o->list[0].members = 1;
	}
	w.levels = (struct hp_tree_levels){.tree = &t->tree,
					   .numbers = o->numbers.at};
	if (st == HP_OK)
		st = hp_tree_levels_run(&w.levels, &o->count, HP_OBJECT_DEPTH,
					&levels_ops, &w, err);
	/* most children were removed, so the list is too long */
	if (st == HP_OK &&
	    !hp_list_resize(&o->list, &o->cap, o->count, sizeof(*o->list)))
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = find_ids(&w);
	if (st == HP_OK)
		st = count_classes(&w);
	hp_static_names_release(&w.statics);
	return st;
}

void
hp_object_tree_trim(struct hp_object_tree *o)
{
	if (o->tree)
		hp_big_array_drop(o->tree->memory, &o->numbers);
	o->tree = NULL;
}

void
hp_object_tree_release(struct hp_object_tree *o)
{
	hp_object_tree_trim(o);
	hp_free(o->list);
	hp_id_map_release(&o->counts);
	*o = (struct hp_object_tree){0};
}
