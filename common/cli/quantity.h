/*
 * quantity.h - numbers, sizes, durations and dates as text
 */
#ifndef HP_CLI_QUANTITY_H
#define HP_CLI_QUANTITY_H

#include "common/base/buf.h"

/* ----------------------------------------------------------------------
 * Sizes, counts, percentages and ids as people write and read them
 *
 * KB, MB and so on are powers of 1024. Nothing depends on the locale.
 */

/* One percent in the internal unit, millionths of a percent. */
#define HP_PERCENT_ONE UINT64_C(1000000)

/**
 * hp_size_parse() - parse "123", "64MB", "256m", "1.5G", "10 KiB" into bytes
 *
 * The text is a number, optionally a space, and optionally a unit: B, or one of
 * K M G T P E alone or followed by B or iB, in any case. A fraction is allowed
 * only with a unit above B. Fractions of a byte are dropped.
 *
 * Returns: HP_OK; HP_DAMAGED if @text has another form; HP_LIMIT if it is 2^64
 *          bytes or more. *@out is set only on HP_OK.
 */
HP_MUST_USE enum hp_status hp_size_parse(const char *text, uint64_t *out,
					 struct hp_error *err);

/**
 * hp_count_parse() - parse a whole decimal number from @min to @max
 *
 * Returns: HP_OK; HP_DAMAGED if it is not a number; HP_LIMIT if it is out of
 *          range. *@out is set only on HP_OK.
 */
HP_MUST_USE enum hp_status hp_count_parse(const char *text, uint64_t min,
					  uint64_t max, uint64_t *out,
					  struct hp_error *err);

/*
 * Parse an id: "0x7f00" with 1 to 16 digits, or a decimal number. Returns false
 * if the text has neither form, or the number is too large.
 */
bool hp_id_parse(const char *text, uint64_t *id);

/*
 * Parse "5%" or "0.5 %" into millionths of a percent. Returns false if the text
 * is not a percentage, if the number is too large, or if it has more than six
 * decimals. In this case *@out is undefined.
 */
HP_MUST_USE bool hp_percent_parse(const char *text, uint64_t *out);

/*
 * Whether @growth exceeds @percent (in millionths of a percent) of the value
 * @first. The result is exact. If @first is 0, any growth exceeds the
 * percentage.
 */
bool hp_percent_exceeded(uint64_t growth, uint64_t first, uint64_t percent);

/*
 * Returns @last - @first; if this is not in the range of int64_t, returns the
 * nearest number in the range.
 */
int64_t hp_growth(uint64_t first, uint64_t last);

/* Returns how far two values are apart, whichever is larger. */
static inline uint64_t
hp_difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Returns the absolute value of @v. */
static inline uint64_t
hp_magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* Add @v to *@sum. If the sum would overflow, *@sum becomes UINT64_MAX. */
static inline void
hp_sum_add(uint64_t *sum, uint64_t v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = UINT64_MAX;
}

/*
 * Append a size in a suitable unit, with one decimal except for bytes: "512 B",
 * "1.5 KB", "4.0 MB", "1023.9 GB".
 */
void hp_size_text(struct hp_buf *b, uint64_t bytes);

/* Append a size with a sign: "+1.5 MB", "-12 B", "0 B". */
void hp_size_text_signed(struct hp_buf *b, int64_t bytes);

/* Append a number with separators, for example "1,234,567". */
void hp_count_text(struct hp_buf *b, uint64_t count);
/*
 * Append a count and a noun: "1 object", "5,300 objects". @one: the noun in the
 * singular.
 */
void hp_count_noun_text(struct hp_buf *b, uint64_t count, const char *one);

/* Append a count with a sign: "+1,234", "-5", "0". */
void hp_count_text_signed(struct hp_buf *b, int64_t count);

/*
 * Append a percentage that is given in millionths of a percent, such as "93 %"
 * or "9.0 %". A percentage is never rounded to 0 % or 100 %, so there are also
 * "<0.1 %", "99.3 %" and ">99.9 %".
 */
void hp_percent_text(struct hp_buf *b, uint64_t percent);

/*
 * Returns the percentage of @part in @whole, in millionths of a percent and at
 * most 100 %; 0 if @whole is 0.
 */
uint64_t hp_percent_of(uint64_t part, uint64_t whole);

/*
 * Append how much a value grew from @first, in percent or, if it grew more than
 * tenfold, as a factor: "+35 %", "-2.1 %", "0 %", "×12". Growth from 0 is
 * "new".
 */
void hp_growth_percent_text(struct hp_buf *b, int64_t growth, uint64_t first);

/* ----------------------------------------------------------------------
 * Elapsed time and the date of a dump, as text
 */

/*
 * The current time of a monotonic clock, in nanoseconds. Only differences are
 * meaningful.
 */
uint64_t hp_elapsed_begin(void);

/*
 * Append the time since @begun and the number of threads, for example ", 0.1 s,
 * 2 threads".
 */
void hp_elapsed_text(struct hp_buf *b, uint64_t begun, unsigned threads);

/* the year 10000, in milliseconds since 1970 */
#define HP_TIME_END UINT64_C(253402300800000)

/**
 * hp_time_text() - append a time, for example "2026-11-21 06:28:10 UTC"
 * @ms: milliseconds since 1970-01-01 UTC
 *
 * Returns: false, and appends nothing, beyond the year 9999.
 */
bool hp_time_text(struct hp_buf *b, uint64_t ms);

#endif
