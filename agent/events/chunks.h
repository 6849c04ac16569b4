/*
 * chunks.h - a growing array whose items never move
 *
 * Callbacks of the VM read items while another thread adds some, and without a
 * lock: ObjectFree may take none. So items stand in chunks, and a chunk's
 * address is published before the count that makes it visible.
 */
#ifndef HP_AGENT_CHUNKS_H
#define HP_AGENT_CHUNKS_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum {
	HP_CHUNK_BITS = 12,
	HP_CHUNK_ITEMS = 1 << HP_CHUNK_BITS,
	HP_CHUNKS = 4096, /* 16 M items at most */
};

/* Zeroed but for the size of an item. Item 0 is nobody's: 0 means none. */
struct hp_chunks {
	size_t size; /* bytes of an item */
	_Atomic(char *) chunk[HP_CHUNKS];
	_Atomic uint32_t count; /* with item 0 */
};

/* Item @i, which is below the count. Any thread. */
static inline void *
hp_chunks_at(const struct hp_chunks *c, uint32_t i)
{
	char *p = atomic_load_explicit(&c->chunk[i >> HP_CHUNK_BITS],
				       memory_order_acquire);

	return p + (i & (HP_CHUNK_ITEMS - 1)) * c->size;
}

static inline uint32_t
hp_chunks_count(const struct hp_chunks *c)
{
	uint32_t n = atomic_load_explicit(&c->count, memory_order_acquire);

	return n ? n : 1;
}

/* The number of the last item; 0: there is none. */
static inline uint32_t
hp_chunks_last(const struct hp_chunks *c)
{
	return hp_chunks_count(c) - 1;
}

/**
 * hp_chunks_next() - room for one more item, zeroed and not yet visible
 *
 * One thread at a time; hp_chunks_publish() makes it the item of that number.
 * Returns: NULL: out of memory, or the array is full.
 */
static inline void *
hp_chunks_next(struct hp_chunks *c)
{
	uint32_t i = hp_chunks_count(c);
	_Atomic(char *) *slot;
	char *p;

	if (i >> HP_CHUNK_BITS >= HP_CHUNKS)
		return NULL;
	slot = &c->chunk[i >> HP_CHUNK_BITS];
	if (!atomic_load_explicit(slot, memory_order_relaxed)) {
		p = calloc(HP_CHUNK_ITEMS, c->size);
		if (!p)
			return NULL;
		atomic_store_explicit(slot, p, memory_order_release);
	}
	return hp_chunks_at(c, i);
}

/* Returns: the number of the item that hp_chunks_next() gave. */
static inline uint32_t
hp_chunks_publish(struct hp_chunks *c)
{
	uint32_t i = hp_chunks_count(c);

	atomic_store_explicit(&c->count, i + 1, memory_order_release);
	return i;
}

#endif
