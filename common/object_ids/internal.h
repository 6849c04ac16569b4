/* internal.h - reserve contiguous memory for the bit sets of a set of ids */
#ifndef HP_OBJECT_IDS_INTERNAL_H
#define HP_OBJECT_IDS_INTERNAL_H

#include "common/object_ids/id_set.h"

/*
 * ----------------------------------------------------------------------
 * The span: a reserved range of memory addresses, in which the leaves (bit sets
 * of 2^20 ids) are in the order of their ids
 *
 * Call these functions with s->lock held. Only hp_id_span_follow() and
 * functions that change nothing do not need the lock.
 */

enum {
	HP_LEAF_BYTES = HP_LEAF_WORDS * 8,
	HP_UNIT_BYTES = 2 << 20, /* size of a huge page in bytes */
	HP_UNIT_LEAVES = HP_UNIT_BYTES / HP_LEAF_BYTES,
};

/*
 * Reserve the span, which is address space for leaves (bit sets). @number is
 * the index of a range of ids. The span has room for the leaf of this range and
 * for the leaves of neighbouring ranges. If this fails, there is no span, and
 * leaves are allocated separately.
 */
void hp_id_span_reserve(struct hp_id_sets *s, uint64_t number);
void hp_id_span_release(struct hp_id_sets *s);
/*
 * Free the memory of all leaves (bit sets) in the span, but keep its address
 * space reserved.
 */
void hp_id_span_empty(struct hp_id_sets *s);

/*
 * @number is the index of a range of ids. Returns whether the leaf (bit set) of
 * this range lies in the span (reserved address space).
 */
static inline bool
hp_id_span_holds(const struct hp_id_sets *s, uint64_t number)
{
	return number - s->span_from < s->span_leaves;
}

/*
 * @number is the index of a range of ids. Returns the address of the leaf (bit
 * set) of this range in the span (reserved address space). @which: 0 for the
 * set `defined`, n + 1 for the set `referenced` of worker n.
 */
static inline uint64_t *
hp_id_span_leaf(const struct hp_id_sets *s, unsigned which, uint64_t number)
{
	uint64_t leaf = which * s->span_leaves + number - s->span_from;

	return (uint64_t *)(void *)(s->span + leaf * HP_LEAF_BYTES);
}

/*
 * @number is the index of a range of ids. Returns whether the leaf (bit set) of
 * this range is in use, and lies in the span (reserved address space).
 */
static inline bool
hp_id_span_uses(const struct hp_id_sets *s, uint64_t number)
{
	return hp_id_span_holds(s, number) &&
	       atomic_load_explicit(&s->span_there[number - s->span_from],
				    memory_order_acquire);
}

/*
 * Let the range of ids @r use the bit sets in the span (reserved address
 * space).
 */
void hp_id_span_use(struct hp_id_sets *s, struct hp_region *r);
/*
 * Ask the kernel to use huge pages for HP_UNIT_LEAVES leaves (bit sets), of
 * which leaf @number is the first. This is only a hint.
 */
void hp_id_span_huge(const struct hp_id_sets *s, uint64_t number);

/*
 * A worker calls this for an id outside its run (the contiguous bit sets that
 * the worker accesses without a lookup). @number: the index of the leaf (bit
 * set) of the id. After many calls, the leaves around leaf @number become the
 * run of the worker.
 */
void hp_id_span_follow(struct hp_id_worker *w, uint64_t number);

#endif
