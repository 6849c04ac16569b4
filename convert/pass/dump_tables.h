/*
 * dump_tables.h - a table of objects (common/ids/id_table.h) for each dump that
 * has classes
 */
#ifndef HP_CONVERT_PASS_DUMP_TABLES_H
#define HP_CONVERT_PASS_DUMP_TABLES_H

#include "common/ids/id_table.h"
#include "convert/pass/class_prepass.h"

#include <pthread.h>

struct hp_dump_tables {
	const struct hp_prepass *prepass;
	/*
	 * one table for each entry of prepass->dumps, in that order; NULL: no
	 * tables
	 */
	struct hp_id_table *list;
	/*
	 * there are no tables, because the file has too many dumps for its size
	 */
	bool crowded;
};

/**
 * hp_dump_tables_init() - create an empty table for each dump with classes
 * @t: zeroed
 * @prepass: finished, with tables; borrowed
 * @src: the input, whose size limits the memory
 * @memory: limit for the memory of all tables, in bytes. Threads share the
 *          tables, so whether the tables fit does not depend on the number of
 *          threads.
 * @what: what needs the tables; the text of a failure begins with it
 *
 * Returns: HP_OK; HP_LIMIT: too many dumps for the memory; HP_NOMEM. Release @t
 *          in any case.
 */
HP_MUST_USE enum hp_status
hp_dump_tables_init(struct hp_dump_tables *t, const struct hp_prepass *prepass,
		    const struct hp_source *src, uint64_t memory,
		    const char *what, struct hp_error *err);
void hp_dump_tables_release(struct hp_dump_tables *t);

/*
 * Call this after the last id was added, and before values are stored. Returns
 * as hp_id_table_settle().
 */
HP_MUST_USE enum hp_status hp_dump_tables_settle(struct hp_dump_tables *t,
						 uint64_t most,
						 struct hp_error *err);

/*
 * A thread collects this number of ids before it takes the lock and adds them.
 */
enum { HP_DUMP_TABLE_IDS = 512 };

/*
 * The access of one thread to the table of the dump that it currently reads.
 * Zeroed at first.
 */
struct hp_dump_table {
	/* number of the dump; 0: none selected yet */
	unsigned dump;
	size_t place; /* index of the dump in prepass->dumps */
	/* table of the selected dump; NULL: it has none */
	struct hp_id_table *table;
	struct hp_rank_near near;
	/* number of ids in @ids that were not added to the table yet */
	size_t count;
	uint64_t ids[HP_DUMP_TABLE_IDS];
};

/* The slow case of hp_dump_table_select(): switch to another dump. */
void hp_dump_table_change(struct hp_dump_table *at,
			  const struct hp_dump_tables *t, unsigned dump);

/* Select the dump number @dump, whose ids the following calls mean. */
static inline void
hp_dump_table_select(struct hp_dump_table *at, const struct hp_dump_tables *t,
		     unsigned dump)
{
	if (HP_UNLIKELY(at->dump != dump))
		hp_dump_table_change(at, t, dump);
}

/*
 * Add the collected ids to the table. Call this at the end of each batch. Takes
 * @lock, which must be the same for all threads.
 */
void hp_dump_table_flush(struct hp_dump_table *at, pthread_mutex_t *lock);

/* Collect @id as an object of the selected dump, which must have a table. */
static inline void
hp_dump_table_note(struct hp_dump_table *at, uint64_t id, pthread_mutex_t *lock)
{
	at->ids[at->count++] = id;
	if (HP_UNLIKELY(at->count == HP_DUMP_TABLE_IDS))
		hp_dump_table_flush(at, lock);
}

#endif
