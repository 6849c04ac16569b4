/*
 * arena.h - an arena (memory that is allocated in parts and freed all at once),
 * and a table that stores each different text only once
 */
#ifndef HP_ARENA_H
#define HP_ARENA_H

#include "common/base/bytes.h"
#include "common/base/hash.h"
#include "common/base/status.h"

#include <string.h>

/* ----------------------------------------------------------------------
 * An arena: memory that is freed all at once
 */

struct hp_arena_block;

/*
 * An arena. A zeroed struct is empty and ready for use. Allocated memory never
 * moves.
 */
struct hp_arena {
	struct hp_arena_block *blocks;
	/* the unused part of the newest block, from `at` to before `end` */
	unsigned char *at, *end;
	size_t held; /* sum of the sizes in bytes of all blocks of the arena */
};

/*
 * Allocate @n bytes in the arena, aligned for any object. Returns NULL if out
 * of memory.
 */
void *hp_arena_alloc(struct hp_arena *a, size_t n);
/*
 * Used by hp_arena_copy() if the newest block is full: allocates a new block
 * for the copy. Other callers should use hp_arena_copy().
 */
char *hp_arena_copy_far(struct hp_arena *a, const void *p, size_t n);

/*
 * Copy the @n bytes at @p into the arena and append a NUL. Returns the copy, or
 * NULL if out of memory.
 */
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
 * Do the same as hp_arena_copy(), but faster, for a text of at most
 * HP_ARENA_SHORT bytes. The function always copies HP_ARENA_SHORT bytes, so
 * that it needs no loop. So this many bytes must be readable at @p. The next
 * copy into the arena overwrites the surplus bytes after the text.
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
 * Interned texts: a table of texts in which equal texts are stored only once.
 * Each text has a number, from 1
 */

/*
 * A table of interned texts, in which equal texts are stored only once. A
 * zeroed struct is an empty table, ready for use. The hash function has a
 * secret key, so that nobody can craft texts that all collide.
 */
struct hp_intern {
	struct hp_arena arena;
	/*
	 * the texts, which end with NUL; the text with number n is at index
	 * n - 1
	 */
	struct hp_slice *list;
	size_t list_room;
	uint32_t count;
	struct hp_hash_table table;
};

/*
 * Returns the number of a text, from 1. If the text is not in the table, adds
 * it and sets *@fresh to true. Returns 0 if out of memory.
 */
uint32_t hp_intern_put(struct hp_intern *t, const char *text, size_t length,
		       bool *fresh);

/* Returns the number of a text, or 0 if the table does not contain the text. */
uint32_t hp_intern_find(const struct hp_intern *t, const char *text,
			size_t length);
/*
 * Returns the text with the given number. The text stays valid until the table
 * is released. It ends with NUL.
 */
static inline struct hp_slice
hp_intern_get(const struct hp_intern *t, uint32_t number)
{
	return t->list[number - 1];
}

/*
 * Returns about how many bytes of memory the table of texts uses, including its
 * hash table.
 */
static inline uint64_t
hp_intern_bytes(const struct hp_intern *t)
{
	return t->arena.held + t->list_room * sizeof(struct hp_slice) +
	       t->table.cap * sizeof(struct hp_hash_slot);
}

void hp_intern_release(struct hp_intern *t);

#endif
