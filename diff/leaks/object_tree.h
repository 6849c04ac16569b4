/*
 * object_tree.h - a tree of the large objects of a dump, and the search for the
 * objects in which growth accumulates
 */
#ifndef HP_DIFF_LEAKS_OBJECT_TREE_H
#define HP_DIFF_LEAKS_OBJECT_TREE_H

#include "diff/keys/keys.h"
#include "diff/leaks/merged_tree.h"
#include "diff/paths/paths.h"
#include "diff/result/result.h"
#include "diff/retained/retained.h"

/* ----------------------------------------------------------------------
 * Which objects are parts of a container
 *
 * A container is a collection, an array, or an object of the program that wraps
 * a collection. Its parts are the array that holds its elements, the entries of
 * a map, the nodes of a list, and the collection inside a wrapper. A Java
 * program uses the container, never its parts, so a leak suspect is always a
 * whole container.
 */

/* Properties of the objects of one kind (class and size); a set of bits. */
enum {
	HP_OBJECT_ARRAY = 1,	  /* an array of references */
	HP_OBJECT_PRIMITIVES = 2, /* an array of primitive values */
	/* a part of a container: an entry or a node, such as HashMap$Node */
	HP_OBJECT_PART = 8,
	/*
	 * an array whose elements are parts of a container, such as
	 * HashMap$Node[]
	 */
	HP_OBJECT_PARTS = 16,
	/*
	 * a part of a container with fields that refer to elements, such as
	 * HashMap$Node
	 */
	HP_OBJECT_ENTRY = 32,
	HP_OBJECT_CONTAINER = 64, /* a collection or map */
	HP_OBJECT_CLASS = 128,
	/*
	 * a thread or a class loader; such objects are never nodes of a linked
	 * list
	 */
	HP_OBJECT_LONE = 256,
	HP_OBJECT_LOADER = 512,
	/*
	 * a ThreadLocal$ThreadLocalMap: the map with the values that a thread
	 * has for its ThreadLocals
	 */
	HP_OBJECT_THREAD_LOCALS = 1024,
	/*
	 * a map whose array contains keys and values alternately:
	 * IdentityHashMap
	 */
	HP_OBJECT_PAIRS = 2048,
};

struct hp_object_kind {
	uint32_t row; /* index of the row with the name of the class */
	unsigned is;
	/*
	 * the class, with its fields; NULL: the objects are not instances, or
	 * the class is not known
	 */
	const struct hp_class *class;
};

/*
 * How many objects of each kind (class and size) one object contains. Only the
 * kinds in the list `used` have numbers, so the numbers are cleared quickly
 * before the contents of the next object are counted.
 */
struct hp_object_counts {
	/* for each kind of object; all numbers are 0 for most kinds */
	struct hp_object_count {
		/*
		 * how many objects of this kind are keys, elements (values),
		 * children in the dominator tree, and nodes of a linked list
		 */
		uint64_t keys, values, children, run;
		uint64_t bytes; /* the bytes of the children */
		bool is_used;	/* the kind is in the list `used` */
	} * of;
	uint32_t *used;
	uint32_t nused;
	/* for each class, by the row of its name: 0, or temporarily a sum */
	uint64_t *by_row;
};

struct hp_object_kinds {
	const struct hp_retained *t;
	struct hp_keys *keys;
	struct hp_rows *names;
	/*
	 * the properties of each kind of object (class and size); the index is
	 * the number of the kind
	 */
	struct hp_object_kind *list;
	struct hp_path_fields numbers;
	/*
	 * for each reference field, by its number: 1 + what it refers to (enum
	 * hp_field_role); 0: not known yet
	 */
	uint8_t *roles;
	/*
	 * for each reference field, by its number: 1 + the index of the row
	 * with its name "Class.field"; 0: there is no row yet
	 */
	uint32_t *vias;
	/* NULL before the first call of hp_object_counts_open() */
	struct hp_object_counts *counts;
};

/**
 * hp_object_kinds_init() - find the properties of all kinds of objects in a
 * dump
 *
 * @k: zeroed by the caller
 * @names: receives the names of the classes
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 * Ownership: call hp_object_kinds_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_object_kinds_init(struct hp_object_kinds *k,
						const struct hp_retained *t,
						struct hp_keys *keys,
						struct hp_rows *names,
						struct hp_error *err);
void hp_object_kinds_release(struct hp_object_kinds *k);

/*
 * Returns the counts of @k, which are all 0, or NULL if out of memory. They are
 * allocated by the first call.
 */
struct hp_object_counts *hp_object_counts_open(struct hp_object_kinds *k);

/*
 * Returns the kind (class and size) of the object with the index @place in the
 * dominator tree.
 */
static inline const struct hp_object_kind *
hp_object_kind_at(const struct hp_object_kinds *k, uint32_t place)
{
	return &k->list[hp_tree_kind(&k->t->tree, place)];
}

/*
 * Whether the object with the index @place in the dominator tree is a part of a
 * map whose array contains keys and values alternately.
 */
static inline bool
hp_object_in_pairs(const struct hp_object_kinds *k, uint32_t place)
{
	uint32_t above = hp_tree_parent(&k->t->tree, place);

	return above != 0 && hp_object_kind_at(k, above)->is & HP_OBJECT_PAIRS;
}

/*
 * Reads the elements of an array that contains the keys and values of a map
 * alternately. The caller uses no member.
 */
struct hp_pair_reader {
	const struct hp_object_kinds *k;
	struct hp_edge_reader edges;
	uint32_t first; /* row of the class of the first element */
	/* the elements seem to alternate between keys and values */
	bool regular;
	bool begun, after_key;
};

void hp_pairs_begin(struct hp_pair_reader *r, const struct hp_object_kinds *k,
		    uint32_t node);

/*
 * Read the next element that is not null. Returns false at the end of the
 * array.
 *
 * @kind: receives the kind of the element
 * @is_key: receives whether it is a key. If values are null, this is inferred
 *   from the classes of the elements.
 */
bool hp_pairs_next(struct hp_pair_reader *r, uint32_t *kind, bool *is_key);

/*
 * Returns the number of the field by which the instance @from refers to the
 * object @to (nodes of the graph). Returns 0 if no field does, or if the class
 * has too many fields for a search.
 */
uint32_t hp_object_field(const struct hp_object_kinds *k, uint32_t from,
			 uint32_t to);

/*
 * Returns what a field refers to, according to the table of collection classes:
 * an internal part, an element, or something else.
 */
enum hp_field_role hp_object_role(struct hp_object_kinds *k, uint32_t field);

/*
 * Returns the row with the name of a field, for example "EventBus.listeners",
 * or NULL if out of memory.
 */
const struct hp_row *hp_object_field_name(struct hp_object_kinds *k,
					  uint32_t field);

/*
 * Whether the object with index @place in the dominator tree is a part of its
 * dominator, for example an entry of a map. @above: the index of this
 * dominator. An object is never a part of a class or of the root.
 */
bool hp_object_is_part(struct hp_object_kinds *k, uint32_t place,
		       uint32_t above);

/*
 * maximum number of classes between which the nodes of a linked list alternate
 */
enum { HP_LIST_PERIODS = 8 };

/*
 * Whether the object with index @place in the dominator tree, and its dominator
 * at @above, are nodes of the same linked list. This is so if both have the
 * same class, or if the classes on the way up the dominator tree alternate
 * between at most HP_LIST_PERIODS classes.
 */
bool hp_object_is_next(const struct hp_object_kinds *k, uint32_t place,
		       uint32_t above);

/* ----------------------------------------------------------------------
 * The dominator tree of a dump, reduced to its large objects
 *
 * The nodes of this tree are called items. Each large object is an item of its
 * own. All small objects that have the same parent and the same name form one
 * item together. The name of an object is its class and the field by which its
 * dominator refers to it. A container and its parts count as one object; so do
 * all nodes of a linked list (object_kinds.c).
 *
 * The items of two dumps can be compared after the graphs have been released.
 */

/*
 * maximum depth of an item (node) in the tree of large objects; an object at a
 * greater depth is added to its ancestor at this depth
 */
enum { HP_OBJECT_DEPTH = 64 };

/*
 * The name of an item: its class, and the field that refers to it, each as the
 * index of a row.
 */
struct hp_object_name {
	/*
	 * 1 + index of the row with the name of the field; 0: the object is an
	 * element of its parent, or the field is not known
	 */
	uint32_t via;
	uint32_t class_row;
};

/* The names of the items (nodes) in the trees of all dumps. */
struct hp_object_names {
	struct hp_rows rows;
	/*
	 * maps a pair of `via` and `class_row` to the index of the name in
	 * `list`
	 */
	struct hp_id_map by_pair;
	struct hp_object_name *list;
	size_t count, cap;
};

/*
 * What an object retains, including itself: the number of objects, their bytes,
 * and the bytes outside the heap that they own, for example as direct buffers.
 */
struct hp_held {
	uint64_t objects, bytes, native;
};

/*
 * Returns all bytes that are freed when an object is freed, in the heap and
 * outside of it.
 */
static inline uint64_t
hp_held_bytes(const struct hp_held *h)
{
	return h->bytes + h->native;
}

static inline void
hp_held_add(struct hp_held *sum, const struct hp_held *part)
{
	sum->objects += part->objects;
	sum->bytes += part->bytes;
	sum->native += part->native;
}

/*
 * Multiply each member of @h by @share. @round is added to each product before
 * it is rounded down.
 */
static inline struct hp_held
hp_held_part(const struct hp_held *h, double share, double round)
{
	return (struct hp_held){
		.objects = (uint64_t)((double)h->objects * share + round),
		.bytes = (uint64_t)((double)h->bytes * share + round),
		.native = (uint64_t)((double)h->native * share + round)};
}

struct hp_object_item {
	uint32_t name; /* index of the item's name in hp_object_names.list */
	/*
	 * index of the item that dominates this item; 0: the root of the tree
	 */
	uint32_t parent;
	/*
	 * The children of an item have the indexes `child` to `child` +
	 * `nchildren` - 1. They are sorted by name. Among equal names, single
	 * objects come first, the largest one first.
	 */
	uint32_t child, nchildren;
	uint32_t depth;
	/*
	 * the item is one large object; otherwise it is all small objects with
	 * this name
	 */
	bool is_single;
	/* the name of the item contains a static field */
	bool is_static;
	/*
	 * the item is a linked list: its nodes are objects of one class that
	 * refer to each other
	 */
	bool is_list;
	/* the properties of the item's objects (HP_OBJECT_... bits) */
	unsigned is;
	uint32_t members;
	/*
	 * The object that retains most among the objects of the item: its index
	 * in the dominator tree, and its id.
	 */
	uint32_t place;
	uint64_t id;
	uint64_t largest_bytes;
	/*
	 * For an item that is one container, large or small. entries: number of
	 * its entries, such as HashMap$Node. slots: number of references from
	 * its arrays to elements. nodes: number of nodes of its linked list.
	 */
	uint64_t entries, slots, nodes;
	/* what the objects of the item retain, including themselves */
	struct hp_held sum;
	/*
	 * The first and the last object of the item, as indexes in the
	 * dominator tree. hp_object_member() finds the objects between them.
	 */
	uint32_t head, tail;
	/*
	 * The value in hp_object_tree.numbers of the objects of the item; 0:
	 * the item is the root. Numbers increase with the depth of items.
	 */
	uint32_t number;
};

struct hp_object_tree {
	/* the items (nodes of the tree); item 0 is the root */
	struct hp_object_item *list;
	uint32_t count;
	size_t cap;
	/*
	 * the full dominator tree, borrowed until hp_object_tree_trim()
	 */
	const struct hp_tree *tree;
	/*
	 * For each object, by its index in the dominator tree: the number of
	 * its item, as uint32_t. 0: the object belongs to no item, because it
	 * is a part of an object, or retains too little.
	 */
	struct hp_big_array numbers;
	/*
	 * for each class: the number of its reachable objects; the key of the
	 * map is the index of the row with the class name
	 */
	struct hp_id_map counts;
};

/**
 * hp_object_tree_build() - build the tree of the large objects of a dump
 *
 * @o: zeroed by the caller
 * @t: the graph and the dominator tree of the dump; the graph must still have
 *   its references
 * @kinds: the kinds of objects in @t
 * @names: the names of items, which the trees of all dumps share
 *
 * Memory: 4 bytes for each reachable object until hp_object_tree_trim(), about
 * 140 bytes for each item, and 2 bits for each object during the call
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_object_tree_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_object_tree_build(struct hp_object_tree *o,
						struct hp_retained *t,
						struct hp_object_kinds *kinds,
						struct hp_object_names *names,
						struct hp_error *err);

/*
 * Returns the first object of an item after the object @after (index in the
 * dominator tree), or the first one of all if @after is 0. Returns 0 at the
 * end, and for the root. Do not call it after hp_object_tree_trim().
 *
 * Time: a loop over all objects of an item takes O(n) for n objects between the
 * first and the last one.
 */
uint32_t hp_object_member(const struct hp_object_tree *o, uint32_t item,
			  uint32_t after);

/*
 * Free the data about single objects, which is useless after the graph is
 * released. The items and their sums are kept.
 */
void hp_object_tree_trim(struct hp_object_tree *o);
void hp_object_tree_release(struct hp_object_tree *o);

void hp_object_names_init(struct hp_object_names *n);
void hp_object_names_release(struct hp_object_names *n);

/*
 * Compare two names, given by their indexes, by their texts: first the classes,
 * then the fields. The order of the indexes depends on the dump.
 */
int hp_object_names_compare(const struct hp_object_names *n, uint32_t x,
			    uint32_t y);

/* Whether an item is one object, either a large one or a small one. */
static inline bool
hp_object_is_one(const struct hp_object_item *i)
{
	return i->is_single || i->members == 1;
}

/*
 * Returns the number of elements of an item that is one container, large or
 * small; otherwise 0.
 */
static inline uint64_t
hp_object_elements(const struct hp_object_item *i)
{
	if (i->entries > 0)
		return i->entries;
	return i->slots > 0 || i->nodes == 0 ? i->slots : i->nodes + 1;
}

/* Returns the number of reachable objects of the class with this row. */
static inline uint64_t
hp_object_class_count(const struct hp_object_tree *o, uint32_t class_row)
{
	const uint64_t *n = hp_id_map_get(&o->counts, (uint64_t)class_row + 1);

	return n ? *n : 0;
}

/* ----------------------------------------------------------------------
 * How many objects of each class an item of one object immediately dominates
 */

/*
 * maximum number of classes for each item: those with the most bytes
 */
enum { HP_CHILD_CLASSES = 16 };

struct hp_child_class {
	uint32_t row; /* index of the row with the name of the class */
	uint64_t objects, bytes;
};

struct hp_child_counts {
	struct hp_child_class *list;
	size_t count, cap;
	/* for each item: the index in `list` after its last class */
	size_t *ends;
	uint32_t nitems;
};

/* ----------------------------------------------------------------------
 * Find the items of the last dump in an earlier dump
 *
 * An item (a large object, or all small objects of one name) corresponds to an
 * item of the earlier dump if both have the same name and their parents
 * correspond.
 *
 * If several large objects have the same name, they are matched by equal ids if
 * objects kept their addresses between the two dumps. Otherwise they are
 * matched by equal sizes, then by similar sizes, then by the order of their
 * sizes. An object that has another parent than before is found by its id, or
 * by a static field.
 */

struct hp_object_match {
	const struct hp_object_tree *first, *last;
	/*
	 * for each item of `last`: the corresponding item of `first`; 0: there
	 * is none, or it is the root
	 */
	uint32_t *to;
	/*
	 * For each item i of `last`: a fraction, usually 1. It is less than 1
	 * if to[i] stands for several small objects of the first dump, and item
	 * i is only one of them. For example, 0.25: to[i] stands for four.
	 */
	double *share;
	/*
	 * For each item of `last`: the objects that the item retains in `last`,
	 * and that another item retained in `first`. These objects have only
	 * moved, so they are not growth.
	 */
	struct hp_held *moved;
	/*
	 * For each item of `last` that consists of small objects: how many of
	 * these were large objects in `first`. `moved` includes what these
	 * objects retained in `first`.
	 */
	uint32_t *fell;
	/*
	 * For each item of `last` that is a linked list: how many of its nodes
	 * were not nodes of this list in `first`. `moved` includes what these
	 * nodes retained in `first`.
	 */
	uint64_t *joined;
	/*
	 * For each item of `last`: its match is only a guess, because the two
	 * items only have the same class and about the same size. So the growth
	 * of the item is not known.
	 */
	bool *is_guess;
	/* for each item of `first`: an item of `last` corresponds to it */
	bool *is_found;
	/*
	 * objects have the same addresses in both dumps, so equal ids mean the
	 * same object
	 */
	bool stable;
};

/**
 * hp_object_match_find() - find the items of @last in @first
 *
 * @m: zeroed by the caller
 * @first: the tree of the earlier dump; NULL: there is none, so every item is
 *   new
 * @stable: whether objects have the same addresses in both dumps
 * @limit: an object without a match that retains fewer bytes than this counts
 *   as new
 *
 * Time: O(n log n) for n items
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_object_match_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_object_match_find(
	struct hp_object_match *m, const struct hp_object_tree *first,
	const struct hp_object_tree *last, const struct hp_object_names *names,
	bool stable, uint64_t limit, struct hp_error *err);
void hp_object_match_release(struct hp_object_match *m);

/*
 * Returns what an item of the last dump retained in the earlier dump, as far as
 * matches are known.
 */
struct hp_held hp_object_before(const struct hp_object_match *m, uint32_t item);

/*
 * Returns by how many bytes an item grew from the earlier dump to the last one.
 * The bytes outside the heap that its objects own are included.
 */
int64_t hp_object_growth(const struct hp_object_match *m, uint32_t item);

/*
 * ----------------------------------------------------------------------
 * Choose the objects in which growth accumulates
 *
 * The search starts at the root of the tree of large objects. While one child
 * or a few children of an object have most of its growth, the search descends
 * to them. It stops at an object whose growth is distributed over many
 * children, or over new ones: growth accumulates in this object. With one dump,
 * the search compares retained sizes instead of growth.
 */

/*
 * A suspect: one item of the last dump, or several items whose paths from the
 * root have the same names.
 */
struct hp_chosen {
	/*
	 * the items of the suspect are items[begin] to items[begin + count - 1]
	 * of struct hp_choice
	 */
	uint32_t begin, count;
	/*
	 * growth of the suspect in bytes, without the growth of other suspects
	 * below it in the tree
	 */
	int64_t growth;
	/*
	 * Only for some linked lists, otherwise 0. list: the item whose objects
	 * are the nodes of the list; the suspect is either this item, or the
	 * object that refers to the list. If the nodes alternate between
	 * several classes, for example Node, Item, Node, Item, the first nodes
	 * are items of their own. head: the item with the first node. period:
	 * the number of these classes.
	 */
	uint32_t list, head, period;
	/*
	 * The suspect is an object that refers to the nodes of a tree, so the
	 * number of its elements is not known.
	 */
	bool is_tree;
	/*
	 * The suspect is a container, and other objects also keep its elements
	 * alive: the `nshared` items of the last dump from index `shared` on.
	 * The sizes and the growth of the suspect include the elements.
	 */
	uint32_t shared, nshared;
};

struct hp_choice {
	const struct hp_object_match *m;
	const struct hp_object_names *names;
	/* of the items of m->first; NULL: there is no earlier dump */
	const struct hp_child_counts *children_before;
	int64_t limit; /* minimum growth of a suspect in bytes */
	/*
	 * there are two dumps, so suspects are chosen by their growth;
	 * otherwise they are chosen by their retained sizes
	 */
	bool compared;
	/* memory for lists of items; no item is in more than one list */
	uint32_t *items;
	size_t used;
	/* the suspects, the one with the largest growth first */
	struct hp_chosen list[HP_SUSPECTS_MOST];
	size_t count;
	/*
	 * temporary memory: the children of some items, and their names for
	 * sorting
	 */
	uint32_t *children;
	uint64_t *sorted;
};

/**
 * hp_choice_make() - choose the suspects
 *
 * @c: the caller sets m, names, limit and compared, and zeroes the other
 *   members
 *
 * Time: O(n log n) for n items
 *
 * Returns HP_OK or HP_NOMEM. Call hp_choice_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_choice_make(struct hp_choice *c,
					  struct hp_error *err);
/*
 * Returns how much of the growth of the heap the suspects explain together.
 * Growth of a suspect that is inside of another suspect counts once.
 *
 * The growth of a chosen set is not enough: if parts of a container were
 * chosen, the suspect is the container, which may have grown more than these
 * parts.
 */
int64_t hp_choice_explained(struct hp_choice *c);
void hp_choice_release(struct hp_choice *c);

#endif
