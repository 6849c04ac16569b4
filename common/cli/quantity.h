/*
 * quantity.h - sizes, counts, percentages and ids as people write and read them
 *
 * KB, MB and so on are powers of 1024. Nothing depends on the locale.
 */
#ifndef HP_CLI_QUANTITY_H
#define HP_CLI_QUANTITY_H

#include "common/base/buf.h"

/* A percentage as it is kept: millionths of a percent. */
#define HP_PERCENT_ONE UINT64_C(1000000)

/**
 * hp_size_parse() - "123", "64MB", "256m", "1.5G", "10 KiB" to bytes
 *
 * A number, a space or none, and a unit or none: B, or one of K M G T P E
 * alone or followed by B or iB, in any case. A fraction needs a unit above B;
 * what is less than a byte is dropped.
 *
 * Returns: HP_OK; HP_DAMAGED if @text is not of that form; HP_LIMIT if it is
 *          2^64 bytes or more. *@out is written on HP_OK only.
 */
HP_MUST_USE enum hp_status hp_size_parse(const char *text, uint64_t *out,
					 struct hp_error *err);

/**
 * hp_count_parse() - a whole decimal number from @min to @max
 *
 * Returns: HP_OK; HP_DAMAGED if it is no number; HP_LIMIT if it is out of the
 *          range. *@out is written on HP_OK only.
 */
HP_MUST_USE enum hp_status hp_count_parse(const char *text, uint64_t min,
					  uint64_t max, uint64_t *out,
					  struct hp_error *err);

/*
 * "0x7f00" with 1 to 16 digits, or the same in decimal, to *@id. False: the
 * text has neither form, or the number does not fit.
 */
bool hp_id_parse(const char *text, uint64_t *id);

/*
 * "5%", "0.5 %" to millionths of a percent. False, whatever is in *@out then:
 * no percentage, too large a one, or one of more than six decimals.
 */
HP_MUST_USE bool hp_percent_parse(const char *text, uint64_t *out);

/*
 * Is @growth more than @percent (millionths) of @first? Exact. Any growth
 * from 0 is.
 */
bool hp_percent_exceeded(uint64_t growth, uint64_t first, uint64_t percent);

/* How much more @last is, as far from 0 as the type goes at the most. */
int64_t hp_growth(uint64_t first, uint64_t last);

/* Add to a sum that stays at UINT64_MAX once it would be more. */
static inline void
hp_sum_add(uint64_t *sum, uint64_t v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = UINT64_MAX;
}

/* "512 B", "1.5 KB", "4.0 MB", "1023.9 GB": one decimal above bytes. */
void hp_size_text(struct hp_buf *b, uint64_t bytes);

/* The same with a sign: "+1.5 MB", "-12 B", "0 B". */
void hp_size_text_signed(struct hp_buf *b, int64_t bytes);

/* "1,234,567". */
void hp_count_text(struct hp_buf *b, uint64_t count);
/* "1 object", "5,300 objects". */
void hp_count_noun_text(struct hp_buf *b, uint64_t count, const char *one);

/* "+1,234", "-5", "0". */
void hp_count_text_signed(struct hp_buf *b, int64_t count);

#endif
