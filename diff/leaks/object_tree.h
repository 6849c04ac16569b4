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

/* Properties of the objects of a kind, a set of bits. */
enum {
	HP_OBJECT_ARRAY = 1,	  /* an array of references */
	HP_OBJECT_PRIMITIVES = 2, /* an array of primitive values */
	HP_OBJECT_PART = 8,	  /* an entry or a node, such as HashMap$Node */
	HP_OBJECT_PARTS = 16,	  /* an array of them */
	HP_OBJECT_ENTRY = 32,	  /* a part whose fields refer to elements */
	HP_OBJECT_CONTAINER = 64, /* a collection or map */
	HP_OBJECT_CLASS = 128,
	/* a thread or a class loader; they form no lists */
	HP_OBJECT_LONE = 256,
	HP_OBJECT_LOADER = 512,
	HP_OBJECT_THREAD_LOCALS = 1024, /* a ThreadLocal$ThreadLocalMap */
};

struct hp_object_kind {
	uint32_t row; /* of the name of the class */
	unsigned is;
	const struct hp_class *class; /* NULL: no instance, or not known */
};

struct hp_object_kinds {
	const struct hp_retained *t;
	struct hp_keys *keys;
	struct hp_rows *names;
	struct hp_object_kind *list; /* by number of the kind */
	struct hp_path_fields numbers;
	uint8_t *roles; /* by field number: 1 + the role; 0: not known yet */
	uint32_t *vias; /* by field number: 1 + row of "Class.field"; 0: none */
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

/* The kind of the object at a place of the dominator tree. */
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

/* The role of a field, from the table of collections. */
enum hp_field_role hp_object_role(struct hp_object_kinds *k, uint32_t field);

/*
 * The row of the name of a field, for example "EventBus.listeners". Returns
 * NULL if out of memory.
 */
const struct hp_row *hp_object_field_name(struct hp_object_kinds *k,
					  uint32_t field);

/*
 * Whether the object at @place is a part of the object at @place's dominator.
 * It is not if the dominator is a class or the root.
 */
bool hp_object_is_part(struct hp_object_kinds *k, uint32_t place);

/*
 * Whether the object at @place is a further node of a list that its dominator
 * belongs to: both have the same class, or two or three classes alternate on
 * the way from the roots.
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

/* the maximum depth of items; deeper objects count for their ancestor */
enum { HP_OBJECT_DEPTH = 64 };

/* The name of an item: both are rows. */
struct hp_object_name {
	uint32_t via; /* 1 + row of the field; 0: an element, or not known */
	uint32_t class_row;
};

/* The names of the items of all dumps. */
struct hp_object_names {
	struct hp_rows rows;
	struct hp_id_map by_pair; /* key: via and class_row; value: name */
	struct hp_object_name *list;
	size_t count, cap;
};

struct hp_object_item {
	uint32_t name;	 /* index in the names */
	uint32_t parent; /* item; 0 for the root and below it */
	/*
	 * its children are the items from child to before child + nchildren,
	 * sorted by name; single objects first, largest first
	 */
	uint32_t child, nchildren;
	uint32_t depth;
	bool is_single; /* one large object; else all small ones together */
	bool is_static; /* via is a static field */
	bool is_list;	/* objects that refer to objects of their own class */
	unsigned is;	/* properties of its kind, see object_kinds.h */
	uint32_t members;
	/* the place of the object, or of the largest object, and its id */
	uint32_t place;
	uint64_t id;
	uint64_t largest_bytes;
	/*
	 * for a single object: its entries, its references to elements in
	 * arrays, and the nodes of its list
	 */
	uint64_t entries, slots, nodes;
	struct hp_graph_sum sum; /* retained by all members together */
	/* the first and last member in a list that is linked by next */
	uint32_t head, tail;
};

struct hp_object_tree {
	struct hp_object_item *list; /* item 0 is the root */
	uint32_t count;
	size_t cap;
	struct hp_big_memory *memory;
	/* uint32_t by place: the next member of the same item; 0: the end */
	struct hp_big_array next;
	/* key: row of a class; value: number of its reachable objects */
	struct hp_id_map counts;
};

/**
 * hp_object_tree_build() - find the large objects of a dump
 * @o: zeroed
 * @t: with its edges
 * @kinds: of @t
 * @names: shared by all dumps
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

/* Free what is not needed after the graph has been released. */
void hp_object_tree_trim(struct hp_object_tree *o);
void hp_object_tree_release(struct hp_object_tree *o);

void hp_object_names_init(struct hp_object_names *n);
void hp_object_names_release(struct hp_object_names *n);

/* The number of elements of a single object; 0: it is no container. */
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
	/* by item of @last: the same item of @first; 0: none, or the root */
	uint32_t *to;
	/*
	 * by item of @last: the part of the item in @to that counts for it,
	 * because it was one of several small objects; usually 1
	 */
	double *share;
	/*
	 * by item of @last: bytes and objects that @first retained elsewhere
	 * and that the item retains now; they are not growth
	 */
	struct hp_graph_sum *moved;
	/*
	 * by item of @last, for small objects: how many of them were large
	 * objects of @first; moved includes what these retained
	 */
	uint32_t *fell;
	/*
	 * by item of @last: only its class suggests that it is the item in @to,
	 * so its growth is not known
	 */
	bool *is_guess;
	bool *is_found; /* by item of @first: some item corresponds to it */
	bool stable;	/* objects kept their addresses */
};

/**
 * hp_object_match_find() - find the items of @last in @first
 * @m: zeroed
 * @first: NULL: there is no earlier dump, so nothing is found
 * @stable: whether objects kept their addresses between the dumps
 * @limit: unmatched objects that retain less than this are new
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

/* What an item of @last retained in the earlier dump. */
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
 * A suspect: one item of the last dump, or several that have the same path of
 * names.
 */
struct hp_chosen {
	uint32_t begin, count; /* its items, in hp_choice.items */
	/* growth in bytes, without that of suspects below */
	int64_t growth;
	/*
	 * If the suspect is the head of a list whose classes alternate: the
	 * item that has the other nodes, and after how many nodes the classes
	 * repeat. Else 0.
	 */
	uint32_t list, period;
};

struct hp_choice {
	const struct hp_object_match *m;
	const struct hp_object_names *names;
	int64_t limit;	 /* minimum growth of a suspect in bytes */
	bool compared;	 /* there are two dumps */
	uint32_t *items; /* every item occurs at most once */
	size_t used;
	struct hp_chosen list[HP_SUSPECTS_MOST]; /* largest growth first */
	size_t count;
	/* scratch space: the children of a set, and their names */
	uint32_t *children;
	uint64_t *sorted;
};

/**
 * hp_choice_make() - choose the suspects
 * @c: m, names, limit and compared are set, the rest is zeroed
 *
 * Takes about n log n time for n items. Returns HP_OK or HP_NOMEM. Call
 * hp_choice_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_choice_make(struct hp_choice *c,
					  struct hp_error *err);
void hp_choice_release(struct hp_choice *c);

#endif
