/*
 * buffer_pool.h - a pool of reference-counted buffers
 *
 * The consumer can use the decompressed bytes of one buffer in place, while the
 * next bytes are decompressed into another buffer. The pool is a stack: the
 * buffer that was returned last is reused first, because it may still be in the
 * processor's cache. So there are never more buffers than are used at once.
 * Private to common/.
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
	/* private to buffer_pool.c */
	struct hp_buffer_pool *pool;
	struct hp_buffer *next; /* next buffer in the pool */
	atomic_uint holders;
};

struct hp_buffer_pool {
	pthread_mutex_t lock;
	struct hp_buffer *free;
};

void hp_buffer_pool_init(struct hp_buffer_pool *s);

/* Free the pool and its buffers, which must all have been returned. */
void hp_buffer_pool_release(struct hp_buffer_pool *s);

/**
 * hp_buffer_pool_take() - get a buffer with room for @n bytes; its contents are
 * undefined
 * @b: *@b is NULL, or a buffer that has no other holder. If that buffer is too
 *   small, it is returned to the pool and replaced.
 *
 * Returns: the bytes of the buffer; NULL if out of memory, and then *@b is
 *          NULL, too.
 * Ownership: the caller has one reference, and releases it with
 *            hp_buffer_unref(), on any thread.
 */
uint8_t *hp_buffer_pool_take(struct hp_buffer_pool *s, struct hp_buffer **b,
			     size_t n);

/* Add a reference. Returns @b. */
struct hp_buffer *hp_buffer_ref(struct hp_buffer *b);

/*
 * Release a reference, on any thread. NULL is allowed. The last release returns
 * the buffer to the pool.
 */
void hp_buffer_unref(struct hp_buffer *b);

#endif
