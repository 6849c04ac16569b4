/*
 * merged_tree.h - the dominator tree of a dump, merged by names
 *
 * Objects of one name whose dominators were merged are one node: by class, or
 * by static field where a class dominates them directly, or nothing does but
 * the roots, as what a stack holds, too. An object below one of its own name is
 * part of that node, so that a list is one node, however long. Nodes of two
 * dumps that have the same names from the root down are the same, which tells
 * what grew. No object is in two nodes beside or above each other, so sums are
 * retained sizes.
 */
#ifndef HP_DIFF_LEAKS_MERGED_TREE_H
#define HP_DIFF_LEAKS_MERGED_TREE_H

#include "diff/keys/keys.h"
#include "diff/retained.h"

enum { HP_MERGED_DEPTH = 64 }; /* steps; what is below stays in its parent */

struct hp_merged_node {
	uint32_t name;			 /* index of its row in the names */
	uint32_t parent, child, sibling; /* 0: none, or the roots */
	uint32_t depth;
	bool is_leaf;	  /* none of its objects dominates another */
	bool is_static;	  /* its name is that of a static field */
	uint32_t members; /* objects that are not below one of the node */
	uint32_t largest; /* place of the one that retains most */
	uint64_t largest_bytes;
	uint32_t head, tail; /* places of objects: members first, see next */
	struct hp_graph_sum sum; /* retained by the members */
};

struct hp_merged_tree {
	struct hp_merged_node *list; /* from 0, the roots; parents first */
	uint32_t count;
	size_t cap;
	struct hp_rows *names; /* of nodes, shared between dumps */
	struct hp_big_memory *memory;
	struct hp_big_array next; /* uint32_t by place: the node's next; 0 */
};

/**
 * hp_merged_tree_build() - merge what has at least a share of the heap
 * @m:     zeroed
 * @names: where names are put; kept by the caller
 * @share: nodes that retain less than one part in so many are left out
 *
 * Memory:  4 bytes a reachable object until hp_merged_tree_trim(), and some
 *          100 a node; there are at most 64 times @share nodes
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: hp_merged_tree_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_merged_tree_build(struct hp_merged_tree *m, struct hp_retained *t,
		     struct hp_keys *keys, struct hp_rows *names,
		     uint64_t share, struct hp_error *err);

/* The objects of nodes are not needed any more, nor the graph. */
void hp_merged_tree_trim(struct hp_merged_tree *m);
void hp_merged_tree_release(struct hp_merged_tree *m);

/* The name of a kind of node as nodes have it; NULL: out of memory. */
const struct hp_row *hp_merged_kind_name(struct hp_keys *keys,
					 struct hp_rows *names,
					 const struct hp_node_kind *kind);

/*
 * The class of each node, as a row of the names, while places mean something:
 * that of its largest object. The caller frees it; NULL: out of memory.
 */
uint32_t *hp_merged_classes(const struct hp_merged_tree *m,
			    const struct hp_retained *t, struct hp_keys *keys,
			    struct hp_rows *names);

/* The rows of all kinds, from 1, in the names. HP_OK; HP_LIMIT; HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_merged_kind_names(struct hp_keys *keys, struct hp_rows *names,
		     const struct hp_node_kinds *kinds, uint32_t *row_of,
		     struct hp_error *err);

/* The node that a static field of @c names, or HP_NO_NODE. */
uint32_t hp_merged_static_node(const struct hp_graph *g,
			       struct hp_rank_near *near,
			       const struct hp_class *c, uint32_t i);

/*
 * Which static field of a class names a node, by its index; of several the
 * first. @statics: filled anew; @c NULL: no class. HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_merged_statics(struct hp_id_map *statics,
					     const struct hp_graph *g,
					     struct hp_rank_near *near,
					     const struct hp_class *c,
					     struct hp_error *err);

/* "Leak.SESSIONS (static)"; NULL: out of memory. */
const struct hp_row *hp_merged_static_name(struct hp_keys *keys,
					   struct hp_rows *names,
					   const struct hp_class *c,
					   const struct hp_class_static *s);

#endif
