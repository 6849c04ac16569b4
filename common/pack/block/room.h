/*
 * room.h - grow buffers that are reused for each block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ROOM_H
#define HP_PACK_ROOM_H

#include "common/base/vec.h"

/*
 * Round a size up, by at most a quarter, or by 1023 if that is more.
 * Consecutive blocks differ a little in size, and resizing a large buffer each
 * time would cost more than decoding a block.
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
 * hp_pack_make_room() - make room for @n items in a list
 * @list: address of the pointer to the items, which are kept
 * @room: number of items that fit
 * @size: bytes of an item
 *
 * Returns: true; false if out of memory, and then nothing changes.
 */
HP_MUST_USE static inline bool
hp_pack_make_room(void *list, size_t *room, size_t n, size_t size)
{
	return n <= *room || hp_list_resize(list, room, hp_pack_room(n), size);
}

#endif
