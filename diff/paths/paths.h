/*
 * paths.h - the shortest paths from the roots to objects, as a tree that all
 * dumps share, and the growth of each path
 */
#ifndef HP_DIFF_PATHS_PATHS_H
#define HP_DIFF_PATHS_PATHS_H

#include "common/base/buf.h"
#include "common/graph/big_array.h"
#include "common/graph/graph.h"
#include "common/object_ids/id_map.h"
#include "common/model/classes.h"
#include "diff/keys/keys.h"
#include "diff/leaks/merged_tree.h"
#include "diff/result/result.h"
#include "diff/retained/retained.h"
#include "diff/result/rows.h"

/*
 * ----------------------------------------------------------------------
 * Number the reference fields of all classes
 *
 * A field gets its number in the class that declares it. In subclasses, the
 * inherited field has the same number. So a path shows the name of the class
 * that declares the field, even if the object is of a subclass.
 */

/* upper limit of the numbers of reference fields: all numbers are smaller */
enum { HP_PATH_FIELDS_MOST = 1 << 27 };

/* A reference field and the class that declares it. */
struct hp_path_field {
	uint64_t name; /* the string id of the name of the field */
	/* index of the declaring class in hp_classes.list */
	uint32_t class_index;
};

/*
 * The reference fields that one class declares itself, and the nearest
 * superclass that also declares reference fields.
 */
struct hp_path_class {
	/*
	 * the fields that the class declares: index of the first one in
	 * hp_path_fields.list, and their number
	 */
	uint32_t first, count;
	/*
	 * index of the nearest superclass that declares reference fields; if
	 * there is none, the index of this class itself
	 */
	uint32_t above;
};

struct hp_path_fields {
	/*
	 * all reference fields; the number of a field is its index here, from 1
	 */
	struct hp_path_field *list;
	/* number of entries, including entry 0, which is not used */
	uint32_t count;
	/*
	 * for each class, by its index: the reference fields that it declares
	 */
	struct hp_path_class *classes;
};

/**
 * hp_path_fields_number() - number the reference fields of all classes
 * @f: zeroed by the caller
 *
 * Returns: HP_OK; HP_LIMIT if there are HP_PATH_FIELDS_MOST or more fields;
 *          HP_NOMEM.
 * Ownership: call hp_path_fields_release(), also after a failure.
 */
HP_MUST_USE enum hp_status
hp_path_fields_number(struct hp_path_fields *f,
		      const struct hp_classes *classes, struct hp_error *err);
void hp_path_fields_release(struct hp_path_fields *f);

/*
 * A position in the list of the reference fields of an instance. The fields are
 * in the order of the instance's data: first those of its own class, then those
 * of each superclass.
 */
struct hp_path_field_at {
	const struct hp_path_class *of;
	/*
	 * number of reference fields that come before those of the current
	 * class in the data of an instance
	 */
	uint32_t before;
};

/*
 * Returns the number of a reference field of an instance, or 0 if there is no
 * such field. @index: index of the field among all reference fields of the
 * instance. Initialise @at for the class of the instance, then call this
 * function with ascending indexes.
 */
static inline uint32_t
hp_path_field_number(const struct hp_path_fields *f,
		     struct hp_path_field_at *at, uint32_t index)
{
	const struct hp_path_class *above;

	while (index - at->before >= at->of->count) {
		above = &f->classes[at->of->above];
		if (above == at->of)
			return 0;
		at->before += at->of->count;
		at->of = above;
	}
	return at->of->first + (index - at->before);
}

/* ----------------------------------------------------------------------
 * The built-in list of paths that may grow in healthy programs
 *
 * These are paths to objects that the JDK and the VM cache for themselves.
 * hprof-diff hides their growth. It never hides a leak of the application:
 * path_rows.c shows a path of the list if it leads to an object of the
 * application, or if it grew by more than hp_ignored_most().
 */

/* Whether the text of a path matches the built-in list. */
bool hp_ignored_path_is_listed(const char *text, size_t len);

/* Append the built-in list to @b, one pattern on each line. */
void hp_ignored_paths_text(struct hp_buf *b);

/*
 * Returns how much a path of the built-in list may grow before it is shown: by
 * 1 % of the reachable objects and 1 % of the reachable bytes, but at most 1
 * MB. The growth of longer paths that begin with the path counts too.
 * @reachable: number and bytes of the reachable objects in the first dump.
 */
struct hp_graph_sum hp_ignored_most(struct hp_graph_sum reachable);

/* Whether the JDK or the application has defined a class. */
enum hp_class_origin {
	HP_CLASS_OF_UNKNOWN,
	/* defined by the boot loader or the platform class loader */
	HP_CLASS_OF_JDK,
	HP_CLASS_OF_APPLICATION
};

/**
 * hp_class_origins_note() - record for each class of a dump whether the JDK or
 * the application defined it
 *
 * The class loader of the class decides.
 *
 * @class_rows: for each kind of object: the row of its class name
 * @names: receives hp_row.origin; if both the application and the JDK define a
 *   class of that name, the origin is the application
 *
 * Records nothing if no class of the dump has a loader, because the dump then
 * lacks this information.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_class_origins_note(const struct hp_graph *g,
						 const uint32_t *class_rows,
						 struct hp_rows *names,
						 struct hp_error *err);

/*
 * Guess from the package of a class whether it belongs to the JDK or to the
 * application, if only its name is known. Examples of @name: "class
 * java.lang.String", "int[]".
 */
enum hp_class_origin hp_class_origin_by_name(const char *name);

/* ----------------------------------------------------------------------
 * A tree of paths from the roots, by name, which all dumps share
 *
 * A step is a node of this tree. It represents all objects that are reached
 * from the roots by the same names: a starting point such as a static field or
 * a thread, then fields and classes. Steps of two dumps with equal names are
 * the same step, so the difference of their sums is growth.
 */

/*
 * An upper limit: the number of each step is smaller. So many steps would need
 * more than 100 GB of memory. The limit is a power of two, so that this bit can
 * be used as a flag (HP_PATH_WAITS in path_level.h).
 */
#define HP_PATH_STEPS_MAX (UINT32_C(1) << 30)

/*
 * The maximum depth of a step. An object at a greater depth gets the step of
 * its ancestor at this depth.
 */
enum { HP_PATH_DEPTH = 64 };

/*
 * Parts of the text of a path. HP_PATH_ELEMENTS: the elements of an array. The
 * other two come before the name of a class that is never unloaded:
 * HP_PATH_SYSTEM if a "system class" root refers to it, HP_PATH_LOADED if a
 * class loader of the JVM has loaded it.
 */
#define HP_PATH_ELEMENTS "[*]"
#define HP_PATH_SYSTEM "system"
#define HP_PATH_LOADED "loaded"
/*
 * The class in which the launcher of HotSpot (the java command) stores the main
 * class.
 */
#define HP_PATH_LAUNCHER_CLASS "sun.launcher.LauncherHelper"

struct hp_path_step {
	/* the previous step of the path; 0: the path begins with this step */
	uint32_t parent;
	/*
	 * index of the row with the label of the step, which is one of: a
	 * static field "Leak.X (static)", a field ".f", or array elements "[*]"
	 */
	uint32_t via;
	/*
	 * index of the row with the class name of the objects whose path ends
	 * at this step
	 */
	uint32_t class_name;
	/*
	 * number of the first step whose path has the same text as the path of
	 * this step; this may be the step itself. The text leaves out some
	 * steps, see hp_path_text(), so several paths can have the same text.
	 */
	uint32_t told;
	/*
	 * how the step is reached: by a static field, a field, ... (enum
	 * hp_path_kind)
	 */
	uint8_t kind;
	/*
	 * number of steps of the path up to this step; 1: a step without a
	 * parent
	 */
	uint8_t depth;
};

/*
 * Sums for one step in one dump, about the objects whose path ends at this
 * step.
 */
struct hp_path_sum {
	uint64_t count, bytes;
	/*
	 * Number and bytes of the retained objects. All steps whose paths have
	 * the same text share one row. Only the first of these steps (see
	 * `told`) contains the numbers of this row; they are 0 in the others.
	 */
	uint64_t retained_count, retained_bytes;
	/* number of bytes outside the heap that the retained objects own */
	uint64_t native;
};

/* What the only object at the end of a path is. */
struct hp_path_label {
	uint32_t step; /* the step at which the path of the object ends */
	/* for example "list of 1,500 CartItem" */
	const char *text;
};

struct hp_path_tree {
	/* the steps, numbered from 1; a parent comes before its children */
	struct hp_path_step *list;
	/* number of entries, including entry 0, which is not used */
	uint32_t count;
	size_t cap;
	struct hp_rows names;
	/* maps a pair of `via` and `class_name` to a number for this pair */
	struct hp_id_map pairs;
	/*
	 * The key of a step in this map combines two numbers: the number of its
	 * parent, and the number in `pairs` for its `via` and `class_name`.
	 */
	struct hp_id_map steps;
	/*
	 * A map to find the first step whose path has a certain text, see
	 * told_as(). The key combines two numbers: the `told` of the parent (0
	 * for a static field), and the number in `pairs` for `via` and
	 * `class_name`.
	 */
	struct hp_id_map told;
	/*
	 * for a step that is a static field: the loader that has loaded the
	 * class of this field. Maps the step to the row with the name of the
	 * class of this loader.
	 */
	struct hp_id_map loaders;
	/* maps the same steps to the id of the loader; 0: several loaders */
	struct hp_id_map loader_ids;
	/*
	 * for a text of a path, by its number (`told` of its steps): a struct
	 * hp_path_label *, if exactly one object of the last dump is at the end
	 * of the path, and if this object is a container or a class loader
	 */
	struct hp_id_map labels;
	/*
	 * sums[dump][step] contains the sums of a step in a dump, if the step
	 * is less than counts[dump]; later steps have no objects in that dump
	 */
	struct hp_path_sum **sums;
	uint32_t *counts;
	size_t dumps;
};

/*
 * Initialize a path tree for @dumps dumps. Returns HP_OK or HP_NOMEM. Call
 * hp_path_tree_release(), also after a failure.
 */
HP_MUST_USE enum hp_status
hp_path_tree_init(struct hp_path_tree *t, size_t dumps, struct hp_error *err);
void hp_path_tree_release(struct hp_path_tree *t);

/*
 * Find or create the step below @parent whose members `via` and `class_name`
 * have the given values. If @parent has the maximum depth, return @parent
 * itself. Returns 0 if out of memory.
 */
uint32_t hp_path_step_get(struct hp_path_tree *t, uint32_t parent,
			  enum hp_path_kind kind, uint32_t via,
			  uint32_t class_name);

/*
 * Find a step in two calls, so that a caller with many steps does not wait for
 * memory: hp_path_step_ask() prefetches it and returns a key, for which
 * hp_path_step_find() returns the step, or 0 if it does not exist. Several
 * threads may call these functions at the same time, while no step is created.
 * The members are as for hp_path_step_get().
 */
uint64_t hp_path_step_ask(const struct hp_path_tree *t, uint32_t parent,
			  uint32_t via, uint32_t class_name);
uint32_t hp_path_step_find(const struct hp_path_tree *t, uint64_t key);

/*
 * Prefetch what hp_path_step_get() reads to create a step, in addition to what
 * hp_path_step_ask() has prefetched. @key: the result of hp_path_step_ask()
 */
void hp_path_step_prefetch(const struct hp_path_tree *t, uint64_t key);

/*
 * Compare two paths for sorting, by names only: by the kind and the name of the
 * starting point, then step by step. A path comes before all longer paths that
 * begin with it.
 */
int hp_path_compare(const struct hp_path_tree *t, uint32_t a, uint32_t b);

/*
 * Compare two steps for sorting: two starting points, or two steps with the
 * same parent.
 */
int hp_path_compare_steps(const struct hp_path_tree *t,
			  const struct hp_path_step *x,
			  const struct hp_path_step *y);

/*
 * Append the text of a path, for example "Leak.SESSIONS (static) →
 * java.util.HashMap[*] → Leak$Session". If the path has static fields, the text
 * starts at the last one. The steps before this field are left out, because
 * they only keep the class of the field alive (for example its class loader).
 */
void hp_path_text(const struct hp_path_tree *t, uint32_t step,
		  struct hp_buf *b);

/*
 * Append the text of a path from the root on. Unlike hp_path_text(), this
 * includes the steps that keep the class of a static field alive.
 */
void hp_path_text_from_root(const struct hp_path_tree *t, uint32_t step,
			    struct hp_buf *b);

/* Append the text that a step adds to the text of its parent. */
void hp_path_step_text(const struct hp_path_tree *t, uint32_t step,
		       struct hp_buf *b);

/*
 * If the text of a path starts with a static field, a class loader has loaded
 * the class of this field. Returns the name of the class of this loader. NULL:
 * it is the boot loader, or the text does not start with a static field. *@id
 * receives the id of the loader; 0: none, or classes with the same name have
 * different loaders.
 */
const char *hp_path_loader(const struct hp_path_tree *t, uint32_t step,
			   uint64_t *id);

/*
 * Returns the label of the only object whose path ends at the step @step. NULL:
 * there is no such object, or it has no label.
 */
const char *hp_path_label(const struct hp_path_tree *t, uint32_t step);

/*
 * Returns the label of the only object whose path has the same text as the path
 * of the step @step, or NULL.
 */
const char *hp_path_text_label(const struct hp_path_tree *t, uint32_t step);

/*
 * Returns the sums, in one dump, of the objects whose path ends at the step
 * @step.
 */
struct hp_path_sum hp_path_sum_of(const struct hp_path_tree *t, size_t dump,
				  uint32_t step);

/*
 * ----------------------------------------------------------------------
 * Find the shortest path from the roots to each object, by name
 *
 * This is a breadth-first search. The search runs three times, with different
 * starting points. The first search starts at static fields, threads, JNI
 * globals and other roots. For objects without a path so far, the second search
 * starts at the local variables and monitors of stack frames. The third search
 * starts at interned strings and at internal roots of the VM. Finally, the
 * search finds paths to the objects to which only a finalizer refers.
 *
 * The internal parts of a collection belong to the step of the collection, and
 * all nodes of a linked list belong to one step.
 *
 * Among equally short paths to an object, the first of these criteria that
 * differs chooses the best one: the starting point, the names on the path, the
 * class of the object that has the reference, the field, the object ids.
 */

/*
 * A flag in the word of an object in hp_path_walk.steps, in addition to the
 * number of the step: the object is an internal part of a collection.
 */
#define HP_PATH_INSIDE (UINT32_C(1) << 31)

struct hp_path_walk {
	struct hp_big_memory *memory;
	struct hp_reached reached;
	/*
	 * for each object, by its number in the graph: the number of its step
	 * in the path tree, and the flag HP_PATH_INSIDE, as uint32_t; 0: the
	 * object has no path
	 */
	struct hp_big_array steps;
	/*
	 * for each kind of object (class and size): the row of its class name
	 */
	uint32_t *class_rows;
};

/* The objects for which paths are wanted. */
struct hp_path_wanted {
	/*
	 * the numbers in the graph of the objects whose paths are wanted; NULL:
	 * all reachable objects
	 */
	const uint32_t *nodes;
	size_t count;
};

/**
 * hp_path_walk_run() - find the paths of the objects of a dump
 *
 * @w: zeroed by the caller
 * @t: the graph, with its references, and the dominator tree
 * @src: the dump, which is read again for the names of threads
 * @tree: receives the steps
 * @wanted: the objects whose paths are needed; the search stops when it has
 *   found all of these, so other objects may get no path
 *
 * Memory: 4 bytes and 3 bits for each object; in the largest level (distance
 *   from the roots) 4 bytes for each object, and 16 more if several references
 *   lead to it; about 100 bytes for each step, and, while steps are created, 32
 *   bytes more for each new step of the level
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 * Ownership: call hp_path_walk_release(), also after a failure, before @t is
 * released.
 */
HP_MUST_USE enum hp_status
hp_path_walk_run(struct hp_path_walk *w, struct hp_retained *t,
		 struct hp_keys *keys, struct hp_source *src,
		 struct hp_path_tree *tree, struct hp_path_wanted wanted,
		 struct hp_error *err);
void hp_path_walk_release(struct hp_path_walk *w);

/*
 * Returns the step of the path tree at which the path of an object ends, or 0
 * if the object has no path. The object must be reachable or wait for a
 * finalizer.
 */
static inline uint32_t
hp_path_step_of(const struct hp_path_walk *w, uint32_t node)
{
	return ((const uint32_t *)w->steps.at)[node] & ~HP_PATH_INSIDE;
}

/*
 * Prefetch what hp_path_step_of() reads for the object at index @place of the
 * dominator tree @t. Does nothing after the last object.
 */
HP_HOT void
hp_path_fetch_step(const struct hp_path_walk *w, const struct hp_tree *t,
		   uint32_t place)
{
	if (place < t->count)
		__builtin_prefetch((const uint32_t *)w->steps.at +
				   ((const uint32_t *)t->nodes.at)[place]);
}

/* ----------------------------------------------------------------------
 * Add up the objects at each step of the path tree, and what they retain
 */

/**
 * hp_path_sums_add() - compute the sums of all path steps in the dump with
 * index @column
 *
 * @t: the object graph, with its finalizer queue; the objects that only a
 *   finalizer keeps alive are added to what this finalizer retains
 * @by_kind: for each kind of object: true if its objects are counted; NULL: all
 *   objects are counted
 * @wanted: the number of one object that is also counted; HP_NO_NODE: there is
 *   no such object
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_path_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		 struct hp_path_tree *tree, size_t column, const bool *by_kind,
		 uint32_t wanted, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Rows of --by=path: heap growth by path
 */

/**
 * hp_path_rows_make() - make a row for each path, after the paths of all dumps
 * were found
 *
 * @t: also receives the steps of saved results
 * @walked: for each dump: true if its paths were searched; false for a saved
 *   result, whose rows exist already
 *
 * The count and bytes of a row are those of the objects at the end of the path,
 * with the internal parts of a collection. All rows of a dump add up to the
 * objects that are reachable or wait for a finalizer.
 *
 * Paths that are small in every dump share one row. A path is small if it
 * retains less than a millionth of the reachable bytes and objects. If a saved
 * result has such a row, dumps[].untold is set to the size of the largest path
 * that this row may include.
 *
 * A path is hidden if it did not change, or if it continues a path that changed
 * in the same direction. A path that matches --ignore-path is ignored. A path
 * of the built-in list is also ignored, unless it leads to objects of the
 * application or grew by more than hp_ignored_most().
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_path_rows_make(struct hp_result *r,
					     struct hp_path_tree *t,
					     const bool *walked,
					     struct hp_error *err);

/* ----------------------------------------------------------------------
 * Find growth of paths that is only a move of objects from another path
 *
 * Objects of two dumps have no common identity, so a move is guessed from
 * numbers: objects are assumed to have moved if their class lost objects on one
 * path and gained objects on another path.
 */

/*
 * A path on which a class has more or fewer objects in the last dump than in
 * the first dump.
 */
struct hp_move {
	/* the class: index of the row with its name in hp_path_tree.names */
	uint32_t class_name;
	/* the step at which the path ends */
	uint32_t step;
	/*
	 * number of objects of this class on the path in the last dump, minus
	 * that in the first dump; not 0
	 */
	int64_t change;
	/*
	 * for a loss: how many of the lost objects moved to another path; for a
	 * gain: how many of the gained objects came from another path; set by
	 * hp_moves_match()
	 */
	uint64_t moved;
	/*
	 * index in the list of another entry: for a loss, the path to which
	 * most of the objects moved; for a gain, the path from which most came
	 */
	uint32_t other;
	/*
	 * number of objects that moved to or from the path of the entry
	 * `other`; 0: `other` is not set
	 */
	uint64_t other_moved;
	/*
	 * the following members are for the caller of hp_moves_match(), which
	 * does not use them
	 */
	struct hp_row *owner;
	int64_t lowest;
};

/**
 * hp_moves_match() - match losses of objects on one path with gains on another
 * path, class by class
 *
 * @list: the function sorts this list, and stores the results in it
 *
 * First, a loss and a gain of the same number are matched. For example, 1,800
 * objects that left one path are assumed to be the 1,800 objects that appeared
 * on another path. Then, again and again, the largest remaining loss is matched
 * with the largest remaining gain, until no loss or no gain is left. The
 * unmatched part of a gain is new.
 *
 * The result depends on names and numbers only, not on the order of steps.
 *
 * Time: O(n log n), for sorting
 */
HP_MUST_USE bool hp_moves_match(const struct hp_path_tree *t,
				struct hp_move *list, size_t n);

#endif
