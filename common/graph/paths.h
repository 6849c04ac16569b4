/*
 * paths.h - the shortest path from the roots to each object, the same in every
 * dump of a program
 *
 * Of several paths that are as short the one counts whose last holder has the
 * smallest rank, which callers derive from names; only then ids decide. So
 * paths do not depend on the order in which objects lie in memory, as long as
 * names tell them apart.
 */
#ifndef HP_GRAPH_PATHS_H
#define HP_GRAPH_PATHS_H

#include "common/graph/graph.h"

struct hp_paths {
	struct hp_big_memory *memory;
	struct hp_big_array parents; /* uint32_t by node, see hp_path_parent */
};

/**
 * hp_paths_find() - walk the graph level by level
 * @g:       its edges are there (hp_tree_build() was told to keep them)
 * @rank_of: by kind; smaller ones are preferred as holders
 *
 * Memory:  12 bytes an object, of which 4 are kept
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO.
 * Ownership: hp_paths_release() in any case, before the graph is released.
 */
HP_MUST_USE enum hp_status hp_paths_find(struct hp_paths *p, struct hp_graph *g,
					 const uint32_t *rank_of,
					 struct hp_error *err);
void hp_paths_release(struct hp_paths *p);

/* The holder of @node on its path; HP_NO_NODE: a root, or unreachable. */
static inline uint32_t
hp_path_parent(const struct hp_paths *p, uint32_t node)
{
	return ((const uint32_t *)p->parents.at)[node] - 1;
}

#endif
