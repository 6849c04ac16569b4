/*
 * records.h - records that are no heap records, as items
 *
 * Private to lib/.
 */
#ifndef HP_LIB_RECORDS_H
#define HP_LIB_RECORDS_H

#include "lib/hprof_reader.h"

/**
 * hp_decode_record() - a record that is no heap record, as an item
 * @body: whole
 *
 * Returns: HP_OK; HP_DAMAGED: it is too short for its own claims; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_decode_record(struct hprof_reader *r,
					    struct hp_cursor body,
					    struct hp_error *err);

#endif
