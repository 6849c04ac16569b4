/*
 * load_history.h - find the name that a class id had at a place in the file
 *
 * In a later dump of the same file, the same id may belong to another class.
 * The tables have only the last name. Findings about earlier dumps show the
 * name of that time.
 */
#ifndef HP_VALIDATE_LOAD_HISTORY_H
#define HP_VALIDATE_LOAD_HISTORY_H

#include "common/model/tables.h"

struct hp_load_history {
	const struct hp_tables *tables;
	uint32_t
		/* indices of loads, sorted by class id, then by offset */
		*loads;
	size_t count;
};

/**
 * hp_load_history_init() - sort the loads of a file
 * @renamed: whether some id had another name before. If false, the tables are
 *           enough and nothing is allocated
 *
 * Memory:  4 bytes per load
 * Returns: HP_OK; HP_NOMEM. Release it in any case.
 */
HP_MUST_USE enum hp_status hp_load_history_init(struct hp_load_history *h,
						const struct hp_tables *tables,
						bool renamed,
						struct hp_error *err);
void hp_load_history_release(struct hp_load_history *h);

/*
 * The raw name of a class at @offset: the name of its last load before that
 * offset or, if there is none, of its first load. Returns NULL if the class was
 * never loaded or has no name.
 */
const struct hp_string *hp_load_history_name(const struct hp_load_history *h,
					     uint64_t class_id,
					     uint64_t offset);

#endif
