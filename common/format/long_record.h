/* long_record.h - cut a heap record that is too long for one batch */
#ifndef HP_FORMAT_LONG_RECORD_H
#define HP_FORMAT_LONG_RECORD_H

#include "common/format/cutter.h"

/* Cut the current heap record, which is long, into batches. */
HP_MUST_USE enum hp_status hp_cutter_walk_record(struct hp_cutter *c,
						 struct hp_error *err);

#endif
