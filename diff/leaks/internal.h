/*
 * internal.h - the parts of the search for suspects
 */
#ifndef HP_DIFF_LEAKS_INTERNAL_H
#define HP_DIFF_LEAKS_INTERNAL_H

#include "diff/leaks/leaks.h"
#include "diff/leaks/object_tree.h"

/* ----------------------------------------------------------------------
 * The name of an object that a developer knows
 *
 * A container is named by what it holds, for example "map of 1,370: Integer →
 * Shop$Session" or "list of 1,500 CartItem". Other objects are named by their
 * class.
 */

/*
 * What an object contains. A class is given as 1 + the index of the row with
 * its name; 0: none.
 */
struct hp_contents {
	/* the most frequent class of the keys, and of the elements */
	uint32_t key, value;
	/* number of elements; 0: the object is not a container */
	uint64_t count;
	/* the class whose objects have the most bytes among the children */
	uint32_t child;
	uint64_t children; /* number of these children */
	/*
	 * the kind of the first collection inside a wrapper, as 1 + its number
	 * in the kinds of the graph; 0: none
	 */
	uint32_t inner;
	/* at least one element has a class of the application */
	bool of_application;
};

/**
 * hp_contents_find() - find out what the objects of an item contain
 * @k: the kinds of objects in the dump of @t. The graph of @t must still have
 *     its references
 * @o: the tree of large objects of the dump, not trimmed
 *
 * Takes a step for each object that the item's objects retain directly, and
 * for each of their references.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_contents_find(struct hp_contents *c,
					    struct hp_object_kinds *k,
					    const struct hp_object_item *item,
					    struct hp_error *err);

/*
 * Append the label of a suspect: @members objects like @item. No other function
 * composes labels.
 */
void hp_object_label(struct hp_buf *b, const struct hp_object_kinds *k,
		     const struct hp_object_item *item, uint64_t members,
		     const struct hp_contents *c);

/* Whether an item is a container: a collection, an array, or a list. */
bool hp_object_is_container(const struct hp_object_item *i);

/* The name of a class or a field without the package. */
const char *hp_short_name(const char *name);

/* ----------------------------------------------------------------------
 * The path from the roots to show for each suspect
 */

enum {
	/* maximum objects of a suspect whose paths are compared */
	HP_SUSPECT_SAMPLES = 100,
};

/* Some objects of a suspect, as nodes of the graph. */
struct hp_suspect_samples {
	uint32_t largest; /* the object whose retained size grew most */
	uint32_t nodes[HP_SUSPECT_SAMPLES];
	size_t count;
	/*
	 * If the objects are values of a ThreadLocal: the static field that
	 * refers to the ThreadLocal, or "" if there is none. NULL: they are not
	 * such values.
	 */
	const char *thread_local_field;
};

/**
 * hp_suspect_paths_find() - set path, loader and of_largest of all suspects
 * @samples: of each suspect of @r
 * @walk: the paths of all objects of the dump; NULL: find the paths now
 * @tree: the tree of merged paths that @walk uses
 * @src: rewound and read again if @walk is NULL
 *
 * The path is that of most of the objects. If the paths part at the root, it is
 * the path of the object that grew most.
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
 * Sums over the sizes of a suspect in the dumps so far, for a linear
 * regression. Zeroed at first.
 */
struct hp_trend {
	size_t count;
	uint64_t last; /* its size in the dump that was added last */
	/*
	 * times of the first and the last dump in milliseconds; 0: the time of
	 * at least one dump is not known
	 */
	uint64_t first_time, last_time;
	unsigned grew;
	/* sums of index, size, and their products */
	double x, y, xx, xy, yy;
};

/* Add the size of a suspect in one dump. Dumps must be added in their order. */
void hp_trend_add(struct hp_trend *t, size_t index, uint64_t time_ms,
		  uint64_t bytes);

/*
 * Set e->steps. If there are three or more dumps, and the sizes are all close
 * to a straight line, also set the line of @e.
 */
void hp_trend_conclude(const struct hp_trend *t, struct hp_suspect_evidence *e);

/* ----------------------------------------------------------------------
 * Examples of the elements of suspects (--examples)
 */

/**
 * hp_suspect_examples_find() - choose the largest and the newest elements
 * @k: of the last dump, whose references are kept
 * @item: the object that stands for the suspect
 * @places: other objects of the suspect; with @count 1, elements of the item
 *   are chosen, else these objects
 * @s: receives examples, nlargest and nnewest
 *
 * The newest elements are the last ones of an array, if the object has one
 * array of elements and is no queue; else their order is not known.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_suspect_examples_find(
	struct hp_object_kinds *k, const struct hp_object_item *item,
	const uint32_t *places, size_t count, struct hp_result *r,
	struct hp_suspect *s, struct hp_error *err);

/*
 * Read the fields of all examples of @r from @src. Returns as
 * hp_objects_describe().
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
 * If the object at @place is the value of a ThreadLocal, and a static field
 * refers to this ThreadLocal, append the name of the field. Sets *@found if the
 * object is such a value. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_suspect_find_local(struct hp_object_kinds *k,
						 uint32_t place,
						 struct hp_buf *b, bool *found,
						 struct hp_error *err);

/*
 * Complete the label of a suspect that a ThreadLocal holds, after its path was
 * found: "ThreadLocal `Grow.BUFFERS` of 3 threads http-worker-*: lists of
 * byte[]". Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_suspect_label_local(struct hp_suspect *s,
		       const struct hp_suspect_samples *samples,
		       struct hp_arena *arena, struct hp_error *err);

/**
 * hp_suspect_describe() - fill in r->suspects[@i], except for its path
 * @c: the chosen suspects; its items are in @o
 * @o: the tree of large objects of the last dump, not trimmed
 * @samples: receives some objects of the suspect
 *
 * The texts belong to r->arena.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_suspect_describe(const struct hp_choice *c, const struct hp_object_tree *o,
		    struct hp_object_kinds *k, struct hp_result *r, size_t i,
		    struct hp_suspect_samples *samples, struct hp_error *err);

#endif
