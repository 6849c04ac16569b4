/*
 * arena.h - memory given back all at once
 */
#ifndef HP_ARENA_H
#define HP_ARENA_H

#include <string.h>

#include "common/base/status.h"

struct hp_arena_block;

/* A zeroed one is ready. Blocks never move. */
struct hp_arena {
	struct hp_arena_block *blocks;
	unsigned char *at, *end; /* what is free of the newest block */
	size_t held;		 /* bytes taken from the system */
};

/* @n bytes aligned for any object; NULL: out of memory. */
void *hp_arena_alloc(struct hp_arena *a, size_t n);
/* For hp_arena_copy(): there is no room left in the newest block. */
char *hp_arena_copy_far(struct hp_arena *a, const void *p, size_t n);

/* A copy of @n bytes with a NUL behind. NULL: out of memory. */
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
 * The same of HP_ARENA_SHORT bytes at most, of which so many can be read: what
 * is copied too much is overwritten by what follows. Has no loop to foresee.
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

#endif
