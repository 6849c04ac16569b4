/*
 * segments.h - the segments of a heap dump
 */
#ifndef HP_TEXT_SEGMENTS_H
#define HP_TEXT_SEGMENTS_H

#include "common/text/records_state.h"

/* Names for fields of primitives that are made up, before the dump begins. */
bool hp_text_name_fillers(struct hp_text_records *r);
/* All classes of the dump; hp_text_drain() puts out the rest. False: out of
 * memory. */
bool hp_text_put_classes(struct hp_text_records *r);
/* Some more of the dump's objects. */
enum hp_status hp_text_drain(struct hp_text_records *r, struct hp_error *err);

#endif
