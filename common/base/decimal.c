/*
 * decimal.c - shortest decimal numbers, after Schubfach
 *
 * A floating-point number is c * 2^q. Every decimal number in the interval
 * around it reads back as the same number. The algorithm multiplies c * 2^q and
 * both ends of the interval by a power of ten (128 bits, rounded up). The power
 * is chosen so that the products have one digit more than needed before the
 * decimal point. Comparing the resulting integers shows which digits suffice.
 */
#include "common/base/buf.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
	/*
	 * The table contains the powers 10^k for k from POWER_LEAST to
	 * POWER_MOST. They suffice for doubles.
	 */
	POWER_LEAST = -292,
	POWER_MOST = 324,
	POWERS = POWER_MOST - POWER_LEAST + 1,
	/*
	 * The table is computed with numbers of up to 2^2047. Such a number has
	 * this many 32-bit words.
	 */
	LIMBS = 64,
};

struct power {
	/*
	 * The 128 bits `high` and `low` together: the upper 128 bits of 10^k,
	 * shifted so that the top bit is set, and rounded up.
	 */
	uint64_t high, low;
};

static struct power powers[POWERS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * Returns floor(log2(10^k)). The result is exact for all k that floating-point
 * numbers need.
 */
static int
log2_of_power(int k)
{
	return (k * 1741647) >> 19;
}

/*
 * Returns the upper 128 bits, rounded up, of a number of LIMBS 32-bit words
 * (limbs). @exact: @n is the exact number, not an approximation. In this case,
 * the result is not rounded up if all lower bits are zero.
 */
static struct power
top_128_bits(const uint32_t *n, bool exact)
{
	int limb = LIMBS - 1;
	unsigned shift;
	wide bits = 0;
	bool rest = !exact;

	while (limb > 4 && n[limb] == 0)
		limb--;
	shift = (unsigned)__builtin_clz(n[limb]);
	for (int i = 0; i < 4; i++)
		bits = bits << 32 | n[limb - i];
	if (shift > 0) {
		uint32_t next = n[limb - 4];

		bits = bits << shift | next >> (32 - shift);
		rest |= (uint32_t)(next << shift) != 0;
	} else {
		rest |= n[limb - 4] != 0;
	}
	for (int i = limb - 5; i >= 0; i--)
		rest |= n[i] != 0;
	bits += rest;
	return (struct power){(uint64_t)(bits >> 64), (uint64_t)bits};
}

static void
times_ten(uint32_t *n)
{
	uint64_t carry = 0;

	for (int i = 0; i < LIMBS; i++) {
		carry += (uint64_t)n[i] * 10;
		n[i] = (uint32_t)carry;
		carry >>= 32;
	}
}

static void
divide_by_ten(uint32_t *n)
{
	uint64_t rest = 0;

	for (int i = LIMBS - 1; i >= 0; i--) {
		rest = rest << 32 | n[i];
		n[i] = (uint32_t)(rest / 10);
		rest %= 10;
	}
}

static void
make_powers(void)
{
	uint32_t n[LIMBS] = {0};

	/*
	 * Store the number 1 in limb (32-bit word) 4, not in limb 0.
	 * top_128_bits() also reads the four limbs below the highest limb of a
	 * number, so four limbs must exist below this one.
	 */
	n[4] = 1;
	for (int k = 0; k <= POWER_MOST; k++) {
		powers[k - POWER_LEAST] = top_128_bits(n, true);
		times_ten(n);
	}
	/*
	 * Compute the negative powers: divide 2^2047 by ten repeatedly. The
	 * rounding errors do not reach the upper 128 bits. The results are
	 * never exact, because a tenth is not a finite binary fraction.
	 */
	memset(n, 0, sizeof(n));
	n[LIMBS - 1] = 1u << 31;
	for (int k = -1; k >= POWER_LEAST; k--) {
		divide_by_ten(n);
		powers[k - POWER_LEAST] = top_128_bits(n, false);
	}
}

/*
 * Returns g * c / 2^128. If the division has a remainder, the lowest bit of the
 * result is set.
 */
static uint64_t
round_to_odd(struct power g, uint64_t c)
{
	wide low = (wide)g.low * c;
	wide high = (wide)g.high * c + (uint64_t)(low >> 64);

	return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

struct decimal {
	uint64_t digits;
	/* exponent of ten: the number is `digits` * 10^exponent */
	int exponent;
};

/*
 * Returns the shortest decimal number for c * 2^q, where c > 0. @closer: c is a
 * power of two, so the next smaller floating-point number is only half as far
 * away as the next larger one.
 */
static struct decimal
shortest_digits(uint64_t c, int q, bool closer)
{
	int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
	int h = q + log2_of_power(-k) + 1;
	struct power g = powers[-k - POWER_LEAST];
	uint64_t odd = c & 1;
	uint64_t low = round_to_odd(g, (4 * c - 2 + closer) << h) + odd;
	uint64_t mid = round_to_odd(g, 4 * c << h);
	uint64_t high = round_to_odd(g, (4 * c + 2) << h) - odd;
	uint64_t s = mid / 4, tens = s / 10;
	bool below, above;

	if (s >= 10) {
		below = low <= 40 * tens;
		above = 40 * tens + 40 <= high;
		if (below != above)
			return (struct decimal){tens + above, k + 1};
	}
	below = low <= 4 * s;
	above = 4 * s + 4 <= high;
	/*
	 * `below`: s * 10^k is in the interval of the numbers that round to the
	 * floating-point number. `above`: (s + 1) * 10^k is in this interval.
	 * If both are in it, or none, take the one that is nearer to the exact
	 * value.
	 */
	if (below == above)
		above = mid > 4 * s + 2 || (mid == 4 * s + 2 && (s & 1));
	return (struct decimal){s + above, k};
}

static unsigned
count_digits(uint64_t v)
{
	static const uint64_t tens[] = {
		0,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		10000000000000000000u,
	};
	/*
	 * A number of b bits has about b * log10(2) decimal digits, and 1233 /
	 * 4096 is nearly log10(2). The number of digits is n or n + 1.
	 */
	unsigned n = (64 - (unsigned)__builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= tens[n]);
}

size_t
hp_decimal_u64(char *to, uint64_t v)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";
	unsigned n = v < 10 ? 1 : count_digits(v);
	char *at = to + n;

	while (v >= 100) {
		at -= 2;
		memcpy(at, pairs + 2 * (v % 100), 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(to, pairs + 2 * v, 2);
	else
		*to = (char)('0' + v);
	return n;
}

static size_t
write_plain(char *to, const char *digits, unsigned n, int whole)
{
	char *p = to;

	if (whole <= 0) {
		*p++ = '0';
		*p++ = '.';
		for (; whole < 0; whole++)
			*p++ = '0';
		memcpy(p, digits, n);
		return (size_t)(p - to) + n;
	}
	if (n <= (unsigned)whole) {
		memcpy(p, digits, n);
		memset(p + n, '0', (unsigned)whole - n);
		return (size_t)whole;
	}
	memcpy(p, digits, (unsigned)whole);
	p[whole] = '.';
	memcpy(p + whole + 1, digits + whole, n - (unsigned)whole);
	return n + 1;
}

static size_t
write_scientific(char *to, const char *digits, unsigned n, int exponent)
{
	char *p = to;

	*p++ = digits[0];
	if (n > 1) {
		*p++ = '.';
		memcpy(p, digits + 1, n - 1);
		p += n - 1;
	}
	*p++ = 'e';
	*p++ = exponent < 0 ? '-' : '+';
	p += hp_decimal_u64(p, (uint64_t)(exponent < 0 ? -exponent : exponent));
	return (size_t)(p - to);
}

static size_t
write_decimal(char *to, bool negative, struct decimal d)
{
	char digits[20];
	unsigned n;
	int whole;

	while (d.digits >= 10 && d.digits % 10 == 0) {
		d.digits /= 10;
		d.exponent++;
	}
	n = (unsigned)hp_decimal_u64(digits, d.digits);
	whole = (int)n + d.exponent;
	to[0] = '-';
	to += negative;
	if (whole > -5 && whole <= 17)
		return negative + write_plain(to, digits, n, whole);
	return negative + write_scientific(to, digits, n, whole - 1);
}

/*
 * Write an IEEE 754 number as text. @fraction has @bits bits; @exponent is the
 * true exponent plus @bias.
 */
static size_t
write_number(char *to, bool negative, uint64_t fraction, int exponent, int bits,
	     int bias)
{
	uint64_t c = exponent ? fraction | 1ull << bits : fraction;
	int q = (exponent ? exponent : 1) - bias - bits;

	pthread_once(&once, make_powers);
	if (c == 0 && negative) {
		/*
		 * Without a decimal point, JSON parsers would read the integer
		 * 0 and lose the sign.
		 */
		memcpy(to, "-0.0", 4);
		return 4;
	}
	if (c == 0)
		return write_decimal(to, false, (struct decimal){0, 0});
	if (q <= 0 && q > -64 && (c & ((1ull << -q) - 1)) == 0)
		return write_decimal(to, negative,
				     (struct decimal){c >> -q, 0});
	return write_decimal(
		to, negative,
		shortest_digits(c, q, fraction == 0 && exponent > 1));
}

size_t
hp_decimal_double(char *to, double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof(u));
	return write_number(to, u >> 63, u & ((1ull << 52) - 1),
			    (int)(u >> 52 & 0x7FF), 52, 1023);
}

size_t
hp_decimal_float(char *to, float v)
{
	uint32_t u;

	memcpy(&u, &v, sizeof(u));
	return write_number(to, u >> 31, u & ((1u << 23) - 1),
			    (int)(u >> 23 & 0xFF), 23, 127);
}
