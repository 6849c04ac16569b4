/*
 * intern.h - a number for each different text
 */
#ifndef HP_TEXT_INTERN_H
#define HP_TEXT_INTERN_H

#include "common/base/arena.h"
#include "common/text/parse.h"

/* A zeroed one is empty and ready; keyed against crafted texts. */
struct hp_text_intern {
	struct hp_arena arena;
	struct hp_text_word *words; /* by number - 1 */
	uint32_t *hashes;	    /* the same */
	size_t words_room, hashes_room;
	uint32_t count;
	uint32_t *slots; /* numbers; 0: free */
	size_t nslots;	 /* a power of two or 0 */
	uint64_t seed;
};

/* The text's number, from 1; 0: out of memory. @fresh: it is a new one. */
uint32_t hp_text_intern_put(struct hp_text_intern *t, const char *text,
			    size_t length, bool *fresh);

static inline struct hp_text_word
hp_text_intern_word(const struct hp_text_intern *t, uint32_t number)
{
	return t->words[number - 1];
}

void hp_text_intern_release(struct hp_text_intern *t);

#endif
