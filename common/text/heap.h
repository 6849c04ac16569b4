/*
 * heap.h - the lines of a heap dump
 */
#ifndef HP_TEXT_HEAP_H
#define HP_TEXT_HEAP_H

#include "common/text/records_state.h"

void hp_text_heap_begin(struct hp_text_records *r,
			const struct hp_text_item *i);
/* A line of a heap dump. */
enum hp_status hp_text_heap_line(struct hp_text_records *r,
				 const struct hp_text_item *i,
				 struct hp_error *err);
/* The class of an object's or array's line, which shows it; 0: no memory. */
uint32_t hp_text_show_class(struct hp_text_records *r,
			    const struct hp_text_item *i);
/* The line of an object, whose fields follow. */
void hp_text_show_object(struct hp_text_records *r, uint32_t class,
			 const struct hp_text_item *i);
/* The next of its fields: its number in the class; HP_TEXT_NO_FIELD: it has
 * too many. */
HP_MUST_USE enum hp_status hp_text_show_field(struct hp_text_records *r,
					      struct hp_text_word name,
					      uint32_t *slot,
					      struct hp_error *err);
/* The last line was read; @whole: it is HEAP DUMP END. */
enum hp_status hp_text_heap_end(struct hp_text_records *r, bool whole,
				struct hp_error *err);

#endif
