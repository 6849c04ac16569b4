/*
 * leaks.h - find leak suspects, owners of the heap, and the paths of --why, and
 * prepare the pictures of the HTML report
 */
#ifndef HP_DIFF_LEAKS_LEAKS_H
#define HP_DIFF_LEAKS_LEAKS_H

#include "diff/result/gate.h"
#include "diff/keys/keys.h"
#include "diff/leaks/merged_tree.h"
#include "diff/leaks/object_tree.h"
#include "diff/leaks/why_tree.h"
#include "diff/paths/paths.h"
#include "diff/retained/retained.h"

/*
 * ----------------------------------------------------------------------
 * The shortest paths that keep objects alive, merged to a tree (--why)
 *
 * For each dump, call hp_path_walk_run() to find the paths, and add the objects
 * that --why asks for with hp_why_sums_add(). Then call hp_why_make() with the
 * tree of paths.
 */

/**
 * hp_why_sums_add() - count the objects that --why asks for, at each step of
 * the path tree
 *
 * @column: index of the dump
 * @what: which objects: a pattern for class names as rows show them (for class
 *   objects, the name begins with "class "), or the id of one object, "0x..."
 * @found: receives the number of reachable objects that match
 * @known: set to true if the dump has an object with the id in @what, even if
 *   it is unreachable
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_why_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		struct hp_path_tree *tree, size_t column, const char *what,
		uint32_t *found, bool *known, struct hp_error *err);

/**
 * hp_why_make() - build the tree of all path steps that lead to the objects
 * that --why asks for
 *
 * @w: zeroed by the caller
 * @tree: the tree of paths; its sums count only the objects that --why asks for
 * @rows: the rows of the steps; in rows to which objects came from other paths,
 *   this function sets moved_count and moved_from
 *
 * The children of a node are sorted by the number of wanted objects in the last
 * dump, largest first, then by name. A node has not grown if its new objects
 * only moved there from other paths, see match_moves.c.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Call hp_why_release(), also after a
 * failure; @w owns the texts of its nodes.
 */
HP_MUST_USE enum hp_status hp_why_make(struct hp_why *w,
				       const struct hp_path_tree *tree,
				       struct hp_rows *rows,
				       struct hp_error *err);

/* ----------------------------------------------------------------------
 * Labels: names of objects by which a developer recognizes them
 */

/* An object for which a label is wanted. The caller sets only `place`. */
struct hp_labelled {
	/* index of the object in the dominator tree */
	uint32_t place;
	/*
	 * what the object is, for example "map of 1,370: Integer →
	 * Shop$Session" or "class loader of webapp 'shop'"; NULL: the object is
	 * neither a class loader nor a container with elements, or it is a part
	 * of another container
	 */
	const char *text;
};

/**
 * hp_object_labels_find() - make the labels of some objects
 *
 * @t: the graph must still have its references
 * @src: the dump; it is read again, at most twice, if a class loader of the
 *   list has a name
 * @arena: the memory for the texts
 *
 * Time: proportional to the number of kinds of objects in the dump, and to the
 * number of objects and references that the objects of the list contain
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_object_labels_find(struct hp_labelled *list, size_t n,
		      const struct hp_retained *t, struct hp_keys *keys,
		      struct hp_source *src, struct hp_arena *arena,
		      struct hp_error *err);

/**
 * hp_path_labels_find() - make the labels of the objects at the ends of paths
 *
 * @w: the paths of all objects of the last dump
 * @tree: receives the labels
 * @why: make labels for all steps of the paths to the objects that are counted
 *   in the sums of the last dump; otherwise, make labels for all objects that
 *   retain at least 0.01 % of the reachable heap
 *
 * A path has a label only if exactly one object is at its end. Parts of this
 * object, such as the nodes of a linked list, do not count.
 *
 * Time: proportional to the number of objects. Memory: temporarily 16 bytes for
 * each step
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_path_labels_find(const struct hp_path_walk *w, const struct hp_retained *t,
		    struct hp_path_tree *tree, bool why, struct hp_keys *keys,
		    struct hp_source *src, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Find leak suspects: the objects in which the heap's growth accumulates
 *
 * With two or more dumps, a suspect is one object of the last dump, or several
 * objects on the same path. A suspect grew by at least 2 % of the bytes that
 * are reachable in the first dump. With one dump, a suspect is one of the
 * objects that retain most. The comment of hp_choice_make() says how suspects
 * are chosen.
 *
 * Source: Eclipse MAT's leak hunter (accumulation points)
 */

/*
 * The large objects of the dumps before the last one. They are kept until the
 * last dump is read.
 */
struct hp_suspect_search {
	/*
	 * for each input: the tree of its large objects; `count` is 0 if no
	 * tree was built
	 */
	struct hp_object_tree *trees;
	size_t ntrees;
	/* the names of the items (nodes) of the trees of all inputs */
	struct hp_object_names names;
	/* what the large objects of the first input immediately dominate */
	struct hp_child_counts children;
	bool have_first;
};

void hp_suspects_init(struct hp_suspect_search *s);
void hp_suspects_release(struct hp_suspect_search *s);

/**
 * hp_suspects_note() - keep a list of the large objects of a dump that is not
 * the last one
 *
 * @column: index of the dump among @ndumps inputs
 * @t: the graph and the dominator tree of the dump; the graph must still have
 *   its references
 *
 * For the first dump, sets the member have_first.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status
hp_suspects_note(struct hp_suspect_search *s, size_t column, size_t ndumps,
		 struct hp_retained *t, const struct hp_histogram *g,
		 const struct hp_diff_options *o, struct hp_error *err);

/**
 * hp_suspects_find() - find the suspects in the last or only dump
 * @t: the graph and the dominator tree of the dump; the graph must still have
 *     its references
 * @walk: the paths of all objects of the dump, which may be moved to files;
 *   NULL: if there are suspects, this function finds the paths
 * @src: the dump, which is read again for the paths if there are suspects
 * @r: receives the suspects, see struct hp_suspect
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_suspects_find(struct hp_suspect_search *s, struct hp_retained *t,
		 struct hp_path_walk *walk, const struct hp_path_tree *tree,
		 const struct hp_histogram *g, struct hp_source *src,
		 struct hp_result *r, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Rows of --by=dominator: who owns the heap
 */

/*
 * Objects to which a static field refers, but which are also reachable without
 * the field. Such an object counts in the row of another owner, so a condition
 * of --fail-if (a gate) on the row of the field does not count it.
 */
struct hp_unowned {
	/*
	 * the conditions of --fail-if; hp_owners_add() looks for objects that
	 * these conditions miss
	 */
	const struct hp_gate *gates;
	size_t ngates;
	/*
	 * number of objects that no gate counts, although a gate would fail if
	 * the objects counted in the row of their field
	 */
	size_t count;
	/* retained size in bytes of the largest of the `count` objects */
	uint64_t bytes;
	/*
	 * the key of the row of a static field: this field refers to the
	 * largest of the `count` objects
	 */
	char *field;
	/*
	 * the key of the row in which the largest of the `count` objects
	 * counts; freed by hp_unowned_release()
	 */
	char *owner;
};

void hp_unowned_release(struct hp_unowned *u);

/**
 * hp_owners_add() - make a row for each owner of objects; each reachable object
 * has one owner
 *
 * @t: the graph and the dominator tree of the dump; the graph must still have
 *   its references
 * @c: the dump; its rows receive retained sizes
 * @src: the dump, which is read again for the names of threads
 * @labels: also set the labels of the rows, in the last dump
 * @u: the caller sets the gates; this function sets the other members
 *
 * All paths from the roots to an object go through its owner. If these paths go
 * through classes, the owner is the class that is nearest to the roots. If they
 * all use the same static field of the class, the owner is the field. If there
 * is no such class, the owner is the object nearest to the roots through which
 * all paths go. The row of a thread shows its name; the row of another object
 * shows the kind of root and the class.
 *
 * The count and bytes of a row are those of the owners themselves. The retained
 * count and retained bytes of a row are those of all objects that its owners
 * own; over all rows they add up to the reachable heap.
 *
 * Memory: temporarily about 4 bytes for each object, and the rows
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_owners_add(const struct hp_retained *t,
					 const struct hp_column *c,
					 struct hp_source *src, bool labels,
					 struct hp_unowned *u,
					 struct hp_error *err);

/* ----------------------------------------------------------------------
 * Rows of --by=reference
 */

/**
 * hp_reference_rows_find() - add a row for each kind of reference (soft, weak,
 * phantom or finalizer) and class of referents
 *
 * @t: the graph must still have its references, and soft references must keep
 *   their referents alive in it (HP_REACHABILITY_SOFT)
 * @c: the dump; its rows receive the sums
 *
 * The count and bytes of a row are those of the references themselves. The
 * retained count and retained bytes of a row are those of the objects that only
 * these references keep alive; no object counts in two rows. A reference object
 * counts only if it is reachable from the roots, by references of any kind.
 *
 * Time: linear in the numbers of objects and references. Memory: temporarily
 * about 9 bytes for each object (if they do not fit in --memory, they are
 * stored in files), and a few numbers for each row.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_reference_rows_find(struct hp_retained *t,
						  const struct hp_column *c,
						  struct hp_error *err);

/* ----------------------------------------------------------------------
 * Rows of --by=thread
 */

/*
 * Append the name of a thread, but write '*' instead of the last number in it
 * and of each long number. So all threads of a pool get the same text, also in
 * other runs of the program: "http-nio-8080-exec-*".
 */
void hp_thread_pool_name(struct hp_buf *b, const char *name);

/**
 * hp_thread_rows_add() - add a row for each thread, or for each pool of threads
 *
 * @c: the dump; its rows receive retained sizes
 * @src: the dump, which is read again for the names of threads
 *
 * The count and bytes of a row are those of the thread objects. The retained
 * count and retained bytes of a row are those of all objects that only its
 * threads keep alive, for example by local variables, values of ThreadLocals
 * and fields.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_thread_rows_add(const struct hp_retained *t,
					      const struct hp_column *c,
					      struct hp_source *src,
					      struct hp_error *err);

/**
 * hp_thread_stacks_find() - find the stacks of all threads, and how much the
 * local variables of each frame retain
 *
 * @r: receives r->stacks; r->failed must be set already
 * @src: the dump, which is read again from its beginning, for the names of
 *   threads
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_thread_stacks_find(struct hp_result *r,
						 const struct hp_retained *t,
						 const struct hp_column *c,
						 struct hp_source *src,
						 struct hp_error *err);

/**
 * hp_failed_thread_find() - find the thread that ran out of memory
 * @r: receives r->failed; r->failed.found is set if a stack has the constructor
 *   of OutOfMemoryError
 * @src: the dump, which is read again if there is such a stack
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_failed_thread_find(struct hp_result *r,
						 const struct hp_retained *t,
						 struct hp_keys *keys,
						 struct hp_source *src,
						 struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * The data of the two pictures of the dominator tree in the HTML report
 *
 * The first picture has nested boxes. For it, the dominator trees of the first
 * and the last dump are each merged by name (objects of equal name become one
 * node), and then joined to one tree of boxes.
 *
 * The second picture shows owners: the bytes of every class, with the arrays
 * that its objects dominate. The bytes of an array are added to the class of
 * its nearest dominator that is not an array. Without this rule, most of the
 * heap would be one box "byte[]".
 */

/*
 * The data of the pictures. It is collected when the first and the last dump
 * are read.
 */
struct hp_dominator_view {
	/*
	 * the merged dominator trees: [0] of the first dump, [1] of the last
	 * dump
	 */
	struct hp_merged_tree trees[2];
	/*
	 * classes[i] has, for each node of trees[i], the class of its objects,
	 * as the index of a row in `names`
	 */
	uint32_t *classes[2];
	/* ids[i] has, for each node of trees[i], the id of its largest object
	 */
	uint64_t *ids[2];
	/*
	 * for each node of the tree of the last dump: what its only object is;
	 * NULL: the node has several objects, or the object has no label
	 */
	const char **labels;
	struct hp_rows names;
	/*
	 * the rows of the picture of owners: for each class, the bytes of its
	 * objects and of the arrays that these objects own, in the first and in
	 * the last dump
	 */
	struct hp_rows owners;
	bool have[2];
};

static inline void
hp_dominator_view_init(struct hp_dominator_view *v)
{
	*v = (struct hp_dominator_view){0};
	hp_rows_init(&v->names, 1);
	hp_rows_init(&v->owners, 2);
}

/**
 * hp_dominator_view_add() - add the object graph of a dump to the data of the
 * pictures
 *
 * @v: initialized by hp_dominator_view_init()
 * @r: the result; for the last dump, it must have the suspects already, because
 *   the picture has a box for each suspect
 * @src: the last dump, which is read again if a class loader has a name
 * @last: true for the last or only dump, false for the first
 *
 * Memory: as much as hp_merged_tree_build(), and temporarily 4 bytes for each
 * reachable object
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO. Call hp_dominator_view_release(),
 * also after a failure.
 */
HP_MUST_USE enum hp_status
hp_dominator_view_add(struct hp_dominator_view *v, struct hp_retained *t,
		      const struct hp_histogram *g, struct hp_source *src,
		      const struct hp_result *r, bool last,
		      struct hp_error *err);

/*
 * Store the boxes and owners that are large enough to draw in r->boxes and
 * r->owners, and set the box of each suspect. Stores nothing if the graph of
 * the first or the last dump is missing. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_dominator_view_finish(struct hp_dominator_view *v,
						    struct hp_result *r,
						    struct hp_error *err);

void hp_dominator_view_release(struct hp_dominator_view *v);

/* boxes that retain less than 1/2000 of the heap are not drawn */
enum { HP_SHARE_DRAWN = 2000 };

/*
 * Find the objects of the first dump in the merged tree of the last dump, also
 * those that have another place there. *@to receives an array that the caller
 * frees: for each node of the first tree, the node of the last tree with the
 * same object; 0: not found. Returns HP_OK or HP_NOMEM; *@to may be set also
 * after a failure.
 *
 * Time: n log n for n nodes of the trees
 */
HP_MUST_USE enum hp_status
hp_moved_nodes_find(const struct hp_dominator_view *v, uint32_t **to,
		    struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * The paths to the objects of each class, for the HTML report
 *
 * When a user opens the row of a class, the report shows the shortest paths to
 * its objects, merged by name. While the dumps are read, it is not known which
 * rows the report will show. So this module keeps sums for all classes: a few
 * numbers for each pair of a class and a path step.
 */

/*
 * The objects of one class whose path ends at one step of the path tree: their
 * sums in the first and in the last dump.
 */
struct hp_class_at_step {
	/* the class: index of the row with its name in hp_path_tree.names */
	uint32_t class_name;
	uint32_t step;
	uint32_t count[2]; /* a dump has less than 2^32 objects */
	uint64_t bytes[2];
};

struct hp_row_paths {
	/*
	 * for each step of the path tree: the sums of the objects of the step's
	 * own class
	 */
	struct hp_class_at_step *own;
	uint32_t nown;
	/*
	 * The sums of objects of other classes, such as the internal parts of a
	 * collection, which belong to the step of the collection. `by_pair`
	 * maps a pair of class_name and step to an index in `list`.
	 */
	struct hp_id_map by_pair;
	struct hp_class_at_step *list;
	size_t count, cap;
	bool have[2];
};

/**
 * hp_row_paths_add() - add the paths of a dump, after they were found
 *
 * @p: zeroed before the first call
 * @paths: the path tree with all steps of @w
 * @last: true for the last or only dump, false for the first
 *
 * Memory: 32 bytes for each step. 48 bytes for each pair of a step and another
 * class than that of the step, and a hash table of these pairs
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Call hp_row_paths_release(), also after a
 * failure.
 */
HP_MUST_USE enum hp_status hp_row_paths_add(struct hp_row_paths *p,
					    const struct hp_path_walk *w,
					    const struct hp_path_tree *paths,
					    const struct hp_retained *t,
					    bool last, struct hp_error *err);

/**
 * hp_row_paths_finish() - store the paths of the most important rows in
 * r->paths
 *
 * @tree: the tree of merged paths of all dumps
 * @r: the result, with all its rows
 *
 * The rows that changed most come first; with one dump, those that retain most.
 * The paths of a row are sorted in the same way. Constants in row_paths.c limit
 * the number of rows and paths. Stores nothing if the paths of the first or the
 * last dump are missing.
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_row_paths_finish(struct hp_row_paths *p,
					       struct hp_path_tree *tree,
					       struct hp_result *r,
					       struct hp_error *err);

void hp_row_paths_release(struct hp_row_paths *p);

#endif
