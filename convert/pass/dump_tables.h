/*
 * dump_tables.h - a table by ids (common/ids/id_table.h) for each dump that
 * has classes
 */
#ifndef HP_CONVERT_PASS_DUMP_TABLES_H
#define HP_CONVERT_PASS_DUMP_TABLES_H

#include "common/ids/id_table.h"
#include "convert/pass/class_prepass.h"

#include <pthread.h>

struct hp_dump_tables {
	const struct hp_prepass *prepass;
	struct hp_id_table *list; /* as the prepass's dumps; NULL: none */
	bool crowded; /* there is none: too many dumps for the file's size */
};

/**
 * hp_dump_tables_init() - no ids yet
 * @t:       zeroed
 * @prepass: done, with tables; borrowed
 * @src:     by whose size memory is explained
 * @memory:  that all of them may take; whether it does is not for the number of
 *           threads to decide, so none has a part of a table for itself
 * @what:    needs them, for the text of a failure
 *
 * Returns: HP_OK; HP_LIMIT: too many dumps for the memory; HP_NOMEM. Release
 *          them in any case.
 */
HP_MUST_USE enum hp_status
hp_dump_tables_init(struct hp_dump_tables *t, const struct hp_prepass *prepass,
		    const struct hp_source *src, uint64_t memory,
		    const char *what, struct hp_error *err);
void hp_dump_tables_release(struct hp_dump_tables *t);

/* All ids are noted; as hp_id_table_settle(). */
HP_MUST_USE enum hp_status hp_dump_tables_settle(struct hp_dump_tables *t,
						 uint64_t most,
						 struct hp_error *err);

/* Ids that a thread gathers before it notes them. */
enum { HP_DUMP_TABLE_IDS = 512 };

/* A thread's way to the table of the dump at hand; zeroed at first. */
struct hp_dump_table {
	unsigned dump;		   /* its number; 0: none yet */
	size_t place;		   /* in the prepass */
	struct hp_id_table *table; /* NULL: it has none */
	struct hp_rank_near near;
	size_t count; /* of ids that are not noted yet */
	uint64_t ids[HP_DUMP_TABLE_IDS];
};

/* For hp_dump_table_select(): another dump. */
void hp_dump_table_change(struct hp_dump_table *at,
			  const struct hp_dump_tables *t, unsigned dump);

/* From now on ids are those of @dump. */
static inline void
hp_dump_table_select(struct hp_dump_table *at, const struct hp_dump_tables *t,
		     unsigned dump)
{
	if (HP_UNLIKELY(at->dump != dump))
		hp_dump_table_change(at, t, dump);
}

/* Note what was gathered, one thread at a time; at a batch's end. */
void hp_dump_table_flush(struct hp_dump_table *at, pthread_mutex_t *lock);

/* There is this id in the dump, which has a table. */
static inline void
hp_dump_table_note(struct hp_dump_table *at, uint64_t id, pthread_mutex_t *lock)
{
	at->ids[at->count++] = id;
	if (HP_UNLIKELY(at->count == HP_DUMP_TABLE_IDS))
		hp_dump_table_flush(at, lock);
}

#endif
