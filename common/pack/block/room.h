/*
 * room.h - buffers that are kept from block to block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ROOM_H
#define HP_PACK_ROOM_H

#include "common/base/vec.h"

/*
 * The room to take for @n, in any unit: up to a quarter more. Of blocks in a
 * row each is a little larger or smaller than the last, and pages that are
 * given back and taken again cost more than decoding what is in them.
 */
static inline size_t
hp_pack_room(size_t n)
{
	size_t step = 1024;

	while (step < n / 8)
		step *= 2;
	return n + (step - n % step) % step;
}

/**
 * hp_pack_make_room() - room for @n items in all in a list
 * @list: the address of the pointer to the items, which are kept
 * @room: items that fit, changed together with @list
 * @size: bytes of an item
 *
 * Returns: false without memory; nothing has changed then.
 */
HP_MUST_USE static inline bool
hp_pack_make_room(void *list, size_t *room, size_t n, size_t size)
{
	return n <= *room || hp_list_resize(list, room, hp_pack_room(n), size);
}

#endif
