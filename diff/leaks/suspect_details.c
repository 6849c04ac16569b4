/*
 * suspect_details.c - describe each chosen suspect: the class of its objects,
 * their elements, label and contents
 */
#include "diff/leaks/internal.h"
#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * a suspect is called a leak only if it retains more than LEAK/10 of
	 * the heap
	 */
	LEAK = 2,
	PARTS = 10,
};

struct details {
	const struct hp_choice *c;
	/* the tree of large objects of the last dump */
	const struct hp_object_tree *o;
	struct hp_object_kinds *k;
	struct hp_result *r;
	struct hp_error *err;
};

/* An iterator over the objects of all items of a suspect. */
struct members {
	const struct details *d;
	const struct hp_chosen *s;
	/* also visit the elements that other objects keep alive, too */
	bool with_shared;
	/*
	 * the current item and object, and the number of items so far,
	 * including the current one
	 */
	uint32_t item, place, nitems;
};

/* Returns the item whose objects come after those of the current item. */
static uint32_t
next_item(struct members *m)
{
	uint32_t i = m->nitems++;

	if (i < m->s->count)
		return m->d->c->items[m->s->begin + i];
	return m->s->shared + i - m->s->count;
}

/* Returns the next object (index in the dominator tree), or 0 at the end. */
static uint32_t
next_member(struct members *m)
{
	uint32_t nitems = m->s->count + (m->with_shared ? m->s->nshared : 0);

	if (m->place != 0)
		m->place = hp_object_member(m->d->o, m->item, m->place);
	if (m->place == 0 && m->nitems < nitems) {
		m->item = next_item(m);
		m->place = hp_object_member(m->d->o, m->item, 0);
	}
	return m->place;
}

static const struct hp_object_item *
item_of(const struct details *d, const struct hp_chosen *s, uint32_t i)
{
	return &d->o->list[d->c->items[s->begin + i]];
}

/* --- contents ------------------------------------------------------------- */

/*
 * Add the objects that wait for finalizers to the counts of their kinds (class
 * and size). Only finalizers with an index in [@place, @end) of the dominator
 * tree count.
 */
static void
count_waiting(const struct hp_finalizer_queue *q, uint32_t place, uint32_t end,
	      uint64_t *objects)
{
	size_t i = q->count > 0 ? hp_finalizer_queue_from(q, place) : 0;

	for (; i < q->count && q->list[i].finalizer < end; i++) {
		uint32_t p = q->list[i].waiting;
		uint32_t after = hp_tree_end(&q->tree, p);

		for (; p < after; p++)
			objects[hp_tree_kind(&q->tree, p)]++;
	}
}

/*
 * For each class, add up the objects that a suspect retains. They are first
 * counted by kind (class and size), which is fast even if the suspect retains
 * most of the heap, because no search is needed. Returns false if out of
 * memory.
 */
static bool
sum_parts(const struct details *d, const struct hp_chosen *s,
	  struct hp_graph_sum *sums)
{
	const struct hp_retained *t = d->k->t;
	const struct hp_node_kinds *list = &t->graph.kinds;
	struct members m = {.d = d, .s = s, .with_shared = true};
	struct hp_tree_window window = {.only = HP_TREE_KINDS};
	uint64_t *objects =
		hp_calloc((size_t)list->count + 1, sizeof(*objects));

	if (!objects)
		return false;
	while (next_member(&m) != 0) {
		uint32_t end = hp_tree_end(&t->tree, m.place);

		for (uint32_t p = m.place; p < end; p++) {
			hp_tree_ahead(&window, &t->tree, p);
			objects[hp_tree_kind(&t->tree, p)]++;
		}
		count_waiting(&t->queue, m.place, end, objects);
	}
	for (uint32_t k = 1; k < list->count; k++) {
		struct hp_graph_sum *sum = &sums[d->k->list[k].row];

		sum->objects += objects[k];
		sum->bytes += objects[k] * list->list[k].bytes;
	}
	hp_free(objects);
	return true;
}

static bool
is_larger(const struct hp_suspect_part *a, const struct hp_suspect_part *b)
{
	if (a->sum.bytes != b->sum.bytes)
		return a->sum.bytes > b->sum.bytes;
	return strcmp(a->key, b->key) < 0;
}

/*
 * Whether the report suggests --why for this class rather than for classes of
 * the JDK: their objects are everywhere in the heap, so the paths to them
 * explain little.
 */
static bool
is_own_class(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '.') ? strncmp(name, "java.", 5) != 0 &&
					   strncmp(name, "jdk.", 4) != 0 &&
					   strncmp(name, "sun.", 4) != 0
				 : len < 2 || strcmp(name + len - 2, "[]") != 0;
}

/*
 * By how many bytes the objects of a class that a suspect retains may have
 * grown: those that are new in the heap, but at most those that the suspect
 * retains.
 */
static uint64_t
new_bytes(const struct details *d, uint32_t row, const struct hp_graph_sum *sum)
{
	const struct hp_object_match *m = d->c->m;
	uint64_t was = m->first ? hp_object_class_count(m->first, row) : 0;
	uint64_t is = hp_object_class_count(m->last, row);
	uint64_t fresh = is > was ? is - was : 0;

	if (sum->objects == 0 || fresh == 0)
		return 0;
	return fresh < sum->objects
		       ? (uint64_t)((double)sum->bytes * (double)fresh /
				    (double)sum->objects)
		       : sum->bytes;
}

/*
 * Choose the class for --why among the classes of the objects that a suspect
 * retains: the one with the most new bytes. Classes of the program come first.
 * @sums: for each class, the objects that the suspect retains
 */
static const char *
most_new(const struct details *d, const struct hp_graph_sum *sums)
{
	const struct hp_rows *names = d->k->names;
	const char *best = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < names->count; i++) {
		uint64_t bytes = new_bytes(d, (uint32_t)i, &sums[i]);
		const char *name = names->list[i]->key;
		bool own = is_own_class(name);

		if (bytes == 0 ||
		    strncmp(name, HP_ROW_CLASS, strlen(HP_ROW_CLASS)) == 0)
			continue;
		if (best && own != is_own_class(best)
			    ? !own
			    : best && (bytes != most ? bytes < most
						     : strcmp(name, best) > 0))
			continue;
		best = name;
		most = bytes;
	}
	return best;
}

/* Whether the heap has more objects of a class than in the first dump. */
static bool
has_new(const struct details *d, const char *class)
{
	const struct hp_object_match *m = d->c->m;
	const struct hp_row *row =
		hp_rows_find(d->k->names, class, strlen(class));

	return row &&
	       hp_object_class_count(m->last, (uint32_t)row->index) >
		       hp_object_class_count(m->first, (uint32_t)row->index);
}

/*
 * Choose the class for --why. It is the class of the suspect's elements, or of
 * the suspect itself, if the program declares it. With several dumps, the
 * command must show the growth. So if there are no more objects of this class
 * than before, it is another class whose objects the suspect retains.
 */
static const char *
class_for_why(const struct details *d, const struct hp_suspect *s,
	      const struct hp_graph_sum *sums)
{
	const char *class = s->element ? s->element : s->holder;
	bool fits = is_own_class(class) && !s->is_mixed;

	if (!d->c->m->first)
		return fits ? class : NULL;
	if (s->element && !s->elements_unknown &&
	    s->elements[1] > s->elements[0])
		return fits ? class : most_new(d, sums);
	fits &= s->element || s->holders[1] > s->holders[0];
	return fits && has_new(d, class) ? class : most_new(d, sums);
}

/*
 * Find the classes that have the most bytes among the objects that a suspect
 * retains. At most HP_SUSPECT_PARTS classes are listed.
 */
static enum hp_status
find_parts(const struct details *d, const struct hp_chosen *chosen,
	   struct hp_suspect *s)
{
	size_t n = d->k->names->count;
	struct hp_graph_sum *sums = hp_calloc(n + 1, sizeof(*sums));

	if (!sums || !sum_parts(d, chosen, sums)) {
		hp_free(sums);
		return hp_no_memory(d->err);
	}
	for (size_t i = 0; i < n; i++) {
		struct hp_suspect_part p = {d->k->names->list[i]->key, sums[i]};
		size_t at = s->nparts;

		if (p.sum.objects == 0)
			continue;
		while (at > 0 && is_larger(&p, &s->parts[at - 1]))
			at--;
		if (at == HP_SUSPECT_PARTS)
			continue;
		if (s->nparts < HP_SUSPECT_PARTS)
			s->nparts++;
		memmove(&s->parts[at + 1], &s->parts[at],
			(s->nparts - 1 - at) * sizeof(p));
		s->parts[at] = p;
	}
	s->why = class_for_why(d, s, sums);
	hp_free(sums);
	return HP_OK;
}

/* --- labels and texts ----------------------------------------------------- */

/*
 * Copy a text into the result. The copy is needed because the rows with the
 * names are freed before the result.
 */
static const char *
keep(const struct details *d, const char *text)
{
	return text ? hp_arena_copy(&d->r->arena, text, strlen(text)) : NULL;
}

static enum hp_status
keep_texts(const struct details *d, struct hp_suspect *s)
{
	bool element = s->element, field = s->field, why = s->why;

	s->holder = keep(d, s->holder);
	s->element = keep(d, s->element);
	s->field = keep(d, s->field);
	s->why = keep(d, s->why);
	for (size_t i = 0; i < s->nparts; i++) {
		s->parts[i].key = keep(d, s->parts[i].key);
		if (!s->parts[i].key)
			return hp_no_memory(d->err);
	}
	return s->holder && (s->element || !element) && (s->field || !field) &&
			       (s->why || !why)
		       ? HP_OK
		       : hp_no_memory(d->err);
}

/*
 * Returns the name of the field that refers to a suspect or, if the suspect is
 * an element of a container, to the container.
 */
static const char *
field_of(const struct details *d, uint32_t item)
{
	for (; item != 0; item = d->o->list[item].parent) {
		uint32_t via = d->c->names->list[d->o->list[item].name].via;

		if (via != 0)
			return hp_short_name(d->k->names->list[via - 1]->key);
	}
	return NULL;
}

/*
 * Whether an item was, in the first dump, one of several small objects, which
 * are counted together.
 */
static bool
was_one_of_many(const struct details *d, uint32_t item)
{
	uint32_t to = d->c->m->to[item];

	return to != 0 && !hp_object_is_one(&d->c->m->first->list[to]);
}

/*
 * Find how many elements an item had in the first dump. The same objects are
 * counted as in the last dump, where the item contains @c: its entries, the
 * slots of its arrays, its nodes, or the objects of one class that it
 * immediately dominates. Returns false if the number is not known.
 */
static bool
elements_before(const struct details *d, uint32_t item,
		const struct hp_contents *c, uint64_t *elements)
{
	const struct hp_object_match *m = d->c->m;
	uint32_t to = m->to[item];
	const struct hp_object_item *was;
	uint64_t children = 0;
	bool known;

	*elements = 0;
	if (to == 0)
		return true;
	if (was_one_of_many(d, item))
		return false;
	was = &m->first->list[to];
	known = was->entries == 0 &&
		hp_child_counts_get(d->c->children_before, to, c->child - 1,
				    &children);
	switch (c->counted) {
	case HP_CONTENTS_ENTRIES:
		*elements = was->entries;
		return true;
	case HP_CONTENTS_SLOTS:
		*elements = was->slots;
		return true;
	case HP_CONTENTS_NODES:
		*elements = was->nodes + 1 + m->joined[item];
		return true;
	case HP_CONTENTS_CHILDREN:
		*elements = children + m->joined[item];
		return known;
	default:
		*elements = children > was->slots ? children : was->slots;
		return known;
	}
}

/*
 * Add up the numbers of elements of all containers of a suspect, if the number
 * is known for each of them.
 */
static void
add_elements_of_all(const struct details *d, const struct hp_chosen *chosen,
		    struct hp_suspect *s)
{
	uint64_t sums[2] = {0};
	bool unknown = false;

	for (uint32_t i = 0; i < chosen->count; i++) {
		uint32_t index = d->c->items[chosen->begin + i];
		uint32_t to = d->c->m->to[index];
		const struct hp_object_item *item = &d->o->list[index];

		if (!item->is_single || hp_object_elements(item) == 0)
			return;
		unknown |= was_one_of_many(d, index);
		sums[1] += hp_object_elements(item);
		if (to != 0)
			sums[0] +=
				hp_object_elements(&d->c->m->first->list[to]);
	}
	s->elements[0] = sums[0];
	s->elements[1] = sums[1];
	s->elements_unknown = unknown;
}

/*
 * If the elements of a linked list are its nodes, and the nodes alternate
 * between several classes, return the class of the first node, as the index of
 * the row with its name, plus 1. Otherwise return @element.
 */
static uint32_t
class_of_nodes(const struct details *d, const struct hp_chosen *chosen,
	       uint32_t element)
{
	uint32_t item = chosen->list;

	for (uint32_t i = 0; i < chosen->period && item != 0; i++) {
		const struct hp_object_item *node = &d->o->list[item];

		if (d->c->names->list[node->name].class_row + 1 == element)
			return d->c->names->list[d->o->list[chosen->head].name]
				       .class_row +
			       1;
		item = node->parent;
	}
	return element;
}

static enum hp_status
find_contents(const struct details *d, const struct hp_chosen *chosen,
	      struct hp_suspect *s)
{
	uint32_t index =
		chosen->list ? chosen->list : d->c->items[chosen->begin];
	const struct hp_object_item *item = &d->o->list[index];
	struct hp_contents c;
	struct hp_buf b = {0};
	uint32_t element, first = 0;
	enum hp_status st = hp_contents_find(&c, d->k, item, d->err);

	if (st != HP_OK)
		return st;
	/*
	 * if the suspect is a linked list whose nodes alternate between several
	 * classes, the first nodes are items of their own; also count these
	 */
	if (chosen->list != 0)
		first = (item->depth - d->o->list[chosen->head].depth) /
			chosen->period;
	c.count += first;
	if (chosen->list != 0 && chosen->period > 1)
		c.value = class_of_nodes(d, chosen, c.value);
	element = c.count > 0 ? c.value ? c.value : c.key : c.child;
	s->is_leak = c.of_application &&
		     (hp_object_is_container(item) || chosen->is_tree);
	if (chosen->is_tree)
		c.count = c.children = 0;
	s->elements[1] = c.count > 0 ? c.count : c.children;
	if (element != 0 && s->elements[1] > 1) {
		s->element = d->k->names->list[element - 1]->key;
		s->is_mixed = element == c.value && c.mixed_values;
		s->elements_unknown =
			!elements_before(d, index, &c, &s->elements[0]);
		if (chosen->list != 0)
			s->elements[0] = (s->elements[0] + chosen->period - 1) /
						 chosen->period +
					 first;
		if (chosen->count > 1)
			add_elements_of_all(d, chosen, s);
	}
	hp_object_label(&b, d->k, item, s->holders[1], &c);
	s->label = keep(d, hp_buf_string(&b));
	st = hp_buf_ok(&b) && s->label ? HP_OK : hp_no_memory(d->err);
	hp_buf_release(&b);
	return st;
}

/* --- sums and evidence ---------------------------------------------------- */

static void
add_sizes(const struct details *d, uint32_t item, struct hp_suspect *s)
{
	const struct hp_held *now = &d->o->list[item].sum;
	struct hp_held before = hp_object_before(d->c->m, item);

	s->retained[0].objects += before.objects;
	s->retained[0].bytes += before.bytes;
	s->native[0] += before.native;
	s->retained[1].objects += now->objects;
	s->retained[1].bytes += now->bytes;
	s->native[1] += now->native;
	s->was_known &= !d->c->m->is_guess[item];
}

static void
add_sums(const struct details *d, const struct hp_chosen *chosen,
	 struct hp_suspect *s)
{
	const struct hp_object_match *m = d->c->m;
	int64_t most = INT64_MIN;

	s->was_known = true;
	for (uint32_t i = 0; i < chosen->count; i++) {
		uint32_t item = d->c->items[chosen->begin + i];
		const struct hp_object_item *now = &d->o->list[item];
		int64_t grown = hp_object_growth(m, item);

		add_sizes(d, item, s);
		s->holders[1] += now->members;
		if (m->to[item] != 0)
			s->holders[0] +=
				m->share[item] < 1 && now->is_single
					? 1
					: m->first->list[m->to[item]].members;
		if (grown > 0)
			s->evidence.owners += now->members;
		if (grown <= most || (i > 0 && !now->is_single))
			continue;
		most = grown;
		s->id = now->id;
		s->place = now->place;
	}
	for (uint32_t i = 0; i < chosen->nshared; i++)
		add_sizes(d, chosen->shared + i, s);
}

/*
 * Move the item that grew most to the beginning of the suspect's items, because
 * the texts about a suspect describe its first item. Single objects are
 * preferred, because their ids are known.
 */
static void
put_largest_first(const struct details *d, const struct hp_chosen *chosen)
{
	uint32_t *items = d->c->items + chosen->begin, best = 0;

	for (uint32_t i = 1; i < chosen->count; i++) {
		bool single = d->o->list[items[i]].is_single;
		bool was = d->o->list[items[best]].is_single;

		if (single != was
			    ? single
			    : hp_object_growth(d->c->m, items[i]) >
				      hp_object_growth(d->c->m, items[best]))
			best = i;
	}
	if (best > 0) {
		uint32_t item = items[best];

		items[best] = items[0];
		items[0] = item;
	}
}

static void
add_evidence(const struct hp_chosen *chosen, struct hp_suspect *s)
{
	struct hp_suspect_evidence *e = &s->evidence;

	if (!s->was_known || s->elements_unknown ||
	    s->elements[1] <= s->elements[0] || chosen->growth <= 0 ||
	    s->elements[0] == 0)
		return;
	e->new_elements = s->elements[1] - s->elements[0];
	e->element_bytes = (uint64_t)chosen->growth / e->new_elements;
}

static void
take_samples(const struct details *d, const struct hp_chosen *chosen,
	     uint64_t count, struct hp_suspect_samples *samples)
{
	const uint32_t *nodes = d->k->t->tree.nodes.at;
	uint64_t every = (count + HP_SUSPECT_SAMPLES - 1) / HP_SUSPECT_SAMPLES;
	struct members m = {.d = d, .s = chosen};

	samples->largest = nodes[item_of(d, chosen, 0)->place];
	samples->count = 0;
	for (uint64_t n = 0; next_member(&m) != 0; n++)
		if (n % every == 0 && samples->count < HP_SUSPECT_SAMPLES)
			samples->nodes[samples->count++] = nodes[m.place];
}

/*
 * Find the static field that refers to the ThreadLocal, if the objects of a
 * suspect are values of a ThreadLocal.
 */
static enum hp_status
find_local(const struct details *d, const struct hp_chosen *chosen,
	   struct hp_suspect_samples *samples)
{
	struct hp_buf b = {0};
	bool found;
	enum hp_status st = hp_suspect_find_local(
		d->k, item_of(d, chosen, 0)->place, &b, &found, d->err);

	samples->thread_local_field = NULL;
	if (st == HP_OK && found) {
		samples->thread_local_field = keep(d, hp_buf_string(&b));
		if (!hp_buf_ok(&b) || !samples->thread_local_field)
			st = hp_no_memory(d->err);
	}
	hp_buf_release(&b);
	return st;
}

static enum hp_status
find_examples(const struct details *d, const struct hp_chosen *chosen,
	      struct hp_suspect *s)
{
	struct members m = {.d = d, .s = chosen};
	uint32_t places[HP_SUSPECT_SAMPLES];
	size_t n = 0;

	if (!hp_diff_holds(d->r->options, HP_FORMAT_EXAMPLES))
		return HP_OK;
	while (n < HP_SUSPECT_SAMPLES && next_member(&m) != 0)
		places[n++] = m.place;
	return hp_suspect_examples_find(d->k, item_of(d, chosen, 0), places, n,
					d->r, s, d->err);
}

enum hp_status
hp_suspect_describe(const struct hp_choice *c, const struct hp_object_tree *o,
		    struct hp_object_kinds *k, struct hp_result *r, size_t i,
		    struct hp_suspect_samples *samples, struct hp_error *err)
{
	const struct details d = {c, o, k, r, err};
	const struct hp_chosen *chosen = &c->list[i];
	struct hp_suspect *s = &r->suspects[i];
	enum hp_status st;

	*s = (struct hp_suspect){0};
	put_largest_first(&d, chosen);
	add_sums(&d, chosen, s);
	s->holder = k->names->list[hp_object_kind_at(
					   k, item_of(&d, chosen, 0)->place)
					   ->row]
			    ->key;
	st = find_contents(&d, chosen, s);
	if (st == HP_OK)
		st = find_parts(&d, chosen, s);
	if (st != HP_OK)
		return st;
	s->is_leak &= hp_suspect_bytes(s, 1) / LEAK >
		      hp_held_bytes(&o->list[0].sum) / PARTS;
	s->field = field_of(&d, c->items[chosen->begin]);
	add_evidence(chosen, s);
	take_samples(&d, chosen, s->holders[1], samples);
	st = find_local(&d, chosen, samples);
	if (st == HP_OK)
		st = find_examples(&d, chosen, s);
	return st == HP_OK ? keep_texts(&d, s) : st;
}
