/*
 * ids.h - sets of object ids, one for each heap dump of a file
 */
#ifndef HP_CONVERT_IDS_H
#define HP_CONVERT_IDS_H

#include "common/model/id_set.h"

struct hp_dump_ids {
	unsigned dump;
	struct hp_id_sets sets;
};

/* Set up by the caller: id_size, bytes. Added to by one thread at a time. */
struct hp_ids {
	unsigned id_size;
	uint64_t bytes; /* of the input, what memory is explained by; or 0 */
	struct hp_dump_ids **dumps;
	size_t count, cap;
	bool finished;
};

/* HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_ids_add(struct hp_ids *s, unsigned dump,
				      uint64_t id, struct hp_error *err);

/* Nothing more is added; before this nobody may ask. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_ids_finish(struct hp_ids *s,
					 struct hp_error *err);

/* The dump's set, for hp_id_sets_defined(); NULL: it is empty. Any thread. */
const struct hp_id_sets *hp_ids_dump(const struct hp_ids *s, unsigned dump);

static inline bool
hp_ids_has(const struct hp_ids *s, unsigned dump, uint64_t id)
{
	const struct hp_id_sets *sets = hp_ids_dump(s, dump);

	return sets && hp_id_sets_defined(sets, id);
}

void hp_ids_release(struct hp_ids *s);

#endif
