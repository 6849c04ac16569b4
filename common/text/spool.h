/*
 * spool.h - small numbers that wait in a nameless temporary file
 *
 * Written from first to last, then read so, then empty again. The first
 * megabytes stay in memory.
 */
#ifndef HP_TEXT_SPOOL_H
#define HP_TEXT_SPOOL_H

#include "common/base/status.h"

struct hp_text_spool {
	uint8_t *buf;	 /* what is written last; then what is read */
	size_t at, len;	 /* bytes of it */
	uint64_t stored; /* bytes in the file */
	uint64_t read;	 /* of them, so far */
	int fd;		 /* if has_file */
	bool has_file, reading;
};

/* A zeroed one is empty. */
void hp_text_spool_release(struct hp_text_spool *s);

/* As many bytes of tag and numbers as an entry may have. */
enum { HP_TEXT_ENTRY_MOST = 1 + 6 * 10 };

/* Room for one entry, at *@end; HP_OK, HP_NOMEM, HP_IO. */
HP_MUST_USE enum hp_status hp_text_spool_room(struct hp_text_spool *s,
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
	while (v >= 0x80) {
		s->buf[s->len++] = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	s->buf[s->len++] = (uint8_t)v;
}

/* From now on it is read. */
HP_MUST_USE enum hp_status hp_text_spool_turn(struct hp_text_spool *s,
					      struct hp_error *err);
/* Is a whole entry there? false with HP_OK: the end. */
HP_MUST_USE enum hp_status hp_text_spool_more(struct hp_text_spool *s,
					      bool *more, struct hp_error *err);

/* Only after hp_text_spool_more() said so. */
static inline uint8_t
hp_text_spool_take(struct hp_text_spool *s)
{
	return s->buf[s->at++];
}

static inline uint64_t
hp_text_spool_take_number(struct hp_text_spool *s)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t c;

	do {
		c = s->buf[s->at++];
		v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return v;
}

/* Empty it, to be written again. */
void hp_text_spool_reset(struct hp_text_spool *s);

#endif
