/*
 * stitch.h - what the runs of a heap dump have in common with its text
 */
#ifndef HP_TEXT_STITCH_H
#define HP_TEXT_STITCH_H

#include "common/text/records_state.h"

/* All lines of a run of a heap dump; not @taken: they are to be read one by
 * one. */
enum hp_status hp_text_take_run(struct hp_text_records *r,
				const struct hp_text_run *run, bool *taken,
				struct hp_error *err);

#endif
