/*
 * suspect_label.c - find out what a container contains, and make a label from
 * this, for example "list of 1,500 CartItem"
 */
#include "diff/leaks/internal.h"
#include "common/base/memory.h"

#include "common/cli/quantity.h"
#include "diff/count/loader_naming.h"
#include "diff/paths/paths.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * The nouns for containers, such as "map", in singular and plural. A noun is
 * used if the name of the class contains `part`.
 */
static const struct noun {
	const char *part, *one, *many;
} nouns[] = {
	{"ThreadLocalMap", "thread-local map", "thread-local maps"},
	{"SetFromMap", "set", "sets"},
	{"Map", "map", "maps"},
	{"Hashtable", "map", "maps"},
	{"Properties", "map", "maps"},
	{"LruCache", "map", "maps"},
	{"SparseArray", "map", "maps"},
	{"Set", "set", "sets"},
	{"Queue", "queue", "queues"},
	{"Deque", "queue", "queues"},
	{"LinkedList", "linked list", "linked lists"},
	{"List", "list", "lists"},
	{"Vector", "list", "lists"},
	{"Stack", "list", "lists"},
	{"ArrayAsCollection", "list", "lists"},
	{"Collection", "collection", "collections"},
};

static const struct noun array_noun = {"", "array", "arrays"};
static const struct noun list_noun = {"", "linked list", "linked lists"};
static const struct noun set_noun = {"", "set", "sets"};
static const struct noun tree_noun = {"", "tree", "trees"};
static const struct noun loader_noun = {"", "class loader", "class loaders"};
static const struct noun finalizer_noun = {"", "finalizer queue",
					   "finalizer queues"};

/*
 * Nodes that refer to each other are a tree, not a linked list, if more than
 * 1/BRANCHES of them are branches.
 */
enum { BRANCHES = 16 };

/* The text between keys and values in a label, with an arrow. */
#define ARROW " \xe2\x86\x92 "

const char *
hp_short_name(const char *name)
{
	const char *at = name;

	/*
	 * the package ends before the first word that begins with a capital
	 * letter
	 */
	for (const char *dot = strchr(at, '.'); dot; dot = strchr(at, '.')) {
		if (isupper((unsigned char)*at) || *at == '[')
			break;
		at = dot + 1;
	}
	return *at ? at : name;
}

/* --- what a container contains -------------------------------------------- */

static void
clear_counts(struct hp_object_counts *c)
{
	while (c->nused > 0)
		c->of[c->used[--c->nused]] = (struct hp_object_count){0};
}

/* Returns the counts of a kind of objects. */
static struct hp_object_count *
counts_of(struct hp_object_counts *c, uint32_t kind)
{
	struct hp_object_count *of = &c->of[kind];

	if (!of->is_used)
		c->used[c->nused++] = kind;
	of->is_used = true;
	return of;
}

struct look {
	struct hp_object_kinds *k;
	const struct hp_object_item *item;
	struct hp_object_counts *counts;
	uint64_t entries, slots, nodes;
	/*
	 * number of nodes that are not the only node to which another node
	 * refers; a linked list has none, a tree has many
	 */
	uint64_t branches;
	uint32_t inner;
	/*
	 * the objects are finalizers, so the objects that wait for them are
	 * counted as contents
	 */
	bool waits;
	/* do not count the objects to which the parts of the object refer */
	bool only_children;
};

static void
look_at_array(struct look *w, uint32_t node)
{
	const struct hp_edges *edges = &w->k->t->graph.edges;
	struct hp_edge_reader r = {.base = node};
	uint64_t unused;
	uint32_t to;

	hp_edge_kind(edges, node, &r.at);
	while (r.at != 0 &&
	       (to = hp_edge_next(edges->lists.at, &r)) != HP_EDGE_END) {
		counts_of(w->counts, hp_edge_kind(edges, to, &unused))
			->values++;
		w->slots++;
	}
}

/*
 * For an array that contains keys and values alternately: count the classes of
 * the keys and of the values.
 */
static void
look_at_pairs(struct look *w, uint32_t node)
{
	struct hp_pair_reader r;
	bool is_key;
	uint32_t kind;

	hp_pairs_begin(&r, w->k, node);
	while (hp_pairs_next(&r, &kind, &is_key)) {
		if (is_key)
			counts_of(w->counts, kind)->keys++;
		else
			counts_of(w->counts, kind)->values++;
		w->entries += is_key;
	}
}

/*
 * For an entry of a map: count the class of its key and the class of its value.
 */
static void
look_at_entry(struct look *w, uint32_t node)
{
	const struct hp_edges *edges = &w->k->t->graph.edges;
	struct hp_edge_reader fields = {.base = node};
	uint32_t kind = hp_edge_kind(edges, node, &fields.at), to, number;
	const struct hp_class *c = w->k->list[kind].class;
	struct hp_path_field_at at;
	uint64_t unused;

	if (!c || fields.at == 0)
		return;
	w->entries++;
	at = (struct hp_path_field_at){.of = &w->k->numbers.classes[c->index]};
	while ((to = hp_edge_next_field(edges->lists.at, &fields)) !=
	       HP_EDGE_END) {
		const struct hp_string *name;
		struct hp_object_count *count;

		number = hp_path_field_number(&w->k->numbers, &at,
					      fields.next - 1);
		if (number == 0 ||
		    hp_object_role(w->k, number) != HP_FIELD_ELEMENT)
			continue;
		name = hp_tables_string(&w->k->keys->g->tables,
					w->k->numbers.list[number].name);
		count = counts_of(w->counts, hp_edge_kind(edges, to, &unused));
		if (name && name->length > 0 && name->data[0] == 'k')
			count->keys++;
		else
			count->values++;
	}
}

static void
look_at_part(struct look *w, uint32_t place)
{
	unsigned is = hp_object_kind_at(w->k, place)->is;
	uint32_t node = ((const uint32_t *)w->k->t->tree.nodes.at)[place];

	if (is & HP_OBJECT_CONTAINER && w->inner == 0)
		w->inner = hp_tree_kind(&w->k->t->tree, place) + 1;
	if (is & HP_OBJECT_ENTRY)
		look_at_entry(w, node);
	else if (is & HP_OBJECT_ARRAY && hp_object_in_pairs(w->k, place))
		look_at_pairs(w, node);
	else if (is & HP_OBJECT_ARRAY && !(is & HP_OBJECT_PARTS))
		look_at_array(w, node);
}

/*
 * Count an object that the container immediately dominates. In a map that the
 * program itself implements, also count further entries of the same class to
 * which an entry refers.
 */
static void
look_at_child(struct look *w, uint32_t place)
{
	const struct hp_tree *t = &w->k->t->tree;
	uint32_t end = hp_tree_end(t, place), p = place + 1;
	struct hp_object_count *count =
		counts_of(w->counts, hp_tree_kind(t, place));

	count->children++;
	count->bytes += hp_retained_sum(w->k->t, place).bytes;
	while (p < end)
		if (hp_object_is_next(w->k, p, hp_tree_parent(t, p)))
			counts_of(w->counts, hp_tree_kind(t, p++))->children++;
		else
			p = hp_tree_end(t, p);
}

/*
 * Count the objects that an object immediately dominates, and the nodes of its
 * linked list. Unless only these are wanted, also count the objects to which
 * the object and its parts refer.
 */
static void
look_at_object(struct look *w, uint32_t object)
{
	const struct hp_tree *t = &w->k->t->tree;
	uint32_t end = hp_tree_end(t, object), p = object + 1, last = object;
	struct hp_tree_window window = {0};

	counts_of(w->counts, hp_tree_kind(t, object))->run++;
	if (!w->only_children)
		look_at_part(w, object);
	while (p < end) {
		uint32_t above;

		hp_tree_ahead(&window, t, p);
		above = hp_tree_parent(t, p);
		if (hp_object_is_next(w->k, p, above)) {
			w->nodes++;
			w->branches += above != last;
			last = p;
			counts_of(w->counts, hp_tree_kind(t, p++))->run++;
		} else if (hp_object_is_part(w->k, p, above)) {
			if (!w->only_children)
				look_at_part(w, p);
			p++;
		} else {
			look_at_child(w, p);
			p = hp_tree_end(t, p);
		}
	}
}

/* If the item consists of finalizers, count the objects that wait for them. */
static void
look_at_waiting(struct look *w, uint32_t object)
{
	const struct hp_finalizer_queue *q = &w->k->t->queue;
	uint32_t end = hp_tree_end(&w->k->t->tree, object);
	size_t i = q->count > 0 ? hp_finalizer_queue_from(q, object) : 0;

	for (; i < q->count && q->list[i].finalizer < end; i++) {
		uint32_t kind = hp_tree_kind(&q->tree, q->list[i].waiting);

		counts_of(w->counts, kind)->values++;
		w->waits = true;
	}
}

/* One of the numbers of struct hp_object_count. */
enum number { KEYS, VALUES, BYTES, RUN };

static uint64_t
number_of(const struct hp_object_count *c, enum number which)
{
	switch (which) {
	case KEYS:
		return c->keys;
	case VALUES:
		return c->values;
	case BYTES:
		return c->bytes;
	default:
		return c->run;
	}
}

/*
 * Find the class with the largest sum of one of the numbers. Kinds of the same
 * class, such as arrays of different lengths, are added up. Returns 1 + the
 * index of the row of the class; 0: all sums are 0. *@sum receives the sum of
 * the class.
 */
static uint32_t
most_frequent(const struct look *w, enum number which, uint64_t *sum)
{
	const struct hp_object_counts *c = w->counts;
	const struct hp_object_kinds *k = w->k;
	uint32_t best = 0;

	*sum = 0;
	for (uint32_t i = 0; i < c->nused; i++)
		c->by_row[k->list[c->used[i]].row] +=
			number_of(&c->of[c->used[i]], which);
	for (uint32_t i = 0; i < c->nused; i++) {
		uint32_t row = k->list[c->used[i]].row;

		if (c->by_row[row] > *sum ||
		    (c->by_row[row] == *sum && best != 0 &&
		     strcmp(k->names->list[row]->key,
			    k->names->list[best - 1]->key) < 0)) {
			*sum = c->by_row[row];
			best = row + 1;
		}
	}
	for (uint32_t i = 0; i < c->nused; i++)
		c->by_row[k->list[c->used[i]].row] = 0;
	return *sum > 0 ? best : 0;
}

/* Whether less than half of the numbers belong to the class with @most. */
static bool
is_mixed(const struct look *w, enum number which, uint64_t most)
{
	const struct hp_object_counts *c = w->counts;
	uint64_t all = 0;

	for (uint32_t i = 0; i < c->nused; i++)
		all += number_of(&c->of[c->used[i]], which);
	return most < all - most;
}

static bool
is_of_application(const struct hp_object_kinds *k, uint32_t row)
{
	return row != 0 &&
	       hp_class_origin_by_name(k->names->list[row - 1]->key) ==
		       HP_CLASS_OF_APPLICATION;
}

/*
 * Decide what the elements of a linked list or a tree are. If most nodes refer
 * to another object in addition to the next node, these objects are the
 * elements; otherwise the nodes are. The elements of the finalizer queue are
 * the @waiting objects.
 */
static void
conclude_list(struct look *w, uint64_t waiting, struct hp_contents *c)
{
	uint32_t node = most_frequent(w, RUN, &c->count);

	c->is_tree = w->branches > w->nodes / BRANCHES;
	c->counted = HP_CONTENTS_NODES;
	if (w->waits) {
		c->count = waiting;
		return;
	}
	c->key = 0;
	c->value = node;
	if (c->children * 2 > c->count) {
		c->value = c->child;
		c->count = c->children;
		c->counted = HP_CONTENTS_CHILDREN;
	}
}

static void
conclude(struct look *w, struct hp_contents *c)
{
	const struct hp_object_counts *counts = w->counts;
	uint64_t sum, unused;

	c->key = most_frequent(w, KEYS, &sum);
	c->mixed_keys = is_mixed(w, KEYS, sum);
	c->value = most_frequent(w, VALUES, &sum);
	c->mixed_values = is_mixed(w, VALUES, sum);
	c->child = most_frequent(w, BYTES, &unused);
	for (uint32_t i = 0; c->child != 0 && i < counts->nused; i++)
		if (w->k->list[counts->used[i]].row == c->child - 1)
			c->children += counts->of[counts->used[i]].children;
	c->inner = w->inner;
	c->count = w->entries > 0 ? w->entries : w->slots;
	c->counted = w->entries > 0 ? HP_CONTENTS_ENTRIES : HP_CONTENTS_SLOTS;
	/*
	 * in a hash table, a slot of the array refers only to the first entry
	 * of its chain, so use the number of entries
	 */
	if (w->entries == 0 && c->value == c->child) {
		c->counted = HP_CONTENTS_LARGER;
		if (c->children > c->count)
			c->count = c->children;
	}
	if (c->count == 0)
		c->counted = HP_CONTENTS_CHILDREN;
	if (w->item->is_list) {
		c->mixed_values = false;
		conclude_list(w, sum, c);
	}
	c->of_application = is_of_application(w->k, c->key) ||
			    is_of_application(w->k, c->value) ||
			    is_of_application(w->k, c->child);
}

/* --- labels --------------------------------------------------------------- */

bool
hp_object_is_container(const struct hp_object_item *i)
{
	return i->is_list || i->slots > 0 || i->entries > 0 ||
	       i->is & (HP_OBJECT_ARRAY | HP_OBJECT_CONTAINER);
}

/*
 * Returns the noun for a collection class. A class that extends a collection
 * class gets the noun of that class.
 */
static const struct noun *
noun_of_collection(const struct hp_object_kinds *k,
		   const struct hp_object_kind *kind)
{
	const char *name = k->names->list[kind->row]->key;
	const struct hp_class *c = kind->class;

	for (unsigned n = 0; n < 8; n++) {
		const struct hp_name *next;

		for (size_t i = 0; i < HP_ARRAY_LEN(nouns); i++)
			if (hp_is_collection(name) &&
			    strstr(hp_short_name(name), nouns[i].part))
				return &nouns[i];
		c = c ? c->super : NULL;
		next = c ? hp_key_class(k->keys, c->id) : NULL;
		if (!next)
			return NULL;
		name = next->text;
	}
	return NULL;
}

static const struct noun *
noun_of(const struct hp_object_kinds *k, const struct hp_object_item *i,
	const struct hp_object_kind *kind, const struct hp_contents *c)
{
	if (i->is_list && strcmp(k->names->list[kind->row]->key,
				 "java.lang.ref.Finalizer") == 0)
		return &finalizer_noun;
	if (strcmp(k->names->list[kind->row]->key,
		   "java.util.concurrent.ConcurrentHashMap$KeySetView") == 0)
		return &set_noun;
	if (i->is & HP_OBJECT_CONTAINER)
		return noun_of_collection(k, kind);
	if (i->is_list)
		return c->is_tree ? &tree_noun : &list_noun;
	if (i->is & HP_OBJECT_ARRAY)
		return &array_noun;
	if (i->is & HP_OBJECT_LOADER)
		return &loader_noun;
	return c->inner ? noun_of_collection(k, &k->list[c->inner - 1]) : NULL;
}

/*
 * Whether an item is a set. A set of the JDK contains a map whose keys are the
 * elements, and whose values are all the same object.
 */
static bool
is_set(const struct hp_object_kinds *k, const struct hp_object_item *i,
       const struct hp_contents *c)
{
	const struct noun *noun =
		noun_of(k, i, hp_object_kind_at(k, i->place), c);

	return noun && strcmp(noun->one, "set") == 0;
}

enum hp_status
hp_contents_find(struct hp_contents *c, struct hp_object_kinds *k,
		 const struct hp_object_item *item, struct hp_error *err)
{
	struct look w = {.k = k, .item = item};

	*c = (struct hp_contents){0};
	w.counts = hp_object_counts_open(k);
	if (!w.counts)
		return hp_no_memory(err);
	look_at_object(&w, item->place);
	look_at_waiting(&w, item->place);
	conclude(&w, c);
	if (is_set(k, item, c) && c->key != 0) {
		c->value = c->key;
		c->mixed_values = c->mixed_keys;
		c->key = 0;
	}
	clear_counts(w.counts);
	return HP_OK;
}

/*
 * Insert a class into a list of the classes with the most bytes. Classes with
 * equally many bytes are sorted by name.
 */
static void
insert_child(const struct hp_object_kinds *k, struct hp_child_class *list,
	     size_t *n, struct hp_child_class c)
{
	size_t at = *n;

	while (at > 0 && (c.bytes > list[at - 1].bytes ||
			  (c.bytes == list[at - 1].bytes &&
			   strcmp(k->names->list[c.row]->key,
				  k->names->list[list[at - 1].row]->key) < 0)))
		at--;
	if (at == HP_CHILD_CLASSES)
		return;
	if (*n < HP_CHILD_CLASSES)
		++*n;
	memmove(&list[at + 1], &list[at], (*n - 1 - at) * sizeof(c));
	list[at] = c;
}

enum hp_status
hp_contents_children(struct hp_child_class *list, size_t *n,
		     struct hp_object_kinds *k,
		     const struct hp_object_item *item, struct hp_error *err)
{
	struct hp_object_counts *c = hp_object_counts_open(k);
	struct look w = {
		.k = k, .item = item, .counts = c, .only_children = true};

	*n = 0;
	if (!c)
		return hp_no_memory(err);
	look_at_object(&w, item->place);
	for (uint32_t i = 0; i < c->nused; i++)
		c->by_row[k->list[c->used[i]].row] += c->of[c->used[i]].bytes;
	for (uint32_t i = 0; i < c->nused; i++) {
		uint32_t row = k->list[c->used[i]].row;

		if (c->by_row[row] > 0)
			insert_child(
				k, list, n,
				(struct hp_child_class){
					.row = row, .bytes = c->by_row[row]});
		c->by_row[row] = 0;
	}
	for (uint32_t i = 0; i < c->nused; i++)
		for (size_t at = 0; at < *n; at++)
			if (list[at].row == k->list[c->used[i]].row)
				list[at].objects += c->of[c->used[i]].children;
	clear_counts(c);
	return HP_OK;
}

static const char *
row_text(const struct hp_object_kinds *k, uint32_t row)
{
	return hp_short_name(k->names->list[row - 1]->key);
}

/* The name of the class of keys or values, if at least half of them have it. */
static const char *
class_text(const struct hp_object_kinds *k, uint32_t row, bool mixed)
{
	return mixed ? "objects of several classes" : row_text(k, row);
}

/*
 * Append the contents of a container: " of 1,370: Integer → Shop$Session", " of
 * 1,500 CartItem" or " of 1,480 objects of several classes".
 */
static void
held_text(struct hp_buf *b, const struct hp_object_kinds *k,
	  const struct hp_contents *c, bool one)
{
	if (c->value == 0 && c->key == 0)
		return;
	hp_buf_text(b, " of ");
	if (one)
		hp_count_text(b, c->count);
	if (c->key == 0) {
		hp_buf_printf(b, one ? " %s" : "%s",
			      class_text(k, c->value, c->mixed_values));
		return;
	}
	hp_buf_text(b, one ? ": " : "");
	hp_buf_text(b, class_text(k, c->key, c->mixed_keys));
	if (c->value != 0)
		hp_buf_printf(b, ARROW "%s",
			      class_text(k, c->value, c->mixed_values));
}

void
hp_object_label(struct hp_buf *b, const struct hp_object_kinds *k,
		const struct hp_object_item *i, uint64_t members,
		const struct hp_contents *c)
{
	const struct hp_object_kind *kind = hp_object_kind_at(k, i->place);
	const struct noun *noun = noun_of(k, i, kind, c);
	const char *class = row_text(k, kind->row + 1);

	if (members > 1) {
		hp_count_text(b, members);
		hp_buf_byte(b, ' ');
	}
	if (noun == &loader_noun) {
		hp_buf_printf(b, "%s %s", members > 1 ? noun->many : noun->one,
			      class);
		return;
	}
	if (noun) {
		hp_buf_text(b, members > 1 ? noun->many : noun->one);
		held_text(b, k, c, members == 1);
		return;
	}
	hp_buf_text(b, class);
	if (members == 1 && c->count > 0) {
		hp_buf_text(b, " with ");
		hp_count_text(b, c->count);
		hp_buf_printf(b, " %s",
			      c->value
				      ? class_text(k, c->value, c->mixed_values)
				      : "");
	} else if (members == 1 && c->children > 1) {
		hp_buf_text(b, " with ");
		hp_count_text(b, c->children);
		hp_buf_printf(b, " %s", row_text(k, c->child));
	}
}

bool
hp_object_holds(const struct hp_object_kinds *k, const struct hp_object_item *i,
		const struct hp_contents *c)
{
	const struct hp_object_kind *kind = hp_object_kind_at(k, i->place);
	const struct noun *noun = noun_of(k, i, kind, c);

	return noun == &loader_noun || (noun && (c->key != 0 || c->value != 0));
}

enum hp_status
hp_loader_label(const char **label, const char *name, uint64_t members,
		struct hp_arena *arena, struct hp_error *err)
{
	struct hp_buf b = {0};

	if (members > 1 && name[0] != '\'') {
		hp_count_text(&b, members);
		hp_buf_printf(&b, " %s of %s", loader_noun.many, name);
	} else {
		hp_loader_label_text(&b, *label, name);
	}
	*label = hp_buf_ok(&b) ? hp_arena_copy(arena, b.data, b.len) : NULL;
	hp_buf_release(&b);
	return *label ? HP_OK : hp_no_memory(err);
}
