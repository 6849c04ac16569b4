/*
 * records.h - decode records outside the heap into items
 *
 * Private to lib/.
 */
#ifndef HP_LIB_RECORDS_H
#define HP_LIB_RECORDS_H

#include "lib/hprof_reader.h"

/**
 * hp_decode_record() - decode a record outside the heap into r->item
 * @body: the complete body of the record
 *
 * Returns: HP_OK; HP_DAMAGED if the body is shorter than its fields require;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_decode_record(struct hprof_reader *r,
					    struct hp_cursor body,
					    struct hp_error *err);

#endif
