/*
 * buffer_pool.h - a pool of reference-counted buffers
 *
 * What was unpacked into a buffer can be worked on where it lies while the
 * next bytes are unpacked into another one. The one given back last is taken
 * first: it may still be in the processor's cache, and no more buffers are
 * made than are held at once. Private to common/.
 */
#ifndef HP_IO_BUFFER_POOL_H
#define HP_IO_BUFFER_POOL_H

#include "common/base/status.h"

#include <pthread.h>
#include <stdatomic.h>

struct hp_buffer_pool;

struct hp_buffer {
	uint8_t *bytes;
	size_t room;
	/* private */
	struct hp_buffer_pool *pool;
	struct hp_buffer *next; /* in the pool */
	atomic_uint holders;
};

struct hp_buffer_pool {
	pthread_mutex_t lock;
	struct hp_buffer *free;
};

void hp_buffer_pool_init(struct hp_buffer_pool *s);

/* Frees its buffers, which have all been given back. */
void hp_buffer_pool_release(struct hp_buffer_pool *s);

/**
 * hp_buffer_pool_take() - have room for @n bytes, whatever is in it
 * @b: *@b is NULL, or a buffer that nobody else holds; with too little room it
 *     is given back for another one
 *
 * Returns: the buffer's bytes; NULL, and no buffer: out of memory.
 * Ownership: one hold, given back with hp_buffer_unref(). From any thread.
 */
uint8_t *hp_buffer_pool_take(struct hp_buffer_pool *s, struct hp_buffer **b,
			     size_t n);

/* One hold more. */
struct hp_buffer *hp_buffer_ref(struct hp_buffer *b);

/* Give a hold back, from any thread; NULL is allowed. */
void hp_buffer_unref(struct hp_buffer *b);

#endif
