/*
 * encode_segments.c - what the streams of a block are made of: a list of
 * segments, and the memory of those that are planes
 */
#include "common/pack/encode.h"

#include <stdlib.h>

bool
hp_pack_segment_add(struct hp_pack_encoder *e, unsigned stream,
		    const uint8_t *data, size_t n)
{
	if (e->nsegments == e->segments_room) {
		size_t room = e->segments_room ? 2 * e->segments_room : 256;
		void *list = realloc(e->segments, room * sizeof(*e->segments));

		if (!list)
			return false;
		e->segments = list;
		e->segments_room = room;
	}
	if (n > 0)
		e->segments[e->nsegments++] = (struct hp_pack_segment){
			.stream = (uint8_t)stream, .data = data, .n = n};
	return true;
}

uint8_t *
hp_pack_planes(struct hp_pack_encoder *e, size_t n)
{
	uint8_t *at = e->planes + e->planes_used;

	if (n > e->planes_room - e->planes_used)
		return NULL;
	e->planes_used += n;
	return at;
}
