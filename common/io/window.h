/*
 * window.h - stretches of a plain file, mapped to be read without a copy
 *
 * A mapped file may become shorter, or its disk may fail: the pages that are
 * no longer there read as zeros then, and the window says that it was broken.
 * What was read is to be thrown away. Private to common/.
 */
#ifndef HP_IO_WINDOW_H
#define HP_IO_WINDOW_H

#include "common/base/status.h"

struct hp_window;

/*
 * Windows begin at multiples of this, in bytes: a kernel that keeps files in
 * large pages maps them whole then.
 */
#define HP_WINDOW_UNIT ((uint64_t)2 << 20)

/**
 * hp_window_open() - map a stretch of a regular file
 * @fd:     open for reading
 * @offset: in the file, any
 * @n:      bytes, from 1
 * @guarded: see to pages that are gone by a handler of SIGBUS, which the first
 *          such window of the process installs
 *
 * Returns: NULL where that cannot be mapped; read it then.
 * Ownership: one reference, given back with hp_window_unref().
 */
struct hp_window *hp_window_open(int fd, uint64_t offset, uint64_t n,
				 bool guarded);

/* One more reference. */
struct hp_window *hp_window_ref(struct hp_window *w);

/* Give a reference back, from any thread; NULL is allowed. */
void hp_window_unref(struct hp_window *w);

/* Is the stretch all in it? */
bool hp_window_covers(const struct hp_window *w, uint64_t offset, uint64_t n);

/* The byte at @offset, which is in the window. Read-only. */
const uint8_t *hp_window_at(const struct hp_window *w, uint64_t offset);

/* Has a page of it been missing when it was read? */
bool hp_window_broken(const struct hp_window *w);

#endif
