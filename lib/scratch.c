/*
 * scratch.c - memory that the items of a reader point to, used again for each
 * item
 */
#include "lib/internal.h"

#include "common/base/vec.h"

void *
hp_scratch_reserve(struct hp_scratch *s, size_t n)
{
	return hp_list_fit(&s->data, &s->size, n, 1) ? s->data : NULL;
}
