/*
 * buf.h - a growing run of bytes that text is built in
 *
 * A failed allocation sticks: further appends do nothing and hp_buf_ok() says
 * so once, at the end. What a byte means (escapes, JSON) is left to escape.h
 * and json.h.
 */
#ifndef HP_BUF_H
#define HP_BUF_H

#include <stdio.h>
#include <string.h>

#include "common/base/status.h"

/* A zeroed struct is an empty buffer. len <= cap; data is NULL at first. */
struct hp_buf {
	char *data;
	size_t len, cap; /* bytes */
	bool failed;	 /* an allocation failed; data is kept, not grown */
	bool fixed;	 /* data is the caller's, see hp_buf_over() */
};

/* An empty buffer over @n bytes of the caller's; more of them is a failure. */
static inline struct hp_buf
hp_buf_over(char *bytes, size_t n)
{
	return (struct hp_buf){.data = bytes, .cap = n, .fixed = true};
}

/* What is made of @from fails where @from has failed. */
static inline void
hp_buf_inherit(struct hp_buf *b, const struct hp_buf *from)
{
	b->failed |= from->failed;
}

/* Free the bytes; the buffer is empty and usable again. */
void hp_buf_release(struct hp_buf *b);

/* Forget the bytes and a failure, keep the memory. */
static inline void
hp_buf_clear(struct hp_buf *b)
{
	b->len = 0;
	b->failed = false;
}

static inline bool
hp_buf_ok(const struct hp_buf *b)
{
	return !b->failed;
}

/**
 * hp_buf_grow() - room for @more bytes; hp_buf_reserve() is what to call
 *
 * Returns: false, and the buffer has failed, if there is no memory.
 */
bool hp_buf_grow(struct hp_buf *b, size_t more);

/**
 * hp_buf_reserve() - make sure that @more bytes fit behind the end
 *
 * Returns: false if the buffer has failed, now or before. After true the
 *          caller may write @more bytes at data + len and add to len.
 */
static inline bool
hp_buf_reserve(struct hp_buf *b, size_t more)
{
	if (HP_LIKELY(!b->failed && more <= b->cap - b->len))
		return true;
	return hp_buf_grow(b, more);
}

static inline void
hp_buf_add(struct hp_buf *b, const void *bytes, size_t n)
{
	if (n == 0 || !hp_buf_reserve(b, n))
		return;
	memcpy(b->data + b->len, bytes, n);
	b->len += n;
}

static inline void
hp_buf_byte(struct hp_buf *b, char c)
{
	if (!hp_buf_reserve(b, 1))
		return;
	b->data[b->len++] = c;
}

/* A string of the program's own; text from a dump goes through escape.h. */
static inline void
hp_buf_text(struct hp_buf *b, const char *text)
{
	hp_buf_add(b, text, strlen(text));
}

/* @n times the byte @c. */
void hp_buf_fill(struct hp_buf *b, char c, size_t n);

/* Decimal digits, no separators, whatever the locale. */
void hp_buf_u64(struct hp_buf *b, uint64_t v);
void hp_buf_i64(struct hp_buf *b, int64_t v);

/* Lower-case hexadecimal, no "0x", at least @digits digits (0 to 16). */
void hp_buf_hex(struct hp_buf *b, uint64_t v, unsigned digits);

/* The shortest that reads back (decimal.h); "nan", "inf" and "-inf", too. */
void hp_buf_double(struct hp_buf *b, double v);
void hp_buf_float(struct hp_buf *b, float v);

void hp_buf_printf(struct hp_buf *b, const char *fmt, ...) HP_PRINTF(2, 3);
void hp_buf_vprintf(struct hp_buf *b, const char *fmt, va_list args)
	HP_PRINTF(2, 0);

/**
 * hp_buf_string() - the bytes as a C string
 *
 * Returns: data with a zero byte behind it (not counted in len), borrowed
 *          until the next call; "" if the buffer has failed, whatever its len:
 *          who wants a text and its length takes data and len.
 */
const char *hp_buf_string(struct hp_buf *b);

/**
 * hp_buf_take() - hand over the bytes
 *
 * Returns: an allocated C string that the caller frees, NULL if the buffer has
 *          failed; the buffer is empty afterwards.
 */
char *hp_buf_take(struct hp_buf *b);

/**
 * hp_buf_flush() - write the bytes to @file and clear the buffer
 *
 * Returns: HP_OK; HP_NOMEM if the buffer has failed; HP_IO.
 */
HP_MUST_USE enum hp_status hp_buf_flush(struct hp_buf *b, FILE *file,
					struct hp_error *err);

/**
 * hp_buf_drain() - write the bytes once there are @enough
 * @failure: the first one to write; with one the bytes are dropped
 */
void hp_buf_drain(struct hp_buf *b, size_t enough, FILE *file,
		  struct hp_error *failure);

/* The end of what hp_buf_drain() writes: the first failure for @err, its
 * status. Frees the bytes. */
HP_MUST_USE enum hp_status
hp_buf_finish(struct hp_buf *b, struct hp_error *failure, struct hp_error *err);

#endif
