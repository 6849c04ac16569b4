/*
 * objects.h - sub-records of a heap dump, as items
 *
 * Private to lib/.
 */
#ifndef HP_LIB_OBJECTS_H
#define HP_LIB_OBJECTS_H

#include "lib/hprof_reader.h"

/**
 * hp_decode_sub() - a whole sub-record as an item
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_decode_sub(struct hprof_reader *r,
					 const struct hp_sub *s,
					 struct hp_error *err);

/* The head of an object as an item, with no element yet. */
void hp_decode_object(struct hprof_reader *r, const struct hp_sub *s);

#endif
