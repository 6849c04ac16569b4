/*
 * spool.h - a queue of small numbers, in memory and in an unlinked temporary
 * file
 *
 * The queue stores the objects of a heap dump, because they can be written only
 * after the last line of the dump was read. First all numbers are appended,
 * then all numbers are read in the same order. Afterwards the queue is empty
 * again. The first megabytes stay in memory.
 */
#ifndef HP_TEXT_SPOOL_H
#define HP_TEXT_SPOOL_H

#include "common/base/status.h"

#include <endian.h>
#include <string.h>

struct hp_text_spool {
	/*
	 * While numbers are appended: the newest bytes of the queue, which are
	 * not in the file yet. While numbers are read: the next bytes of the
	 * queue to read.
	 */
	uint8_t *buf;
	/*
	 * offset in `buf` of the next byte to read, and number of bytes in
	 * `buf`
	 */
	size_t at, len;
	/* number of bytes that were written to the temporary file */
	uint64_t stored;
	/*
	 * number of bytes of the temporary file that were read back into `buf`
	 */
	uint64_t read;
	int fd; /* descriptor of the file; valid if has_file is true */
	bool has_file;
};

/*
 * Free the memory and close the file. Afterwards the spool is empty. A
 * zero-initialised spool is also empty.
 */
void hp_text_spool_release(struct hp_text_spool *s);

/*
 * The encoding of numbers. A number below HP_TEXT_NUMBER_LONG is one byte. The
 * first byte of a larger number is HP_TEXT_NUMBER_LONG - 1 plus the number of
 * bytes that follow. These bytes are little-endian. Functions always read or
 * write eight bytes at once, so that they need no loop over the bytes of a
 * number.
 */
enum { HP_TEXT_NUMBER_LONG = 0xF8, HP_TEXT_NUMBER_MOST = 9 };

/*
 * Maximum number of bytes of an entry (a stored line): one byte for its kind,
 * and up to six numbers.
 */
enum { HP_TEXT_ENTRY_MOST = 1 + 6 * HP_TEXT_NUMBER_MOST };

/*
 * The maximum number of bytes that one call of hp_text_spool_need() can load.
 */
enum { HP_TEXT_SPOOL_NEED = 4 << 20 };

/*
 * Ensure that the buffer has space for one entry (a stored line). Returns
 * HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_text_spool_room(struct hp_text_spool *s,
					      struct hp_error *err);

/*
 * Encode the number @v at @to, where HP_TEXT_NUMBER_MOST bytes must be free.
 * Returns the position after the encoded number.
 */
static inline uint8_t *
hp_text_number_put(uint8_t *to, uint64_t v)
{
	const uint64_t bytes = htole64(v);
	unsigned more;

	if (v < HP_TEXT_NUMBER_LONG) {
		*to = (uint8_t)v;
		return to + 1;
	}
	more = (unsigned)(63 - __builtin_clzll(v)) / 8;
	*to = (uint8_t)(HP_TEXT_NUMBER_LONG + more);
	memcpy(to + 1, &bytes, sizeof(bytes));
	return to + more + 2;
}

/* Append @n bytes to the queue. Returns HP_OK; HP_NOMEM; HP_IO. */
HP_MUST_USE enum hp_status hp_text_spool_add(struct hp_text_spool *s,
					     const void *bytes, size_t n,
					     struct hp_error *err);

/* Append a byte to the queue. Call hp_text_spool_room() first. */
static inline void
hp_text_spool_byte(struct hp_text_spool *s, uint8_t v)
{
	s->buf[s->len++] = v;
}

static inline void
hp_text_spool_number(struct hp_text_spool *s, uint64_t v)
{
	s->len = (size_t)(hp_text_number_put(s->buf + s->len, v) - s->buf);
}

/* Switch the queue from appending to reading. Returns HP_OK; HP_IO. */
HP_MUST_USE enum hp_status hp_text_spool_turn(struct hp_text_spool *s,
					      struct hp_error *err);
/*
 * Load the next entry (a stored line) completely into the buffer. *@more
 * receives false if there is no further entry. Returns HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_text_spool_more(struct hp_text_spool *s,
					      bool *more, struct hp_error *err);

/*
 * Load the next @n bytes, at most HP_TEXT_SPOOL_NEED, into the buffer. *@there
 * receives false if fewer bytes are left. Returns HP_OK; HP_IO.
 */
HP_MUST_USE enum hp_status hp_text_spool_need(struct hp_text_spool *s, size_t n,
					      bool *there,
					      struct hp_error *err);

/* Read a byte of the entry that hp_text_spool_more() has loaded. */
static inline uint8_t
hp_text_spool_take(struct hp_text_spool *s)
{
	return s->buf[s->at++];
}

static inline uint64_t
hp_text_spool_take_number(struct hp_text_spool *s)
{
	uint8_t first = s->buf[s->at++];
	uint64_t v;
	unsigned more;

	if (first < HP_TEXT_NUMBER_LONG)
		return first;
	more = first - HP_TEXT_NUMBER_LONG;
	memcpy(&v, s->buf + s->at, sizeof(v));
	s->at += more + 1;
	return le64toh(v) & UINT64_MAX >> (56 - 8 * more);
}

/* Empty the spool (temporary file), so that entries can be appended again. */
void hp_text_spool_reset(struct hp_text_spool *s);

#endif
