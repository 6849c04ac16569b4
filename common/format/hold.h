/*
 * hold.h - bytes of a record that wait until it is known whether what they
 * belong to is whole
 *
 * For long_record.c only. They wait in memory and, beyond a few megabytes, in
 * a file without a name.
 */
#ifndef HP_FORMAT_HOLD_H
#define HP_FORMAT_HOLD_H

#include "common/format/reader.h"

enum { HP_HOLD_MEMORY = 16 << 20 }; /* bytes that wait in memory */

struct hp_hold {
	uint8_t *data; /* the first ones */
	size_t have, cap;
	uint64_t total; /* with those in the file */
	uint64_t taken; /* that were handed out */
	const char *dir;
	int fd; /* once total > have */
};

/* @dir: as of hp_anon_file_open(). */
void hp_hold_init(struct hp_hold *h, const char *dir);
void hp_hold_release(struct hp_hold *h);

/**
 * hp_hold_fill() - take the next @n bytes of the current record's body
 * @h: nothing is left in it
 *
 * Returns: HP_OK, also with fewer (hp_hold_left()), where the record or the
 *          input ends; as hp_reader_read(); HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_hold_fill(struct hp_hold *h, struct hp_reader *r,
					uint64_t n, struct hp_error *err);

/* Bytes that wait. */
static inline uint64_t
hp_hold_left(const struct hp_hold *h)
{
	return h->total - h->taken;
}

/* The next @n bytes, hp_hold_left() at most: how many. HP_OK; HP_IO. */
HP_MUST_USE enum hp_status hp_hold_read(struct hp_hold *h, uint8_t *buf,
					size_t n, size_t *got,
					struct hp_error *err);

#endif
