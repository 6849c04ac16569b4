/*
 * kinds.h - what objects are, told once for all that are alike
 *
 * A kind is what objects are told apart by: class, shallow size, and where
 * asked the allocation trace and the Android heap. A dump of many million
 * objects has some thousand kinds, so that 4 bytes say all of it. Which number
 * a kind has depends on which thread met it first: results must not.
 */
#ifndef HP_GRAPH_KINDS_H
#define HP_GRAPH_KINDS_H

#include "common/base/status.h"

#include <pthread.h>

enum hp_node_is {
	HP_NODE_NOTHING, /* kind 0: not met */
	HP_NODE_INSTANCE,
	HP_NODE_OBJECT_ARRAY,
	HP_NODE_PRIMITIVE_ARRAY, /* class_id is the type's code */
	HP_NODE_CLASS,		 /* class_id is its own */
};

/* All bytes count: no padding. */
struct hp_node_kind {
	uint64_t class_id;
	uint64_t bytes;	      /* shallow, of one object */
	uint32_t trace, heap; /* 0 where they are not told apart */
	uint32_t class_node;  /* the class as a node, which each of the objects
				 refers to; HP_NO_NODE: none */
	uint32_t of;	      /* enum hp_node_is */
};

struct hp_node_kinds {
	pthread_mutex_t lock;
	struct hp_node_kind *list; /* from 1 */
	uint32_t count;		   /* with kind 0 */
	size_t cap;
	uint32_t *slots; /* 0: free */
	size_t slot_cap; /* a power of two */
	uint64_t seed;
};

/* Kinds that a worker met lately; zeroed at first. */
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

/* The number of a kind, by any worker; 0: out of memory. */
uint32_t hp_node_kinds_number(struct hp_node_kinds *k,
			      struct hp_node_kinds_near *near,
			      const struct hp_node_kind *kind);

/*
 * Bytes taken from the system, and those of the next table once that is near;
 * @more of the caller's for each kind. By any worker.
 */
uint64_t hp_node_kinds_bytes(struct hp_node_kinds *k, uint64_t more);

#endif
