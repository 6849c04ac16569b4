/*
 * scratch.h - memory that the items of a reader point to
 *
 * Private to lib/.
 */
#ifndef HP_LIB_SCRATCH_H
#define HP_LIB_SCRATCH_H

#include <stddef.h>

/* Memory that grows with what arrives; given back with the reader. */
struct hp_scratch {
	void *data;
	size_t size; /* bytes */
};

/* At least @n bytes; what was there is kept. NULL: out of memory. */
void *hp_scratch_reserve(struct hp_scratch *s, size_t n);

#endif
