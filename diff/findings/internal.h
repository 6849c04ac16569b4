/*
 * internal.h - the parts of the search for findings
 */
#ifndef HP_DIFF_FINDINGS_INTERNAL_H
#define HP_DIFF_FINDINGS_INTERNAL_H

#include "diff/findings/findings.h"
#include "diff/leaks/merged_tree.h"

/* What the objects of a kind are, a set of bits. */
enum {
	HP_IS_SOFT = 1,	     /* a SoftReference */
	HP_IS_WEAK = 2,	     /* its referent is not followed */
	HP_IS_LOCAL = 4,     /* an entry of the ThreadLocals of a thread */
	HP_IS_ENTRY = 8,     /* an entry of a hash table, with a next field */
	HP_IS_EXECUTOR = 16, /* a ThreadPoolExecutor */
	HP_IS_BUFFER = 32,   /* a DirectByteBuffer */
};

/* A field of the objects of a kind. */
struct hp_unusual_field {
	/*
	 * index among the reference fields of the class; UINT32_MAX: there is
	 * no such field
	 */
	uint32_t index;
};

struct hp_unusual_class {
	unsigned is;
	/* of an entry: next and key; of an executor: its queue */
	struct hp_unusual_field next, key;
};

/* An object whose place in the dominator tree is needed. */
struct hp_unusual_wanted {
	uint32_t node, place; /* 0: unreachable */
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
	struct hp_unusual_class *classes; /* by kind */
	/* objects whose place is needed, sorted by node, each once */
	struct hp_unusual_wanted *wanted;
	size_t nwanted, wanted_cap;
	/* by kind, scratch space for sums */
	uint64_t *sums;
	struct hp_unusual_fact facts[HP_UNUSUALS];
	struct hp_error *err;
};

/* The object at a place of the dominator tree, as a node of the graph. */
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
 * Set the share of a finding. The finding applies if it has at least the limit
 * and there is something at all.
 */
void hp_unusual_share(struct hp_unusual_search *s, enum hp_unusual kind,
		      uint64_t part, uint64_t whole);

/* Copy a text as the example of a finding. Returns false if out of memory. */
bool hp_unusual_say(struct hp_unusual_search *s, enum hp_unusual kind,
		    const char *text);

/* The name of the class of a kind. Returns NULL if out of memory. */
const char *hp_unusual_name(struct hp_unusual_search *s, uint32_t kind);

/*
 * The place of an object that was wanted. Returns 0 if it is unreachable, or
 * was not wanted.
 */
uint32_t hp_unusual_place(const struct hp_unusual_search *s, uint32_t node);

/* The node that a reference field of an instance refers to, or HP_NO_NODE. */
uint32_t hp_unusual_follow(const struct hp_unusual_search *s, uint32_t node,
			   struct hp_unusual_field field);

/* Find the classes of all kinds. Returns HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_unusual_classes_find(struct hp_unusual_search *s);

/* Soft, weak and thread-local references, roots, queues of executors. */
HP_MUST_USE enum hp_status hp_unusual_objects_find(struct hp_unusual_search *s);
/* Long chains in the buckets of hash tables. */
HP_MUST_USE enum hp_status hp_unusual_chains_find(struct hp_unusual_search *s);
/* Classes of several loaders, and generated classes. */
HP_MUST_USE enum hp_status hp_unusual_names_find(struct hp_unusual_search *s);
/* The memory of direct buffers outside the heap. */
HP_MUST_USE enum hp_status hp_unusual_buffers_find(struct hp_unusual_search *s);
/* Threads that keep much alive, and pools with many threads. */
HP_MUST_USE enum hp_status hp_unusual_threads_find(struct hp_unusual_search *s);

#endif
