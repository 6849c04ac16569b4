/*
 * id_set_internal.h - what the files of the id sets share
 */
#ifndef HP_MODEL_ID_SET_INTERNAL_H
#define HP_MODEL_ID_SET_INTERNAL_H

#include "common/model/id_set.h"

/*
 * A stretch that is met more often is worth leaves of its own. Where only the
 * input's size limits them, it has to be met as often as to take an eighth of
 * a leaf in the input, lest a crafted one get much for little; until the hash
 * sets get large.
 */
enum { HP_SPARSE = 256, HP_SPARSE_FREE = 2048 };

enum {
	HP_LEAF_BYTES = HP_LEAF_WORDS * 8,
	HP_UNIT_BYTES = 2 << 20, /* a huge page */
	HP_UNIT_LEAVES = HP_UNIT_BYTES / HP_LEAF_BYTES,
};

struct hp_region {
	uint64_t number;
	_Atomic uint64_t *defined; /* NULL: none */
	uint64_t *referenced[];	   /* by worker; NULL: none */
};

static inline struct hp_region *
hp_region_get(const struct hp_id_sets *s, uint64_t number)
{
	return hp_id_map_pointer(&s->directory, number);
}

/* Bytes of all leaves that a region may come to have. */
static inline uint64_t
hp_region_bytes(const struct hp_id_sets *s)
{
	return (uint64_t)(s->referrers + 1) * HP_LEAF_WORDS * 8;
}

/*
 * Leaves side by side (id_span.c); with the lock held, but for the last.
 */

/* Reserve the span around leaf @number; may fail, then there is none. */
void hp_id_span_reserve(struct hp_id_sets *s, uint64_t number);
void hp_id_span_release(struct hp_id_sets *s);
/* All leaves are given back; the span stays. */
void hp_id_span_empty(struct hp_id_sets *s);

/* Has the leaf a place in the span? */
static inline bool
hp_id_span_holds(const struct hp_id_sets *s, uint64_t number)
{
	return number - s->span_from < s->span_leaves;
}

/* The leaf's place for a set; 0: defined, from 1 the workers'. */
static inline uint64_t *
hp_id_span_leaf(const struct hp_id_sets *s, unsigned which, uint64_t number)
{
	uint64_t leaf = which * s->span_leaves + number - s->span_from;

	return (uint64_t *)(void *)(s->span + leaf * HP_LEAF_BYTES);
}

/* Is the leaf one of those in the span that are in use? */
static inline bool
hp_id_span_uses(const struct hp_id_sets *s, uint64_t number)
{
	return hp_id_span_holds(s, number) &&
	       atomic_load_explicit(&s->span_there[number - s->span_from],
				    memory_order_acquire);
}

/* The region's leaves are those in the span. */
void hp_id_span_use(struct hp_id_sets *s, struct hp_region *r);
/* The unit that begins with leaf @number may have huge pages: a hint. */
void hp_id_span_huge(const struct hp_id_sets *s, uint64_t number);

/*
 * A worker met an id of leaf @number, which is not in its run: take the run
 * around that one, if such ids are many.
 */
void hp_id_span_follow(struct hp_id_worker *w, uint64_t number);

/* Give all leaves and hash sets back; the workers know nothing any more. */
void hp_id_sets_empty(struct hp_id_sets *s);

#endif
