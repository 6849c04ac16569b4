/*
 * internal.h - functions and types that the parts of the search for findings
 * share
 */
#ifndef HP_DIFF_FINDINGS_INTERNAL_H
#define HP_DIFF_FINDINGS_INTERNAL_H

#include "diff/findings/findings.h"
#include "diff/leaks/merged_tree.h"

/*
 * Properties of the objects of one kind (class and size) that findings need; a
 * set of bits.
 */
enum {
	HP_IS_SOFT = 1, /* a java.lang.ref.SoftReference */
	/*
	 * a java.lang.ref.WeakReference, or another reference that does not
	 * keep its referent alive
	 */
	HP_IS_WEAK = 2,
	/* an entry for a ThreadLocal, in the map of a thread */
	HP_IS_LOCAL = 4,
	HP_IS_ENTRY = 8, /* an entry of a hash table that has a field `next` */
	HP_IS_EXECUTOR = 16, /* a java.util.concurrent.ThreadPoolExecutor */
	HP_IS_BUFFER = 32,   /* a java.nio.DirectByteBuffer */
};

struct hp_unusual_class {
	unsigned is;
	/*
	 * Positions of fields. For an entry of a hash table: its fields `next`
	 * and `key`. For an executor: `next` is the position of its field
	 * `workQueue`.
	 */
	struct hp_graph_field next, key;
};

/* An object whose index in the dominator tree is needed. */
struct hp_unusual_wanted {
	/*
	 * node: the number of the object in the graph. place: its index in the
	 * dominator tree; 0: the object is unreachable.
	 */
	uint32_t node, place;
};

/* A set of nodes of the graph, with one bit for each node. */
struct hp_unusual_set {
	uint64_t *bits;
};

struct hp_unusual_search {
	struct hp_retained *t;
	const struct hp_column *c;
	struct hp_source *src;
	struct hp_result *r;
	struct hp_keys keys;
	/*
	 * the properties of the objects of each kind (class and size); the
	 * index is the number of the kind
	 */
	struct hp_unusual_class *classes;
	/*
	 * the objects whose index in the dominator tree is needed, sorted by
	 * `node`, without duplicates
	 */
	struct hp_unusual_wanted *wanted;
	size_t nwanted, wanted_cap;
	/*
	 * temporary memory that several functions use: a number for each kind
	 * of object (class and size)
	 */
	uint64_t *sums;
	struct hp_unusual_fact facts[HP_UNUSUALS];
	struct hp_error *err;
};

/*
 * Convert @place, the index of an object in the dominator tree, to the number
 * of the object in the graph.
 */
static inline uint32_t
hp_unusual_node(const struct hp_unusual_search *s, uint32_t place)
{
	return ((const uint32_t *)s->t->tree.nodes.at)[place];
}

static inline uint32_t
hp_unusual_kind_at(const struct hp_unusual_search *s, uint32_t place)
{
	return hp_tree_kind(&s->t->tree, place);
}

/*
 * Set the share of a finding to @part / @whole. The finding applies if the
 * share is not 0 and is at least the limit of the finding.
 */
void hp_unusual_share(struct hp_unusual_search *s, enum hp_unusual kind,
		      uint64_t part, uint64_t whole);

/*
 * Set the example of a finding to a copy of @text. Returns false if out of
 * memory.
 */
bool hp_unusual_say(struct hp_unusual_search *s, enum hp_unusual kind,
		    const char *text);

/*
 * Use the name of the class with the largest sum in s->sums as the example of a
 * finding. Returns false if out of memory.
 */
bool hp_unusual_say_kind(struct hp_unusual_search *s, enum hp_unusual kind);

/*
 * Returns the class name of the objects of a kind (class and size), or NULL if
 * out of memory.
 */
const char *hp_unusual_name(struct hp_unusual_search *s, uint32_t kind);

/*
 * Returns the node to which the field @field of an instance refers, or
 * HP_NO_NODE if it is null.
 */
uint32_t hp_unusual_follow(const struct hp_unusual_search *s, uint32_t node,
			   struct hp_graph_field field);

/*
 * For each kind of object (class and size), find the properties of its objects
 * (HP_IS_...). Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_unusual_classes_find(struct hp_unusual_search *s);

HP_MUST_USE enum hp_status hp_unusual_objects_find(struct hp_unusual_search *s);
/* Look for findings about long chains in the buckets of hash tables. */
HP_MUST_USE enum hp_status hp_unusual_chains_find(struct hp_unusual_search *s);
/*
 * Look for findings about classes that several class loaders have loaded, and
 * about classes that were generated at run time.
 */
HP_MUST_USE enum hp_status hp_unusual_names_find(struct hp_unusual_search *s);
/*
 * Set r->loaders: the class loaders that have defined duplicate classes
 * (classes with the same name as a class of another loader), and what keeps
 * each of these loaders alive. @counts: maps the id of a loader to the number
 * of its duplicate classes. Returns HP_OK, HP_LIMIT, HP_NOMEM, HP_IO, or a
 * failure of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_unusual_loaders_find(struct hp_unusual_search *s,
			const struct hp_id_map *counts);
/* Look for findings about the memory of direct buffers outside the heap. */
HP_MUST_USE enum hp_status hp_unusual_buffers_find(struct hp_unusual_search *s);
/*
 * Look for findings about threads that keep much memory alive, and about pools
 * with many threads.
 */
HP_MUST_USE enum hp_status hp_unusual_threads_find(struct hp_unusual_search *s);

#endif
