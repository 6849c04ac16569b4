/*
 * strip.c - zeroing payload in the bytes of a batch
 *
 * In place: no length, id or reference moves. What the proof will check
 * against is taken here, before anything is changed.
 */
#include "convert/strip.h"

void
hp_strip_begin(struct hp_stripper *s, const struct hp_batch *b)
{
	XXH3_64bits_reset(s->hash);
	s->from = b->data;
}

/* @n bytes at @p, behind all that were removed before, become zero. */
static void
clear(struct hp_stripper *s, const uint8_t *p, uint64_t n)
{
	XXH3_64bits_update(s->hash, s->from, (size_t)(p - s->from));
	/* the batch's data are ours to change; decoders only see them const */
	memset((uint8_t *)(uintptr_t)p, 0, (size_t)n);
	s->from = p + n;
	s->stats.bytes += n;
}

static bool
array_goes(const struct hp_stripper *s, const struct hp_sub *sub)
{
	return sub->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	       s->policy->array_types >> sub->type & 1 &&
	       sub->count > s->policy->keep_first;
}

void
hp_strip_sub(struct hp_stripper *s, const struct hp_sub *sub, unsigned id_size)
{
	uint64_t keep = s->policy->keep_first;
	unsigned width;

	if (!array_goes(s, sub))
		return;
	width = hp_type_size(sub->type, id_size);
	clear(s, sub->data + keep * width, (sub->count - keep) * width);
	s->stats.arrays++;
}

void
hp_strip_piece(struct hp_stripper *s, const struct hp_batch *b,
	       const struct hp_run *run, unsigned id_size)
{
	const struct hp_piece *p = &run->piece;
	uint64_t keep = s->policy->keep_first;
	unsigned width = hp_type_size(p->sub.type, id_size);

	if (!array_goes(s, &p->sub))
		return;
	keep = keep > p->first ? keep - p->first : 0;
	if (keep < p->elements)
		clear(s, b->data + run->at + keep * width,
		      (p->elements - keep) * width);
	s->stats.arrays += p->head;
}

uint64_t
hp_strip_end(struct hp_stripper *s, const struct hp_batch *b)
{
	const uint8_t *end = b->data + b->length;

	if (end > s->from)
		XXH3_64bits_update(s->hash, s->from, (size_t)(end - s->from));
	return XXH3_64bits_digest(s->hash);
}
