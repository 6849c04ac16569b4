/*
 * spool.h - small numbers that wait in a nameless temporary file
 *
 * Written from first to last, then read so, then empty again. The first
 * megabytes stay in memory.
 */
#ifndef HP_TEXT_SPOOL_H
#define HP_TEXT_SPOOL_H

#include "common/base/status.h"

#include <endian.h>
#include <string.h>

struct hp_text_spool {
	uint8_t *buf;	 /* what is written last; then what is read */
	size_t at, len;	 /* bytes of it */
	uint64_t stored; /* bytes in the file */
	uint64_t read;	 /* of them, so far */
	int fd;		 /* if has_file */
	bool has_file;
};

/* A zeroed one is empty. */
void hp_text_spool_release(struct hp_text_spool *s);

/*
 * A number below HP_TEXT_NUMBER_LONG is a byte; else that and how many bytes
 * follow, less one, then these, the lowest first. Eight are always written and
 * read, so that no loop depends on a number.
 */
enum { HP_TEXT_NUMBER_LONG = 0xF8, HP_TEXT_NUMBER_MOST = 9 };

/* As many bytes of tag and numbers as an entry may have. */
enum { HP_TEXT_ENTRY_MOST = 1 + 6 * HP_TEXT_NUMBER_MOST };

/* Bytes that hp_text_spool_need() may be asked for. */
enum { HP_TEXT_SPOOL_NEED = 4 << 20 };

/* Room for one entry in the buffer; HP_OK, HP_NOMEM, HP_IO. */
HP_MUST_USE enum hp_status hp_text_spool_room(struct hp_text_spool *s,
					      struct hp_error *err);

/* Writes a number at @to, where HP_TEXT_NUMBER_MOST bytes are free; returns
 * what is behind it. */
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

/* Any number of bytes behind what was written; HP_OK, HP_NOMEM, HP_IO. */
HP_MUST_USE enum hp_status hp_text_spool_add(struct hp_text_spool *s,
					     const void *bytes, size_t n,
					     struct hp_error *err);

/* Only after hp_text_spool_room(). */
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

/* From now on it is read. */
HP_MUST_USE enum hp_status hp_text_spool_turn(struct hp_text_spool *s,
					      struct hp_error *err);
/* Is a whole entry there? false with HP_OK: the end. */
HP_MUST_USE enum hp_status hp_text_spool_more(struct hp_text_spool *s,
					      bool *more, struct hp_error *err);

/*
 * The next @n bytes, as many as were written with one call at most, are put
 * where they can be read at once; false with HP_OK: there are fewer.
 */
HP_MUST_USE enum hp_status hp_text_spool_need(struct hp_text_spool *s, size_t n,
					      bool *there,
					      struct hp_error *err);

/* Only after hp_text_spool_more() said so. */
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

/* Empty it, to be written again. */
void hp_text_spool_reset(struct hp_text_spool *s);

#endif
