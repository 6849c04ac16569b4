/*
 * dump_id_sets.h - sets of object ids, one for each heap dump of a file
 *
 * There may be very many dumps. A small one's ids are a sorted list; only one
 * with many has a bit set, which takes address space and mappings of its own.
 */
#ifndef HP_CONVERT_PASS_DUMP_ID_SETS_H
#define HP_CONVERT_PASS_DUMP_ID_SETS_H

#include "common/ids/id_set.h"

struct hp_dump_id_set {
	uint64_t dump; /* its number */
	uint64_t *few; /* as long as they are few; sorted once finished */
	size_t count, cap;
	struct hp_id_sets *many; /* else NULL */
};

/* Set up by the caller: id_size, bytes, memory. One thread at a time adds. */
struct hp_dump_id_sets {
	unsigned id_size;
	uint64_t bytes;	 /* of the input, what memory is explained by; or 0 */
	uint64_t memory; /* that all may take; 0: no limit */
	uint64_t taken;	 /* by lists */
	struct hp_dump_id_set *dumps;
	size_t count, cap;
	bool finished;
};

/*
 * A dump that ids may be added to later. Dumps are announced, or have their
 * first id added, in the file's order.
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT: memory does not suffice.
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_announce(struct hp_dump_id_sets *s,
						    unsigned dump,
						    struct hp_error *err);

/* As hp_dump_id_sets_announce(). */
HP_MUST_USE enum hp_status hp_dump_id_sets_add(struct hp_dump_id_sets *s,
					       unsigned dump, uint64_t id,
					       struct hp_error *err);

/* Nothing more is added; before this nobody may ask. As hp_dump_id_sets_add().
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_finish(struct hp_dump_id_sets *s,
						  struct hp_error *err);

/* The dump's ids, for hp_dump_ids_has(); NULL: there are none. Any thread. */
const struct hp_dump_id_set *
hp_dump_id_sets_get(const struct hp_dump_id_sets *s, unsigned dump);

/* Is @id one of them? @d may be NULL. */
bool hp_dump_ids_has(const struct hp_dump_id_set *d, uint64_t id);

static inline bool
hp_dump_id_sets_has(const struct hp_dump_id_sets *s, unsigned dump, uint64_t id)
{
	return hp_dump_ids_has(hp_dump_id_sets_get(s, dump), id);
}

void hp_dump_id_sets_release(struct hp_dump_id_sets *s);

#endif
