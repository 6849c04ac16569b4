/*
 * id_set_inner.h - what id_set.c and id_windows.c share
 */
#ifndef HP_MODEL_ID_SET_INNER_H
#define HP_MODEL_ID_SET_INNER_H

#include "common/model/id_set.h"

/*
 * A stretch that is met more often is worth leaves of its own. Where only the
 * input's size limits them, it has to be met as often as to take an eighth of
 * a leaf in the input, lest a crafted one get much for little.
 */
enum { HP_SPARSE = 256, HP_SPARSE_FREE = 2048 };

struct hp_region {
	uint64_t number;
	_Atomic uint64_t *defined; /* NULL: none */
	uint64_t *referenced[];	   /* by worker; [0] holds all in the end */
};

static inline struct hp_region *
hp_region_get(const struct hp_id_sets *s, uint64_t number)
{
	const uint64_t *p = hp_id_map_get(&s->directory, number);

	return p ? (struct hp_region *)(uintptr_t)*p : NULL;
}

/* Bytes of all leaves that a region may come to have. */
static inline uint64_t
hp_region_bytes(const struct hp_id_sets *s)
{
	return (uint64_t)(s->workers + 1) * HP_LEAF_WORDS * 8;
}

/* Give all leaves and hash sets back; the workers know nothing any more. */
void hp_id_sets_empty(struct hp_id_sets *s);

#endif
