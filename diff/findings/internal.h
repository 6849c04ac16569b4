/*
 * internal.h - the parts of the search for findings
 */
#ifndef HP_DIFF_FINDINGS_INTERNAL_H
#define HP_DIFF_FINDINGS_INTERNAL_H

#include "diff/findings/findings.h"
#include "diff/leaks/merged_tree.h"

/* What the objects of a kind (class) are, as a set of these bits. */
enum {
	HP_IS_SOFT = 1, /* a SoftReference */
	/* a weak reference, whose referent it does not keep alive */
	HP_IS_WEAK = 2,
	HP_IS_LOCAL = 4,     /* an entry of the ThreadLocals of a thread */
	HP_IS_ENTRY = 8,     /* an entry of a hash table, with a next field */
	HP_IS_EXECUTOR = 16, /* a ThreadPoolExecutor */
	HP_IS_BUFFER = 32,   /* a DirectByteBuffer */
};

/* Where the objects of a kind (class) have a certain field. */
struct hp_unusual_field {
	/*
	 * index among the reference fields of the class; UINT32_MAX: there is
	 * no such field
	 */
	uint32_t index;
};

struct hp_unusual_class {
	unsigned is;
	/*
	 * the fields `next` and `key` of an entry of a hash table; for an
	 * executor, `next` is its field `workQueue`
	 */
	struct hp_unusual_field next, key;
};

/* An object whose place in the dominator tree is needed. */
struct hp_unusual_wanted {
	/* node, and its place in the dominator tree; 0: unreachable */
	uint32_t node, place;
};

/* A set of nodes of the graph, with one bit for each node. */
struct hp_unusual_set {
	uint64_t *bits;
};

struct hp_unusual_search {
	const struct hp_retained *t;
	const struct hp_column *c;
	struct hp_source *src;
	struct hp_result *r;
	struct hp_keys keys;
	/* what the objects of each kind are; the index is the kind */
	struct hp_unusual_class *classes;
	/*
	 * the objects whose place in the tree is needed, sorted by node,
	 * without duplicates
	 */
	struct hp_unusual_wanted *wanted;
	size_t nwanted, wanted_cap;
	/* memory for one sum for each kind, used by several functions */
	uint64_t *sums;
	struct hp_unusual_fact facts[HP_UNUSUALS];
	struct hp_error *err;
};

/* Returns the node of the object at a place (index) of the dominator tree. */
static inline uint32_t
hp_unusual_node(const struct hp_unusual_search *s, uint32_t place)
{
	return ((const uint32_t *)s->t->tree.nodes.at)[place];
}

static inline uint32_t
hp_unusual_kind_at(const struct hp_unusual_search *s, uint32_t place)
{
	return ((const uint32_t *)s->t->tree.kinds.at)[place];
}

/*
 * Set the share of a finding. The finding applies if the share reaches the
 * limit and is not 0.
 */
void hp_unusual_share(struct hp_unusual_search *s, enum hp_unusual kind,
		      uint64_t part, uint64_t whole);

/* Copy a text as the example of a finding. Returns false if out of memory. */
bool hp_unusual_say(struct hp_unusual_search *s, enum hp_unusual kind,
		    const char *text);

/* Returns the name of the class of a kind, or NULL if out of memory. */
const char *hp_unusual_name(struct hp_unusual_search *s, uint32_t kind);

/*
 * Returns the place of an object in the dominator tree; 0 if it is unreachable,
 * or was not put on the list `wanted`.
 */
uint32_t hp_unusual_place(const struct hp_unusual_search *s, uint32_t node);

/*
 * Returns the node to which a reference field of an instance refers, or
 * HP_NO_NODE.
 */
uint32_t hp_unusual_follow(const struct hp_unusual_search *s, uint32_t node,
			   struct hp_unusual_field field);

/* Find out what the objects of each kind are. Returns HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_unusual_classes_find(struct hp_unusual_search *s);

/*
 * Look for findings about soft, weak and thread-local references, roots, and
 * queues of executors.
 */
HP_MUST_USE enum hp_status hp_unusual_objects_find(struct hp_unusual_search *s);
/* Look for findings about long chains in the buckets of hash tables. */
HP_MUST_USE enum hp_status hp_unusual_chains_find(struct hp_unusual_search *s);
/*
 * Look for findings about classes of several loaders, and about generated
 * classes.
 */
HP_MUST_USE enum hp_status hp_unusual_names_find(struct hp_unusual_search *s);
/* Look for findings about the memory of direct buffers outside the heap. */
HP_MUST_USE enum hp_status hp_unusual_buffers_find(struct hp_unusual_search *s);
/*
 * Look for findings about threads that keep much memory alive, and about pools
 * with many threads.
 */
HP_MUST_USE enum hp_status hp_unusual_threads_find(struct hp_unusual_search *s);

#endif
