/*
 * record_writer.h - append numbers and record headers to a buffer
 *
 * This is used by code that creates dumps: the translation of text dumps, and
 * the agent, which contains only a small part of the project. Callers check
 * hp_buf_ok() once at the end.
 */
#ifndef HP_FORMAT_RECORD_WRITER_H
#define HP_FORMAT_RECORD_WRITER_H

#include <endian.h>

#include "common/base/buf.h"

/* Append the lower @width bytes of @v (1 to 8), big-endian. */
static inline void
hp_append_uint(struct hp_buf *b, uint64_t v, unsigned width)
{
	const uint64_t wide = htobe64(v << 8 * (8 - width));

	hp_buf_add(b, &wide, width);
}

/*
 * Append @v as a number of four bytes. If @v is larger than UINT32_MAX, append
 * UINT32_MAX.
 */
static inline void
hp_append_most(struct hp_buf *b, uint64_t v)
{
	hp_append_uint(b, v < UINT32_MAX ? v : UINT32_MAX, 4);
}

/* Append a record header. @length: the length of the body in bytes. */
static inline void
hp_append_record_head(struct hp_buf *b, uint8_t tag, uint32_t time_us,
		      uint64_t length)
{
	hp_append_uint(b, tag, 1);
	hp_append_uint(b, time_us, 4);
	hp_append_uint(b, length, 4);
}

#endif
