/*
 * names.h - give numbers to the names, classes, frames and traces of a text
 * dump
 *
 * Each is written as a record later, when a report needs it.
 */
#ifndef HP_TEXT_NAMES_H
#define HP_TEXT_NAMES_H

#include "common/text/records_state.h"

/*
 * The first id of each kind of object. Frames and strings begin where the
 * agent's own ids begin. Classes and carried lines, to which the agent gives no
 * such ids, follow.
 */
#define HP_TEXT_FRAME_IDS UINT64_C(0x70000000)
#define HP_TEXT_STRING_IDS UINT64_C(0xA0000000)
#define HP_TEXT_CLASS_IDS UINT64_C(0xC0000000)
#define HP_TEXT_CARRIED_IDS UINT64_C(0xE0000000)

static inline uint64_t
hp_text_string_id(uint32_t number)
{
	return number ? HP_TEXT_STRING_IDS + number : 0;
}

static inline uint64_t
hp_text_frame_id(uint32_t number)
{
	return HP_TEXT_FRAME_IDS + number;
}

static inline struct hp_text_word
hp_text_interned(const struct hp_text_records *r, uint32_t number)
{
	const struct hp_interned i = hp_intern_get(&r->texts, number);

	return (struct hp_text_word){i.text, i.length};
}

static inline struct hp_text_class *
hp_text_class(const struct hp_text_records *r, uint32_t number)
{
	return (struct hp_text_class *)r->classes.items + number;
}

/*
 * Whether a word contains escapes that must be undone. Only a text that
 * hprof-convert or libhprof-agent wrote has escapes.
 */
bool hp_text_is_escaped(const struct hp_text_records *r,
			struct hp_text_word word);
/*
 * The number of a name. A new name gets a STRING record, which is written
 * later. Returns 0 if out of memory.
 */
uint32_t hp_text_name(struct hp_text_records *r, struct hp_text_word word);
/* As hp_text_name(), for a text of this program, which has no escapes. */
uint32_t hp_text_own_name(struct hp_text_records *r, const char *text,
			  size_t length);
/* The number of the class with a name. Returns 0 if out of memory. */
uint32_t hp_text_class_named(struct hp_text_records *r,
			     struct hp_text_word name);
/*
 * The number of the class with an id. If the id is new, the class gets the name
 * @name. Returns 0 if out of memory.
 */
uint32_t hp_text_class_of(struct hp_text_records *r, uint64_t id,
			  struct hp_text_word name);
/* The number of the class with an id; 0 if there is none. */
uint32_t hp_text_class_known(const struct hp_text_records *r, uint64_t id);
/*
 * The number of a frame. A new frame gets a STACK FRAME record, which is
 * written later. Returns 0 if out of memory.
 */
uint32_t hp_text_frame(struct hp_text_records *r,
		       const struct hp_text_frame_key *key);
/*
 * Note that a record of the line @spot begins at the end of @b, a buffer that
 * is written later. Returns false if out of memory.
 */
bool hp_text_mark(struct hp_text_records *r, struct hp_vec *marks,
		  const struct hp_buf *b, struct hp_text_spot spot);
/*
 * Write all records that wait, with a LOAD CLASS record for every class that
 * has none. Returns false if out of memory.
 */
bool hp_text_flush(struct hp_text_records *r);
/* Store the current line in a STRING record. Returns false if out of memory. */
bool hp_text_carry(struct hp_text_records *r);
/*
 * Note that something refers to the trace with this serial, or that it is
 * defined here. Return false if out of memory.
 */
bool hp_text_use_trace(struct hp_text_records *r, uint32_t serial);
bool hp_text_print_trace(struct hp_text_records *r, uint32_t serial);
/* Report the traces that something refers to but that were never defined. */
void hp_text_check_traces(struct hp_text_records *r);
void hp_text_names_release(struct hp_text_records *r);

#endif
