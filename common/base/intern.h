/*
 * intern.h - texts that are kept once, and a number for each
 */
#ifndef HP_INTERN_H
#define HP_INTERN_H

#include "common/base/arena.h"

struct hp_interned {
	const char *text; /* ends with a zero */
	size_t length;
};

/* A zeroed one is empty and ready; keyed against crafted texts. */
struct hp_intern {
	struct hp_arena arena;
	struct hp_interned *list; /* by number - 1 */
	uint32_t *hashes;	  /* the same */
	size_t list_room, hashes_room;
	uint32_t count;
	uint32_t *slots; /* numbers; 0: free */
	size_t nslots;	 /* a power of two or 0 */
	uint64_t seed;
};

/* The text's number, from 1; 0: out of memory. @fresh: it is a new one. */
uint32_t hp_intern_put(struct hp_intern *t, const char *text, size_t length,
		       bool *fresh);

/* The text with a number, which stays where it is. */
static inline struct hp_interned
hp_intern_get(const struct hp_intern *t, uint32_t number)
{
	return t->list[number - 1];
}

/* Bytes taken from the system, about: of a text's number a hash and slots. */
static inline uint64_t
hp_intern_bytes(const struct hp_intern *t)
{
	return t->arena.held + t->list_room * (sizeof(struct hp_interned) + 12);
}

void hp_intern_release(struct hp_intern *t);

#endif
