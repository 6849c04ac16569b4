/*
 * kinds.h - a table of kinds: properties that many objects have in common
 *
 * A kind is a set of objects with equal class and shallow size, and on request
 * also equal allocation trace and Android heap. A dump with many million
 * objects has a few thousand kinds, so each object needs only 4 bytes for all
 * these properties. The number of a kind depends on which thread saw it first,
 * so results must not depend on these numbers.
 */
#ifndef HP_GRAPH_KINDS_H
#define HP_GRAPH_KINDS_H

#include "common/base/status.h"

#include <pthread.h>

enum hp_node_is {
	HP_NODE_NOTHING, /* kind 0: no object */
	HP_NODE_INSTANCE,
	HP_NODE_OBJECT_ARRAY,
	HP_NODE_PRIMITIVE_ARRAY, /* class_id is the code of the element type */
	HP_NODE_CLASS,		 /* class_id is the id of this class */
};

/* Kinds are hashed and compared as bytes, so there is no padding. */
struct hp_node_kind {
	uint64_t class_id;
	uint64_t bytes;	      /* shallow size of one object */
	uint32_t trace, heap; /* 0 if kinds do not distinguish them */
	/*
	 * The node of the class, to which each of the objects refers.
	 * HP_NO_NODE: none.
	 */
	uint32_t class_node;
	uint32_t of; /* enum hp_node_is */
};

struct hp_node_kinds {
	pthread_mutex_t lock;
	struct hp_node_kind *list; /* by number; item 0 is not used */
	uint32_t count;		   /* number of kinds, including kind 0 */
	size_t cap;
	uint32_t *slots; /* hash table of numbers; 0: a free slot */
	size_t slot_cap; /* a power of two */
	uint64_t seed;
};

/* A cache of kinds for one worker. Must be zeroed at first. */
enum { HP_NODE_KINDS_NEAR = 4096 };
struct hp_node_kinds_near {
	struct {
		struct hp_node_kind kind;
		uint32_t number;
	} slots[HP_NODE_KINDS_NEAR];
};

HP_MUST_USE enum hp_status hp_node_kinds_init(struct hp_node_kinds *k,
					      struct hp_error *err);
void hp_node_kinds_release(struct hp_node_kinds *k);

/*
 * Returns the number of a kind, and adds it if it is new. Returns 0 if out of
 * memory. Thread-safe.
 */
uint32_t hp_node_kinds_number(struct hp_node_kinds *k,
			      struct hp_node_kinds_near *near,
			      const struct hp_node_kind *kind);

/*
 * Returns the bytes of the tables, and @more bytes for each kind. Once the
 * table is half full, the result includes the next, larger table. Thread-safe.
 */
uint64_t hp_node_kinds_bytes(struct hp_node_kinds *k, uint64_t more);

#endif
