/*
 * decode.h - decode the streams of a block to the bytes of the dump
 *
 * The input is not trusted: every length is checked against what remains of the
 * block and of the stream. Private to common/pack.
 */
#ifndef HP_PACK_DECODE_H
#define HP_PACK_DECODE_H

#include "common/pack/block/symbol_table.h"

/* The state of the decoder. Zero-initialise it. Buffers are reused. */
struct hp_pack_decoder {
	/* bytes not consumed yet */
	struct hp_pack_bytes streams[HP_PACK_STREAMS];
	struct hp_pack_table table;
	/*
	 * By row: the length, for symbols whose items vary in length (column
	 * 0).
	 */
	uint32_t *lengths;
	/*
	 * By row: the offset of the item in the block. Rows are grouped by
	 * symbol.
	 */
	uint32_t *rows;
	/*
	 * For symbols whose rows are reordered: the rows in the order of the
	 * dump.
	 */
	uint32_t *order;
	uint64_t *ids;	/* by row: the id of an instance or array */
	uint32_t *next; /* by symbol: number of rows placed so far */
	size_t lengths_room, rows_room, order_room, ids_room, next_room;
	struct hp_pack_facts facts; /* computed while decoding */
	uint8_t *out;
	uint32_t plain;
};

enum { HP_PACK_ITEM_BYTES = 20 }; /* memory for an item in all lists above */

/* Make all streams empty. Their pointers are not NULL. */
void hp_pack_streams_clear(struct hp_pack_decoder *d);

/**
 * hp_pack_decode_table() - decode the symbol table
 * @plain: size of the unpacked block in bytes
 *
 * d->streams must be set. Consumes the stream HP_PACK_S_SYMBOLS.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_decode_table(struct hp_pack_decoder *d,
						uint32_t plain);

/**
 * hp_pack_decode_lengths() - decode the lengths of the items
 * @symbols: only for the first @symbols symbols
 *
 * Call it after hp_pack_decode_table(). Checks the lengths against the sums in
 * the table. Also decodes the order of reordered texts.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_decode_lengths(struct hp_pack_decoder *d,
						  uint32_t symbols);

/* The row of the next item of symbol @i. The symbol must have a row left. */
static inline uint32_t
hp_pack_next_row(struct hp_pack_decoder *d, uint32_t i)
{
	const struct hp_pack_symbol *s = &d->table.symbols[i];
	uint32_t row = s->first + d->next[i]++;

	return HP_UNLIKELY(hp_pack_is_ordered(s)) ? d->order[row] : row;
}

/**
 * hp_pack_decode_symbol() - decode the contents of all items of a symbol,
 * except the object headers
 *
 * Symbols consume the streams one after the other. So call it in the order of
 * the symbols, unless the skipped symbols use other streams.
 * Returns: HP_OK; HP_DAMAGED.
 */
HP_MUST_USE enum hp_status
hp_pack_decode_symbol(struct hp_pack_decoder *d,
		      const struct hp_pack_symbol *s);

/* Decode a whole block. Returns HP_OK; HP_DAMAGED; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_pack_decode(struct hp_pack_decoder *d,
					  uint8_t *out, uint32_t plain);

void hp_pack_decoder_release(struct hp_pack_decoder *d);

#endif
