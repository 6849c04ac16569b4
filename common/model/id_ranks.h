/*
 * id_ranks.h - the ids that a dump defines, numbered from 0 without a gap, so
 * that what is known of an object can stand in an array
 *
 * Made of finished sets that hold the whole dump; the sets must stay as they
 * are. Which id has which number is not the same in every run.
 */
#ifndef HP_MODEL_ID_RANKS_H
#define HP_MODEL_ID_RANKS_H

#include "common/model/id_set.h"

enum { HP_RANK_NEAR = 64, HP_RANK_BLOCK = 64 };

struct hp_rank_leaf;

struct hp_id_ranks {
	unsigned shift;
	struct hp_rank_leaf *leaves;
	size_t nleaves;
	struct hp_id_map leaf_at; /* number of a stretch to index in leaves */
	struct hp_id_map odd;	  /* ids of the hash sets to their numbers */
	uint32_t count;
};

/* What one thread remembers of leaves; zeroed at first. */
struct hp_rank_near {
	const struct hp_rank_leaf *leaves[HP_RANK_NEAR];
};

/* As the number of an id that nothing has. */
#define HP_NO_RANK UINT32_MAX

/**
 * hp_id_ranks_init() - number the ids
 * @s: finished, neither partial nor crowded
 *
 * Memory:  a sixteenth of the set of defined ids
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT: 2^32 ids or more.
 */
HP_MUST_USE enum hp_status hp_id_ranks_init(struct hp_id_ranks *k,
					    const struct hp_id_sets *s,
					    struct hp_error *err);
void hp_id_ranks_release(struct hp_id_ranks *k);

/* The number of an id, by any thread; HP_NO_RANK: not defined. */
uint32_t hp_id_rank(const struct hp_id_ranks *k, struct hp_rank_near *near,
		    uint64_t id);

/* The numbers of @n ids, which are fetched side by side; n <= HP_RANK_BLOCK. */
void hp_id_rank_all(const struct hp_id_ranks *k, struct hp_rank_near *near,
		    const uint64_t *ids, size_t n, uint32_t *ranks);

uint64_t hp_id_ranks_bytes(const struct hp_id_ranks *k);

#endif
