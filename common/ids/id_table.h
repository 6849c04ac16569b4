/*
 * id_table.h - a small number for each of many ids
 *
 * Which ids there are is gathered first, as a bit set (see
 * id_set.h); then every id has a rank in it (id_ranks.h), and its number stands
 * at that place of one array: 2, 4 or 8 bytes an id, and little more than a bit
 * for each place where one could be. Of several numbers for an id the least
 * stays, so results do not depend on the order.
 */
#ifndef HP_IDS_ID_TABLE_H
#define HP_IDS_ID_TABLE_H

#include "common/ids/id_ranks.h"

struct hp_id_table {
	struct hp_id_sets sets;
	bool ready; /* the sets are to be released */
	struct hp_id_ranks ranks;
	unsigned width; /* bytes of a number */
	void *numbers;	/* by rank: number + 1, or 0 */
};

/**
 * hp_id_table_init() - no ids yet
 * @shift:  log2 of the alignment of most ids
 * @bytes:  of the input, by which memory is explained
 * @memory: that the table may take in the end
 * @share:  the tables of so many dumps take what @bytes explain
 *
 * Returns: HP_OK; HP_NOMEM. Release it in any case.
 */
HP_MUST_USE enum hp_status hp_id_table_init(struct hp_id_table *t,
					    unsigned shift, uint64_t bytes,
					    uint64_t memory, uint64_t share,
					    struct hp_error *err);
void hp_id_table_release(struct hp_id_table *t);

/* There is this id. One thread at a time. */
static inline void
hp_id_table_note(struct hp_id_table *t, uint64_t id)
{
	hp_id_define(&t->sets.worker[0], id);
}

/**
 * hp_id_table_settle() - all ids are noted: numbers may be put
 * @most: the highest number that will be
 *
 * Returns: HP_OK; HP_LIMIT: the ids are too many for the memory; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_id_table_settle(struct hp_id_table *t, uint64_t most, struct hp_error *err);

/*
 * A number for an id; nothing if the id was not noted. Any thread. True: it had
 * one already: of all puts of an id each but one says so.
 */
bool hp_id_table_put(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/* The same in place of any other. One thread at a time, after all puts. */
void hp_id_table_set(struct hp_id_table *t, struct hp_rank_near *near,
		     uint64_t id, uint64_t number);

/* An id's number + 1; 0 if there is none. Any thread, after all puts. */
uint64_t hp_id_table_get(const struct hp_id_table *t, struct hp_rank_near *near,
			 uint64_t id);

/* Was the id noted? Any thread, once settled. */
static inline bool
hp_id_table_has(const struct hp_id_table *t, struct hp_rank_near *near,
		uint64_t id)
{
	return hp_id_rank(&t->ranks, near, id) != HP_NO_RANK;
}

/* Fetch what hp_id_table_get() will look at first. */
void hp_id_table_prefetch(const struct hp_id_table *t,
			  struct hp_rank_near *near, uint64_t id);

/* Bytes that it takes, once settled. */
uint64_t hp_id_table_bytes(const struct hp_id_table *t);

#endif
