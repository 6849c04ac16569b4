/*
 * digits.h - parse decimal and hexadecimal numbers in a line of text
 *
 * Most bytes of a text dump are digits, so this is fast. Numbers have no sign,
 * and hexadecimal digits are lower case, as the agent prints them.
 */
#ifndef HP_TEXT_DIGITS_H
#define HP_TEXT_DIGITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define HP_EIGHT_OF(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The value of a hexadecimal digit; negative for other characters. */
static inline int
hp_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * How many of eight characters are hexadecimal digits, before the first other
 * one. The first character is in the low-order byte. Works on all eight bytes
 * at once (SWAR).
 */
static inline unsigned
hp_hex_count(uint64_t eight)
{
	const uint64_t low = HP_EIGHT_OF(0x7f);
	uint64_t d = eight ^ HP_EIGHT_OF('0'), l = eight ^ HP_EIGHT_OF('`');
	/*
	 * In each of these, the top bit of a byte says: not a decimal digit;
	 * not one of '`' to 'f'; not '`'.
	 */
	uint64_t no_digit = ((d & low) + HP_EIGHT_OF(0x7f - 9)) | d;
	uint64_t no_letter = ((l & low) + HP_EIGHT_OF(0x7f - 6)) | l;
	uint64_t not_before = (l & low) + low;
	uint64_t none =
		no_digit & (no_letter | ~not_before) & HP_EIGHT_OF(0x80);

	return none ? (unsigned)__builtin_ctzll(none) / 8 : 8;
}

/* The value of the first @n of eight hexadecimal digits; @n is 1 to 8. */
static inline uint64_t
hp_hex_value(uint64_t eight, unsigned n)
{
	uint64_t v =
		(eight & HP_EIGHT_OF(0x0f)) + 9 * (eight >> 6 & HP_EIGHT_OF(1));

	v <<= 64 - 8 * n; /* shift in leading zeros */
	v = (v << 4 | v >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	v = (v << 8 | v >> 16) & UINT64_C(0x0000ffff0000ffff);
	return (v << 16 | v >> 32) & UINT32_MAX;
}

/*
 * Parse a hexadecimal number of 1 to 16 digits at @p. Returns the position
 * after it, or NULL if there is none. A third of a text consists of such
 * digits, so eight are parsed at a time.
 */
static inline const char *
hp_hex_number(const char *p, const char *end, uint64_t *out)
{
	const char *from = p;
	uint64_t v = 0, eight;
	int digit;

	if (end - p >= 8) {
		unsigned n;

		memcpy(&eight, p, sizeof(eight));
		eight = le64toh(eight);
		n = hp_hex_count(eight);
		if (n == 0)
			return NULL;
		v = hp_hex_value(eight, n);
		p += n;
		if (n < 8) {
			*out = v;
			return p;
		}
	}
	while (p < end && (digit = hp_hex_digit(*p)) >= 0) {
		v = v << 4 | (unsigned)digit;
		p++;
	}
	*out = v;
	return p > from && p - from <= 16 ? p : NULL;
}

/*
 * Parse a decimal number at @p. Returns the position after it, or NULL if there
 * is none or it exceeds 64 bits.
 */
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
 * Parse an array element, "\t[%u]\t\t%x", from its tab on. Returns the position
 * after it, or NULL if there is none.
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
