/*
 * buffer_pool.c - a pool of reference-counted buffers that are reused
 */
#include "common/io/workers.h"
#include "common/base/memory.h"

#define ROOM_LEAST ((size_t)4 << 10)

void
hp_buffer_pool_init(struct hp_buffer_pool *s)
{
	pthread_mutex_init(&s->lock, NULL);
	s->free = NULL;
}

static void
buffer_free(struct hp_buffer *b)
{
	if (b)
		hp_free(b->bytes);
	hp_free(b);
}

void
hp_buffer_pool_release(struct hp_buffer_pool *s)
{
	struct hp_buffer *next;

	for (struct hp_buffer *b = s->free; b; b = next) {
		next = b->next;
		buffer_free(b);
	}
	s->free = NULL;
	pthread_mutex_destroy(&s->lock);
}

/*
 * Take an unused buffer out of the pool: the most recently returned one that
 * has room for @n bytes. If all unused buffers are too small, take the most
 * recently returned one, which the caller replaces by a larger one. Returns
 * NULL if the pool has no unused buffer.
 */
static struct hp_buffer *
pick_buffer(struct hp_buffer_pool *s, size_t n)
{
	struct hp_buffer **at, *b;

	pthread_mutex_lock(&s->lock);
	for (at = &s->free; *at && (*at)->room < n; at = &(*at)->next)
		;
	if (!*at)
		at = &s->free;
	b = *at;
	if (b)
		*at = b->next;
	pthread_mutex_unlock(&s->lock);
	return b;
}

/*
 * Allocate a buffer. The size is a power of two, so that the buffer can also be
 * reused for blocks of a slightly different size. Returns NULL if out of
 * memory.
 */
static struct hp_buffer *
buffer_new(struct hp_buffer_pool *s, size_t n)
{
	struct hp_buffer *b = hp_calloc(1, sizeof(*b));
	size_t room = ROOM_LEAST;

	while (room < n && room <= SIZE_MAX / 2)
		room *= 2;
	if (b && room >= n)
		b->bytes = hp_malloc(room);
	if (!b || !b->bytes) {
		hp_free(b);
		return NULL;
	}
	b->room = room;
	b->pool = s;
	atomic_init(&b->holders, 0);
	return b;
}

uint8_t *
hp_buffer_pool_take(struct hp_buffer_pool *s, struct hp_buffer **b, size_t n)
{
	if (*b && (*b)->room >= n)
		return (*b)->bytes;
	hp_buffer_unref(*b);
	*b = pick_buffer(s, n);
	if (*b && (*b)->room < n) {
		buffer_free(*b);
		*b = NULL;
	}
	if (!*b)
		*b = buffer_new(s, n);
	return *b ? hp_buffer_ref(*b)->bytes : NULL;
}

struct hp_buffer *
hp_buffer_ref(struct hp_buffer *b)
{
	atomic_fetch_add_explicit(&b->holders, 1, memory_order_relaxed);
	return b;
}

void
hp_buffer_unref(struct hp_buffer *b)
{
	struct hp_buffer_pool *s;

	if (!b || atomic_fetch_sub(&b->holders, 1) > 1)
		return;
	s = b->pool;
	pthread_mutex_lock(&s->lock);
	b->next = s->free;
	s->free = b;
	pthread_mutex_unlock(&s->lock);
}
