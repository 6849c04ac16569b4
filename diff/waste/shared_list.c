/*
 * shared_list.c - a list to which several threads append
 */
#include "diff/waste/shared_list.h"

#include "common/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* number of items that a thread takes at a time */
enum { BLOCK = 1024 };

enum hp_status
hp_shared_list_init(struct hp_shared_list *l, struct hp_big_memory *memory,
		    uint64_t size, uint64_t most, unsigned threads,
		    struct hp_error *err)
{
	*l = (struct hp_shared_list){.memory = memory, .size = size};
	pthread_mutex_init(&l->lock, NULL);
	return hp_big_array_reserve(&l->array,
				    (most + (uint64_t)threads * BLOCK) * size,
				    HP_BIG_IN_ORDER, err);
}

void
hp_shared_list_release(struct hp_shared_list *l)
{
	if (!l->memory)
		return;
	hp_big_array_drop(l->memory, &l->array);
	pthread_mutex_destroy(&l->lock);
	*l = (struct hp_shared_list){0};
}

static char *
item_at(const struct hp_shared_list *l, uint64_t index)
{
	return (char *)l->array.at + index * l->size;
}

static enum hp_status
take_block(struct hp_shared_list *l, struct hp_shared_places *p,
	   struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_lock(&l->lock);
	st = hp_big_array_grow(l->memory, &l->array,
			       (l->count + BLOCK) * l->size, err);
	if (st == HP_OK) {
		p->next = l->count;
		l->count += BLOCK;
		p->end = l->count;
	}
	pthread_mutex_unlock(&l->lock);
	return st;
}

void *
hp_shared_list_add(struct hp_shared_list *l, struct hp_shared_places *p,
		   struct hp_error *err)
{
	if (p->next == p->end && take_block(l, p, err) != HP_OK)
		return NULL;
	return item_at(l, p->next++);
}

static int
by_place(const void *a, const void *b)
{
	const struct hp_shared_places *x = a, *y = b;

	return hp_order(x->next, y->next);
}

void
hp_shared_list_close(struct hp_shared_list *l, struct hp_shared_places *places,
		     unsigned n)
{
	qsort(places, n, sizeof(*places), by_place);
	/* the last gap first, so that only items come after a gap */
	while (n-- > 0) {
		uint64_t gap = places[n].end - places[n].next;
		uint64_t after = l->count - places[n].end;
		uint64_t moved = gap < after ? gap : after;

		memcpy(item_at(l, places[n].next), item_at(l, l->count - moved),
		       moved * l->size);
		l->count -= gap;
	}
	hp_big_array_shrink(l->memory, &l->array, l->count * l->size);
}
