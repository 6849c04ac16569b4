/*
 * column.h - a column's values as codes that compress well, and back
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_COLUMN_H
#define HP_PACK_COLUMN_H

#include "common/pack/block/layout.h"

enum {
	HP_PACK_TILE = 2048,   /* values that are worked on at a time */
	HP_PACK_SAMPLE = 1024, /* values that a choice looks at */
};

/* Of @left values, those that are worked on next. */
static inline size_t
hp_pack_tile(size_t left)
{
	return left < HP_PACK_TILE ? left : HP_PACK_TILE;
}

/**
 * hp_pack_encode_value() - values to codes
 * @prev: what HP_PACK_PREV goes on from; 0 at a column's begin
 * @own:  each value's object; NULL: 0 for all. Of HP_PACK_NEXT: the bytes of
 *        the text before, 0 at the begin
 * @bits: the or of all codes is added
 *
 * Returns: false if a value has no code, or is not the constant: the column
 *          has to be HP_PACK_PLAIN.
 */
bool hp_pack_encode_value(const struct hp_pack_column *c, uint64_t *prev,
			  const uint64_t *values, const uint64_t *own,
			  uint64_t *codes, size_t n, uint64_t *bits);

/* Codes to values, in place; @own as in hp_pack_encode_value(). */
void hp_pack_decode_value(const struct hp_pack_column *c, uint64_t *prev,
			  uint64_t *codes, const uint64_t *own, size_t n);

/**
 * hp_pack_choose_column() - how a column is coded best
 * @c:      its width is set; how, shift and base become it
 * @values: a sample, in parts of neighbours
 * @n:      HP_PACK_SAMPLE at most
 * @rows:   values in the whole column
 *
 * Returns: the bits of the sample's codes, if each plane has a code of its own;
 *          0 if there was nothing to choose from.
 */
double hp_pack_choose_column(struct hp_pack_column *c, const uint64_t *values,
			     const uint64_t *own, size_t n, size_t rows,
			     unsigned id_size);
/**
 * hp_pack_choose_text_id() - the same for the ids of TEXT
 * @before: the bytes of the text before each
 */
void hp_pack_choose_text_id(struct hp_pack_column *c, const uint64_t *values,
			    const uint64_t *before, size_t n, size_t rows,
			    unsigned id_size);
/**
 * hp_pack_learn_text() - where texts end that lie one behind the other
 * @c:    base and shift are set
 * @ids:  ascending, a sample in parts of neighbours
 * @n:    HP_PACK_SAMPLE at most
 *
 * Returns: how many ids of the sample are where the text before ended.
 */
size_t hp_pack_learn_text(struct hp_pack_column *c, const uint64_t *ids,
			  const uint64_t *before, size_t n);

#endif
