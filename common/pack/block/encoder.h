/*
 * encoder.h - a block while it is encoded: its symbols and items, and the
 * segments that its streams are made of
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODER_H
#define HP_PACK_ENCODER_H

#include "common/pack/block/class_fields.h"
#include "common/pack/block/item_parser.h"
#include "common/pack/block/symbol_table.h"

/* A stretch of a stream; a stream is its segments, in the list's order. */
struct hp_pack_segment {
	uint8_t stream;
	const uint8_t *data;
	size_t n;
};

/* A text's id, and which of its symbol's items it is. */
struct hp_pack_text_place {
	uint64_t id;
	uint32_t item;
};

/* Zeroed at first. */
struct hp_pack_encoder {
	struct hp_pack_layouts *layouts; /* may be NULL: none are known */
	uint32_t known;			 /* see hp_pack_layouts_fields() */
	const uint8_t *data;		 /* the block */
	uint32_t n;
	struct hp_pack_table table;
	/* items, in order */
	uint16_t *ops;
	uint32_t *at;	/* where they are in the block, and its end */
	uint32_t *rows; /* the same, symbol by symbol, or items' numbers: see
			   hp_pack_by_number() */
	size_t ops_room, at_room, rows_room;
	uint32_t *order; /* of ordered symbols, by s->first: the rows in the
			    dump's order */
	struct hp_pack_text_place *places;
	size_t order_room, places_room;
	uint16_t *found; /* symbols by hash; 0: none, else number + 1 */
	uint64_t seed;	 /* of the hashes, against crafted class ids */
	/* what the streams are made of */
	uint8_t *planes;
	size_t planes_used, planes_room;
	uint64_t *odd_ids, *odd_traces;
	size_t odd_ids_room, odd_traces_room;
	struct hp_buf id_runs, trace_runs, head;
	struct hp_pack_segment *segments;
	size_t nsegments, segments_room;
	struct hp_pack_coder
		*coders; /* of a symbol's columns, see encode_columns.c */
	size_t coders_room;
	bool odd; /* see struct hp_pack_walk */
};

void hp_pack_encoder_release(struct hp_pack_encoder *e);
/*
 * Give back what grows with the symbols and items of a block, but for planes.
 * What it knows of classes stays.
 */
void hp_pack_encoder_clear(struct hp_pack_encoder *e);

/* Do nothing but an item's neighbours say how long it is? */
static inline bool
hp_pack_by_number(unsigned kind)
{
	return kind == HP_PACK_BYTES || kind == HP_PACK_ELEMENTS;
}

/* The next @n bytes of @data belong to @stream. */
HP_MUST_USE bool hp_pack_segment_add(struct hp_pack_encoder *e, unsigned stream,
				     const uint8_t *data, size_t n);
/* Room for planes; NULL: more than the block can need. */
uint8_t *hp_pack_planes(struct hp_pack_encoder *e, size_t n);

#endif
