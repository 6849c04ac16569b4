/*
 * arena.c - memory given back all at once: a chain of blocks, the newest first
 *
 * Blocks double from 1 KiB to 1 MiB; what is large gets a block of its own
 * behind the newest one. Nothing is known of what the bytes hold.
 */
#include "common/base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_MIN = 1 << 10, BLOCK_MAX = 1 << 20, ALIGNMENT = 16 };

struct hp_arena_block {
	struct hp_arena_block *next;
	size_t size, used; /* bytes of data */
	_Alignas(ALIGNMENT) unsigned char data[];
};

/* A block for @n bytes; linked by the caller. */
static struct hp_arena_block *
new_block(struct hp_arena *a, size_t n)
{
	struct hp_arena_block *b;

	if (n > SIZE_MAX - sizeof(*b))
		return NULL;
	b = malloc(sizeof(*b) + n);
	if (!b)
		return NULL;
	b->next = NULL;
	b->size = n;
	b->used = 0;
	a->held += sizeof(*b) + n;
	return b;
}

/* @n bytes of a new block. */
static HP_APART void *
alloc_from_new_block(struct hp_arena *a, size_t n)
{
	struct hp_arena_block *top = a->blocks;
	size_t size = BLOCK_MIN;
	struct hp_arena_block *b;

	if (top && top->size >= BLOCK_MAX / 2)
		size = BLOCK_MAX;
	else if (top && top->size >= BLOCK_MIN)
		size = top->size * 2;
	b = new_block(a, n > size / 4 ? n : size);
	if (!b)
		return NULL;
	if (top && n > size / 4) {
		b->next = top->next;
		top->next = b;
	} else {
		b->next = top;
		a->blocks = b;
	}
	b->used = n;
	a->used += n;
	return b->data;
}

/* @n bytes at a multiple of @align, a power of two up to ALIGNMENT. */
HP_HOT void *
alloc_from_block(struct hp_arena *a, size_t n, size_t align)
{
	struct hp_arena_block *b = a->blocks;
	size_t skip;

	if (b) {
		skip = -b->used & (align - 1);
		if (skip <= b->size - b->used &&
		    n <= b->size - b->used - skip) {
			b->used += skip + n;
			a->used += skip + n;
			return b->data + b->used - n;
		}
	}
	return alloc_from_new_block(a, n);
}

void *
hp_arena_alloc(struct hp_arena *a, size_t n)
{
	return alloc_from_block(a, n, ALIGNMENT);
}

char *
hp_arena_copy(struct hp_arena *a, const void *p, size_t n)
{
	char *copy = n < SIZE_MAX ? alloc_from_block(a, n + 1, 1) : NULL;

	if (!copy)
		return NULL;
	if (n != 0)
		memcpy(copy, p, n);
	copy[n] = '\0';
	return copy;
}

void
hp_arena_release(struct hp_arena *a)
{
	struct hp_arena_block *next;

	while (a->blocks) {
		next = a->blocks->next;
		free(a->blocks);
		a->blocks = next;
	}
	*a = (struct hp_arena){0};
}
