/*
 * id_table.h - a small number for each of many ids
 *
 * First all ids are collected in a bit set (id_set.h). Then every id has a rank
 * (id_ranks.h), which is the index of its number in an array. A number takes 2,
 * 4 or 8 bytes. The bit set takes little more than one bit for each possible
 * id. If several numbers are stored for an id, the smallest one stays, so the
 * result does not depend on the order.
 */
#ifndef HP_IDS_ID_TABLE_H
#define HP_IDS_ID_TABLE_H

#include "common/ids/id_ranks.h"

struct hp_id_table {
	struct hp_id_sets sets;
	bool ready; /* the sets must be released */
	struct hp_id_ranks ranks;
	unsigned width; /* bytes of a number: 2, 4 or 8 */
	void *numbers;	/* by rank: number + 1, or 0 for no number */
};

/**
 * hp_id_table_init() - make an empty table
 * @shift:  log2 of the alignment of most ids
 * @bytes:  size of the input; the memory for leaves is in proportion to it
 * @memory: limit of bytes for the finished table
 * @share:  number of tables that share the memory for an input of @bytes
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_id_table_release() in any case.
 */
HP_MUST_USE enum hp_status hp_id_table_init(struct hp_id_table *t,
					    unsigned shift, uint64_t bytes,
					    uint64_t memory, uint64_t share,
					    struct hp_error *err);
void hp_id_table_release(struct hp_id_table *t);

/* Add an id. Only one thread may call this. */
static inline void
hp_id_table_note(struct hp_id_table *t, uint64_t id)
{
	hp_id_define(&t->sets.worker[0], id);
}

/**
 * hp_id_table_settle() - prepare for numbers, after all ids have been added
 * @most: the largest number that will be stored
 *
 * Returns: HP_OK; HP_LIMIT: there are too many ids for the memory; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_id_table_settle(struct hp_id_table *t, uint64_t most, struct hp_error *err);

/*
 * Store a number for an id, unless the id has a smaller one. Ignores ids that
 * were not added. Any thread may call it. Returns true if the id already had a
 * number; so, of all calls for the same id, exactly one returns false.
 */
bool hp_id_table_put(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/*
 * Replace the number of an id, even by a larger one. Only one thread may call
 * this, after all calls of hp_id_table_put().
 */
void hp_id_table_set(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/*
 * Returns 1 + the number of an id, or 0 if it has none. Any thread may call it,
 * after all calls of hp_id_table_put().
 */
uint64_t hp_id_table_get(const struct hp_id_table *t, struct hp_rank_near *near,
			 uint64_t id);

/*
 * Whether the id was added. Any thread may call it, after hp_id_table_settle().
 */
static inline bool
hp_id_table_has(const struct hp_id_table *t, struct hp_rank_near *near,
		uint64_t id)
{
	return hp_id_rank(&t->ranks, near, id) != HP_NO_RANK;
}

/* Prefetch the data that hp_id_table_get() reads first. */
void hp_id_table_prefetch(const struct hp_id_table *t,
			  struct hp_rank_near *near, uint64_t id);

/* Bytes of the table, after hp_id_table_settle(). */
uint64_t hp_id_table_bytes(const struct hp_id_table *t);

#endif
