/* heap.h - translate the lines of a heap dump in the agent's text */
#ifndef HP_TEXT_HEAP_H
#define HP_TEXT_HEAP_H

#include "common/text/records_state.h"

void hp_text_heap_begin(struct hp_text_records *r,
			const struct hp_text_item *i);
/* Process a line of a heap dump. Returns HP_OK; HP_NOMEM; HP_IO. */
enum hp_status hp_text_heap_line(struct hp_text_records *r,
				 const struct hp_text_item *i,
				 struct hp_error *err);
/*
 * The number of the class of an object or array line; the class is now in the
 * dump. Returns 0 if out of memory.
 */
uint32_t hp_text_show_class(struct hp_text_records *r,
			    const struct hp_text_item *i);
/* Process the line of an object. The lines of its fields follow. */
void hp_text_show_object(struct hp_text_records *r, uint32_t class,
			 const struct hp_text_item *i);
/*
 * Process the name of the next field of the current object. @slot: receives the
 * number of the field in its class, or HP_TEXT_NO_FIELD if the class has too
 * many. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_show_field(struct hp_text_records *r,
					      struct hp_text_word name,
					      uint32_t *slot,
					      struct hp_error *err);
/*
 * Finish a heap dump after its last line, and begin to write it. @whole: that
 * line was HEAP DUMP END. Returns HP_OK; HP_NOMEM; HP_IO.
 */
enum hp_status hp_text_heap_end(struct hp_text_records *r, bool whole,
				struct hp_error *err);

#endif
