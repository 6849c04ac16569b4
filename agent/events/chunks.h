/*
 * chunks.h - a growing array whose items never move
 *
 * Callbacks of the JVM read items without a lock, while another thread may add
 * some: the callback for ObjectFree must not lock. Therefore items are in
 * chunks of fixed size, which never move. To add items, a thread first stores
 * the address of a new chunk, and then increases the count, so that readers see
 * only complete items.
 */
#ifndef HP_AGENT_CHUNKS_H
#define HP_AGENT_CHUNKS_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum {
	HP_CHUNK_BITS = 12,
	HP_CHUNK_ITEMS = 1 << HP_CHUNK_BITS,
	/* maximum number of chunks, which is enough for 16 million items */
	HP_CHUNKS = 4096,
};

/*
 * An array. To make an empty one, zero the struct and set `size`. Item 0 is not
 * used, so that 0 can mean "none".
 */
struct hp_chunks {
	size_t size; /* size of an item in bytes */
	_Atomic(char *) chunk[HP_CHUNKS];
	/* number of items, including item 0, which is not used */
	_Atomic uint32_t count;
};

/*
 * Returns item @i. The number @i must be less than the count. Any thread may
 * call this function.
 */
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

/* Returns the number of the last item, or 0 if the array has no item. */
static inline uint32_t
hp_chunks_last(const struct hp_chunks *c)
{
	return hp_chunks_count(c) - 1;
}

/**
 * hp_chunks_next() - get a zeroed item after the last one
 *
 * Other threads cannot see the item until hp_chunks_publish() is called. Only
 * one thread at a time may add items.
 * Returns: the item; NULL if out of memory or if the array is full.
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

/*
 * Make the item that hp_chunks_next() returned visible to other threads.
 * Returns the number of the item.
 */
static inline uint32_t
hp_chunks_publish(struct hp_chunks *c)
{
	uint32_t i = hp_chunks_count(c);

	atomic_store_explicit(&c->count, i + 1, memory_order_release);
	return i;
}

#endif
