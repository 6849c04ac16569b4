/*
 * dump_id_sets.h - sets of object ids, one set for each heap dump of a file
 *
 * A file may have very many dumps. A set with few ids is a sorted list. Only a
 * set with many ids becomes a bit set, because a bit set takes address space
 * and memory mappings of its own.
 */
#ifndef HP_CONVERT_PASS_DUMP_ID_SETS_H
#define HP_CONVERT_PASS_DUMP_ID_SETS_H

#include "common/ids/id_set.h"

struct hp_dump_id_set {
	uint64_t dump; /* number of the dump, from 1 */
	/* the ids, while they are few; sorted by hp_dump_id_sets_finish() */
	uint64_t *few;
	size_t count, cap;
	struct hp_id_sets *many; /* the ids, once they are many; else NULL */
};

/*
 * The caller sets id_size, bytes and memory, and lets one thread at a time add.
 */
struct hp_dump_id_sets {
	unsigned id_size;
	/*
	 * size of the input, in bytes, which limits the memory of bit sets; or
	 * 0
	 */
	uint64_t bytes;
	/* limit for the memory of all sets, in bytes; 0: no limit */
	uint64_t memory;
	/* memory in use, in bytes; bit sets count once they are finished */
	uint64_t taken;
	struct hp_dump_id_set *dumps;
	size_t count, cap;
	bool finished;
};

/*
 * Create an empty set for the dump number @dump, if there is none. Dumps must
 * be announced, or get their first id, in file order.
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT: the limit for the memory was exceeded.
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_announce(struct hp_dump_id_sets *s,
						    unsigned dump,
						    struct hp_error *err);

/*
 * Add @id to the set of the dump number @dump. Returns as
 * hp_dump_id_sets_announce().
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_add(struct hp_dump_id_sets *s,
					       unsigned dump, uint64_t id,
					       struct hp_error *err);

/*
 * Call this after the last id was added, and before the first lookup. Returns
 * as hp_dump_id_sets_add().
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_finish(struct hp_dump_id_sets *s,
						  struct hp_error *err);

/*
 * Returns the set of the dump number @dump, for hp_dump_ids_has(); NULL if it
 * has no ids, or if the sets are not finished. Thread-safe.
 */
const struct hp_dump_id_set *
hp_dump_id_sets_get(const struct hp_dump_id_sets *s, unsigned dump);

/* Whether @id is in the set @d. @d may be NULL, which is an empty set. */
bool hp_dump_ids_has(const struct hp_dump_id_set *d, uint64_t id);

/* Whether the set of dump number @dump has @id. */
static inline bool
hp_dump_id_sets_has(const struct hp_dump_id_sets *s, unsigned dump, uint64_t id)
{
	return hp_dump_ids_has(hp_dump_id_sets_get(s, dump), id);
}

void hp_dump_id_sets_release(struct hp_dump_id_sets *s);

#endif
