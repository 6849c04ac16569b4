/*
 * hold.h - a buffer for the bytes of a long sub-record, until it is known that
 * the input contains all of it
 *
 * Private to long_record.c. The bytes are in memory and, after the first
 * HP_HOLD_MEMORY bytes, in an unnamed temporary file.
 */
#ifndef HP_FORMAT_HOLD_H
#define HP_FORMAT_HOLD_H

#include "common/format/reader.h"

enum { HP_HOLD_MEMORY = 16 << 20 }; /* maximum bytes in memory */

struct hp_hold {
	uint8_t *data; /* the part of the bytes that is in memory */
	size_t have, cap;
	uint64_t total; /* bytes in memory and in the file */
	uint64_t taken; /* bytes that hp_hold_read() has returned */
	const char *dir;
	int fd; /* the temporary file; used only if total > have */
};

/*
 * Initialise an empty buffer. @dir: the folder for the temporary file, see
 * hp_anon_file_open().
 */
void hp_hold_init(struct hp_hold *h, const char *dir);
void hp_hold_release(struct hp_hold *h);

/**
 * hp_hold_fill() - read the next @n bytes of the current record's body
 * @h: must be empty: hp_hold_left() is 0
 *
 * Returns: HP_OK, also with fewer bytes if the record or the input ends (check
 *          hp_hold_left()); HP_IO; HP_NOMEM; or the failures of
 *          hp_reader_read().
 */
HP_MUST_USE enum hp_status hp_hold_fill(struct hp_hold *h, struct hp_reader *r,
					uint64_t n, struct hp_error *err);

/* The number of bytes that were not read yet. */
static inline uint64_t
hp_hold_left(const struct hp_hold *h)
{
	return h->total - h->taken;
}

/*
 * Read the next @n bytes, or fewer if hp_hold_left() is less. *@got receives
 * their number. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_hold_read(struct hp_hold *h, uint8_t *buf,
					size_t n, size_t *got,
					struct hp_error *err);

#endif
