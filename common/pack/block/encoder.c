/*
 * encoder.c - memory for the planes and segments of a block's data streams
 *
 * A plane has one byte of each number of a column. planes_used is the number of
 * bytes of planes in use, planes_room the number of allocated bytes. Invariant
 * I1: planes_used <= planes_room.
 */
#include "common/pack/block/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <assert.h>

bool
hp_pack_segment_add(struct hp_pack_encoder *e, unsigned stream,
		    const uint8_t *data, size_t n)
{
	if (!HP_LIST_RESERVE(e->segments, e->nsegments, e->segments_room))
		return false;
	if (n > 0)
		e->segments[e->nsegments++] = (struct hp_pack_segment){
			.stream = (uint8_t)stream, .data = data, .n = n};
	return true;
}

uint8_t *
hp_pack_planes(struct hp_pack_encoder *e, size_t n)
{
	uint8_t *at = e->planes + e->planes_used;

	/* invariant I1; see the comment at the top of this file */
	assert(e->planes_used <= e->planes_room);
	if (n > e->planes_room - e->planes_used)
		return NULL;
	e->planes_used += n;
	return at;
}

void
hp_pack_encoder_release(struct hp_pack_encoder *e)
{
	hp_pack_table_release(&e->table);
	hp_free(e->ops);
	hp_free(e->at);
	hp_free(e->rows);
	hp_free(e->order);
	hp_free(e->places);
	hp_hash_release(&e->found);
	hp_free(e->planes);
	hp_free(e->odd_ids);
	hp_free(e->odd_traces);
	hp_buf_release(&e->id_runs);
	hp_buf_release(&e->trace_runs);
	hp_buf_release(&e->head);
	hp_free(e->segments);
	hp_free(e->coders);
}

void
hp_pack_encoder_clear(struct hp_pack_encoder *e)
{
	const struct hp_pack_encoder kept = {.layouts = e->layouts,
					     .known = e->known,
					     .found = e->found,
					     .planes = e->planes,
					     .planes_room = e->planes_room};

	e->found = (struct hp_hash_table){0};
	e->planes = NULL;
	hp_pack_encoder_release(e);
	*e = kept;
}
