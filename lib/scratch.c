/*
 * scratch.c - the buffers for the contents of an item, which are used again for
 * the next item
 */
#include "lib/internal.h"

#include "common/base/vec.h"

void *
hp_scratch_reserve(struct hp_scratch *s, size_t n)
{
	return hp_list_fit(&s->data, &s->size, n, 1) ? s->data : NULL;
}
