/*
 * cursor.h - read numbers and ranges of bytes from memory, with a check of
 * bounds for each read
 *
 * Every length in a dump is compared with the number of bytes that are left. It
 * is never added to an offset, because the sum could overflow. Only the hot
 * loop in heap.h works differently: it checks once that all fixed fields of a
 * sub-record are available, and then loads them without checks.
 */
#ifndef HP_FORMAT_CURSOR_H
#define HP_FORMAT_CURSOR_H

#include "common/base/bytes.h"
#include "common/base/status.h"

/* Load an id of 4 or 8 bytes from any address. */
static inline uint64_t
hp_load_id(const void *p, unsigned id_size)
{
	return id_size == 8 ? hp_load8(p) : hp_load4(p);
}

/*
 * Store an id in 4 or 8 bytes at @to. Returns a pointer to the byte after the
 * id.
 */
static inline uint8_t *
hp_store_id(uint8_t *to, uint64_t id, unsigned id_size)
{
	if (id_size == 8)
		hp_store8(to, id);
	else
		hp_store4(to, (uint32_t)id);
	return to + id_size;
}

/* Load an unsigned number of 1, 2, 4 or 8 bytes. */
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

/*
 * Load 4 bytes in the byte order of the processor. This is faster than a
 * big-endian load. Use the result only to test whether it equals another value
 * that was loaded in this way.
 */
static inline uint32_t
hp_load_raw4(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * Load an id in the byte order of the processor. Use the result only to test
 * whether it equals another id that was loaded in this way.
 */
static inline uint64_t
hp_load_raw_id(const void *p, unsigned id_size)
{
	uint64_t v = 0;

	memcpy(&v, p, id_size);
	return v;
}

/*
 * A range of borrowed bytes, and the position of the next byte to read.
 * Invariant: pos <= len.
 */
struct hp_cursor {
	const uint8_t *data;
	/*
	 * `len`: the number of bytes at `data`. `pos`: the offset in `data` of
	 * the next byte to read
	 */
	uint64_t len, pos;
	uint64_t origin; /* offset of data[0] in the dump */
};

static inline uint64_t
hp_left(const struct hp_cursor *c)
{
	return c->len - c->pos;
}

/**
 * hp_take() - let @out be a cursor over the next @n bytes, and step over these
 *             bytes
 *
 * Returns: false, without moving the cursor, if fewer than @n bytes are left.
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
 * hp_uint() - read an unsigned number of @width bytes (1, 2, 4 or 8)
 *
 * Returns: false, without moving the cursor, if fewer bytes are left.
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

/*
 * Read an unsigned number of @width bytes (1, 2 or 4). Returns false, without
 * moving the cursor, if fewer bytes are left.
 */
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
 * hp_take_array() - let @out be a cursor over the next @n elements of @width
 *                   bytes each, and step over these elements
 *
 * Returns: false, without moving the cursor, if fewer bytes are left.
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
