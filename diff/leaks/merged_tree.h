/*
 * merged_tree.h - a dominator tree in which objects with equal names are merged
 * to one node
 */
#ifndef HP_DIFF_LEAKS_MERGED_TREE_H
#define HP_DIFF_LEAKS_MERGED_TREE_H

#include "diff/keys/keys.h"
#include "diff/retained/retained.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * ----------------------------------------------------------------------
 * The dominator tree of a dump, merged by name
 *
 * A node of the merged tree represents all objects that have the same name and
 * whose dominators belong to the same node. The name of an object is usually
 * its class.
 *
 * Objects to which a static field refers are often named after the field. This
 * is so in two cases: if the class of the field immediately dominates the
 * object; or if the virtual root does, for example because the stack of a
 * thread also refers to the object.
 *
 * An object whose dominator has the same name belongs to the node of its
 * dominator. So a linked list is one node, however long it is.
 *
 * Nodes of two dumps correspond if all names from the root down are equal. So
 * the difference of their sums is growth. Every object belongs to at most one
 * node, so the sum of a node with all nodes below it is a retained size.
 */

/*
 * maximum depth of nodes; an object at a greater depth is added to its ancestor
 * at this depth
 */
enum { HP_MERGED_DEPTH = 64 };

struct hp_merged_node {
	uint32_t name;	 /* index of the row with the name of this node */
	uint32_t parent; /* index of the parent node; 0: the root */
	uint32_t depth;
	bool is_static; /* the node is named after a static field */
	/*
	 * number of objects of this node whose dominator is in the parent node
	 */
	uint32_t members;
	/*
	 * The object with the largest retained size, by its index in the
	 * dominator tree. Of equally large objects it is the one whose class
	 * has the first name, then the one with the smallest id.
	 */
	uint32_t largest;
	uint64_t largest_bytes;
	/* the number of the node in tree_levels.h */
	uint32_t number;
	/*
	 * One bit for each object of struct hp_merged_wanted: the object is in
	 * this node or in a node below it. Such nodes are kept even if they
	 * retain little.
	 */
	uint32_t wanted;
	/*
	 * number and bytes of all objects that the objects of this node retain,
	 * including themselves
	 */
	struct hp_graph_sum sum;
};

struct hp_merged_tree {
	/* the nodes; node 0 is the root; a parent comes before its children */
	struct hp_merged_node *list;
	uint32_t count;
	size_t cap;
	/* the names of the nodes, as rows; the trees of all dumps share them */
	struct hp_rows *names;
};

/*
 * Objects whose nodes must be in the merged tree even if they are small, by
 * their indexes in the dominator tree; at most 32.
 */
struct hp_merged_wanted {
	const uint32_t *places;
	size_t count;
};

/**
 * hp_merged_tree_build() - merge the dominator tree of a dump by name
 *
 * @m: zeroed by the caller
 * @names: receives the names of the nodes; owned by the caller
 * @share: leave out nodes that retain less than 1/@share of the reachable heap
 * @wanted: keep the nodes of these objects, and all nodes above them
 *
 * Memory: 4 bytes and 2 bits for each reachable object during the call, and
 * about 100 bytes for each node; there are at most 64 * (@share +
 * @wanted.count) nodes
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: call hp_merged_tree_release(), also after a failure.
 */
HP_MUST_USE enum hp_status
hp_merged_tree_build(struct hp_merged_tree *m, struct hp_retained *t,
		     struct hp_keys *keys, struct hp_rows *names,
		     uint64_t share, struct hp_merged_wanted wanted,
		     struct hp_error *err);

void hp_merged_tree_release(struct hp_merged_tree *m);

/*
 * Returns the row in @names with the name of a kind (class and size) of object.
 * The name is the class of the objects; for the class object of X, it is "class
 * X". NULL if out of memory.
 */
const struct hp_row *hp_merged_kind_name(struct hp_keys *keys,
					 struct hp_rows *names,
					 const struct hp_node_kind *kind);

/*
 * Returns an array with, for each node, the class of its largest object, as the
 * index of a row in @names. Returns NULL if out of memory. Call this while the
 * graph exists. The caller frees the array.
 */
uint32_t *hp_merged_classes(const struct hp_merged_tree *m,
			    const struct hp_retained *t, struct hp_keys *keys,
			    struct hp_rows *names);

/*
 * For each kind of object (class and size), set @row_of[kind] to the index of
 * the row in @names with its class name. Kinds are numbered from 1. Returns
 * HP_OK, HP_LIMIT or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_merged_kind_names(struct hp_keys *keys, struct hp_rows *names,
		     const struct hp_node_kinds *kinds, uint32_t *row_of,
		     struct hp_error *err);

/* ----------------------------------------------------------------------
 * Name objects of the dominator tree after static fields
 */

struct hp_static_names {
	const struct hp_retained *t;
	struct hp_keys *keys;
	struct hp_rank_near *near;
	/*
	 * for the current class: maps the number of an object in the graph to
	 * the index of the static field that refers to the object
	 */
	struct hp_id_map statics;
	/* if the current object is a class object: its class; otherwise NULL */
	const struct hp_class *class;
	/*
	 * The objects that the current object dominates can be named after
	 * static fields: it is a class object or the root. If false,
	 * hp_static_names_field() finds no field.
	 */
	bool any;
	/*
	 * used only for the children of the root: maps the number of an object
	 * in the graph to the static field that refers to the object, as class
	 * index * 2^32 + field index
	 */
	struct hp_id_map shared;
};

/*
 * Initialise @n. @t and @keys are borrowed. Returns HP_OK or HP_NOMEM. Call
 * hp_static_names_release() also after a failure.
 */
HP_MUST_USE enum hp_status hp_static_names_init(struct hp_static_names *n,
						const struct hp_retained *t,
						struct hp_keys *keys,
						struct hp_error *err);
void hp_static_names_release(struct hp_static_names *n);

/*
 * Call this function before hp_static_names_field() is called for the objects
 * that the object at index @place of the dominator tree dominates. If the
 * object is a class object, its static fields are collected; if it is the root
 * (@place is 0), those of all reachable classes, until the next call. Returns
 * HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_static_names_enter(struct hp_static_names *n,
						 uint32_t place,
						 struct hp_error *err);

/*
 * Find the static field after which the object at index @place of the dominator
 * tree is named. Returns the index of the field, and sets *@c to its class, or
 * to NULL if there is no such field.
 */
uint32_t hp_static_names_field(const struct hp_static_names *n, uint32_t place,
			       const struct hp_class **c);

/*
 * Find the object to which the static field with index @i of the class @c
 * refers. Returns the number of the object in the graph; HP_NO_NODE if the
 * field is not a reference, or if the dump does not have the object.
 */
uint32_t hp_merged_static_node(const struct hp_graph *g,
			       struct hp_rank_near *near,
			       const struct hp_class *c, uint32_t i);

/*
 * Fill the map @statics with the objects to which static fields of @c refer. It
 * maps the number of such an object in the graph to the index of the first
 * static field that refers to the object. If @c is NULL, the map is empty.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_merged_statics(struct hp_id_map *statics,
					     const struct hp_graph *g,
					     struct hp_rank_near *near,
					     const struct hp_class *c,
					     struct hp_error *err);

/*
 * Replace the contents of @b by the name of a static field, for example
 * "Leak.SESSIONS (static)". Returns false if out of memory; if only the buffer
 * has no memory, the buffer has failed.
 */
bool hp_static_name_text(struct hp_keys *keys, const struct hp_class *c,
			 const struct hp_class_static *s, struct hp_buf *b);

/*
 * Returns the row with the name of a static field, for example "Leak.SESSIONS
 * (static)", or NULL if out of memory.
 */
const struct hp_row *hp_merged_static_name(struct hp_keys *keys,
					   struct hp_rows *names,
					   const struct hp_class *c,
					   const struct hp_class_static *s);

/* ----------------------------------------------------------------------
 * Which fields and classes are internal parts of collections
 *
 * Source: java.util of JDK 6 to 25, and the collections of Android, androidx
 * and Kotlin
 */

enum hp_field_role {
	HP_FIELD_PLAIN,
	/*
	 * the field refers to an internal part of the collection, such as
	 * HashMap.table
	 */
	HP_FIELD_INSIDE,
	HP_FIELD_ELEMENT, /* the field refers to an element, a key or a value */
};

/**
 * hp_collection_field() - what a field of a collection class refers to: an
 * internal part, an element, or something else
 *
 * @class_name: the declaring class with dots, such as "java.util.HashMap$Node"
 * @field: the name of the field, @len bytes
 *
 * Returns: HP_FIELD_PLAIN if the class is not a known collection or the field
 * is unknown.
 */
enum hp_field_role hp_collection_field(const char *class_name,
				       const char *field, size_t len);

/*
 * Whether a class is an internal part of a collection, such as HashMap$Node, or
 * an array of such a class. Object[] counts as internal because collections
 * store their elements in it. @name has dots, such as "java.util.HashMap$Node".
 */
bool hp_is_collection_inside(const char *name);

/*
 * Whether a class is a known collection such as HashMap, and not an internal
 * part of a collection.
 */
bool hp_is_collection(const char *name);

/*
 * Whether a class is an internal part of a collection, and its fields refer to
 * elements, such as HashMap$Node.
 */
bool hp_has_elements(const char *name);

/*
 * ----------------------------------------------------------------------
 * The names of threads, and the methods of their stack frames
 *
 * If a root is a local variable, the object graph has only the serial number of
 * its thread and the index of its frame. So the names of threads and frames are
 * read in a separate pass over the dump.
 */

struct hp_thread_name {
	uint64_t object; /* id of the java.lang.Thread object */
	/*
	 * the object with the name of the thread, as its number in the graph: a
	 * String, or a char[] in old Java versions; HP_NO_NODE: not known
	 */
	uint32_t string;
	uint32_t trace; /* serial number of the thread's stack trace; 0: none */
	/*
	 * the name of the thread, with control characters escaped; NULL: not
	 * known
	 */
	const char *text;
};

struct hp_thread_roots {
	/* maps the serial number of a thread to a struct hp_thread_name * */
	struct hp_id_map threads;
	struct hp_arena arena;
};

/**
 * hp_thread_roots_find() - read the names of the threads that are roots of the
 * graph
 *
 * @t: zeroed by the caller
 * @graph: the graph of the dump, which must still have its references
 * @src: the dump, which is read again from its first byte
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 * Ownership: call hp_thread_roots_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_thread_roots_find(struct hp_thread_roots *t,
						const struct hp_graph *graph,
						const struct hp_histogram *g,
						struct hp_source *src,
						struct hp_error *err);
void hp_thread_roots_release(struct hp_thread_roots *t);

/*
 * Returns the thread with the serial number @serial, or NULL if the dump has no
 * object for it.
 */
const struct hp_thread_name *hp_thread_name_of(const struct hp_thread_roots *t,
					       uint32_t serial);

/*
 * Append a thread in the form in which paths show it: `thread "main"`, or only
 * `thread` if its name is not known.
 */
void hp_thread_words(struct hp_buf *b, const struct hp_thread_name *thread);

/*
 * Append the method of a stack frame, for example "Leak.main", with control
 * characters escaped. Returns false and appends nothing if the method is not
 * known. Running out of memory marks @b as failed.
 */
bool hp_thread_method(struct hp_buf *b, struct hp_keys *keys,
		      const struct hp_thread_name *thread, uint32_t frame);

#endif
