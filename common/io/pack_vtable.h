/*
 * pack_vtable.h - the interface through which sources and sinks read and write
 * packs
 *
 * Packs (common/pack) depend on the records of a dump, which common/io does not
 * know. So programs pass these operations in the options of sources and sinks.
 * Without them, a source reads a pack as plain bytes.
 */
#ifndef HP_IO_PACK_VTABLE_H
#define HP_IO_PACK_VTABLE_H

#include "common/io/container.h"

/*
 * Receives the next bytes of a pack that is being written. Returns HP_OK, or a
 * failure, which ends the writing.
 */
typedef enum hp_status hp_pack_vtable_put(void *context, const void *buf,
					  size_t n, struct hp_error *err);

struct hp_pack_vtable {
	struct hp_container container; /* how to read packs */
	uint64_t part; /* maximum number of bytes that are packed together */

	/*
	 * Returns the bytes of memory that one thread needs to pack @part bytes
	 * at a time at @level (0: the default level). Packing without threads
	 * needs the same.
	 */
	uint64_t (*packing)(int level, uint64_t part);
	/*
	 * Returns the number of bytes that are packed together for a dump of
	 * @size bytes. A longer item increases this number.
	 */
	uint64_t (*usual_part)(uint64_t size);

	/*
	 * Begin to write a pack. @put receives the bytes, from one thread at a
	 * time.
	 * @level: the zstd level; 0: the default. @most: maximum of bytes that
	 *   are packed together; 0: no limit. If the dump needs more, writing
	 *   fails with HP_LIMIT. Returns HP_OK; HP_NOMEM; HP_IO if no thread
	 *   can be started; HP_UNSUPPORTED if the level is not supported.
	 */
	enum hp_status (*open)(void **writer, hp_pack_vtable_put *put,
			       void *context, int level, unsigned threads,
			       uint64_t most, struct hp_error *err);
	/* Add the next bytes of the dump. The writer copies them. */
	enum hp_status (*write)(void *writer, const void *buf, size_t n,
				struct hp_error *err);
	/* Write all remaining bytes and the end of the pack. */
	enum hp_status (*finish)(void *writer, struct hp_error *err);
	/*
	 * Join the threads and free the writer. NULL is allowed. @write: first
	 * write the complete parts that were not written yet.
	 */
	void (*close)(void *writer, bool write);
};

/*
 * The number of threads for which @memory suffices, at most @wanted, if each
 * needs @each bytes. One more part of @each bytes waits. Returns 0 for none.
 */
static inline unsigned
hp_pack_vtable_threads(uint64_t each, uint64_t memory, unsigned wanted)
{
	uint64_t n = memory / each;

	if (n == 0)
		return 0;
	return n - 1 < wanted ? (unsigned)(n - 1) : wanted;
}

#endif
