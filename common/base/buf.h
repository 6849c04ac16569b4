/*
 * buf.h - buffers of bytes that grow, and numbers as decimal text
 */
#ifndef HP_BUF_H
#define HP_BUF_H

#include "common/base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * ----------------------------------------------------------------------
 * The shortest decimal number that reads back as a given double or float
 *
 * The functions do not depend on the locale and allocate nothing. They use a
 * table that is computed once. The alternative would be to call printf() of the
 * C library with more and more digits, until strtod() reads the same number
 * back. That takes a microsecond for each number, and dumps contain double[]
 * with millions of elements.
 */

/*
 * The maximum number of characters of a double or float (HP_DECIMAL_MOST), and
 * of a uint64_t (HP_DECIMAL_U64), without a NUL.
 */
enum { HP_DECIMAL_MOST = 32, HP_DECIMAL_U64 = 20 };

/* Write @v to @to, which has HP_DECIMAL_U64 bytes. Returns the length. */
size_t hp_decimal_u64(char *to, uint64_t v);

/**
 * hp_decimal_double() - write a finite double as a JSON number
 * @to: HP_DECIMAL_MOST bytes
 *
 * Writes the shortest number that every correct parser reads back as @v. If
 * several numbers are equally short, writes the one that is nearest to @v.
 * Examples: "1500", "0.25", "1e-7", "-0.0".
 * Returns: the number of characters written, without a NUL.
 * Source:  R. Giulietti, "The Schubfach way to render doubles", 2020
 */
size_t hp_decimal_double(char *to, double v);

/*
 * Write a finite float as a JSON number, as hp_decimal_double() does for a
 * double: the shortest number that reads back as the float @v.
 */
size_t hp_decimal_float(char *to, float v);

/*
 * ----------------------------------------------------------------------
 * A growing byte buffer, in which text is built
 *
 * After a failed allocation, the buffer ignores all further appends. So callers
 * check hp_buf_ok() only once, at the end. These functions do not escape text;
 * escape.h and json.h do.
 */

/*
 * A growing byte buffer. A zeroed struct is an empty buffer. Invariants: len <=
 * cap; data is NULL until the first append.
 */
struct hp_buf {
	char *data;
	/*
	 * `len`: the number of bytes at `data` that contain text. `cap`: the
	 * number of bytes that are allocated there
	 */
	size_t len, cap;
	/*
	 * An allocation has failed. The bytes that were appended before it are
	 * kept; further appends are ignored.
	 */
	bool failed;
	/*
	 * The memory at `data` belongs to the caller, so the buffer cannot
	 * grow; see hp_buf_over().
	 */
	bool fixed;
};

/*
 * Make an empty buffer in @n bytes that belong to the caller. The buffer cannot
 * grow: appending more than @n bytes makes it fail.
 */
static inline struct hp_buf
hp_buf_over(char *bytes, size_t n)
{
	return (struct hp_buf){.data = bytes, .cap = n, .fixed = true};
}

/*
 * If the buffer @from has failed, mark the buffer @b as failed. Call this if
 * the contents of @b were made from the contents of @from: then @b is also
 * incomplete.
 */
static inline void
hp_buf_inherit(struct hp_buf *b, const struct hp_buf *from)
{
	b->failed |= from->failed;
}

/*
 * Free the memory of the buffer. The buffer is empty afterwards, and can be
 * used again.
 */
void hp_buf_release(struct hp_buf *b);

/*
 * Make the buffer empty, but keep the memory for later use. A buffer whose
 * allocation has failed stays failed, so that the caller may check only once,
 * after the last of several texts. A buffer of hp_buf_over() can be used again.
 */
static inline void
hp_buf_clear(struct hp_buf *b)
{
	b->len = 0;
	b->failed &= !b->fixed;
}

static inline bool
hp_buf_ok(const struct hp_buf *b)
{
	return !b->failed;
}

/**
 * hp_buf_grow() - enlarge the memory for hp_buf_reserve(); callers should use
 *                 hp_buf_reserve()
 *
 * Returns: true; false if out of memory, and then the buffer has failed.
 */
bool hp_buf_grow(struct hp_buf *b, size_t more);

/**
 * hp_buf_reserve() - make sure that @more bytes fit after the contents
 *
 * Returns: false if the buffer has failed, in this call or earlier. If true,
 *          the caller may write @more bytes at b->data + b->len and add their
 *          number to b->len.
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

/*
 * Append a C string that is part of the program. Use the functions of escape.h
 * for text from a dump, because that may contain control characters.
 */
static inline void
hp_buf_text(struct hp_buf *b, const char *text)
{
	hp_buf_add(b, text, strlen(text));
}

/* Append the byte @c @n times. */
void hp_buf_fill(struct hp_buf *b, char c, size_t n);

/*
 * Append the number in decimal digits without separators. The result does not
 * depend on the locale.
 */
void hp_buf_u64(struct hp_buf *b, uint64_t v);
void hp_buf_i64(struct hp_buf *b, int64_t v);

/*
 * Append lower-case hexadecimal digits without "0x", padded with zeros to at
 * least @digits digits (0 to 16).
 */
void hp_buf_hex(struct hp_buf *b, uint64_t v, unsigned digits);

/*
 * Append the shortest number that reads back as @v (see decimal.c), or "nan",
 * "inf", "-inf".
 */
void hp_buf_double(struct hp_buf *b, double v);
void hp_buf_float(struct hp_buf *b, float v);

void hp_buf_printf(struct hp_buf *b, const char *fmt, ...) HP_PRINTF(2, 3);
void hp_buf_vprintf(struct hp_buf *b, const char *fmt, va_list args)
	HP_PRINTF(2, 0);

/**
 * hp_buf_string() - get the contents of the buffer as a C string
 *
 * Returns: b->data, with a NUL appended that b->len does not count; "" if the
 *          buffer has failed, even if b->len is not 0. The string is valid
 *          until the next change of the buffer. If you also need the length,
 *          use hp_buf_length().
 */
const char *hp_buf_string(struct hp_buf *b);

/*
 * Returns the length of the string that hp_buf_string() returns: b->len, but 0
 * if the buffer has failed. The two functions may be called in any order.
 */
static inline size_t
hp_buf_length(struct hp_buf *b)
{
	return hp_buf_reserve(b, 1) ? b->len : 0;
}

/**
 * hp_buf_take() - transfer ownership of the bytes to the caller
 *
 * Returns: an allocated C string that the caller frees; NULL if the buffer has
 *          failed. The buffer is empty afterwards.
 */
char *hp_buf_take(struct hp_buf *b);

/**
 * hp_buf_read_file() - append a whole file
 * @most: the maximum size in bytes
 * @larger: the text of the message about a file that is too large, such as
 *          "larger than 64 MB"
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_DAMAGED if the file is larger.
 */
HP_MUST_USE enum hp_status hp_buf_read_file(struct hp_buf *b, const char *path,
					    size_t most, const char *larger,
					    struct hp_error *err);

/**
 * hp_buf_flush() - write the bytes to @file and clear the buffer
 *
 * Returns: HP_OK; HP_NOMEM if the buffer has failed; HP_IO.
 */
HP_MUST_USE enum hp_status hp_buf_flush(struct hp_buf *b, FILE *file,
					struct hp_error *err);

/**
 * hp_buf_drain() - if the buffer has at least @enough bytes, write them to
 * @file and clear the buffer
 * @failure: receives the first failure; after a failure the bytes are dropped
 */
void hp_buf_drain(struct hp_buf *b, size_t enough, FILE *file,
		  struct hp_error *failure);

/*
 * End the output that was written with hp_buf_drain(): write the remaining
 * bytes and free the memory of the buffer.
 * Returns: HP_OK, or the status of the first failure, whose text goes to @err.
 */
HP_MUST_USE enum hp_status
hp_buf_finish(struct hp_buf *b, struct hp_error *failure, struct hp_error *err);

#endif
