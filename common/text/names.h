/*
 * names.h - names, classes, frames and traces of a text, by number
 */
#ifndef HP_TEXT_NAMES_H
#define HP_TEXT_NAMES_H

#include "common/text/records_state.h"

/* Numbers of each kind begin where the agent's do; classes and carried lines,
 * which it has not, behind. */
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

/* Is it of text of ours, with what has to be taken back? */
bool hp_text_is_escaped(const struct hp_text_records *r,
			struct hp_text_word word);
/* The number of a name, whose STRING record waits now; 0: out of memory. */
uint32_t hp_text_name(struct hp_text_records *r, struct hp_text_word word);
/* Of a text of our own, without escapes. */
uint32_t hp_text_own_name(struct hp_text_records *r, const char *text,
			  size_t length);
/* The class of that name; 0: out of memory. */
uint32_t hp_text_class_named(struct hp_text_records *r,
			     struct hp_text_word name);
/* The class of that id, which @name is new for; 0: out of memory. */
uint32_t hp_text_class_of(struct hp_text_records *r, uint64_t id,
			  struct hp_text_word name);
/* The class of that id if one is known; 0: none. */
uint32_t hp_text_class_known(const struct hp_text_records *r, uint64_t id);
/* The number of a frame, whose STACK FRAME waits now; 0: out of memory. */
uint32_t hp_text_frame(struct hp_text_records *r,
		       const struct hp_text_frame_key *key);
/* A record begins in @b, where it waits. False: out of memory. */
bool hp_text_mark(struct hp_text_records *r, struct hp_vec *marks,
		  const struct hp_buf *b, struct hp_text_spot spot);
/* What waits is written, with a LOAD CLASS for every class that has none. */
bool hp_text_flush(struct hp_text_records *r);
/* The current line is kept in a STRING record. */
bool hp_text_carry(struct hp_text_records *r);
/* Something has that trace, or it is printed. */
bool hp_text_use_trace(struct hp_text_records *r, uint32_t serial);
bool hp_text_print_trace(struct hp_text_records *r, uint32_t serial);
/* Tells of traces that were used and never printed. */
void hp_text_check_traces(struct hp_text_records *r);
void hp_text_names_release(struct hp_text_records *r);

#endif
