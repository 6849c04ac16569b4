/*
 * arena.h - memory given back all at once
 */
#ifndef HP_ARENA_H
#define HP_ARENA_H

#include "common/base/status.h"

struct hp_arena_block;

/* A zeroed one is ready. Blocks never move. */
struct hp_arena {
	struct hp_arena_block *blocks;
	size_t used; /* bytes given out */
	size_t held; /* bytes taken from the system */
};

/* @n bytes aligned for any object; NULL: out of memory. */
void *hp_arena_alloc(struct hp_arena *a, size_t n);
/* A copy of @n bytes with a NUL behind. */
char *hp_arena_copy(struct hp_arena *a, const void *p, size_t n);
void hp_arena_release(struct hp_arena *a);

#endif
