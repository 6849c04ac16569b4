/*
 * cursor.h - the one bounds check of the project
 *
 * Every length that a dump claims is compared here with what is left, never
 * added to an offset. The hot loop of heap.h checks a whole fixed head at once
 * and then loads unchecked; that is the one exception.
 */
#ifndef HP_FORMAT_CURSOR_H
#define HP_FORMAT_CURSOR_H

#include "common/base/byte_order.h"
#include "common/base/status.h"

/* An id of 4 or 8 bytes. */
static inline uint64_t
hp_load_id(const void *p, unsigned id_size)
{
	return id_size == 8 ? hp_load8(p) : hp_load4(p);
}

/* An id of 4 or 8 bytes at @to; returns what is behind it. */
static inline uint8_t *
hp_store_id(uint8_t *to, uint64_t id, unsigned id_size)
{
	if (id_size == 8)
		hp_store8(to, id);
	else
		hp_store4(to, (uint32_t)id);
	return to + id_size;
}

/* An unsigned number of 1, 2, 4 or 8 bytes. */
static inline uint64_t
hp_load_uint(const void *p, unsigned width)
{
	switch (width) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		return hp_load2(p);
	case 4:
		return hp_load4(p);
	default:
		return hp_load8(p);
	}
}

/* Bytes as they stand there, to be compared with others of the kind. */
static inline uint32_t
hp_load_raw4(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The same of an id. */
static inline uint64_t
hp_load_raw_id(const void *p, unsigned id_size)
{
	uint64_t v = 0;

	memcpy(&v, p, id_size);
	return v;
}

struct hp_cursor { /* borrowed bytes; pos <= len */
	const uint8_t *data;
	uint64_t len, pos; /* bytes */
	uint64_t origin;   /* offset of data[0] in the dump */
};

static inline uint64_t
hp_left(const struct hp_cursor *c)
{
	return c->len - c->pos;
}

/**
 * hp_take() - split the next @n bytes off as a cursor of their own
 *
 * Returns: false, with nothing moved, if fewer than @n bytes are left.
 */
static inline HP_MUST_USE bool
hp_take(struct hp_cursor *c, uint64_t n, struct hp_cursor *out)
{
	if (n > c->len - c->pos)
		return false;
	*out = (struct hp_cursor){.data = c->data + c->pos,
				  .len = n,
				  .origin = c->origin + c->pos};
	c->pos += n;
	return true;
}

/**
 * hp_uint() - the next unsigned number of @width bytes (1, 2, 4 or 8)
 *
 * Returns: false, with nothing moved, if it is not there whole.
 */
static inline HP_MUST_USE bool
hp_uint(struct hp_cursor *c, unsigned width, uint64_t *v)
{
	struct hp_cursor part;

	if (!hp_take(c, width, &part))
		return false;
	*v = hp_load_uint(part.data, width);
	return true;
}

/* The next number of @width bytes in 32 bits; width at most 4. */
static inline HP_MUST_USE bool
hp_uint32(struct hp_cursor *c, unsigned width, uint32_t *v)
{
	uint64_t wide;

	if (!hp_uint(c, width, &wide))
		return false;
	*v = (uint32_t)wide;
	return true;
}

/**
 * hp_take_array() - split off @n elements of @width bytes
 *
 * Returns: false, with nothing moved, if they are not all there.
 */
static inline HP_MUST_USE bool
hp_take_array(struct hp_cursor *c, uint64_t n, unsigned width,
	      struct hp_cursor *out)
{
	if (n > hp_left(c) / width)
		return false;
	return hp_take(c, n * width, out);
}

#endif
