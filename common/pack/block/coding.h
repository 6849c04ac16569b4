/* coding.h - how the numbers of a column are encoded as bytes */
#ifndef HP_PACK_BLOCK_CODING_H
#define HP_PACK_BLOCK_CODING_H

#include "common/base/buf.h"
#include "common/base/bytes.h"
#include "common/base/status.h"
#include "common/pack/block/layout.h"

/* ----------------------------------------------------------------------
 * LEB128 and zigzag encoding of numbers
 *
 * Private to common/pack.
 */

/*
 * Append a number in LEB128: each byte has seven bits of the number, the low
 * bits first. The top bit of a byte is set if another byte follows.
 */
static inline void
hp_put_varint(struct hp_buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		hp_buf_byte(b, (char)(v | 0x80));
	hp_buf_byte(b, (char)v);
}

/*
 * Bytes that were not read yet: those from `p` to before `end`. Invariant: p <=
 * end.
 */
struct hp_pack_bytes {
	const uint8_t *p, *end;
};

static inline size_t
hp_pack_left(const struct hp_pack_bytes *b)
{
	return (size_t)(b->end - b->p);
}

/*
 * Read a LEB128 number. Returns false if the bytes end inside the number, or
 * the number exceeds 64 bits.
 */
static inline HP_MUST_USE bool
hp_get_varint(struct hp_pack_bytes *b, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 64 && b->p < b->end; shift += 7) {
		uint8_t c = *b->p++;

		if (shift == 63 && c > 1)
			return false;
		*v |= (uint64_t)(c & 0x7F) << shift;
		if (c < 0x80)
			return true;
	}
	return false;
}

/*
 * Like hp_get_varint(), but also returns false if the number exceeds 32 bits.
 */
static inline HP_MUST_USE bool
hp_get_varint32(struct hp_pack_bytes *b, uint32_t *v)
{
	uint64_t wide;

	if (!hp_get_varint(b, &wide) || wide > UINT32_MAX)
		return false;
	*v = (uint32_t)wide;
	return true;
}

static inline uint64_t
hp_zigzag(uint64_t d)
{
	return d << 1 ^ (0 - (d >> 63));
}

static inline uint64_t
hp_unzigzag(uint64_t z)
{
	return z >> 1 ^ (0 - (z & 1));
}

/*
 * ----------------------------------------------------------------------
 * Split numbers into planes, and join planes to numbers
 *
 * Plane p contains byte p of every number; byte 0 is the low-order byte. Planes
 * compress better than whole numbers. Private to common/pack.
 */

/*
 * Split @n numbers (the codes of a column) into planes: byte p of number i goes
 * to planes[p * stride + i]. @bits is the bitwise OR of all numbers. If byte p
 * of @bits is 0, plane p contains only zeros and is not written.
 */
void hp_byte_shuffle(uint8_t *planes, size_t stride, const uint64_t *codes,
		     size_t n, uint64_t bits);

/* The reverse of hp_byte_shuffle(): join @count planes to @n numbers. */
void hp_byte_unshuffle(const uint8_t *const planes[], unsigned count,
		       uint64_t *codes, size_t n);

/*
 * Load or store one big-endian number of each of @n items of a block. The
 * number of item i is at the address base + rows[i] + off: rows[i] is the
 * offset of the item in the block, and @off is the offset of the number in the
 * item. A number has @width bytes: 1, 2, 4 or 8.
 */
void hp_rows_load(uint64_t *values, const uint8_t *base, const uint32_t *rows,
		  size_t n, size_t off, unsigned width);
void hp_rows_store(const uint64_t *values, uint8_t *base, const uint32_t *rows,
		   size_t n, size_t off, unsigned width);
/* Load or store @n big-endian numbers that follow each other in memory. */
void hp_run_load(uint64_t *values, const uint8_t *at, size_t n, unsigned width);
void hp_run_store(const uint64_t *values, uint8_t *at, size_t n,
		  unsigned width);

/*
 * ----------------------------------------------------------------------
 * Convert the values of a column to codes that compress well, and back
 *
 * A code is, for example, the difference between a value and the previous
 * value. Private to common/pack.
 */

enum {
	/*
	 * The number of values that an inner loop processes at a time. This
	 * many values stay in the cache of the processor.
	 */
	HP_PACK_TILE = 2048,
	/*
	 * maximum number of values of a column with which encodings are tried
	 */
	HP_PACK_SAMPLE = 1024,
};

/*
 * Returns the number of values to process next: @left (the number of values
 * that remain), but at most HP_PACK_TILE.
 */
static inline size_t
hp_pack_tile(size_t left)
{
	return left < HP_PACK_TILE ? left : HP_PACK_TILE;
}

/**
 * hp_pack_encode_value() - convert values of a column to codes
 * @prev: the last value that was not 0, for HP_PACK_PREV and HP_PACK_NEXT; 0 at
 *        the beginning of a column
 * @own:  for each value, the id of the object that contains it; NULL: all these
 *        ids are 0. For HP_PACK_NEXT: the length of the previous text; 0 for
 *        the first text
 * @bits: receives the bitwise OR of its old value and all codes
 *
 * Returns: false if a value has no code, or a value of a HP_PACK_CONST column
 * differs from the constant. In this case, the column must use HP_PACK_PLAIN.
 */
bool hp_pack_encode_value(const struct hp_pack_column *c, uint64_t *prev,
			  const uint64_t *values, const uint64_t *own,
			  uint64_t *codes, size_t n, uint64_t *bits);

/*
 * The reverse of hp_pack_encode_value(), with the same parameters: convert
 * codes to values in place.
 */
void hp_pack_decode_value(const struct hp_pack_column *c, uint64_t *prev,
			  uint64_t *codes, const uint64_t *own, size_t n);

/**
 * hp_pack_choose_column() - choose the best encoding of a column from a sample
 * @c:      c->width is an input; the function sets c->how, c->shift and c->base
 * @values: the sample: several sequences of neighbouring values
 * @n:      number of values, at most HP_PACK_SAMPLE
 * @rows:   number of values in the whole column
 *
 * Returns: the estimated size of the encoded sample in bits; 0 if only one
 *          encoding is possible.
 */
double hp_pack_choose_column(struct hp_pack_column *c, const uint64_t *values,
			     const uint64_t *own, size_t n, size_t rows,
			     unsigned id_size);
/**
 * hp_pack_choose_text_id() - like hp_pack_choose_column(), for the ids of
 * strings
 * @before: for each string, the length of the previous string
 */
void hp_pack_choose_text_id(struct hp_pack_column *c, const uint64_t *values,
			    const uint64_t *before, size_t n, size_t rows,
			    unsigned id_size);
/**
 * hp_pack_learn_text() - learn how much memory a string takes in the JVM
 *
 * Works if strings are adjacent in memory, so that the id (address) of a string
 * is the end of the previous one.
 * @c:      the function sets c->base and c->shift
 * @ids:    ascending ids: a sample of several sequences of neighbours
 * @before: for each string, the length of the previous string
 * @n:      number of ids, at most HP_PACK_SAMPLE
 *
 * Returns: how many ids of the sample are equal to the end of the previous
 *          string.
 */
size_t hp_pack_learn_text(struct hp_pack_column *c, const uint64_t *ids,
			  const uint64_t *before, size_t n);

/*
 * ----------------------------------------------------------------------
 * The symbol table at the beginning of a block: the list of its kinds of items
 *
 * Private to common/pack.
 */

/*
 * The symbol table of a block. Zero-initialise it before its first use. Its
 * lists are used again for the next block.
 */
struct hp_pack_table {
	/* size of an object id in bytes; 0: no file header was parsed yet */
	uint8_t id_size;
	uint32_t items;
	/*
	 * `id_count`: the number of object ids that differ from the predicted
	 * id. `trace_count`: the same for stack trace serials.
	 */
	uint32_t id_count, trace_count;
	uint8_t id_planes, trace_planes;
	struct hp_pack_facts facts;
	struct hp_pack_symbol *symbols;
	uint32_t nsymbols;
	size_t symbols_room;
	struct hp_pack_column *columns;
	uint32_t ncolumns;
	size_t columns_room;
	struct hp_pack_residue *residues;
	uint32_t nresidues;
	size_t residues_room;
};

void hp_pack_table_release(struct hp_pack_table *t);

/*
 * Append a zeroed symbol (kind of items) or column to the table. Returns NULL
 * if out of memory.
 */
struct hp_pack_symbol *hp_pack_table_symbol(struct hp_pack_table *t);
struct hp_pack_column *hp_pack_table_column(struct hp_pack_table *t);

/* Sums over all arrays of one symbol (arrays of the same class or type). */
struct hp_pack_sum {
	uint64_t elements;
	/*
	 * rows[i]: the number of arrays whose length modulo hp_pack_residues()
	 * is i.
	 */
	uint32_t rows[256];
};

/*
 * Add @n arrays to the totals in @sum. @type: type of their elements; @lengths:
 * number of elements of each array.
 */
void hp_pack_sum(struct hp_pack_sum *sum, unsigned type,
		 const uint32_t *lengths, size_t n);

/*
 * Store @sum, the totals for the arrays of the symbol @s (kind of items), in
 * the table. Returns false if out of memory.
 */
HP_MUST_USE bool hp_pack_table_sum(struct hp_pack_table *t,
				   struct hp_pack_symbol *s,
				   const struct hp_pack_sum *sum);

/*
 * Whether the totals @sum are equal to the totals in the table for the symbol
 * @s (kind of items).
 */
bool hp_pack_table_sum_is(const struct hp_pack_table *t,
			  const struct hp_pack_symbol *s,
			  const struct hp_pack_sum *sum);

/*
 * Compute the sizes of the items of a symbol (kind of items): the members
 * `fixed` and `unit`.
 */
void hp_pack_symbol_shape(struct hp_pack_symbol *s,
			  const struct hp_pack_column *columns,
			  unsigned id_size);

void hp_pack_table_write(const struct hp_pack_table *t, struct hp_buf *out);

/**
 * hp_pack_table_read() - parse the symbol table of a block of @plain bytes
 *
 * Checks all values that later loops rely on: kinds, widths, sums of widths,
 * numbers of rows.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_table_read(struct hp_pack_table *t,
					      const uint8_t *data, size_t n,
					      uint32_t plain);

#endif
