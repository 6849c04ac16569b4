/*
 * object_tree.h - the large objects of dumps, and where growth accumulates in
 * them
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
 * A container is a collection, an array, or an object that a program wraps
 * around a collection. Its parts are the array that holds its elements, the
 * entries of a map, the nodes of a list, and the collection inside a wrapper. A
 * program never works with the parts, so a suspect is a whole container.
 */

/* Properties of the objects of a kind. A set of bits. */
enum {
	HP_OBJECT_ARRAY = 1,	  /* an array of references */
	HP_OBJECT_PRIMITIVES = 2, /* an array of primitive values */
	/* a part of a container: an entry or a node, such as HashMap$Node */
	HP_OBJECT_PART = 8,
	HP_OBJECT_PARTS = 16, /* an array of such parts */
	/* such a part, with fields that refer to elements */
	HP_OBJECT_ENTRY = 32,
	HP_OBJECT_CONTAINER = 64, /* a collection or map */
	HP_OBJECT_CLASS = 128,
	/* a thread or a class loader; these are never nodes of a list */
	HP_OBJECT_LONE = 256,
	HP_OBJECT_LOADER = 512,
	HP_OBJECT_THREAD_LOCALS = 1024, /* a ThreadLocal$ThreadLocalMap */
};

struct hp_object_kind {
	uint32_t row; /* index of the row with the name of the class */
	unsigned is;
	/*
	 * the class; NULL: the objects are not instances, or the class is not
	 * known
	 */
	const struct hp_class *class;
};

struct hp_object_kinds {
	const struct hp_retained *t;
	struct hp_keys *keys;
	struct hp_rows *names;
	/* the properties of each kind; the index is the number of the kind */
	struct hp_object_kind *list;
	struct hp_path_fields numbers;
	uint8_t *roles; /* for each field: 1 + its role; 0: not known yet */
	/* for each field: 1 + the index of the row "Class.field"; 0: none */
	uint32_t *vias;
};

/**
 * hp_object_kinds_init() - find the properties of all kinds of a dump
 * @k: zeroed
 * @names: receives the names of the classes
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 * Ownership: call hp_object_kinds_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_object_kinds_init(struct hp_object_kinds *k,
						const struct hp_retained *t,
						struct hp_keys *keys,
						struct hp_rows *names,
						struct hp_error *err);
void hp_object_kinds_release(struct hp_object_kinds *k);

/* The kind of the object at a place (index) of the dominator tree. */
static inline const struct hp_object_kind *
hp_object_kind_at(const struct hp_object_kinds *k, uint32_t place)
{
	return &k->list[((const uint32_t *)k->t->tree.kinds.at)[place]];
}

/*
 * The number of the field by which the instance @from refers to @to, both nodes
 * of the graph. Returns 0 if no field does, or if the class has so many fields
 * that searching them would take long.
 */
uint32_t hp_object_field(const struct hp_object_kinds *k, uint32_t from,
			 uint32_t to);

/* What a field of a collection refers to, from the table of collections. */
enum hp_field_role hp_object_role(struct hp_object_kinds *k, uint32_t field);

/*
 * The row of the name of a field, for example "EventBus.listeners". Returns
 * NULL if out of memory.
 */
const struct hp_row *hp_object_field_name(struct hp_object_kinds *k,
					  uint32_t field);

/*
 * Whether the object at @place is a part of its dominator, such as an entry of
 * a map. It is not if the dominator is a class or the root.
 */
bool hp_object_is_part(struct hp_object_kinds *k, uint32_t place);

/*
 * Whether the object at @place and its dominator are nodes of the same list:
 * both have the same class, or two or three classes alternate on the way from
 * the roots.
 */
bool hp_object_is_next(const struct hp_object_kinds *k, uint32_t place);

/* ----------------------------------------------------------------------
 * The dominator tree of a dump, reduced to its large objects
 *
 * Each large object is an item of its own. All small objects that have the same
 * parent and the same name are one item together. The name of an object is its
 * class and the field by which its dominator refers to it. A container and its
 * parts are one object, and so are all nodes of a list (object_kinds.h).
 *
 * The items of two dumps can be compared after the graphs have been released.
 */

/* maximum depth of items; an object below that depth counts for its ancestor */
enum { HP_OBJECT_DEPTH = 64 };

/* The name of an item: a field and a class, both as rows. */
struct hp_object_name {
	/*
	 * 1 + index of the row of the field; 0: the object is an element, or
	 * the field is not known
	 */
	uint32_t via;
	uint32_t class_row;
};

/* The names of the items of all dumps. */
struct hp_object_names {
	struct hp_rows rows;
	/* maps a pair of via and class_row to the index of the name */
	struct hp_id_map by_pair;
	struct hp_object_name *list;
	size_t count, cap;
};

struct hp_object_item {
	uint32_t name;	 /* index of its name in hp_object_names */
	uint32_t parent; /* index of the item of its dominator; 0: the root */
	/*
	 * The children are the items from child to before child + nchildren,
	 * sorted by name. Among equal names, single objects come first, the
	 * largest one first.
	 */
	uint32_t child, nchildren;
	uint32_t depth;
	/*
	 * true: the item is one large object; false: it is all small objects of
	 * the name together
	 */
	bool is_single;
	bool is_static; /* the field of the name is a static field */
	/*
	 * the object is a list: its nodes are objects of one class that refer
	 * to each other
	 */
	bool is_list;
	/* properties of the kind of its objects, see HP_OBJECT_ above */
	unsigned is;
	uint32_t members;
	/*
	 * The object, or the one that retains most: its place in the dominator
	 * tree, and its id.
	 */
	uint32_t place;
	uint64_t id;
	uint64_t largest_bytes;
	/*
	 * For a single object that is a container: its entries, its arrays'
	 * references to elements, and the nodes of its list.
	 */
	uint64_t entries, slots, nodes;
	/* what all objects of the item retain together */
	struct hp_graph_sum sum;
	/*
	 * places of the first and the last object of the item, in a list that
	 * is linked by hp_object_tree.next
	 */
	uint32_t head, tail;
};

struct hp_object_tree {
	struct hp_object_item *list; /* the items; item 0 is the root */
	uint32_t count;
	size_t cap;
	struct hp_big_memory *memory;
	/*
	 * uint32_t for each place in the dominator tree: the next object of the
	 * same item; 0: there is no further one
	 */
	struct hp_big_array next;
	/* maps the row of a class to the number of its reachable objects */
	struct hp_id_map counts;
};

/**
 * hp_object_tree_build() - find the large objects of a dump
 * @o: zeroed
 * @t: the graph and the dominator tree of the dump; the graph must still have
 *     its references
 * @kinds: the kinds of objects in @t
 * @names: the names of items, which all dumps share
 *
 * Memory: 4 bytes a reachable object until hp_object_tree_trim(), and about 130
 * bytes an item
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_object_tree_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_object_tree_build(struct hp_object_tree *o,
						struct hp_retained *t,
						struct hp_object_kinds *kinds,
						struct hp_object_names *names,
						struct hp_error *err);

/* Free everything that is not needed after the graph was released. */
void hp_object_tree_trim(struct hp_object_tree *o);
void hp_object_tree_release(struct hp_object_tree *o);

void hp_object_names_init(struct hp_object_names *n);
void hp_object_names_release(struct hp_object_names *n);

/*
 * The number of elements of a single object that is a container; 0 for other
 * objects.
 */
static inline uint64_t
hp_object_elements(const struct hp_object_item *i)
{
	if (i->entries > 0)
		return i->entries;
	return i->slots > 0 || i->nodes == 0 ? i->slots : i->nodes + 1;
}

/* ----------------------------------------------------------------------
 * Find the items of one dump in an earlier dump
 *
 * An item corresponds to an item of the earlier dump that has the same name and
 * whose parents correspond. Among several large objects of the same name, equal
 * ids decide if the objects of the two dumps kept their addresses; else equal
 * sizes, then similar sizes, then the order of their sizes. Objects that have
 * another parent than before are found by their ids, or by a static field.
 */

struct hp_object_match {
	const struct hp_object_tree *first, *last;
	/*
	 * for each item of @last: the same item of @first; 0: there is none, or
	 * it is the root
	 */
	uint32_t *to;
	/*
	 * For each item of @last: which part of the item in @to counts for it.
	 * Usually 1; less if it was one of several small objects, which are one
	 * item.
	 */
	double *share;
	/*
	 * For each item of @last: bytes and objects that @first retained
	 * elsewhere and that the item retains now. They are not growth.
	 */
	struct hp_graph_sum *moved;
	/*
	 * For each item of @last that stands for small objects: how many of
	 * these were large objects in @first. What they retained is included in
	 * moved.
	 */
	uint32_t *fell;
	/*
	 * For each item of @last that is a list: the number of nodes that were
	 * in no list, or in another one, in @first. What they retained is
	 * included in moved.
	 */
	uint64_t *joined;
	/*
	 * For each item of @last: the match is a guess, because only its class
	 * suggests it. So the growth of the item is not known.
	 */
	bool *is_guess;
	/* for each item of @first: an item of @last corresponds to it */
	bool *is_found;
	bool stable; /* objects have the same addresses in both dumps */
};

/**
 * hp_object_match_find() - find the items of @last in @first
 * @m: zeroed
 * @first: NULL: there is no earlier dump, so nothing is found
 * @stable: whether objects have the same addresses in both dumps
 * @limit: objects without a match that retain fewer bytes count as new
 *
 * Takes about n log n time for n items.
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_object_match_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_object_match_find(
	struct hp_object_match *m, const struct hp_object_tree *first,
	const struct hp_object_tree *last, const struct hp_object_names *names,
	bool stable, uint64_t limit, struct hp_error *err);
void hp_object_match_release(struct hp_object_match *m);

/* How many objects and bytes an item of @last retained in the earlier dump. */
struct hp_graph_sum hp_object_before(const struct hp_object_match *m,
				     uint32_t item);

/* By how many bytes an item of @last grew. */
int64_t hp_object_growth(const struct hp_object_match *m, uint32_t item);

/* ----------------------------------------------------------------------
 * Choose the objects in which growth accumulates
 *
 * The search starts at the root and descends while one object, or a few of
 * them, have most of the growth. It stops where the growth is spread over many
 * objects, or over new ones: there it accumulates. With one dump, the retained
 * size takes the place of the growth.
 */

/*
 * A suspect: one item of the last dump, or several items that have the same
 * names on their way from the root.
 */
struct hp_chosen {
	/*
	 * its items are items[begin] to items[begin + count - 1] of hp_choice
	 */
	uint32_t begin, count;
	/* growth in bytes, without the growth of suspects below it */
	int64_t growth;
	/*
	 * If the suspect is the head of a list of two or three classes: the
	 * item that has the other nodes, and after how many nodes the classes
	 * repeat. Otherwise 0.
	 */
	uint32_t list, period;
};

struct hp_choice {
	const struct hp_object_match *m;
	const struct hp_object_names *names;
	int64_t limit; /* minimum growth of a suspect in bytes */
	bool compared; /* there are two dumps */
	/* memory for sets of items; every item occurs at most once */
	uint32_t *items;
	size_t used;
	struct hp_chosen list[HP_SUSPECTS_MOST]; /* largest growth first */
	size_t count;
	/* temporary memory: the children of a set of items, and their names */
	uint32_t *children;
	uint64_t *sorted;
};

/**
 * hp_choice_make() - choose the suspects
 * @c: the caller sets m, names, limit and compared, and zeroes the rest
 *
 * Takes about n log n time for n items. Returns HP_OK or HP_NOMEM. Call
 * hp_choice_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_choice_make(struct hp_choice *c,
					  struct hp_error *err);
void hp_choice_release(struct hp_choice *c);

#endif
