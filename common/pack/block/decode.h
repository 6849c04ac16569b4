/*
 * decode.h - a block's streams as the bytes that they were made of
 *
 * Nothing in a block is trusted: every length is compared with what is left,
 * of the block as of each stream. Private to common/pack.
 */
#ifndef HP_PACK_DECODE_H
#define HP_PACK_DECODE_H

#include "common/pack/block/symbol_table.h"

/* Zeroed at first; buffers are kept from block to block. */
struct hp_pack_decoder {
	struct hp_pack_bytes streams[HP_PACK_STREAMS]; /* not yet consumed */
	struct hp_pack_table table;
	uint32_t *lengths; /* rows: what column 0 of varying symbols says */
	uint32_t *rows;	   /* where the items are, symbol by symbol */
	uint32_t *order; /* of ordered symbols: the rows in the dump's order */
	uint64_t *ids;	 /* of instances and arrays, likewise */
	uint32_t *next;	 /* per symbol: rows that were met */
	size_t lengths_room, rows_room, order_room, ids_room, next_room;
	struct hp_pack_facts facts; /* as found while decoding */
	uint8_t *out;
	uint32_t plain;
};

enum { HP_PACK_ITEM_BYTES = 20 }; /* of an item, in all of these lists */

/* All streams become empty, though none is a null pointer. */
void hp_pack_streams_clear(struct hp_pack_decoder *d);

/**
 * hp_pack_decode_table() - what symbols there are
 * @plain: bytes of the block
 *
 * d->streams is set; of them SYMBOLS is consumed.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_decode_table(struct hp_pack_decoder *d,
						uint32_t plain);

/**
 * hp_pack_decode_lengths() - the lengths of the items of the first symbols
 * @symbols: how many of them, up to all
 *
 * After hp_pack_decode_table(). Consumes their part of the group of lengths,
 * and compares it with the sums in the table; of the orders of texts, too.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_decode_lengths(struct hp_pack_decoder *d,
						  uint32_t symbols);

/* The row of the next item of symbol number @i, which has one left. */
static inline uint32_t
hp_pack_next_row(struct hp_pack_decoder *d, uint32_t i)
{
	const struct hp_pack_symbol *s = &d->table.symbols[i];
	uint32_t row = s->first + d->next[i]++;

	return HP_UNLIKELY(hp_pack_is_ordered(s)) ? d->order[row] : row;
}

/**
 * hp_pack_decode_symbol() - everything but the heads of one symbol's items
 *
 * Symbols take their parts of the streams one after the other; out of order
 * only where those before have nothing in the same streams.
 * Returns: HP_OK; HP_DAMAGED.
 */
HP_MUST_USE enum hp_status
hp_pack_decode_symbol(struct hp_pack_decoder *d,
		      const struct hp_pack_symbol *s);

/* The whole block: all of the above. HP_OK; HP_DAMAGED; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_pack_decode(struct hp_pack_decoder *d,
					  uint8_t *out, uint32_t plain);

void hp_pack_decoder_release(struct hp_pack_decoder *d);

#endif
