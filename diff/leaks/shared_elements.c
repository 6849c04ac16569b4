/*
 * shared_elements.c - find the container whose elements a second object keeps
 * alive, too
 *
 * Phantom references are an example: a set refers to all of them, and so does
 * the ReferenceQueue to which the garbage collector has added them. Neither the
 * set nor the queue dominates the references, but the class whose static fields
 * refer to both. A class is no useful suspect, so this file replaces it by the
 * container that refers to most of the elements.
 */
#include "diff/leaks/internal.h"
#include "common/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* number of elements whose referrers are searched */
	SAMPLES = 64,
	/* maximum number of containers that are compared */
	OWNERS = 16,
	/* "most" means at least MOST/PARTS */
	MOST = 7,
	PARTS = 10,
	/* a smaller number of equal objects is not a leak of elements */
	LEAST_ELEMENTS = 16,
	/*
	 * for each object of a class, the searches of containers take so many
	 * steps on average at most
	 */
	STEPS = 64,
};

struct owners {
	const struct hp_choice *c;
	struct hp_object_kinds *k;
	/* the samples, as nodes of the graph in ascending order */
	uint64_t samples[SAMPLES];
	size_t count;
	/* a set of all nodes modulo 64, to skip most other nodes quickly */
	uint64_t filter;
	/*
	 * The outermost objects that refer to samples, directly or by their
	 * parts, as indexes in the dominator tree. references: how often.
	 */
	struct {
		uint32_t place, references;
	} list[OWNERS];
	size_t nowners;
	/*
	 * the place from which the container was searched last, and this
	 * container
	 */
	uint32_t searched, container;
	/* how many steps the searches of containers may still take */
	uint64_t steps;
};

/* Children of an item that have the same name. */
struct family {
	uint32_t begin, count;
	int64_t growth;
	uint64_t members;
};

/*
 * Find the children with the same name that grew most together, if there are
 * enough of them.
 */
static struct family
largest_family(const struct hp_choice *c, uint32_t item)
{
	const struct hp_object_item *list = c->m->last->list;
	uint32_t end = list[item].child + list[item].nchildren;
	struct family best = {0};

	for (uint32_t i = list[item].child; i < end;) {
		struct family f = {.begin = i};

		for (; i < end && list[i].name == list[f.begin].name; i++) {
			f.count++;
			f.growth += hp_object_growth(c->m, i);
			f.members += list[i].members;
		}
		if (f.members >= LEAST_ELEMENTS && f.growth > best.growth)
			best = f;
	}
	return best;
}

static void
take_samples(struct owners *w, const struct family *f)
{
	const struct hp_object_tree *o = w->c->m->last;
	const uint32_t *nodes = w->k->t->tree.nodes.at;
	uint64_t every = (f->members + SAMPLES - 1) / SAMPLES, n = 0;

	for (uint32_t i = f->begin; i < f->begin + f->count; i++)
		for (uint32_t p = hp_object_member(o, i, 0); p != 0;
		     p = hp_object_member(o, i, p))
			if (n++ % every == 0 && w->count < SAMPLES)
				w->samples[w->count++] = nodes[p];
	hp_sort_u64(w->samples, w->count);
	for (size_t i = 0; i < w->count; i++)
		w->filter |= UINT64_C(1) << w->samples[i] % 64;
}

static bool
is_sample(const struct owners *w, uint32_t node)
{
	uint64_t wanted = node;

	return w->filter >> node % 64 & 1 &&
	       bsearch(&wanted, w->samples, w->count, sizeof(wanted),
		       hp_compare_u64);
}

/*
 * Returns the container to which the object at @place belongs. In a long chain
 * of parts, such as the nodes of a queue, the search ends at the part from
 * which the last search began. Returns 0 if too many searches took too many
 * steps.
 */
static uint32_t
container_of(struct owners *w, uint32_t place)
{
	const struct hp_tree *t = &w->k->t->tree;
	uint32_t from = place, above = hp_tree_parent(t, place);

	while (place != w->searched && hp_object_is_part(w->k, place, above)) {
		if (w->steps == 0)
			return 0;
		w->steps--;
		place = above;
		above = hp_tree_parent(t, place);
	}
	if (place == w->searched)
		place = w->container;
	w->searched = from;
	w->container = place;
	return place;
}

/* The object at @place refers to a sample: count this for its container. */
static void
count_reference(struct owners *w, uint32_t place)
{
	size_t i = 0;

	place = container_of(w, place);
	if (place == 0)
		return;
	while (i < w->nowners && w->list[i].place != place)
		i++;
	if (i == OWNERS)
		return;
	if (i == w->nowners) {
		w->list[w->nowners].place = place;
		w->list[w->nowners++].references = 0;
	}
	w->list[i].references++;
}

/*
 * Search the objects that @class dominates for references to the samples. An
 * element that refers to the next element is no container.
 */
static void
find_references(struct owners *w, uint32_t class, uint32_t element_row)
{
	const struct hp_tree *t = &w->k->t->tree;
	const struct hp_edges *edges = &w->k->t->graph.edges;
	const uint32_t *nodes = t->nodes.at;
	uint32_t end = hp_tree_end(t, class), to;

	w->steps = (uint64_t)STEPS * (end - class);
	for (uint32_t p = class + 1; p < end; p++) {
		struct hp_edge_reader r = {.base = nodes[p]};

		if (hp_object_kind_at(w->k, p)->row == element_row)
			continue;
		hp_edge_kind(edges, nodes[p], &r.at);
		while (r.at != 0 &&
		       (to = hp_edge_next(edges->lists.at, &r)) != HP_EDGE_END)
			if (is_sample(w, to))
				count_reference(w, p);
	}
}

/*
 * Returns the item that consists of the object at @place of the dominator tree
 * alone; 0: there is none.
 */
static uint32_t
item_at(const struct hp_object_tree *o, uint32_t place)
{
	for (uint32_t i = 1; i < o->count; i++)
		if (o->list[i].place == place)
			return o->list[i].members == 1 ? i : 0;
	return 0;
}

static void
replace_class(struct hp_choice *c, struct hp_object_kinds *k,
	      struct hp_chosen *s)
{
	struct owners w = {.c = c, .k = k};
	const struct hp_object_tree *o = c->m->last;
	uint32_t item = c->items[s->begin], found;
	struct family f = largest_family(c, item);
	size_t best = 0;

	if (f.members == 0 || f.growth / MOST < s->growth / PARTS)
		return;
	take_samples(&w, &f);
	find_references(&w, o->list[item].place,
			c->names->list[o->list[f.begin].name].class_row);
	for (size_t i = 1; i < w.nowners; i++)
		if (w.list[i].references > w.list[best].references)
			best = i;
	if (w.nowners == 0 || w.list[best].references * PARTS < w.count * MOST)
		return;
	found = item_at(o, w.list[best].place);
	if (found == 0)
		return;
	c->items[s->begin] = found;
	s->shared = f.begin;
	s->nshared = f.count;
}

/*
 * If the suspect at index @i is the same container as another suspect, join
 * both. Returns the index of the suspect that remains.
 */
static size_t
join_with_same(struct hp_choice *c, size_t i)
{
	size_t j = 0;

	while (j < c->count &&
	       (j == i || c->list[j].count != 1 ||
		c->items[c->list[j].begin] != c->items[c->list[i].begin]))
		j++;
	if (j == c->count)
		return i;
	c->list[j].shared = c->list[i].shared;
	c->list[j].nshared = c->list[i].nshared;
	c->list[j].growth += c->list[i].growth;
	c->count--;
	memmove(&c->list[i], &c->list[i + 1],
		(c->count - i) * sizeof(*c->list));
	return j > i ? j - 1 : j;
}

/* Move a suspect to the front until the one before it grew at least as much. */
static void
sort_in(struct hp_chosen *list, size_t i)
{
	for (; i > 0 && list[i].growth > list[i - 1].growth; i--) {
		struct hp_chosen s = list[i];

		list[i] = list[i - 1];
		list[i - 1] = s;
	}
}

void
hp_shared_elements_find(struct hp_choice *c, struct hp_object_kinds *k)
{
	for (size_t i = 0; i < c->count; i++) {
		struct hp_chosen *s = &c->list[i];
		size_t count = c->count;

		if (s->count != 1 || s->list != 0 ||
		    !(c->m->last->list[c->items[s->begin]].is &
		      HP_OBJECT_CLASS))
			continue;
		replace_class(c, k, s);
		if (s->nshared == 0)
			continue;
		sort_in(c->list, join_with_same(c, i));
		/* the suspect after a removed one has its index now */
		i -= count - c->count;
	}
}
