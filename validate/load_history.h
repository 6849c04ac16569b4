/*
 * load_history.h - what ids of classes were called before
 *
 * An id may be another class's in a later dump of the file. The tables know the
 * last one; findings about earlier dumps are told with the name of then.
 */
#ifndef HP_VALIDATE_LOAD_HISTORY_H
#define HP_VALIDATE_LOAD_HISTORY_H

#include "common/model/tables.h"

struct hp_load_history {
	const struct hp_tables *tables;
	uint32_t
		*loads; /* numbers of loads, by class id, then as in the file */
	size_t count;
};

/**
 * hp_load_history_init() - order the loads of a file
 * @renamed: false: no id had a name before that it has not now, or there is one
 *           dump, and nothing to know
 *
 * Memory:  4 bytes a load
 * Returns: HP_OK; HP_NOMEM. Release it in any case.
 */
HP_MUST_USE enum hp_status hp_load_history_init(struct hp_load_history *h,
						const struct hp_tables *tables,
						bool renamed,
						struct hp_error *err);
void hp_load_history_release(struct hp_load_history *h);

/*
 * The raw name of a class at @offset: that of its last load before there, or of
 * the first one. NULL: it was never loaded or named.
 */
const struct hp_string *hp_load_history_name(const struct hp_load_history *h,
					     uint64_t class_id,
					     uint64_t offset);

#endif
