/*
 * object_match.c - find the items (large objects) of one dump in an earlier
 * dump, from the root down
 *
 * There are two passes. The first pass matches items whose parents are matched,
 * and items that are certainly the same object. The second pass also guesses:
 * it matches objects with different parents that have the same class and about
 * the same size. It comes last, so that a guess never uses an object that has a
 * better match.
 *
 * The result must not depend on how items are numbered, because this depends on
 * the addresses of all objects. So whenever several items would do, sizes,
 * names and at last the ids of these items decide.
 */
#include "diff/leaks/object_tree.h"
#include "common/base/memory.h"
#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

/* two sizes are similar if they differ by less than 1/50 */
enum { SIMILAR_PARTS = 50 };

struct match {
	struct hp_object_match *m;
	const struct hp_object_names *names;
	/*
	 * for the items of the first dump that are a single object: maps the
	 * object id to the item
	 */
	struct hp_id_map by_id;
	/*
	 * maps the name of a static field to the only item of the first dump
	 * with this name; 0: several items have it
	 */
	struct hp_id_map statics;
	/*
	 * for the items of the last dump that are the single object of a static
	 * field: maps the object id to the item
	 */
	struct hp_id_map now_by_id;
	/*
	 * For both trees: the indexes of all items. Among single objects with
	 * the same parent, name and size, the one with the smallest id comes
	 * first. Otherwise the order is that of the items.
	 */
	uint32_t *was, *is;
	/*
	 * the indexes of the items of the last dump, sorted by depth, by size
	 * (the largest first), by name and by id
	 */
	uint32_t *turns;
	uint32_t *scratch; /* as many numbers as the larger tree has items */
	uint64_t limit;
	struct hp_error *err;
};

/*
 * A run: consecutive items of a tree that have the same parent and the same
 * name. Items that are a single large object come first in the run.
 */
struct run {
	/*
	 * Indexes of items. begin: the first item of the run. singles: the
	 * first item that is not a single object. end: the first item after the
	 * run.
	 */
	uint32_t begin, singles, end;
};

static struct run
run_at(const struct hp_object_tree *o, uint32_t begin, uint32_t end)
{
	struct run r = {begin, begin, begin};

	while (r.end < end && o->list[r.end].name == o->list[begin].name)
		r.singles += o->list[r.end++].is_single;
	return r;
}

static uint32_t
class_of(const struct match *x, const struct hp_object_item *i)
{
	return x->names->list[i->name].class_row;
}

static void
pair(struct match *x, uint32_t last, uint32_t first, double share)
{
	x->m->to[last] = first;
	x->m->share[last] = share;
	x->m->is_found[first] = true;
}

static bool
is_free(const struct match *x, uint32_t first)
{
	return !x->m->is_found[first];
}

/* --- the order of items --------------------------------------------------- */

/* The items of one tree, for comparison functions. */
struct sorting {
	const struct hp_object_item *list;
	const struct hp_object_names *names;
};

static const char *
text_of(const struct hp_object_names *n, uint32_t row)
{
	return n->rows.list[row]->key;
}

int
hp_object_names_compare(const struct hp_object_names *n, uint32_t x, uint32_t y)
{
	const struct hp_object_name *a = &n->list[x], *b = &n->list[y];
	int order = strcmp(text_of(n, a->class_row), text_of(n, b->class_row));

	if (order != 0 || a->via == b->via)
		return order;
	return strcmp(a->via ? text_of(n, a->via - 1) : "",
		      b->via ? text_of(n, b->via - 1) : "");
}

static int
by_id(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;

	return hp_order(s->list[*(const uint32_t *)a].id,
			s->list[*(const uint32_t *)b].id);
}

static int
by_size(const struct hp_object_item *x, const struct hp_object_item *y)
{
	return hp_order(hp_held_bytes(&y->sum), hp_held_bytes(&x->sum));
}

static int
by_name_size_id(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	const struct hp_object_item *x = &s->list[*(const uint32_t *)a];
	const struct hp_object_item *y = &s->list[*(const uint32_t *)b];
	int order =
		x->name == y->name
			? 0
			: hp_object_names_compare(s->names, x->name, y->name);

	if (order == 0)
		order = by_size(x, y);
	return order ? order : by_id(a, b, context);
}

static int
by_turn(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	const struct hp_object_item *x = &s->list[*(const uint32_t *)a];
	const struct hp_object_item *y = &s->list[*(const uint32_t *)b];
	int order = hp_order(x->depth, y->depth);

	if (order == 0)
		order = by_size(x, y);
	return order ? order : by_name_size_id(a, b, context);
}

static bool
are_equal(const struct hp_object_item *x, const struct hp_object_item *y)
{
	return x->is_single && y->is_single && x->parent == y->parent &&
	       x->name == y->name &&
	       hp_held_bytes(&x->sum) == hp_held_bytes(&y->sum);
}

/* Returns the indexes of all items of a tree, or NULL if out of memory. */
static uint32_t *
order_items(const struct match *x, const struct hp_object_tree *o)
{
	struct sorting s = {o->list, x->names};
	uint32_t *order = hp_calloc(o->count + (size_t)1, sizeof(*order));
	uint32_t end;

	for (uint32_t i = 0; order && i < o->count; i++)
		order[i] = i;
	for (uint32_t i = 1; order && i < o->count; i = end) {
		for (end = i + 1; end < o->count; end++)
			if (!are_equal(&o->list[i], &o->list[end]))
				break;
		if (end - i > 1)
			qsort_r(order + i, end - i, sizeof(*order), by_id, &s);
	}
	return order;
}

static enum hp_status
find_order(struct match *x)
{
	const struct hp_object_tree *first = x->m->first, *last = x->m->last;
	struct sorting s = {last->list, x->names};
	uint32_t most = first->count > last->count ? first->count : last->count;

	x->was = order_items(x, first);
	x->is = order_items(x, last);
	x->turns = hp_calloc(last->count + (size_t)1, sizeof(*x->turns));
	x->scratch = hp_calloc(most + (size_t)1, sizeof(*x->scratch));
	if (!x->was || !x->is || !x->turns || !x->scratch)
		return hp_no_memory(x->err);
	for (uint32_t i = 0; i < last->count; i++)
		x->turns[i] = i;
	if (last->count > 1)
		qsort_r(x->turns + 1, last->count - 1, sizeof(*x->turns),
			by_turn, &s);
	return HP_OK;
}

/* --- items with the same parent and name ---------------------------------- */

/*
 * Whether @first and @last are the objects of two different static fields, and
 * have the same class. It is known that their ids are equal.
 */
static bool
is_in_other_field(const struct match *x, uint32_t first, uint32_t last)
{
	const struct hp_object_item *was = &x->m->first->list[first];
	const struct hp_object_item *is = &x->m->last->list[last];

	return was->is_static && is->is_static && was->name != is->name &&
	       class_of(x, was) == class_of(x, is);
}

/*
 * Whether the item @last is an object to which another static field referred
 * in the first dump. Then it is not matched with the object to which its own
 * field referred then.
 */
static bool
came_from_field(const struct match *x, uint32_t last)
{
	const struct hp_object_item *item = &x->m->last->list[last];
	const uint64_t *first;

	if (!x->m->stable || !item->is_single || !item->is_static)
		return false;
	first = hp_id_map_get(&x->by_id, item->id);
	return first && is_in_other_field(x, (uint32_t)*first, last);
}

/* Whether another static field refers to the object of the item @first now. */
static bool
went_to_field(const struct match *x, uint32_t first)
{
	const struct hp_object_item *item = &x->m->first->list[first];
	const uint64_t *last;

	if (!x->m->stable || !item->is_single || !item->is_static)
		return false;
	last = hp_id_map_get(&x->now_by_id, item->id);
	return last && is_in_other_field(x, first, (uint32_t)*last);
}

static void
pair_by_id(struct match *x, struct run last, struct run first, double share)
{
	for (uint32_t i = last.begin; i < last.singles; i++) {
		const uint64_t *found =
			hp_id_map_get(&x->by_id, x->m->last->list[i].id);

		if (found && *found >= first.begin && *found < first.singles &&
		    x->m->to[i] == 0 && is_free(x, (uint32_t)*found))
			pair(x, i, (uint32_t)*found, share);
	}
}

/*
 * Whether two sizes are equal. If @similar is true, they may also differ by
 * less than 1/50.
 */
static bool
is_size(uint64_t a, uint64_t b, bool similar)
{
	uint64_t difference = hp_difference(a, b);

	return similar ? difference <= (a > b ? b : a) / SIMILAR_PARTS
		       : difference == 0;
}

/*
 * Match the single objects of two runs (items with the same parent and name) by
 * size. @last: a run of the last dump; @first: a run of the first dump. Both
 * runs are sorted by size, largest first. @share: the member `share` of struct
 * hp_object_match for the matched items.
 */
static void
pair_by_size(struct match *x, struct run last, struct run first, double share,
	     bool similar)
{
	uint32_t i = last.begin, j = first.begin;

	while (i < last.singles && j < first.singles) {
		uint32_t is = x->is[i], was = x->was[j];
		uint64_t a = hp_held_bytes(&x->m->last->list[is].sum);
		uint64_t b = hp_held_bytes(&x->m->first->list[was].sum);

		if (x->m->to[is] != 0 || came_from_field(x, is)) {
			i++;
		} else if (!is_free(x, was) || went_to_field(x, was)) {
			j++;
		} else if (is_size(a, b, similar)) {
			pair(x, is, was, share);
			i++;
			j++;
		} else if (a > b) {
			i++;
		} else {
			j++;
		}
	}
}

static void
pair_by_order(struct match *x, struct run last, struct run first, double share)
{
	uint32_t i = last.begin, j = first.begin;

	for (; i < last.singles && j < first.singles; i++) {
		uint32_t is = x->is[i];

		if (x->m->to[is] != 0 || came_from_field(x, is))
			continue;
		while (j < first.singles &&
		       (!is_free(x, x->was[j]) || went_to_field(x, x->was[j])))
			j++;
		if (j < first.singles)
			pair(x, is, x->was[j], share);
	}
}

/*
 * Match objects that were large in the first dump and are small in the last
 * one. If the heap grows, an object can become small without shrinking, because
 * the limit for large objects is a share of the heap. @first: large objects of
 * the first dump with the same parent and name. At most @most of them, the
 * smallest first, are matched with @small, which stands for all small objects
 * of that name in the last dump.
 */
static void
pair_fallen(struct match *x, uint32_t small, struct run first, uint32_t most,
	    double share)
{
	for (uint32_t j = first.singles; j > first.begin; j--) {
		uint32_t was = x->was[j - 1];
		struct hp_held part;

		if (x->m->fell[small] == most)
			return;
		if (!is_free(x, was) || went_to_field(x, was))
			continue;
		x->m->is_found[was] = true;
		x->m->fell[small]++;
		part = hp_held_part(&x->m->first->list[was].sum, share, 0);
		hp_held_add(&x->m->moved[small], &part);
	}
}

/*
 * In each of two runs (items with the same parent and name), one item stands
 * for all small objects; match these two items. If the last dump has fewer
 * small objects, some objects may have become large. So large objects without a
 * match are also matched with the small objects of the first dump. The average
 * size of these small objects counts as the old size of each large object.
 */
static void
pair_small(struct match *x, struct run last, struct run first, double share)
{
	const struct hp_object_item *l = x->m->last->list;
	const struct hp_object_item *f = x->m->first->list;
	uint32_t was = first.end > first.singles ? f[first.singles].members : 0;
	uint32_t is = last.end > last.singles ? l[last.singles].members : 0;
	uint32_t rose = 0;

	for (uint32_t i = last.begin; i < last.singles; i++)
		rose += was > 0 && x->m->to[i] == first.singles;
	for (uint32_t i = last.begin; i < last.singles && rose + is < was; i++)
		if (x->m->to[x->is[i]] == 0 && !came_from_field(x, x->is[i])) {
			pair(x, x->is[i], first.singles, share / was);
			rose++;
		}
	if (was > 0 && is > 0)
		pair(x, last.singles, first.singles,
		     share * (was - rose) / was);
	if (is > was)
		pair_fallen(x, last.singles, first, is - was, share);
}

static void
pair_runs(struct match *x, struct run last, struct run first, double share)
{
	if (x->m->stable)
		pair_by_id(x, last, first, share);
	pair_by_size(x, last, first, share, false);
	pair_by_size(x, last, first, share, true);
	pair_by_order(x, last, first, share);
	pair_small(x, last, first, share);
}

/*
 * Match the children of an item of the last dump with the children of the
 * corresponding item of the first dump. Both lists of children are sorted by
 * name.
 */
static void
pair_children(struct match *x, uint32_t item)
{
	const struct hp_object_tree *last = x->m->last, *first = x->m->first;
	const struct hp_object_item *a = &last->list[item];
	const struct hp_object_item *b = &first->list[x->m->to[item]];
	uint32_t i = a->child, j = b->child;
	uint32_t end = i + a->nchildren, end_first = j + b->nchildren;

	while (i < end && j < end_first) {
		struct run r = run_at(last, i, end);
		struct run s = run_at(first, j, end_first);

		if (last->list[i].name == first->list[j].name)
			pair_runs(x, r, s, x->m->share[item]);
		if (last->list[i].name <= first->list[j].name)
			i = r.end;
		if (i == end || last->list[r.begin].name >= first->list[j].name)
			j = s.end;
	}
}

/* --- items with another parent -------------------------------------------- */

static bool
was_above(const struct match *x, uint32_t above, uint32_t item)
{
	/* a parent has a smaller index than its children */
	while (item > above)
		item = x->m->first->list[item].parent;
	return item == above;
}

/*
 * If an item has moved to another parent since the first dump, its old size
 * does not count as growth of its new ancestors. Add the old size to m->moved
 * for each new ancestor, up to the first one that was also an ancestor before.
 */
static void
note_moved(struct match *x, uint32_t item)
{
	const struct hp_held sum = hp_object_before(x->m, item);
	uint32_t above = x->m->last->list[item].parent;

	for (; above != 0; above = x->m->last->list[above].parent) {
		if (x->m->to[above] != 0 &&
		    was_above(x, x->m->to[above], x->m->to[item]))
			return;
		hp_held_add(&x->m->moved[above], &sum);
	}
}

static enum hp_status
index_first(struct match *x)
{
	const struct hp_object_tree *first = x->m->first;

	for (uint32_t i = 1; i < first->count; i++) {
		const struct hp_object_item *item = &first->list[i];
		uint64_t *slot;
		bool fresh;

		if (item->is_single) {
			slot = hp_id_map_put(&x->by_id, item->id, NULL);
			if (!slot)
				return hp_no_memory(x->err);
			*slot = i;
		}
		if (!item->is_static)
			continue;
		slot = hp_id_map_put(&x->statics, (uint64_t)item->name + 1,
				     &fresh);
		if (!slot)
			return hp_no_memory(x->err);
		*slot = fresh ? i : 0;
	}
	return HP_OK;
}

static enum hp_status
index_last(struct match *x)
{
	const struct hp_object_tree *last = x->m->last;

	for (uint32_t i = 1; i < last->count; i++) {
		uint64_t *slot;

		if (!last->list[i].is_single || !last->list[i].is_static)
			continue;
		slot = hp_id_map_put(&x->now_by_id, last->list[i].id, NULL);
		if (!slot)
			return hp_no_memory(x->err);
		*slot = i;
	}
	return HP_OK;
}

/*
 * Find the item of the first dump that is certainly the same object, by its id
 * or by a static field. Returns 0 if there is none.
 */
static uint32_t
find_elsewhere(const struct match *x, const struct hp_object_item *item)
{
	const uint64_t *found = x->m->stable && item->is_single
					? hp_id_map_get(&x->by_id, item->id)
					: NULL;

	if (found &&
	    class_of(x, &x->m->first->list[*found]) == class_of(x, item) &&
	    is_free(x, (uint32_t)*found))
		return (uint32_t)*found;
	found = item->is_static
			? hp_id_map_get(&x->statics, (uint64_t)item->name + 1)
			: NULL;
	return found && is_free(x, (uint32_t)*found) &&
			       !went_to_field(x, (uint32_t)*found)
		       ? (uint32_t)*found
		       : 0;
}

struct spare {
	uint32_t class_row, item;
	uint64_t bytes;
};

static int
by_class_and_size(const void *a, const void *b, void *context)
{
	const struct spare *x = a, *y = b;

	if (x->class_row != y->class_row)
		return hp_order(x->class_row, y->class_row);
	if (x->bytes != y->bytes)
		return hp_order(y->bytes, x->bytes);
	return by_name_size_id(&x->item, &y->item, context);
}

/* List the single objects of the first dump that have no match so far. */
static enum hp_status
list_spare(struct match *x, struct spare **list, size_t *n)
{
	const struct hp_object_tree *first = x->m->first;
	struct sorting s = {first->list, x->names};

	*list = hp_calloc(first->count, sizeof(**list));
	*n = 0;
	if (!*list)
		return hp_no_memory(x->err);
	for (uint32_t i = 1; i < first->count; i++)
		if (is_free(x, i) && first->list[i].is_single &&
		    hp_held_bytes(&first->list[i].sum) >= x->limit)
			(*list)[(*n)++] = (struct spare){
				class_of(x, &first->list[i]), i,
				hp_held_bytes(&first->list[i].sum)};
	if (*n > 0)
		qsort_r(*list, *n, sizeof(**list), by_class_and_size, &s);
	return HP_OK;
}

static uint32_t
take_spare(const struct match *x, const struct spare *list, size_t n,
	   uint32_t class_row)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].class_row < class_row)
			low = middle + 1;
		else
			high = middle;
	}
	for (unsigned k = 0;
	     k < SIMILAR_PARTS && low < n && list[low].class_row == class_row;
	     low++, k++)
		if (is_free(x, list[low].item))
			return list[low].item;
	return 0;
}

/*
 * --- linked lists that two references kept alive ---------------------------
 */

/*
 * Among the children of the class object @item that are linked lists in static
 * fields, returns the one that has grown most. Returns 0 if none has grown.
 */
static uint32_t
grown_list(const struct match *x, uint32_t item)
{
	const struct hp_object_item *list = x->m->last->list;
	struct sorting s = {list, x->names};
	uint32_t end = list[item].child + list[item].nchildren, best = 0;
	int64_t most = 0;

	for (uint32_t i = list[item].child; i < end; i++) {
		int64_t growth = list[i].is_list && list[i].is_static
					 ? hp_object_growth(x->m, i)
					 : 0;

		if (growth > most || (growth == most && best != 0 &&
				      by_name_size_id(&i, &best, &s) < 0)) {
			most = growth;
			best = i;
		}
	}
	return best;
}

/*
 * Whether objects of the item @j of the first dump may have become nodes of the
 * linked list @grown of the last dump.
 */
static bool
may_join(const struct match *x, uint32_t j, uint32_t grown)
{
	const struct hp_object_item *item = &x->m->first->list[j];

	return !item->is_static &&
	       class_of(x, item) == class_of(x, &x->m->last->list[grown]);
}

/*
 * The objects with the sum @sum belonged to the list @grown already in the
 * first dump, so subtract them from its growth. Does nothing if the list has
 * grown by less than @sum.
 */
static void
join(struct match *x, uint32_t grown, struct hp_held sum, uint64_t nodes)
{
	if ((int64_t)hp_held_bytes(&sum) > hp_object_growth(x->m, grown))
		return;
	hp_held_add(&x->m->moved[grown], &sum);
	x->m->joined[grown] += nodes;
}

/*
 * Write the indexes of the children of an item to x->scratch, sorted by name,
 * size and id. Returns their number.
 */
static uint32_t
list_children(const struct match *x, const struct hp_object_item *list,
	      const struct hp_object_item *item)
{
	struct sorting s = {list, x->names};

	for (uint32_t k = 0; k < item->nchildren; k++)
		x->scratch[k] = item->child + k;
	if (item->nchildren > 1)
		qsort_r(x->scratch, item->nchildren, sizeof(*x->scratch),
			by_name_size_id, &s);
	return item->nchildren;
}

/*
 * Correct the growth of a linked list in a static field, if a part of it was
 * elsewhere in the first dump.
 *
 * New nodes are often inserted before the first node of a list, for example
 * before the first java.lang.ref.Finalizer. If a stack also refers to an older
 * node, this node and all nodes after it are reachable in two ways. So in the
 * dominator tree, these nodes are not below the static field, but children of
 * the class. When the stack no longer refers to the node, all of them are below
 * the static field again.
 *
 * Such nodes are not growth. So some objects are added to the size that the
 * list had in the first dump: those that were children of the class, have the
 * class of the list's nodes, and are gone or smaller now.
 */
static void
join_lists(struct match *x, uint32_t item)
{
	const struct hp_object_item *first = x->m->first->list;
	const struct hp_object_item *last = x->m->last->list;
	const struct hp_object_item *was = &first[x->m->to[item]];
	uint32_t grown = grown_list(x, item), n;

	if (grown == 0)
		return;
	n = list_children(x, first, was);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t j = x->scratch[k];

		if (!is_free(x, j) || !may_join(x, j, grown))
			continue;
		x->m->is_found[j] = true;
		join(x, grown, first[j].sum, first[j].nodes + first[j].members);
	}
	n = list_children(x, last, &last[item]);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = x->scratch[k], j = x->m->to[i];
		struct hp_held sum = first[j].sum;
		uint64_t nodes = first[j].nodes + first[j].members;
		uint64_t nodes_now = last[i].nodes + last[i].members;

		if (i == grown || j == 0 || !may_join(x, j, grown) ||
		    x->m->share[i] < 1 || sum.bytes < last[i].sum.bytes ||
		    sum.native < last[i].sum.native ||
		    sum.objects < last[i].sum.objects)
			continue;
		sum.bytes -= last[i].sum.bytes;
		sum.native -= last[i].sum.native;
		sum.objects -= last[i].sum.objects;
		join(x, grown, sum, nodes > nodes_now ? nodes - nodes_now : 0);
	}
}

/* --- the passes ----------------------------------------------------------- */

/*
 * Run the first pass (only certain matches) if @list is NULL, otherwise the
 * second pass, which also guesses. @list: the objects of the first dump that
 * the first pass did not match.
 */
static void
pair_all(struct match *x, const struct spare *list, size_t n)
{
	const struct hp_object_tree *last = x->m->last;

	for (uint32_t k = 0; k < last->count; k++) {
		uint32_t i = x->turns[k], found = 0;
		const struct hp_object_item *item = &last->list[i];

		if (i > 0 && x->m->to[i] == 0) {
			found = find_elsewhere(x, item);
			if (found == 0 && list && item->is_single &&
			    hp_held_bytes(&item->sum) >= x->limit) {
				found = take_spare(x, list, n,
						   class_of(x, item));
				x->m->is_guess[i] = found != 0;
			}
			if (found != 0) {
				pair(x, i, found, 1);
				note_moved(x, i);
			}
		}
		if (i == 0 || x->m->to[i] != 0)
			pair_children(x, i);
	}
}

enum hp_status
hp_object_match_find(struct hp_object_match *m,
		     const struct hp_object_tree *first,
		     const struct hp_object_tree *last,
		     const struct hp_object_names *names, bool stable,
		     uint64_t limit, struct hp_error *err)
{
	struct match x = {.m = m, .names = names, .limit = limit, .err = err};
	struct spare *list = NULL;
	size_t n = 0;
	enum hp_status st;

	*m = (struct hp_object_match){.first = first, .last = last};
	m->stable = stable;
	m->to = hp_calloc(last->count, sizeof(*m->to));
	m->share = hp_calloc(last->count, sizeof(*m->share));
	m->moved = hp_calloc(last->count, sizeof(*m->moved));
	m->fell = hp_calloc(last->count, sizeof(*m->fell));
	m->joined = hp_calloc(last->count, sizeof(*m->joined));
	m->is_guess = hp_calloc(last->count, sizeof(*m->is_guess));
	m->is_found = hp_calloc((first ? first->count : 0) + (size_t)1,
				sizeof(*m->is_found));
	if (!m->to || !m->share || !m->moved || !m->fell || !m->joined ||
	    !m->is_guess || !m->is_found)
		return hp_no_memory(err);
	if (!first)
		return HP_OK;
	m->share[0] = 1;
	st = find_order(&x);
	if (st == HP_OK)
		st = index_first(&x);
	if (st == HP_OK)
		st = index_last(&x);
	if (st == HP_OK) {
		pair_all(&x, NULL, 0);
		st = list_spare(&x, &list, &n);
	}
	if (st == HP_OK && n > 0)
		pair_all(&x, list, n);
	for (uint32_t k = 1; st == HP_OK && k < last->count; k++)
		if (m->to[x.turns[k]] != 0)
			join_lists(&x, x.turns[k]);
	hp_free(list);
	hp_free(x.was);
	hp_free(x.is);
	hp_free(x.turns);
	hp_free(x.scratch);
	hp_id_map_release(&x.by_id);
	hp_id_map_release(&x.statics);
	hp_id_map_release(&x.now_by_id);
	return st;
}

void
hp_object_match_release(struct hp_object_match *m)
{
	hp_free(m->to);
	hp_free(m->share);
	hp_free(m->moved);
	hp_free(m->fell);
	hp_free(m->joined);
	hp_free(m->is_guess);
	hp_free(m->is_found);
	*m = (struct hp_object_match){0};
}

struct hp_held
hp_object_before(const struct hp_object_match *m, uint32_t item)
{
	struct hp_held sum = m->moved[item], part;

	if (m->first && (item == 0 || m->to[item] != 0)) {
		part = hp_held_part(&m->first->list[m->to[item]].sum,
				    m->share[item], .5);
		hp_held_add(&sum, &part);
	}
	return sum;
}

int64_t
hp_object_growth(const struct hp_object_match *m, uint32_t item)
{
	struct hp_held before = hp_object_before(m, item);

	return (int64_t)(hp_held_bytes(&m->last->list[item].sum) -
			 hp_held_bytes(&before));
}
