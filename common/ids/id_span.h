/*
 * id_span.h - leaves side by side, with the lock held, but for following a
 * worker
 */
#ifndef HP_IDS_ID_SPAN_H
#define HP_IDS_ID_SPAN_H

#include "common/ids/id_leaves.h"

enum {
	HP_LEAF_BYTES = HP_LEAF_WORDS * 8,
	HP_UNIT_BYTES = 2 << 20, /* a huge page */
	HP_UNIT_LEAVES = HP_UNIT_BYTES / HP_LEAF_BYTES,
};

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

#endif
