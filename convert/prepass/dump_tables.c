/*
 * dump_tables.c - tables of the objects of a file: one table for each dump that
 * contains classes
 */
#include "convert/prepass/dump_tables.h"
#include "common/base/memory.h"

enum {
	/* minimum memory of the table of one dump, in bytes */
	DUMP_COST = 7 << 10,
	/*
	 * number of bytes that all tables together may always use, even if the
	 * file is small
	 */
	TABLES_FREE = 64 << 20,
};

/*
 * Check that the memory suffices for @n tables of at least @cost bytes each,
 * and that the file is not too small for @n dumps. A malicious file can contain
 * a dump in every hundred bytes.
 */
static enum hp_status
allow_tables(struct hp_dump_tables *t, size_t n, uint64_t cost, uint64_t size,
	     uint64_t memory, const char *what, struct hp_error *err)
{
	uint64_t most = size / 4 > TABLES_FREE ? size / 4 : TABLES_FREE;

	if (n < 2)
		return HP_OK;
	t->crowded = most / n < cost;
	if (!t->crowded && memory / n < cost)
		return hp_fail(err, HP_LIMIT,
			       "%s of %zu dumps needs more --memory", what, n);
	if (t->crowded)
		return hp_fail(err, HP_LIMIT,
			       "%s of %zu dumps: too many for a file of this "
			       "size",
			       what, n);
	return HP_OK;
}

enum hp_status
hp_dump_tables_init(struct hp_dump_tables *t, const struct hp_prepass *prepass,
		    const struct hp_source *src, uint64_t memory,
		    const char *what, struct hp_error *err)
{
	uint64_t size = hp_source_seekable(src) ? hp_source_size(src) : 0;
	unsigned shift = prepass->tables.id_size == 4 ? 0 : 3;
	size_t n = prepass->ndumps;
	uint64_t cost = n > 1 ? DUMP_COST : 0;
	enum hp_status st = allow_tables(t, n, cost, size, memory, what, err);

	t->prepass = prepass;
	if (st != HP_OK)
		return st;
	t->list = hp_calloc(n + 1, sizeof(*t->list));
	if (!t->list)
		return hp_no_memory(err);
	for (size_t i = 0; i < n && st == HP_OK; i++)
		st = hp_id_table_init(&t->list[i], shift, size,
				      memory / n - cost, n, err);
	return st;
}

void
hp_dump_tables_release(struct hp_dump_tables *t)
{
	for (size_t i = 0; t->list && i < t->prepass->ndumps; i++)
		hp_id_table_release(&t->list[i]);
	hp_free(t->list);
	t->list = NULL;
}

enum hp_status
hp_dump_tables_settle(struct hp_dump_tables *t, uint64_t most,
		      struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < t->prepass->ndumps && st == HP_OK; i++)
		st = hp_id_table_settle(&t->list[i], most, err);
	return st;
}

void
hp_dump_table_change(struct hp_dump_table *at, const struct hp_dump_tables *t,
		     unsigned dump)
{
	size_t place = hp_prepass_place(t->prepass, dump);

	*at = (struct hp_dump_table){.dump = dump, .place = place};
	if (t->list && place < t->prepass->ndumps)
		at->table = &t->list[place];
}

void
hp_dump_table_flush(struct hp_dump_table *at, pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	for (size_t i = 0; i < at->count; i++)
		hp_id_table_note(at->table, at->ids[i]);
	pthread_mutex_unlock(lock);
	at->count = 0;
}
