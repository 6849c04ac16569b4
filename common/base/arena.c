/*
 * arena.c - an arena allocator: a chain of blocks, the newest first
 *
 * The first block has 1 KiB, and each further block is twice as large as the
 * one before, up to 256 KiB. A large allocation gets a block of its own, which
 * comes after the newest block in the chain, so that the free bytes of the
 * newest block can still be used.
 */
#include "common/base/arena.h"
#include "common/base/memory.h"

#include <string.h>

enum { BLOCK_MIN = 1 << 10, BLOCK_MAX = 1 << 18, ALIGNMENT = 16 };

struct hp_arena_block {
	struct hp_arena_block *next;
	size_t size; /* number of bytes in `data` */
	_Alignas(ALIGNMENT) unsigned char data[];
};

/*
 * Allocate a block of memory with room for at least @n bytes. The caller adds
 * the block to the list of the arena.
 */
static struct hp_arena_block *
new_block(struct hp_arena *a, size_t n)
{
	struct hp_arena_block *b;

	if (n > SIZE_MAX - sizeof(*b))
		return NULL;
	b = hp_malloc(sizeof(*b) + n);
	if (!b)
		return NULL;
	b->next = NULL;
	b->size = n;
	a->held += sizeof(*b) + n;
	return b;
}

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
		a->at = b->data + n;
		a->end = b->data + b->size;
	}
	return b->data;
}

void *
hp_arena_alloc(struct hp_arena *a, size_t n)
{
	size_t skip = -(uintptr_t)a->at & (ALIGNMENT - 1);
	size_t room = (size_t)(a->end - a->at);

	if (!a->at || skip > room || n > room - skip)
		return alloc_from_new_block(a, n);
	a->at += skip + n;
	return a->at - n;
}

char *
hp_arena_copy_far(struct hp_arena *a, const void *p, size_t n)
{
	char *copy = n < SIZE_MAX ? alloc_from_new_block(a, n + 1) : NULL;

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
		hp_free(a->blocks);
		a->blocks = next;
	}
	*a = (struct hp_arena){0};
}
