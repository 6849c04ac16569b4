/*
 * internal.h - the passes over a dump that count references for --by=holder
 */
#ifndef HP_DIFF_HOLDERS_INTERNAL_H
#define HP_DIFF_HOLDERS_INTERNAL_H

#include "common/graph/big_array.h"
#include "common/graph/graph.h"
#include "common/graph/kind_finder.h"
#include "common/object_ids/id_map.h"
#include "common/object_ids/id_ranks.h"
#include "diff/holders/edge_kinds.h"
#include "diff/keys/keys.h"

#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * Overflow of the 4-bit reference counters, for one thread
 *
 * hp_edge_counts has a counter of half a byte for each pair of an object and a
 * kind of reference. When such a counter overflows, the thread records the
 * overflow here. Usually few counters overflow, but in some dumps millions do.
 * So each kind of reference with an overflow has a hash table of 8-byte slots,
 * which doubles as it fills.
 */

/*
 * A slot of a hash table of overflowed counters: an object, and how often its
 * counter overflowed. If the member `times` is 0, the slot is free.
 */
struct hp_edge_carry {
	uint32_t node, times;
};

/*
 * For one kind of reference: the objects whose counters overflowed, in a hash
 * table by object.
 */
struct hp_edge_carry_table {
	uint32_t edge;
	/*
	 * cap: number of slots of the hash table (0 or a power of two). count:
	 * number of used slots.
	 */
	uint32_t cap, count;
	struct hp_edge_carry *slots;
};

/*
 * The overflowed counters of one thread: a hash table for each kind of
 * reference. A zeroed struct is empty.
 */
struct hp_edge_carries {
	struct hp_edge_carry_table *list;
	size_t count, cap;
	/*
	 * maps a kind of reference to 1 + the index of its hash table in `list`
	 */
	struct hp_id_map by_edge;
	/* index in `list` of the hash table that was used last */
	size_t last;
	/* number of bytes of memory for the slots of all hash tables */
	uint64_t bytes;
	uint64_t seed;
};

void hp_edge_carries_release(struct hp_edge_carries *c);

/*
 * Record one more overflow of the counter for references of kind @edge to the
 * object @node. Returns false if out of memory.
 */
HP_MUST_USE bool hp_edge_carries_add(struct hp_edge_carries *c, uint32_t edge,
				     uint32_t node);

/*
 * ----------------------------------------------------------------------
 * Count how many references of each kind refer to each object, in several
 * threads
 *
 * The maximum number of references of a kind is known in advance, so all memory
 * is allocated at once. A kind with few references has a hash table; a kind
 * with many has a 4-bit counter for each object. Kinds for which there is not
 * enough memory are counted in a later pass over the dump.
 *
 * Objects are numbered, and two consecutive objects share a byte of counters.
 * So the objects are divided into ranges ("stretches"), and only one thread at
 * a time counts the references to the objects of a stretch.
 */

enum {
	/*
	 * maximum number of objects that one call of hp_edge_count_next()
	 * returns
	 */
	HP_EDGE_COUNT_NODES = 256,
	/* one overflow of a 4-bit counter means this many references */
	HP_EDGE_CARRY = 15,
	/* maximum number of stretches (ranges of objects) */
	HP_EDGE_STRETCHES = 513,
};

/*
 * Objects are divided into ranges ("stretches"), each with a lock of its own.
 * The index of an object's counter is the number of the object plus the `gap`
 * of its range, so that the counters of each range start at a new word of 8
 * bytes. Initially zeroed.
 */
struct hp_edge_stretches {
	struct {
		/*
		 * number of the first object of the stretch (range of objects)
		 */
		uint32_t first;
		uint32_t gap;
	} list[HP_EDGE_STRETCHES];
	uint32_t count;
	/*
	 * number of counters of a kind of reference, including unused counters
	 * between the ranges
	 */
	uint64_t places;
};

/*
 * A slot of the hash table of one kind of reference: an object, and the number
 * of references to it. The table has at least as many slots as there are
 * references of this kind, so a 32-bit count does not overflow.
 */
struct hp_edge_slot {
	/* 1 + the number of the object; 0: the slot is free */
	_Atomic uint32_t node;
	uint32_t count;
};

struct hp_edge_count {
	/*
	 * offset in bytes in hp_edge_counts.counts, where the counters of this
	 * kind of reference begin
	 */
	uint64_t at;
	/*
	 * number of slots of the hash table for this kind of reference; 0: the
	 * kind has a 4-bit counter for each object instead
	 */
	uint32_t cap;
};

struct hp_edge_counts {
	const struct hp_edge_stretches *stretches;
	uint64_t seed;
	/*
	 * one entry for each kind of reference with an index from `from` to
	 * `end` - 1
	 */
	struct hp_edge_count *list;
	struct hp_big_memory memory;
	struct hp_big_array counts;
	/*
	 * number of bytes of the counters of all kinds of references in `list`
	 */
	uint64_t bytes;
	uint32_t from, end;
};

/**
 * hp_edge_stretches_add() - append a stretch (range of objects) to the list
 *
 * @first: number of the first object of the stretch; 0 for the first stretch
 * @end: number after the last object of the stretch; the next stretch starts
 *   with this number
 */
void hp_edge_stretches_add(struct hp_edge_stretches *s, uint32_t first,
			   uint32_t end);

/**
 * hp_edge_counts_bytes() - how many bytes the counters of one kind of reference
 * need
 *
 * @s: all stretches (ranges of objects)
 * @most: maximum number of references of the kind
 */
uint64_t hp_edge_counts_bytes(const struct hp_edge_stretches *s, uint64_t most);

/**
 * hp_edge_counts_begin() - allocate zeroed counters for the kinds of references
 * with the numbers in [@from, @end)
 *
 * @s: the ranges into which the objects are divided; borrowed
 * @most: a function that returns the maximum number of references of a kind;
 *   @context is passed to it
 *
 * Returns: HP_OK; HP_NOMEM. Call hp_edge_counts_release(), also after a
 * failure.
 */
HP_MUST_USE enum hp_status
hp_edge_counts_begin(struct hp_edge_counts *c,
		     const struct hp_edge_stretches *s, uint32_t from,
		     uint32_t end, uint64_t (*most)(const void *, uint32_t),
		     const void *context, struct hp_error *err);
void hp_edge_counts_release(struct hp_edge_counts *c);

/*
 * Returns the slot of the hash table at which the search for an object begins.
 */
static inline uint32_t
hp_edge_count_place(const struct hp_edge_counts *c,
		    const struct hp_edge_count *kind, uint32_t node)
{
	uint64_t mixed = (node ^ c->seed) * UINT64_C(0x9E3779B97F4A7C15);

	mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t)((mixed >> 32) * kind->cap >> 32);
}

/*
 * Find and prefetch the byte that contains the counter of an object. The index
 * of the counter is @node + @gap (see struct hp_edge_stretches). If the
 * counters of this kind of reference are in a hash table, prefetch the slot and
 * return NULL.
 */
HP_HOT uint8_t *
hp_edge_count_fetch(const struct hp_edge_counts *c, uint32_t kind,
		    uint32_t node, uint32_t gap)
{
	const struct hp_edge_count *k = &c->list[kind - c->from];
	uint8_t *counts = (uint8_t *)c->counts.at + k->at;

	if (k->cap) {
		__builtin_prefetch((struct hp_edge_slot *)(void *)counts +
					   hp_edge_count_place(c, k, node),
				   1);
		return NULL;
	}
	counts += (node + gap) / 2;
	__builtin_prefetch(counts, 1);
	return counts;
}

/*
 * Count a reference to the object @node. The counters of this kind of reference
 * are in a hash table.
 */
void hp_edge_count_add_hashed(struct hp_edge_counts *c, uint32_t kind,
			      uint32_t node);

/*
 * Count a reference of @kind to the object @node. @gap: is added to @node to
 * get the index of the counter. @byte: the result of hp_edge_count_fetch().
 * Only one thread at a time may count in a stretch (range of objects).
 *
 * Returns: true if the counter overflowed. Then the caller must record
 * HP_EDGE_CARRY references to this object, because the counter no longer
 * contains them.
 */
static inline bool
hp_edge_count_add(struct hp_edge_counts *c, uint32_t kind, uint32_t node,
		  uint32_t gap, uint8_t *byte)
{
	unsigned shift = ((node + gap) & 1) * 4;

	if (HP_UNLIKELY(!byte)) {
		hp_edge_count_add_hashed(c, kind, node);
		return false;
	}
	if (HP_LIKELY((*byte >> shift & 15) != HP_EDGE_CARRY)) {
		*byte = (uint8_t)(*byte + (1 << shift));
		return false;
	}
	*byte = (uint8_t)(*byte - ((HP_EDGE_CARRY - 1) << shift));
	return true;
}

/*
 * A position in the counters of one kind of reference, for
 * hp_edge_count_next(). Initially zeroed.
 */
struct hp_edge_walk {
	uint64_t at;
	uint32_t stretch;
};

/**
 * hp_edge_count_next() - read the next counters of one kind of reference that
 * are not 0, after all threads have counted
 *
 * @nodes: receives at most HP_EDGE_COUNT_NODES numbers of objects, so that the
 *   caller can prefetch data for many objects at once; objects in a hash table
 *   are unordered
 * @counts: receives for each object the number of references, at least 1
 *
 * Returns: the number of objects; 0 at the end.
 */
uint32_t hp_edge_count_next(const struct hp_edge_counts *c, uint32_t kind,
			    struct hp_edge_walk *walk, uint32_t nodes[],
			    uint32_t counts[]);

/* ----------------------------------------------------------------------
 * The shared state of the passes for --by=holder, and that of each thread
 */

enum {
	/* the minimum number of objects for each thread */
	HP_HOLDER_NODES_A_THREAD = 1 << 15,
};

/* A reference of kind @edge, from a class or a root, to the object @node. */
struct hp_holder_pair {
	uint32_t edge, node;
};

/*
 * The references of the kind `edge` to objects of the kind `kind` (class and
 * size). references: number of these references. objects: number of the objects
 * to which they refer; each object counts once.
 */
struct hp_holder_count {
	uint32_t edge, kind;
	uint64_t objects, references;
};

/*
 * The index in node_locks of the lock for objects that belong to no bucket
 * (range of addresses).
 */
enum { HP_HOLDER_APART = HP_ID_BUCKETS };

struct hp_holder_pass {
	struct hp_histogram *g;
	const struct hp_diff_options *o;
	const struct hp_size_model *layout;
	struct hp_edge_kinds edges;
	/*
	 * number of kinds of references that have counters: those from fields
	 * and array elements
	 */
	uint32_t ncounts;
	/* the counters of the kinds of references that this pass counts */
	struct hp_edge_counts edge_counts;
	/*
	 * the ranges of objects: one for each bucket (range of addresses), and
	 * one for the objects that belong to no bucket
	 */
	struct hp_edge_stretches stretches;
	struct hp_big_memory memory;
	struct hp_nodes nodes;
	struct hp_node_kinds kinds;
	/*
	 * for each object, by its number: the number of its kind (class and
	 * size) as uint32_t; 0: the object was not read yet
	 */
	struct hp_big_array kind_of;
	struct hp_unfollowed unfollowed;
	struct hp_holder_worker *workers;
	/*
	 * for each tag of a root sub-record, for example JNI global: the kind
	 * of reference that --by=root shows for such roots
	 */
	uint32_t root_edges[256];
	/*
	 * elements: struct hp_holder_pair, the references from classes and
	 * roots, sorted
	 */
	struct hp_vec pairs;
	/*
	 * elements: struct hp_holder_count for the references from fields and
	 * array elements; sorted by kind of reference
	 */
	struct hp_vec counts;
	/*
	 * At the end of a pass, the threads count the references that still
	 * wait in buckets (one for each range of addresses). Each thread takes
	 * one bucket at a time. This is the next bucket to take.
	 */
	_Atomic uint32_t looked_up;
	/*
	 * At the end of a pass, the threads add up the counters of each kind of
	 * reference. Each thread takes one kind at a time. This is the next
	 * kind to take.
	 */
	_Atomic uint32_t counted;
	/*
	 * At the end of the first pass, the threads count the objects of each
	 * kind (class and size). Each thread takes a range of objects at a
	 * time. This is the first object of the next range.
	 */
	_Atomic uint64_t listed;
	/*
	 * for each kind of object (class and size): the number of its objects;
	 * set by the first pass
	 */
	uint64_t *objects;
	/*
	 * maximum number of bytes for the counters of a pass; 0: as many as the
	 * memory limit allows
	 */
	uint64_t most;
	/*
	 * one lock for the objects of each bucket (range of addresses), and one
	 * lock for objects that belong to no bucket
	 */
	pthread_mutex_t node_locks[HP_ID_BUCKETS + 1];
};

struct hp_holder_worker {
	struct hp_holder_pass *pass;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_kind_finder kinds;
	/*
	 * references that this thread has read and not counted yet, each with
	 * its kind
	 */
	struct hp_id_buckets buckets;
	struct hp_edge_carries carried;
	/*
	 * elements: struct hp_holder_pair, the references from roots that this
	 * thread has read
	 */
	struct hp_vec pairs;
	/*
	 * the class of the last array that this thread has read, and the kind
	 * of the references in its elements
	 */
	uint64_t array_class;
	uint32_t array_edge;
	bool no_memory;
};

/*
 * Whether this run needs only references from roots (--by=root). In this case,
 * the fields of instances and the elements of arrays are not read.
 */
static inline bool
hp_holder_roots_only(const struct hp_holder_pass *p)
{
	return hp_key_is(p->o->by, HP_KEY_ROOTS_ONLY);
}

/*
 * Whether this is the first pass over the dump, in which the kind (class and
 * size) of each object is stored.
 */
static inline bool
hp_holder_notes_kinds(const struct hp_holder_pass *p)
{
	return p->edge_counts.from == 0;
}

/* ----------------------------------------------------------------------
 * Read the objects of a batch and count their references
 */

/*
 * Callbacks for a further pass over the dump; struct hp_extra_pass describes
 * them.
 */
bool hp_holder_instances(void *ctx, unsigned worker, struct hp_heap_iter *at);
bool hp_holder_sub(void *ctx, unsigned worker, const struct hp_sub *s,
		   const struct hp_piece *piece);

/*
 * The function of a thread that counts the references that are still in buckets
 * (lists of waiting references) at the end of a pass. @worker is a struct
 * hp_holder_worker. Set p->looked_up to 0 before starting the threads.
 */
void *hp_holder_look_up_rest(void *worker);

/*
 * If the dump has an object with the id @id, append to @to a reference of kind
 * @edge to this object. Returns false if out of memory.
 */
bool hp_holder_pair_add(struct hp_holder_pass *p, struct hp_vec *to,
			struct hp_rank_near *near, uint32_t edge, uint64_t id);

/* ----------------------------------------------------------------------
 * Add up the counters of a pass by kind (class and size) of object
 */

/*
 * Add up the counters of a pass, for each combination of a kind of reference
 * and a kind of object. Appends the sums to p->counts. Returns HP_OK, HP_LIMIT
 * or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_holder_counts_find(struct hp_holder_pass *p,
						 struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * The passes over a dump that count references for --by=holder
 *
 * A pass counts, for each kind of reference, how many references of this kind
 * refer to each object. Objects are numbered, see common/graph/graph.h. The
 * first pass also stores the kind (class and size) of each object, as a number
 * of 4 bytes.
 */

/**
 * hp_holder_pass_begin() - give each object of the dump a number
 *
 * @p: the caller sets the members g, o and layout, and zeroes the others
 * @src: the dump; must be rewindable, and is read from its first byte
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 * Ownership: call hp_holder_pass_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_holder_pass_begin(struct hp_holder_pass *p,
						struct hp_keys *keys,
						struct hp_source *src,
						struct hp_error *err);

/**
 * hp_holder_pass_next() - read the dump once, and count references
 *
 * Counts the references of as many kinds as fit in --memory, and adds the
 * numbers to p->counts. Call this function until it returns HP_EOF. The first
 * call also sets p->kinds, p->objects and p->pairs.
 *
 * Returns: HP_OK; HP_EOF if all kinds of references are counted; the failures
 * of hp_holder_pass_begin().
 */
HP_MUST_USE enum hp_status hp_holder_pass_next(struct hp_holder_pass *p,
					       struct hp_source *src,
					       struct hp_error *err);
void hp_holder_pass_release(struct hp_holder_pass *p);

#endif
