/* stitch.h - add packed runs of objects (runs.h) to the heap dump */
#ifndef HP_TEXT_STITCH_H
#define HP_TEXT_STITCH_H

#include "common/text/records_state.h"

/*
 * Add all lines of a run to the heap dump. @taken: receives false if that is
 * not possible; then the caller must read the lines one by one. Returns HP_OK;
 * HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_take_run(struct hp_text_records *r,
				const struct hp_text_run *run, bool *taken,
				struct hp_error *err);

#endif
