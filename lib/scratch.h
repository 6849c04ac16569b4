/*
 * scratch.h - reusable memory that the items of a reader point to
 *
 * Private to lib/.
 */
#ifndef HP_LIB_SCRATCH_H
#define HP_LIB_SCRATCH_H

#include <stddef.h>

/* A buffer that grows on demand. hprof_close() frees it. */
struct hp_scratch {
	void *data;
	size_t size; /* bytes */
};

/*
 * Make room for at least @n bytes, and keep the contents. Returns NULL if out
 * of memory.
 */
void *hp_scratch_reserve(struct hp_scratch *s, size_t n);

#endif
