/*
 * column.h - convert the values of a column to codes that compress well, and
 * back
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_COLUMN_H
#define HP_PACK_COLUMN_H

#include "common/pack/block/layout.h"

enum {
	HP_PACK_TILE = 2048,   /* values processed at a time */
	HP_PACK_SAMPLE = 1024, /* maximum number of values in a sample */
};

/* The number of values to process next if @left remain. */
static inline size_t
hp_pack_tile(size_t left)
{
	return left < HP_PACK_TILE ? left : HP_PACK_TILE;
}

/**
 * hp_pack_encode_value() - convert values to codes
 * @prev: the last value that was not 0, for HP_PACK_PREV and HP_PACK_NEXT; 0 at
 *        the beginning of a column
 * @own:  the id of each value's object; NULL means 0. For HP_PACK_NEXT: the
 *        length of the text before; 0 for the first text
 * @bits: all codes are ORed into it
 *
 * Returns: false if a value has no code, or differs from the constant; then the
 *          column must be HP_PACK_PLAIN.
 */
bool hp_pack_encode_value(const struct hp_pack_column *c, uint64_t *prev,
			  const uint64_t *values, const uint64_t *own,
			  uint64_t *codes, size_t n, uint64_t *bits);

/* Convert codes to values in place; parameters as in hp_pack_encode_value(). */
void hp_pack_decode_value(const struct hp_pack_column *c, uint64_t *prev,
			  uint64_t *codes, const uint64_t *own, size_t n);

/**
 * hp_pack_choose_column() - choose the best encoding of a column from a sample
 * @c:      width is an input; how, shift and base are set
 * @values: the sample: some runs of neighbouring values
 * @n:      number of values, at most HP_PACK_SAMPLE
 * @rows:   number of values in the whole column
 *
 * Returns: the size of the encoded sample in bits (the entropy of its planes);
 *          0 if there was no choice.
 */
double hp_pack_choose_column(struct hp_pack_column *c, const uint64_t *values,
			     const uint64_t *own, size_t n, size_t rows,
			     unsigned id_size);
/**
 * hp_pack_choose_text_id() - as hp_pack_choose_column(), for the ids of strings
 * @before: the length of the text before each
 */
void hp_pack_choose_text_id(struct hp_pack_column *c, const uint64_t *values,
			    const uint64_t *before, size_t n, size_t rows,
			    unsigned id_size);
/**
 * hp_pack_learn_text() - learn how much memory a text takes if texts are
 * adjacent
 * @c:      base and shift are set
 * @ids:    ascending ids: a sample of some runs of neighbours
 * @before: the length of the text before each
 * @n:      number of ids, at most HP_PACK_SAMPLE
 *
 * Returns: how many ids of the sample are where the text before ends.
 */
size_t hp_pack_learn_text(struct hp_pack_column *c, const uint64_t *ids,
			  const uint64_t *before, size_t n);

#endif
