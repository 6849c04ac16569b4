/*
 * arena.h - memory that is freed all at once, and one copy of each string
 */
#ifndef HP_ARENA_H
#define HP_ARENA_H

#include "common/base/hash.h"
#include "common/base/status.h"

#include <string.h>

/* ----------------------------------------------------------------------
 * An arena: memory that is freed all at once
 */

struct hp_arena_block;

/* A zeroed arena is empty and ready for use. Its blocks never move. */
struct hp_arena {
	struct hp_arena_block *blocks;
	unsigned char *at, *end; /* the unused part of the newest block */
	size_t held;		 /* bytes that the arena has allocated */
};

/* Allocate @n bytes, aligned for any object. Returns NULL if out of memory. */
void *hp_arena_alloc(struct hp_arena *a, size_t n);
/* The slow case of hp_arena_copy(): the newest block is full. */
char *hp_arena_copy_far(struct hp_arena *a, const void *p, size_t n);

/* Copy @n bytes and append a NUL. Returns NULL if out of memory. */
static inline char *
hp_arena_copy(struct hp_arena *a, const void *p, size_t n)
{
	char *copy = (char *)a->at;

	if (HP_UNLIKELY(n >= (size_t)(a->end - a->at)))
		return hp_arena_copy_far(a, p, n);
	if (n != 0)
		memcpy(copy, p, n);
	copy[n] = '\0';
	a->at += n + 1;
	return copy;
}

enum { HP_ARENA_SHORT = 64 };

/*
 * A faster hp_arena_copy() for at most HP_ARENA_SHORT bytes. HP_ARENA_SHORT
 * bytes must be readable at @p: it always copies that many, without a loop
 * whose length the processor would have to predict. The next copy overwrites
 * the surplus.
 */
static inline char *
hp_arena_copy_short(struct hp_arena *a, const void *p, size_t n)
{
	char *copy = (char *)a->at;

	if (HP_UNLIKELY((size_t)(a->end - a->at) <= HP_ARENA_SHORT))
		return hp_arena_copy(a, p, n);
	memcpy(copy, p, HP_ARENA_SHORT);
	copy[n] = '\0';
	a->at += n + 1;
	return copy;
}

void hp_arena_release(struct hp_arena *a);

/* ----------------------------------------------------------------------
 * Interned texts: equal texts are stored once and share a number
 */

struct hp_interned {
	const char *text; /* the text; ends with NUL */
	size_t length;
};

/*
 * A zeroed struct is empty and ready. The hash is keyed, so that crafted texts
 * cannot collide on purpose.
 */
struct hp_intern {
	struct hp_arena arena;
	struct hp_interned *list; /* the texts; number n is at index n - 1 */
	size_t list_room;
	uint32_t count;
	struct hp_hash_table table;
};

/*
 * Returns the number of a text, from 1, or 0 if out of memory. A text that is
 * not in the table is added, and @fresh is set to true.
 */
uint32_t hp_intern_put(struct hp_intern *t, const char *text, size_t length,
		       bool *fresh);

/* Returns the number of a text, or 0 if it is not there. */
uint32_t hp_intern_find(const struct hp_intern *t, const char *text,
			size_t length);
/* The text with the given number. It stays valid until the release. */
static inline struct hp_interned
hp_intern_get(const struct hp_intern *t, uint32_t number)
{
	return t->list[number - 1];
}

/*
 * The approximate number of bytes of memory in use, including the hash table.
 */
static inline uint64_t
hp_intern_bytes(const struct hp_intern *t)
{
	return t->arena.held + t->list_room * sizeof(struct hp_interned) +
	       t->table.cap * sizeof(struct hp_hash_slot);
}

void hp_intern_release(struct hp_intern *t);

#endif
