/*
 * window.h - parts of a plain file, mapped into memory to read them without a
 * copy
 *
 * A mapped file may become shorter, or its disk may fail. A page that is no
 * longer readable then reads as zeros, and hp_window_broken() returns true. The
 * reader must discard what it has read. Private to common/.
 */
#ifndef HP_IO_WINDOW_H
#define HP_IO_WINDOW_H

#include "common/base/status.h"

struct hp_window;

/*
 * Windows begin at multiples of this number of bytes. This lets a kernel that
 * caches files in large pages map whole large pages.
 */
#define HP_WINDOW_UNIT ((uint64_t)2 << 20)

/**
 * hp_window_open() - map a part of a regular file
 * @fd: a descriptor that is open for reading
 * @offset: offset in the file, with any alignment
 * @n: number of bytes, at least 1
 * @guarded: use a SIGBUS handler to replace unreadable pages. The first guarded
 *   window installs it for the process.
 *
 * Returns: the window; NULL if it cannot be mapped: read the file instead.
 * Ownership: the caller has one reference, and releases it with
 *            hp_window_unref().
 */
struct hp_window *hp_window_open(int fd, uint64_t offset, uint64_t n,
				 bool guarded);

/* Add a reference. Returns @w. */
struct hp_window *hp_window_ref(struct hp_window *w);

/* Release a reference, from any thread. NULL is allowed. */
void hp_window_unref(struct hp_window *w);

/* Whether the window contains all @n bytes from @offset of the file. */
bool hp_window_covers(const struct hp_window *w, uint64_t offset, uint64_t n);

/*
 * Returns a pointer to the byte at @offset of the file, which must be in the
 * window. The bytes are read-only.
 */
const uint8_t *hp_window_at(const struct hp_window *w, uint64_t offset);

/* Whether a page of the window could not be read and was replaced by zeros. */
bool hp_window_broken(const struct hp_window *w);

#endif
