/*
 * internal.h - functions and types that the parts of the search for leak
 * suspects share
 */
#ifndef HP_DIFF_LEAKS_INTERNAL_H
#define HP_DIFF_LEAKS_INTERNAL_H

#include "diff/leaks/leaks.h"
#include "diff/leaks/object_tree.h"

/* ----------------------------------------------------------------------
 * A name for an object by which a developer recognizes it
 *
 * A container is named by what it holds, for example "map of 1,370: Integer →
 * Shop$Session" or "list of 1,500 CartItem". Other objects are named by their
 * class.
 */

/* Which objects the number of elements of a container counts. */
enum hp_contents_counted {
	/* the entries of a map, such as HashMap$Node */
	HP_CONTENTS_ENTRIES,
	/* the references from arrays to elements */
	HP_CONTENTS_SLOTS,
	/* the nodes of a linked list */
	HP_CONTENTS_NODES,
	/* the objects of one class that the container immediately dominates */
	HP_CONTENTS_CHILDREN,
	/* HP_CONTENTS_SLOTS or HP_CONTENTS_CHILDREN, whichever is larger */
	HP_CONTENTS_LARGER,
};

/*
 * The contents of an object. `key`, `value` and `child` are classes, each given
 * as 1 + the index of the row with its name; 0: none.
 */
struct hp_contents {
	/*
	 * key: the most frequent class of the keys. value: the most frequent
	 * class of the elements.
	 */
	uint32_t key, value;
	/* less than half of the keys or of the elements have this class */
	bool mixed_keys, mixed_values;
	/* number of elements; 0: the object is not a container */
	uint64_t count;
	/*
	 * which objects are counted; with the number of elements in an earlier
	 * dump, the same objects are counted
	 */
	enum hp_contents_counted counted;
	/*
	 * the class that has the most bytes among the objects that this object
	 * immediately dominates
	 */
	uint32_t child;
	/*
	 * number of objects of the class `child` that this object immediately
	 * dominates
	 */
	uint64_t children;
	/*
	 * if this is an object of the program that contains collections: 1 +
	 * the number of the kind (class and size) of its first collection;
	 * otherwise 0
	 */
	uint32_t inner;
	/*
	 * at least one element has a class of the application, not of the JDK
	 */
	bool of_application;
	/*
	 * the object is not a linked list but a tree: many nodes refer to
	 * several other nodes
	 */
	bool is_tree;
};

/**
 * hp_contents_find() - find out what the objects of an item contain
 *
 * An item is one large object, or all small objects of one name.
 *
 * @k: the kinds of objects in the dump. The graph of the dump must still have
 *   its references
 *
 * Time: proportional to the number of objects that the objects of the item
 * immediately dominate, and to the number of their references
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_contents_find(struct hp_contents *c,
					    struct hp_object_kinds *k,
					    const struct hp_object_item *item,
					    struct hp_error *err);

/*
 * hp_contents_children() - count the objects that an object immediately
 * dominates, by class
 *
 * @list: receives the HP_CHILD_CLASSES classes with the most bytes
 * @n: receives the number of these classes
 * @item: one object; the graph of the dump must still have its references
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_contents_children(struct hp_child_class *list, size_t *n,
		     struct hp_object_kinds *k,
		     const struct hp_object_item *item, struct hp_error *err);

/*
 * For each item of @o that is one object, large or small, count the objects
 * that it immediately dominates. Maps with entries are left out, because their
 * entries are counted. Items that retain too little are not in the
 * tree of large objects, so their number is not known from the tree.
 *
 * Time: proportional to the number of objects in the dump. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_child_counts_make(struct hp_child_counts *c,
						const struct hp_object_tree *o,
						struct hp_object_kinds *k,
						struct hp_error *err);

/*
 * Find how many objects of the class with the row @row the item with the index
 * @item immediately dominates. Returns false if this is not known.
 */
bool hp_child_counts_get(const struct hp_child_counts *c, uint32_t item,
			 uint32_t row, uint64_t *objects);
void hp_child_counts_release(struct hp_child_counts *c);

/*
 * Append the label of a suspect that consists of @members objects like @item,
 * for example "list of 1,500 CartItem". All labels are composed here.
 */
void hp_object_label(struct hp_buf *b, const struct hp_object_kinds *k,
		     const struct hp_object_item *item, uint64_t members,
		     const struct hp_contents *c);

/*
 * Whether the label of an object says more than its class: the object is a
 * class loader, or a container with contents.
 */
bool hp_object_holds(const struct hp_object_kinds *k,
		     const struct hp_object_item *item,
		     const struct hp_contents *c);

/*
 * Add the application to which a class loader belongs, for example "webapp
 * 'shop'", to the label of the loader. @name: the application, or the
 * applications of the @members loaders of a group; *@label receives the new
 * label. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_loader_label(const char **label, const char *name,
					   uint64_t members,
					   struct hp_arena *arena,
					   struct hp_error *err);

/*
 * Whether the objects of an item are containers: collections, arrays, or linked
 * lists.
 */
bool hp_object_is_container(const struct hp_object_item *i);

/*
 * If a suspect is a class, and most of its growth is in elements to which one
 * container refers, replace the class by this container. Other objects also
 * keep the elements alive: otherwise the container would be the suspect.
 *
 * Time: proportional to the number of references of all objects that the
 * classes among the suspects dominate
 */
void hp_shared_elements_find(struct hp_choice *c, struct hp_object_kinds *k);

/* Returns the part of the name of a class or a field after the package. */
const char *hp_short_name(const char *name);

/* ----------------------------------------------------------------------
 * Choose the path from the roots that a report shows for each suspect
 */

enum {
	/* maximum number of objects of one suspect whose paths are compared */
	HP_SUSPECT_SAMPLES = 100,
};

/* Some objects of a suspect (samples), by their numbers in the object graph. */
struct hp_suspect_samples {
	/* the object of the suspect whose retained size grew most */
	uint32_t largest;
	uint32_t nodes[HP_SUSPECT_SAMPLES];
	size_t count;
	/*
	 * If the objects of the suspect are values of a ThreadLocal: the name
	 * of the static field that refers to the ThreadLocal, or "" if there is
	 * none. NULL: the objects are not values of a ThreadLocal.
	 */
	const char *thread_local_field;
};

/**
 * hp_suspect_paths_find() - set the members path, loader and of_largest of all
 * suspects
 *
 * @samples: for each suspect of @r: some of its objects
 * @walk: the paths of all objects of the dump; NULL: this function finds the
 *   paths itself
 * @tree: the tree of merged paths that @walk uses
 * @src: the dump, which is read again from its beginning if @walk is NULL
 *
 * The path of a suspect is the path that most of its objects share. If not even
 * the first step is common, it is the path of the object that grew most.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_suspect_paths_find(
	struct hp_result *r, const struct hp_suspect_samples *samples,
	struct hp_retained *t, struct hp_keys *keys,
	const struct hp_path_walk *walk, const struct hp_path_tree *tree,
	struct hp_source *src, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Whether a suspect grew steadily
 */

/*
 * The sizes of one suspect in the dumps that were read so far: the sums for
 * fitting a straight line to them (linear regression). Initially zeroed.
 */
struct hp_trend {
	size_t count;
	/* the size of the suspect in the dump that was added last */
	uint64_t last;
	/*
	 * the times when the first and the last dump were taken, in
	 * milliseconds; 0: the time of at least one dump is not known
	 */
	uint64_t first_time, last_time;
	unsigned grew;
	/*
	 * for the linear regression, in which x is the index of a dump and y
	 * the size of the suspect in it: the sums of x, y, x * x, x * y and y *
	 * y
	 */
	double x, y, xx, xy, yy;
};

/*
 * Add the size of a suspect in one dump. The caller must add the dumps in the
 * order of the command line.
 */
void hp_trend_add(struct hp_trend *t, size_t index, uint64_t time_ms,
		  uint64_t bytes);

/*
 * Set in @e the number of steps from one dump to the next, and in how many of
 * them the suspect grew. If there are three or more dumps, and all sizes are
 * close to a straight line, also set the slope of the line.
 */
void hp_trend_conclude(const struct hp_trend *t, struct hp_suspect_evidence *e);

/* ----------------------------------------------------------------------
 * Examples of the elements of suspects (--examples)
 */

/**
 * hp_suspect_examples_find() - choose the largest and the newest elements of a
 * suspect
 *
 * @k: the kinds of objects in the last dump; the graph must still have its
 *   references
 * @item: the object that represents the suspect
 * @places: all @count objects of the suspect, as indexes in the dominator tree;
 *   if @count is 1, elements of the object are chosen; otherwise some of the
 *   @count objects
 * @s: receives examples, nlargest and nnewest
 *
 * The newest elements are the last ones of an array. They are known only if the
 * object has one array of elements and is no queue.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_suspect_examples_find(
	struct hp_object_kinds *k, const struct hp_object_item *item,
	const uint32_t *places, size_t count, struct hp_result *r,
	struct hp_suspect *s, struct hp_error *err);

/*
 * Read the fields of all objects in r->examples from the dump @src. Returns
 * HP_OK, HP_LIMIT, HP_NOMEM, HP_IO, or a failure of hp_scan().
 */
HP_MUST_USE enum hp_status hp_suspect_examples_read(struct hp_result *r,
						    struct hp_retained *t,
						    struct hp_keys *keys,
						    struct hp_source *src,
						    struct hp_error *err);

/* ----------------------------------------------------------------------
 * Describe a chosen suspect
 */

/*
 * Find out whether the object at index @place of the dominator tree is the
 * value of a ThreadLocal, and store this in *@found. If a static field refers
 * to the ThreadLocal, append the name of the field to the buffer. Returns HP_OK
 * or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_suspect_find_local(struct hp_object_kinds *k,
						 uint32_t place,
						 struct hp_buf *b, bool *found,
						 struct hp_error *err);

/*
 * Complete the label of a suspect whose objects are values of a ThreadLocal,
 * after its path was found: "ThreadLocal `Grow.BUFFERS` of 3 threads
 * http-worker-*: lists of byte[]". Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_suspect_label_local(struct hp_suspect *s,
		       const struct hp_suspect_samples *samples,
		       struct hp_arena *arena, struct hp_error *err);

/**
 * hp_suspect_describe() - set the members of suspect number @i of the result,
 * except for its path
 *
 * @c: the chosen suspects, as items of @o
 * @o: the tree of large objects of the last dump, before
 *   hp_object_tree_trim()
 * @samples: receives some objects of the suspect
 *
 * The texts belong to r->arena.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_suspect_describe(const struct hp_choice *c, const struct hp_object_tree *o,
		    struct hp_object_kinds *k, struct hp_result *r, size_t i,
		    struct hp_suspect_samples *samples, struct hp_error *err);

/* ----------------------------------------------------------------------
 * The values that threads have for ThreadLocals
 */

/* A value that a thread has for a ThreadLocal. */
struct hp_thread_value {
	size_t stack; /* index of the thread's stack in the result */
	/*
	 * the ThreadLocal, as a node of the graph; HP_NO_NODE: the ThreadLocal
	 * was garbage-collected
	 */
	uint32_t local;
	uint32_t kind; /* kind (class and size) of the value */
	struct hp_graph_sum sum;
};

struct hp_thread_values {
	const struct hp_retained *t;
	struct hp_keys *keys;
	/*
	 * for each kind of object (class and size): whether its objects are
	 * entries in the maps of ThreadLocals; NULL: no kind of object is
	 */
	bool *entries;
	/* the field `value` of such an entry */
	struct hp_graph_field value;
	struct hp_thread_value *list;
	size_t count, cap;
	/*
	 * maps 1 + the number of a ThreadLocal in the graph to the static field
	 * that refers to it
	 */
	struct hp_id_map fields;
};

/*
 * Prepare to find values of ThreadLocals. Returns HP_OK or HP_NOMEM. Call
 * hp_thread_values_release() in any case.
 */
HP_MUST_USE enum hp_status hp_thread_values_init(struct hp_thread_values *v,
						 const struct hp_retained *t,
						 struct hp_keys *keys,
						 struct hp_error *err);
void hp_thread_values_release(struct hp_thread_values *v);

/*
 * Add the values that the thread with the index @place in the dominator tree
 * has for ThreadLocals. @stack is the index of the thread's stack in the
 * result. Returns false if out of memory.
 */
bool hp_thread_values_add(struct hp_thread_values *v, uint32_t place,
			  size_t stack);

/*
 * For each stack, add up the ThreadLocal values of the threads that have this
 * stack, and store the sums in @stacks: one sum for each pair of a ThreadLocal
 * and a class of values, the largest first. Texts are stored in @arena. Returns
 * false if out of memory.
 */
bool hp_thread_values_finish(struct hp_thread_values *v,
			     struct hp_thread_stack *stacks,
			     struct hp_arena *arena);

#endif
