/*
 * bytes.h - load and store numbers in a given byte order, round up to an
 * alignment, compare a part of a text, and read a list
 */
#ifndef HP_BASE_BYTES_H
#define HP_BASE_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ----------------------------------------------------------------------
 * Load and store numbers at any alignment, without bounds checks
 *
 * Dumps are big-endian; gzip, zstd and packs are little-endian.
 */

#define HP_LOAD_AS(name, type, from)                                           \
	static inline type name(const void *p)                                 \
	{                                                                      \
		type v;                                                        \
                                                                               \
		memcpy(&v, p, sizeof(v));                                      \
		return from(v);                                                \
	}
#define HP_STORE_AS(name, type, to)                                            \
	static inline void name(void *p, type v)                               \
	{                                                                      \
		v = to(v);                                                     \
		memcpy(p, &v, sizeof(v));                                      \
	}

/* Load a big-endian number of 2, 4 or 8 bytes. */
HP_LOAD_AS(hp_load2, uint16_t, be16toh)
HP_LOAD_AS(hp_load4, uint32_t, be32toh)
HP_LOAD_AS(hp_load8, uint64_t, be64toh)
HP_STORE_AS(hp_store2, uint16_t, htobe16)
HP_STORE_AS(hp_store4, uint32_t, htobe32)
HP_STORE_AS(hp_store8, uint64_t, htobe64)

/* Load a little-endian number of 2, 4 or 8 bytes. */
HP_LOAD_AS(hp_le2, uint16_t, le16toh)
HP_LOAD_AS(hp_le4, uint32_t, le32toh)
HP_LOAD_AS(hp_le8, uint64_t, le64toh)
HP_STORE_AS(hp_put_le2, uint16_t, htole16)
HP_STORE_AS(hp_put_le4, uint32_t, htole32)
HP_STORE_AS(hp_put_le8, uint64_t, htole64)

/* ----------------------------------------------------------------------
 * Round sizes and offsets up to an alignment
 */

/* Round @n up to a multiple of @to, a power of two. If @to is 0, returns @n. */
static inline uint64_t
hp_align_up(uint64_t n, uint64_t to)
{
	return to > 1 ? (n + to - 1) & -to : n;
}

/* ----------------------------------------------------------------------
 * A part of a text
 */

struct hp_slice {
	const char *text;
	size_t length;
};

/* Whether @s has the same bytes as the given C string. */
static inline bool
hp_slice_is(struct hp_slice s, const char *text)
{
	return s.length == strlen(text) && memcmp(s.text, text, s.length) == 0;
}

/**
 * hp_list_next() - read the next element of a list such as "count,bytes"
 * @rest: the text that is not read yet; receives the text after the element and
 *        its comma, or NULL after the last element
 * @item: receives the element. An element may be empty: "a,,b" has three
 *        elements, and "" has one
 *
 * Returns: false if *@rest is NULL, because all elements were read.
 */
static inline bool
hp_list_next(const char **rest, struct hp_slice *item)
{
	if (!*rest)
		return false;
	item->text = *rest;
	item->length = strcspn(*rest, ",");
	*rest += item->length;
	*rest = **rest ? *rest + 1 : NULL;
	return true;
}

/*
 * hp_begins_with() and hp_ends_with(): whether the @n bytes at @text begin (or
 * end) with the given C string. The empty string always matches.
 */
static inline bool
hp_begins_with(const char *text, size_t n, const char *begin)
{
	size_t length = strlen(begin);

	return n >= length && memcmp(text, begin, length) == 0;
}

static inline bool
hp_ends_with(const char *text, size_t n, const char *end)
{
	size_t length = strlen(end);

	return n >= length && memcmp(text + n - length, end, length) == 0;
}

#endif
