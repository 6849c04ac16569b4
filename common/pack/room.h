/*
 * room.h - buffers that are kept from block to block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ROOM_H
#define HP_PACK_ROOM_H

#include "common/base/status.h"

#include <stdlib.h>

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
 * hp_pack_make_room() - room for @n bytes; what was there is lost
 * @buf:  a buffer of malloc(), or NULL
 * @room: how many bytes it takes
 *
 * Returns: false without memory; nothing has changed then.
 */
HP_MUST_USE static inline bool
hp_pack_make_room(uint8_t **buf, size_t *room, size_t n)
{
	uint8_t *larger;

	if (n <= *room)
		return true;
	n = hp_pack_room(n);
	larger = realloc(*buf, n); /* large ones keep their pages */
	if (!larger)
		return false;
	*buf = larger;
	*room = n;
	return true;
}

#endif
