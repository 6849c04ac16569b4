/*
 * ids.h - sets of object ids, one for each heap dump of a file
 */
#ifndef HP_CONVERT_IDS_H
#define HP_CONVERT_IDS_H

#include "common/model/id_map.h"
#include "common/model/id_set.h"

/*
 * Few ids stand in a hash table: sets of bits reserve addresses, and a file may
 * hold very many dumps.
 */
struct hp_dump_ids {
	unsigned dump;
	bool many; /* they are in `sets`, else in `few` */
	struct hp_id_map few;
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

/* The dump's ids; NULL: there are none. Any thread. */
const struct hp_dump_ids *hp_ids_dump(const struct hp_ids *s, unsigned dump);

/* Is @id one of them? @d may be NULL. */
static inline bool
hp_dump_ids_has(const struct hp_dump_ids *d, uint64_t id)
{
	if (!d)
		return false;
	return d->many ? hp_id_sets_defined(&d->sets, id)
		       : hp_id_map_get(&d->few, id) != NULL;
}

static inline bool
hp_ids_has(const struct hp_ids *s, unsigned dump, uint64_t id)
{
	return hp_dump_ids_has(hp_ids_dump(s, dump), id);
}

void hp_ids_release(struct hp_ids *s);

#endif
