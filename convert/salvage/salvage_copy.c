/*
 * salvage_copy.c - write the copy of the valid parts of a damaged dump: records
 * unchanged, sub-records in segments
 */
#include "convert/salvage/internal.h"

enum { CHUNK = 1 << 20 };

void
hp_salvage_write(struct hp_salvage *s, const void *bytes, size_t n)
{
	if (s->status == HP_OK && s->out)
		s->status = hp_sink_write(s->out, bytes, n, s->err);
}

void
hp_salvage_write_range(struct hp_salvage *s, uint64_t from, uint64_t to)
{
	while (from < to && s->status == HP_OK && s->out) {
		uint64_t n = to - from < CHUNK ? to - from : CHUNK;
		const uint8_t *p;
		size_t got;

		p = hp_resync_view(&s->w, from, (size_t)n, &got);
		if (!p || got < n) {
			s->status = hp_fail(s->err, HP_IO,
					    "cannot read the input again");
			return;
		}
		hp_salvage_write(s, p, (size_t)n);
		from += n;
	}
}

void
hp_salvage_write_head(struct hp_salvage *s, uint8_t tag, uint64_t length)
{
	uint8_t head[HP_HEAD_SIZE] = {tag};

	hp_store4(head + 5, (uint32_t)length);
	hp_salvage_write(s, head, sizeof(head));
}

void
hp_salvage_note_kept(struct hp_salvage *s, uint64_t from, uint64_t to)
{
	if (from > s->kept_until) {
		if (s->in_dump)
			s->heap_lost += from - s->kept_until;
		s->result->lost += from - s->kept_until;
		s->result->places++;
		if (s->kept_until < s->result->first)
			s->result->first = s->kept_until;
	}
	if (to > s->kept_until)
		s->kept_until = to;
}

void
hp_salvage_write_empty(struct hp_salvage *s)
{
	hp_salvage_write_head(s, HP_REC_HEAP_DUMP_SEGMENT, 0);
	s->in_dump = s->heap = s->empty_segments = true;
}

void
hp_salvage_end_dump(struct hp_salvage *s)
{
	if (s->begun && !s->in_dump && s->keep_numbers)
		hp_salvage_write_empty(s);
	if (s->in_dump)
		hp_salvage_write_head(s, HP_REC_HEAP_DUMP_END, 0);
	s->in_dump = s->begun = false;
}

bool
hp_salvage_in_giant(const struct hp_salvage *s)
{
	return s->giant.wanted && s->giant.wanted == s->giant.current;
}

/*
 * Write the sub-records of the next segment. Arrays without elements get the
 * tag PRIMITIVE_ARRAY_NODATA, as on Android.
 */
static void
write_subs(struct hp_salvage *s)
{
	const uint8_t tag = HP_SUB_PRIMITIVE_ARRAY_NODATA;
	uint64_t from = s->from;

	for (size_t i = 0; i < s->ncropped; i++) {
		hp_salvage_write_range(s, from, s->cropped[i]);
		hp_salvage_write(s, &tag, 1);
		from = s->cropped[i] + 1;
	}
	hp_salvage_write_range(s, from, s->to);
	s->ncropped = 0;
}

/*
 * Write the collected sub-records as a segment. If the current HEAP DUMP is
 * written as one record, append them to this record.
 */
void
hp_salvage_write_segment(struct hp_salvage *s)
{
	unsigned info = 5 + s->w.id_size;
	uint64_t size = s->to - s->from;
	bool named = s->from_info != 0;

	if (size == 0)
		return;
	hp_salvage_note_kept(s, s->from, s->to);
	s->heap_bytes += size;
	s->segments++;
	size += named ? info : 0;
	if (hp_salvage_in_giant(s))
		s->giant.bytes += size;
	else
		hp_salvage_write_head(s, HP_REC_HEAP_DUMP_SEGMENT, size);
	if (named)
		hp_salvage_write_range(s, s->from_info, s->from_info + info);
	write_subs(s);
	s->in_dump = s->heap = true;
	s->from = s->to = 0;
}

void
hp_salvage_end(struct hp_salvage *s)
{
	if (s->heap || s->heapless || s->result->records == 0)
		return;
	hp_salvage_write_empty(s);
	hp_salvage_end_dump(s);
}
