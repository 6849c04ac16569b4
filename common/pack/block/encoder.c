/* encoder.c - the segments of a block's streams, and the memory of planes */
#include "common/pack/block/encoder.h"

#include "common/base/vec.h"

#include <stdlib.h>

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

	if (n > e->planes_room - e->planes_used)
		return NULL;
	e->planes_used += n;
	return at;
}

void
hp_pack_encoder_release(struct hp_pack_encoder *e)
{
	hp_pack_table_release(&e->table);
	free(e->ops);
	free(e->at);
	free(e->rows);
	free(e->order);
	free(e->places);
	free(e->found);
	free(e->planes);
	free(e->odd_ids);
	free(e->odd_traces);
	hp_buf_release(&e->id_runs);
	hp_buf_release(&e->trace_runs);
	hp_buf_release(&e->head);
	free(e->segments);
	free(e->coders);
}

void
hp_pack_encoder_clear(struct hp_pack_encoder *e)
{
	const struct hp_pack_encoder kept = {.layouts = e->layouts,
					     .known = e->known,
					     .found = e->found,
					     .seed = e->seed,
					     .planes = e->planes,
					     .planes_room = e->planes_room};

	e->found = NULL;
	e->planes = NULL;
	hp_pack_encoder_release(e);
	*e = kept;
}
