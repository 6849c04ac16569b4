/*
 * pack_vtable.h - how packs are read and written, as a source and a sink see it
 *
 * A pack (common/pack) knows records, which this floor does not: so programs
 * hand its operations in with the options of sources and sinks, and without
 * them a pack is bytes like any others.
 */
#ifndef HP_IO_PACK_VTABLE_H
#define HP_IO_PACK_VTABLE_H

#include "common/io/container.h"

/* The next bytes of a pack being written; HP_OK, or what stops the writing. */
typedef enum hp_status hp_pack_vtable_put(void *context, const void *buf,
					  size_t n, struct hp_error *err);

struct hp_pack_vtable {
	struct hp_container container; /* how packs are read */
	uint64_t part; /* bytes of what is packed that go together, at most */

	/* Bytes that a thread takes to pack @part bytes at a time at @level (0:
	 * the default); without threads it is as with one. */
	uint64_t (*packing)(int level, uint64_t part);
	/* Bytes that go together in a dump of @size, unless an item of it is
	 * longer. */
	uint64_t (*usual_part)(uint64_t size);

	/*
	 * Begin to write a pack. @put is called from one thread at a time.
	 * @level: zstd's, 0: the default. @most: bytes that may go together,
	 * 0: any number; if they do not do, writing fails with HP_LIMIT.
	 * HP_OK; HP_NOMEM; HP_IO (no thread); HP_UNSUPPORTED (level).
	 */
	enum hp_status (*open)(void **writer, hp_pack_vtable_put *put,
			       void *context, int level, unsigned threads,
			       uint64_t most, struct hp_error *err);
	/* The next bytes of what is packed; they are copied. */
	enum hp_status (*write)(void *writer, const void *buf, size_t n,
				struct hp_error *err);
	/* Writes all that waits. */
	enum hp_status (*finish)(void *writer, struct hp_error *err);
	/* Joins the threads and releases; NULL is allowed. @write: what goes
	 * together and is complete is written. */
	void (*close)(void *writer, bool write);
};

/* Of the threads that are wanted, as many as @memory has room for besides one
 * part that waits; 0: none. */
static inline unsigned
hp_pack_vtable_threads(uint64_t each, uint64_t memory, unsigned wanted)
{
	uint64_t n = memory / each;

	if (n == 0)
		return 0;
	return n - 1 < wanted ? (unsigned)(n - 1) : wanted;
}

#endif
