/*
 * digits.h - numbers in a line of text, which are most of its bytes
 *
 * Of decimal and hexadecimal digits, as the agent prints them: without a sign,
 * in lower case.
 */
#ifndef HP_TEXT_DIGITS_H
#define HP_TEXT_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* A digit's value and one more; 0: it is none. */
static const uint8_t hp_hex_values[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16};

/* The digit's value; negative: it is none. */
static inline int
hp_hex_digit(char c)
{
	return hp_hex_values[(unsigned char)c] - 1;
}

/* What follows the hexadecimal number at @p; NULL: none of 1 to 16 digits. */
static inline const char *
hp_hex_number(const char *p, const char *end, uint64_t *out)
{
	const char *from = p;
	uint64_t v = 0;
	int digit;

	while (p < end && (digit = hp_hex_digit(*p)) >= 0) {
		v = v << 4 | (unsigned)digit;
		p++;
	}
	*out = v;
	return p > from && p - from <= 16 ? p : NULL;
}

/* What follows the decimal number at @p; NULL: none, or a larger one. */
static inline const char *
hp_decimal_number(const char *p, const char *end, uint64_t *out)
{
	const char *from = p;
	uint64_t v = 0;

	while (p < end && *p >= '0' && *p <= '9') {
		if (v > (UINT64_MAX - 9) / 10)
			return NULL;
		v = v * 10 + (unsigned)(*p++ - '0');
	}
	*out = v;
	return p > from ? p : NULL;
}

/*
 * An element of an array from its tab on, "\t[%u]\t\t%x". Returns what follows
 * it; NULL: it is none.
 */
static inline const char *
hp_array_element(const char *p, const char *end, uint64_t *index,
		 uint64_t *value)
{
	if (end - p < 2 || p[0] != '\t' || p[1] != '[')
		return NULL;
	p = hp_decimal_number(p + 2, end, index);
	if (!p || end - p < 3 || p[0] != ']' || p[1] != '\t' || p[2] != '\t')
		return NULL;
	return hp_hex_number(p + 3, end, value);
}

#endif
