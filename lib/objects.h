/*
 * objects.h - decode the sub-records of a heap dump into items
 *
 * Private to lib/.
 */
#ifndef HP_LIB_OBJECTS_H
#define HP_LIB_OBJECTS_H

#include "lib/hprof_reader.h"

/**
 * hp_decode_sub() - decode a complete sub-record into r->item
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_decode_sub(struct hprof_reader *r,
					 const struct hp_sub *s,
					 struct hp_error *err);

/*
 * Decode the head of an instance or array into r->item. The caller sets the
 * elements.
 */
void hp_decode_object(struct hprof_reader *r, const struct hp_sub *s);

#endif
