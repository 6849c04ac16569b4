/*
 * encoder.h - the state of encoding a block: symbols, items, and the segments
 * of its streams
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_ENCODER_H
#define HP_PACK_ENCODER_H

#include "common/pack/block/class_fields.h"
#include "common/pack/block/item_parser.h"
#include "common/pack/block/symbol_table.h"

/* Part of a stream. A stream is the sequence of its segments in the list. */
struct hp_pack_segment {
	uint8_t stream;
	const uint8_t *data;
	size_t n;
};

/* The id of a string, and its row in its symbol. */
struct hp_pack_text_place {
	uint64_t id;
	uint32_t item;
};

/* The state of the encoder. Zero-initialise it. */
struct hp_pack_encoder {
	/* fields of classes; NULL: not known */
	struct hp_pack_layouts *layouts;
	/* number of classes to consider, see hp_pack_layouts_fields() */
	uint32_t known;
	const uint8_t *data; /* the block; n bytes */
	uint32_t n;
	struct hp_pack_table table;
	/* By item, in the order of the dump: its symbol. */
	uint16_t *ops;
	uint32_t *at; /* by item: its offset in the block; then the end */
	/*
	 * By row: the offset of the item; for kinds of hp_pack_by_number(), the
	 * number of the item.
	 */
	uint32_t *rows;
	size_t ops_room, at_room, rows_room;
	/*
	 * For symbols whose rows are reordered, from s->first on: the rows in
	 * the order of the dump.
	 */
	uint32_t *order;
	struct hp_pack_text_place *places;
	size_t order_room, places_room;
	/* Hash table of symbols: symbol number + 1; 0: empty. */
	uint16_t *found;
	/* of the hash table; protects against crafted class ids */
	uint64_t seed;
	/* Memory of the streams. */
	uint8_t *planes;
	size_t planes_used, planes_room;
	uint64_t *odd_ids, *odd_traces;
	size_t odd_ids_room, odd_traces_room;
	struct hp_buf id_runs, trace_runs, head;
	struct hp_pack_segment *segments;
	size_t nsegments, segments_room;
	/* one for each column of a symbol, see encode_columns.c */
	struct hp_pack_coder *coders;
	size_t coders_room;
	bool odd; /* the dump is unusual, see struct hp_pack_walk */
};

void hp_pack_encoder_release(struct hp_pack_encoder *e);
/*
 * Free the memory that depends on the symbols and items of a block, except for
 * planes. The known classes are kept.
 */
void hp_pack_encoder_clear(struct hp_pack_encoder *e);

/*
 * Whether the length of an item follows only from the beginning of the next
 * item.
 */
static inline bool
hp_pack_by_number(unsigned kind)
{
	return kind == HP_PACK_BYTES || kind == HP_PACK_ELEMENTS;
}

/* Append @n bytes of @data to @stream. Returns false if out of memory. */
HP_MUST_USE bool hp_pack_segment_add(struct hp_pack_encoder *e, unsigned stream,
				     const uint8_t *data, size_t n);
/*
 * Reserve @n bytes for planes. Returns NULL if the block needs more than it can
 * need.
 */
uint8_t *hp_pack_planes(struct hp_pack_encoder *e, size_t n);

#endif
