/*
 * record_writer.h - numbers and records' heads appended to a buffer
 *
 * What makes records from nothing shares it: the text's reader, and the agent,
 * which links little else of the project. Whether all of it fitted is what
 * hp_buf_ok() says at the end.
 */
#ifndef HP_FORMAT_RECORD_WRITER_H
#define HP_FORMAT_RECORD_WRITER_H

#include <endian.h>

#include "common/base/buf.h"

/* The lower @width bytes of @v, 1 to 8 of them, big-endian. */
static inline void
hp_append_uint(struct hp_buf *b, uint64_t v, unsigned width)
{
	const uint64_t wide = htobe64(v << 8 * (8 - width));

	hp_buf_add(b, &wide, width);
}

/* As many as four bytes hold of @v, in these. */
static inline void
hp_append_most(struct hp_buf *b, uint64_t v)
{
	hp_append_uint(b, v < UINT32_MAX ? v : UINT32_MAX, 4);
}

/* A record's head; @length: bytes of its body. */
static inline void
hp_append_record_head(struct hp_buf *b, uint8_t tag, uint32_t time_us,
		      uint64_t length)
{
	hp_append_uint(b, tag, 1);
	hp_append_uint(b, time_us, 4);
	hp_append_uint(b, length, 4);
}

#endif
