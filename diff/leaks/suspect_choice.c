/*
 * suspect_choice.c - choose suspects: descend in the tree of large objects to
 * where growth accumulates
 *
 * The search processes sets of items (nodes of the tree of large objects) that
 * have equal names. If one object has most of the growth of all objects with
 * its name, it is a set of its own.
 */
#include "diff/leaks/object_tree.h"
#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * "most of the growth" means at least MOST/10 of the growth of a set of
	 * items
	 */
	MOST = 7,
	PARTS = 10,
	/*
	 * children of a set (items with equal names) become suspects if
	 * together they have at least MANY/10 of the growth of the set
	 */
	MANY = 3,
	/*
	 * if at most this many objects with one name grew, each is a suspect of
	 * its own
	 */
	FEW = 4,
	/*
	 * with one dump, the search for suspects descends to the children of a
	 * set of items only if the children retain at least 1/SPLIT_PARTS of
	 * the heap
	 */
	SPLIT_PARTS = 10,
	/*
	 * an object that refers to a list or a tree is the container of this
	 * list or tree if it retains at most 1/THIN_PARTS more
	 */
	THIN_PARTS = 50,
	/* maximum number of children of a node of a tree */
	BRANCHES = 64,
	/*
	 * marks of items: a suspect consists of the item; the item is below the
	 * items of a suspect
	 */
	CHOSEN = 1,
	BELOW = 2,
};

/*
 * A set of items that have equal names, as a range of indexes in
 * hp_choice.items.
 */
struct set {
	uint32_t begin, count;
	int64_t growth;
};

struct descent {
	struct hp_choice *c;
	struct set *stack;
	size_t top;
};

static int64_t
growth(const struct hp_choice *c, uint32_t item)
{
	return hp_object_growth(c->m, item);
}

static const struct hp_object_item *
item_at(const struct hp_choice *c, uint32_t item)
{
	return &c->m->last->list[item];
}

static uint32_t
class_of(const struct hp_choice *c, uint32_t item)
{
	return c->names->list[item_at(c, item)->name].class_row;
}

/* --- sorting the chosen suspects ------------------------------------------ */

static const char *
text_of(const struct hp_choice *c, uint32_t row)
{
	return c->names->rows.list[row]->key;
}

/*
 * Whether the objects of a suspect are cleaners, which free the native memory
 * of buffers. The JDK creates cleaners, and a cleaner lives as long as its
 * buffer, so the object that keeps the buffers alive is a better suspect.
 */
static bool
is_of_cleaners(const struct hp_choice *c, const struct hp_chosen *s)
{
	const char *name = text_of(c, class_of(c, c->items[s->begin]));

	return strcmp(name, "jdk.internal.ref.Cleaner") == 0 ||
	       strcmp(name, "sun.misc.Cleaner") == 0;
}

static bool
is_worse(const struct hp_choice *c, const struct hp_chosen *a,
	 const struct hp_chosen *b)
{
	uint32_t x = c->items[a->begin], y = c->items[b->begin];

	if (is_of_cleaners(c, a) != is_of_cleaners(c, b))
		return is_of_cleaners(c, b);
	if (a->growth != b->growth)
		return a->growth > b->growth;
	while (x != 0 && y != 0) {
		int order = hp_object_names_compare(
			c->names, item_at(c, x)->name, item_at(c, y)->name);

		if (order != 0)
			return order < 0;
		x = item_at(c, x)->parent;
		y = item_at(c, y)->parent;
	}
	return x == 0 && y != 0;
}

/*
 * Find the head of a linked list whose nodes alternate between several classes.
 * The first nodes of such a list are items of their own, because only the
 * repetition shows that it is a list. Returns 0 if the item is not in such a
 * list.
 */
static uint32_t
head_of_list(const struct hp_choice *c, uint32_t item, uint32_t *period)
{
	uint32_t classes[HP_LIST_PERIODS], above = item;

	*period = 0;
	for (uint32_t n = 0; n < HP_LIST_PERIODS && above != 0; n++) {
		classes[n] = class_of(c, above);
		above = item_at(c, above)->parent;
		if (above != 0 && class_of(c, above) == classes[0]) {
			*period = n + 1;
			break;
		}
	}
	for (uint32_t n = 0; *period > 0; item = item_at(c, item)->parent) {
		n = (n + 1) % *period;
		above = item_at(c, item)->parent;
		if (above == 0 || !item_at(c, above)->is_single ||
		    class_of(c, above) != classes[n])
			break;
	}
	return item;
}

/*
 * Whether the class of @item is nested in the class of the object @owner, as
 * Trie$Node is nested in Trie.
 */
static bool
is_nested(const struct hp_choice *c, uint32_t item, uint32_t owner)
{
	const char *part = text_of(c, class_of(c, item));
	const char *whole = text_of(c, class_of(c, owner));
	size_t n = strlen(whole);

	return strncmp(part, whole, n) == 0 && part[n] == '$';
}

/*
 * Whether an object of the program may own the parts of a structure that the
 * program itself implements, such as the nodes of a tree.
 */
static bool
may_own_parts(const struct hp_choice *c, uint32_t owner)
{
	return owner != 0 && item_at(c, owner)->is_single &&
	       !(item_at(c, owner)->is &
		 (HP_OBJECT_CLASS | HP_OBJECT_LONE | HP_OBJECT_ARRAY));
}

/*
 * Whether items may be nodes of a tree that the program implements: their class
 * is neither a collection nor an array.
 */
static bool
may_be_node(const struct hp_choice *c, uint32_t item)
{
	return item != 0 && !(item_at(c, item)->is &
			      (HP_OBJECT_CLASS | HP_OBJECT_LONE |
			       HP_OBJECT_ARRAY | HP_OBJECT_CONTAINER));
}

/*
 * The nodes of a tree that the program implements refer to each other by a
 * field, an array or a collection. Each collection is an item between two
 * nodes. Returns the first node of the tree, from an item down in the tree: a
 * node, or the collection of a node.
 */
static uint32_t
top_node(const struct hp_choice *c, uint32_t item)
{
	uint32_t class = class_of(c, item), between = UINT32_MAX;

	for (;;) {
		uint32_t above = item_at(c, item)->parent;
		uint32_t next = item_at(c, above)->parent;

		if (may_be_node(c, item) && above != 0 &&
		    class_of(c, above) == class) {
			item = above;
		} else if (above != 0 && next != 0 &&
			   class_of(c, next) == class &&
			   may_be_node(c, item) != may_be_node(c, above)) {
			between = class_of(c, above);
			item = next;
		} else {
			return !may_be_node(c, item) && above != 0 &&
					       class_of(c, above) == between
				       ? above
				       : item;
		}
	}
}

/*
 * Whether an object is a node of a tree, because it has children of its own
 * class. An object with very many such children is no node of a tree, but a
 * list of objects.
 */
static bool
has_branches(const struct hp_choice *c, uint32_t item)
{
	const struct hp_object_item *i = item_at(c, item);
	uint64_t n = 0;

	for (uint32_t k = i->child; k < i->child + i->nchildren; k++)
		if (class_of(c, k) == class_of(c, item))
			n += item_at(c, k)->members;
	return n > 0 && n <= BRANCHES;
}

/*
 * Whether an object only serves to refer to the structure that begins at @top:
 * a field refers to @top, and the object retains hardly anything else.
 */
static bool
is_thin(const struct hp_choice *c, uint32_t owner, uint32_t top)
{
	uint64_t all = hp_held_bytes(&item_at(c, owner)->sum);

	return c->names->list[item_at(c, top)->name].via != 0 &&
	       all - hp_held_bytes(&item_at(c, top)->sum) <= all / THIN_PARTS;
}

/*
 * If the items of a set are internal parts of another object, return this
 * object, otherwise 0. Examples are the segments of a map, the nodes of a tree,
 * and the nodes of a linked list, if the program implements the map, the tree
 * or the list. New elements change the nodes and which node is the first one.
 * So the object that refers to the first node is the container.
 *
 * Items are parts if their class is nested in the class of the object, or if
 * they are arrays or collections in an array of the object. The nodes of a tree
 * or list are also parts if the object retains hardly anything else.
 */
static uint32_t
owner_of_parts(const struct hp_choice *c, const uint32_t *items, size_t count,
	       bool is_list)
{
	uint32_t top = top_node(c, items[0]);
	uint32_t owner = item_at(c, top)->parent;
	bool is_one = count == 1 && item_at(c, items[0])->is_single;
	bool is_node = is_list ||
		       (is_one ? has_branches(c, items[0]) : top != items[0]);

	if (!may_own_parts(c, owner) || (is_one && !is_node))
		return 0;
	for (size_t i = 1; i < count; i++)
		if (item_at(c, top_node(c, items[i]))->parent != owner)
			return 0;
	if (is_nested(c, items[0], owner))
		return owner;
	if (top == items[0] && !is_node)
		return item_at(c, top)->is & (HP_OBJECT_ARRAY |
					      HP_OBJECT_CONTAINER) &&
				       c->names->list[item_at(c, top)->name]
						       .via == 0 &&
				       !(item_at(c, owner)->is &
					 HP_OBJECT_CONTAINER)
			       ? owner
			       : 0;
	return is_node && is_thin(c, owner, top) ? owner : 0;
}

/*
 * Whether an item is in a tree that the program implements: it is an array, the
 * item above it has the same class, or it has children of its class.
 */
static bool
is_of_tree(const struct hp_choice *c, uint32_t item)
{
	return item_at(c, item)->is & HP_OBJECT_ARRAY ||
	       top_node(c, item) != item || has_branches(c, item);
}

/*
 * If the single object of @s is already in the list of suspects, remove it
 * there, and add its growth to @s. This happens if several parts of one
 * container are chosen, for example two linked lists.
 */
static void
join_with_same(struct hp_choice *c, struct hp_chosen *s)
{
	for (size_t i = 0; s->count == 1 && i < c->count; i++) {
		if (c->list[i].count != 1 ||
		    c->items[c->list[i].begin] != c->items[s->begin])
			continue;
		s->growth += c->list[i].growth;
		s->list = 0;
		c->count--;
		memmove(&c->list[i], &c->list[i + 1],
			(c->count - i) * sizeof(*c->list));
		return;
	}
}

/*
 * Add the set of @count items from index @begin on to the list of suspects,
 * unless the list is full of suspects that grew more.
 */
static void
choose(struct hp_choice *c, uint32_t begin, uint32_t count, int64_t grown)
{
	struct hp_chosen s = {.begin = begin, .count = count, .growth = grown};
	uint32_t owner;
	size_t at;

	if (count == 1 && item_at(c, c->items[begin])->is_list) {
		s.list = c->items[begin];
		c->items[begin] = s.head = head_of_list(c, s.list, &s.period);
	}
	owner = owner_of_parts(c, c->items + begin, count, s.list != 0);
	if (owner != 0) {
		s.is_tree = s.list == 0 && is_of_tree(c, c->items[begin]);
		c->items[begin] = owner;
		s.count = 1;
	}
	if (s.period == 0) {
		s.period = 1;
		if (owner == 0)
			s.list = 0;
	}
	join_with_same(c, &s);
	at = c->count;
	while (at > 0 && is_worse(c, &s, &c->list[at - 1]))
		at--;
	if (at == HP_SUSPECTS_MOST)
		return;
	if (c->count < HP_SUSPECTS_MOST)
		c->count++;
	memmove(&c->list[at + 1], &c->list[at],
		(c->count - 1 - at) * sizeof(s));
	c->list[at] = s;
}

/* --- descending in the tree ----------------------------------------------- */

/* A family: those children of the items in a set that have the same name. */
struct family {
	const uint32_t *items;
	size_t count;
	int64_t growth;
	/*
	 * the single object that grew most, as an item; 0: the family has no
	 * single object
	 */
	uint32_t best;
	/*
	 * few: the single objects that grew by at least hp_choice.limit, but
	 * only the first FEW of them. nfew: number of all such objects. of_few:
	 * how much they grew together.
	 */
	uint32_t few[FEW];
	size_t nfew;
	int64_t of_few;
	/* number of objects of the family in the first and in the last dump */
	uint64_t members[2];
	uint64_t bytes;
	bool by_field;
};

static struct family
weigh(const struct hp_choice *c, const uint32_t *items, size_t count)
{
	struct family f = {.items = items, .count = count};
	uint32_t before = 0;

	f.by_field = c->names->list[item_at(c, items[0])->name].via != 0;
	for (size_t k = 0; k < count; k++) {
		const struct hp_object_item *i = item_at(c, items[k]);
		uint32_t to = c->m->to[items[k]];
		int64_t grown = growth(c, items[k]);

		f.growth += grown;
		f.bytes += hp_held_bytes(&i->sum);
		f.members[1] += i->members;
		if (to != 0 && to != before)
			f.members[0] += c->m->first->list[to].members;
		f.members[0] += c->m->fell[items[k]];
		before = to;
		if (!i->is_single)
			continue;
		if (f.best == 0 || grown > growth(c, f.best))
			f.best = items[k];
		if (grown < c->limit)
			continue;
		if (f.nfew < FEW)
			f.few[f.nfew] = items[k];
		f.nfew++;
		f.of_few += grown;
	}
	return f;
}

/* Whether @part is most (at least MOST/10) of @all. */
static bool
is_most(int64_t part, int64_t all)
{
	return part / MOST >= all / PARTS && part > 0;
}

/*
 * Whether the growth of a family comes from objects that already existed in the
 * first dump.
 */
static bool
is_growth_of_old(const struct family *f)
{
	uint64_t fresh;

	if (f->members[0] == 0)
		return false;
	if (f->members[1] <= f->members[0])
		return true;
	fresh = f->bytes / f->members[1] * (f->members[1] - f->members[0]);
	return is_most(f->growth - (int64_t)fresh, f->growth);
}

/*
 * Whether most of the new objects of a family (children with the same name)
 * probably only moved here from another part of the tree. This is assumed if
 * the number of objects of their class in the whole heap grew by less than half
 * as much as the family.
 */
static bool
has_moved(const struct hp_choice *c, const struct family *f)
{
	uint32_t row = class_of(c, f->items[0]);
	uint64_t was, is;

	if (!c->compared || f->members[1] <= f->members[0])
		return false;
	was = hp_object_class_count(c->m->first, row);
	is = hp_object_class_count(c->m->last, row);
	return is < was || is - was < (f->members[1] - f->members[0]) / 2;
}

static void
push(struct descent *d, const uint32_t *items, size_t count, int64_t grown)
{
	struct hp_choice *c = d->c;

	d->stack[d->top++] =
		(struct set){(uint32_t)c->used, (uint32_t)count, grown};
	memcpy(c->items + c->used, items, count * sizeof(*items));
	c->used += count;
}

/*
 * Whether the search for suspects descends to the object @item of the family
 * @f. It does not if the object is one of several new elements of a container:
 * then the container is the suspect, because elements accumulate in it.
 */
static bool
may_descend(const struct hp_choice *c, const struct set *s,
	    const struct family *f, uint32_t item)
{
	int64_t grown = growth(c, item);

	if (grown < c->limit)
		return false;
	if (s->begin == 0 || is_most(grown, s->growth))
		return true;
	if (!c->compared)
		return f->by_field &&
		       grown >= (int64_t)(hp_held_bytes(
						  &c->m->last->list[0].sum) /
					  SPLIT_PARTS);
	return f->by_field || c->m->to[item] != 0;
}

/*
 * Whether a family consists of internal parts of the only object of a set, and
 * most of the parts grew about equally. Then the object is the container, like
 * a map that stores its entries in several segments.
 */
static bool
is_growth_of_parts(const struct hp_choice *c, const struct set *s,
		   const struct family *f)
{
	uint32_t owner = c->items[s->begin];
	uint64_t grown = 0;

	if (s->count != 1 || f->by_field || f->members[1] < 2 ||
	    !may_own_parts(c, owner) || !is_nested(c, f->items[0], owner))
		return false;
	for (size_t k = 0; k < f->count; k++)
		if (growth(c, f->items[k]) >=
		    f->growth / 2 / (int64_t)f->members[1])
			grown += item_at(c, f->items[k])->members;
	return grown * PARTS >= f->members[1] * MOST;
}

/*
 * Choose to which objects of a family (children with the same name) to descend:
 * to one object, to a few, or to all. Returns the growth of these objects.
 */
static int64_t
descend(struct descent *d, const struct set *s, const struct family *f)
{
	struct hp_choice *c = d->c;
	int64_t grown = 0;

	if (f->growth < c->limit)
		return 0;
	if (f->best != 0 && is_most(growth(c, f->best), f->growth)) {
		if (!may_descend(c, s, f, f->best))
			return 0;
		push(d, &f->best, 1, growth(c, f->best));
		return growth(c, f->best);
	}
	if (is_growth_of_parts(c, s, f))
		return 0;
	if (s->count == 1 && f->nfew > 0 && f->nfew <= FEW &&
	    !(item_at(c, f->few[0])->is & HP_OBJECT_LONE) &&
	    is_most(f->of_few, f->growth)) {
		for (size_t i = 0; i < f->nfew; i++)
			if (may_descend(c, s, f, f->few[i])) {
				push(d, &f->few[i], 1, growth(c, f->few[i]));
				grown += growth(c, f->few[i]);
			}
		return grown;
	}
	if (has_moved(c, f) || (s->begin != 0 && !is_growth_of_old(f)))
		return 0;
	push(d, f->items, f->count, f->growth);
	return f->growth;
}

static size_t
list_children(struct hp_choice *c, const struct set *s)
{
	size_t n = 0;

	for (uint32_t k = 0; k < s->count; k++) {
		const struct hp_object_item *i =
			item_at(c, c->items[s->begin + k]);

		for (uint32_t j = i->child; j < i->child + i->nchildren; j++)
			c->sorted[n++] =
				(uint64_t)item_at(c, j)->name << 32 | j;
	}
	if (s->count > 1 && n > 0)
		hp_sort_u64(c->sorted, n);
	for (size_t i = 0; i < n; i++)
		c->children[i] = (uint32_t)c->sorted[i];
	return n;
}

/*
 * Descend from a set of items to the children of these items. If the children
 * have too little of the growth, do not descend, but choose the set as a
 * suspect. The root is never chosen.
 */
static void
go_down(struct descent *d, struct set s)
{
	struct hp_choice *c = d->c;
	size_t n = list_children(c, &s), top = d->top, used = c->used, end;
	int64_t below = 0;

	for (size_t i = 0; i < n; i = end) {
		struct family f;

		for (end = i + 1; end < n; end++)
			if (item_at(c, c->children[end])->name !=
			    item_at(c, c->children[i])->name)
				break;
		f = weigh(c, c->children + i, end - i);
		below += descend(d, &s, &f);
	}
	if (s.begin == 0)
		return;
	if (below < s.growth / PARTS * MANY) {
		d->top = top;
		c->used = used;
		choose(c, s.begin, s.count, s.growth);
	} else if (!is_most(below, s.growth) && s.growth - below >= c->limit) {
		choose(c, s.begin, s.count, s.growth - below);
	}
}

enum hp_status
hp_choice_make(struct hp_choice *c, struct hp_error *err)
{
	size_t n = c->m->last->count + (size_t)1;
	struct descent d = {.c = c};

	c->items = hp_calloc(n, sizeof(*c->items));
	c->children = hp_calloc(n, sizeof(*c->children));
	d.stack = hp_calloc(n, sizeof(*d.stack));
	c->sorted = hp_calloc(n, sizeof(*c->sorted));
	if (!c->items || !c->children || !c->sorted || !d.stack) {
		hp_free(d.stack);
		return hp_no_memory(err);
	}
	c->used = 1; /* the search starts at items[0], the root */
	go_down(&d, (struct set){0, 1, growth(c, 0)});
	while (d.top > 0)
		go_down(&d, d.stack[--d.top]);
	hp_free(d.stack);
	return HP_OK;
}

/*
 * Returns the growth of a suspect without the items that belong to a larger
 * suspect. @marks: for each item, CHOSEN and BELOW.
 */
static int64_t
own_growth(const struct hp_choice *c, const struct hp_chosen *s,
	   const uint32_t *marks)
{
	int64_t sum = 0;
	bool any = false;

	for (uint32_t k = 0; k < s->count; k++) {
		uint32_t item = c->items[s->begin + k];

		any |= marks[item] & BELOW;
		if (!(marks[item] & BELOW))
			sum += growth(c, item);
	}
	return any || sum > s->growth ? sum : s->growth;
}

int64_t
hp_choice_explained(struct hp_choice *c)
{
	uint32_t *marks = c->children, n = c->m->last->count;
	int64_t sum = 0;

	memset(marks, 0, n * sizeof(*marks));
	for (size_t i = 0; i < c->count; i++)
		for (uint32_t k = 0; k < c->list[i].count; k++)
			marks[c->items[c->list[i].begin + k]] = CHOSEN;
	/* the parent of an item comes before the item */
	for (uint32_t i = 1; i < n; i++)
		if (marks[item_at(c, i)->parent] != 0)
			marks[i] |= BELOW;
	for (size_t i = 0; i < c->count; i++)
		sum += own_growth(c, &c->list[i], marks);
	return sum;
}

void
hp_choice_release(struct hp_choice *c)
{
	hp_free(c->items);
	hp_free(c->children);
	hp_free(c->sorted);
	c->items = c->children = NULL;
	c->sorted = NULL;
}
