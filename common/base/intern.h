/*
 * intern.h - interned texts: equal texts are stored once and share a number
 */
#ifndef HP_INTERN_H
#define HP_INTERN_H

#include "common/base/arena.h"

struct hp_interned {
	const char *text; /* NUL-terminated */
	size_t length;
};

/*
 * A zeroed struct is empty and ready. The hash is keyed, so that crafted texts
 * cannot collide on purpose.
 */
struct hp_intern {
	struct hp_arena arena;
	struct hp_interned *list; /* indexed by number - 1 */
	uint32_t *hashes;	  /* likewise */
	size_t list_room, hashes_room;
	uint32_t count;
	uint32_t *slots; /* numbers; 0: free */
	size_t nslots;	 /* a power of two or 0 */
	uint64_t seed;
};

/*
 * Returns the number of a text, from 1, or 0 if out of memory. Sets @fresh if
 * the text was not there before.
 */
uint32_t hp_intern_put(struct hp_intern *t, const char *text, size_t length,
		       bool *fresh);

/* The text with the given number. It stays valid until the release. */
static inline struct hp_interned
hp_intern_get(const struct hp_intern *t, uint32_t number)
{
	return t->list[number - 1];
}

/* The approximate number of bytes allocated, with the hash table. */
static inline uint64_t
hp_intern_bytes(const struct hp_intern *t)
{
	return t->arena.held + t->list_room * (sizeof(struct hp_interned) + 12);
}

void hp_intern_release(struct hp_intern *t);

#endif
