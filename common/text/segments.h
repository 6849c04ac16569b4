/* segments.h - write the segments of a heap dump */
#ifndef HP_TEXT_SEGMENTS_H
#define HP_TEXT_SEGMENTS_H

#include "common/text/records_state.h"

/*
 * Make names for the filler fields that stand for primitives, before the heap
 * dump begins. Returns false if out of memory.
 */
bool hp_text_name_fillers(struct hp_text_records *r);
/*
 * Write all classes of the dump. hp_text_drain() then writes the rest. Returns
 * false if out of memory.
 */
bool hp_text_put_classes(struct hp_text_records *r);
/*
 * Write some more of the objects of the dump, until enough output is ready.
 * Returns HP_OK; HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_drain(struct hp_text_records *r, struct hp_error *err);

#endif
