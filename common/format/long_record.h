/*
 * long_record.h - cutting a heap record too long to be a batch
 */
#ifndef HP_FORMAT_LONG_RECORD_H
#define HP_FORMAT_LONG_RECORD_H

#include "common/format/cutter.h"

/* Cut the current, long heap record. */
HP_MUST_USE enum hp_status hp_cutter_walk_record(struct hp_cutter *c,
						 struct hp_error *err);

#endif
